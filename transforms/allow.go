package transforms

import (
	"context"
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/nearest"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// maxAllow bounds the file of an allow list.
const maxAllow = 16 << 20

// LoadAllow reads the job's allow list; nil without one.
func LoadAllow(ctx context.Context, cfg Config) (*deid.Allow, error) {
	if cfg.Allow == "" {
		return nil, nil
	}
	raw, err := storage.ReadFile(ctx, cfg.Allow, maxAllow)
	if err != nil {
		return nil, fmt.Errorf("--allow: %w", err)
	}
	list, err := deid.ParseAllow(cfg.Allow, raw, nearest.Name)
	if err != nil {
		return nil, fmt.Errorf("--allow: %w", err)
	}
	return list, nil
}

// loadAllow is LoadAllow for a worker, which must find the launcher's.
func loadAllow(ctx context.Context, cfg Config) (*deid.Allow, error) {
	list, err := LoadAllow(ctx, cfg)
	if err == nil && list.Digest() != cfg.AllowDigest {
		err = otherDigest("allow list", cfg.Allow, list.Digest(), cfg.AllowDigest)
	}
	return list, err
}
