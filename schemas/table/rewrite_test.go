package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Whichever rows are quarantined, what is released and what is held back
// together are the input.
func TestRewriteUnedited(t *testing.T) {
	gone := map[string]func(row int64) bool{
		"none":  func(int64) bool { return false },
		"some":  func(row int64) bool { return row%3 == 1 },
		"start": func(row int64) bool { return row < 20 }, // whole row groups
		"one":   func(row int64) bool { return row == 39 },
		"all":   func(int64) bool { return true },
	}
	for _, name := range testFiles(t) {
		in := readTestFile(t, name)
		want := leafRows(t, in)
		for mode, gone := range gone {
			t.Run(filepath.Base(name)+"/"+mode, func(t *testing.T) {
				f := openBytes(t, in)
				b, err := f.Bind(testColumns(f))
				if err != nil {
					t.Fatal(err)
				}
				got := rewrite(t, b, func(row int64, r *Row) {
					if gone(row) {
						r.Quarantine("because")
					}
				})
				if got.counts.Released+got.counts.Quarantined != f.Rows() {
					t.Fatalf("%+v of %d rows", got.counts, f.Rows())
				}
				compareRows(t, want, leafRows(t, got.out), func(row int64) bool { return !gone(row) }, "")
				compareSchemas(t, f, openBytes(t, got.out), mode)
				if got.counts.Quarantined == 0 {
					if len(got.quarantine) != 0 {
						t.Error("the quarantine was written to without need")
					}
					return
				}
				compareRows(t, want, leafRows(t, got.quarantine), gone, "reason")
			})
		}
	}
}

func compareRows(t *testing.T, want, got map[string][]string, keep func(int64) bool, extra string) {
	t.Helper()
	for path, rows := range want {
		if w, g := pick(rows, keep), got[path]; !slices.Equal(w, g) {
			t.Errorf("column %s: %d rows differ from the %d of the input", path, len(g), len(w))
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok && path != extra {
			t.Errorf("column %s is new", path)
		}
	}
}

func compareSchemas(t *testing.T, in, out *File, mode string) {
	t.Helper()
	encode := func(v []value) []byte {
		l := listValue(tStruct, v)
		return appendValue(nil, &l)
	}
	if !bytes.Equal(encode(in.elements), encode(out.elements)) {
		t.Error("the schema differs")
	}
	if !bytes.Equal(encode(in.meta.items(fmKeyValues)), encode(out.meta.items(fmKeyValues))) {
		t.Error("the key-value metadata differs")
	}
	if mode != "none" {
		return
	}
	var want []RowGroup
	for _, g := range in.RowGroups() {
		if g.Rows > 0 {
			want = append(want, g)
		}
	}
	got := out.RowGroups()
	if len(got) != len(want) {
		t.Fatalf("%d row groups, want %d", len(got), len(want))
	}
	for g := range got {
		if got[g].Rows != want[g].Rows {
			t.Errorf("row group %d has %d rows, want %d", g, got[g].Rows, want[g].Rows)
		}
		for i, leaf := range in.leaves {
			a, b := in.chunk(g, leaf).get(ccMetaData), out.chunk(g, out.leaves[i]).get(ccMetaData)
			if a.intOr(cmCodec, -1) != b.intOr(cmCodec, -2) {
				t.Errorf("row group %d, column %s: another codec", g, leaf.dotted())
			}
		}
	}
}

// Columns that are not configured are the same bytes.
func TestCopiesChunks(t *testing.T) {
	in := readTestFile(t, "testdata/arrow_types_v1.parquet")
	f := openBytes(t, in)
	b, err := f.Bind(testColumns(f))
	if err != nil {
		t.Fatal(err)
	}
	got := rewrite(t, b, func(_ int64, r *Row) { editAll(t, b, r) })
	out := openBytes(t, got.out)
	copied := 0
	for g := range f.groups {
		for i, leaf := range f.leaves {
			if slices.ContainsFunc(b.columns, func(c bound) bool { return c.leaf == leaf }) {
				continue
			}
			s, n := extent(f.chunk(g, leaf).get(ccMetaData))
			s2, n2 := extent(out.chunk(g, out.leaves[i]).get(ccMetaData))
			if !bytes.Equal(in[s:s+n], got.out[s2:s2+n2]) {
				t.Errorf("row group %d, column %s: bytes differ", g, leaf.dotted())
			}
			copied++
		}
	}
	if copied < 60 {
		t.Errorf("only %d chunks were compared", copied)
	}
}

// An edit reaches the configured columns and no other, and nothing of the old
// texts and ids is left in the file, statistics and dictionaries included.
func TestRewriteEdited(t *testing.T) {
	for _, name := range testFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			in := readTestFile(t, name)
			f := openBytes(t, in)
			c := testColumns(f)
			b, err := f.Bind(c)
			if err != nil {
				t.Fatal(err)
			}
			got := rewrite(t, b, func(row int64, r *Row) {
				editAll(t, b, r)
				if row%10 == 9 {
					r.Quarantine("tenth")
				}
			})
			want, have := leafRows(t, in), leafRows(t, got.out)
			configured := append(append(append([]string{c.DocumentID, c.PatientID}, c.Text...), c.Dates...), c.IDs...)
			keep := func(row int64) bool { return row%10 != 9 }
			for path, rows := range want {
				if slices.Contains(configured, path) {
					continue
				}
				if !slices.Equal(pick(rows, keep), have[path]) {
					t.Errorf("column %s changed", path)
				}
			}
			compareEdited(t, f, openBytes(t, got.out), c)
			if strings.Contains(name, "_none_") {
				for _, old := range []string{"Vane", "Ütterström", "n0000", "n0039"} {
					// Texts are upper case now, ids begin with x.
					clean := bytes.ReplaceAll(got.out, []byte("xn00"), nil)
					if bytes.Contains(clean, []byte(old)) {
						t.Errorf("the output still holds %q", old)
					}
				}
			}
		})
	}
}

// compareEdited compares what ReadNotes tells of input and output.
func compareEdited(t *testing.T, in, out *File, c Columns) {
	t.Helper()
	old, now := allNotes(t, in, c), allNotes(t, out, c)
	i := 0
	for row, o := range old {
		if row%10 == 9 {
			continue
		}
		if i >= len(now) {
			t.Fatalf("%d notes in the output", len(now))
		}
		n := now[i]
		i++
		for j := range o.Texts {
			want := o.Texts[j]
			want.Value = newText(want.Value)
			if o.Texts[j].Null {
				want = o.Texts[j]
			}
			if n.Texts[j] != want {
				t.Errorf("row %d: text %d is wrong", row, j)
			}
		}
		if o.HasDate != n.HasDate || o.HasDate && n.NoteDate != o.NoteDate+shiftDays {
			t.Errorf("row %d: date %d became %d", row, o.NoteDate, n.NoteDate)
		}
		if o.DocumentID == n.DocumentID || o.PatientID.Null != n.PatientID.Null {
			t.Errorf("row %d: ids are wrong", row)
		}
	}
	if i != len(now) {
		t.Errorf("%d notes in the output, want %d", len(now), i)
	}
}

func allNotes(t *testing.T, f *File, c Columns) (notes []Note) {
	t.Helper()
	b, err := f.Bind(c)
	if err != nil {
		t.Fatal(err)
	}
	for g := range f.RowGroups() {
		if err := b.ReadNotes(context.Background(), g, func(batch []Note) error {
			notes = append(notes, batch...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return notes
}

// The same edits give the same bytes, however rows are batched and whichever
// goroutine edits them.
func TestRewriteDeterministic(t *testing.T) {
	for _, name := range []string{"arrow_types_v1", "duckdb_v2", "polars", "spark_like"} {
		f := openBytes(t, readTestFile(t, filepath.Join("testdata", name+".parquet")))
		var first rewritten
		for _, batch := range []int{1, 7, 1000} {
			c := testColumns(f)
			c.BatchRows = batch
			b, err := f.Bind(c)
			if err != nil {
				t.Fatal(err)
			}
			var out, quarantine bytes.Buffer
			w, err := b.NewRewriter(&out, &quarantine)
			if err != nil {
				t.Fatal(err)
			}
			for g := range f.RowGroups() {
				_, err := w.RowGroup(context.Background(), g, func(rows []*Row) error {
					var wg sync.WaitGroup
					for _, r := range rows {
						wg.Go(func() {
							editAll(t, b, r)
							if r.Row%5 == 0 {
								r.Quarantine("fifth")
							}
						})
					}
					wg.Wait()
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if first.out == nil {
				first = rewritten{out: out.Bytes(), quarantine: quarantine.Bytes()}
			}
			if !bytes.Equal(first.out, out.Bytes()) || !bytes.Equal(first.quarantine, quarantine.Bytes()) {
				t.Errorf("%s: batches of %d rows give other bytes", name, batch)
			}
		}
	}
}

func TestDrop(t *testing.T) {
	f := openBytes(t, readTestFile(t, "testdata/arrow_types_v1.parquet"))
	c := testColumns(f)
	c.Drop = []string{"who.name", "labs", "f32", "blob"}
	b, err := f.Bind(c)
	if err != nil {
		t.Fatal(err)
	}
	in := leafRows(t, readTestFile(t, "testdata/arrow_types_v1.parquet"))
	got := rewrite(t, b, func(row int64, r *Row) {
		if row%2 == 1 {
			r.Quarantine("odd")
		}
	})
	out := leafRows(t, got.out)
	for _, gone := range []string{"who.name", "labs.key_value.key", "labs.key_value.value", "f32", "blob"} {
		if _, ok := in[gone]; !ok {
			t.Fatalf("the input has no %s", gone)
		}
		if _, ok := out[gone]; ok {
			t.Errorf("the output has %s", gone)
		}
		delete(in, gone)
	}
	compareRows(t, in, out, func(row int64) bool { return row%2 == 0 }, "")
	keys := func(b []byte) (keys []string) {
		o := openBytes(t, b)
		for _, kv := range o.meta.items(fmKeyValues) {
			keys = append(keys, kv.str(kvKey))
		}
		return keys
	}
	for _, file := range [][]byte{got.out, got.quarantine} {
		if k := keys(file); !slices.Contains(k, "made_by") || slices.Contains(k, "ARROW:schema") {
			t.Errorf("keys are %v", k)
		}
	}
	held := leafRows(t, got.quarantine)
	if len(held["f32"]) != 20 || len(held["reason"]) != 20 {
		t.Errorf("the quarantine holds %d and %d values", len(held["f32"]), len(held["reason"]))
	}
}

// A setter that fails keeps its row from being released.
func TestFailedSetterQuarantines(t *testing.T) {
	f := openBytes(t, readTestFile(t, "testdata/arrow_types_v1.parquet"))
	b, err := f.Bind(testColumns(f))
	if err != nil {
		t.Fatal(err)
	}
	edits := []func(r *Row) error{
		func(r *Row) error { return r.SetPatientID("no number") },
		func(r *Row) error { return r.SetText(1, "was null") },
		func(r *Row) error { return r.SetPatientID("9223372036854775808") },
		func(r *Row) error { return r.SetID(0, "4294967296") }, // uint32
		func(r *Row) error { return r.SetID(2, "128") },        // int8
		func(r *Row) error { return r.SetID(2, "-129") },
		func(r *Row) error { return r.SetID(3, "256") },       // uint8
		func(r *Row) error { return r.ShiftDate(0, 1<<31-1) }, // DATE
		func(r *Row) error { return r.ShiftDate(3, 1<<40) },   // TIMESTAMP
		func(r *Row) error { return r.ShiftDate(3, -(1 << 31)) },
		func(r *Row) error { return r.SetDateString(0, "2001-01-01") },
	}
	got := rewrite(t, b, func(row int64, r *Row) {
		if row >= int64(len(edits)) {
			return
		}
		err := edits[row](r)
		if err == nil {
			t.Errorf("edit %d succeeded", row)
			return
		}
		if !strings.Contains(err.Error(), "test.parquet: row group 0, column") {
			t.Errorf("edit %d: %v", row, err)
		}
		if strings.Contains(err.Error(), "no number") {
			t.Errorf("edit %d: the error holds the value", row)
		}
		want := ReasonEdit
		if row == 7 || row == 8 { // ShiftDate beyond the type
			want = ReasonDateOutOfRange
		}
		if reason, ok := r.Quarantined(); !ok || reason != want {
			t.Errorf("edit %d: quarantined for %q, want %q", row, reason, want)
		}
	})
	if got.counts.Quarantined != int64(len(edits)) {
		t.Errorf("%d rows quarantined", got.counts.Quarantined)
	}
}

func TestRewriterErrors(t *testing.T) {
	f := openBytes(t, readTestFile(t, "testdata/arrow_snappy_v1.parquet"))
	b, err := f.Bind(testColumns(f))
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	newRewriter := func(w interface{ Write([]byte) (int, error) }) *Rewriter {
		r, err := b.NewRewriter(w, &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	nothing := func([]*Row) error { return nil }
	w := newRewriter(&bytes.Buffer{})
	if _, err := w.RowGroup(context.Background(), 0, func([]*Row) error { return stop }); err != stop {
		t.Errorf("the error of edit became %v", err)
	}
	if err := w.Close(); err != stop {
		t.Errorf("Close after an error gives %v", err)
	}
	w = newRewriter(&bytes.Buffer{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.RowGroup(ctx, 0, nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	w = newRewriter(&bytes.Buffer{})
	if _, err := w.RowGroup(context.Background(), 99, nothing); err == nil || !strings.Contains(err.Error(), "no row group 99") {
		t.Errorf("row group 99: %v", err)
	}
	// A writer that fails at any byte fails the rewrite.
	whole := rewrite(t, b, func(int64, *Row) {})
	for limit := 0; limit < len(whole.out); limit += 97 {
		w = newRewriter(&limitedWriter{left: limit})
		var err error
		for g := range f.RowGroups() {
			if _, err = w.RowGroup(context.Background(), g, nothing); err != nil {
				break
			}
		}
		if err == nil {
			err = w.Close()
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("full after %d bytes: %v", limit, err)
		}
	}
}

var errFull = errors.New("disk full")

type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return 0, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

// A batch is bounded by bytes as well as by rows.
func TestBatchBytes(t *testing.T) {
	f := openBytes(t, readTestFile(t, "testdata/arrow_zstd_v1.parquet"))
	for _, limit := range []int64{1, 100, 300, 1 << 20} {
		c := testColumns(f)
		c.BatchRows, c.BatchBytes = 1000, limit
		b, err := f.Bind(c)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		err = b.ReadNotes(context.Background(), 0, func(batch []Note) error {
			n := 0
			for _, x := range batch[:len(batch)-1] {
				n += len(x.DocumentID.Text) + len(x.Texts[0].Value)
			}
			if int64(n) >= limit && len(batch) > 1 {
				return fmt.Errorf("a batch of %d bytes goes on", n)
			}
			rows += len(batch)
			return nil
		})
		if err != nil || rows != 16 {
			t.Errorf("limit %d: %d rows, %v", limit, rows, err)
		}
	}
}

// Dictionaries can name what no row of theirs holds; nothing of a row that is
// held back, or was never in the file, may come out that way.
func TestStaleDictionaries(t *testing.T) {
	in := readTestFile(t, "testdata/arrow_categories.parquet")
	for _, s := range []string{"Place12", "Filtered"} {
		if bytes.Count(in, []byte(s)) < 2 {
			t.Fatalf("the input's dictionaries lack %s", s)
		}
	}
	f := openBytes(t, in)
	b, err := f.Bind(testColumns(f))
	if err != nil {
		t.Fatal(err)
	}
	got := rewrite(t, b, func(row int64, r *Row) {
		if row == 12 {
			r.Quarantine("because")
		}
	})
	for _, s := range []string{"Place12", "Filtered"} {
		if bytes.Contains(got.out, []byte(s)) {
			t.Errorf("%s is in the output", s)
		}
	}
	for _, s := range []string{"Place11", "Filtered"} {
		if bytes.Contains(got.quarantine, []byte(s)) {
			t.Errorf("%s is in the quarantine", s)
		}
	}
	for g, leaf := range map[int]string{0: "few", 2: "few"} {
		i := slices.IndexFunc(f.leaves, func(n *node) bool { return n.dotted() == leaf })
		s, n := extent(f.chunk(g, f.leaves[i]).get(ccMetaData))
		out := openBytes(t, got.out)
		s2, n2 := extent(out.chunk(g, out.leaves[i]).get(ccMetaData))
		if !bytes.Equal(in[s:s+n], got.out[s2:s2+n2]) {
			t.Errorf("row group %d: the dictionary of %s is in use and yet was not copied", g, leaf)
		}
	}
}
