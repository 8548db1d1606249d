// Package schemas defines what crosses a shuffle: shards, batches of spans on
// the way to a patient, batches of plans on the way back, and receipts.
//
// Beam's row coder writes exported fields only, and drops others in silence;
// every type here has exported fields alone. Spans and plans are many, so they
// travel packed: one compressed []byte per shard and bucket.
package schemas

import (
	"fmt"
	"reflect"
)

// Shard is a run of row groups of one input file: the unit of work, of retry
// and of output.
type Shard struct {
	Number int // among all shards of the job, from 0
	Total  int // shards in the job, without those of unreleased tables, which come last
	Table  int // that it is of: 0 for the notes

	Folder string // of the table, below the output; empty for one that is not released

	File        string // path or gs:// name
	Fingerprint string // of the file when it was listed; it must not change
	FileBytes   int64  // size of the file
	Name        string // what the file is called below the output
	Index       int    // of the shard within the file, from 0
	Count       int    // shards of the file

	// Of the whole table: rows before the shard, in the order of files, rows, and bytes of all files.
	RowsBefore, AllRows, AllBytes int64

	FirstGroup int   // first row group
	Groups     int   // row groups; 0 for a file without rows
	FirstRow   int64 // of the shard in the file, from 0
	Rows       int64
}

// Output returns the shard's output name, such as
// "notes.parquet-00002-of-00010.parquet".
func (s Shard) Output() string {
	return fmt.Sprintf("%s-%05d-of-%05d.parquet", s.Name, s.Index, s.Count)
}

// Receipt says what became of one shard.
type Receipt struct {
	Shard Shard

	Attempt string // the folder name of the attempt's temporary files
	Outputs []Written

	// Where rows are regrouped: the order that was chosen, as JSON, and the parts that
	// the shard's rows are in, which Gather merges.
	Order []byte
	Parts []Part

	Counts Counts

	Columns []Column // of the file, in the order of its schema

	MetadataKept, MetadataDropped []string // keys of the file's key-value metadata

	Audit []byte // JSON: what the gate's audit of the released texts found; empty without a gate
	Night []byte // packed NightBatch, of a job with a state
}

// Part is rows of one shard that go to one output file, in their order there, in
// a temporary file.
type Part struct {
	Table      int    // that its rows are of
	Shard, Run int    // rows of a shard that do not fit into memory are sorted in runs
	Attempt    string // that wrote it
	Schema     string // digest: files of another one, or of another table, go to other output files
	File       int    // of the files of that schema
	Temporary  string // where it was written
	Rows       int64
	Bytes      int64
}

// Gathered is one output file whose rows were regrouped.
type Gathered struct {
	Table   int
	Schema  string // as that of its parts
	First   int    // lowest number of a shard that has rows of that schema in it
	File    int
	Rows    int64
	Written Written // its place is given by Commit, which knows all of them
}

// Column says what became of a column.
type Column struct {
	Path string `json:"column"`
	Type string `json:"type"`
	Role string `json:"role"`
	Fate string `json:"fate"` // shifted, replaced, pseudonymised, copied or dropped
}

// Filled returns the receipt with empty slices and maps where it has none. Beam's
// Go coder marks those as missing, though the schema does not say that they may
// be, and Flink's runner, which writes rows anew, then takes what follows for
// them: lengths and all.
func (r Receipt) Filled() Receipt {
	fill(reflect.ValueOf(&r).Elem())
	return r
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	}
}

// Written is one temporary file of a shard.
type Written struct {
	Released  bool   // part of the output; private otherwise
	Temporary string // where it was written
	Final     string // where it belongs
	Digest    string // SHA-256 of its bytes, in hex
	Bytes     int64
}
