package transforms

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// notesAtOnce is how many notes one goroutine takes at once.
const notesAtOnce = 32

// rewriteBatch edits the rows of one batch concurrently, then counts them and
// writes their findings in order.
func (j *shardJob) rewriteBatch(ctx context.Context, b *table.Binding, before int64, batch []*table.Row, all *schemas.Counts,
	files *shardFiles) error {
	results := make([]result, len(batch))
	if j.ahead != nil {
		if err := j.ahead.take(ctx, before, batch, results); err != nil {
			return err
		}
		return j.count(batch, results, before, all, files)
	}
	turns := byPatient(j.patientsOf(batch, before))
	rows, done := make([]*table.Row, len(batch)), make([]result, len(batch))
	for i, at := range turns {
		rows[i] = batch[at]
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(j.workers)
	for at := 0; at < len(rows); at += notesAtOnce {
		g.Go(func() error {
			release, err := j.acquire(ctx)
			if err != nil {
				return err
			}
			defer release()
			for i := at; i < min(at+notesAtOnce, len(rows)); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if done[i], err = j.rewriteRow(b, before+rows[i].Row, rows[i]); err != nil {
					return err
				}
			}
			return j.read(rows[at:min(at+notesAtOnce, len(rows))], done[at:], before)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, at := range turns {
		results[at] = done[i]
	}
	return j.count(batch, results, before, all, files)
}

// count counts what became of the rows of a batch, and writes their findings.
func (j *shardJob) count(batch []*table.Row, results []result, before int64, all *schemas.Counts, files *shardFiles) error {
	for i := range results {
		// What was found in a row that is not released is not counted: the counts
		// describe the output.
		reason, gone := batch[i].Quarantined()
		j.settle(before+batch[i].Row, batch[i], &results[i], all)
		if gone {
			all.Reasons[reason]++
			continue
		}
		if batch[i].Omitted() {
			continue
		}
		all.Add(&results[i].counts)
		if j.auditor != nil {
			j.auditor.add(j.shard.Number, &results[i].audited)
		}
		batch[i].Tally(j.tally)
		j.lookout.look(results[i].kept, results[i].known)
		for _, column := range results[i].unread {
			j.unread[column]++
		}
		if j.cfg.Findings {
			if err := files.findings.Write(results[i].findings); err != nil {
				return err
			}
		}
	}
	progress.Released.Add(int64(len(batch)))
	return nil
}

// readsAgain tells whether a gate has a second reader.
func (j *shardJob) readsAgain() bool { return j.auditor != nil && j.auditor.reader != nil }

// read has the gate's second reader, if there is one, read what became of some rows. Rows
// that it cannot read go to quarantine.
func (j *shardJob) read(rows []*table.Row, results []result, before int64) error {
	if !j.readsAgain() {
		return nil
	}
	var notes []readNote
	var of []*table.Row
	for i, row := range rows {
		if !gone(row) && !row.Omitted() {
			notes = append(notes, readNote{audited: &results[i].audited, row: before + row.Row, document: row.DocumentID.Text})
			of = append(of, row)
		}
	}
	if err := j.auditor.read(notes); err != nil {
		return err
	}
	for i, n := range notes {
		if n.failure != "" {
			of[i].Quarantine(n.failure)
		}
	}
	return nil
}
