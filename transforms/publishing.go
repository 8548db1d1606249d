package transforms

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// Publishing lists the files that a commit makes, by their names below
// --output and below --private. While files are renamed it stands in
// PublishingFile, so that what a run leaves that was stopped amid that can be
// told from files that are somebody else's.
type Publishing struct {
	Output  []string `json:"output"`
	Private []string `json:"private"`
}

// maxPublishing bounds PublishingFile: some hundred bytes for each of a
// million files.
const maxPublishing = 1 << 30

// Interrupted returns what a run that was stopped amid publishing may have
// left, or nothing if there was no such run.
func Interrupted(ctx context.Context, cfg Config) (left Publishing, err error) {
	marker := storage.Join(cfg.Private, PublishingFile)
	if there, err := exists(ctx, marker); err != nil || !there {
		return left, err
	}
	if complete, err := exists(ctx, storage.Join(cfg.Output, SuccessFile)); err != nil || complete {
		return left, err
	}
	raw, err := storage.ReadFile(ctx, marker, maxPublishing)
	if err != nil {
		return left, err
	}
	if err := json.Unmarshal(raw, &left); err != nil {
		return left, fmt.Errorf("%s: %w", marker, err)
	}
	left.Private = append(left.Private, PublishingFile)
	return left, nil
}

func exists(ctx context.Context, name string) (bool, error) {
	infos, err := storage.Glob(ctx, name)
	return len(infos) > 0, err
}

// beginPublishing writes down which files are about to appear. It first
// removes those that an earlier run has published, was stopped amid, and that
// this one does not replace.
func beginPublishing(ctx context.Context, cfg Config, receipts []schemas.Receipt, reports []string) error {
	p := Publishing{Output: reports, Private: []string{InputsFile}}
	for _, r := range receipts {
		for _, w := range r.Outputs {
			if name, ok := strings.CutPrefix(w.Final, storage.Join(cfg.Output)+"/"); ok && w.Released {
				p.Output = append(p.Output, name)
			} else if name, ok := strings.CutPrefix(w.Final, storage.Join(cfg.Private)+"/"); ok && !w.Released {
				p.Private = append(p.Private, name)
			}
		}
	}
	left, err := Interrupted(ctx, cfg)
	if err != nil {
		return err
	}
	for root, names := range map[string][2][]string{cfg.Output: {left.Output, p.Output}, cfg.Private: {left.Private, p.Private}} {
		replaced := map[string]bool{PublishingFile: true}
		for _, name := range names[1] {
			replaced[name] = true
		}
		for _, name := range names[0] {
			if stale := storage.Join(root, name); !replaced[name] && storage.Inside(stale, root) {
				if err := storage.Remove(ctx, stale); err != nil {
					return err
				}
			}
		}
	}
	raw, err := indented(p)
	if err != nil {
		return err
	}
	return storage.WriteFile(ctx, storage.Join(cfg.Private, PublishingFile), raw)
}
