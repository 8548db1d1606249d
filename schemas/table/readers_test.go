package table

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// python returns a Python that can import pyarrow, or skips the test.
func python(t *testing.T) string {
	t.Helper()
	p := os.Getenv("PALIMPSEST_PYTHON")
	if p == "" {
		p = "python3"
	}
	if out, err := exec.Command(p, "-c", "import pyarrow").CombinedOutput(); err != nil {
		t.Skipf("no independent reader: %s cannot import pyarrow (%v %s); set PALIMPSEST_PYTHON to one that can", p, err, bytes.TrimSpace(out))
	}
	return p
}

// Other readers see in the output what they see in the input, but for the edits.
func TestIndependentReaders(t *testing.T) {
	python := python(t)
	dir := t.TempDir()
	var jobs bytes.Buffer
	enc := json.NewEncoder(&jobs)
	for _, name := range testFiles(t) {
		in, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		for mode, gone := range map[string]func(int64) bool{
			"all":  func(int64) bool { return false },
			"some": func(row int64) bool { return row%4 == 3 || row < 3 },
		} {
			f := openBytes(t, readTestFile(t, name))
			c := testColumns(f)
			b, err := f.Bind(c)
			if err != nil {
				t.Fatal(err)
			}
			got := rewrite(t, b, func(row int64, r *Row) {
				editAll(t, b, r)
				if gone(row) {
					r.Quarantine("why not")
				}
			})
			path := filepath.Join(dir, mode+"-"+filepath.Base(name))
			job := map[string]any{
				"input": in, "output": path, "quarantine": "", "shift": shiftDays, "gone": []int64{},
				"dates": append([]string{}, c.Dates...), "texts": append([]string{}, c.Text...),
				"ids": slices.DeleteFunc(append([]string{c.DocumentID, c.PatientID}, c.IDs...), func(s string) bool { return s == "" }),
			}
			if err := os.WriteFile(path, got.out, 0o600); err != nil {
				t.Fatal(err)
			}
			if got.counts.Quarantined > 0 {
				job["quarantine"] = path + ".quarantine"
				if err := os.WriteFile(path+".quarantine", got.quarantine, 0o600); err != nil {
					t.Fatal(err)
				}
				var rows []int64
				for row := range f.Rows() {
					if gone(row) {
						rows = append(rows, row)
					}
				}
				job["gone"] = rows
			}
			if err := enc.Encode(job); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command(python, filepath.Join("testdata", "compare.py"))
	cmd.Stdin = &jobs
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
