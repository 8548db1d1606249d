// Command thresholds measures what thresholds by type would bring that are calibrated on
// reviewed notes: it runs the job on the notes of some patients, in doubt where the recall
// level maximum is, fits the share of spans that are right to their scores by isotonic
// regression, type by type, and takes from it the score from which a span is worth taking.
// Then it runs the job on other patients' notes, takes what passes, and compares.
// docs/adapt.md tells what came of it; nothing in the job uses such thresholds.
//
//	go run ./tools/thresholds --notes examples/house/adapt --test examples/house/test
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// worth is the share of right spans from which one more raises F2, where F2 is near 1:
// F2 / (1 + 2*2).
const worth = 0.2

// fewest is the number of spans below which a type is calibrated with all others.
const fewest = 30

func main() {
	notes := flag.String("notes", "examples/house/adapt", "marked notes to calibrate on")
	test := flag.String("test", "examples/house/test", "marked notes of other patients")
	model := flag.String("model", "en-clinical", "of the job")
	flag.Parse()
	if err := run(context.Background(), *notes, *test, *model); err != nil {
		fmt.Fprintln(os.Stderr, "thresholds:", err)
		os.Exit(1)
	}
}

// note is a note with what the job found; spans are in bytes.
type note struct {
	corpus.Document
	spans []phi.Span
}

func run(ctx context.Context, notes, test, model string) error {
	known, err := find(ctx, notes, model)
	if err != nil {
		return err
	}
	fresh, err := find(ctx, test, model)
	if err != nil {
		return err
	}
	thresholds := calibrate(known)
	fmt.Printf("%d notes to calibrate on, %d to judge by\n\n", len(known), len(fresh))
	fmt.Print("| type | spans | of them in doubt | threshold | 95 % interval |\n|---|--:|--:|--:|--:|\n")
	intervals := bootstrap(known, 500)
	count, doubtful := map[phi.Type]int{}, map[phi.Type]int{}
	for _, n := range known {
		for _, s := range n.spans {
			count[s.Type]++
			if s.Tagger == phi.Doubt {
				doubtful[s.Type]++
			}
		}
	}
	for _, t := range slices.Sorted(maps.Keys(count)) {
		fmt.Printf("| %s | %d | %d | %.2f | %.2f to %.2f |\n", t, count[t], doubtful[t], of(thresholds, t), intervals[t][0], intervals[t][1])
	}
	fmt.Println()
	passes := func(s phi.Span) bool { return float64(s.Score) >= of(thresholds, s.Type) }
	sure := func(s phi.Span) bool { return s.Tagger != phi.Doubt }
	all := func(phi.Span) bool { return true }
	more := func(s phi.Span) bool { return sure(s) || passes(s) }
	fewer := func(s phi.Span) bool { return sure(s) && (s.Tagger != phi.Network || passes(s)) }
	fmt.Print("| what is taken | % | before | after | difference (95 % interval, by patient) |\n|---|---|--:|--:|--:|\n")
	for _, way := range []struct {
		name       string
		take, than func(phi.Span) bool
	}{
		{"without what is below its threshold", fewer, sure},
		{"with what is in doubt and past its threshold", more, sure},
		{"with all that is in doubt (`--recall maximum`)", all, sure},
		{"thresholds in place of `--recall maximum`", more, all},
	} {
		if err := compare(way.name, fresh, way.take, way.than); err != nil {
			return err
		}
	}
	return nil
}

// find runs the job on marked notes, in doubt where the recall level maximum is.
func find(ctx context.Context, folder, model string) ([]note, error) {
	cfg, err := annotated.Configuration(ctx, model, "unused.parquet", "", annotated.OnCPU, func(o *pipeline.Options) { o.Recall = "maximum" })
	if err != nil {
		return nil, err
	}
	var notes []note
	at := map[string]int{}
	var ids, patients, texts []string
	for d, err := range corpus.Read(ctx, corpus.Marked, folder, corpus.ReadOptions{}) {
		if err != nil {
			return nil, err
		}
		at[d.ID] = len(notes)
		notes = append(notes, note{Document: d})
		ids, patients, texts = append(ids, d.ID), append(patients, d.Patient), append(texts, d.Text)
	}
	study, err := transforms.NewStudyOfPatients(ctx, cfg, ids, patients, texts)
	if err != nil {
		return nil, err
	}
	for _, t := range study.Run(deid.Setting{Steps: cfg.Steps, Known: true}, nil) {
		notes[at[t.Document]].spans = append(notes[at[t.Document]].spans, t.Spans...)
	}
	return notes, nil
}

// calibrate returns the score from which spans are worth taking, by type; phi.None has
// that of all.
func calibrate(notes []note) map[phi.Type]float64 {
	of := map[phi.Type][]scored{}
	for _, n := range notes {
		for _, s := range n.spans {
			if s.Tagger != phi.Network && s.Tagger != phi.Doubt {
				continue // what rules and lists find has no score that was learnt
			}
			right := slices.ContainsFunc(n.Annotations, func(a corpus.Annotation) bool { return a.Start < s.End && s.Start < a.End })
			for _, t := range []phi.Type{s.Type, phi.None} {
				of[t] = append(of[t], scored{float64(s.Score), right})
			}
		}
	}
	thresholds := map[phi.Type]float64{}
	for t, spans := range of {
		if len(spans) >= fewest || t == phi.None {
			thresholds[t] = threshold(isotonic(spans), worth)
		}
	}
	return thresholds
}

func of(thresholds map[phi.Type]float64, t phi.Type) float64 {
	if x, ok := thresholds[t]; ok {
		return x
	}
	return thresholds[phi.None]
}

// bootstrap returns the 95 % interval of each type's threshold, by patient.
func bootstrap(notes []note, times int) map[phi.Type][2]float64 {
	by := map[string][]note{}
	for _, n := range notes {
		by[n.Patient] = append(by[n.Patient], n)
	}
	patients := slices.Sorted(maps.Keys(by))
	draws := map[phi.Type][]float64{}
	r := rand.New(rand.NewPCG(1, 0))
	for range times {
		var some []note
		for range patients {
			some = append(some, by[patients[r.IntN(len(patients))]]...)
		}
		drawn := calibrate(some)
		for t := range phi.Type(phi.NumTypes) {
			draws[t] = append(draws[t], of(drawn, t))
		}
	}
	intervals := map[phi.Type][2]float64{}
	for t, d := range draws {
		slices.Sort(d)
		intervals[t] = [2]float64{d[len(d)*25/1000], d[len(d)*975/1000]}
	}
	return intervals
}

// compare scores what one way takes against what the other does.
func compare(name string, notes []note, take, than func(phi.Span) bool) error {
	sides := [2]*score.Scorer{}
	patient := map[string]string{}
	for i, way := range []func(phi.Span) bool{take, than} {
		sides[i] = score.New(score.Options{})
		for _, n := range notes {
			patient[n.ID] = n.Patient
			d := score.Document{ID: n.ID, Text: n.Text}
			for _, a := range n.Annotations {
				if typ, err := phi.ParseType(a.Label); err == nil {
					d.Gold = append(d.Gold, score.Annotation{Start: a.Start, End: a.End, Category: typ.Category(), Label: a.Label})
				}
			}
			for _, s := range n.spans {
				if way(s) {
					d.System = append(d.System, score.Annotation{Start: s.Start, End: s.End, Category: s.Type.Category(), Label: s.Type.String()})
				}
			}
			if _, err := sides[i].Add(d); err != nil {
				return err
			}
		}
	}
	p, err := score.PairedByCluster(sides[0], sides[1], score.BinaryToken, func(id string) string { return patient[id] }, 2000, 1)
	if err != nil {
		return err
	}
	row := func(what string, d score.PairedDifference) {
		fmt.Printf("| %s | %s | %.2f | %.2f | %+.2f (%+.2f to %+.2f) |\n", name, what, 100*d.B, 100*d.A, 100*d.Difference, 100*d.Low, 100*d.High)
	}
	row("tokens of PHI found", p.Recall)
	row("right, of what was taken", p.Precision)
	row("F2", p.F2)
	return nil
}
