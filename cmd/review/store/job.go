// Package store is what a review keeps and reads: the sample and the decisions,
// in a private folder, and the notes before and after, from the job's places.
package store

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
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

	manifest manifest
}

// manifest is what is needed of a release's manifest.json.
type manifest struct {
	Digest        string `json:"configuration_digest"`
	Configuration struct {
		Epoch   int  `json:"seed_epoch"`
		KeepIDs bool `json:"keep_ids"`
		Columns struct {
			DocumentID, PatientID, Line, LineSeparator string
			Text                                       []string
		}
	} `json:"configuration"`
}

// maxManifest bounds a manifest, which lists files.
const maxManifest = 256 << 20

// Flags are the settings that review and estimate share with the job.
type Flags struct {
	Config, Output, Private, Key, TextColumn, Reviews string
	Inputs                                            string
}

// Register declares the flags that review and estimate share.
func (f *Flags) Register(fs *flag.FlagSet) {
	fs.StringVar(&f.Config, "config", "", "YAML file of the job's settings")
	fs.StringVar(&f.Output, "output", "", "the job's output (default: as in --config)")
	fs.StringVar(&f.Private, "private", "", "the job's private part (default: as in --config)")
	fs.StringVar(&f.TextColumn, "text_column", "", "the column to review, if the job has several of texts")
	fs.StringVar(&f.Reviews, "reviews", "", "folder of the sample and the decisions (default: review below --private)")
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
	if reviews == "" && j.Private != "" {
		reviews = storage.Join(j.Private, "review")
	}
	switch {
	case j.Output == "":
		err = errors.New("--output is missing: name the job's output, or give its settings by --config")
	case reviews == "":
		err = errors.New("--private is missing: name the job's private part, or give its settings by --config")
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

func (j *Job) readManifest(ctx context.Context) error {
	if _, err := storage.ReadFile(ctx, storage.Join(j.Output, transforms.SuccessFile), maxManifest); err != nil {
		return fault.Mark(fault.Refused, fmt.Errorf("%s holds no finished release: there is no %s: %w", j.Output, transforms.SuccessFile, err))
	}
	name := storage.Join(j.Output, transforms.ManifestFile)
	raw, err := storage.ReadFile(ctx, name, maxManifest)
	if err == nil {
		err = json.Unmarshal(raw, &j.manifest)
	}
	if err == nil && (j.manifest.Digest == "" || j.manifest.Configuration.Columns.DocumentID == "") {
		err = errors.New("it does not say how the job was configured")
	}
	if err != nil {
		return fault.Mark(fault.Refused, fmt.Errorf("%s: %w", name, err))
	}
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
func (j *Job) Digest() string { return j.manifest.Digest }

// eachFile opens the Parquet files that patterns name, in order of name.
func eachFile(ctx context.Context, patterns []string, do func(*table.File) error) error {
	var infos []storage.Info
	for _, pattern := range patterns {
		more, err := storage.Glob(ctx, pattern)
		if err != nil {
			return err
		}
		if len(more) == 0 {
			return fmt.Errorf("no file matches %s", pattern)
		}
		infos = append(infos, more...)
	}
	slices.SortFunc(infos, func(a, b storage.Info) int { return strings.Compare(a.Name, b.Name) })
	infos = slices.CompactFunc(infos, func(a, b storage.Info) bool { return a.Name == b.Name })
	for _, info := range infos {
		if err := inFile(ctx, info.Name, do); err != nil {
			return err
		}
	}
	return nil
}

func inFile(ctx context.Context, name string, do func(*table.File) error) error {
	object, err := storage.Open(ctx, name)
	if err != nil {
		return err
	}
	defer object.Close()
	f, err := table.Open(object, object.Size(), name)
	if err != nil {
		return err
	}
	return do(f)
}

// eachNote hands the notes of the input, or of the release, to do.
func (j *Job) eachNote(ctx context.Context, patterns []string, do func(n *table.Note) error) error {
	c := j.manifest.Configuration.Columns
	return eachFile(ctx, patterns, func(f *table.File) error {
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
	infos, err := storage.Glob(ctx, folder)
	if err == nil && len(infos) == 0 {
		err = fmt.Errorf("%s holds no findings: a job writes them unless --findings=false", folder)
	}
	for _, info := range infos {
		if err != nil {
			break
		}
		err = readFindings(ctx, info.Name, func(x table.Finding) error {
			if x.TextColumn == j.TextColumn {
				do(x)
			}
			return nil
		})
	}
	return err
}

func readFindings(ctx context.Context, name string, do func(table.Finding) error) error {
	object, err := storage.Open(ctx, name)
	if err != nil {
		return err
	}
	defer object.Close()
	return table.ReadFindings(ctx, object, object.Size(), name, do)
}
