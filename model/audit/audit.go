// Package audit looks at a note after it was rewritten, independently of what
// rewrote it, and refuses it where a promise is broken. A note that fails is
// never released.
package audit

import (
	"errors"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Replaced says that bytes Start to End of the original became bytes OutStart
// to OutEnd of the released text.
type Replaced struct {
	Start, End       int
	OutStart, OutEnd int
	Type             phi.Type
	Kept             bool // on purpose, such as an age below 90
}

// What can be wrong with a note. The errors quote nothing of it.
var (
	ErrOrder    = errors.New("audit: replaced spans overlap, are out of order or beyond the text")
	ErrOutside  = errors.New("audit: text outside of the replaced spans changed")
	ErrSurvives = errors.New("audit: the surface of a span still stands where it stood")
	ErrUTF8     = errors.New("audit: the released text is not UTF-8")
	ErrKnown    = errors.New("audit: the released text holds a name that the census knows of this patient")
)

// Check compares a note with what became of it: outside of the replaced spans
// nothing changed, and within them nothing is left as it was, but for what was
// kept on purpose.
func Check(original, released string, replaced []Replaced) error {
	from, out := 0, 0
	for _, r := range replaced {
		if r.Start < from || r.End < r.Start || r.End > len(original) ||
			r.OutStart < out || r.OutEnd < r.OutStart || r.OutEnd > len(released) {
			return ErrOrder
		}
		if original[from:r.Start] != released[out:r.OutStart] {
			return ErrOutside
		}
		if !r.Kept && original[r.Start:r.End] == released[r.OutStart:r.OutEnd] {
			return ErrSurvives
		}
		from, out = r.End, r.OutEnd
	}
	if original[from:] != released[out:] {
		return ErrOutside
	}
	if !utf8.ValidString(released) {
		return ErrUTF8
	}
	return nil
}

// Rescan searches the released text for names that the census knows of the
// patient. The rewrite has swept the original for them already; this finds
// what came in with the surrogates themselves. The sweep's further forms,
// nicknames, initials and near misses, do not count: a surrogate may well be a
// Peggy where a patient is a Margaret. A hit wholly inside of what
// replaced something else than a name is none: "April 26" says nothing of a
// patient called April.
func Rescan(released string, tokens []token.Token, lexicon *ensemble.Lexicon, replaced []Replaced) error {
	for _, s := range lexicon.Sweep(nil, released, tokens) {
		if s.Tagger == phi.Census && s.Type == phi.Patient && lexicon.Knows(released[s.Start:s.End]) && !insideOther(s, replaced) {
			return ErrKnown
		}
	}
	return nil
}

// insideOther reports whether a span lies within the replacement of another
// category than names.
func insideOther(s phi.Span, replaced []Replaced) bool {
	for _, r := range replaced {
		if r.OutStart <= s.Start && s.End <= r.OutEnd {
			return r.Type.Category() != "NAME"
		}
	}
	return false
}
