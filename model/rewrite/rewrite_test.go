package rewrite

import (
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestApply(t *testing.T) {
	for _, c := range []struct {
		text  string
		edits []Edit
		want  string
	}{
		{"", nil, ""},
		{"as it was", nil, "as it was"},
		{"Seen by Mary Ann Smith on ward.", []Edit{{8, 22, "Ana Ruiz"}}, "Seen by Ana Ruiz on ward."},
		{"MRN 12345678Smith came.", []Edit{{4, 12, "00000000"}, {12, 17, "Rao"}}, "MRN 00000000Rao came."},
		{"Smith", []Edit{{0, 5, ""}}, ""},
	} {
		got, placed := Apply(c.text, c.edits)
		if got != c.want {
			t.Errorf("Apply(%q) = %q, want %q", c.text, got, c.want)
		}
		for i, p := range placed {
			if got[p.Start:p.End] != c.edits[i].New {
				t.Errorf("Apply(%q): edit %d is said to be at %v", c.text, i, p)
			}
		}
	}
}

func TestApplyRefusesOverlap(t *testing.T) {
	for _, edits := range [][]Edit{{{0, 3, ""}, {2, 4, ""}}, {{3, 4, ""}, {0, 1, ""}}, {{2, 1, ""}}, {{0, 9, ""}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("edits %v were made", edits)
				}
			}()
			Apply("abcde", edits)
		}()
	}
}

// What lies outside of the edits is unchanged, whatever they are.
func TestApplyKeepsTheRest(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 2000 {
		text := strings.Repeat("abçdé ", 1+r.Intn(5))
		var edits []Edit
		for at := 0; at < len(text); {
			start := at + r.Intn(len(text)-at+1)
			end := start + r.Intn(len(text)-start+1)
			edits = append(edits, Edit{start, end, strings.Repeat("X", r.Intn(9))})
			at = end + 1
		}
		got, placed := Apply(text, edits)
		from, in := 0, 0
		for i, e := range edits {
			if text[from:e.Start] != got[in:placed[i].Start] {
				t.Fatalf("%q with %v: text before edit %d changed", text, edits, i)
			}
			from, in = e.End, placed[i].End
		}
		if text[from:] != got[in:] {
			t.Fatalf("%q with %v: the end changed", text, edits)
		}
	}
}

func TestCodePoints(t *testing.T) {
	text := "añb\u0301日本x"
	c := NewCodePoints(text)
	for i := 0; i <= len(text); i++ {
		if i < len(text) && !utf8.RuneStart(text[i]) {
			continue
		}
		if got, want := c.At(i), utf8.RuneCountInString(text[:i]); got != want {
			t.Errorf("byte %d is code point %d, want %d", i, got, want)
		}
	}
}
