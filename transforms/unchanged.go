package transforms

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// unchanged looks whether the inputs are still those that were read, before anything is
// published: a release is of the files that lie there when it ends, or there is none.
func unchanged(ctx context.Context, receipts []schemas.Receipt) error {
	versions := map[string]string{}
	for _, r := range receipts {
		versions[r.Shard.File] = r.Shard.Fingerprint
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(footersAtOnce)
	for _, name := range sortedKeys(versions) {
		g.Go(func() error {
			o, err := storage.Open(ctx, name)
			if err == nil {
				defer o.Close()
			}
			if errors.Is(err, fs.ErrNotExist) || err == nil && o.Fingerprint() != versions[name] {
				return fmt.Errorf("%s %w", name, errChanged)
			}
			return err
		})
	}
	return g.Wait()
}
