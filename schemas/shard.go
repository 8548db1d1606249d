// Package schemas defines what crosses a shuffle: shards, batches of spans on
// the way to a patient, batches of plans on the way back, and receipts.
//
// Beam's row coder writes exported fields only, and drops others in silence;
// every type here has exported fields alone. Spans and plans are many, so they
// travel packed: one compressed []byte per shard and bucket.
package schemas

import "fmt"

// Shard is a run of row groups of one input file: the unit of work, of retry
// and of output.
type Shard struct {
	Number int // among all shards of the job, from 0
	Total  int // shards in the job

	File        string // path or gs:// name
	Fingerprint string // of the file when it was listed; it must not change
	FileBytes   int64  // size of the file
	Name        string // what the file is called below the output
	Index       int    // of the shard within the file, from 0
	Count       int    // shards of the file

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

	MetadataKept, MetadataDropped []string // keys of the file's key-value metadata

	Provider string // what the network runs on in the worker that wrote the shard
	Fallback bool   // which seems to have a GPU that could not be used

	RowsOut       int64
	Quarantined   int64
	WithoutID     int64 // notes without a patient id, each its own patient
	InCensus      int64 // notes whose patient the census knows
	LargestID     int64 // most notes, in all shards, that one patient id of the shard has
	TextBytes     int64
	Tokens        int64
	Reasons       map[string]int64 // quarantine reason code -> rows
	SpansByType   map[string]int64
	SpansByTagger map[string]int64
	Dates         map[string]int64 // outcome of structured dates -> values
	TextDates     map[string]int64 // outcome of dates in texts -> spans
	DatesEqual    int64            // dates in texts that equal a column's, before and after
	DatesDiffer   int64            // that equal one before and not after
	Masked        int64            // spans masked because no surrogate fits, such as impossible dates
}

// Written is one temporary file of a shard.
type Written struct {
	Released  bool   // part of the output; private otherwise
	Temporary string // where it was written
	Final     string // where it belongs
	Digest    string // SHA-256 of its bytes, in hex
	Bytes     int64
}
