package table

import (
	"bytes"
	"context"
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
