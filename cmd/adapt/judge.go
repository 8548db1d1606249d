package adapt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/adapt"
	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// judge runs the job on notes with one model and another.
type judge struct {
	options pipeline.Options
	base    *bilstmcrf.Model
	baseDir string
}

// newJudge reads the job's settings and the model to go on from.
func newJudge(ctx context.Context, o *options) (*judge, error) {
	slog.SetLogLoggerLevel(slog.LevelWarn) // which provider runs the network is no news here
	// Nothing is released, so the key decides nothing.
	const key = "PALIMPSEST_ADAPT_KEY"
	if err := os.Setenv(key, strings.Repeat("no surrogate is drawn here ", 2)); err != nil {
		return nil, err
	}
	options, _, err := pipeline.ReadFile(ctx, o.config)
	if err != nil {
		return nil, err
	}
	options.ExecutionProvider = "cpu"
	options.Key, options.Input, options.Output, options.Private, options.Beside = "env:"+key, []string{"unused.parquet"}, "unused",
		"unused-private", true
	j := &judge{options: options}
	cfg, err := j.config(ctx, side{model: o.from})
	if err != nil {
		if name, ok := strings.CutPrefix(err.Error(), "--model="); ok {
			err = errors.New("--from=" + name)
		}
		return nil, err
	}
	if strings.Contains(cfg.Where.Model, "://") {
		return nil, fmt.Errorf("--from=%s: copy the model to this machine first", cfg.Where.Model)
	}
	if j.baseDir, err = filepath.Abs(cfg.Where.Model); err != nil {
		return nil, err
	}
	model, err := transforms.LoadModel(ctx, j.baseDir)
	if err != nil {
		return nil, err
	}
	if j.base = model.Network; j.base == nil {
		return nil, fmt.Errorf("--from=%s: only a BiLSTM-CRF can be trained further, and this is a %s", o.from, model.Kind)
	}
	return j, nil
}

// side is what one of two jobs runs with.
type side struct {
	model string
	rules string // site rules; empty for the job's own, if it has any
}

// config is the job's configuration with another model.
func (j *judge) config(ctx context.Context, s side) (transforms.Config, error) {
	o := j.options
	o.Model, o.Limit = s.model, 0
	if s.rules != "" {
		o.SiteRules = s.rules
	}
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return cfg, err
	}
	cfg.Columns.Others = table.OthersAsIs // nothing is released
	return pipeline.PrepareTaggers(ctx, cfg)
}

// found is what a job found in some notes.
type found struct {
	job, network *score.Scorer
	spans        map[string][]adapt.Span // of the job, by document
}

// compare runs the job as it is, and otherwise.
func (j *judge) compare(ctx context.Context, other side, documents []corpus.Document, stderr io.Writer) (*verdict, error) {
	fmt.Fprintf(stderr, "adapt: the job runs twice on %d notes of patients that were not used, before and after\n", len(documents))
	patient := map[string]string{}
	for i := range documents {
		patient[documents[i].ID] = person(&documents[i])
	}
	var sides [2]found
	for i, s := range []side{other, {model: j.baseDir}} {
		var err error
		if sides[i], err = j.find(ctx, s, documents); err != nil {
			return nil, err
		}
	}
	v := &verdict{From: transforms.ModelIdentity{Name: j.base.Name, Version: j.base.Version, Digest: j.base.Digest}}
	for _, c := range []struct {
		a, b    *score.Scorer
		measure score.Measure
		to      **score.Paired
	}{
		{sides[0].job, sides[1].job, score.BinaryToken, &v.Job},
		{sides[0].job, sides[1].job, score.Strict, &v.JobStrict},
		{sides[0].network, sides[1].network, score.BinaryToken, &v.Network},
		{sides[0].network, sides[1].network, score.Strict, &v.NetworkStrict},
	} {
		var err error
		if *c.to, err = score.PairedByCluster(c.a, c.b, c.measure, func(id string) string { return patient[id] }, 2000, 1); err != nil {
			return nil, err
		}
	}
	v.decide(float64(len(documents)) / float64(v.Job.Clusters))
	return v, nil
}

// find runs the job, and the network alone.
func (j *judge) find(ctx context.Context, with side, documents []corpus.Document) (f found, err error) {
	f.spans = map[string][]adapt.Span{}
	cfg, err := j.config(ctx, with)
	if err != nil {
		return f, err
	}
	var ids, patients, texts []string
	gold := map[string]*corpus.Document{}
	for i := range documents {
		d := &documents[i]
		ids, patients, texts = append(ids, d.ID), append(patients, d.Patient), append(texts, d.Text)
		gold[d.ID] = d
	}
	study, err := transforms.NewStudyOfPatients(ctx, cfg, ids, patients, texts)
	if err != nil {
		return f, err
	}
	types := j.base.Types
	for _, run := range []struct {
		to      **score.Scorer
		setting deid.Setting
	}{
		{&f.job, deid.Setting{Steps: cfg.Steps, Known: true}},
		{&f.network, deid.Setting{}},
	} {
		s := score.New(score.Options{})
		for _, t := range study.Run(run.setting, nil) {
			d := score.Document{ID: t.Document, Text: t.Text}
			for _, a := range gold[t.Document].Annotations {
				label := a.Label
				if to, ok := types[label]; ok {
					label = to
				}
				if typ, err := phi.ParseType(label); err == nil {
					d.Gold = append(d.Gold, score.Annotation{Start: a.Start, End: a.End, Category: typ.Category(), Label: label})
				}
			}
			for _, x := range t.Spans {
				if run.to == &f.job {
					f.spans[t.Document] = append(f.spans[t.Document], adapt.Span{Start: int(x.Start), End: int(x.End)})
				}
				d.System = append(d.System, score.Annotation{Start: int(x.Start), End: int(x.End), Category: x.Type.Category(),
					Label: x.Type.String()})
			}
			if _, err := s.Add(d); err != nil {
				return f, err
			}
		}
		*run.to = s
	}
	return f, nil
}

// decide says whether the model is written, and if not, why. notes is the number
// of notes of a patient, on average.
func (v *verdict) decide(notes float64) {
	v.Better = adapt.Better(v.Job)
	if v.Better {
		return
	}
	more, ok := adapt.More(v.Job)
	switch {
	case ok:
		v.MoreNotes = int(float64(more)*notes + 0.999)
		v.Why = fmt.Sprintf("it found more than chance explains in too few notes to tell. If the gain is as large as it looked, about %d more "+
			"notes of %d further patients to judge by would show it, four times in five", v.MoreNotes, more)
	case v.Job.Recall.Difference < 0:
		v.Why = fmt.Sprintf("the job would miss more on patients that were not trained on (%s). More notes to judge by would not change that; "+
			"more notes to train on may", shift(v.Job.Recall))
	default:
		v.Why = "the job would be no better on patients that were not trained on. More notes to judge by would not change that; more notes to " +
			"train on may"
	}
}
