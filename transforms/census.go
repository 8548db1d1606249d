package transforms

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	registerDoFn((*censusFilesFn).process, func(f censusFilesProcess, args []any) error {
		return f(args[0].(context.Context), args[1].([]byte), args[2].(func(string)))
	})
	registerDoFn((*censusFn).process, func(f censusProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(string), args[2].(func(int, []byte)))
	})
	register.Emitter1[string]()
}

// Census reads the known identifiers of patients, packed by bucket of the
// patient, one batch per file and bucket. Without a census it is empty.
func Census(s beam.Scope, cfg Config) beam.PCollection { // KV<int, []byte> (schemas.IdentifierBatch)
	s = s.Scope("transforms.Census")
	files := beam.Reshuffle(s, beam.ParDo(s, &censusFilesFn{Config: cfg}, beam.Impulse(s)))
	return beam.ParDo(s, &censusFn{Config: cfg}, files)
}

type censusFilesFn struct {
	Config Config
}

// censusFilesProcess is the type of its ProcessElement.
type censusFilesProcess = func(context.Context, []byte, func(string)) error

func (fn *censusFilesFn) process() censusFilesProcess { return fn.ProcessElement }

func (fn *censusFilesFn) ProcessElement(ctx context.Context, _ []byte, emit func(string)) error {
	ctx, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	if fn.Config.Census == "" {
		return nil
	}
	infos, err := match(ctx, []string{fn.Config.Census})
	if err != nil {
		return err
	}
	for _, info := range infos {
		emit(info.Name)
	}
	return nil
}

type censusFn struct {
	Config Config
}

// censusProcess is the type of its ProcessElement.
type censusProcess = func(context.Context, string, func(int, []byte)) error

func (fn *censusFn) process() censusProcess { return fn.ProcessElement }

func (fn *censusFn) ProcessElement(ctx context.Context, file string, emit func(int, []byte)) error {
	ctx, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	e, err := engineFor(ctx, fn.Config)
	if err != nil {
		return err
	}
	batches := map[int]*schemas.IdentifierBatch{}
	err = readCensus(ctx, fn.Config, file, func(id lexicon.Identifiers) error {
		bucket := e.keys.Bucket(id.PatientID, fn.Config.Buckets)
		b := batches[bucket]
		if b == nil {
			b = &schemas.IdentifierBatch{}
			batches[bucket] = b
		}
		b.Patients = append(b.Patients, id)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, bucket := range sortedKeys(batches) {
		data, err := batches[bucket].Encode()
		if err != nil {
			return err
		}
		counting(emit)(bucket, data)
	}
	return nil
}

func readCensus(ctx context.Context, cfg Config, file string, yield func(lexicon.Identifiers) error) error {
	object, err := storage.Open(ctx, file)
	if err != nil {
		return err
	}
	defer object.Close()
	return table.ReadCensus(object, object.Size(), file, cfg.CensusPatientColumn, yield)
}

// CensusCounts say what a census holds. A value is ignored where it is too
// short or too plain to be looked for: a record number of two digits would eat
// doses.
type CensusCounts struct {
	Patients int64 `json:"patients"`
	Values   int64 `json:"values"`
	Ignored  int64 `json:"values_ignored"`
}

// CheckCensus reads the census through, so that a file that cannot be used
// (one with a null patient id, say) is refused before any work (an error of
// fault.Refused), and counts what is in it.
func CheckCensus(ctx context.Context, cfg Config) (n CensusCounts, err error) {
	if cfg.Census == "" {
		return n, nil
	}
	defer func() { err = fault.Mark(fault.Refused, err) }()
	infos, err := match(ctx, []string{cfg.Census})
	if err != nil {
		return n, err
	}
	for _, info := range infos {
		err := readCensus(ctx, cfg, info.Name, func(p lexicon.Identifiers) error {
			n.Patients++
			p.Each(func(t phi.Type, value string) {
				n.Values++
				if !lexicon.Usable(t, value) {
					n.Ignored++
				}
			})
			return nil
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
