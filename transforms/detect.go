package transforms

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

func init() {
	register.DoFn4x1[context.Context, schemas.Shard, func(int, []byte), func(int, []byte), error](&detectFn{})
	register.Emitter2[int, []byte]()
}

// Detect reads the ids and texts of each shard and runs every tagger. It
// returns the spans by bucket of the patient and the hashed document ids by
// bucket of the document, one packed batch per shard and bucket.
func Detect(s beam.Scope, cfg Config, shards beam.PCollection) (spans, documents beam.PCollection) { // KV<int, []byte> (schemas.SpanBatch), KV<int, []byte> (schemas.DocumentBatch)
	s = s.Scope("transforms.Detect")
	return beam.ParDo2(s, &detectFn{Config: cfg}, shards)
}

type detectFn struct {
	Config Config
}

func (fn *detectFn) ProcessElement(ctx context.Context, shard schemas.Shard, spans, documents func(int, []byte)) error {
	ctx, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	e, err := engineFor(ctx, fn.Config)
	if err != nil {
		return err
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
		if n.Failure == ReasonNoDocumentID {
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
	notesCounter.Inc(ctx, int64(len(found)))
	progress.Detected.Add(1)
	return nil
}

// batchNotes bounds the notes of one batch, for tables of very short ones.
const batchNotes = 1024

// detect returns what the taggers found in a shard, in row order. Batches of
// notes are tagged concurrently; only spans are kept.
func (e *engine) detect(ctx context.Context, shard schemas.Shard) ([]schemas.Note, error) {
	binding, object, err := openShard(ctx, e.cfg, shard)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	var results []*[]schemas.Note
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(e.workers)
	dispatch := func(row int64, batch []table.Note) {
		result := new([]schemas.Note)
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
		if err != nil {
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
		return nil, fmt.Errorf("%s: row groups %d to %d hold %d rows, the footer says %d", shard.File, shard.FirstGroup, shard.FirstGroup+shard.Groups-1, row, shard.Rows)
	}
	var notes []schemas.Note
	for _, r := range results {
		notes = append(notes, *r...)
	}
	return notes, nil
}

// tag runs every tagger over a batch of notes, whose first has the given row
// number in the shard. A note that cannot be tagged leaves with a reason; an
// error means that the taggers themselves are broken.
func (e *engine) tag(row int64, batch []table.Note) ([]schemas.Note, error) {
	notes, texts, err := e.tagRaw(row, batch)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		n := &notes[t.note]
		if n.Failure == "" {
			combined := ensemble.Combine(t.Text.Text, t.Tokens, slices.Concat(t.rules, t.staff, t.network), e.cfg.tagging())
			n.Spans = appendSpans(n.Spans, t.column, t.Text.Text, combined)
		}
	}
	tokens, bytes := 0, 0
	for _, t := range texts {
		tokens += len(t.Tokens)
		bytes += len(t.Text.Text)
	}
	for i := range notes {
		sortSpans(notes[i].Spans)
	}
	progress.Notes.Add(int64(len(notes)))
	progress.Tokens.Add(int64(tokens))
	progress.Bytes.Add(int64(bytes))
	return notes, nil
}

// doubtful is the score below which a date of the network that reads like a
// score ("Apgar 8/9") is left alone: a moved score is another finding.
const doubtful = 0.5

// withoutScores drops such dates from what the network found in a text.
func withoutScores(text string, found []phi.Span) []phi.Span {
	return slices.DeleteFunc(found, func(s phi.Span) bool {
		return s.Type == phi.Date && s.Score < doubtful && rules.Score(text, s.Start, s.End)
	})
}

// tagged is one text of a note and what each tagger found in it.
type tagged struct {
	owner
	bilstmcrf.Text
	rules, staff, network []phi.Span
}

// tagRaw is tag without bringing the taggers' spans together.
func (e *engine) tagRaw(row int64, batch []table.Note) ([]schemas.Note, []tagged, error) {
	notes := make([]schemas.Note, len(batch))
	var texts []bilstmcrf.Text
	var owners []owner
	var all []tagged
	rules := e.matchers.Get().(matcher)
	defer func() { e.matchers.Put(rules) }()
	for i := range batch {
		n := &notes[i]
		*n = identify(batch[i], row+int64(i))
		e.supplyOffset(n, batch[i].DateOffset)
		if n.Failure == "" {
			n.Failure = e.unfit(batch[i])
		}
		if n.Failure != "" {
			continue
		}
		for column, t := range batch[i].Texts {
			if t.Null || t.Value == "" {
				continue
			}
			cut := token.Tokenize(nil, t.Value)
			x := tagged{owner: owner{i, column}}
			if e.cfg.has(StepRules) {
				var ok bool
				if x.rules, ok = match1(rules, t.Value, cut); !ok {
					rules = e.matchers.New().(matcher) // the old one may be broken
					n.Failure = ReasonTaggerFailed
					break
				}
			}
			if e.staff != nil {
				x.staff = e.staff.Sweep(nil, t.Value, cut)
			}
			x.Text = bilstmcrf.Text{Text: t.Value, Tokens: cut}
			all = append(all, x)
			texts = append(texts, x.Text)
			owners = append(owners, x.owner)
		}
	}
	found, err := e.network.Tag(texts)
	if err != nil {
		// Some text breaks the network: find out which, alone.
		if found, err = e.tagApart(texts, owners, notes, err); err != nil {
			return nil, nil, err
		}
	}
	for k := range all {
		all[k].network = withoutScores(all[k].Text.Text, found[k])
	}
	return notes, all, nil
}

type owner struct{ note, column int }

const probe = "The patient was seen today."

// tagApart tags texts one by one and marks the notes of those that fail. If
// all fail, and a harmless text does too, the cause is not in the texts, and it
// returns it.
func (e *engine) tagApart(texts []bilstmcrf.Text, owners []owner, notes []schemas.Note, cause error) ([][]phi.Span, error) {
	all := make([][]phi.Span, len(texts))
	good := 0
	for k := range texts {
		found, err := e.network.Tag(texts[k : k+1])
		if err != nil {
			notes[owners[k].note].Failure = ReasonTaggerFailed
			notes[owners[k].note].Spans = nil
			continue
		}
		all[k] = found[0]
		good++
	}
	if good == 0 {
		// One note may have been alone. Ask the network about a harmless text.
		if _, err := e.network.Tag([]bilstmcrf.Text{{Text: probe, Tokens: token.Tokenize(nil, probe)}}); err != nil {
			return nil, fmt.Errorf("network: %w", cause)
		}
	}
	return all, nil
}

// identify fills in who a note is about.
func identify(n table.Note, row int64) schemas.Note {
	note := schemas.Note{Row: row, Document: n.DocumentID.Text, Patient: n.PatientID.Text}
	if noID(n.DocumentID) {
		note.Failure = ReasonNoDocumentID
	}
	if noID(n.PatientID) {
		note.Orphan, note.Patient = true, schemas.OrphanPatient(note.Document)
	}
	note.Dated, note.Day = n.HasDate, int(n.NoteDate)
	return note
}

// noID reports whether an id says nothing: null, empty, or blanks alone.
func noID(id table.ID) bool { return id.Null || strings.TrimSpace(id.Text) == "" }

// unfit returns why a note cannot be processed, or "".
func (e *engine) unfit(n table.Note) string {
	for _, t := range n.Texts {
		if len(t.Value) > e.cfg.MaxNoteBytes {
			return ReasonTooLarge
		}
		if !utf8.ValidString(t.Value) {
			return ReasonInvalidUTF8
		}
	}
	return ""
}

// match1 runs the rule tagger. A panic costs the note, not the job; what it
// says may quote the text, so it is not repeated.
func match1(m matcher, text string, tokens []token.Token) (found []phi.Span, ok bool) {
	defer func() {
		if recover() != nil {
			found, ok = nil, false
		}
	}()
	return m.Tag(nil, text, tokens), true
}

func appendSpans(dst []schemas.Span, column int, text string, found []ensemble.Found) []schemas.Span {
	for _, s := range found {
		dst = append(dst, schemas.Span{Span: s.Span, Column: column, Surface: text[s.Start:s.End], Cue: s.Cue})
	}
	return dst
}

// DetectAlone runs the first pass over all inputs without Beam and without
// keeping what it finds, and returns the tokens and bytes of text it saw: what
// the pass costs by itself.
func DetectAlone(ctx context.Context, cfg Config) (tokens, bytes int64, err error) {
	e, err := engineFor(ctx, cfg)
	if err != nil {
		return 0, 0, err
	}
	shards, err := ListShards(ctx, cfg)
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
