package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// digestsFile holds the digests of nine runs: three corpora in three modes. A
// change that is to leave behaviour alone leaves it alone; one that is not
// writes it anew (make digests-update), so that the commit shows which runs changed.
const digestsFile = "testdata/digests.txt"

// TestDigestsOfNineRuns runs only where PALIMPSEST_DIGESTS is set (make
// digests): 1 compares, update writes. Bytes are the same on one family of
// processors; on another a label on the edge may fall to its other side.
func TestDigestsOfNineRuns(t *testing.T) {
	how := os.Getenv("PALIMPSEST_DIGESTS")
	if how == "" {
		t.Skip("PALIMPSEST_DIGESTS is not set; make digests sets it")
	}
	corpora := []struct {
		name    string
		options func(dir string) (Options, bool)
	}{
		{"examples", func(dir string) (Options, bool) { return exampleOptions(dir), true }},
		{"heldout", func(dir string) (Options, bool) {
			o := exampleOptions(dir)
			o.Input, o.Identifiers = []string{"../examples/heldout/notes.parquet"}, "../examples/heldout/identifiers.parquet"
			return o, true
		}},
		{"meddocan", func(dir string) (Options, bool) { return meddocanOptions(t, dir) }},
	}
	var got []string
	skipped := map[string]bool{}
	for _, c := range corpora {
		for _, mode := range []string{"surrogate-shift", "safe-harbor", "limited"} {
			o, ok := c.options(t.TempDir())
			if !ok {
				skipped[c.name] = true
				continue
			}
			o.HIPAAMode = mode
			cfg, _, _ := run(t, o, nil)
			notes := sha256.New()
			files := digests(t, filepath.Join(cfg.Output, "notes"))
			for _, name := range slices.Sorted(maps.Keys(files)) {
				fmt.Fprintln(notes, name, files[name])
			}
			spans := sha256.New()
			for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
				fmt.Fprintln(spans, f.DocumentID, f.TextColumn, f.Start, f.End, f.OutputStart, f.OutputEnd, f.Type, f.Source)
			}
			got = append(got, fmt.Sprintf("%-9s %-15s notes %s findings %s", c.name, mode,
				hex.EncodeToString(notes.Sum(nil)[:16]), hex.EncodeToString(spans.Sum(nil)[:16])))
		}
	}
	raw, err := os.ReadFile(digestsFile)
	if err != nil && how != "update" {
		t.Fatal(err)
	}
	known := map[string]string{} // corpus and mode -> line
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		if f := strings.Fields(line); len(f) > 2 {
			known[f[0]+" "+f[1]] = line
		}
	}
	for _, line := range got {
		f := strings.Fields(line)
		if how != "update" && known[f[0]+" "+f[1]] != line {
			t.Errorf("was %s\nis  %s", known[f[0]+" "+f[1]], line)
		}
		known[f[0]+" "+f[1]] = line
	}
	for name := range skipped {
		t.Logf("%s: its data is not here, so it was not compared", name)
	}
	if how == "update" {
		var all []string
		for _, c := range corpora {
			for _, mode := range []string{"surrogate-shift", "safe-harbor", "limited"} {
				all = append(all, known[c.name+" "+mode])
			}
		}
		if err := os.WriteFile(digestsFile, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// meddocanOptions returns a run of the Spanish model over MEDDOCAN's dev part,
// where the corpora lie beside the repository, or where PALIMPSEST_DATA says.
func meddocanOptions(t *testing.T, dir string) (Options, bool) {
	t.Helper()
	data := os.Getenv("PALIMPSEST_DATA")
	if data == "" {
		data = "../../shared/data"
	}
	source := filepath.Join(data, "meddocan", "dev")
	if _, err := os.Stat(source); err != nil {
		return Options{}, false
	}
	ctx, folder := context.Background(), filepath.Join(dir, "notes")
	w, err := corpus.NewWriter(ctx, corpus.Parquet, folder, corpus.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range corpus.Read(ctx, corpus.Brat, source, corpus.ReadOptions{}) {
		if err == nil {
			err = w.Write(d)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o := testOptions(dir, filepath.Join(folder, "notes.parquet"))
	o.Model, o.PatientIDColumn = "../onnx/models/es-meddocan", ""
	return o, true
}
