package transforms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// shardFiles are the temporary files of one attempt at one shard. The
// quarantine's file is made with its first row.
type shardFiles struct {
	attempt    string
	notes      *counted
	quarantine *counted
	findings   *table.FindingsWriter
	finding    *counted
}

// create opens the temporary files. Released and private ones lie apart from
// the start: a crash leaves nothing private below the output.
func (j *shardJob) create(ctx context.Context) (*shardFiles, error) {
	attempt := newAttempt()
	if err := storage.MakePrivate(j.cfg.Private); err != nil {
		return nil, err
	}
	f := &shardFiles{attempt: attempt}
	place := func(root, folder string, released bool) *counted {
		run := temporary(root, j.cfg.RunID)
		return &counted{ctx: ctx, run: run, hash: sha256.New(), written: schemas.Written{
			Released:  released,
			Temporary: storage.Join(run, attempt, folder, j.shard.Output()),
			Final:     storage.Join(root, folder, j.shard.Output()),
		}}
	}
	f.notes = place(j.cfg.Output, j.shard.Folder, true)
	f.quarantine = place(j.cfg.Private, quarantineOf(j.shard), false)
	if j.cfg.Findings {
		f.finding = place(j.cfg.Private, FindingsFolder, false)
		f.findings = table.NewFindingsWriter(f.finding)
	}
	for _, c := range []*counted{f.notes, f.quarantine, f.finding} {
		if c == nil {
			continue
		}
		if err := checkWay(j.cfg, c.written); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// close finishes the files and returns what was written.
func (f *shardFiles) close(quarantined bool) ([]schemas.Written, error) {
	all := []*counted{f.notes}
	if f.findings != nil {
		if err := f.findings.Close(); err != nil {
			return nil, err
		}
		all = append(all, f.finding)
	}
	if quarantined {
		all = append(all, f.quarantine)
	}
	var written []schemas.Written
	for _, c := range all {
		w, err := c.close()
		if err != nil {
			return nil, err
		}
		written = append(written, w)
	}
	return written, nil
}

// closeQuarantine throws away what is to be released, which is empty, and returns the
// quarantine, if there is any.
func (f *shardFiles) closeQuarantine(quarantined bool) (written []schemas.Written, err error) {
	if quarantined {
		w, err := f.quarantine.close()
		if err != nil {
			return nil, err
		}
		written = append(written, w)
	}
	if f.findings != nil {
		if err := f.findings.Close(); err != nil {
			return nil, err
		}
	}
	f.abort()
	return written, nil
}

// abort throws away what close has not finished, with the attempt's own folders. The
// run's stays, if empty: another shard may be about to make its first file there. It goes
// with the run.
func (f *shardFiles) abort() {
	for _, c := range []*counted{f.notes, f.quarantine, f.finding} {
		if c != nil && c.w != nil {
			_ = c.w.Abort()
			c.w = nil
			storage.Prune(storage.Dir(c.written.Temporary), c.run)
		}
	}
}

// counted is a file that is made with its first byte, and counts and hashes
// what is written.
type counted struct {
	ctx     context.Context
	run     string // folder of the run's temporary files that it lies in
	w       storage.Writer
	hash    hash.Hash
	written schemas.Written
}

func (c *counted) Write(p []byte) (int, error) {
	if c.w == nil {
		create := storage.CreatePrivate
		if c.written.Released {
			create = storage.Create
		}
		w, err := create(c.ctx, c.written.Temporary)
		if err != nil {
			return 0, err
		}
		c.w = w
	}
	n, err := c.w.Write(p)
	c.hash.Write(p[:n])
	c.written.Bytes += int64(n)
	return n, err
}

func (c *counted) close() (schemas.Written, error) {
	if c.w == nil {
		if _, err := c.Write(nil); err != nil {
			return c.written, err
		}
	}
	err := c.w.Close()
	c.w = nil
	c.written.Digest = hex.EncodeToString(c.hash.Sum(nil))
	return c.written, err
}
