package transforms

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lines"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// ahead rewrites the notes of a shard that lie over several rows: it reads the
// shard's rows a second time, in front of the writer, as far as the last row of
// each note that the writer has come to. In memory it holds the rows between: of a
// table that has a note's rows beside each other few, of one in another order as many
// as lie between the first and the last row of a note.
type ahead struct {
	j        *shardJob
	b        *table.Binding
	index    *table.LineIndex
	together *table.Together[aheadRow]

	group  int // being read
	reader *table.RowReader
	read   int64 // rows of the shard
	batch  []*table.Row
	done   map[int64]aheadRow // by row of the shard
}

// aheadRow is a row, and what became of it.
type aheadRow struct {
	row    *table.Row
	group  int
	result result
}

// newAhead returns nil where each row is a note.
func (j *shardJob) newAhead(ctx context.Context, b *table.Binding) (*ahead, error) {
	index, err := b.Lines(ctx, j.shard.FirstGroup, j.shard.Groups, j.shard.Rows)
	if err != nil || index == nil {
		return nil, err
	}
	return &ahead{j: j, b: b, index: index, together: table.NewTogether[aheadRow](index), group: j.shard.FirstGroup - 1,
		done: map[int64]aheadRow{}}, nil
}

func (a *ahead) close() {
	if a != nil && a.reader != nil {
		a.reader.Close()
	}
}

// take makes of the writer's rows what was made of them here. before is how many
// rows of the shard come before their row group.
func (a *ahead) take(ctx context.Context, before int64, batch []*table.Row, results []result) error {
	last := int64(0)
	for _, row := range batch {
		last = max(last, a.index.Units[a.index.Of(before+row.Row)].Last)
	}
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(a.j.workers)
	var finished [][]aheadRow
	var units []int
	for a.read <= last {
		row, err := a.next(ctx)
		if err != nil {
			return err
		}
		unit, rows := a.together.Add(a.read, aheadRow{row: row, group: a.group})
		a.read++
		if rows != nil {
			finished, units = append(finished, rows), append(units, unit)
		}
	}
	for i, rows := range finished {
		g.Go(func() error {
			release, err := a.j.acquire(within)
			if err != nil {
				return err
			}
			defer release()
			return a.rewrite(&a.index.Units[units[i]], rows)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := a.readAgain(ctx, finished, units); err != nil {
		return err
	}
	for i, rows := range finished {
		for k, at := range a.index.Units[units[i]].Rows {
			a.done[at] = rows[k]
		}
	}
	for i, row := range batch {
		at := before + row.Row
		d, ok := a.done[at]
		if !ok {
			return fmt.Errorf("row %d was not read ahead", at)
		}
		delete(a.done, at)
		row.Take(d.row)
		results[i] = d.result
	}
	return nil
}

// readAgain has the gate's second reader, if there is one, read notes. All rows of one that
// it cannot read go to quarantine.
func (a *ahead) readAgain(ctx context.Context, finished [][]aheadRow, units []int) error {
	if !a.j.readsAgain() {
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(a.j.workers)
	for at := 0; at < len(finished); at += notesAtOnce {
		g.Go(func() error {
			release, err := a.j.acquire(ctx)
			if err != nil {
				return err
			}
			defer release()
			var notes []readNote
			var of [][]aheadRow
			for i := at; i < min(at+notesAtOnce, len(finished)); i++ {
				if rows := finished[i]; !gone(rows[0].row) {
					notes = append(notes, readNote{audited: &rows[0].result.audited, row: a.index.Units[units[i]].Rows[0],
						document: rows[0].row.DocumentID.Text})
					of = append(of, rows)
				}
			}
			if err := a.j.auditor.read(notes); err != nil {
				return err
			}
			for i, n := range notes {
				if n.failure == "" {
					continue
				}
				for _, r := range of[i] {
					hold(r.row, n.failure, a.j.shard, r.group)
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// next returns the next row of the shard.
func (a *ahead) next(ctx context.Context) (*table.Row, error) {
	for len(a.batch) == 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.reader != nil {
			var err error
			if a.batch, err = a.reader.Next(); err != nil {
				return nil, err
			}
			if len(a.batch) > 0 {
				break
			}
			a.reader.Close()
		}
		a.group++
		if a.group >= a.j.shard.FirstGroup+a.j.shard.Groups {
			return nil, fmt.Errorf("%s: there are fewer rows than the footer says", a.j.shard.File)
		}
		var err error
		if a.reader, err = a.b.Rows(a.group); err != nil {
			return nil, err
		}
	}
	row := a.batch[0]
	a.batch = a.batch[1:]
	return row, nil
}

// rewrite edits all rows of a note, which are in the order of its lines, or
// quarantines them all.
func (a *ahead) rewrite(unit *table.LineUnit, rows []aheadRow) (err error) {
	reason := deid.ReasonReplaceFailed
	defer func() {
		if recover() != nil { // what it says may quote the note
			reason = deid.ReasonReplaceFailed
		}
		for i := range rows {
			if reason != "" {
				hold(rows[i].row, reason, a.j.shard, rows[i].group)
			}
		}
	}()
	p := a.j.plans[unit.Rows[0]]
	if p != nil {
		defer p.patient.done()
	}
	if reason = a.j.refused(p, unit.Rows[0]); reason != "" {
		return nil
	}
	notes := make([]table.Note, len(rows))
	for i := range rows {
		notes[i] = rows[i].row.Note
	}
	whole, cut := a.b.Joined(notes)
	if deid.HashTexts(textsOf(whole.Texts)) != p.Hash {
		return fmt.Errorf("%s %w", a.j.shard.File, errChanged)
	}
	patient := p.patient.open(unit.Rows[0])
	for i := range rows {
		r := &rows[i]
		if a.j.rewriteRest(a.b, r.row, p, patient, &r.result); gone(r.row) {
			reason, _ = r.row.Quarantined()
			return nil
		}
	}
	ref := patient.Reference(&deid.Note{Dated: whole.HasDate, Day: int(whole.NoteDate), Order: p.Order})
	first := &rows[0].result
	for k, t := range whole.Texts {
		if t.Null {
			continue
		}
		var released deid.Released
		if released, reason = a.j.rewriteText(t.Value, k, whole.DocumentID.Text, patient, p.Spans, ref, first); reason != "" {
			return nil
		}
		pieces := make([]lines.Piece, len(released.Replacements))
		for i, x := range released.Replacements {
			pieces[i] = lines.Piece{Start: x.Start, End: x.End, New: x.New}
		}
		again := cut[k].Cut(pieces)
		for i := range rows {
			if rows[i].row.Texts[k].Null && again.Lines[i] == "" {
				continue
			}
			if rows[i].row.SetText(k, again.Lines[i]) != nil {
				reason = deid.ReasonReplaceFailed
				return nil
			}
		}
		if a.j.auditor != nil {
			a.j.auditor.text(unit.Rows[0], p.patient, whole.DocumentID.Text, a.j.cfg.Columns.Text[t.Column], t.Element, t.Value, released,
				&first.audited)
		}
		if a.j.cfg.Findings {
			first.findings = append(first.findings, a.findings(notes, whole.Texts[k].Column, t.Value, released, again)...)
		}
	}
	first.counts.LineGaps += gaps(cut)
	reason = ""
	return nil
}

// findings describes what was replaced in a note: offsets are of its lines together,
// and the element is the number of the line that has the replacement.
func (a *ahead) findings(notes []table.Note, column int, text string, released deid.Released, again lines.Cut) []table.Finding {
	released.Text = again.Text
	for i := range released.Replacements {
		x := &released.Replacements[i]
		x.OutStart, x.OutEnd = again.Starts[i], again.Starts[i]+len(x.New)
	}
	all := findings(notes[0].DocumentID.Text, a.j.cfg.Columns.Text[column], "", text, released)
	for i := range all {
		all[i].Element = notes[again.Of[i]].Line.Text
	}
	return all
}

// gaps is 1 for a note in which the number of a line is missing.
func gaps(cut []*lines.Note) int64 {
	if len(cut) > 0 && cut[0].Gaps() > 0 {
		return 1
	}
	return 0
}
