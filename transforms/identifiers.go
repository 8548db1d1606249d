package transforms

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	registerDoFn((*identifierFilesFn).process, func(f identifierFilesProcess, args []any) error {
		return f(args[0].(context.Context), args[1].([]byte), args[2].(func(storage.Info)))
	})
	registerDoFn((*identifiersFn).process, func(f identifiersProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(storage.Info), args[2].(func(int, []byte)))
	})
	register.Emitter1[storage.Info]()
	beam.RegisterType(reflectType[storage.Info]())
}

// Identifiers reads the known identifiers of patients, packed by bucket of the
// patient, one batch per file and bucket. Without a table it is empty.
func Identifiers(s beam.Scope, cfg Config) beam.PCollection { // KV<int, []byte> (schemas.IdentifierBatch)
	s = s.Scope("transforms.Identifiers")
	listing := &identifierFilesFn{Pattern: cfg.Identifiers}
	if cfg.KnownIdentifiers != nil {
		listing.Digest = cfg.KnownIdentifiers.Digest
	}
	files := beam.Reshuffle(s, beam.ParDo(s, listing, beam.Impulse(s)))
	return beam.ParDo(s, &identifiersFn{Columns: cfg.IdentifierColumns, Config: cfg}, files)
}

// identifierFilesFn lists the files of the table, once they are known to be
// those that the launcher found.
type identifierFilesFn struct {
	Pattern string // empty for no table
	Digest  string
}

// identifierFilesProcess is the type of its ProcessElement.
type identifierFilesProcess = func(context.Context, []byte, func(storage.Info)) error

func (fn *identifierFilesFn) process() identifierFilesProcess { return fn.ProcessElement }

func (fn *identifierFilesFn) ProcessElement(ctx context.Context, _ []byte, emit func(storage.Info)) error {
	ctx, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	infos, err := identifierFiles(ctx, fn.Pattern)
	if err != nil || len(infos) == 0 {
		return err
	}
	if err := checkDigest(ctx, "known identifiers", fn.Pattern, infos, fn.Digest); err != nil {
		return err
	}
	for _, info := range infos {
		emit(info)
	}
	return nil
}

type identifiersFn struct {
	Columns table.IdentifierColumns
	Config  Config

	bucket func(patient string) int
	links  *deid.Links
}

func (fn *identifiersFn) Setup(ctx context.Context) (err error) {
	if fn.links, err = loadLinks(ctx, fn.Config); err != nil {
		return err
	}
	var keys *surrogate.Keyring
	var state *history.Keys
	if fn.Config.remembers() {
		state, err = stateKeys(ctx, fn.Config)
	} else {
		keys, err = fn.Config.keySource().open(ctx)
	}
	fn.bucket = fn.Config.bucketer(keys, state)
	return err
}

// identifiersProcess is the type of its ProcessElement.
type identifiersProcess = func(context.Context, storage.Info, func(int, []byte)) error

func (fn *identifiersFn) process() identifiersProcess { return fn.ProcessElement }

func (fn *identifiersFn) ProcessElement(ctx context.Context, file storage.Info, emit func(int, []byte)) error {
	ctx, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	parcels := parcels{emit: counting(emit)}
	err = readIdentifiers(ctx, file, fn.Columns, func(id lexicon.Identifiers) error {
		link(fn.links, &id)
		if err := parcels.add(fn.bucket(id.Group), id); err != nil {
			return err
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return parcels.flush()
}

// Bounds of the known identifiers that are held before they are handed over, in
// rows: for one bucket, and for all. A hospital's table may have millions, and what
// is held is what the garbage collector goes through again and again.
const (
	mostOfBucket = 4096
	mostInAll    = 1 << 17
)

// parcels collects known identifiers by bucket and hands them over, packed, a few
// thousand at a time.
type parcels struct {
	emit    func(int, []byte)
	batches map[int]*schemas.IdentifierBatch
	held    int
}

func (p *parcels) add(bucket int, id lexicon.Identifiers) error {
	b := p.batches[bucket]
	if b == nil {
		if p.batches == nil {
			p.batches = map[int]*schemas.IdentifierBatch{}
		}
		b = &schemas.IdentifierBatch{}
		p.batches[bucket] = b
	}
	b.Patients = append(b.Patients, id)
	if p.held++; p.held >= mostInAll {
		return p.flush()
	}
	if len(b.Patients) >= mostOfBucket {
		p.held -= len(b.Patients)
		delete(p.batches, bucket)
		return p.send(bucket, b)
	}
	return nil
}

// flush hands over what is held.
func (p *parcels) flush() error {
	for _, bucket := range sortedKeys(p.batches) {
		if err := p.send(bucket, p.batches[bucket]); err != nil {
			return err
		}
	}
	p.batches, p.held = nil, 0
	return nil
}

func (p *parcels) send(bucket int, b *schemas.IdentifierBatch) error {
	data, err := b.Encode()
	if err == nil {
		p.emit(bucket, data)
	}
	return err
}

// identifierFiles returns the files of a table, none for an empty pattern.
func identifierFiles(ctx context.Context, pattern string) ([]storage.Info, error) {
	if pattern == "" {
		return nil, nil
	}
	return storage.TableFiles(ctx, pattern)
}

// readIdentifiers reads that version of a file, row by row.
func readIdentifiers(ctx context.Context, file storage.Info, columns table.IdentifierColumns, yield func(lexicon.Identifiers) error) error {
	return withIdentifiers(ctx, file, columns, func(t *table.IdentifierReader) error { return t.Each(ctx, yield) })
}

// withIdentifiers opens that version of a file for as long as do takes.
func withIdentifiers(ctx context.Context, file storage.Info, columns table.IdentifierColumns,
	do func(*table.IdentifierReader) error) error {
	object, err := openVersion(ctx, file)
	if err != nil {
		return err
	}
	defer object.Close()
	t, err := table.OpenIdentifiers(object, object.Size(), file.Name, columns)
	if err != nil {
		return err
	}
	return do(t)
}
