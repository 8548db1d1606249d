package deid_test

import (
	"fmt"
	"log"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// A program of your own can do the whole job to notes that it holds in memory.
// This one goes without a network, so that it needs nothing but this module;
// package onnx's example shows one with the shipped model.
func Example() {
	english, err := rules.New("en")
	if err != nil {
		log.Fatal(err)
	}
	keys, err := surrogate.NewKeyring([]byte("this key is public: never use it for real notes"), 0)
	if err != nil {
		log.Fatal(err)
	}
	settings := deid.Settings{
		Steps: deid.AllSteps(), Language: "en", DayOrder: deid.UsualInModels,
		Surrogates: surrogate.Options{Dates: surrogate.DatePolicy{Policy: "weekday", MinDays: 28, MaxDays: 1820}},
	}
	detector := &deid.Detector{Settings: settings, Rules: func() deid.Matcher { return english.NewMatcher() }}
	rewriter := &deid.Rewriter{Settings: settings, Keys: keys}

	// Two notes of one patient, whose name and number are known beforehand.
	texts := [][]string{{"Seen by Dr. Okafor on 03/04/2019, MRN 00481-2237."}, {"03/11/2019: Ada Brandt rang, (505) 555-0143."}}
	notes := []deid.Note{{Document: "n1", Patient: "p1"}, {Document: "n2", Patient: "p1"}}
	known := []lexicon.Identifiers{{PatientID: "p1", Names: []string{"Ada Brandt"}, MRNs: []string{"00481-2237"}}}

	if _, err := detector.Detect(notes, texts); err != nil {
		log.Fatal(err)
	}
	plan := deid.Resolve(settings, []*deid.Note{&notes[0], &notes[1]}, known, nil)
	patient := rewriter.Open(&plan)
	for i, n := range notes {
		if n.Failure != "" {
			log.Fatal("note ", n.Document, " is held back: ", n.Failure)
		}
		var spans []phi.Span
		for _, f := range n.Spans {
			spans = append(spans, f.Span)
		}
		released, err := patient.Text(texts[i][0], spans, n.Document, dates.Reference{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(released.Text)
	}
	// Output:
	// Seen by Dr. Hlana on 02/15/2016, MRN 00579-4840.
	// 02/22/2016: Roxanna Lind rang, (603) 555-0178.
}
