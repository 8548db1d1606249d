package transforms

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/model/roworder"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// partsFolder holds, among a run's temporary files, those that Gather merges.
const partsFolder = "parts"

// partsAtOnce bounds the parts that are written, or read, at once: they are
// small, and in stores of objects each takes as long as a request.
const partsAtOnce = 16

// scatter cuts the released rows of a shard, which lie in a temporary file in the
// order of the input, into parts for the output files: each row to that which a
// keyed hash of its patient names. The temporary is removed.
func (j *shardJob) scatter(ctx context.Context, notes schemas.Written, attempt string) (parts []schemas.Part, err error) {
	object, err := storage.Open(ctx, notes.Temporary)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	f, err := table.Open(object, object.Size(), notes.Temporary)
	if err != nil {
		return nil, err
	}
	schema := f.SchemaDigest()
	if j.shard.Table > 0 { // its rows never share a file with another table's
		schema = j.shard.Folder + " " + schema
	}
	var open *bytes.Buffer
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(partsAtOnce)
	create := func(run, file int) (io.Writer, error) {
		open = &bytes.Buffer{}
		name := fmt.Sprintf("%05d-%05d-%05d.parquet", j.shard.Number, run, file)
		parts = append(parts, schemas.Part{Table: j.shard.Table, Shard: j.shard.Number, Run: run, Attempt: attempt, Schema: schema, File: file,
			Temporary: storage.Join(temporary(j.cfg.Output, j.cfg.RunID), attempt, partsFolder, name)})
		return open, nil
	}
	done := func(rows int64) error {
		p := &parts[len(parts)-1]
		p.Rows, p.Bytes = rows, int64(open.Len())
		name, content := p.Temporary, open.Bytes()
		g.Go(func() error {
			if err := storage.NoLinks(j.cfg.Output, name); err != nil {
				return err
			}
			return storage.WriteFile(within, name, content)
		})
		return nil
	}
	err = f.Scatter(within, j.place(j.cfg.files(j.shard)), heldBytes, create, done)
	if failed := g.Wait(); failed != nil { // which is why Scatter was stopped, if it was
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return parts, storage.Remove(ctx, notes.Temporary)
}

// place says where rows go among that many files, by their released ids.
func (e *engine) place(files int) table.Place {
	return placeOf(e.cfg, func(patient, document string) roworder.Key { return roworder.Place(e.keys, files, patient, document) })
}

// placeOf is place for any function of the ids.
func placeOf(cfg Config, of func(patient, document string) roworder.Key) table.Place {
	return table.Place{Document: cfg.Columns.DocumentID, Patient: cfg.Columns.PatientID, Line: cfg.Columns.Line,
		Of: func(patient, document table.ID) roworder.Key {
			if noID(patient) { // of its own
				patient.Text = ""
			}
			return of(patient.Text, document.Text)
		}}
}
