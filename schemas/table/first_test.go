package table

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// The first rows of each row group are rewritten as if there were no others, of
// columns that nothing touches, too.
func TestFirstRows(t *testing.T) {
	const n, quarantined = 7, 3
	for _, name := range testFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			in := readTestFile(t, name)
			f := openBytes(t, in)
			b, err := f.Bind(testColumns(f))
			if err != nil {
				t.Fatal(err)
			}
			var out, held bytes.Buffer
			w, err := b.NewRewriter(&out, &held)
			if err != nil {
				t.Fatal(err)
			}
			taken, gone := map[int64]bool{}, map[int64]bool{}
			for g, info := range f.RowGroups() {
				_, err := w.FirstRows(context.Background(), g, n, func(rows []*Row) error {
					for _, r := range rows {
						taken[info.FirstRow+r.Row] = true
						if g == 1 && r.Row == quarantined {
							r.Quarantine("because")
							gone[info.FirstRow+r.Row] = true
						}
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
			want := 0
			for _, info := range f.RowGroups() {
				want += int(min(info.Rows, n))
			}
			if counts := w.Counts(); len(taken) != want || counts.Released+counts.Quarantined != int64(want) ||
				counts.Quarantined != int64(len(gone)) {
				t.Fatalf("%d rows were edited and %+v written, want %d", len(taken), w.Counts(), want)
			}
			rows := leafRows(t, in)
			compareRows(t, rows, leafRows(t, out.Bytes()), func(row int64) bool { return taken[row] && !gone[row] }, "")
			if len(gone) > 0 {
				compareRows(t, rows, leafRows(t, held.Bytes()), func(row int64) bool { return gone[row] }, "reason")
			}
		})
	}
}

// A value of a row that is not taken is nowhere in the output: not in a dictionary,
// not in statistics.
func TestFirstRowsLeaveNothingOfTheOthers(t *testing.T) {
	type row struct {
		ID   string `parquet:"note_id"`
		Text string `parquet:"text"`
		Kind string `parquet:"kind,dict"`
		Code string `parquet:"code"`
	}
	var in, out bytes.Buffer
	rows := []row{{"a", "one", "first", "mmm"}, {"b", "two", "second", "nnn"}, {"c", "three", "Quackenbush", "Zebulon"},
		{"d", "four", "Aardvark", "Abigail"}}
	if err := parquet.Write(&in, rows); err != nil {
		t.Fatal(err)
	}
	b, err := openBytes(t, in.Bytes()).Bind(Columns{DocumentID: "note_id", Text: []string{"text"}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.NewRewriter(&out, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.FirstRows(context.Background(), 0, 2, func([]*Row) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, later := range []string{"Quackenbush", "Zebulon", "Aardvark", "Abigail", "three", "four"} {
		if bytes.Contains(out.Bytes(), []byte(later)) {
			t.Errorf("%q is in the output", later)
		}
	}
	if got, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil || !slices.Equal(got, rows[:2]) {
		t.Errorf("%v, %v", got, err)
	}
}

// The days of a row group's notes are those of its statistics, whatever the type of
// the column.
func TestNoteDays(t *testing.T) {
	type row struct {
		ID     string `parquet:"note_id"`
		Text   string `parquet:"text"`
		Date   int32  `parquet:"date,date"`
		Millis int64  `parquet:"millis,timestamp(millisecond)"`
		Nanos  int64  `parquet:"nanos,timestamp(nanosecond)"`
		Old    *int32 `parquet:"old,date"`
		Words  string `parquet:"words"`
		Null   *int32 `parquet:"null,date"`
	}
	const second = 86_400
	old := int32(-2)
	var in bytes.Buffer
	err := parquet.Write(&in, []row{
		{"a", "x", 18_000, 18_000 * second * 1e3, 18_000 * second * 1e9, nil, "2019-04-14", nil},
		{"b", "y", 18_009, 18_009*second*1e3 + 5, 18_009*second*1e9 + 7, &old, "2019-04-23", nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		column      string
		first, last int
		ok          bool
	}{
		{"date", 18_000, 18_009, true}, {"millis", 18_000, 18_009, true}, {"nanos", 18_000, 18_009, true}, {"old", -2, -2, true},
		{"words", 0, 0, false}, {"null", 0, 0, false}, {"", 0, 0, false},
	} {
		b, err := openBytes(t, in.Bytes()).Bind(Columns{DocumentID: "note_id", Text: []string{"text"}, NoteDate: c.column})
		if err != nil {
			t.Fatal(err)
		}
		if first, last, ok := b.NoteDays(0); ok != c.ok || ok && (first != c.first || last != c.last) {
			t.Errorf("%s: %d to %d, %v", c.column, first, last, ok)
		}
	}
}
