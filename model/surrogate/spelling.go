package surrogate

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// wordModel is a model of the words of a list: which letter follows up to three
// others, and how often. The end of a word is 0.
type wordModel struct {
	next map[context]*followers
	ends map[[4]rune]int // words with these last letters, three or four, the last at the end
}

// context is one to three letters, ^ for the beginning of a word, in 21 bits each.
type context uint64

const letterBits = 21

// followers are the letters that follow a context, in order.
type followers struct {
	runes []rune
	sums  []uint32 // how often these and those before them follow
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
			for n := 1; n <= min(3, i); n++ {
				m.count(last(text[:i], n), text[i])
			}
		}
	}
	for _, f := range m.next {
		for k := 1; k < len(f.sums); k++ {
			f.sums[k] += f.sums[k-1]
		}
	}
	return m
}

// count counts r behind c; sums are not sums yet.
func (l *wordModel) count(c context, r rune) {
	f := l.next[c]
	if f == nil {
		f = &followers{}
		l.next[c] = f
	}
	k, ok := slices.BinarySearch(f.runes, r)
	if !ok {
		f.runes, f.sums = slices.Insert(f.runes, k, r), slices.Insert(f.sums, k, 0)
	}
	f.sums[k]++
}

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
	return l.ends[ending([]rune(strings.ToLower(w)), n)] >= 3
}

// word draws a word from a stream of numbers; "" where it becomes too short or
// too long.
func (l *wordModel) word(number func() uint16) string {
	text := append(make([]rune, 0, longestInvented+2), '^')
	for len(text) <= longestInvented+1 {
		n := number()
		reach := 3
		if n&7 == 0 {
			reach = 2 // so that a word can leave the tracks of one name
		}
		f := l.next[last(text, reach)]
		if f == nil {
			return ""
		}
		at := uint32(n>>3) * f.sums[len(f.sums)-1] >> 13
		r := f.runes[sort.Search(len(f.sums), func(i int) bool { return f.sums[i] > at })]
		if r == 0 {
			if len(text)-1 < shortestInvented {
				return ""
			}
			return string(unicode.ToUpper(text[1])) + string(text[2:])
		}
		text = append(text, r)
	}
	return ""
}

// chance returns how often the model would spell a word in lower case; 0 where it
// never would.
func (l *wordModel) chance(w string) float64 {
	text := []rune("^" + w + "\x00")
	p := 1.0
	for i := 1; i < len(text) && p > 0; i++ {
		p *= 7./8*l.next[last(text[:i], 3)].share(text[i]) + 1./8*l.next[last(text[:i], 2)].share(text[i])
	}
	return p
}

// share returns how often a letter is the one that follows; f may be nil.
func (f *followers) share(r rune) float64 {
	if f == nil {
		return 0
	}
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
