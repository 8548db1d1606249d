package transforms

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// maxLists bounds a file of a site's lists of surrogates.
const maxLists = 16 << 20

// LoadLists reads a site's own lists of surrogates, of a file, or of the files
// of a folder that end in .txt, by their names; nil without any.
func LoadLists(ctx context.Context, cfg Config) (*surrogate.Lists, error) {
	if cfg.Lists == "" {
		return nil, nil
	}
	names := []string{cfg.Lists}
	if !strings.HasSuffix(cfg.Lists, ".txt") {
		infos, err := storage.Glob(ctx, storage.Join(cfg.Lists, "*.txt"))
		if err == nil && len(infos) == 0 {
			err = errors.New("it is no file that ends in .txt, and no folder with any")
		}
		if err != nil {
			return nil, fmt.Errorf("--surrogate_lists=%s: %w", cfg.Lists, err)
		}
		names = nil
		for _, info := range infos {
			names = append(names, info.Name)
		}
		slices.Sort(names)
	}
	var files []surrogate.ListFile
	for _, name := range names {
		raw, err := storage.ReadFile(ctx, name, maxLists)
		if err != nil {
			return nil, fmt.Errorf("--surrogate_lists: %w", err)
		}
		files = append(files, surrogate.ListFile{Name: name, Data: raw})
	}
	lists, err := surrogate.ParseLists(files)
	if err != nil {
		return nil, fmt.Errorf("--surrogate_lists: %w", err)
	}
	return lists, nil
}

// loadLists is LoadLists for a worker, which must find the launcher's.
func loadLists(ctx context.Context, cfg Config) (*surrogate.Lists, error) {
	lists, err := LoadLists(ctx, cfg)
	if err == nil && lists.Digest() != cfg.ListsDigest {
		err = otherDigest("lists of surrogates", cfg.Lists, lists.Digest(), cfg.ListsDigest)
	}
	return lists, err
}
