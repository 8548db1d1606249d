package corpus

import (
	"fmt"
	"strconv"
	"strings"
)

// builder adds annotations to a document whose text is known, and holds their
// offsets to what the file quotes.
type builder struct {
	d  *Document
	at Offsets
	o  *ReadOptions
}

func newBuilder(d *Document, o *ReadOptions) *builder {
	return &builder{d: d, at: NewOffsets(d.Text), o: o}
}

// add appends an annotation of pieces in code points: one, or several of a
// discontinuous one. quoted is the text that the file says stands there, nil if
// it says none. where names the annotation, for messages.
func (b *builder) add(a Annotation, pieces [][2]int, quoted *string, where func() string) error {
	fragments := make([]Fragment, len(pieces))
	at := 0
	for i, p := range pieces {
		start, ok := b.at.Byte(p[0])
		end, ok2 := b.at.Byte(p[1])
		if !ok || !ok2 || p[1] < p[0] {
			return fmt.Errorf("%s has the offsets %d to %d, which are out of range: the text has %d code points", where(), p[0], p[1],
				b.at.CodePoints())
		}
		if start < at {
			return fmt.Errorf("%s has pieces that overlap or are not in order", where())
		}
		fragments[i], at = Fragment{start, end}, end
	}
	a.Start, a.End = fragments[0].Start, fragments[len(fragments)-1].End
	if len(fragments) > 1 {
		a.Fragments = fragments
	}
	if quoted != nil && !sameText(surface(b.d.Text, &a), *quoted) {
		message := fmt.Sprintf("%s has the offsets %d to %d, where its text does not stand%s", where(), pieces[0][0], pieces[len(pieces)-1][1],
			b.hint(pieces, *quoted))
		if !b.o.TrustOffsets {
			return fmt.Errorf("%s; mend the file, or trust its offsets", message)
		}
		b.o.Warn(message)
	}
	b.d.Annotations = append(b.d.Annotations, a)
	return nil
}

// hint says where an annotation's text stands, if it is one of the usual
// slips: bytes or UTF-16 units counted for code points, or a byte-order mark or
// carriage returns not counted.
func (b *builder) hint(pieces [][2]int, quoted string) string {
	if len(pieces) > 1 {
		return ""
	}
	start, end, text := pieces[0][0], pieces[0][1], b.d.Text
	if end <= len(text) && sameText(text[start:end], quoted) {
		return " (it does if offsets were bytes; they must be code points)"
	}
	if s, ok := b.at.Byte(start + 1); ok && strings.HasPrefix(text, "\ufeff") {
		if e, ok := b.at.Byte(end + 1); ok && sameText(text[s:e], quoted) {
			return " (it does if the byte-order mark that the text begins with were not counted; it must be)"
		}
	}
	if units := strings.Count(text, "\r\n"); units > 0 {
		plain := strings.ReplaceAll(text, "\r\n", "\n")
		o := NewOffsets(plain)
		s, ok := o.Byte(start)
		e, ok2 := o.Byte(end)
		if ok && ok2 && sameText(plain[s:e], quoted) {
			return " (it does if a carriage return and line feed were counted as one; they are two)"
		}
	}
	return ""
}

// surface returns an annotation's text; the pieces of a discontinuous one are
// joined by blanks, as brat does.
func surface(text string, a *Annotation) string {
	if a.Fragments == nil {
		return text[a.Start:a.End]
	}
	parts := make([]string, len(a.Fragments))
	for i, f := range a.Fragments {
		parts[i] = text[f.Start:f.End]
	}
	return strings.Join(parts, " ")
}

// oneLine replaces each line end and tab by a blank, as files do that hold a
// text on a line of their own or in an XML attribute.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")

func sameText(a, b string) bool { return a == b || oneLine.Replace(a) == oneLine.Replace(b) }

// number reads an offset: decimal digits alone.
func number(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil
}
