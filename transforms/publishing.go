package transforms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// Publishing lists the files that a commit makes, by their names below
// --output and below --private. While files are renamed it stands in
// PublishingFile, so that what a run leaves that was stopped amid that can be
// told from files that are somebody else's.
type Publishing struct {
	Run     string   `json:"run"`
	Output  []string `json:"output"`
	Private []string `json:"private"`
}

// maxPublishing bounds PublishingFile: some hundred bytes for each of a
// million files.
const maxPublishing = 1 << 30

// Interrupted returns what a run that was stopped amid publishing may have
// left, or nothing if there was no such run. Once this run has the lock, it has
// to be one that this may replace.
func Interrupted(ctx context.Context, cfg Config) (left Publishing, err error) {
	marker := storage.Join(cfg.Private, PublishingFile)
	if there, err := exists(ctx, marker); err != nil || !there {
		return left, err
	}
	if complete, err := exists(ctx, storage.Join(cfg.Output, cfg.LastFile())); err != nil || complete {
		return left, err
	}
	if left, err = readPublishing(ctx, marker); err != nil {
		return left, err
	}
	left.Private = append(left.Private, PublishingFile)
	if cfg.RunID == "" {
		return left, nil
	}
	runs, err := replaced(ctx, cfg)
	if err == nil && left.Run != cfg.RunID && !mayReplace(runs, left.Run) {
		err = notOurs(marker)
	}
	return left, err
}

func readPublishing(ctx context.Context, marker string) (p Publishing, err error) {
	raw, err := storage.ReadFile(ctx, marker, maxPublishing)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, fmt.Errorf("%s: %w", marker, err)
	}
	return p, nil
}

// mayReplace tells whether a run is among runs, of which those that end in - are
// whole families.
func mayReplace(runs []string, run string) bool {
	return slices.ContainsFunc(runs, func(r string) bool { return r == run || strings.HasSuffix(r, "-") && strings.HasPrefix(run, r) })
}

// forgetPublishing removes the list of what was published once all of it is, in
// case that the run was killed before it could.
func forgetPublishing(ctx context.Context, cfg Config) error {
	marker := storage.Join(cfg.Private, PublishingFile)
	for _, name := range []string{marker, storage.Join(cfg.Output, cfg.LastFile())} {
		if there, err := exists(ctx, name); err != nil || !there {
			return err
		}
	}
	p, err := readPublishing(ctx, marker)
	if err != nil {
		return err
	}
	runs, err := replaced(ctx, cfg)
	if err != nil || !mayReplace(runs, p.Run) {
		return err
	}
	return storage.Remove(ctx, marker)
}

func exists(ctx context.Context, name string) (bool, error) {
	infos, err := storage.Glob(ctx, storage.Literal(name))
	return len(infos) > 0, err
}

// beginPublishing writes down which files are about to appear. It first removes
// those that a run before this one has published and was stopped amid; those of
// anybody else are refused.
func beginPublishing(ctx context.Context, cfg Config, files []schemas.Written) error {
	left, err := Interrupted(ctx, cfg)
	if err != nil || left.Run == cfg.RunID {
		return err // of an attempt at this very commit
	}
	if err := removeLeft(ctx, cfg, left); err != nil {
		return err
	}
	p := Publishing{Run: cfg.RunID}
	for _, w := range files {
		if name, ok := strings.CutPrefix(w.Final, storage.Join(cfg.Output)+"/"); ok && w.Released {
			p.Output = append(p.Output, name)
		} else if name, ok := strings.CutPrefix(w.Final, storage.Join(cfg.Private)+"/"); ok && !w.Released {
			p.Private = append(p.Private, name)
		}
	}
	raw, err := indented(p)
	if err != nil {
		return err
	}
	marker, err := prepareFile(ctx, cfg, cfg.Private, PublishingFile, raw)
	if err != nil {
		return err
	}
	return publishFile(ctx, marker)
}

// removeLeft removes what an earlier run was publishing, the list of it last.
func removeLeft(ctx context.Context, cfg Config, left Publishing) error {
	for _, part := range []struct {
		root  string
		names []string
	}{{cfg.Output, left.Output}, {cfg.Private, left.Private}} {
		for _, name := range part.names {
			if stale := storage.Join(part.root, name); storage.Inside(stale, part.root) {
				if err := storage.Remove(ctx, stale); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func notOurs(name string) error {
	return fault.Mark(fault.Locked, fmt.Errorf("%w: %s is of another run, and was left as it is; name another output", ErrLocked, name))
}

// prepareFile writes a file that commit makes itself among the run's temporary
// ones.
func prepareFile(ctx context.Context, cfg Config, root, name string, content []byte) (schemas.Written, error) {
	sum := sha256.Sum256(content)
	w := schemas.Written{
		Released: root == cfg.Output, Temporary: storage.Join(temporary(root, cfg.RunID), newAttempt(), name), Final: storage.Join(root, name),
		Digest: hex.EncodeToString(sum[:]), Bytes: int64(len(content)),
	}
	if !w.Released {
		return w, storage.WritePrivateFile(ctx, w.Temporary, content)
	}
	return w, storage.WriteFile(ctx, w.Temporary, content)
}

// renamesAtOnce bounds the requests in flight while output is published.
const renamesAtOnce = 16

// publish renames files to their places, as long as the run has its lock.
func publish(ctx context.Context, cfg Config, files []schemas.Written) error {
	for some := range slices.Chunk(files, renamesAtOnce) {
		if err := own(ctx, cfg); err != nil {
			return err
		}
		if err := each(ctx, some, publishFile); err != nil {
			return err
		}
	}
	return nil
}

// publishFile renames a file to its place. What is there already must be the
// very same, of an earlier attempt: nothing published is overwritten.
func publishFile(ctx context.Context, w schemas.Written) error {
	if !w.Released {
		if err := storage.MakePrivate(storage.Dir(w.Final)); err != nil {
			return err
		}
	}
	err := storage.Rename(ctx, w.Temporary, w.Final)
	if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	same, checkErr := isPublished(ctx, w)
	switch {
	case errors.Is(checkErr, fs.ErrNotExist):
		return err // lost, here and there
	case checkErr != nil:
		return checkErr
	case !same:
		return notOurs(w.Final)
	}
	return storage.Remove(ctx, w.Temporary)
}

// verify compares every published file with its receipt, and fails for one
// among the tables that no receipt speaks of.
func verify(ctx context.Context, cfg Config, files []schemas.Written) error {
	known := map[string]bool{}
	for _, w := range files {
		known[w.Final] = true
	}
	there := map[string]storage.Info{} // so that stores of objects need not be asked again what each file is
	for _, root := range []string{cfg.Output, cfg.Private} {
		infos, err := storage.List(ctx, root)
		if err != nil {
			return err
		}
		for _, info := range infos {
			if cfg.inTables(info.Name) && !known[info.Name] {
				return notOurs(info.Name)
			}
			there[info.Name] = info
		}
	}
	return each(ctx, files, func(ctx context.Context, w schemas.Written) error {
		info, ok := there[w.Final]
		if !ok {
			return fmt.Errorf("%s was published and is gone: %w", w.Final, fs.ErrNotExist)
		}
		o, err := storage.OpenVersion(ctx, info)
		if err != nil {
			return err
		}
		same, err := isWritten(o, w)
		if err == nil && !same {
			err = notOurs(w.Final)
		}
		return err
	})
}

// isPublished tells whether a file's place holds what its receipt says, by size
// and SHA-256.
func isPublished(ctx context.Context, w schemas.Written) (bool, error) {
	o, err := storage.Open(ctx, w.Final)
	if err != nil {
		return false, err
	}
	return isWritten(o, w)
}

// isWritten tells whether a file is what its receipt says, and closes it.
func isWritten(o storage.Object, w schemas.Written) (bool, error) {
	defer o.Close()
	if o.Size() != w.Bytes {
		return false, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(o, 0, o.Size())); err != nil {
		return false, err
	}
	return hex.EncodeToString(h.Sum(nil)) == w.Digest, nil
}

func each(ctx context.Context, files []schemas.Written, do func(context.Context, schemas.Written) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(renamesAtOnce)
	for _, w := range files {
		g.Go(func() error { return do(ctx, w) })
	}
	return g.Wait()
}
