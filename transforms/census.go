package transforms

import (
	"context"
	"errors"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func(string), error](&censusFilesFn{})
	register.DoFn3x1[context.Context, string, func(int, []byte), error](&censusFn{})
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

func (fn *censusFilesFn) ProcessElement(ctx context.Context, _ []byte, emit func(string)) error {
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

func (fn *censusFn) ProcessElement(ctx context.Context, file string, emit func(int, []byte)) error {
	e, err := engineFor(ctx, fn.Config)
	if err != nil {
		return err
	}
	batches := map[int]*schemas.IdentifierBatch{}
	err = readCensus(ctx, fn.Config, file, func(id table.Identifiers) error {
		bucket := e.keys.Bucket(id.PatientID, fn.Config.Buckets)
		b := batches[bucket]
		if b == nil {
			b = &schemas.IdentifierBatch{}
			batches[bucket] = b
		}
		b.Patients = append(b.Patients, id)
		return nil
	})
	if err != nil {
		return err
	}
	for _, bucket := range sortedKeys(batches) {
		data, err := batches[bucket].Encode()
		if err != nil {
			return err
		}
		emit(bucket, data)
	}
	return nil
}

func readCensus(ctx context.Context, cfg Config, file string, yield func(table.Identifiers) error) error {
	object, err := storage.Open(ctx, file)
	if err != nil {
		return err
	}
	defer object.Close()
	return table.ReadCensus(object, object.Size(), file, cfg.CensusPatientColumn, yield)
}

// CheckCensus reads the first rows of the census, so that a wrong file is
// refused before any work.
func CheckCensus(ctx context.Context, cfg Config) error {
	if cfg.Census == "" {
		return nil
	}
	infos, err := match(ctx, []string{cfg.Census})
	if err != nil {
		return err
	}
	errEnough := errors.New("enough")
	for _, info := range infos {
		err := readCensus(ctx, cfg, info.Name, func(table.Identifiers) error { return errEnough })
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	return nil
}
