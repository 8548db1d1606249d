package names

import (
	"reflect"
	"testing"
)

// Words are spelt by lone letters of one case with the same between each two.
func TestSpellings(t *testing.T) {
	for text, want := range map[string][]string{
		"spelled W E B E R on": {"WEBER"},
		"W-E-B-E-R A-N-N":      {"WEBER", "ANN"},
		"W  E  B  E  R":        {"WEBER"},
		"W, E, B, E, R.":       {"WEBER"},
		"w e b e r":            {"weber"},
		"W e b e r":            {"Weber"},
		"M U Ñ O Z":            {"MUÑOZ"},
		"A N N  W E B E R":     {"ANN", "WEBER"},
		"had a W E B E R":      {"WEBER"}, // an article
		"stage I A":            nil,
		"X  X  X  X":           nil, // the crosses of a table
		"4 L N 2 O":            nil,
		"W E B\nE R Z":         {"WEB", "ERZ"},
		"W\tE\tB":              nil,
		"J.R.R.":               nil,
		"it's a t":             nil,
		"B12 C D E":            {"CDE"},
		"Weber-W E":            nil,
		"É C L A I R":          {"ÉCLAIR"},
	} {
		var got []string
		for _, s := range Spellings(text) {
			got = append(got, s.Word)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestJoinSpelled(t *testing.T) {
	for name, want := range map[string]string{
		"W E B E R": "WEBER", "Ann W-E-B-E-R, MD": "Ann WEBER, MD", "A N N": "A N N", "Ann Weber": "Ann Weber", "": "",
	} {
		if got := JoinSpelled(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}
