// Package score measures detection of PHI exactly as the field does: the
// measures of the i2b2 2014 and MEDDOCAN scripts to the unit, quirks included,
// and those that the papers print besides them.
//
// Documents go in one by one, and one result comes out:
//
//	s := score.New(score.Options{Resamples: 1000, Seed: 1})
//	for each document {
//		mistakes, err := s.Add(document) // mistakes are valid until the next Add
//	}
//	result := s.Result()
//
// The functions are
//
//	New(Options) *Scorer
//	(*Scorer) Add(Document) ([]Mistake, error)
//	(*Scorer) Result() *Result
//	Compare(a, b *Scorer, shuffles int, seed uint64) (*Comparison, error)
//	SameDocuments(gold, system []string) error
//
// A Scorer keeps counts per document, never a text and never a span, so its
// memory grows by less than a kilobyte a document as a rule, whatever its
// length. Two scorers that saw the same documents are compared by Compare.
//
// Offsets are bytes of the UTF-8 text, ends exclusive. Where a measure counts
// characters it counts code points.
package score

import (
	"fmt"
	"strings"
)

// Annotation is one span with its label.
type Annotation struct {
	Start    int     `json:"start"`              // byte of the UTF-8 text
	End      int     `json:"end"`                // byte, exclusive
	Category string  `json:"category,omitempty"` // i2b2 element name, such as NAME; may be empty in other label sets
	Label    string  `json:"label"`              // TYPE as written: the official token key respects case
	Tagger   string  `json:"tagger,omitempty"`   // who found it; empty in gold
	Score    float32 `json:"score,omitempty"`    // confidence in (0, 1]; 0 where there is none
}

// Document is one text with both sets of annotations. The order within a set
// matters to the relaxed measure alone (see Relaxed) and is that of the file.
type Document struct {
	ID     string
	Text   string
	Gold   []Annotation
	System []Annotation
}

// Counts are true positives, false positives and false negatives.
type Counts struct {
	TP int `json:"tp"`
	FP int `json:"fp"`
	FN int `json:"fn"`
}

// Precision is TP / (TP + FP), 0 where nothing was found.
func (c Counts) Precision() float64 { return ratio(c.TP, c.TP+c.FP) }

// Recall is TP / (TP + FN), 0 where there was nothing to find.
func (c Counts) Recall() float64 { return ratio(c.TP, c.TP+c.FN) }

// F1 is the harmonic mean of precision and recall, 0 where both are 0.
func (c Counts) F1() float64 { return harmonic(c.Precision(), c.Recall()) }

// Rates returns all three.
func (c Counts) Rates() Rates {
	return Rates{Precision: c.Precision(), Recall: c.Recall(), F1: c.F1()}
}

// Rates are precision, recall and their harmonic mean, in [0, 1].
type Rates struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// harmonic follows the operations of the official scripts, so that the last
// printed digit agrees.
func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * ((p * r) / (p + r))
}

// check refuses annotations that do not fit the text. It names the document
// and the annotation's place in the list, never the text.
func (d *Document) check() error {
	for _, side := range []struct {
		name  string
		spans []Annotation
	}{{"gold", d.Gold}, {"system", d.System}} {
		for i, a := range side.spans {
			if a.Start < 0 || a.End < a.Start || a.End > len(d.Text) {
				return fmt.Errorf("score: document %q, %s annotation %d: bytes [%d, %d) do not fit a text of %d bytes",
					d.ID, side.name, i+1, a.Start, a.End, len(d.Text))
			}
			if !boundary(d.Text, a.Start) || !boundary(d.Text, a.End) {
				return fmt.Errorf("score: document %q, %s annotation %d: bytes [%d, %d) cut a character in two; are these offsets in code points?",
					d.ID, side.name, i+1, a.Start, a.End)
			}
			if strings.TrimSpace(a.Label) == "" {
				return fmt.Errorf("score: document %q, %s annotation %d has no label", d.ID, side.name, i+1)
			}
		}
	}
	return nil
}

// boundary reports whether a character may begin at byte i of text.
func boundary(text string, i int) bool {
	return i == len(text) || text[i]&0xC0 != 0x80
}
