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
	known, err := namedPatients(ctx, cfg, infos)
	if err != nil {
		return err
	}
	links, err := loadLinks(ctx, cfg)
	if err != nil {
		return err
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
			} else if _, ok := known[hashID(links.Group(id))]; ok {
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

// namedPatients returns hashes of the patient ids of a table of known identifiers, or of
// those that they are linked to: it may have tens of millions.
func namedPatients(ctx context.Context, cfg Config, infos []storage.Info) (map[uint64]struct{}, error) {
	known := map[uint64]struct{}{}
	links, err := loadLinks(ctx, cfg)
	if err != nil {
		return nil, err
	}
	for _, info := range infos {
		err := withIdentifiers(ctx, info, cfg.IdentifierColumns, func(t *table.IdentifierReader) error {
			return t.EachPatient(ctx, func(id string) error {
				known[hashID(links.Group(id))] = struct{}{}
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return known, nil
}

// Join says how many of some notes are of patients that the table of known
// identifiers names.
type Join struct {
	Rows    int64 // that were looked at
	Named   int64 // of a patient in the table
	Without int64 // without a patient id

	PatientsNamed, PatientsUnnamed int // different patients of these rows
}

// What SampleJoin reads at most.
const (
	joinedGroups = 16
	joinedRows   = 1 << 16 // of each
)

// SampleJoin joins the table of known identifiers with some row groups of the
// notes that lie spread over them, of which it reads the patient ids alone. It is
// nil without a table.
func SampleJoin(ctx context.Context, cfg Config, shards []schemas.Shard) (*Join, error) {
	infos, err := identifierFiles(ctx, cfg.Identifiers)
	if err != nil || len(infos) == 0 {
		return nil, err
	}
	known, err := namedPatients(ctx, cfg, infos)
	if err != nil {
		return nil, err
	}
	links, err := loadLinks(ctx, cfg)
	if err != nil {
		return nil, err
	}
	j, met := &Join{}, map[uint64]bool{}
	for _, p := range spread(shards, joinedGroups) {
		err := withPatientIDs(ctx, cfg, p.shard, func(f *table.File, ids *table.Texts) error {
			left := min(p.rows(f), joinedRows)
			return ids.EachOf(ctx, p.group, func(r *table.TextRow) error {
				if left--; left < 0 {
					return errEnough
				}
				id, _ := r.One(0)
				j.add(links.Group(id), known, met)
				return nil
			})
		})
		if err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
	}
	return j, nil
}

// add counts a note of a patient; met has the patients met before.
func (j *Join) add(id string, known map[uint64]struct{}, met map[uint64]bool) {
	j.Rows++
	if strings.TrimSpace(id) == "" {
		j.Without++
		return
	}
	hash := hashID(id)
	_, named := known[hash]
	if named {
		j.Named++
	}
	switch {
	case met[hash]:
	case named:
		j.PatientsNamed++
	default:
		j.PatientsUnnamed++
	}
	met[hash] = true
}

// eachPatientID hands on the patient id of each row of a shard's file, "" for null.
func eachPatientID(ctx context.Context, cfg Config, s schemas.Shard, yield func(id string) error) error {
	return withPatientIDs(ctx, cfg, s, func(_ *table.File, ids *table.Texts) error {
		return ids.Each(ctx, func(r *table.TextRow) error {
			id, _ := r.One(0)
			return yield(id)
		})
	})
}

// withPatientIDs opens the column of patient ids of a shard's file for as long as
// do takes.
func withPatientIDs(ctx context.Context, cfg Config, s schemas.Shard, do func(f *table.File, ids *table.Texts) error) error {
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
	return do(file, ids)
}

// hashID is 64-bit FNV-1a.
func hashID(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}
