package transforms

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// mostSeen bounds the files that a state remembers; of more, the oldest are read again.
const mostSeen = 200_000

// unseen returns the input files that a night has to read: not those all of whose rows
// earlier nights have seen, as long as nothing but new knowledge can change their
// release. One is always left, for the schema of the output.
func unseen(ctx context.Context, cfg Config, infos []storage.Info) ([]storage.Info, error) {
	left, err := newFiles(ctx, cfg, infos)
	if err == nil && len(left) == 0 {
		left = infos[:1]
	}
	return left, err
}

// newFiles is unseen without the one for the schema.
func newFiles(ctx context.Context, cfg Config, infos []storage.Info) ([]storage.Info, error) {
	if !cfg.remembers() || cfg.Nights.Reissue {
		return infos, nil
	}
	h, keys, err := cfg.headBefore(ctx)
	if h == nil || err != nil {
		return infos, err
	}
	if h.Release != fmt.Sprintf("%x", keys.Hash("release", cfg.releaseKey()).Short()) || h.What != keys.Hash("what", cfg.releaseDigest()) ||
		h.Detector != keys.Hash("detector", cfg.detectorDigest()).Short() {
		return infos, nil
	}
	seen := map[history.Hash]history.Hash{}
	for _, f := range h.Seen {
		seen[f.Name] = f.Version
	}
	return slices.DeleteFunc(slices.Clone(infos), func(i storage.Info) bool {
		f := fileOf(keys, i.Name, i.Fingerprint)
		return seen[f.Name] == f.Version
	}), nil
}

// SomeSeen reports whether a night leaves out some of its input, whose notes earlier nights
// have seen: then the footers of the rest do not tell what is released.
func SomeSeen(ctx context.Context, cfg Config) (bool, error) {
	infos, err := storage.TableFiles(ctx, cfg.Inputs...)
	if err != nil {
		return false, fault.Mark(fault.Refused, err)
	}
	left, err := newFiles(ctx, cfg, infos)
	return len(left) < len(infos), err
}

// fileOf names a version of a file, wherever it was named from.
func fileOf(keys *history.Keys, name, fingerprint string) seenFile {
	if full, err := filepath.Abs(name); err == nil && !strings.Contains(name, "://") {
		name = full
	}
	return seenFile{keys.Hash("file", name), keys.Hash("version", fingerprint)}
}

// seenNow returns the files that were seen wholly, now that a night is done. One with a
// row in quarantine is not: it is tried again. A row that repeats an id does not count:
// read without the other of its id, it would take that one's place.
func seenNow(keys *history.Keys, before []seenFile, receipts []schemas.Receipt) []seenFile {
	clean := map[seenFile]bool{}
	for _, r := range receipts {
		f := fileOf(keys, r.Shard.File, r.Shard.Fingerprint)
		if was, ok := clean[f]; ok && !was {
			continue
		}
		clean[f] = r.Counts.Quarantined == r.Counts.Reasons[ReasonDuplicateID]
	}
	tonight := map[history.Hash]bool{}
	var now []seenFile
	for f, ok := range clean {
		tonight[f.Name] = true
		if ok {
			now = append(now, f)
		}
	}
	slices.SortFunc(now, func(a, b seenFile) int { return bytes.Compare(a.Name[:], b.Name[:]) })
	all := slices.DeleteFunc(slices.Clone(before), func(f seenFile) bool { return tonight[f.Name] })
	all = append(all, now...)
	return all[max(0, len(all)-mostSeen):]
}
