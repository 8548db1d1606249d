package table

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A page header holds the least and greatest value whole where the writer does
// not truncate them, so that long notes make long headers.
func TestLongStatisticsInPageHeaders(t *testing.T) {
	type row struct {
		NoteID string `parquet:"note_id"`
		Text   string `parquet:"text"`
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file)
	long := strings.Repeat("word ", 1<<20)
	rows := []row{{"a", "short"}, {"b", long}, {"c", "x"}}
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(file.Bytes()), int64(file.Len()), "long")
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Bind(Columns{DocumentID: "note_id", Text: []string{"text"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = b.ReadNotes(context.Background(), 0, func(batch []Note) error {
		for _, n := range batch {
			got = append(got, n.Texts[0].Value)
		}
		return nil
	})
	if err != nil || len(got) != 3 || got[1] != long {
		t.Errorf("%d texts, %v", len(got), err)
	}
}

// pyarrow ends the pages of a list where it likes: one of version 2 may be empty,
// and has no levels then. The campaign found it.
func TestEmptyPageOfVersion2(t *testing.T) {
	f := openBytes(t, readTestFile(t, "testdata/pages/empty_v2.parquet"))
	for _, leaf := range f.leaves {
		rows := int64(0)
		for g := range f.groups {
			c, err := newCursor(f, g, leaf)
			if err != nil {
				t.Fatal(err)
			}
			for {
				if _, err := c.nextRow(nil); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", leaf.dotted(), err)
				}
				rows++
			}
			c.close()
		}
		if rows != f.Rows() {
			t.Errorf("%s: %d rows, want %d", leaf.dotted(), rows, f.Rows())
		}
	}
}
