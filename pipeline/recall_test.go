package pipeline

import (
	"path/filepath"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// gold is a marked span of the examples.
type gold struct {
	DocumentID string `parquet:"document_id"`
	Start      int64  `parquet:"start"`
	End        int64  `parquet:"end"`
	Type       string `parquet:"type"`
	Split      string `parquet:"split"`
}

// tally counts code points and spans of one part of the examples.
type tally struct {
	gold, hit, found       int // code points
	spans, covered, missed int // marked spans: in all, replaced whole, untouched
	notes, clean           int // notes in all, and without an uncovered code point
}

// How much of the marked PHI the job replaces, by part of the examples. The
// test part was never trained or tuned on. Run with -v to see the figures; the
// floors hold what has been reached, not what would be enough.
func TestRecallOnTheExamples(t *testing.T) {
	marks := map[string][]gold{}
	for _, g := range readParquet[gold](t, "../examples/gold.parquet") {
		marks[g.DocumentID] = append(marks[g.DocumentID], g)
	}
	for _, c := range []struct {
		name   string
		census string
		floor  float64 // recall of the test part's code points
	}{
		{"network and rules", "", 0.88},
		{"with the census", exampleCensus, 0.93},
	} {
		o := exampleOptions(t.TempDir())
		o.Census = c.census
		cfg, _, _ := run(t, o, nil)
		found := map[string][]table.Finding{}
		for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
			found[f.DocumentID] = append(found[f.DocumentID], f)
		}
		tallies := map[string]*tally{"train": {}, "dev": {}, "test": {}}
		for id, gs := range marks {
			tallies[gs[0].Split].add(gs, found[id])
		}
		for _, part := range []string{"train", "dev", "test"} {
			x := tallies[part]
			t.Logf("%-17s %-5s recall %.1f%% and precision %.1f%% of code points; of %d spans %.1f%% replaced whole, %.1f%% untouched; %d of %d notes without a miss",
				c.name, part, 100*ratio(x.hit, x.gold), 100*ratio(x.hit, x.found), x.spans, 100*ratio(x.covered, x.spans), 100*ratio(x.missed, x.spans), x.clean, x.notes)
		}
		if r := ratio(tallies["test"].hit, tallies["test"].gold); r < c.floor {
			t.Errorf("%s: recall on the test part is %.3f, it has been above %.3f", c.name, r, c.floor)
		}
	}
}

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

func (x *tally) add(marks []gold, findings []table.Finding) {
	replaced := map[int64]bool{}
	for _, f := range findings {
		for i := f.Start; i < f.End; i++ {
			replaced[i] = true
		}
	}
	x.found += len(replaced)
	x.notes++
	clean := true
	for _, g := range marks {
		hit := 0
		for i := g.Start; i < g.End; i++ {
			if replaced[i] {
				hit++
			}
		}
		x.gold += int(g.End - g.Start)
		x.hit += hit
		x.spans++
		switch hit {
		case int(g.End - g.Start):
			x.covered++
		case 0:
			x.missed++
			clean = false
		default:
			clean = false
		}
	}
	if clean {
		x.clean++
	}
}
