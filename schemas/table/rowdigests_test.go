package table

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// Rows that are omitted are in neither file; all others are as they would be, in every
// column.
func TestOmittedRows(t *testing.T) {
	omitted := func(row int64) bool { return row%3 == 1 || row < 4 }
	held := func(row int64) bool { return row%10 == 9 && !omitted(row) }
	for _, name := range testFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			in := readTestFile(t, name)
			b, err := openBytes(t, in).Bind(testColumns(openBytes(t, in)))
			if err != nil {
				t.Fatal(err)
			}
			got := rewrite(t, b, func(row int64, r *Row) {
				if held(row) {
					r.Quarantine("tenth")
				}
				if omitted(row) {
					r.Omit()
				}
			})
			want, have := leafRows(t, in), leafRows(t, got.out)
			for path, rows := range want {
				if path == testColumns(openBytes(t, in)).DateOffset {
					continue
				}
				kept := pick(rows, func(row int64) bool { return !omitted(row) && !held(row) })
				if len(kept) > 0 && !equalRows(kept, have[path]) {
					t.Errorf("column %s: %d rows, want %d", path, len(have[path]), len(kept))
				}
			}
			if len(got.quarantine) == 0 {
				return
			}
			have = leafRows(t, got.quarantine)
			for path, rows := range want {
				if aside := pick(rows, held); !equalRows(aside, have[path]) {
					t.Errorf("quarantine, column %s: %d rows, want %d", path, len(have[path]), len(aside))
				}
			}
		})
	}
}

func equalRows(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

type digested struct {
	ID   int64    `parquet:"note_id"`
	Text *string  `parquet:"text,optional"`
	Code []string `parquet:"code,list"`
	Junk string   `parquet:"junk"`
}

// A row's digest is that of its values: it does not depend on how columns are stored,
// whether they may be null, on columns that are dropped, or on new ones that are null;
// it does on every other cell.
func TestRowDigests(t *testing.T) {
	text := "a note"
	of := func(file []byte) [][32]byte {
		t.Helper()
		b, err := openBytes(t, file).Bind(Columns{DocumentID: "note_id", Text: []string{"text"}, Others: OthersAsIs, Drop: []string{"junk"}})
		if err != nil {
			t.Fatal(err)
		}
		sums, err := b.RowDigests(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return sums
	}
	base := digested{1, &text, []string{"a", "b"}, "x"}
	want := of(parquetBytes(t, []digested{base, {2, nil, nil, ""}}))
	if want[0] == want[1] {
		t.Error("two rows have one digest")
	}
	same := map[string][]byte{
		"another dropped column": parquetBytes(t, []digested{{1, &text, []string{"a", "b"}, "y"}}),
		"another codec":          parquetBytes(t, []digested{base}, parquet.Compression(&parquet.Zstd)),
		"required, and a new column that is null": parquetBytes(t, []struct {
			New  *string  `parquet:"added,optional"`
			ID   *int64   `parquet:"note_id,optional"`
			Text string   `parquet:"text"`
			Code []string `parquet:"code,list"`
			Junk string   `parquet:"junk"`
		}{{nil, ptrTo(int64(1)), text, []string{"a", "b"}, ""}}),
	}
	for name, file := range same {
		if got := of(file); got[0] != want[0] {
			t.Errorf("%s: the digest is another", name)
		}
	}
	empty := ""
	for i, row := range []digested{{3, &text, base.Code, "x"}, {1, &empty, base.Code, "x"}, {1, nil, base.Code, "x"},
		{1, &text, []string{"ab"}, "x"}, {1, &text, []string{"a"}, "x"}, {1, &text, nil, "x"}, {1, &text, []string{"a", "", "b"}, "x"}} {
		if got := of(parquetBytes(t, []digested{row})); got[0] == want[0] {
			t.Errorf("%d: the digest is the same", i)
		}
	}
}

func ptrTo[T any](v T) *T { return &v }

func parquetBytes[T any](t *testing.T, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := parquet.Write(&b, rows, options...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
