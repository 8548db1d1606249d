package veto_test

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// What was measured is no identifier and is cut out; days, ages, years, longer
// numbers and what a label announces are no measurements.
func TestWithoutMeasurements(t *testing.T) {
	for text, want := range map[string]string{
		"VA cc [[20/40]] OD":               "",
		"BP [[120/80]] today":              "",
		"BP [[26/10]] today":               "",
		"took [[40]] mg daily":             "",
		"took [[40 mg]] daily":             "",
		"K [[4.5]], Na 138":                "",
		"Na [[138]], Cl 101":               "",
		"A1c [[6.4]] %":                    "",
		"EF [[55-60%]]":                    "",
		"glucose [[5.2]] mmol/L":           "",
		"Drug: [[ALL0PURIN0L 100 MG TAB]]": "ALL0PURIN0L|TAB",
		"THV [[9600TFX 23 mm]]":            "9600TFX",
		"seen [[3/4]]":                     "3/4",
		"seen [[12/3/19]]":                 "12/3/19",
		"seen [[30/40/2019]]":              "30/40/2019",
		"in [[2014]] she":                  "2014",
		"ref [[7718242]]":                  "7718242",
		"MRN: [[4471]]":                    "4471",
		"with [[Halloran]]":                "Halloran",
		"call [[555-0119]]":                "555-0119",
	} {
		start, end := strings.Index(text, "[["), strings.Index(text, "]]")-2
		note := strings.NewReplacer("[[", "", "]]", "").Replace(text)
		var got []string
		for _, p := range veto.WithoutMeasurements(note, token.Tokenize(nil, note), phi.Span{Start: start, End: end, Type: phi.IDNum,
			Tagger: phi.Doubt}) {
			got = append(got, note[p.Start:p.End])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %s", text, got, want)
		}
	}
	for note, want := range map[string]int{"She is 72 now": 1, "aged 15 weeks": 1, "gave 15 mL now": 0} {
		i := strings.IndexAny(note, "17")
		if got := veto.WithoutMeasurements(note, token.Tokenize(nil, note), phi.Span{Start: i, End: i + 2, Type: phi.Age}); len(got) != want {
			t.Errorf("as an age, %s: %v", note, got)
		}
	}
}
