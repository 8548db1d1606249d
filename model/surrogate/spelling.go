package surrogate

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordModel is a model of the words of a list: which letter follows up to three
// others, and how often. The end of a word is 0.
type wordModel struct {
	next map[context]*followers
	ends map[[4]rune]int // words with these last letters, three or four, the last at the end
}

// context is one to three letters, ^ for the beginning of a word, in 21 bits each.
type context uint64

const (
	letterBits     = 21
	longestContext = 3 // letters
)

// followers are the letters that follow a context, in order.
type followers struct {
	runes []rune
	sums  []uint32     // how often these and those before them follow
	to    []*followers // of the context that each of them makes; nil for the end of a word
	short *followers   // of the context without its first letter, where it has three, else this
}

// learn reads words; those that are not letters alone are passed over.
func learn(words []string) *wordModel {
	m := &wordModel{next: map[context]*followers{}, ends: map[[4]rune]int{}}
	var text []rune
	for _, w := range words {
		w = strings.ToLower(w)
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) || runes(w) < 3 {
			continue
		}
		text = append(text[:0], '^')
		for _, r := range w {
			text = append(text, r)
		}
		for n := 3; n <= 4; n++ {
			m.ends[ending(text[1:], n)]++
		}
		text = append(text, 0)
		for i := 1; i < len(text); i++ {
			m.count(last(text[:i], longestContext), text[i], 1)
		}
	}
	// What followed three letters followed the last two of them, and the last one: added up
	// once, as that is quicker than to count each letter three times.
	for c, f := range maps.Clone(m.next) {
		for n := longestContext - 1; n > 0; n-- {
			if shorter := c.last(n); shorter != c {
				for k, r := range f.runes {
					m.count(shorter, r, f.sums[k])
				}
			}
		}
	}
	for c, f := range m.next {
		for k := 1; k < len(f.sums); k++ {
			f.sums[k] += f.sums[k-1]
		}
		f.short = m.next[c.last(longestContext-1)]
		f.to = make([]*followers, len(f.runes))
		for k, r := range f.runes {
			f.to[k] = m.next[(c<<letterBits | context(r)).last(longestContext)]
		}
	}
	return m
}

// count counts r behind c so many times; sums are not sums yet.
func (l *wordModel) count(c context, r rune, times uint32) {
	f := l.next[c]
	if f == nil {
		f = &followers{}
		l.next[c] = f
	}
	k, ok := slices.BinarySearch(f.runes, r)
	if !ok {
		f.runes, f.sums = slices.Insert(f.runes, k, r), slices.Insert(f.sums, k, 0)
	}
	f.sums[k] += times
}

// last returns the last n letters of a context, all of a shorter one.
func (c context) last(n int) context { return c & (1<<(n*letterBits) - 1) }

// last returns the last n letters of a text, all of a shorter one.
func last(text []rune, n int) (c context) {
	for _, r := range text[max(0, len(text)-n):] {
		c = c<<letterBits | context(r)
	}
	return c
}

// ending returns the last n letters of a word, all of a shorter one.
func ending(w []rune, n int) (end [4]rune) {
	n = min(n, len(w))
	copy(end[4-n:], w[len(w)-n:])
	return end
}

// usual reports whether the last n letters of a word end several of the model's,
// so that a town is a -ville and no "Bismarim".
func (l *wordModel) usual(w string, n int) bool {
	var end [4]rune
	for k := len(end) - 1; k >= len(end)-n && w != ""; k-- {
		r, size := utf8.DecodeLastRuneInString(w)
		end[k], w = unicode.ToLower(r), w[:len(w)-size]
	}
	return l.ends[end] >= 3
}

// word draws a word from a stream of numbers; "" where it becomes too short or
// too long.
func (l *wordModel) word(number func() uint16) string {
	var letters [longestInvented + 1]rune
	text := letters[:0]
	for f := l.next['^']; f != nil && len(text) <= longestInvented; {
		n := number()
		from := f
		if n&7 == 0 {
			from = f.short // so that a word can leave the tracks of one name
		}
		at := uint32(n>>3) * from.sums[len(from.sums)-1] >> 13
		k := 0
		for from.sums[k] <= at {
			k++
		}
		r := from.runes[k]
		if r == 0 {
			if len(text) < shortestInvented {
				return ""
			}
			text[0] = unicode.ToUpper(text[0])
			return string(text)
		}
		text = append(text, r)
		f = from.to[k]
	}
	return ""
}

// chance returns how often the model would spell a word in lower case; 0 where it
// never would.
func (l *wordModel) chance(w string) float64 {
	p := 1.0
	f := l.next['^']
	if f == nil {
		return 0
	}
	for _, r := range w {
		p *= f.mixed(r)
		if p == 0 {
			return 0
		}
		f = f.then(r)
	}
	return p * f.mixed(0)
}

// mixed returns how often the model lets a letter follow, after three letters or two.
func (f *followers) mixed(r rune) float64 {
	return 7./8*f.share(r) + 1./8*f.short.share(r)
}

// then returns the followers of the context with one more letter, which may follow.
func (f *followers) then(r rune) *followers {
	if k, ok := slices.BinarySearch(f.runes, r); ok {
		return f.to[k]
	}
	k, _ := slices.BinarySearch(f.short.runes, r)
	return f.short.to[k]
}

// share returns how often a letter is the one that follows.
func (f *followers) share(r rune) float64 {
	k, ok := slices.BinarySearch(f.runes, r)
	if !ok {
		return 0
	}
	n := f.sums[k]
	if k > 0 {
		n -= f.sums[k-1]
	}
	return float64(n) / float64(f.sums[len(f.sums)-1])
}
