package transforms

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

func init() {
	registerDoFn((*detectFn).process, func(f detectProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(schemas.Shard), args[2].(func(int, []byte)), args[3].(func(int, []byte)),
			args[4].(func(int, []byte)))
	})
	register.Emitter2[int, []byte]()
}

// Detect reads the ids and texts of each shard and runs every tagger. It
// returns the spans by bucket of the patient and the hashed document ids by
// bucket of the document, one packed batch per shard and bucket, and the days
// on which notes were written, one batch per shard, all under one key.
// KV<int, []byte> (schemas.SpanBatch), KV<int, []byte> (schemas.DocumentBatch), KV<int, []byte> (schemas.DayBatch)
func Detect(s beam.Scope, cfg Config, shards beam.PCollection) (spans, documents, days beam.PCollection) {
	s = s.Scope("transforms.Detect")
	return beam.ParDo3(s, &detectFn{Config: cfg}, shards)
}

type detectFn struct {
	Config Config

	engine *engine
}

func (fn *detectFn) Setup(ctx context.Context) (err error) {
	fn.engine, err = engineFor(ctx, fn.Config)
	return err
}

// detectProcess is the type of its ProcessElement.
type detectProcess = func(context.Context, schemas.Shard, func(int, []byte), func(int, []byte), func(int, []byte)) error

func (fn *detectFn) process() detectProcess { return fn.ProcessElement }

func (fn *detectFn) ProcessElement(ctx context.Context, shard schemas.Shard, spans, documents, days func(int, []byte)) error {
	ctx, done, err := holding(ctx, fn.Config)
	if err != nil {
		return err
	}
	defer done()
	e := fn.engine.ofTable(shard.Table)
	if shard.Table > 0 {
		if err := e.survey(ctx, shard, counting(spans), counting(documents), counting(days)); err != nil {
			return fmt.Errorf("shard %d: %w", shard.Number, err)
		}
		progress.Detected.Add(1)
		return nil
	}
	found, rows, err := e.detectOnce(ctx, shard)
	if err != nil {
		return fmt.Errorf("shard %d: %w", shard.Number, err)
	}
	e.batches(shard, found, rows).emit(spans, documents)
	counting(days)(shard.Table, e.days(shard, e.night.unseen(found, rows)).Encode())
	notesCounter.Inc(ctx, int64(len(found)))
	progress.Detected.Add(1)
	return nil
}

// batchNotes bounds the notes of one batch, for tables of very short ones.
const batchNotes = 1024

// detectOnce is detect; of a job with a state it takes what an earlier run of the
// same night has found.
func (e *engine) detectOnce(ctx context.Context, shard schemas.Shard) ([]deid.Note, []history.Row, error) {
	if e.night == nil {
		return e.detect(ctx, shard)
	}
	if b := e.night.found(ctx, e.cfg, shard); b != nil {
		return b.Notes, b.Rows, nil
	}
	notes, rows, err := e.detect(ctx, shard)
	if err == nil {
		err = e.night.keep(ctx, e.cfg, shard, &schemas.SpanBatch{Shard: shard.Number, Notes: notes, Rows: rows})
	}
	return notes, rows, err
}

// detect returns what the taggers found in a shard, in row order, and with a state
// how each row stands to it. Batches of notes are tagged concurrently; only spans
// are kept.
func (e *engine) detect(ctx context.Context, shard schemas.Shard) ([]deid.Note, []history.Row, error) {
	binding, object, err := openShard(ctx, e.cfg, shard, false)
	if err != nil {
		return nil, nil, err
	}
	defer object.Close()
	type tagged struct {
		notes []deid.Note
		rows  []history.Row
	}
	digests, err := e.digests(ctx, binding, shard)
	if err != nil {
		return nil, nil, err
	}
	var results []*tagged
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(e.workers)
	dispatch := func(batch []unit) {
		result := new(tagged)
		results = append(results, result)
		g.Go(func() error {
			release, err := e.acquire(ctx)
			if err != nil {
				return err
			}
			defer release()
			result.notes, result.rows, err = e.tag(batch, digests)
			return err
		})
	}
	var batch []unit
	size := 0
	err = e.cfg.eachUnit(ctx, binding, shard, func(u unit) error {
		batch = append(batch, u)
		for _, t := range u.Texts {
			size += len(t.Value)
		}
		if size >= e.cfg.BatchBytes || len(batch) >= batchNotes || u.ends {
			dispatch(batch)
			batch, size = nil, 0
		}
		return ctx.Err()
	})
	if len(batch) > 0 && err == nil {
		dispatch(batch)
	}
	if failed := g.Wait(); failed != nil {
		return nil, nil, failed // why the reader was stopped, if it was
	}
	if err != nil {
		return nil, nil, err
	}
	var notes []deid.Note
	var rows []history.Row
	for _, r := range results {
		notes, rows = append(notes, r.notes...), append(rows, r.rows...)
	}
	return notes, rows, nil
}

// tag runs every tagger over a batch of notes. With a state, digests are those of the
// shard's rows, and notes of which findings are remembered are passed over.
func (e *engine) tag(batch []unit, digests [][32]byte) ([]deid.Note, []history.Row, error) {
	notes, texts := make([]deid.Note, len(batch)), make([][]string, len(batch))
	bytes, rows := 0, 0
	for i := range batch {
		notes[i], texts[i] = e.cfg.identifyUnit(&batch[i]), textsOf(batch[i].Texts)
		e.links.Apply(&notes[i])
		for _, t := range texts[i] {
			bytes += len(t)
		}
		rows += batch[i].rows
	}
	var standing []history.Row
	if e.night != nil {
		standing = make([]history.Row, len(batch))
		for i := range batch {
			standing[i] = e.night.row(&notes[i], texts[i], digests[batch[i].row])
		}
	}
	tokens, err := e.detectFresh(notes, texts, standing)
	if err != nil {
		return nil, nil, err
	}
	progress.Notes.Add(int64(rows))
	progress.Tokens.Add(int64(tokens))
	progress.Bytes.Add(int64(bytes))
	return notes, standing, nil
}

// digests returns a digest of each row of a shard, of a job with a state.
func (e *engine) digests(ctx context.Context, b *table.Binding, shard schemas.Shard) (all [][32]byte, err error) {
	if e.night == nil {
		return nil, nil
	}
	for group := shard.FirstGroup; group < shard.FirstGroup+shard.Groups; group++ {
		of, err := b.RowDigests(ctx, group)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	return all, nil
}

// detectFresh runs the taggers over the notes of which nothing is remembered: all,
// without a state.
func (e *engine) detectFresh(notes []deid.Note, texts [][]string, rows []history.Row) (tokens int, err error) {
	if rows == nil {
		return e.detector.Detect(notes, texts)
	}
	var which []int
	var fresh []deid.Note
	var of [][]string
	for i := range notes {
		if rows[i].Kind == history.Fresh {
			which, fresh, of = append(which, i), append(fresh, notes[i]), append(of, texts[i])
		}
	}
	tokens, err = e.detector.Detect(fresh, of)
	for k, i := range which {
		notes[i] = fresh[k]
	}
	return tokens, err
}

// textsOf returns the texts of a row, "" for null.
func textsOf(all []table.Text) []string {
	texts := make([]string, len(all))
	for i, t := range all {
		if !t.Null {
			texts[i] = t.Value
		}
	}
	return texts
}

// identify says who a note is about, but for links between patients, when it was
// written, and what the table says of its dates.
func (c *Config) identify(n table.Note, row int64) deid.Note {
	note := deid.Note{Row: row, Document: n.DocumentID.Text}
	note.Patient, note.Orphan = PatientOfRow(n)
	if noID(n.DocumentID) && (c.Columns.DocumentID != "" || !c.Columns.Textless) {
		note.Failure = deid.ReasonNoDocumentID
	}
	if day := int(n.NoteDate); n.HasDate && deid.PlausibleDay(day) {
		note.Dated, note.Day = true, day
	}
	if c.Columns.DateOffset != "" && note.Failure == "" {
		// A note without a usable offset is not processed: a keyed one in its
		// place would differ from the patient's other notes.
		days, err := strconv.Atoi(n.DateOffset.Text)
		if n.DateOffset.Null || err != nil || !deid.UsableOffset(days) {
			note.Failure = deid.ReasonDateOffset
		} else {
			note.Offset = days
		}
	}
	return note
}

// PatientOfRow returns the patient that a note is of: its patient id, or where that says
// nothing deid.OrphanPatient of its document id, of one that has no other note.
func PatientOfRow(n table.Note) (id string, orphan bool) {
	if noID(n.PatientID) {
		return deid.OrphanPatient(n.DocumentID.Text), true
	}
	return n.PatientID.Text, false
}

// noID reports whether an id says nothing: null, empty, or blanks alone.
func noID(id table.ID) bool { return id.Null || strings.TrimSpace(id.Text) == "" }

// DetectAlone runs the first pass over all inputs without Beam and without
// keeping what it finds, and returns the tokens and bytes of text it saw: what
// the pass costs by itself.
func DetectAlone(ctx context.Context, cfg Config) (tokens, bytes int64, err error) {
	e, err := engineFor(ctx, cfg)
	if err != nil {
		return 0, 0, err
	}
	shards, err := ListShards(ctx, cfg.NotesAlone())
	if err != nil {
		return 0, 0, err
	}
	progress.begin(shards)
	defer e.rest() // as before Rewrite
	for _, shard := range shards {
		if _, _, err := e.detect(ctx, shard); err != nil {
			return 0, 0, err
		}
	}
	return progress.Tokens.Load(), progress.Bytes.Load(), nil
}
