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
		o := exampleOptions(t.TempDir())
		o.Model = "../onnx/testdata/en-tiny-contextual"
		cfg, counts, _ := run(t, o, change)
		if counts.RowsRead == 0 || counts.RowsRead != counts.RowsWritten+counts.RowsQuarantined {
			t.Errorf("counts are %+v", counts)
		}
		released := digests(t, cfg.Output)
		maps.DeleteFunc(released, func(name, _ string) bool { return !strings.HasSuffix(name, ".parquet") })
		return cfg, released
	}
	once, want := job(func(c *transforms.Config) { c.Workers, c.BatchBytes, c.WindowCacheBytes = 1, 1 << 10, 0 })
	_, got := job(func(c *transforms.Config) { c.Workers, c.BatchBytes, c.Positions = 4, 1 << 20, 20_000 })
	if len(want) == 0 || !maps.Equal(want, got) {
		t.Error("other batches gave other bytes")
	}
	if name := once.ModelNames(); !strings.HasPrefix(name, "tiny-contextual ") {
		t.Errorf("the model is called %s", name)
	}
	types := map[string]bool{}
	for _, f := range readParquet[table.Finding](t, filepath.Join(once.Private, "findings", "*.parquet")) {
		if f.Source == "neural" {
			types[f.Type] = true
		}
	}
	if len(types) < 2 {
		t.Errorf("the network found %v alone", slices.Sorted(maps.Keys(types)))
	}
}
