// Package lexicon searches the notes of a patient, or of a whole institution, for
// what is known: identifiers given beforehand, and what taggers found with
// confidence in another note. Evidence collects it, Lexicon finds it in every
// form that it may take.
package lexicon
