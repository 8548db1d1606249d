package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// A pack without a family finds what its other families find: without the rules
// for labelled numbers, the first part of one looks like a ZIP code.
func TestWithoutAFamily(t *testing.T) {
	const text = "Seen by Dr. Priya Raghunathan, MRN 00481-2237, on 3/4/2019."
	for _, test := range []struct {
		without []string
		want    string
	}{
		{nil, "DOCTOR MEDICALRECORD DATE"},
		{[]string{"names"}, "MEDICALRECORD DATE"},
		{[]string{"numeric dates"}, "DOCTOR MEDICALRECORD"},
		{[]string{"ids"}, "DOCTOR ZIP DATE"},
	} {
		r, err := Without("en", test.without...)
		if err != nil {
			t.Fatal(err)
		}
		var types []string
		for _, s := range r.NewMatcher().Tag(nil, text, token.Tokenize(nil, text)) {
			types = append(types, s.Type.String())
		}
		if got := strings.Join(types, " "); got != test.want {
			t.Errorf("without %q: %s, want %s", test.without, got, test.want)
		}
	}
}

// Each rule of a pack is in one family, and a family that is not there is an error.
func TestFamiliesHoldEveryRule(t *testing.T) {
	for _, language := range Languages() {
		r, err := New(language)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, x := range slices.Concat(r.pack.Rules, r.pack.Triggered) {
			want = append(want, x.Name)
		}
		for _, f := range Families(language) {
			got = append(got, Names(language, f)...)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: families hold %d rules of %d", language, len(got), len(want))
		}
		none, err := Without(language, Families(language)...)
		if err != nil || len(none.pack.Rules)+len(none.pack.Triggered) > 0 {
			t.Errorf("%s: without all families there are %d rules, error %v", language, len(none.pack.Rules), err)
		}
	}
	if _, err := Without("en", "weather"); err == nil {
		t.Error("a family that is not there is no error")
	}
}
