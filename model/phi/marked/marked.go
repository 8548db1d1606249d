// Package marked reads and writes notes whose protected health information is
// marked inline, the format in which the example notes are kept and in which a
// site can keep its own:
//
//	Seen by Dr. [[DOCTOR:Ada Brandt]] on [[DATE:11/02/2019]].
//
// A mark is [[TYPE:surface]], with a type of the i2b2 2014 guideline. A surface
// stays on one line and has no blank at its edges; marks do not nest, and
// neither text nor surfaces contain "[[" or "]]".
//
// Unmark and Mark translate one text; Parse reads the file of one patient:
// a header, then for each note a line "%% note", a header, a line "%%" and the
// marked text. ReadDir reads a folder of such files.
//
// Errors name file and line and never quote the text.
package marked

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Span is one annotated stretch of a text, with its offsets in both units.
type Span struct {
	Start, End         int // bytes of the UTF-8 text; End is exclusive
	RuneStart, RuneEnd int // Unicode code points; RuneEnd is exclusive
	Type               phi.Type
}

const (
	open   = "[["
	closed = "]]"
)

// Error is a fault in a marked text or patient file. Its message says what and
// where and never quotes the text.
type Error struct {
	File    string // "" for a text of no file
	Line    int    // from 1
	Problem string
}

// Error returns "file:line: problem", or "line n: problem" without a file.
func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Problem)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
}

// Unmark returns the text without its marks and the spans that the marks said,
// in text order. Its errors are of type *Error, with lines of the marked text.
func Unmark(marked string) (string, []Span, error) {
	fail := func(at int, problem string) (string, []Span, error) {
		return "", nil, &Error{Line: 1 + strings.Count(marked[:at], "\n"), Problem: problem}
	}
	if !utf8.ValidString(marked) {
		return fail(firstInvalid(marked), "the text is not UTF-8")
	}
	var text strings.Builder
	text.Grow(len(marked))
	var spans []Span
	runes := 0
	add := func(s string) {
		text.WriteString(s)
		runes += utf8.RuneCountInString(s)
	}
	at := 0
	for {
		n := strings.Index(marked[at:], open)
		gap := marked[at:]
		if n >= 0 {
			gap = marked[at : at+n]
		}
		if i := strings.Index(gap, closed); i >= 0 {
			return fail(at+i, `"]]" closes no mark`)
		}
		add(gap)
		if n < 0 {
			break
		}
		start := at + n
		length := strings.Index(marked[start:], closed)
		if length < 0 {
			return fail(start, `"[[" opens a mark that no "]]" closes`)
		}
		name, surface, ok := strings.Cut(marked[start+len(open):start+length], ":")
		if !ok {
			return fail(start, "a mark has no colon after its type; write [[TYPE:surface]]")
		}
		t, err := phi.ParseType(name)
		if err != nil || t.String() != name {
			return fail(start, "a mark has a type that the i2b2 2014 guideline does not have; types are written in capitals")
		}
		if err := checkSurface(surface); err != nil {
			return fail(start, err.Error())
		}
		s := Span{Start: text.Len(), RuneStart: runes, Type: t}
		add(surface)
		s.End, s.RuneEnd = text.Len(), runes
		spans = append(spans, s)
		at = start + length + len(closed)
	}
	// A mark beside a bracket can leave a double one: "[" before "[[AGE:[9]]".
	plain := text.String()
	for _, pair := range []string{open, closed} {
		if i := strings.Index(plain, pair); i >= 0 {
			return "", nil, &Error{Line: 1 + strings.Count(plain[:i], "\n"), Problem: "the text without its marks holds double brackets"}
		}
	}
	return plain, spans, nil
}

// Mark returns the text with its spans marked, the inverse of Unmark. Spans are
// in text order and do not overlap; only Start, End and Type are read.
func Mark(text string, spans []Span) (string, error) {
	var b strings.Builder
	b.Grow(len(text) + 12*len(spans))
	at := 0
	for i, s := range spans {
		if s.Start < at || s.End <= s.Start || s.End > len(text) {
			return "", fmt.Errorf("marked: span %d is bytes %d to %d: spans must be in order, apart from each other and inside the text's %d bytes",
				i, s.Start, s.End, len(text))
		}
		b.WriteString(text[at:s.Start])
		b.WriteString(open + s.Type.String() + ":" + text[s.Start:s.End] + closed)
		at = s.End
	}
	b.WriteString(text[at:])
	// What Unmark does not give back cannot be written in this format.
	back, got, err := Unmark(b.String())
	if err != nil {
		return "", fmt.Errorf("marked: the text cannot be marked: %w", err)
	}
	same := back == text && len(got) == len(spans)
	for i := 0; same && i < len(got); i++ {
		same = got[i].Start == spans[i].Start && got[i].End == spans[i].End
	}
	if !same {
		return "", errors.New("marked: the text cannot be marked: its brackets would read as parts of marks")
	}
	return b.String(), nil
}

func checkSurface(surface string) error {
	if surface == "" {
		return errors.New("a mark is empty")
	}
	if strings.Contains(surface, open) {
		return errors.New(`a mark holds "[["; marks do not nest`)
	}
	if strings.ContainsAny(surface, "\n\r\v\f\u0085\u2028\u2029") {
		return errors.New("a mark goes over the end of its line")
	}
	first, _ := utf8.DecodeRuneInString(surface)
	last, _ := utf8.DecodeLastRuneInString(surface)
	if unicode.IsSpace(first) || unicode.IsSpace(last) {
		return errors.New("a mark has a blank at its edge; leave blanks outside")
	}
	return nil
}

func firstInvalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return len(s)
}
