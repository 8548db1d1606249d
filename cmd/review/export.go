package review

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/review"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// annotation is a row of gold annotations, as those of the examples.
type annotation struct {
	DocumentID string `parquet:"document_id,dict"`
	TextColumn string `parquet:"text_column,dict"`
	Start      int32  `parquet:"start"` // code points of the original
	End        int32  `parquet:"end"`
	Type       string `parquet:"type,dict"`
	Split      string `parquet:"split,dict"`
}

// split is what exported annotations say of the part of the corpus they are.
const split = "reviewed"

// documentsFile lists the reviewed documents, a line each, as evaluate's --documents
// takes them: the findings are of all documents.
const documentsFile = "documents.txt"

// export writes the annotations of all notes that were reviewed to the end.
func export(ctx context.Context, stdout io.Writer, r *store.Review, originals [][]rune, path string) error {
	outcomes, disputed, open, err := r.Outcomes()
	if err != nil {
		return err
	}
	if disputed > 0 {
		return fault.Mark(fault.Refused, fmt.Errorf("two reviewers differ in %d notes, and nobody has decided between them; run "+
			"--adjudicate first",
			disputed))
	}
	if len(outcomes) == 0 {
		return fault.Mark(fault.Refused, fmt.Errorf("no note was reviewed to the end yet"))
	}
	if storage.Inside(path, r.Job.Output) {
		return fault.Mark(fault.Settings, fmt.Errorf("--export=%s lies inside the output, so it would be released; name another place", path))
	}
	texts := map[string][]rune{}
	for i, n := range r.Sample.Notes {
		texts[n.Document] = originals[i]
	}
	write := writeFolder
	if strings.HasSuffix(path, ".parquet") {
		write = writeRows
	}
	spans, err := write(ctx, path, r.Job.TextColumn, outcomes, texts)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d annotations of %d notes are in %s", spans, len(outcomes), path)
	if open > 0 {
		fmt.Fprintf(stdout, "; %d notes of the sample are not reviewed yet", open)
	}
	fmt.Fprintln(stdout, ". They tell where names are: keep them as you keep the input.")
	return nil
}

func writeRows(_ context.Context, path, column string, outcomes []review.Outcome, _ map[string][]rune) (int, error) {
	rows := []annotation{}
	for _, o := range outcomes {
		for _, g := range o.Gold() {
			rows = append(rows, annotation{o.Note.Document, column, int32(g.Start), int32(g.End), g.Type, split})
		}
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, rows, parquet.Compression(&parquet.Zstd)); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, fault.Mark(fault.Settings, fmt.Errorf("--export: %w", err))
	}
	_, err = f.Write(b.Bytes())
	if closed := f.Close(); err == nil {
		err = closed
	}
	return len(rows), err
}

func writeFolder(ctx context.Context, path, _ string, outcomes []review.Outcome, texts map[string][]rune) (spans int, err error) {
	if err := storage.MakePrivate(path); err != nil {
		return 0, err
	}
	if err := storage.CheckPrivate(path); err != nil {
		return 0, fault.Mark(fault.Settings, fmt.Errorf("--export: %w", err))
	}
	w, err := corpus.NewWriter(ctx, corpus.Parquet, path, corpus.WriteOptions{Split: split})
	if err != nil {
		return 0, fault.Mark(fault.Settings, fmt.Errorf("--export: %w", err))
	}
	defer w.Abort()
	for _, o := range outcomes {
		text := texts[o.Note.Document]
		d := corpus.Document{ID: o.Note.Document, Patient: patient(o.Note), Text: string(text), Source: "the sample"}
		for _, g := range o.Gold() {
			t, err := phi.ParseType(g.Type)
			if err != nil {
				return 0, err
			}
			start := len(string(text[:g.Start]))
			d.Annotations = append(d.Annotations, corpus.Annotation{Start: start, End: start + len(string(text[g.Start:g.End])),
				Category: t.Category(), Label: g.Type})
			spans++
		}
		if err := w.Write(d); err != nil {
			return 0, err
		}
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	var ids strings.Builder
	for _, o := range outcomes {
		fmt.Fprintln(&ids, o.Note.Document)
	}
	return spans, storage.WriteFile(ctx, storage.Join(path, documentsFile), []byte(ids.String()))
}

// patient is empty for a note that stands for a patient of its own.
func patient(n *review.Note) string {
	if strings.HasPrefix(n.Patient, "\x00") {
		return ""
	}
	return n.Patient
}
