package score

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// kindKey counts mistakes by kind and label.
type kindKey struct {
	kind  Kind
	label int32
}

// mistake records one mistake. g or y may be nil.
func (s *Scorer) mistake(d *Document, kind Kind, g, y *span, fn, fp bool) {
	m := Mistake{Document: d.ID, Kind: kind, FalseNegative: fn, FalsePositive: fp}
	about := g
	if g != nil {
		m.Gold = &s.annotations[goldSide][g.order]
		m.Exposed = s.exposed(d.Text, g)
	} else {
		about = y
	}
	if y != nil {
		m.System = &s.annotations[systemSide][y.order]
	}
	m.Cause = s.cause(d.Text, about, g, y)
	s.mistakes = append(s.mistakes, m)

	s.kinds[kindKey{kind, s.label(*about)}]++
	c := s.causes[m.Cause]
	if c == nil {
		c = &CauseCount{Cause: m.Cause}
		s.causes[m.Cause] = c
	}
	if fn {
		c.FN++
	}
	if fp {
		c.FP++
	}
}

// exposed reports whether a letter or number of a gold span stands outside of
// all system spans.
func (s *Scorer) exposed(text string, g *span) bool {
	at := g.start
	for _, u := range from(s.unions[systemSide], g.start) {
		if u.start >= g.end {
			break
		}
		if u.start > at && hasAlphanumeric(text[at:u.start]) {
			return true
		}
		at = max(at, u.end)
	}
	return at < g.end && hasAlphanumeric(text[at:g.end])
}

// from returns the intervals of a union that end after a byte.
func from(u []interval, at int) []interval {
	low, high := 0, len(u)
	for low < high {
		if mid := (low + high) / 2; u[mid].end <= at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return u[low:]
}

// cause names the first cause that holds, see Cause.
func (s *Scorer) cause(text string, about, g, y *span) Cause {
	surface := text[about.start:about.end]
	switch {
	case s.cuts(text, about.start) || s.cuts(text, about.end):
		return Tokenisation
	case abbreviated(surface):
		return Abbreviation
	case g != nil && y != nil && prefixed(text, g, y):
		return Prefix
	case s.options.Common != nil && commonWords(surface, s.options.Common):
		return CommonLanguage
	}
	return OtherCause
}

// cuts reports whether a boundary at byte i falls inside a token of package
// token, or between two letters or numbers: words run together, which a
// tokeniser that splits at blanks would not part.
func (s *Scorer) cuts(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	if i > 0 && i < len(text) && alphanumeric(before) && alphanumeric(after) {
		return true
	}
	low, high := 0, len(s.text) // the first token that ends after i
	for low < high {
		if mid := (low + high) / 2; int(s.text[mid].End) <= i {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(s.text) && int(s.text[low].Start) < i && s.text[low].Class != token.Newline
}

// abbreviated reports whether a surface has the shape of an abbreviation: one
// to five letters, all capitals, and nothing else but dots, hyphens,
// ampersands, slashes and blanks.
func abbreviated(surface string) bool {
	letters := 0
	for _, r := range surface {
		switch {
		case unicode.IsUpper(r):
			letters++
		case r == '.' || r == '-' || r == '&' || r == '/' || r == ' ':
		default:
			return false
		}
	}
	return letters >= 1 && letters <= 5
}

// leading holds the articles and titles that prefixed knows, in the languages
// of the papers and corpora: English, Dutch, Spanish.
var leading = map[string]bool{
	"the": true, "a": true, "an": true,
	"dr": true, "mr": true, "mrs": true, "ms": true, "miss": true, "prof": true, "nurse": true,
	"de": true, "het": true, "een": true, "t": true, "dhr": true, "mevr": true, "mw": true,
	"el": true, "la": true, "los": true, "las": true, "don": true, "doña": true, "dra": true, "sr": true, "sra": true,
}

// prefixed reports whether two spans differ by articles and titles before one
// of them and by nothing else.
func prefixed(text string, g, y *span) bool {
	if g.end != y.end || g.start == y.start {
		return false
	}
	words := words(text[min(g.start, y.start):max(g.start, y.start)])
	for _, w := range words {
		if !leading[strings.ToLower(w)] {
			return false
		}
	}
	return len(words) > 0
}

// commonWords reports whether a surface consists of words and all are known.
func commonWords(surface string, known func(string) bool) bool {
	words := words(surface)
	for _, w := range words {
		if !known(strings.ToLower(w)) {
			return false
		}
	}
	return len(words) > 0
}

// words returns the runs of letters and numbers, apostrophes and combining
// marks within them included.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !alphanumeric(r) && r != '\'' && r != '’' && !unicode.Is(unicode.M, r)
	})
}
