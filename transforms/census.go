package transforms

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	beam.RegisterDoFn(&censusFilesFn{})
	beam.RegisterDoFn(&censusFn{})
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
		counting(emit)(bucket, data)
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
		err := readCensus(ctx, cfg, info.Name, func(p table.Identifiers) error {
			n.Patients++
			eachValue(p, func(t phi.Type, value string) {
				n.Values++
				if !ensemble.Usable(t, value) {
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

// eachValue calls f for all that a row of the census says, by the type of PHI
// that it is.
func eachValue(p table.Identifiers, f func(t phi.Type, value string)) {
	for _, c := range []struct {
		typ    phi.Type
		values []string
	}{
		{phi.Patient, p.Names}, {phi.Patient, p.Relatives}, {phi.Doctor, p.Doctors},
		{phi.MedicalRecord, p.MRNs}, {phi.SSN, p.SSNs}, {phi.Phone, p.Phones}, {phi.Email, p.Emails},
	} {
		for _, v := range c.values {
			f(c.typ, v)
		}
	}
	if p.BirthDate != "" {
		f(phi.Date, p.BirthDate)
	}
	for _, v := range p.Addresses {
		a := ensemble.ParseAddress(v)
		for _, c := range []struct {
			typ   phi.Type
			value string
		}{{phi.Street, a.Street}, {phi.City, a.City}, {phi.ZIP, a.ZIP}} {
			if c.value != "" {
				f(c.typ, c.value)
			}
		}
	}
}
