package transforms

import (
	"errors"
	"os"
	"testing"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// A file that is written to, replaced or removed after it was read is not released as
// it was, though every row of it was done.
func TestInputsThatChangeBeforeTheEnd(t *testing.T) {
	defer BeginJob()
	for name, change := range map[string]func(file string) error{
		"rewritten": func(file string) error { return os.WriteFile(file, []byte("something else"), 0o600) },
		"replaced": func(file string) error {
			return errors.Join(os.WriteFile(file+".new", []byte("notes"), 0o600), os.Rename(file+".new", file))
		},
		"removed": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			BeginJob()
			cfg := acquired(t, t.TempDir(), "k")
			receipts := rewritten(t, cfg, "released")
			if err := change(receipts[0].Shard.File); err != nil {
				t.Fatal(err)
			}
			if _, err := commit(t.Context(), cfg, receipts, nil, nil, nil); !errors.Is(err, errChanged) {
				t.Errorf("commit: %v", err)
			}
			if _, err := os.Stat(receipts[0].Outputs[0].Final); err == nil {
				t.Error("notes are published")
			}
			if done, err := exists(t.Context(), storage.Join(cfg.Output, SuccessFile)); done || err != nil {
				t.Error("it is marked as done", err)
			}
		})
	}
}
