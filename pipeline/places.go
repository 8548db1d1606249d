package pipeline

import (
	"context"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// checkPlaces refuses an output or a private part that holds something of
// somebody else.
func checkPlaces(ctx context.Context, c transforms.Config) error {
	left, err := transforms.Interrupted(ctx, c)
	if err != nil {
		return err
	}
	if err := checkNotDone(ctx, c); err != nil {
		return err
	}
	if err := checkEmpty(ctx, c.Output, "output", left.Output); err != nil {
		return err
	}
	if err := checkEmpty(ctx, c.Private, "private", left.Private); err != nil {
		return err
	}
	if err := storage.CheckPrivate(c.Private); err != nil {
		return fmt.Errorf("--private=%s: %w", c.Private, err)
	}
	return nil
}

// checkEmpty refuses an output that holds something, but for what an earlier
// run that failed left unfinished or was publishing.
func checkEmpty(ctx context.Context, dir, what string, left []string) error {
	infos, err := storage.List(ctx, dir)
	if err != nil {
		return err
	}
	if err := storage.NoLinksBelow(dir); err != nil {
		return fmt.Errorf("--%s=%s: %w", what, dir, err)
	}
	unfinished := storage.Join(dir, transforms.TemporaryFolder) + "/"
	known := map[string]bool{}
	if what == "private" {
		left = append(left, transforms.Beforehand()...)
	}
	for _, name := range left {
		known[storage.Join(dir, name)] = true
	}
	for _, info := range infos {
		if info.Name == storage.Join(dir, transforms.TrialFile) {
			return fmt.Errorf("--%s=%s holds what a trial run with --limit has left; remove it and what is below its --private, or name other "+
				"places",
				what, dir)
		}
		if !strings.HasPrefix(info.Name, unfinished) && !known[info.Name] {
			return fmt.Errorf("--%s=%s is not empty; name another place, or remove it if you no longer need it", what, dir)
		}
	}
	return nil
}
