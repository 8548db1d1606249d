package surrogate

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// wordModel is a model of the words of a list: which letter follows up to three
// others, and how often. The end of a word is 0.
type wordModel struct {
	next map[string]*followers // by one to three letters, ^ for the beginning
	ends map[string]int        // words with these last letters, three or four
}

type followers struct {
	runes []rune
	sums  []uint32 // how often these and those before them follow
}

// learn reads words; those that are not letters alone are passed over.
func learn(words []string) *wordModel {
	counts := map[string]map[rune]uint32{}
	m := &wordModel{next: map[string]*followers{}, ends: map[string]int{}}
	for _, w := range words {
		w = strings.ToLower(w)
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) || runes(w) < 3 {
			continue
		}
		text := []rune("^" + w + "\x00")
		for n := 3; n <= 4; n++ {
			m.ends[ending(w, n)]++
		}
		for i := 1; i < len(text); i++ {
			for n := 1; n <= min(3, i); n++ {
				c := string(text[i-n : i])
				if counts[c] == nil {
					counts[c] = map[rune]uint32{}
				}
				counts[c][text[i]]++
			}
		}
	}
	for c, of := range counts {
		f := &followers{runes: slices.Sorted(maps.Keys(of))}
		sum := uint32(0)
		for _, r := range f.runes {
			sum += of[r]
			f.sums = append(f.sums, sum)
		}
		m.next[c] = f
	}
	return m
}

// ending returns the last n letters of a word, all of a shorter one.
func ending(w string, n int) string {
	r := []rune(w)
	return string(r[max(0, len(r)-n):])
}

// usual reports whether the last n letters of a word end several of the model's,
// so that a town is a -ville and no "Bismarim".
func (l *wordModel) usual(w string, n int) bool { return l.ends[ending(strings.ToLower(w), n)] >= 3 }

// word draws a word from a stream of numbers; "" where it becomes too short or
// too long.
func (l *wordModel) word(number func() uint16) string {
	text := []rune{'^'}
	for len(text) <= longestInvented+1 {
		n := number()
		reach := 3
		if n&7 == 0 {
			reach = 2 // so that a word can leave the tracks of one name
		}
		f := l.next[string(text[max(0, len(text)-reach):])]
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
		p *= 7./8*l.after(text[max(0, i-3):i], text[i]) + 1./8*l.after(text[max(0, i-2):i], text[i])
	}
	return p
}

// after returns how often a letter follows others.
func (l *wordModel) after(context []rune, r rune) float64 {
	f := l.next[string(context)]
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
