package transforms

import (
	"os"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas"
)

// An attempt that is given up takes its own folders away. The run's stays: another shard
// may have seen it, and be about to make its first file there.
func TestAnAttemptLeavesTheRunsFolder(t *testing.T) {
	cfg := newRun(t.TempDir(), "k")
	cfg.Findings = true
	j := &shardJob{engine: &engine{cfg: cfg}, shard: schemas.Shard{Name: "notes.parquet", Count: 1, Folder: NotesFolder}}
	f, err := j.create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*counted{f.notes, f.quarantine, f.finding} {
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	f.abort()
	for _, root := range []string{cfg.Output, cfg.Private} {
		if left, err := os.ReadDir(temporary(root, cfg.RunID)); err != nil || len(left) > 0 {
			t.Errorf("%v are left, %v", left, err)
		}
	}
	if err := GiveUp(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{cfg.Output, cfg.Private} {
		if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
			t.Errorf("after the run %v are left, %v", left, err)
		}
	}
}
