package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// testFiles returns the files of testdata that hold notes.
func testFiles(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", "*.parquet"))
	if err != nil || len(all) < 20 {
		t.Fatalf("testdata has %d Parquet files (%v); run testdata/generate.py", len(all), err)
	}
	return slices.DeleteFunc(all, func(s string) bool { return filepath.Base(s) == "identifiers.parquet" })
}

func readTestFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func openBytes(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(b), int64(len(b)), "test.parquet")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// testColumns configures what the file at hand has of the usual columns.
func testColumns(f *File) Columns {
	has := func(names ...string) (out []string) {
		for _, n := range names {
			if slices.Contains(f.ColumnNames(), n) {
				out = append(out, n)
			}
		}
		return out
	}
	c := Columns{
		DocumentID: "note_id",
		Text:       has("text", "addendum"),
		Dates:      has("day", "ts_ms", "ts_us", "ts_ns", "seen"),
		IDs:        has("visit", "account", "i8", "u8"),
		BatchRows:  7,

		KeepMetadata: []string{"made_by", "empty", "site"},
	}
	if len(has("patient_id")) > 0 {
		c.PatientID = "patient_id"
	}
	if len(has("day")) > 0 {
		c.NoteDate = "day"
	}
	return c
}

// rewritten is the result of a rewrite.
type rewritten struct {
	out, quarantine []byte
	counts          Counts
}

// rewrite runs every row group through edit.
func rewrite(t testing.TB, b *Binding, edit func(row int64, r *Row)) rewritten {
	t.Helper()
	var out, quarantine bytes.Buffer
	w, err := b.NewRewriter(&out, &quarantine)
	if err != nil {
		t.Fatal(err)
	}
	for g, info := range b.File().RowGroups() {
		next := int64(0)
		_, err := w.RowGroup(context.Background(), g, func(rows []*Row) error {
			for _, r := range rows {
				if r.Row != next {
					t.Fatalf("row %d where %d was due", r.Row, next)
				}
				next++
				edit(info.FirstRow+r.Row, r)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return rewritten{out.Bytes(), quarantine.Bytes(), w.Counts()}
}

// shiftDays is by how much edits move dates.
const shiftDays = -411

func newText(s string) string { return "«" + strings.ToUpper(s) + "»" }

// editAll changes everything that is configured.
func editAll(t testing.TB, b *Binding, r *Row) {
	check := func(null bool, err error) {
		if (err != nil) != null {
			t.Errorf("edit of a value with null=%t: %v", null, err)
		}
		if errors.Is(err, errNull) {
			r.quarantined, r.reason = false, "" // this test means to release it
		}
	}
	for i, x := range r.Texts {
		check(x.Null, r.SetText(i, newText(x.Value)))
	}
	check(r.DocumentID.Null, r.SetDocumentID(newID(b.DocumentIDType(), r.DocumentID)))
	if typ, ok := b.PatientIDType(); ok {
		check(r.PatientID.Null, r.SetPatientID(newID(typ, r.PatientID)))
	}
	for i, id := range r.IDs {
		check(id.Null, r.SetID(i, newID(b.IDColumnType(i), id)))
	}
	for i, d := range r.Dates {
		if b.DateIsString(i) {
			check(d.Null, r.SetDateString(i, newText(d.Text)))
		} else {
			check(d.Null, r.ShiftDate(i, shiftDays))
		}
	}
}

// newID maps an id to another one that fits in the same type.
func newID(t IDType, id ID) string {
	if !t.Integer {
		return "x" + id.Text
	}
	n, _ := strconv.ParseUint(id.Text, 10, 64)
	return strconv.FormatUint(n%100^1, 10)
}

// leafRows returns the values of each leaf, row by row, as parquet-go reads
// them by its own means, as text with levels and exact bits.
func leafRows(t testing.TB, b []byte) map[string][]string {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatalf("parquet-go does not open the file: %v", err)
	}
	out := map[string][]string{}
	var paths []string
	var leaves []*parquet.Column
	var walk func(c *parquet.Column)
	walk = func(c *parquet.Column) {
		if c.Leaf() {
			paths = append(paths, strings.Join(c.Path(), "."))
			leaves = append(leaves, c)
		}
		for _, x := range c.Columns() {
			walk(x)
		}
	}
	walk(f.Root())
	for _, g := range f.RowGroups() {
		for i, chunk := range g.ColumnChunks() {
			rows := out[paths[i]]
			pages := chunk.Pages()
			for {
				p, err := pages.ReadPage()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("parquet-go does not read column %s: %v", paths[i], err)
				}
				values := make([]parquet.Value, p.NumValues())
				if n, err := p.Values().ReadValues(values); n != len(values) {
					t.Fatalf("parquet-go does not read column %s: %v", paths[i], err)
				}
				for _, v := range values {
					s := fmt.Sprintf("%d/%d:%s;", v.RepetitionLevel(), v.DefinitionLevel(), bitsOf(v))
					if v.RepetitionLevel() == 0 {
						rows = append(rows, s)
					} else {
						rows[len(rows)-1] += s
					}
				}
				parquet.Release(p)
			}
			_ = pages.Close()
			out[paths[i]] = rows
		}
	}
	return out
}

// bitsOf writes a value such that any two that differ in a bit differ.
func bitsOf(v parquet.Value) string {
	switch {
	case v.IsNull():
		return "null"
	case v.Kind() == parquet.Float:
		return fmt.Sprintf("%08x", math.Float32bits(v.Float()))
	case v.Kind() == parquet.Double:
		return fmt.Sprintf("%016x", math.Float64bits(v.Double()))
	}
	return fmt.Sprintf("%x", v.Bytes())
}

// pick returns the rows for which keep is true.
func pick(rows []string, keep func(row int64) bool) []string {
	var out []string
	for i, r := range rows {
		if keep(int64(i)) {
			out = append(out, r)
		}
	}
	return out
}
