// Package store is what a review keeps and reads: the sample and the decisions,
// in a private folder, and the notes before and after, from the job's places.
package store

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Job says where a finished job's notes are. What the manifest says of the
// columns counts, whatever the settings say now.
type Job struct {
	Inputs          []string
	Output, Private string
	Key             string // reference
	TextColumn      string // empty if there is one alone

	manifest *transforms.Manifest
}

// Flags are the settings that review and estimate share with the job.
type Flags struct {
	Config, Output, Private, Key, TextColumn, Reviews string
	Inputs                                            string
}

// Register declares the flags that review and estimate share.
func (f *Flags) Register(flags *flag.FlagSet) {
	flags.StringVar(&f.Config, "config", "", "YAML file of the job's settings")
	flags.StringVar(&f.Output, "output", "", "the job's output (default: as in --config)")
	flags.StringVar(&f.Private, "private", "", "the job's private part (default: as in --config)")
	flags.StringVar(&f.TextColumn, "text_column", "", "the column to review, if the job has several of texts")
	flags.StringVar(&f.Reviews, "reviews", "", "folder of the sample and the decisions (default: review below --private)")
}

// Open reads the job's file of settings, and the manifest of its release. It
// returns the job and the folder of its reviews.
func (f Flags) Open(ctx context.Context) (*Job, string, error) {
	o, inFile, err := pipeline.ReadFile(ctx, f.Config)
	if err != nil {
		return nil, "", err
	}
	j := &Job{Inputs: o.Input, Output: first(f.Output, o.Output), Key: first(f.Key, o.Key), TextColumn: f.TextColumn}
	if f.Inputs != "" {
		j.Inputs = []string{f.Inputs}
	}
	if j.Private = f.Private; j.Private == "" && inFile["private"] {
		j.Private = o.Private
	}
	j.Output, j.Private = strings.TrimRight(j.Output, "/"), strings.TrimRight(j.Private, "/")
	reviews := f.Reviews
	missing := false
	if f.Reviews == "" && j.Private != "" && !strings.Contains(j.Private, "://") {
		_, err := os.Stat(j.Private)
		missing = errors.Is(err, fs.ErrNotExist)
	}
	if reviews == "" && j.Private != "" {
		reviews = storage.Join(j.Private, below)
	}
	switch {
	case j.Output == "":
		err = errors.New("--output is missing: name the job's output, or give its settings by --config")
	case reviews == "":
		err = errors.New("--private is missing: name the job's private part, or give its settings by --config")
	case missing:
		err = fmt.Errorf("--private=%s is not there; name the private part that the job wrote", j.Private)
	case strings.Contains(reviews, "://"):
		err = fmt.Errorf("decisions are kept in a folder of this machine, and %s is elsewhere; name a private folder here by --reviews", reviews)
	case storage.Inside(reviews, j.Output):
		err = fmt.Errorf("--reviews: %s lies inside the output, so what must not be released would be; name another place", reviews)
	}
	if err != nil {
		return nil, "", fault.Mark(fault.Settings, err)
	}
	return j, reviews, j.readManifest(ctx)
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// maxSuccess bounds a file that is there to be there.
const maxSuccess = 1 << 20

func (j *Job) readManifest(ctx context.Context) error {
	if _, err := storage.ReadFile(ctx, storage.Join(j.Output, transforms.SuccessFile), maxSuccess); err != nil {
		if _, trial := storage.ReadFile(ctx, storage.Join(j.Output, transforms.TrialFile), maxSuccess); trial == nil {
			return fault.Mark(fault.Refused, fmt.Errorf("%s is a trial of some notes (--limit), and a sample is drawn from all of them; run the "+
				"job without --limit into another --output, and review that", j.Output))
		}
		return fault.Mark(fault.Refused, fmt.Errorf("%s holds no finished release: there is no %s: %w", j.Output, transforms.SuccessFile, err))
	}
	m, err := transforms.ReadManifest(ctx, j.Output)
	if err == nil && (m.ConfigDigest == "" || m.Configuration.Columns.DocumentID == "") {
		err = fmt.Errorf("%s: it does not say how the job was configured", storage.Join(j.Output, transforms.ManifestFile))
	}
	if err != nil {
		return fault.Mark(fault.Refused, err)
	}
	j.manifest = m
	texts := j.manifest.Configuration.Columns.Text
	switch {
	case j.TextColumn == "" && len(texts) == 1:
		j.TextColumn = texts[0]
	case !slices.Contains(texts, j.TextColumn):
		return fault.Mark(fault.Settings, fmt.Errorf("choose one of the text columns by --text_column: %s", strings.Join(texts, ", ")))
	}
	return nil
}

// Digest names what made the release: program, model, policy and settings.
func (j *Job) Digest() string { return j.manifest.ConfigDigest }

// keeps tells whether the release's policy keeps a type.
func (j *Job) keeps(typ string) bool {
	return j.manifest.Configuration.Policy.Actions[typ] == surrogate.Keep
}

// eachNote hands the notes of the input, or of the release, to do.
func (j *Job) eachNote(ctx context.Context, patterns []string, do func(n *table.Note) error) error {
	c := j.manifest.Configuration.Columns
	return table.WithFiles(ctx, patterns, func(f *table.File) error {
		b, err := f.Bind(table.Columns{DocumentID: c.DocumentID, PatientID: c.PatientID, Text: []string{j.TextColumn}, Line: c.Line,
			LineSeparator: c.LineSeparator})
		if err != nil {
			return err
		}
		return b.ReadAllNotes(ctx, func(batch []table.Note) error {
			for i := range batch {
				if len(batch[i].Texts) != 1 || batch[i].Texts[0].Element != "" {
					return fmt.Errorf("column %q holds lists of texts; only plain text columns can be reviewed yet", j.TextColumn)
				}
				if err := do(&batch[i]); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// eachFinding hands the findings in the job's text column to do.
func (j *Job) eachFinding(ctx context.Context, do func(table.Finding)) error {
	if j.Private == "" {
		return fault.Mark(fault.Settings, errors.New("--private is missing: the findings are in the job's private part"))
	}
	folder := storage.Join(j.Private, transforms.FindingsFolder)
	files, err := table.ReadFindings(ctx, folder, func(x table.Finding) error {
		if x.TextColumn == j.TextColumn {
			do(x)
		}
		return nil
	})
	if err == nil && files == 0 {
		err = fmt.Errorf("%s holds no findings; does --private name the job's private part? A job writes findings unless "+
			"--findings=false", folder)
	}
	return err
}
