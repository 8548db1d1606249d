// Package table reads clinical notes from Parquet files of any schema and
// writes the same files back with the notes replaced.
//
// Only the configured columns are interpreted. Everything else is copied as
// the bytes that it is: a column chunk that is not configured, in a row group
// from which no row was quarantined, is spliced into the output unread, with
// its encodings, pages, statistics and indexes. The schema elements and the
// key-value metadata of the footer are carried over as parsed Thrift, unknown
// fields included, so that nothing in them depends on what a Parquet library
// can express. Only chunks whose values change are decoded and encoded anew,
// by parquet-go, one column at a time.
//
// The pieces:
//
//   - Open reads a footer and returns a File, whose row groups are the unit of
//     work.
//   - File.Bind finds the configured Columns in the schema and returns a
//     Binding.
//   - Binding.ReadNotes reads ids and texts of one row group, in batches.
//   - Binding.NewRewriter writes one output file and one quarantine file, row
//     group by row group.
//   - FindingsWriter writes the table of findings, ReadIdentifiers reads the table
//     of known identifiers.
//
// A File and a Binding are safe for concurrent use if their io.ReaderAt is. A
// Rewriter and a FindingsWriter are not.
//
// Errors name the file, the row group, the column and the row as far as they
// are known, and never hold a value of the file.
package table
