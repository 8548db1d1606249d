package pipeline

import (
	"path/filepath"
	"slices"
	"testing"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// TestGuardsCostNoRecall: on the train and dev parts of the examples the job
// replaces every letter and digit of marked PHI with the guards that it replaces
// without them; the dash of "1992-2006", which are two dates, may stay. The test
// part is left out: nothing is tuned on it. With -v it shows what the guards
// leave untouched there.
func TestGuardsCostNoRecall(t *testing.T) {
	marked := map[string]map[int64]bool{} // document to code points of PHI
	for _, g := range readParquet[gold](t, "../examples/gold.parquet") {
		if g.Split == "test" {
			continue
		}
		if marked[g.DocumentID] == nil {
			marked[g.DocumentID] = map[int64]bool{}
		}
		for i := g.Start; i < g.End; i++ {
			marked[g.DocumentID][i] = true
		}
	}
	replaced := func(steps []string) (points map[string]map[int64]bool, all []table.Finding) {
		o := exampleOptions(t.TempDir())
		o.Steps = steps
		cfg, _, _ := run(t, o, nil)
		points = map[string]map[int64]bool{}
		for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
			if marked[f.DocumentID] == nil {
				continue
			}
			if points[f.DocumentID] == nil {
				points[f.DocumentID] = map[int64]bool{}
			}
			for i := f.Start; i < f.End; i++ {
				points[f.DocumentID][i] = true
			}
			all = append(all, f)
		}
		return points, all
	}
	with, _ := replaced(deid.AllSteps())
	without, all := replaced(slices.DeleteFunc(deid.AllSteps(), func(s string) bool { return s == deid.StepGuards }))
	texts := map[string][]rune{}
	type note struct {
		ID   string `parquet:"note_id"`
		Text string `parquet:"text"`
	}
	for _, n := range readParquet[note](t, "../examples/notes.parquet") {
		texts[n.ID] = []rune(n.Text)
	}
	lost, kept := 0, 0
	for id, points := range without {
		for i := range points {
			switch {
			case with[id][i]:
			case marked[id][i] && (unicode.IsLetter(texts[id][i]) || unicode.IsDigit(texts[id][i])):
				lost++
			default:
				kept++
			}
		}
	}
	for _, f := range all {
		if !with[f.DocumentID][f.Start] {
			text := texts[f.DocumentID]
			t.Logf("%s: %s %q of %q is left; PHI: %v", f.DocumentID, f.Type, string(text[f.Start:f.End]),
				string(text[max(0, f.Start-30):min(int64(len(text)), f.End+30)]), marked[f.DocumentID][f.Start])
		}
	}
	t.Logf("the guards leave %d code points that tell nothing, and lose %d of PHI", kept, lost)
	if lost > 0 {
		t.Errorf("the guards lose %d code points of PHI", lost)
	}
}
