package corpus

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Offsets translates between bytes and code points of one text, in any order.
// It takes 8 bytes for each code point of a text that is not all ASCII, and
// none for one that is.
type Offsets struct {
	length int   // of the text, in bytes
	starts []int // byte of each code point, and the length; nil for ASCII
}

// NewOffsets returns the offsets of a text of valid UTF-8.
func NewOffsets(text string) Offsets {
	o := Offsets{length: len(text)}
	n := utf8.RuneCountInString(text)
	if n == len(text) {
		return o
	}
	o.starts = make([]int, 0, n+1)
	for i := range text {
		o.starts = append(o.starts, i)
	}
	o.starts = append(o.starts, len(text))
	return o
}

// CodePoints returns the text's length in code points.
func (o Offsets) CodePoints() int {
	if o.starts == nil {
		return o.length
	}
	return len(o.starts) - 1
}

// Byte returns the byte at which a code point begins; that after the last is
// the length. ok is false outside of the text.
func (o Offsets) Byte(codePoint int) (b int, ok bool) {
	if codePoint < 0 || codePoint > o.CodePoints() {
		return 0, false
	}
	if o.starts == nil {
		return codePoint, true
	}
	return o.starts[codePoint], true
}

// CodePoint is the inverse of Byte. ok is false outside of the text and within
// a code point.
func (o Offsets) CodePoint(b int) (codePoint int, ok bool) {
	if b < 0 || b > o.length {
		return 0, false
	}
	if o.starts == nil {
		return b, true
	}
	return slices.BinarySearch(o.starts, b)
}

// Check reports the first fault of a document that makes it unfit to be
// scored or written: no id, a text that is not UTF-8, an annotation out of
// range or within a code point, fragments out of order.
func (d *Document) Check() error {
	if d.ID == "" {
		return fmt.Errorf("%s: the document has no id", d.Source)
	}
	if !utf8.ValidString(d.Text) {
		return fmt.Errorf("%s: the text is not UTF-8; convert it first", d.Source)
	}
	boundary := func(i int) bool { return i == len(d.Text) || utf8.RuneStart(d.Text[i]) }
	for i, a := range d.Annotations {
		err := error(nil)
		switch {
		case a.Start < 0 || a.End < a.Start || a.End > len(d.Text):
			err = fmt.Errorf("bytes %d to %d are not within the text's %d", a.Start, a.End, len(d.Text))
		case !boundary(a.Start) || !boundary(a.End):
			err = errors.New("it begins or ends within a character")
		case a.Fragments != nil:
			at := a.Start
			for j, f := range a.Fragments {
				if f.Start < at || f.End < f.Start || f.End > a.End || !boundary(f.Start) || !boundary(f.End) || j == 0 && f.Start != a.Start {
					err = errors.New("its pieces are not in order and within it")
					break
				}
				at = f.End
			}
			if err == nil && (len(a.Fragments) < 2 || at != a.End) {
				err = errors.New("it has fewer than two pieces, or they end before it does")
			}
		}
		if err != nil {
			return fmt.Errorf("%s: annotation %s: %w", d.Source, nameOf(a, i), err)
		}
	}
	return nil
}

// nameOf names an annotation in messages: by its id, or by its number from 1.
func nameOf(a Annotation, i int) string {
	if a.ID != "" {
		return strconv.Quote(a.ID)
	}
	return "number " + strconv.Itoa(i+1)
}

// docKey stands for a document id in sets.
type docKey [16]byte

func keyOf(id string) (k docKey) {
	sum := sha256.Sum256([]byte(id))
	copy(k[:], sum[:])
	return k
}
