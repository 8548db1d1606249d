package transforms

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// Manifest says what an output was made from and what it holds. It may be
// released: inputs are named by their file names alone, as folders may name
// dates or patients. InputsFile, in private, has the full names, and the
// fingerprints that storage gave (size, and generation or modification time),
// which a copy of the same input would change.
type Manifest struct {
	FormatVersion int              `json:"format_version"`
	Trial         string           `json:"trial,omitempty"` // says of a trial run that it is one
	Configuration What             `json:"configuration"`
	ConfigDigest  string           `json:"configuration_digest"` // SHA-256 of the configuration as compact JSON
	Providers     []string         `json:"execution_providers"`  // that the network ran on
	RowOrder      RowOrder         `json:"row_order"`
	Columns       []schemas.Column `json:"columns"`
	Tables        []ManifestTable  `json:"tables,omitempty"` // besides the notes
	Inputs        []ManifestInput  `json:"inputs"`
	Outputs       []ManifestPart   `json:"outputs"`
}

// maxManifest bounds a manifest: some hundred bytes for each of a million files.
const maxManifest = 1 << 30

// ReadManifest reads the manifest of a release, the --output of a finished job. An
// output without one is fs.ErrNotExist.
func ReadManifest(ctx context.Context, output string) (*Manifest, error) {
	name := storage.Join(output, ManifestFile)
	raw, err := storage.ReadFile(ctx, name, maxManifest)
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &m, nil
}

// ManifestInput is one input file.
type ManifestInput struct {
	Name        string `json:"name"`
	Bytes       int64  `json:"bytes"`
	Rows        int64  `json:"rows"`
	Fingerprint string `json:"fingerprint,omitempty"` // in InputsFile only

	// The keys of the file's own metadata that were left out.
	// They may say as much as their values: in InputsFile only.
	MetadataDropped []string `json:"metadata_dropped,omitempty"`
}

// ManifestPart is one released file. Rows in quarantine are counted where the file
// has the rows of one shard; the report has them all.
type ManifestPart struct {
	Name        string `json:"name"`
	Rows        int64  `json:"rows"`
	Quarantined int64  `json:"quarantined"`
	Bytes       int64  `json:"bytes"`
	Digest      string `json:"sha256"`
}

// Report counts what happened. It may be released: it holds numbers and codes
// only.
type Report struct {
	schemas.Counts
	KnownIdentifiers *IdentifierTable `json:"known_identifiers,omitempty"`
	RowOrder         RowOrder         `json:"row_order"`
	Gate             *gate.Verdict    `json:"gate,omitempty"`
	Nights           *NightReport     `json:"nights,omitempty"`
	ReleaseDate      string           `json:"release_date,omitempty"` // as the user gave it
	Files            int              `json:"files"`
	Shards           int              `json:"shards"`

	// The columns of all files, in the order in which they are met. One that has
	// several types is there several times, with the counts of all.
	Columns []ColumnReport `json:"columns"`

	Tables []TableReport `json:"tables,omitempty"` // besides the notes, which the other counts are of

	// Files by the keys of their own metadata that the output has, in whole or in
	// part, and how many keys it lacks; which, is in InputsFile.
	MetadataKept    map[string]int64 `json:"files_by_metadata_kept"`
	MetadataDropped int              `json:"metadata_keys_dropped"`
}

// ColumnReport says what became of a column and of how many of its values.
type ColumnReport struct {
	schemas.Column
	schemas.ColumnCounts
}

// columnsOf returns the columns of all files, each once.
func columnsOf(receipts []schemas.Receipt) []schemas.Column {
	seen := map[schemas.Column]bool{}
	var all []schemas.Column
	for _, r := range receipts {
		for _, c := range r.Columns {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
}

func newManifest(cfg Config, receipts []schemas.Receipt, gathered []schemas.Gathered, report Report) Manifest {
	notes, _ := receiptsOf(0, receipts, nil)
	m := Manifest{
		FormatVersion: 2,
		Configuration: cfg.What,
		ConfigDigest:  cfg.What.Digest(),
		RowOrder:      report.RowOrder,
		Columns:       columnsOf(notes),
	}
	for _, t := range report.Tables {
		of, _ := receiptsOf(t.number, receipts, nil)
		m.Tables = append(m.Tables, ManifestTable{Name: t.Name, RowOrder: t.RowOrder, Columns: columnsOf(of)})
	}
	if cfg.Limit > 0 {
		m.Trial = fmt.Sprintf("This is a trial run of the first %d notes, and no release.", cfg.Limit)
	}
	providers := map[string]bool{}
	for _, r := range receipts {
		for name := range r.Counts.Providers {
			providers[name] = true
		}
		if r.Shard.Index == 0 {
			m.Inputs = append(m.Inputs, ManifestInput{Name: inputName(r.Shard), Bytes: r.Shard.FileBytes})
		}
		m.Inputs[len(m.Inputs)-1].Rows += r.Shard.Rows
		if len(r.Parts) > 0 {
			continue
		}
		part := ManifestPart{Name: r.Shard.Folder + "/" + r.Shard.Output(), Rows: r.Counts.RowsOut, Quarantined: r.Counts.Quarantined}
		for _, w := range r.Outputs {
			if w.Released {
				part.Bytes, part.Digest = w.Bytes, w.Digest
			}
		}
		if part.Digest == "" {
			continue // a night writes no file without notes
		}
		m.Outputs = append(m.Outputs, part)
	}
	for _, g := range gathered {
		m.Outputs = append(m.Outputs, ManifestPart{Name: strings.TrimPrefix(g.Written.Final, storage.Join(cfg.Output)+"/"), Rows: g.Rows,
			Bytes: g.Written.Bytes, Digest: g.Written.Digest})
	}
	m.Providers = sortedKeys(providers)
	return m
}

// inputName is what an input file is called where it may be released.
func inputName(s schemas.Shard) string {
	if s.Table == 0 {
		return s.Name
	}
	return s.Folder + "/" + s.Name
}

// orderOf returns the order that every shard of a table took.
func orderOf(receipts []schemas.Receipt, gathered []schemas.Gathered) (o RowOrder, err error) {
	for _, r := range receipts {
		if !bytes.Equal(r.Order, receipts[0].Order) {
			return o, fmt.Errorf("shard %d took another order of rows than shard %d", r.Shard.Number, receipts[0].Shard.Number)
		}
	}
	if len(receipts) > 0 && len(receipts[0].Order) > 0 {
		err = json.Unmarshal(receipts[0].Order, &o)
	}
	seen := map[string]bool{}
	for _, g := range gathered {
		seen[g.Schema] = true
	}
	o.Schemas = len(seen)
	return o, err
}

// fullNames lists the inputs by their full names.
func fullNames(receipts []schemas.Receipt) []ManifestInput {
	var inputs []ManifestInput
	for _, r := range receipts {
		if r.Shard.Index == 0 {
			inputs = append(inputs, ManifestInput{Name: r.Shard.File, Bytes: r.Shard.FileBytes, Fingerprint: r.Shard.Fingerprint,
				MetadataDropped: r.MetadataDropped})
		}
		inputs[len(inputs)-1].Rows += r.Shard.Rows
	}
	return inputs
}

func newReport(receipts []schemas.Receipt) Report {
	r := Report{Counts: schemas.NewCounts(), Shards: len(receipts), MetadataKept: map[string]int64{}}
	dropped := map[string]bool{}
	for i := range receipts {
		s := &receipts[i]
		if s.Shard.Index == 0 {
			r.Files++
			for _, key := range s.MetadataKept {
				r.MetadataKept[key]++
			}
			for _, key := range s.MetadataDropped {
				dropped[key] = true
			}
		}
		r.Add(&s.Counts)
	}
	r.MetadataDropped = len(dropped)
	for _, c := range columnsOf(receipts) {
		r.Columns = append(r.Columns, ColumnReport{c, r.Counts.Columns[c.Path]})
	}
	return r
}

// indented returns v as JSON for people; maps come out sorted.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// ActionCount says how often something was done to a type.
type ActionCount struct {
	Type, Action string
	Spans        int64
}

// ByAction returns what was done to each type, in order of type and action.
func (r Report) ByAction() []ActionCount {
	var all []ActionCount
	for _, k := range sortedKeys(r.SpansByAction) {
		typ, action, _ := strings.Cut(k, " ")
		all = append(all, ActionCount{typ, action, r.SpansByAction[k]})
	}
	return all
}
