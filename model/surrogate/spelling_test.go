package surrogate

import (
	"maps"
	"slices"
	"testing"
)

// TestLearnCountsWhatFollows counts what follows one, two and three letters one by one.
func TestLearnCountsWhatFollows(t *testing.T) {
	words := []string{"Anna", "ananas", "banana", "O'Neil", "Ñandú", "nan", "an", "Banna", "aaaa"}
	plain := map[context]map[rune]uint32{}
	for _, w := range []string{"^anna", "^ananas", "^banana", "^ñandú", "^nan", "^banna", "^aaaa"} {
		text := append([]rune(w), 0)
		for i := 1; i < len(text); i++ {
			for n := 1; n <= min(longestContext, i); n++ {
				c := last(text[:i], n)
				if plain[c] == nil {
					plain[c] = map[rune]uint32{}
				}
				plain[c][text[i]]++
			}
		}
	}
	learnt := learn(words)
	if len(learnt.next) != len(plain) {
		t.Errorf("%d contexts, want %d", len(learnt.next), len(plain))
	}
	for c, want := range plain {
		f := learnt.next[c]
		if f == nil {
			t.Fatalf("context %x is missing", c)
		}
		got, before := map[rune]uint32{}, uint32(0)
		for k, r := range f.runes {
			got[r], before = f.sums[k]-before, f.sums[k]
		}
		if !maps.Equal(got, want) || !slices.IsSorted(f.runes) {
			t.Errorf("behind %x: %v, want %v", c, got, want)
		}
	}
}
