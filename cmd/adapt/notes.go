package adapt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/adapt"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// notes are all annotated notes and what each is for.
type notes struct {
	documents []corpus.Document
	parts     map[string]adapt.Part // by person
}

// person is the patient of a note; one that names none is a patient of its own.
func person(d *corpus.Document) string {
	if d.Patient == "" {
		return "\x00" + d.ID
	}
	return d.Patient
}

func (n *notes) of(part adapt.Part) (some []corpus.Document) {
	for _, d := range n.documents {
		if n.parts[person(&d)] == part {
			some = append(some, d)
		}
	}
	return some
}

// counts returns the number of notes and of patients of each part.
func (n *notes) counts() (documents, patients map[adapt.Part]int) {
	documents, patients = map[adapt.Part]int{}, map[adapt.Part]int{}
	for _, d := range n.documents {
		documents[n.parts[person(&d)]]++
	}
	for _, part := range n.parts {
		patients[part]++
	}
	return documents, patients
}

// learnt is the number of notes that do not judge.
func (n *notes) learnt() int { return len(n.of(adapt.Train)) + len(n.of(adapt.Stop)) }

func (n *notes) String() string {
	documents, patients := n.counts()
	return fmt.Sprintf("%d notes of %d patients to train on, %d of %d to tell when to stop, %d of %d to judge", documents[adapt.Train],
		patients[adapt.Train], documents[adapt.Stop], patients[adapt.Stop], documents[adapt.Held], patients[adapt.Held])
}

// readNotes reads --notes and --test and divides them by patient. kinds are the
// types that the model knows.
func readNotes(ctx context.Context, o *options, kinds []string, stderr io.Writer) (*notes, error) {
	read := o.read
	read.Warn = func(message string) { fmt.Fprintln(stderr, "adapt: warning:", message) }
	job, inFile, err := pipeline.ReadFile(ctx, o.config)
	if err != nil {
		return nil, err
	}
	if read.DocumentIDColumn == "" && inFile["document_id_column"] {
		read.DocumentIDColumn = job.DocumentIDColumn
	}
	if read.PatientIDColumn == "" && inFile["patient_id_column"] {
		read.PatientIDColumn = job.PatientIDColumn
	}
	if read.TextColumn == "" && inFile["text_column"] {
		if read.TextColumn, err = job.OneTextColumn(); err != nil {
			return nil, err
		}
	}
	reviewed, err := readFrom(ctx, "--notes", o.notes, o.format, read, kinds)
	if err != nil {
		return nil, err
	}
	var ids []string
	for i := range reviewed {
		ids = append(ids, person(&reviewed[i]))
	}
	held := o.held
	var test []corpus.Document
	if o.test != "" {
		held = 0
		if test, err = readFrom(ctx, "--test", o.test, o.format, read, kinds); err != nil {
			return nil, err
		}
	}
	n := &notes{documents: append(reviewed, test...)}
	if n.parts, err = adapt.Split(ids, held, o.seed); err != nil {
		return nil, fmt.Errorf("--notes=%s: %w; have more notes reviewed", o.notes, err)
	}
	shared, judges := map[string]bool{}, map[string]bool{}
	for i := range test {
		p := person(&test[i])
		if part, ok := n.parts[p]; ok && part != adapt.Held {
			shared[p] = true
		}
		judges[p] = true
	}
	if len(shared) > 0 {
		return nil, fmt.Errorf("%d patients have notes in both --notes and --test: scores on patients that were trained on tell nothing; "+
			"divide the notes by patient", len(shared))
	}
	if o.test != "" && len(judges) < adapt.LeastJudges {
		return nil, fmt.Errorf("--test=%s has notes of %d patients; it takes %d at least to judge", o.test, len(judges), adapt.LeastJudges)
	}
	for p := range judges {
		n.parts[p] = adapt.Held
	}
	return n, n.check()
}

// check refuses ids that stand for two notes, and parts without PHI.
func (n *notes) check() error {
	seen, annotated := map[string]bool{}, map[adapt.Part]bool{}
	twice := 0
	for _, d := range n.documents {
		if seen[d.ID] {
			twice++
		}
		seen[d.ID] = true
		if len(d.Annotations) > 0 {
			annotated[n.parts[person(&d)]] = true
		}
	}
	if twice > 0 {
		return fmt.Errorf("%d notes have the id of another note; ids must differ", twice)
	}
	for _, part := range []adapt.Part{adapt.Train, adapt.Stop, adapt.Held} {
		if !annotated[part] {
			return fmt.Errorf("no note of the patients of the part %q has an annotation: there is nothing to learn, or to judge by; annotate "+
				"all PHI in all notes", part)
		}
	}
	return nil
}

// readFrom reads one corpus whose annotations people made.
func readFrom(ctx context.Context, flag, path, format string, read corpus.ReadOptions, kinds []string) ([]corpus.Document, error) {
	if format == "" {
		var err error
		if format, err = guess(ctx, flag, path); err != nil {
			return nil, err
		}
	}
	var documents []corpus.Document
	unknown := map[string]bool{}
	for d, err := range corpus.Read(ctx, format, path, read) {
		if err != nil {
			return nil, err
		}
		for _, a := range d.Annotations {
			if a.Tagger != "" {
				return nil, fmt.Errorf("%s=%s holds what the job found, and nobody's annotations: a model that learns its own mistakes gets "+
					"worse; have the notes reviewed and give what palimpsest review --export wrote", flag, path)
			}
			if !slices.Contains(kinds, a.Label) {
				unknown[a.Label] = true
			}
		}
		documents = append(documents, d)
	}
	if len(documents) == 0 {
		return nil, fmt.Errorf("%s=%s holds no notes", flag, path)
	}
	if len(unknown) > 0 {
		labels := make([]string, 0, len(unknown))
		for l := range unknown {
			labels = append(labels, l)
		}
		slices.Sort(labels)
		return nil, fmt.Errorf("%s=%s has types that the model has not: %s. It has %s; palimpsest convert --scheme or --mapping translates",
			flag, path, strings.Join(labels, ", "), strings.Join(kinds, ", "))
	}
	return documents, nil
}

// guess tells the format of what lies at path, where that is plain.
func guess(ctx context.Context, flag, path string) (string, error) {
	signs := []struct{ ending, format string }{
		{".parquet", corpus.Parquet}, {".jsonl", corpus.JSONL}, {".ann", corpus.Brat}, {".xml", corpus.I2B2},
	}
	for _, sign := range signs {
		if strings.EqualFold(filepath.Ext(path), sign.ending) && sign.format != corpus.I2B2 {
			return sign.format, nil
		}
		infos, err := storage.Glob(ctx, storage.Join(storage.Literal(path), "*"+sign.ending))
		if err == nil && len(infos) > 0 {
			return sign.format, nil
		}
	}
	return "", errors.New(flag + "=" + path + ": its format cannot be told; does the path exist? Else say it with --format")
}

// ours goes before ids of notes and patients, which may be those of shipped notes.
const ours = "ours/"

// writeNotes writes notes of one part as the trainer reads them.
func writeNotes(ctx context.Context, folder string, documents []corpus.Document) error {
	if err := storage.MakePrivate(folder); err != nil {
		return err
	}
	w, err := corpus.NewWriter(ctx, corpus.JSONL, folder, corpus.WriteOptions{Discontinuous: corpus.HullDiscontinuous})
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, d := range documents {
		d.Rest, d.ID = nil, ours+d.ID
		if d.Patient != "" {
			d.Patient = ours + d.Patient
		}
		if err := w.Write(d); err != nil {
			return err
		}
	}
	return w.Close()
}
