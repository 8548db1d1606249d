// Package charts makes charts in which text is copied as clinicians copy it: whole
// sections of a patient's earlier notes carried forward, some with an edit in a line, and
// templates that all patients share, between text that stands nowhere else. The same
// seed gives the same charts.
package charts

import (
	"math/rand"
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// Shape says what charts are like. Lengths are in tokens.
type Shape struct {
	Notes, PerPatient int
	NoteTokens        int     // of a note, on average
	Share             float64 // of all tokens that are copied
	Passage           int     // of a copied passage, on average
	Last              float64 // of copied passages, those from the patient's last note; the others are from any earlier one
	Template          float64 // of copied passages, those from a template
	Edited            float64 // of copied lines, those in which a word or number was changed
}

// Usual is a shape for measuring; the share of copies is left out.
var Usual = Shape{Notes: 1500, PerPatient: 20, NoteTokens: 500, Passage: 200, Last: 0.7, Template: 0.2, Edited: 0.03}

// Note is a note, in the order of its patient's notes.
type Note struct {
	Patient, Number int
	Text            string
	Tokens, Copied  int // Copied counts words and marks that stand as they stood in another note
}

// line is a line of a note.
type line struct {
	text    string
	tokens  int
	section bool // a section begins with it, or a paragraph
}

// Writer makes charts, one patient after another.
type Writer struct {
	Shape
	r         *rand.Rand
	sources   []string
	words     []string // lower-case ones of the sources
	fresh     []line   // invented and not yet used
	templates [][]line
	next      int // source

	total, copied int // tokens, so far
}

// NewWriter returns a writer whose text is invented from the sources. Writers of the
// same house share their templates, whatever their seed.
func NewWriter(house, seed int64, sources []string, s Shape) *Writer {
	w := newWriter(house, sources, s)
	w.r = rand.New(rand.NewSource(seed))
	return w
}

func newWriter(seed int64, sources []string, s Shape) *Writer {
	w := &Writer{Shape: s, r: rand.New(rand.NewSource(seed)), sources: sources}
	for _, text := range sources {
		for _, t := range token.Tokenize(nil, text) {
			if t.Class == token.Lower {
				w.words = append(w.words, t.Text(text))
			}
		}
	}
	for range 40 {
		w.templates = append(w.templates, w.invent(s.Passage))
	}
	return w
}

// Make returns charts whose text is invented from the sources, notes of the same
// patient one after another.
func Make(seed int64, sources []string, s Shape) []Note {
	w := newWriter(seed, sources, s)
	var notes []Note
	for patient := 0; len(notes) < s.Notes; patient++ {
		var chart [][]line
		for number := 0; number < s.PerPatient && len(notes) < s.Notes; number++ {
			wanted := s.NoteTokens/2 + w.r.Intn(s.NoteTokens)
			n, lines := w.note(chart, func(tokens, _ int) bool { return tokens >= wanted }, false)
			n.Patient, n.Number = patient, number
			chart = append(chart, lines)
			notes = append(notes, n)
		}
	}
	return notes
}

// Chart returns the notes of one more patient. lengths are in bytes of text; a note
// ends with the line that reaches its own, in the middle of a passage if need be.
func (w *Writer) Chart(patient int, lengths []int) []Note {
	var chart [][]line
	var notes []Note
	for number, wanted := range lengths {
		n, lines := w.note(chart, func(_, bytes int) bool { return bytes >= wanted }, true)
		n.Patient, n.Number = patient, number
		chart = append(chart, lines)
		notes = append(notes, n)
	}
	return notes
}

// note writes a note into a chart, passage by passage or, where exact, line by line,
// until it is full by its tokens and bytes.
func (w *Writer) note(chart [][]line, full func(tokens, bytes int) bool, exact bool) (Note, []line) {
	var n Note
	var lines []line
	for bytes := 0; !full(n.Tokens, bytes); {
		var passage []line
		var same []int
		invented := float64(w.copied) >= w.Share*float64(w.total)
		if invented {
			passage = w.invent(w.length())
		} else {
			passage, same = w.copy(chart)
		}
		for i, l := range passage {
			if exact && full(n.Tokens, bytes) {
				if invented {
					w.fresh = append(passage[i:], w.fresh...)
				}
				break
			}
			n.Tokens += l.tokens
			w.total += l.tokens
			if !invented {
				n.Copied += same[i]
				w.copied += same[i]
			}
			bytes += len(l.text) + 1
			lines = append(lines, l)
		}
	}
	n.Text = join(lines)
	return n, lines
}

func join(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// length draws the length of a passage: one in twenty is three times as long as the average.
func (w *Writer) length() int { return max(int(w.r.ExpFloat64()*float64(w.Passage)), 20) }

// copy returns a passage of an earlier note or a template, and how many tokens of each
// of its lines are as they were.
func (w *Writer) copy(chart [][]line) (passage []line, same []int) {
	from := w.templates[w.r.Intn(len(w.templates))]
	if len(chart) > 0 && w.r.Float64() >= w.Template {
		from = chart[len(chart)-1]
		if w.r.Float64() >= w.Last {
			from = chart[w.r.Intn(len(chart))]
		}
		starts := sections(from)
		from = from[starts[w.r.Intn(len(starts))]:]
	}
	n := 0
	for length := w.length(); len(from) > 0 && (n < length || !from[0].section); from = from[1:] {
		l := from[0]
		unchanged := l.tokens
		if l.tokens > 1 && w.r.Float64() < w.Edited {
			l = cut(w.edit(l.text), l.section)
			unchanged--
		}
		n += l.tokens
		passage, same = append(passage, l), append(same, unchanged)
	}
	return passage, same
}

// edit changes one word or number of a line.
func (w *Writer) edit(text string) string {
	tokens := token.Tokenize(nil, text)
	first := w.r.Intn(len(tokens))
	for i := range tokens {
		t := tokens[(first+i)%len(tokens)]
		switch t.Class {
		case token.Digits:
			return text[:t.Start] + string(rune('1'+w.r.Intn(9))) + text[t.End:]
		case token.Lower:
			return text[:t.Start] + w.word() + text[t.End:]
		}
	}
	return text + " " + w.word()
}

func (w *Writer) word() string { return w.words[w.r.Intn(len(w.words))] }

// invent returns lines of at least so many tokens that stand nowhere else: other
// digits, other names, and each third word another one.
func (w *Writer) invent(tokens int) (passage []line) {
	for n := 0; n < tokens || len(w.fresh) > 0 && !w.fresh[0].section; {
		if len(w.fresh) == 0 {
			text := invent.Vary(w.r, w.r, w.sources[w.next%len(w.sources)])
			w.next++
			blank := true
			for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
				w.fresh = append(w.fresh, cut(w.reword(l), l != "" && (blank || headed.MatchString(l))))
				blank = l == ""
			}
		}
		l := w.fresh[0]
		w.fresh = w.fresh[1:]
		n += l.tokens
		passage = append(passage, l)
	}
	return passage
}

func (w *Writer) reword(text string) string {
	var b strings.Builder
	at := 0
	for _, t := range token.Tokenize(nil, text) {
		if t.Class == token.Lower && w.r.Intn(3) == 0 {
			b.WriteString(text[at:t.Start] + w.word())
			at = int(t.End)
		}
	}
	b.WriteString(text[at:])
	return b.String()
}

// cut counts a line's tokens, its end among them.
func cut(text string, section bool) line {
	return line{text, len(token.Tokenize(nil, text)) + 1, section}
}

// headed matches lines that begin with a heading.
var headed = regexp.MustCompile(`^[A-Z][A-Za-z /]{1,40}(:|$)`)

// sections returns where in a note a passage may begin.
func sections(lines []line) []int {
	all := []int{0}
	for i, l := range lines {
		if i > 0 && l.section {
			all = append(all, i)
		}
	}
	return all
}
