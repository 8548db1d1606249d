package adapt

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reviewed is a note, what people annotated in it and what the job found, in
// bytes of its text.
type Reviewed struct {
	Person string
	Text   string
	Gold   []Span
	Found  []Span
}

// Span is a stretch of PHI; Label is empty in what was found.
type Span struct {
	Start, End int
	Label      string
}

// Phrase is proposed for a list of the site's: as it is written, what it is, in
// how many patients' notes it stands, and how often the job missed it.
type Phrase struct {
	Text     string
	Label    string
	Patients int
	Missed   int
}

// MinPatients is in how many patients' notes a phrase must stand to be proposed:
// what fewer have is theirs, and not the house's.
const MinPatients = 3

// listed are the types of which a house has a few and names them again and again.
// Patients' names are none of them, and neither are dates and numbers.
var listed = []string{"DOCTOR", "USERNAME", "HOSPITAL", "DEPARTMENT", "ORGANIZATION", "CITY", "STREET", "LOCATION-OTHER", "ROOM"}

// almostAlways is the share of a phrase's places that must be annotated: what is a
// word as well would be replaced where it is one.
const almostAlways = 0.95

// Propose returns what the job missed that a list would find, most missed first:
// phrases that stand in the notes of MinPatients patients, are PHI nearly wherever
// they stand, and never a patient's.
func Propose(notes []Reviewed) []Phrase {
	missed := map[string]int{}
	patients := map[string]bool{} // words of PATIENT annotations
	labels := map[string]map[string]int{}
	for _, n := range notes {
		for _, g := range n.Gold {
			surface := n.Text[g.Start:g.End]
			if g.Label == "PATIENT" {
				patients[surface] = true
			}
			if !slices.Contains(listed, g.Label) || !strings.ContainsFunc(surface, unicode.IsLetter) || utf8.RuneCountInString(surface) < 2 ||
				strings.ContainsAny(surface, "\r\n") {
				continue
			}
			if labels[surface] == nil {
				labels[surface] = map[string]int{}
			}
			labels[surface][g.Label]++
			if !covered(n.Text, g, n.Found) {
				missed[surface]++
			}
		}
	}
	var phrases []Phrase
	for surface, times := range missed {
		if patients[surface] {
			continue
		}
		p := Phrase{Text: surface, Label: mostly(labels[surface]), Missed: times}
		of := map[string]bool{}
		places, annotated := 0, 0
		for _, n := range notes {
			for _, at := range placesOf(n.Text, surface) {
				places++
				if covered(n.Text, Span{Start: at, End: at + len(surface)}, n.Gold) {
					annotated++
					of[n.Person] = true
				}
			}
		}
		p.Patients = len(of)
		if p.Patients >= MinPatients && float64(annotated) >= almostAlways*float64(places) {
			phrases = append(phrases, p)
		}
	}
	slices.SortFunc(phrases, func(a, b Phrase) int {
		return cmp.Or(cmp.Compare(b.Missed, a.Missed), cmp.Compare(b.Patients, a.Patients), strings.Compare(a.Text, b.Text))
	})
	return phrases
}

// covered tells whether each letter and digit of a span lies within some of the
// others.
func covered(text string, s Span, others []Span) bool {
	for i, r := range text[s.Start:s.End] {
		at := s.Start + i
		if word(r) && !slices.ContainsFunc(others, func(o Span) bool { return o.Start <= at && at < o.End }) {
			return false
		}
	}
	return true
}

// placesOf returns where a phrase stands as whole words.
func placesOf(text, phrase string) (places []int) {
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return places
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(phrase):])
		if !word(before) && !word(after) {
			places = append(places, at)
		}
		from = at + len(phrase)
	}
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// mostly returns the most frequent label.
func mostly(counts map[string]int) (label string) {
	for l, n := range counts {
		if label == "" || n > counts[label] || n == counts[label] && l < label {
			label = l
		}
	}
	return label
}
