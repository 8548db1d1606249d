package evaluate

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/cmd/evaluate/report"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// run scores and writes. Outputs are checked before any work, and written only
// when all numbers are there.
func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	outputs, err := o.outputs()
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	e, err := prepare(ctx, o, stderr)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	var errs *report.Errors
	if o.html != "" {
		errs = report.NewErrors(o.htmlErrors)
	}
	scorer, err := e.score(ctx, &e.system, errs)
	if err != nil {
		return fault.Mark(fault.Refused, err)
	}
	if err := e.picker.misfit(); err != nil {
		return fault.Mark(fault.Settings, err)
	}
	result := e.result(o, scorer)
	if o.compare != "" {
		other, err := e.score(ctx, &e.other, nil)
		if err != nil {
			return fault.Mark(fault.Refused, err)
		}
		if result.Comparison, err = score.Compare(scorer, other, o.shuffles, o.seed); err != nil {
			return fault.Mark(fault.Refused, err)
		}
	}
	for _, f := range outputs {
		if err := f.write(result, errs); err != nil {
			return err
		}
	}
	if o.official {
		_, err = io.WriteString(stdout, result.Score.I2B2Report("")+result.Score.MEDDOCANReport(o.system, sentences(o)))
	} else {
		err = report.WriteText(stdout, result, report.Selection{Summary: o.summary, Metrics: o.measures})
	}
	for _, f := range outputs {
		fmt.Fprintf(stderr, "wrote %s%s\n", f.path, f.remark)
	}
	return err
}

// sentences is what the MEDDOCAN report takes for the number of sentences.
func sentences(o *options) int {
	if o.sentences == 0 {
		return -1
	}
	return o.sentences
}

// evaluation is what is settled before documents are read.
type evaluation struct {
	gold, system, other source
	picker              *picker
	withoutLines        *regexp.Regexp // nil: all lines count
	options             score.Options
}

func prepare(ctx context.Context, o *options, stderr io.Writer) (*evaluation, error) {
	read := corpus.ReadOptions{
		DocumentIDColumn: o.documentIDColumn, PatientIDColumn: o.patientIDColumn, TextColumn: o.textColumn,
		TrustOffsets: o.trustOffsets,
		Warn:         func(message string) { fmt.Fprintln(stderr, "evaluate:", message) },
	}
	e := &evaluation{}
	var err error
	if o.withoutLines != "" {
		if e.withoutLines, err = regexp.Compile(o.withoutLines); err != nil {
			return nil, fmt.Errorf("--without_lines: %w", err)
		}
	}
	if e.gold, err = newSource(ctx, "--gold", o.gold, o.goldFormat, o.notes, read); err != nil {
		return nil, err
	}
	// Findings are on the job's input, which as a rule is what the gold is on.
	notes := o.notes
	if notes == "" && e.gold.format == corpus.Parquet {
		notes = e.gold.read
	}
	if e.system, err = newSource(ctx, "--system", o.system, o.systemFormat, notes, read); err != nil {
		return nil, err
	}
	if o.compare != "" {
		if e.other, err = newSource(ctx, "--compare", o.compare, o.compareFormat, notes, read); err != nil {
			return nil, err
		}
	}
	if e.picker, err = newPicker(ctx, o, &e.gold); err != nil {
		return nil, err
	}
	if err := leaveQuarantined(ctx, o, e); err != nil {
		return nil, err
	}
	e.options = score.Options{Resamples: o.bootstrap, Seed: o.seed}
	if e.options.Common, err = words(ctx, o, &e.gold); err != nil {
		return nil, err
	}
	if err := e.setMappings(ctx, o); err != nil {
		return nil, err
	}
	return e, nil
}

// score scores one system. errs, if there is any, is given its mistakes.
func (e *evaluation) score(ctx context.Context, system *source, errs *report.Errors) (*score.Scorer, error) {
	s := score.New(e.options)
	documents := 0
	for d, err := range pair(&e.gold, system, e.gold.documents(ctx), system.documents(ctx), e.picker.want) {
		if err != nil {
			return nil, err
		}
		if e.withoutLines != nil {
			dropLines(&d.gold, e.withoutLines)
			dropLines(&d.system, e.withoutLines)
		}
		mistakes, err := s.Add(score.Document{ID: d.gold.ID, Text: d.gold.Text, Gold: annotations(&d.gold), System: annotations(&d.system)})
		if err != nil {
			return nil, err
		}
		if errs != nil {
			errs.Add(d.gold.ID, d.gold.Text, mistakes)
		}
		documents++
	}
	if documents == 0 {
		return nil, fmt.Errorf("%s and %s hold no document to score", e.gold.flag, system.flag)
	}
	return s, nil
}

// dropLines takes the annotations away that begin on a line that fits.
func dropLines(d *corpus.Document, fits *regexp.Regexp) {
	d.Annotations = slices.DeleteFunc(d.Annotations, func(a corpus.Annotation) bool {
		start := strings.LastIndexByte(d.Text[:a.Start], '\n') + 1
		line, _, _ := strings.Cut(d.Text[start:], "\n")
		return fits.MatchString(line)
	})
}

// annotations are a document's, as scoring takes them. Formats other than
// i2b2's own have no category; that of a type of the guideline is the type's.
func annotations(d *corpus.Document) []score.Annotation {
	out := make([]score.Annotation, len(d.Annotations))
	for i, a := range d.Annotations {
		if a.Category == "" {
			if t, err := phi.ParseType(a.Label); err == nil {
				a.Category = t.Category()
			}
		}
		out[i] = score.Annotation{Start: a.Start, End: a.End, Category: a.Category, Label: a.Label, Tagger: a.Tagger, Score: a.Score}
	}
	return out
}

// result puts together what the outputs show, without the comparison.
func (e *evaluation) result(o *options, s *score.Scorer) *report.Result {
	r := &report.Result{
		Inputs: report.Inputs{
			Gold: o.gold, GoldFormat: e.gold.format, System: o.system, SystemFormat: e.system.format,
			Notes: o.notes, Other: o.compare, Documents: e.picker.shown, Scheme: annotationSchemes(o), HIPAA: o.hipaa,
		},
		Score: s.Result(),
	}
	if o.sentences > 0 {
		r.Leak = &report.Leak{Sentences: o.sentences, Value: r.Score.MEDDOCAN.Leak(o.sentences)}
	}
	return r
}

// annotationSchemes says for people what labels were translated.
func annotationSchemes(o *options) string {
	var parts []string
	if o.scheme != "" {
		parts = append(parts, "translated to "+o.scheme)
	}
	for _, m := range []struct{ side, file string }{{"gold", o.goldMapping}, {"system", o.systemMapping}} {
		if m.file != "" {
			parts = append(parts, m.side+" mapped by "+m.file)
		}
	}
	return strings.Join(parts, "; ")
}
