package pipeline

import (
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// The launcher takes as many buckets as the footers' rows call for, and what was asked
// for where that is more. A state's are its first night's.
func TestBucketsOfAJob(t *testing.T) {
	type row struct {
		NoteID    int64  `parquet:"note_id"`
		PatientID string `parquet:"patient_id"`
		NoteDate  int32  `parquet:"note_date,date"`
		Text      string `parquet:"text"`
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "notes.parquet")
	rows := make([]row, 40_001)
	for i := range rows {
		rows[i] = row{int64(i), "p", 15_000, "The patient was seen, and feels well."}
	}
	if err := parquet.WriteFile(name, rows); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ asked, want int }{{1, 4}, {3, 3}, {128, 128}} {
		o := testOptions(dir, name)
		o.DateColumns, o.Buckets = []string{"note_date"}, test.asked
		cfg, err := NewConfig(o)
		if err != nil {
			t.Fatal(err)
		}
		if cfg, _, err = Prepare(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		if cfg.Buckets != test.want {
			t.Errorf("asked for %d: %d buckets, want %d", test.asked, cfg.Buckets, test.want)
		}
	}
}
