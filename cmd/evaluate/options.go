package evaluate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/cmd/evaluate/report"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// options are the settings as the user gives them.
type options struct {
	config                 string
	gold, goldFormat       string
	system, systemFormat   string
	compare, compareFormat string
	notes                  string
	documentIDColumn       string
	patientIDColumn        string
	textColumn             string
	trustOffsets           bool

	documents, split, idsAre string

	scheme                        string
	goldScheme, systemScheme      string
	goldMapping, systemMapping    string
	hipaa, dictionary             string
	bootstrap, shuffles           int
	sentences                     int
	seed                          uint64
	json, csv, html               string
	htmlErrors                    int
	withoutLines                  string
	summary, official, quarantine bool
	metric                        string
	measures                      []score.Measure // metric, parsed
}

// register declares the flags and returns how --help groups them.
func (o *options) register(fs *flag.FlagSet) []cli.Group {
	formats := strings.Join(corpus.Formats(), ", ")
	var groups []cli.Group
	in := func(title string) { groups = append(groups, cli.Group{Title: title}) }
	add := func(name string) {
		g := &groups[len(groups)-1]
		g.Flags = append(g.Flags, name)
	}
	str := func(p *string, name, value, help string) { fs.StringVar(p, name, value, help); add(name) }
	num := func(p *int, name string, value int, help string) { fs.IntVar(p, name, value, help); add(name) }
	yes := func(p *bool, name, help string) { fs.BoolVar(p, name, false, help); add(name) }

	in("What is scored")
	str(&o.config, "config", "", "YAML file of the job's settings; --system, --notes and the columns default to its private, input and "+
		"columns")
	str(&o.gold, "gold", "", "annotated documents: a folder, or a Parquet file, glob or folder")
	str(&o.system, "system", "", "what the system found in the same documents; of the job, what it wrote to --private")
	str(&o.notes, "notes", "", "Parquet file, glob or folder with the texts that Parquet annotations are on: the job's input, not its "+
		"output (default: notes.parquet beside the gold)")
	str(&o.goldFormat, "gold_format", "", formats+" (default: what the path holds, where that is plain)")
	str(&o.systemFormat, "system_format", "", "as --gold_format")
	str(&o.documentIDColumn, "document_id_column", "", "document id in --notes (default: as in --config, or note_id)")
	str(&o.patientIDColumn, "patient_id_column", "", "patient id in --notes (default: as in --config, or patient_id, where there is such a "+
		"column)")
	str(&o.textColumn, "text_column", "", "text in --notes; one column is scored at a time (default: as in --config, or text)")
	yes(&o.trustOffsets, "trust_offsets", "go by the offsets where the text quoted beside them disagrees; a warning each")

	in("Which documents")
	str(&o.documents, "documents", "", "score these alone, on both sides: ids, comma separated; or a file with one id a line; or, with "+
		"--split, a JSON file of lists by name")
	str(&o.idsAre, "ids_are", "", "what the ids of --documents are: documents or patients (default: documents, where each is the id of a "+
		"document of the gold, as in the documents.txt of a review; else either, and an id that is both is an error)")
	str(&o.split, "split", "", "the list of the --documents file to take, such as test; without --documents, the documents that the gold "+
		"table's column split names so")
	str(&o.withoutLines, "without_lines", "", "leave out, on both sides, annotations that begin on a line that fits this regular "+
		"expression, such as the lines of a form: free text is scored alone then")
	yes(&o.quarantine, "without_quarantined", "leave out the notes that the job put into quarantine, which have no findings; otherwise "+
		"they are an error")

	in("Types")
	str(&o.scheme, "scheme", "", "translate the labels of both sides into this scheme before anything is counted (see below); without it "+
		"labels are compared as they are written")
	str(&o.goldScheme, "gold_scheme", "", "scheme of the gold labels (default i2b2)")
	str(&o.systemScheme, "system_scheme", "", "scheme of the system's labels (default i2b2)")
	str(&o.goldMapping, "mapping", "", "your own mapping of the gold labels: a file, see below")
	str(&o.systemMapping, "system_mapping", "", "your own mapping of the system's labels")
	str(&o.hipaa, "hipaa", report.HIPAAScript, "HIPAA subset to show: script, as the official i2b2 2014 script counts it (without IDNUM, "+
		"by an error of its own), or documented, as its README says. --json and --csv hold both")

	in("Statistics")
	num(&o.bootstrap, "bootstrap", 1000, "resamples of the documents for 95 % intervals; 0: none")
	str(&o.compare, "compare", "", "another system on the same documents: adds differences and p-values by approximate randomisation")
	str(&o.compareFormat, "compare_format", "", "as --gold_format")
	num(&o.shuffles, "shuffles", 9999, "of the approximate randomisation")
	fs.Uint64Var(&o.seed, "seed", 1, "of bootstrap and shuffles: the same seed gives the same numbers")
	add("seed")
	num(&o.sentences, "sentences", 0, "number of sentences of all documents, for MEDDOCAN's leak score; 0: not known")
	str(&o.dictionary, "dictionary", "", "file of common words, one a line, that tells errors on common language; notes: the words that "+
		"stand in small letters outside of gold spans in at least three of the gold documents")

	in("Output")
	yes(&o.summary, "summary", "print a few lines only")
	yes(&o.official, "official", "print what the official scripts of i2b2 2014 and MEDDOCAN print, instead")
	str(&o.metric, "metric", "", "print these only, comma separated: "+strings.Join(measureNames(), ", "))
	str(&o.json, "json", "", "write all numbers to this file; they hold no text and no document id")
	str(&o.csv, "csv", "", "the same, one number a line: metric, subset, label, measure, value, low, high")
	str(&o.html, "html", "", "write one page with scores, curves, confusion and a browser of errors. It quotes the notes: it is PHI, as "+
		"the notes are")
	num(&o.htmlErrors, "html_errors", report.DefaultErrors, "most errors in the page; of more it holds a sample")
	return groups
}

// measureNames are the names of --metric.
func measureNames() []string {
	var names []string
	for _, m := range []score.Measure{score.Token, score.Strict, score.Relaxed, score.BinaryToken, score.BinaryStrict, score.Blind,
		score.Character, score.NER, score.Spans, score.Merged} {
		names = append(names, flagName(m))
	}
	return names
}

func flagName(m score.Measure) string { return strings.ReplaceAll(string(m), " ", "_") }

// complete takes from the job's settings what the flags leave open, and checks
// what there is then.
func (o *options) complete(ctx context.Context) error {
	job, inFile, err := pipeline.ReadFile(ctx, o.config)
	if err != nil {
		return err
	}
	take := func(to *string, name, value string) {
		if *to == "" && inFile[name] {
			*to = value
		}
	}
	take(&o.system, "private", job.Private)
	take(&o.documentIDColumn, "document_id_column", job.DocumentIDColumn)
	take(&o.patientIDColumn, "patient_id_column", job.PatientIDColumn)
	if o.textColumn == "" && inFile["text_column"] {
		if o.textColumn, err = job.OneTextColumn(); err != nil {
			return err
		}
	}
	if o.notes == "" && inFile["input"] {
		if len(job.Input) != 1 {
			return fmt.Errorf("config %s: its input is more than one file or pattern; name the table of notes with --notes", o.config)
		}
		o.notes = job.Input[0]
	}
	return o.check()
}

// check reports the first setting that cannot be.
func (o *options) check() error {
	switch {
	case o.gold == "" || o.system == "":
		return errors.New("--gold and --system are needed; palimpsest evaluate --help says how to give them")
	case o.hipaa != report.HIPAAScript && o.hipaa != report.HIPAADocumented:
		return fmt.Errorf("--hipaa=%s: give %s or %s", o.hipaa, report.HIPAAScript, report.HIPAADocumented)
	case o.bootstrap < 0 || o.shuffles < 1 || o.sentences < 0 || o.htmlErrors < 0:
		return errors.New("--bootstrap, --sentences and --html_errors cannot be below 0, nor --shuffles below 1")
	case o.idsAre != "" && o.idsAre != asDocuments && o.idsAre != asPatients:
		return fmt.Errorf("--ids_are=%s: give %s or %s", o.idsAre, asDocuments, asPatients)
	case o.idsAre != "" && o.documents == "":
		return errors.New("--ids_are is given without --documents, whose ids it is about")
	case o.compareFormat != "" && o.compare == "":
		return errors.New("--compare_format is given without --compare")
	case o.scheme == "" && o.goldMapping == "" && o.systemMapping == "" && (o.goldScheme != "" || o.systemScheme != ""):
		return errors.New("--gold_scheme and --system_scheme say what to translate from; give --scheme too, what to translate to")
	}
	for _, f := range []string{o.goldFormat, o.systemFormat, o.compareFormat} {
		if f != "" && !slices.Contains(corpus.Formats(), f) {
			return fmt.Errorf("there is no format %q; formats are %s", f, strings.Join(corpus.Formats(), ", "))
		}
	}
	if o.metric != "" {
		for _, name := range strings.Split(o.metric, ",") {
			name = strings.TrimSpace(name)
			if !slices.Contains(measureNames(), name) {
				return fmt.Errorf("--metric: there is no measure %q; give any of %s", name, strings.Join(measureNames(), ", "))
			}
			o.measures = append(o.measures, score.Measure(strings.ReplaceAll(name, "_", " ")))
		}
	}
	return nil
}

var help = cli.Help{
	Command: "palimpsest evaluate",
	About: `
evaluate scores what a system found against gold annotations, as the field does:
its numbers are those of the official scripts of i2b2 2014 and MEDDOCAN.

  palimpsest evaluate --config job.yaml --gold gold.parquet --system held/jan
  palimpsest evaluate --gold test-gold --system test-system --official
  palimpsest evaluate --gold gold --system new --compare old --metric strict,binary_token
`,
	Brief: []cli.Setting{
		{Flags: "--gold PATH", Text: "annotated documents: a folder (i2b2 XML, brat), or Parquet"},
		{Flags: "--system PATH", Text: "what the system found in them; of a job, its private part"},
		{Flags: "--notes FILES", Text: "the job's input, which its findings are on"},
		{Flags: "--config FILE", Text: "the job's settings: its private part, input and columns"},
		{Flags: "--documents, --split", Text: "score some of the documents alone"},
		{Flags: "--compare PATH", Text: "another system: is one better, or is it chance?"},
		{Flags: "--html, --json, --csv", Text: "write a page of errors (it quotes the notes), or all numbers"},
		{Flags: "--official", Text: "print what the official scripts print"},
	},
	More: schemesHelp(),
}
