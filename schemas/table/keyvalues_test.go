package table

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// attached rewrites the file with things that people attach to tables.
func attached(t *testing.T, keep ...string) (rewritten, Metadata) {
	t.Helper()
	f := openBytes(t, readTestFile(t, "testdata/metadata/attached.parquet"))
	b, err := f.Bind(Columns{DocumentID: "note_id", Text: []string{"text"}, KeepMetadata: keep})
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.NewRewriter(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rewrite(t, b, func(row int64, r *Row) {
		if row == 3 {
			r.Quarantine("why not")
		}
	}), w.Metadata()
}

// opened returns a file's bytes with those of its Arrow schema, which is in base64.
func opened(t *testing.T, file []byte) string {
	t.Helper()
	all := string(file)
	for _, kv := range openBytes(t, file).meta.items(fmKeyValues) {
		if kv.str(kvKey) == arrowKey {
			raw, err := base64.StdEncoding.DecodeString(kv.str(kvValue))
			if err != nil {
				t.Fatal(err)
			}
			all += string(raw)
		}
	}
	return all
}

// What is attached to a table, DataFrame.attrs and comments of columns too, is
// released where its key was named, and nowhere else.
func TestAttachedMetadata(t *testing.T) {
	got, m := attached(t)
	if all := opened(t, got.out); strings.Contains(all, "Zebulon") || strings.Contains(all, "here") {
		t.Error("the output has what was attached")
	}
	if !strings.Contains(opened(t, got.quarantine), "Zebulon") {
		t.Error("the quarantine lacks what was attached")
	}
	wantKept := []string{"ARROW:schema", sparkKey, "org.apache.spark.version", "pandas"}
	wantDropped := []string{"author", "comment", sparkKey + ".fields.metadata.comment", "pandas.attributes.source", "site"}
	if !slices.Equal(m.Kept, wantKept) || !slices.Equal(m.Dropped, wantDropped) {
		t.Errorf("kept %q, dropped %q", m.Kept, m.Dropped)
	}

	got, m = attached(t, "site")
	all := opened(t, got.out)
	if strings.Contains(all, "Zebulon") || strings.Count(all, "here") != 2 || !slices.Contains(m.Kept, "site") ||
		slices.Contains(m.Dropped, "site") {
		t.Errorf("one key was named: kept %q, dropped %q", m.Kept, m.Dropped)
	}
	got, m = attached(t, "author", "site", "comment", "pandas", sparkKey)
	if len(m.Dropped) > 0 || len(got.out) == 0 {
		t.Errorf("all keys were named: dropped %q", m.Dropped)
	}
	in := openBytes(t, readTestFile(t, "testdata/metadata/attached.parquet"))
	for i, kv := range openBytes(t, got.out).meta.items(fmKeyValues) {
		if want := in.meta.items(fmKeyValues)[i]; kv.str(kvKey) != want.str(kvKey) || kv.str(kvValue) != want.str(kvValue) {
			t.Errorf("%s is not as it was", kv.str(kvKey))
		}
	}
}

// Arrow and pandas read from the output the types, index and categories of the input.
func TestMetadataIsRead(t *testing.T) {
	python := python(t)
	got, _ := attached(t)
	path := filepath.Join(t.TempDir(), "out.parquet")
	if err := os.WriteFile(path, got.out, 0o600); err != nil {
		t.Fatal(err)
	}
	script := `
import sys, pyarrow.parquet as pq, pandas as pd
a, b = (pq.read_table(f) for f in sys.argv[1:])
assert a.schema.equals(b.schema) and b.num_rows == a.num_rows - 1, b.schema
assert b.schema.field(0).metadata == {b"PARQUET:field_id": b"7"}, b.schema.field(0).metadata
assert b"Zebulon" not in b"".join(x for kv in b.schema.metadata.items() for x in kv), b.schema.metadata
x, y = pd.read_parquet(sys.argv[1]), b.to_pandas()
assert list(x.dtypes) == list(y.dtypes) and list(x.columns) == list(y.columns), y.dtypes
assert y["code"].dtype == "category" and x.attrs and not y.attrs, y.attrs
`
	if out, err := exec.Command(python, "-c", script, "testdata/metadata/attached.parquet", path).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Whatever an Arrow schema is said to be, taking pairs out of it ends, and once
// is enough.
func FuzzArrowSchema(f *testing.F) {
	for _, name := range append(testFiles(f), "testdata/metadata/attached.parquet") {
		for _, kv := range openBytes(f, readTestFile(f, name)).meta.items(fmKeyValues) {
			if kv.str(kvKey) == arrowKey {
				raw, err := base64.StdEncoding.DecodeString(kv.str(kvValue))
				if err != nil {
					f.Fatal(err)
				}
				f.Add(raw)
			}
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := newKeyValues(nil, false)
		once, ok := m.arrowSchema(base64.StdEncoding.EncodeToString(raw))
		if !ok {
			return
		}
		m = newKeyValues(nil, false)
		if twice, ok := m.arrowSchema(once); ok && twice != once {
			t.Errorf("the second time another schema, without %q", m.metadata().Dropped)
		}
	})
}
