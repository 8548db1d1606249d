package pipeline

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// A model that reads character language models runs as any other: the job takes its
// directory, releases the same bytes however the work is cut, and names it.
func TestContextualModel(t *testing.T) {
	job := func(change func(*transforms.Config)) (transforms.Config, map[string]string) {
		t.Helper()
		cfg, report, _ := run(t, hardwareOptions(t, "../onnx/testdata/en-tiny-contextual"), change)
		if c := report.Counts; c.RowsIn == 0 || c.RowsIn != c.RowsOut+c.Quarantined {
			t.Errorf("%d rows in, %d out, %d quarantined", c.RowsIn, c.RowsOut, c.Quarantined)
		}
		all := digests(t, cfg.Output, cfg.Private)
		maps.DeleteFunc(all, func(name, _ string) bool { return !strings.HasSuffix(name, ".parquet") })
		return cfg, all
	}
	once, want := job(func(c *transforms.Config) { c.Workers, c.BatchBytes, c.WindowCache = 1, 1<<10, 0 })
	_, got := job(func(c *transforms.Config) { c.Workers, c.BatchBytes, c.Positions = 4, 1<<20, 20_000 })
	if len(want) < 2 || !maps.Equal(want, got) {
		t.Errorf("one worker with small batches and four with large ones release different bytes: %v, %v", want, got)
	}
	if name := once.ModelNames(); !strings.HasPrefix(name, "tiny-contextual ") {
		t.Errorf("the model is called %s", name)
	}
	types := map[string]bool{}
	for _, f := range readParquet[table.Finding](t, filepath.Join(once.Private, "findings", "*.parquet")) {
		if f.Source == "network" {
			types[f.Type] = true
		}
	}
	if len(types) < 2 {
		t.Errorf("the network found %v alone", slices.Sorted(maps.Keys(types)))
	}
}
