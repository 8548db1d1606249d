package lexicon

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// minGlued is the least bytes of a run of letters that is looked into.
const minGlued = 6

// minInside is the least letters of a name that is found inside of an address.
const minInside = 4

// gluedLabels run into names in hurried text: "MRNOKONKWO".
var gluedLabels = names.Set("mrn dob pt dr mr mrs ms name patient id re attn")

// labelStarts are the first letters of gluedLabels.
var labelStarts = func() *filter {
	f := &filter{}
	for s := range gluedLabels {
		for c := byte('a'); c <= 'z' && len(s) == 2; c++ {
			f.add(s + string(rune(c)))
		}
		f.add(s)
	}
	return f
}()

// filter tells quickly which words cannot begin with any of a set: one bit for
// each three letters of five bits.
type filter [1 << 9]uint64

func filterAt(a, b, c byte) (word int, bit uint64) {
	i := int(a&31)<<10 | int(b&31)<<5 | int(c&31)
	return i >> 6, 1 << (i & 63)
}

func (f *filter) add(s string) {
	if len(s) >= 3 {
		word, bit := filterAt(s[0], s[1], s[2])
		f[word] |= bit
	}
}

func (f *filter) has(s string) bool {
	if len(s) < 3 {
		return false
	}
	word, bit := filterAt(s[0], s[1], s[2]) // the same for either case
	return f[word]&bit != 0
}

// glued reports whether a run of letters is made of nothing but known names, a
// label and an initial: "smithjohn", "MRNOKONKWO", "jokonkwo". form has
// minGlued bytes at least.
func (l *Lexicon) glued(form string) (entry, bool) {
	c := names.Lowered[form[0]&(utf8.RuneSelf-1)] - 'a'
	if c >= 26 || !l.names.starts.has(form) && !labelStarts.has(form) && !(l.initial[c] && l.names.starts.has(form[1:])) {
		return entry{}, false
	}
	var buf [64]byte
	if len(form) > len(buf) {
		return entry{}, false
	}
	f := buf[:len(form)]
	for i := 0; i < len(form); i++ {
		if form[i] >= utf8.RuneSelf {
			return entry{}, false
		}
		f[i] = names.Lowered[form[i]]
	}
	return l.pieces(string(f), 0, false)
}

// pieces cuts s into known names, with a label before them and an initial
// before or behind. At least one name has six letters, or there are two of
// five and three.
func (l *Lexicon) pieces(s string, depth int, long bool) (entry, bool) {
	if s == "" {
		return l.typeOfPieces(long)
	}
	if depth > 2 {
		return entry{}, false
	}
	if depth == 0 {
		if labelStarts.has(s) {
			for n := 2; n <= 7 && n < len(s); n++ {
				if gluedLabels[s[:n]] {
					if e, ok := l.oneWord(s[n:], 5); ok {
						return e, true
					}
				}
			}
		}
		if l.initial[s[0]-'a'] {
			if e, ok := l.oneWord(s[1:], 6); ok {
				return e, true
			}
		}
		if c := s[len(s)-1]; c >= 'a' && c <= 'z' && l.initial[c-'a'] {
			if e, ok := l.oneWord(s[:len(s)-1], 6); ok && l.names.find(s) < 0 {
				return e, true
			}
		}
	}
	if !l.names.starts.has(s) {
		return entry{}, false
	}
	for n := 3; n <= len(s); n++ {
		// What is left must begin with a name, too: the cheaper question.
		if n < len(s) && !l.names.starts.has(s[n:]) || n == len(s) && depth == 0 {
			continue
		}
		if l.names.find(s[:n]) >= 0 {
			if e, ok := l.pieces(s[n:], depth+1, long || n >= 5); ok {
				return e, true
			}
		}
	}
	return entry{}, false
}

// typeOfPieces says what a run of names is taken for: the type of the first
// known name, which is the patient's where there is one.
func (l *Lexicon) typeOfPieces(long bool) (entry, bool) {
	if !long {
		return entry{}, false
	}
	best := l.names.words[0].entry
	for _, w := range l.names.words {
		if w.typ == phi.Patient {
			best = w.entry
			break
		}
	}
	return best, true
}

// oneWord reports whether s is a known name of at least so many letters that
// is no ordinary word.
func (l *Lexicon) oneWord(s string, least int) (entry, bool) {
	if len(s) < least {
		return entry{}, false
	}
	i := l.names.find(s)
	if i < 0 || names.Common[s] || names.Eponyms[s] {
		return entry{}, false
	}
	return l.names.words[i].entry, true
}

// sweepAddresses finds e-mail addresses and handles that have a known name in
// them, however it is run together with the rest.
func (l *Lexicon) sweepAddresses(dst []phi.Span, text string) []phi.Span {
	for next := 0; ; {
		at := strings.IndexByte(text[next:], '@')
		if at < 0 {
			return dst
		}
		at += next
		next = at + 1
		start, end := at, at+1
		for start > 0 && inAddress(text[start-1]) {
			start--
		}
		for end < len(text) && inAddress(text[end]) {
			end++
		}
		for end > at+1 && text[end-1] < utf8.RuneSelf && !isAlnum(text[end-1]) {
			end--
		}
		for start < at && text[start] < utf8.RuneSelf && !isAlnum(text[start]) {
			start++
		}
		if end-start > 254 || end == at+1 { // RFC 5321's longest address
			continue
		}
		if l.inside(seen(names.Fold(text[start:at]))) || start == at && l.inside(seen(names.Fold(text[at+1:end]))) {
			typ := phi.Email
			if start == at {
				typ = phi.Username
			}
			dst = append(dst, phi.Span{Start: start, End: end, Type: typ, Tagger: phi.Known, Score: 1})
		}
	}
}

// inside reports whether a known name stands anywhere in s.
func (l *Lexicon) inside(s string) bool {
	for i := 0; i+minInside <= len(s); i++ {
		if !l.names.starts.has(s[i:]) {
			continue
		}
		for n := minInside; i+n <= len(s) && n <= maxCompact; n++ {
			if l.names.find(s[i:i+n]) >= 0 {
				return true
			}
		}
	}
	return false
}

func inAddress(c byte) bool {
	return isAlnum(c) || c >= utf8.RuneSelf || strings.IndexByte("._-+%'", c) >= 0
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
