package transforms

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/model/deid"
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
	found, err := e.detect(ctx, shard)
	if err != nil {
		return fmt.Errorf("shard %d: %w", shard.Number, err)
	}
	spans, documents = counting(spans), counting(documents)
	byPatient := map[int]*schemas.SpanBatch{}
	byDocument := map[int]*schemas.DocumentBatch{}
	for i := range found {
		n := found[i]
		bucket := e.keys.Bucket(n.Patient, fn.Config.Buckets)
		b := byPatient[bucket]
		if b == nil {
			b = &schemas.SpanBatch{Shard: shard.Number}
			byPatient[bucket] = b
		}
		b.Notes = append(b.Notes, n)
		if n.Failure == deid.ReasonNoDocumentID {
			continue
		}
		bucket = e.keys.Bucket(n.Document, fn.Config.Buckets)
		d := byDocument[bucket]
		if d == nil {
			d = &schemas.DocumentBatch{Shard: shard.Number}
			byDocument[bucket] = d
		}
		d.IDs = append(d.IDs, schemas.DocumentID{Hash: e.hash(n.Document), Row: n.Row})
	}
	for _, bucket := range sortedKeys(byPatient) {
		spans(bucket, byPatient[bucket].Encode())
	}
	for _, bucket := range sortedKeys(byDocument) {
		documents(bucket, byDocument[bucket].Encode())
	}
	counting(days)(shard.Table, e.days(shard, found).Encode())
	notesCounter.Inc(ctx, int64(len(found)))
	progress.Detected.Add(1)
	return nil
}

// batchNotes bounds the notes of one batch, for tables of very short ones.
const batchNotes = 1024

// detect returns what the taggers found in a shard, in row order. Batches of
// notes are tagged concurrently; only spans are kept.
func (e *engine) detect(ctx context.Context, shard schemas.Shard) ([]deid.Note, error) {
	binding, object, err := openShard(ctx, e.cfg, shard, false)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	var results []*[]deid.Note
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(e.workers)
	dispatch := func(row int64, batch []table.Note) {
		result := new([]deid.Note)
		results = append(results, result)
		g.Go(func() error {
			release, err := e.acquire(ctx)
			if err != nil {
				return err
			}
			defer release()
			*result, err = e.tag(row, batch)
			return err
		})
	}
	row := int64(0)
	for group := shard.FirstGroup; group < shard.FirstGroup+shard.Groups; group++ {
		var batch []table.Note
		size := 0
		err := binding.ReadNotes(ctx, group, func(notes []table.Note) error {
			for _, n := range notes {
				if e.cfg.Limit > 0 && row+int64(len(batch)) == shard.Rows {
					return errEnough
				}
				batch = append(batch, n)
				for _, t := range n.Texts {
					size += len(t.Value)
				}
				if size >= e.cfg.BatchBytes || len(batch) >= batchNotes {
					dispatch(row, batch)
					row += int64(len(batch))
					batch, size = nil, 0
				}
			}
			return ctx.Err()
		})
		if err != nil && !errors.Is(err, errEnough) {
			if failed := g.Wait(); failed != nil {
				return nil, failed // why the reader was stopped
			}
			return nil, err
		}
		if len(batch) > 0 {
			dispatch(row, batch)
			row += int64(len(batch))
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if row != shard.Rows {
		return nil, fmt.Errorf("%s: row groups %d to %d hold %d rows, the footer says %d", shard.File, shard.FirstGroup,
			shard.FirstGroup+shard.Groups-1, row, shard.Rows)
	}
	var notes []deid.Note
	for _, r := range results {
		notes = append(notes, *r...)
	}
	return notes, nil
}

// tag runs every tagger over a batch of notes, whose first has the given row
// number in the shard.
func (e *engine) tag(row int64, batch []table.Note) ([]deid.Note, error) {
	notes, texts := make([]deid.Note, len(batch)), make([][]string, len(batch))
	bytes := 0
	for i := range batch {
		notes[i], texts[i] = e.identify(batch[i], row+int64(i)), textsOf(batch[i].Texts)
		for _, t := range texts[i] {
			bytes += len(t)
		}
	}
	tokens, err := e.detector.Detect(notes, texts)
	if err != nil {
		return nil, err
	}
	progress.Notes.Add(int64(len(notes)))
	progress.Tokens.Add(int64(tokens))
	progress.Bytes.Add(int64(bytes))
	return notes, nil
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

// identify is engine.identify, but for links between patients.
func (c *Config) identify(n table.Note, row int64) deid.Note {
	note := deid.Note{Row: row, Document: n.DocumentID.Text, Patient: n.PatientID.Text}
	if noID(n.DocumentID) && (c.Columns.DocumentID != "" || !c.Columns.Textless) {
		note.Failure = deid.ReasonNoDocumentID
	}
	if noID(n.PatientID) {
		note.Orphan, note.Patient = true, deid.OrphanPatient(note.Document)
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
	for _, shard := range shards {
		if _, err := e.detect(ctx, shard); err != nil {
			return 0, 0, err
		}
	}
	return progress.Tokens.Load(), progress.Bytes.Load(), nil
}
