package transforms

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// IdentifierTable says what a table of known identifiers holds.
type IdentifierTable struct {
	Digest   string                `json:"sha256"`
	Patients int64                 `json:"patients"` // rows
	Values   map[string]ValueCount `json:"values"`   // by type of PHI
}

// ValueCount counts values of one type of PHI. A value is ignored where it is
// too short or too plain to be looked for: a record number of two digits would
// eat doses.
type ValueCount struct {
	All     int64 `json:"all"`
	Ignored int64 `json:"ignored"`
}

// All returns the counts of all types together.
func (t *IdentifierTable) All() (sum ValueCount) {
	for _, n := range t.Values {
		sum.All += n.All
		sum.Ignored += n.Ignored
	}
	return sum
}

// CheckIdentifiers reads the table of known identifiers through and says what is
// in it: nil without a table. A table that cannot be used, such as one with a
// null patient id, or without any value that can be looked for, is refused
// before any work (an error of fault.Refused).
func CheckIdentifiers(ctx context.Context, cfg Config) (_ *IdentifierTable, err error) {
	defer func() { err = fault.Mark(fault.Refused, err) }()
	infos, err := identifierFiles(ctx, cfg.Identifiers)
	if err != nil || len(infos) == 0 {
		return nil, err
	}
	t := &IdentifierTable{Values: map[string]ValueCount{}}
	for _, info := range infos {
		err := readIdentifiers(ctx, info, cfg.IdentifierColumns, func(p lexicon.Identifiers) error {
			t.Patients++
			p.Each(func(kind phi.Type, value string) {
				n := t.Values[kind.String()]
				n.All++
				if !lexicon.Usable(kind, value) {
					n.Ignored++
				}
				t.Values[kind.String()] = n
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if all := t.All(); all.All == all.Ignored {
		return nil, fmt.Errorf("--identifiers=%s: nothing in it can be looked for: it has %d patients and %d values, all of them too short or "+
			"too plain; "+
			"say what its columns hold by --identifier_columns, or leave --identifiers out", cfg.Identifiers, t.Patients, all.All)
	}
	t.Digest, err = digestFiles(ctx, infos)
	return t, err
}

// errJoined ends the search for a note of a patient of the table.
var errJoined = errors.New("joined")

// CheckJoin refuses a table of known identifiers of which no row is of a note's
// patient, as an error of fault.Refused: the ids are written in two ways, or come
// from two systems. It reads columns of ids alone, those of the notes up to the
// first that is known.
func CheckJoin(ctx context.Context, cfg Config, shards []schemas.Shard) (err error) {
	defer func() { err = fault.Mark(fault.Refused, err) }()
	infos, err := identifierFiles(ctx, cfg.Identifiers)
	if err != nil || len(infos) == 0 {
		return err
	}
	known := map[uint64]struct{}{} // hashes: a table may have tens of millions of ids
	for _, info := range infos {
		err := withIdentifiers(ctx, info, cfg.IdentifierColumns, func(t *table.IdentifierReader) error {
			return t.EachPatient(ctx, func(id string) error {
				known[hashID(id)] = struct{}{}
				return nil
			})
		})
		if err != nil {
			return err
		}
	}
	var notes, without int64
	for _, s := range shards {
		if s.Index != 0 {
			continue // the file's first shard stands for all of it
		}
		err := eachPatientID(ctx, cfg, s, func(id string) error {
			notes++
			if strings.TrimSpace(id) == "" {
				without++
			} else if _, ok := known[hashID(id)]; ok {
				return errJoined
			}
			return nil
		})
		if errors.Is(err, errJoined) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if notes == 0 {
		return nil
	}
	return fmt.Errorf("--identifiers=%s: none of its %d patients has a note. There are %d notes, %d of them without a patient id. Are ids "+
		"written alike in both tables? "+
		"The notes' stand in %q; if the table's are not in %q either, name their column by --identifier_columns patient_id=COLUMN",
		cfg.Identifiers, len(known), notes, without, cfg.Columns.PatientID, "patient_id")
}

// eachPatientID hands on the patient id of each row of a shard's file, "" for null.
func eachPatientID(ctx context.Context, cfg Config, s schemas.Shard, yield func(id string) error) error {
	object, err := openVersion(ctx, storage.Info{Name: s.File, Size: s.FileBytes, Fingerprint: s.Fingerprint})
	if err != nil {
		return err
	}
	defer object.Close()
	file, err := footers.open(object, s.File)
	if err != nil {
		return err
	}
	ids, err := file.Texts(table.TextColumn{Name: cfg.Columns.PatientID, Role: "patient id", Required: true})
	if err != nil {
		return err
	}
	return ids.Each(ctx, func(r *table.TextRow) error {
		id, _ := r.One(0)
		return yield(id)
	})
}

// hashID is 64-bit FNV-1a.
func hashID(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}
