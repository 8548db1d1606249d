// Package audit looks at a note after it was rewritten, independently of what
// rewrote it, and refuses it where a promise is broken. A note that fails is
// never released.
package audit

import (
	"errors"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// What can be wrong with a note. The errors quote nothing of it.
var (
	ErrOrder    = errors.New("audit: replaced spans overlap, are out of order or beyond the text")
	ErrOutside  = errors.New("audit: text outside of the replaced spans changed")
	ErrSurvives = errors.New("audit: the surface of a span still stands where it stood")
	ErrUTF8     = errors.New("audit: the released text is not UTF-8")
	ErrMask     = errors.New("audit: what was to be masked holds letters or digits")
	ErrKnown    = errors.New("audit: the released text holds a known name of this patient")
	ErrNumber   = errors.New("audit: the released text holds a known number or address of this patient")
)

// ChanceError says that the released text holds a known number or address that did
// not stand there: a surrogate is it by chance, or makes it up together with what
// stands beside it. It is an ErrNumber, unless something else takes the surrogate's
// place.
type ChanceError struct{ Replacement int } // index

func (e *ChanceError) Error() string { return ErrNumber.Error() }

func (e *ChanceError) Unwrap() error { return ErrNumber }

// Check compares a note with what became of it: outside of the replaced spans
// nothing changed, and within them nothing is left as it was, but for what was
// kept on purpose.
func Check(original, released string, replaced []surrogate.Replacement) error {
	from, out := 0, 0
	for _, r := range replaced {
		if r.Start < from || r.End < r.Start || r.End > len(original) ||
			r.OutStart < out || r.OutEnd < r.OutStart || r.OutEnd > len(released) {
			return ErrOrder
		}
		if original[from:r.Start] != released[out:r.OutStart] {
			return ErrOutside
		}
		before, after := original[r.Start:r.End], released[r.OutStart:r.OutEnd]
		switch {
		case r.Outcome == surrogate.Kept:
		case r.Outcome == surrogate.Masked:
			if !masked(after, r.Type) {
				return ErrMask
			}
		case before == after:
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

// masked reports whether nothing can be read of a text: "xx" masks "xx", so
// that it differs from what it masks says nothing.
func masked(s string, t phi.Type) bool {
	return s == "["+t.String()+"]" || !strings.ContainsFunc(s, func(r rune) bool {
		return r != 'X' && r != 'x' && r != '0' && (unicode.IsLetter(r) || unicode.IsNumber(r))
	})
}

// Rescan searches the released text for the known identifiers of the patient:
// numbers and addresses, and names. The rewrite has swept the original for
// them already; this finds what was lost on the way, and what came in with the
// surrogates themselves. made says that names were replaced by names; tags
// and masks hold nothing, and change what stands beside ordinary words that
// are names too, so that names are not looked for then.
//
// Of names, the sweep's further forms, nicknames, initials and near misses, do
// not count: a surrogate may well be a Peggy where a patient is a Margaret. A
// hit wholly inside of what replaced something else than a name is none:
// "April 26" says nothing of a patient called April; but one that came through
// the replacement of a place's or an institution's name is. A number that is there by
// chance is a ChanceError.
func Rescan(original, released string, tokens []token.Token, lexicon *lexicon.Lexicon, replaced []surrogate.Replacement, made bool) error {
	for _, s := range lexicon.Sweep(nil, released, tokens) {
		if s.Tagger != phi.Known {
			continue
		}
		hit := released[s.Start:s.End]
		k, inside := around(s, replaced)
		var r surrogate.Replacement
		if inside {
			r = replaced[k]
		}
		switch s.Type.Category() {
		case "NAME":
			if !made || !lexicon.Knows(hit) {
				continue
			}
			person := s.Type == phi.Patient && (!inside || r.Type.Category() == "NAME")
			// The Cruz of an institution's name is replaced with the rest of it.
			through := inside && r.Outcome != surrogate.Kept && r.Type.Category() == "LOCATION" && stays(hit, original[r.Start:r.End], s.Type)
			if person || through {
				return ErrKnown
			}
		case "CONTACT", "ID":
			switch {
			case inside && r.Outcome == surrogate.Kept: // by the policy, or the site's allow list
			case !inside:
				for ; k < len(replaced) && replaced[k].OutStart < s.End; k++ {
					if made := &replaced[k]; made.Outcome != surrogate.Kept && !empty(*made) {
						return &ChanceError{k}
					}
				}
				return ErrNumber
			case !empty(r) && stays(hit, original[r.Start:r.End], s.Type):
				return ErrNumber
			case !empty(r) && lexicon.KnowsNumber(hit):
				return &ChanceError{k}
			}
		}
	}
	return nil
}

// empty reports whether a replacement holds nothing of what stood there.
func empty(r surrogate.Replacement) bool {
	return r.Action == surrogate.Tag || r.Action == surrogate.NumberedTag || r.Action == surrogate.Mask
}

// stays reports whether a number or name that was found in a replacement is
// part of what was replaced. Surrogates of telephone numbers are few, so that the last
// digits of one may well be those of another.
func stays(hit, surface string, t phi.Type) bool {
	hit, surface = lexicon.Alphanumeric(hit), lexicon.Alphanumeric(surface)
	if t == phi.Phone || t == phi.Fax {
		return hit == surface
	}
	return strings.Contains(surface, hit)
}

// around returns the index of the replacement that a span of the released text lies
// within; of the first that ends behind the span's beginning, where there is none.
func around(s phi.Span, replaced []surrogate.Replacement) (k int, ok bool) {
	k = sort.Search(len(replaced), func(k int) bool { return replaced[k].OutEnd > s.Start })
	return k, k < len(replaced) && s.Start >= replaced[k].OutStart && s.End <= replaced[k].OutEnd
}
