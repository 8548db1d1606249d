package deid_test

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// What a note allocates on its way through the job, without network and Parquet,
// stays below a ceiling: a note of some 320 tokens with more than 20 spans. The ceilings are a
// fifth above what was counted; who comes below by much may lower them.
func TestAllocationsOfANote(t *testing.T) {
	english, err := rules.New("en")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := surrogate.NewKeyring([]byte(strings.Repeat("key", 20)), 0)
	if err != nil {
		t.Fatal(err)
	}
	settings := deid.Settings{Steps: deid.AllSteps(), Language: "en", DayOrder: deid.UsualInModels,
		Surrogates: surrogate.Options{Dates: surrogate.DatePolicy{Policy: "weekday", MinDays: 28, MaxDays: 1820}}}
	text := strings.Repeat("Ada Brandt was seen by Dr. Okafor on 03/04/2019 in the clinic, MRN 00481-2237. Her cough is better, there is no\n"+
		"fever and no wheeze; the lungs are clear on both sides. She rang on 03/11/2019 from (505) 555-0143 and will come again.\n", 6)
	known := []lexicon.Identifiers{{PatientID: "p1", Names: []string{"Ada Brandt"}, MRNs: []string{"00481-2237"}}}
	matcher := english.NewMatcher()
	detector := &deid.Detector{Settings: settings, Rules: func() deid.Matcher { return matcher }}
	rewriter := &deid.Rewriter{Settings: settings, Keys: keys}
	detect := func() *deid.Note {
		notes := []deid.Note{{Document: "n1", Patient: "p1"}}
		if _, err := detector.Detect(notes, [][]string{{text}}); err != nil {
			t.Fatal(err)
		}
		return &notes[0]
	}
	note := detect()
	plan := deid.Resolve(settings, []*deid.Note{note}, known, nil)
	patient := rewriter.Open(&plan)
	var spans []phi.Span
	for _, f := range note.Spans {
		spans = append(spans, f.Span)
	}
	if len(spans) < 20 {
		t.Fatalf("%d spans", len(spans))
	}
	tokens := token.Tokenize(nil, text)
	var found []phi.Span
	for _, part := range []struct {
		name    string
		ceiling float64
		run     func()
	}{
		{"tokenise", 1, func() { token.Tokenize(nil, text) }},
		{"match", 65, func() { found = matcher.Tag(found[:0], text, tokens) }},
		{"detect: tokenise, match and merge", 205, func() { detect() }},
		{"resolve, with detect", 590, func() { deid.Resolve(settings, []*deid.Note{detect()}, known, nil) }},
		{"open a patient", 105, func() { rewriter.Open(&plan) }},
		{"rewrite", 235, func() {
			if _, err := patient.Text(text, spans, "n1", dates.Reference{}); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		n := testing.AllocsPerRun(20, part.run)
		t.Logf("%s: %.0f allocations", part.name, n)
		if n > part.ceiling {
			t.Errorf("%s: %.0f allocations, more than %.0f", part.name, n, part.ceiling)
		}
	}
}
