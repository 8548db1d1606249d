// Package meddocan holds rules in the labels of MEDDOCAN (Marimon et al. 2019),
// which work beside a network that was trained on that corpus: health services,
// e-mail addresses and telephone numbers, dates, ages, and what the header of a
// note says of names further down.
//
// They serve the corpus's own metric; the job's rules for Spanish, in the types
// of the i2b2 2014 guideline, are the pack "es" of package rules. Every pattern
// was kept for what it is worth on MEDDOCAN train, where networks had been
// trained without the notes at hand; see docs/models-es.md.
package meddocan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a stretch of a text and its MEDDOCAN type. Start and End are bytes.
type Span struct {
	Start, End int
	Label      string
}

// Patient is the type of patients' names; a model that has it has MEDDOCAN's labels.
const Patient = "NOMBRE_SUJETO_ASISTENCIA"

// The types that rules speak of.
const (
	patient   = Patient
	doctor    = "NOMBRE_PERSONAL_SANITARIO"
	age       = "EDAD_SUJETO_ASISTENCIA"
	sex       = "SEXO_SUJETO_ASISTENCIA"
	relative  = "FAMILIARES_SUJETO_ASISTENCIA"
	date      = "FECHAS"
	territory = "TERRITORIO"
	hospital  = "HOSPITAL"
	company   = "INSTITUCION"
	job       = "PROFESION"
	phone     = "NUMERO_TELEFONO"
	fax       = "NUMERO_FAX"
	email     = "CORREO_ELECTRONICO"
	record    = "ID_SUJETO_ASISTENCIA"
)

// Apply returns what network and rules together find in a text, in order and
// without overlap. found is what the network found, in order and without
// overlap; it is not changed.
func Apply(text string, found []Span) []Span { return ApplyUpTo(text, found, len(steps)) }

// ApplyUpTo is Apply with the first n steps alone, for measuring what each
// brings.
func ApplyUpTo(text string, found []Span, n int) []Span {
	of := &note{text: text, spans: slices.Clone(found)}
	for _, s := range steps[:n] {
		s.run(of)
	}
	of.spans = slices.DeleteFunc(of.spans, func(s Span) bool { return s.Start >= s.End })
	return of.spans
}

// Steps returns the names of the steps in their order.
func Steps() []string {
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.name
	}
	return names
}

// steps are the rules; later ones see what earlier ones did.
var steps = []struct {
	name string
	run  func(*note)
}{
	{"places", places}, {"contacts", contacts}, {"doctors", doctors}, {"dates", dates}, {"people", people}, {"ages", ages},
}

// note is a text and what has been found in it so far.
type note struct {
	text  string
	spans []Span
}

// over returns the spans that share a byte with text[start:end].
func (n *note) over(start, end int) []Span {
	var out []Span
	for _, s := range n.spans {
		if s.Start < end && start < s.End {
			out = append(out, s)
		}
	}
	return out
}

// add adds a span where there is none yet.
func (n *note) add(start, end int, label string) {
	if len(n.over(start, end)) == 0 {
		n.insert(Span{start, end, label})
	}
}

// put makes text[start:end] one span, whatever stood there. What sticks out of
// it stays a span of its own if it is of another type and holds a word.
func (n *note) put(start, end int, label string) {
	if start >= end {
		return
	}
	var rest []Span
	for _, s := range n.over(start, end) {
		if s.Label != label {
			rest = append(rest, Span{s.Start, min(s.End, start), s.Label}, Span{max(s.Start, end), s.End, s.Label})
		}
	}
	n.spans = slices.DeleteFunc(n.spans, func(s Span) bool { return s.Start < end && start < s.End })
	n.insert(Span{start, end, label})
	for _, s := range rest {
		if s = trim(n.text, s); letters(n.text[s.Start:s.End]) >= 3 || digits(n.text[s.Start:s.End]) >= 5 {
			n.insert(s)
		}
	}
}

func (n *note) insert(s Span) {
	if s.Start >= s.End {
		return
	}
	i, _ := slices.BinarySearchFunc(n.spans, s.Start, func(x Span, start int) int { return x.Start - start })
	n.spans = slices.Insert(n.spans, i, s)
}

// trim takes blanks and marks from a span's ends.
func trim(text string, s Span) Span {
	if s.End <= s.Start {
		return Span{s.Start, s.Start, s.Label}
	}
	of := text[s.Start:s.End]
	s.Start += len(of) - len(strings.TrimLeft(of, " .,;:-–()\t\n\r"))
	if s.Start >= s.End {
		return Span{s.End, s.End, s.Label}
	}
	s.End = s.Start + len(strings.TrimRight(text[s.Start:s.End], " .,;:-–(\t\n\r"))
	return s
}

func letters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

func digits(s string) (n int) {
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// whole reports whether no letter or digit joins text[start:end] on either side.
func whole(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !word(before) && !word(after)
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
