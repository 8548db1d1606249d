package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// Finding is one row of the table of findings: a span of PHI that was
// replaced. Offsets are Unicode code points, ends exclusive. It holds no
// surface text.
type Finding struct {
	DocumentID  string  `parquet:"document_id"` // as in the input
	TextColumn  string  `parquet:"text_column,dict"`
	Element     string  `parquet:"element,dict"` // of a column in lists, where (Text.Element); of a note in several rows, its line
	Start       int64   `parquet:"start"`        // in the original text: of a note in several rows, in all its lines together
	End         int64   `parquet:"end"`
	OutputStart int64   `parquet:"output_start"` // in the released text
	OutputEnd   int64   `parquet:"output_end"`
	Type        string  `parquet:"type,dict"`
	Source      string  `parquet:"source,dict"`
	Score       float32 `parquet:"score"`
	Action      string  `parquet:"action,dict"` // what the policy did: surrogate, tag, keep, ...
}

// findingColumns are the columns of findings, in the order of Finding.
var findingColumns = []TextColumn{
	{Name: "document_id", Required: true}, {Name: "text_column", Required: true}, {Name: "start", Required: true},
	{Name: "end", Required: true},
	{Name: "output_start", Required: true}, {Name: "output_end", Required: true}, {Name: "type", Required: true},
	{Name: "source", Required: true}, {Name: "score", Required: true, Floats: true}, {Name: "element"}, {Name: "action"},
}

// EachFinding hands the rows of a table of findings to yield, in order. An error of
// yield ends the reading and is returned.
func (f *File) EachFinding(ctx context.Context, yield func(Finding) error) error {
	t, err := f.Texts(findingColumns...)
	if err != nil {
		return err
	}
	return t.Each(ctx, func(r *TextRow) error {
		text := func(column int) string { return first(r.Values[column]) }
		x := Finding{DocumentID: text(0), TextColumn: text(1), Type: text(6), Source: text(7), Element: text(9), Action: text(10)}
		for i, to := range []*int64{&x.Start, &x.End, &x.OutputStart, &x.OutputEnd} {
			n, err := strconv.ParseInt(text(2+i), 10, 64)
			if err != nil {
				return r.Error(2+i, errors.New("it holds something that is no number"))
			}
			*to = n
		}
		score, _ := strconv.ParseFloat(text(8), 32) // null is 0
		x.Score = float32(score)
		return yield(x)
	})
}

// findingsPerGroup bounds a row group of findings, which is kept in memory
// until it is full.
const findingsPerGroup = 1 << 18

// FindingsWriter writes findings as Parquet, compressed with zstd. The same
// findings in the same order give the same bytes, however they are split into
// calls. It is not safe for concurrent use.
type FindingsWriter struct {
	w *parquet.GenericWriter[Finding]
}

// NewFindingsWriter returns a writer of findings to w.
func NewFindingsWriter(w io.Writer) *FindingsWriter {
	return &FindingsWriter{parquet.NewGenericWriter[Finding](w,
		parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(findingsPerGroup),
		parquet.DataPageVersion(1),
		parquet.CreatedBy("palimpsest", "1.0.0", "0"),
	)}
}

// Write appends findings.
func (f *FindingsWriter) Write(findings []Finding) error {
	// One at a time: pages end by size after each call, so larger calls would
	// make the bytes depend on how the caller batches.
	for i := range findings {
		if _, err := f.w.Write(findings[i : i+1]); err != nil {
			return fmt.Errorf("writing findings: %w", err)
		}
	}
	return nil
}

// Close writes the footer. It does not close the underlying writer.
func (f *FindingsWriter) Close() error {
	if err := f.w.Close(); err != nil {
		return fmt.Errorf("writing findings: %w", err)
	}
	return nil
}
