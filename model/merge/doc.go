// Package merge brings together what several taggers found: within one text,
// where spans overlap, and across all the texts of a patient.
//
// Within a text, Combine settles boundaries and resolves overlaps. Across a
// patient's texts, Reconcile gives one surface one type (Lee et al. 2017,
// section 3.3.4, third step).
package merge
