package transforms

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// unchanged looks whether the inputs are still those that were read, before anything is
// published: a release is of the files that lie there when it ends, or there is none.
// It lists them once more, which in a store costs a request for a thousand files.
func unchanged(ctx context.Context, cfg Config, receipts []schemas.Receipt) error {
	now := map[string]string{}
	for _, t := range cfg.Numbers() {
		for _, pattern := range cfg.OfTable(t).Inputs {
			system, err := storage.For(ctx, pattern)
			if err != nil {
				return err
			}
			infos, err := system.Glob(ctx, pattern)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			for _, info := range infos {
				now[info.Name] = info.Fingerprint
			}
		}
	}
	for _, r := range receipts {
		if now[r.Shard.File] != r.Shard.Fingerprint {
			return fmt.Errorf("%s %w", r.Shard.File, errChanged)
		}
	}
	return nil
}
