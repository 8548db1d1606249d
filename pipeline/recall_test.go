package pipeline

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
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
	const unseen, heldout = "../examples/unseen/", "../examples/heldout/"
	for _, c := range []struct {
		name               string
		input, identifiers string
		gold               string
		floor              float64 // recall of the test part's code points
	}{
		{"network and rules", exampleNotes, "", "../examples/gold.parquet", 0.95},
		{"with known identifiers", exampleNotes, exampleIdentifiers, "../examples/gold.parquet", 0.95},
		{"heldout", heldout + "notes.parquet", heldout + "identifiers.parquet", heldout + "gold.parquet", 0.98},
		{"unseen", unseen + "notes.parquet", unseen + "identifiers.parquet", unseen + "gold.parquet", 0.92},
	} {
		marks := map[string][]gold{}
		for _, g := range readParquet[gold](t, c.gold) {
			marks[g.DocumentID] = append(marks[g.DocumentID], g)
		}
		o := exampleOptions(t.TempDir())
		o.Input, o.Identifiers = []string{c.input}, c.identifiers
		cfg, _, _ := run(t, o, nil)
		found := map[string][]table.Finding{}
		for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
			found[f.DocumentID] = append(found[f.DocumentID], f)
		}
		tallies := map[string]*tally{"train": {}, "dev": {}, "test": {}}
		numbers := map[string]*tally{"train": {}, "dev": {}, "test": {}}
		for id, gs := range marks {
			tallies[gs[0].Split].add(gs, found[id])
			numbers[gs[0].Split].add(slices.DeleteFunc(slices.Clone(gs), func(g gold) bool { return !isNumber(t, g.Type) }), found[id])
		}
		for _, part := range []string{"train", "dev", "test"} {
			x := tallies[part]
			if x.notes == 0 {
				continue
			}
			t.Logf("%-17s %-5s recall %.1f%% and precision %.1f%% of code points; of %d spans %.1f%% replaced whole, %.1f%% untouched; %d of %d "+
				"notes without a miss",
				c.name, part, 100*ratio(x.hit, x.gold), 100*ratio(x.hit, x.found), x.spans, 100*ratio(x.covered, x.spans),
				100*ratio(x.missed, x.spans), x.clean, x.notes)
			n := numbers[part]
			t.Logf("%-17s %-5s of contacts and numbers: recall %.1f%% of code points; %d of %d spans replaced whole", c.name, part,
				100*ratio(n.hit, n.gold), n.covered, n.spans)
		}
		if r := ratio(tallies["test"].hit, tallies["test"].gold); r < c.floor {
			t.Errorf("%s: recall on the test part is %.3f, it has been above %.3f", c.name, r, c.floor)
		}
	}
}

// isNumber reports whether a type is a contact, a number or a user name.
func isNumber(t *testing.T, name string) bool {
	typ, err := phi.ParseType(name)
	if err != nil {
		t.Fatal(err)
	}
	c := typ.Category()
	return c == "CONTACT" || c == "ID" || typ == phi.Username
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
