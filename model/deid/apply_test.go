package deid

import (
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// edit is a replacement, written short.
type edit struct {
	start, end int
	new        string
}

func replacements(edits []edit) []surrogate.Replacement {
	all := make([]surrogate.Replacement, len(edits))
	for i, e := range edits {
		all[i] = surrogate.Replacement{Span: phi.Span{Start: e.start, End: e.end}, New: e.new}
	}
	return all
}

func TestApply(t *testing.T) {
	for _, c := range []struct {
		text  string
		edits []edit
		want  string
	}{
		{"", nil, ""},
		{"as it was", nil, "as it was"},
		{"Seen by Mary Ann Smith on ward.", []edit{{8, 22, "Ana Ruiz"}}, "Seen by Ana Ruiz on ward."},
		{"MRN 12345678Smith came.", []edit{{4, 12, "00000000"}, {12, 17, "Rao"}}, "MRN 00000000Rao came."},
		{"Smith", []edit{{0, 5, ""}}, ""},
	} {
		all := replacements(c.edits)
		got := Apply(c.text, all)
		if got != c.want {
			t.Errorf("Apply(%q) = %q, want %q", c.text, got, c.want)
		}
		for i, r := range all {
			if got[r.OutStart:r.OutEnd] != r.New {
				t.Errorf("Apply(%q): replacement %d is said to be at %d to %d", c.text, i, r.OutStart, r.OutEnd)
			}
		}
	}
}

func TestApplyRefusesOverlap(t *testing.T) {
	for _, edits := range [][]edit{{{0, 3, ""}, {2, 4, ""}}, {{3, 4, ""}, {0, 1, ""}}, {{2, 1, ""}}, {{0, 9, ""}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("replacements %v were made", edits)
				}
			}()
			Apply("abcde", replacements(edits))
		}()
	}
}

// What lies outside of the replacements is unchanged, whatever they are.
func TestApplyKeepsTheRest(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 2000 {
		text := strings.Repeat("abçdé ", 1+r.Intn(5))
		var edits []edit
		for at := 0; at < len(text); {
			start := at + r.Intn(len(text)-at+1)
			end := start + r.Intn(len(text)-start+1)
			edits = append(edits, edit{start, end, strings.Repeat("X", r.Intn(9))})
			at = end + 1
		}
		all := replacements(edits)
		got := Apply(text, all)
		from, in := 0, 0
		for i, x := range all {
			if text[from:x.Start] != got[in:x.OutStart] {
				t.Fatalf("%q with %v: text before replacement %d changed", text, edits, i)
			}
			from, in = x.End, x.OutEnd
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
