// Package adapt goes on training a model with a site's reviewed notes, or trains a
// feature CRF to go beside it, and keeps what comes of it only if the job is better on
// patients that were not trained on.
package adapt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/adapt"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
)

var help = cli.Help{
	Command: "palimpsest adapt",
	About: `
adapt goes on training a model with notes of yours that were reviewed, on this
machine, without network access. It divides them by patient: most are trained on,
some tell when to stop, and some judge, by the whole job, whether the model has
become better. If it has not, nothing is written and the exit status is 65.

  palimpsest adapt --from en-clinical-accurate --notes reviewed --output models/ours

With few notes a small second model is trained, which goes beside the first. Python
is needed. Where notes do not repeat themselves it seldom pays: docs/adapt.md.`,
	Brief: []cli.Setting{
		{Flags: "--from MODEL", Text: "model to go on from: a shipped one, or a directory"},
		{Flags: "--notes PATH", Text: "reviewed notes with all PHI annotated, such as review exports"},
		{Flags: "--format FORMAT", Text: "of the notes, as for convert; told by the path where plain"},
		{Flags: "--output DIR", Text: "the model directory to write, which must not exist"},
		{Flags: "--method METHOD", Text: "network, crf, or auto: by the number of notes"},
		{Flags: "--propose FILE", Text: "write site rules with what the job missed instead"},
		{Flags: "--config FILE", Text: "the job's settings, with which the models are judged"},
		{Flags: "--resume", Text: "go on where a run was stopped"},
	},
	More: `
What a model learns lies in its weights: give one of real notes to those alone who
may have it. The network's vocabulary, characters and token vectors are those of
--from, to the byte, so no word of your notes stands in any table of it. The CRF has
no feature of a word that stands in PHI alone, or in the notes of fewer than five
patients, unless it is on a public list.

Meanwhile the notes lie in OUTPUT-private/adapt, for their owner's eyes alone, and
are removed at the end; --work names another folder, which is kept.`,
}

// options are the settings as the user gives them.
type options struct {
	config, from, notes, format, test string
	output, work, json, propose       string
	method                            string
	trainer, python                   string
	read                              corpus.ReadOptions
	held                              float64
	seed                              uint64
	epochs                            int
	rate, mix                         float64
	resume                            bool
}

func (o *options) register(fs *flag.FlagSet) []cli.Group {
	formats := strings.Join(corpus.Formats(), ", ")
	fs.StringVar(&o.config, "config", "", "YAML file of the job's settings: columns of --notes, and the rules, lists and known identifiers "+
		"with which the models are judged")
	fs.StringVar(&o.from, "from", "", "model to go on from: a shipped one's name, or a model directory")
	fs.StringVar(&o.notes, "notes", "", "folder or table of notes in which all PHI is annotated by people; what the job found by itself is "+
		"refused, as a model would learn its own mistakes")
	fs.StringVar(&o.format, "format", "", "of --notes and --test: "+formats+" (default: what the path holds, where that is plain)")
	fs.StringVar(&o.test, "test", "", "further notes that judge, of other patients than --notes; then all of --notes are trained on or tell "+
		"when to stop")
	fs.StringVar(&o.output, "output", "", "model directory to write, which must not exist")
	fs.StringVar(&o.propose, "propose", "", "in place of --output: write site rules to this file, with lists of names of staff, wards and "+
		"places that the job missed in the notes of several patients, if they make it better on patients not used; nothing is trained, and "+
		"the job "+
		"uses them only with --site_rules")
	fs.StringVar(&o.method, "method", byCount, fmt.Sprintf("network: train --from further, which needs PyTorch. crf: train a feature CRF, of "+
		"shipped notes and of yours, that the job runs beside --from (--model OUTPUT,FROM); it takes a minute or two and no PyTorch. auto: "+
		"network from %d notes to train on, else crf, as with fewer the network gains little", networkFrom))
	fs.StringVar(&o.work, "work", "", "folder for the notes and checkpoints meanwhile, which is kept at the end (default "+
		"OUTPUT-private/adapt, "+
		"which is removed)")
	fs.BoolVar(&o.resume, "resume", false, "go on from the last checkpoint of a network whose training was stopped")
	fs.StringVar(&o.json, "json", "", "write how the models compare to this file, too; it holds no text and no ids")
	fs.Float64Var(&o.held, "held_out", 0.3, "share of the patients that judge, where --test names no others")
	fs.Uint64Var(&o.seed, "seed", 1, "draws which patients judge, and decides training: the same seed gives the same model")
	fs.IntVar(&o.epochs, "epochs", 12, "most rounds through the notes, of a network; training stops after four without a better one")
	fs.Float64Var(&o.rate, "rate", 0.0005, "how fast a network's weights change: higher learns more of these notes and forgets more of "+
		"others")
	fs.Float64Var(&o.mix, "mix", 1, "shipped notes in each round of a network, for each one of yours, so that what was learnt before is not "+
		"forgotten; 0: none")
	fs.StringVar(&o.trainer, "trainer", "", "folder training/ of Palimpsest's sources (default: where it lies beside the program or in the "+
		"repository)")
	fs.StringVar(&o.python, "python", "", "Python with what the trainer needs (default: $"+pythonEnv+", else the one that make training-venv "+
		"made, else python3)")
	fs.StringVar(&o.read.DocumentIDColumn, "document_id_column", "", "document id in tables (default: as in --config, or note_id)")
	fs.StringVar(&o.read.PatientIDColumn, "patient_id_column", "", "patient id in tables (default: as in --config, or patient_id)")
	fs.StringVar(&o.read.TextColumn, "text_column", "", "text in tables (default: as in --config, or text)")
	return []cli.Group{
		{Title: "What is adapted, to what", Flags: []string{"from", "notes", "format", "output", "method", "propose", "test", "config"}},
		{Title: "Training", Flags: []string{"held_out", "epochs", "rate", "mix", "seed"}},
		{Title: "Where", Flags: []string{"work", "resume", "json", "trainer", "python"}},
		{Title: "Columns", Flags: []string{"document_id_column", "patient_id_column", "text_column"}},
	}
}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("adapt", flag.ContinueOnError)
	h := help
	h.Groups = o.register(fs)
	return h.Main(fs, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		return run(ctx, &o, stdout, stderr)
	})
}

// check refuses what can be seen to be wrong without reading a note.
func (o *options) check() error {
	if o.propose != "" {
		if o.output != "" {
			return errors.New("--output and --propose: give one of them")
		}
		if _, err := os.Lstat(o.propose); err == nil {
			return fmt.Errorf("--propose=%s exists; name a file that does not, as nothing is overwritten", o.propose)
		}
	}
	for _, f := range []struct{ name, value string }{{"from", o.from}, {"notes", o.notes}, {"output", o.output + o.propose}} {
		if f.value == "" {
			return fmt.Errorf("--%s is missing; palimpsest adapt --help says how to give it", f.name)
		}
	}
	if o.propose != "" {
		return o.numbers()
	}
	o.output = filepath.Clean(o.output)
	if strings.Contains(o.output, "://") || strings.Contains(o.work, "://") {
		return errors.New("--output and --work are folders of this machine; copy the model where it is wanted afterwards")
	}
	if _, err := os.Lstat(o.output); err == nil {
		return fmt.Errorf("--output=%s exists; name a folder that does not, as nothing is overwritten", o.output)
	}
	if info, err := os.Stat(filepath.Dir(o.output)); err == nil && !info.IsDir() {
		return fmt.Errorf("--output=%s: %s is no folder", o.output, filepath.Dir(o.output))
	}
	if o.work != "" && storage.Inside(o.work, o.output) {
		return fmt.Errorf("--work=%s lies inside the model; name another place, as it holds the notes", o.work)
	}
	return o.numbers()
}

func (o *options) numbers() error {
	switch {
	case o.method != byCount && methods[o.method].what == "":
		return fmt.Errorf("--method=%s: write auto, network or crf", o.method)
	case o.method == byCRF && o.resume:
		return errors.New("--resume: there is nothing to go on from, as a CRF is trained in a minute or two; start anew")
	case !(o.held > 0 && o.held < 0.9):
		return errors.New("--held_out: write a share between 0 and 0.9")
	case o.epochs < 1:
		return errors.New("--epochs: write a whole number above 0")
	case !(o.rate > 0 && o.rate <= 0.1):
		return errors.New("--rate: write a number above 0 and at most 0.1")
	case !(o.mix >= 0 && o.mix <= 100):
		return errors.New("--mix: write a number from 0 to 100")
	}
	return nil
}

// run does the whole: it checks all there is to check, trains, judges, and
// writes the model if it is better.
func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return fault.Mark(fault.Settings, err)
	}
	j, err := newJudge(ctx, o)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	notes, err := readNotes(ctx, o, j.base.Kinds(), stderr)
	if err != nil {
		return fault.Mark(fault.Refused, err)
	}
	fmt.Fprintf(stderr, "adapt: %s\n", notes)
	if o.propose != "" {
		return propose(ctx, o, j, notes, stdout, stderr)
	}
	name := o.chosen(notes.learnt())
	m := methods[name]
	if name == byCRF && strings.Contains(o.output+o.work+j.baseDir, ",") {
		return fault.Mark(fault.Settings, errors.New("--output, --work and --from: name folders without commas, which divide the models "+
			"of --model"))
	}
	if name == byCRF && o.resume { // chosen by the number of notes: check has refused it where it was named
		return fault.Mark(fault.Settings, fmt.Errorf("--resume: with %d notes to learn from, --method=%s trains a CRF, which takes a minute or "+
			"two and has nothing to go on from; start anew, or give --method=%s if that is what was stopped", notes.learnt(), byCount, byNetwork))
	}
	fmt.Fprintf(stderr, "adapt: method %s, of which --help tells\n", name)
	t, err := findTrainer(ctx, o, m)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	w, err := openWork(o)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	candidate, err := m.train(t, ctx, o, w, j, notes, stderr)
	if err != nil {
		w.stopped(stderr)
		return err
	}
	verdict, err := j.compare(ctx, j.side(name, candidate), notes.of(adapt.Held), stderr)
	if err != nil {
		w.stopped(stderr)
		return err
	}
	verdict.Method = name
	verdict.Notes, verdict.Patients = notes.counts()
	verdict.write(stdout)
	if o.json != "" {
		err = verdict.save(o.json)
	}
	if err == nil && verdict.Better {
		err = verdict.publish(candidate, o.output)
	}
	if err == nil {
		err = w.done(stderr)
	}
	if err != nil {
		return err
	}
	if !verdict.Better {
		return fault.Mark(fault.Refused, fmt.Errorf("no model was written: %s", verdict.Why))
	}
	use := o.output
	if name == byCRF {
		use = o.output + "," + o.from
	}
	fmt.Fprintf(stdout, "\nThe model is in %s; palimpsest --model %s uses it. Its weights are learnt from your notes: keep it to those who "+
		"may have them.\n", o.output, use)
	return nil
}
