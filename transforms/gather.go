package transforms

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/model/roworder"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	registerDoFn((*gatherFn).process, func(f gatherProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(string), args[2].(func(*schemas.Part) bool), args[3].(func(schemas.Gathered)))
	})
	register.Function2x0(partsOf)
	register.Emitter2[string, schemas.Part]()
	register.Iter1[schemas.Part]()
	register.Emitter1[schemas.Gathered]()
	register.Iter1[schemas.Gathered]()
	beam.RegisterType(reflectType[schemas.Part]())
	beam.RegisterType(reflectType[schemas.Gathered]())
}

// Gather merges the parts of all shards that go to one output file into that
// file. Rows come and go through storage: only the names of parts cross the
// shuffle. Where rows stay in the input's order there are no parts, and
// nothing to do.
func Gather(s beam.Scope, cfg Config, receipts beam.PCollection) beam.PCollection { // schemas.Gathered
	s = s.Scope("transforms.Gather")
	return beam.ParDo(s, &gatherFn{Config: cfg}, beam.GroupByKey(s, beam.ParDo(s, partsOf, receipts)))
}

// partsOf keys the parts of a receipt by the output file that they are for.
func partsOf(r schemas.Receipt, emit func(string, schemas.Part)) {
	for _, p := range r.Parts {
		emit(fmt.Sprintf("%s %05d", p.Schema, p.File), p)
	}
}

type gatherFn struct {
	Config Config
}

// gatherProcess is the type of its ProcessElement.
type gatherProcess = func(context.Context, string, func(*schemas.Part) bool, func(schemas.Gathered)) error

func (fn *gatherFn) process() gatherProcess { return fn.ProcessElement }

func (fn *gatherFn) ProcessElement(ctx context.Context, _ string, parts func(*schemas.Part) bool, emit func(schemas.Gathered)) error {
	ctx, done, err := holding(ctx, fn.Config)
	if err != nil {
		return err
	}
	defer done()
	var all []schemas.Part
	var p schemas.Part
	for parts(&p) {
		all = append(all, p)
		p = schemas.Part{}
	}
	g, err := gather(ctx, fn.Config, oneAttempt(all))
	if err != nil {
		return fmt.Errorf("gather: %w", err)
	}
	progress.Gathered.Add(1)
	emit(g)
	return nil
}

// oneAttempt returns the parts in order of shard and run, those of one attempt for each
// shard: runners may process a bundle more than once, and all attempts write the same.
func oneAttempt(parts []schemas.Part) []schemas.Part {
	slices.SortFunc(parts, func(a, b schemas.Part) int {
		return cmp.Or(a.Shard-b.Shard, cmp.Compare(a.Attempt, b.Attempt), a.Run-b.Run)
	})
	first := map[int]string{} // attempt by shard
	return slices.DeleteFunc(parts, func(p schemas.Part) bool {
		if _, ok := first[p.Shard]; !ok {
			first[p.Shard] = p.Attempt
		}
		return p.Attempt != first[p.Shard]
	})
}

// inMemory bounds the bytes of parts that are read at once: most are small, and
// reading each in one request costs less than opening thousands at a time.
const inMemory = 256 << 20

// gather merges the parts of one output file, which are in order, and writes it among the
// run's temporary files.
func gather(ctx context.Context, cfg Config, parts []schemas.Part) (g schemas.Gathered, err error) {
	cfg = cfg.OfTable(parts[0].Table)
	g = schemas.Gathered{Table: parts[0].Table, Schema: parts[0].Schema, First: parts[0].Shard, File: parts[0].File}
	files, closeAll, err := openParts(ctx, parts)
	defer closeAll()
	if err != nil {
		return g, err
	}
	rows := int64(0)
	for _, p := range parts {
		rows += p.Rows
	}
	name := storage.Join(temporary(cfg.Output, cfg.RunID), newAttempt(), fmt.Sprintf("gathered-%05d.parquet", g.File))
	if err := storage.NoLinks(cfg.Output, name); err != nil {
		return g, err
	}
	to := &counted{ctx: ctx, hash: sha256.New(), written: schemas.Written{Released: true, Temporary: name}}
	defer func() {
		if to.w != nil {
			_ = to.w.Abort()
		}
	}()
	place := placeOf(cfg, func(patient, document string) roworder.Key { return roworder.Key{Patient: patient, Document: document} })
	if g.Rows, err = table.Gather(ctx, files, place, groupBytes, to); err != nil {
		return g, err
	}
	if g.Rows != rows {
		return g, fmt.Errorf("%d rows of %d were gathered", g.Rows, rows)
	}
	if err := own(ctx, cfg); err != nil {
		return g, err
	}
	g.Written, err = to.close()
	return g, err
}

// openParts opens the files of parts, in their order. They are read at once as
// long as there is room.
func openParts(ctx context.Context, parts []schemas.Part) (files []*table.File, closeAll func(), err error) {
	files = make([]*table.File, len(parts))
	objects := make([]storage.Object, len(parts))
	closeAll = func() {
		for _, o := range objects {
			if o != nil {
				o.Close()
			}
		}
	}
	room := int64(inMemory)
	reading, within := errgroup.WithContext(ctx)
	reading.SetLimit(partsAtOnce)
	for i, p := range parts {
		if p.Bytes > room {
			if objects[i], err = storage.Open(ctx, p.Temporary); err == nil {
				files[i], err = table.Open(objects[i], p.Bytes, p.Temporary)
			}
			if err != nil {
				break
			}
			continue
		}
		room -= p.Bytes
		reading.Go(func() error {
			raw, err := storage.ReadFile(within, p.Temporary, p.Bytes)
			if err == nil {
				files[i], err = table.Open(bytes.NewReader(raw), p.Bytes, p.Temporary)
			}
			return err
		})
	}
	return files, closeAll, cmp.Or(err, reading.Wait())
}

// placeGathered checks that every part is in a file that was gathered, with all
// its rows, and gives the files their places: those of the schema that is met first come first.
func placeGathered(cfg Config, receipts []schemas.Receipt, gathered []schemas.Gathered) ([]schemas.Gathered, error) {
	type file struct {
		schema string
		number int
	}
	want, first := map[file]int64{}, map[string]int{}
	var released int64
	for _, r := range receipts { // in order of shards, one for each
		for _, p := range r.Parts {
			want[file{p.Schema, p.File}] += p.Rows
			if _, ok := first[p.Schema]; !ok {
				first[p.Schema] = p.Shard
			}
		}
		if len(r.Parts) > 0 {
			released += r.Counts.RowsOut
		}
	}
	// Of several attempts at a file, which are the same, one.
	slices.SortFunc(gathered, func(a, b schemas.Gathered) int {
		return cmp.Or(first[a.Schema]-first[b.Schema], cmp.Compare(a.Schema, b.Schema), a.File-b.File,
			cmp.Compare(a.Written.Temporary, b.Written.Temporary))
	})
	gathered = slices.CompactFunc(gathered, func(a, b schemas.Gathered) bool { return a.Schema == b.Schema && a.File == b.File })
	if len(gathered) != len(want) {
		return nil, fmt.Errorf("%d of %d output files were gathered; nothing is published", len(gathered), len(want))
	}
	number := map[int]int{} // of files, by table
	for i := range gathered {
		g := &gathered[i]
		if rows, ok := want[file{g.Schema, g.File}]; !ok || rows != g.Rows {
			return nil, fmt.Errorf("an output file has %d rows where its parts have %d; nothing is published", g.Rows, rows)
		}
		released -= g.Rows
		g.Written.Final = storage.Join(cfg.Output, cfg.folder(g.Table), fmt.Sprintf("part-%05d.parquet", number[g.Table]))
		number[g.Table]++
	}
	if released != 0 {
		return nil, fmt.Errorf("%d released rows are in no output file; nothing is published", released)
	}
	return gathered, nil
}
