package transforms

import (
	"errors"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// checkLinks fails if there are symbolic links below the output or the private
// part.
func checkLinks(cfg Config) error {
	return errors.Join(storage.NoLinksBelow(cfg.Output), storage.NoLinksBelow(cfg.Private))
}

// checkWay fails if there are any on the way to a file of a shard.
func checkWay(cfg Config, w schemas.Written) error {
	root := cfg.Private
	if w.Released {
		root = cfg.Output
	}
	return errors.Join(storage.NoLinks(root, w.Temporary), storage.NoLinks(root, w.Final))
}
