package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
)

// group is an experiment of a paper in small: models that differ in one thing. Its
// models are those below --models/experiments that name it (model/training/experiments.py).
type group struct {
	name, title string
	head        string // what was done
	theirs      string // what the paper found
	apart       bool   // each set of notes by itself
}

var groups = []group{
	{name: "classes", title: "Classes of features (003, 5.4)",
		head: "Linear SVMs that tell PHI from other words, each with some classes of features alone. The classes are those of the paper's " +
			"section 4, as far as they are here: words farther off stand in for the link grammar, lists for MeSH and dictionaries; " +
			"parts of words and the place in the note are ours.",
		theirs: "The paper: bigrams alone reach P 89.8 and R 67.9, headings alone nothing; without the word itself precision falls most, " +
			"from 97.4 to 93.0, and without it or the orthographic features recall, from 93.5 to 90.1."},
	{name: "kernels", title: "Kernels (003, 5.5)",
		head: "Machines that tell PHI from other words, trained on the first 10,000 tokens of 50 notes: linear by liblinear, the others by " +
			"LIBSVM, whose support vectors the job runs as a table (kind `kernel-svm`).",
		theirs: "The paper, trained on 50 summaries: linear P 89.1, R 79.7; quadratic 98.7, 59.3; gaussian 95.0, 74.2."},
	{name: "sizes", title: "Notes to train on (000, 3.6; 003, 5.6; 004, 5.1)",
		head: "Each size holds the smaller ones. The CRF has types, the SVM tells PHI from other words.",
		theirs: "The papers: all systems gain with each doubling, recall more than precision; the CRF is ahead of the network with the fewest " +
			"notes alone (000, figure 3), and both are ahead of rules from a tenth of the notes on (004, figure 2)."},
	{name: "windows", title: "Windows and their overlap (002, 4.3.3)",
		head: "Sliding-window LSTMs of windows of 5, 15 and 31 tokens, trained on windows that begin a third of their length apart, " +
			"and used with windows one token apart, that third, and one behind the other.",
		theirs: "The paper has windows of 15 tokens and names their length as the first thing to try; it has no figures for others, " +
			"and does not say how far apart they are."},
	{name: "transfer", title: "From one hand's notes to another's (004, 5.4; 001, 3.3.3)",
		head: "CRFs trained on one set of notes and tested on others: `examples` (dev) is of the examples' own authors, `examples/varied` " +
			"(dev) of others who saw neither.",
		theirs: "The papers: a CRF trained on one kind of care finds F1 41 to 72 on the two others, where it reaches more at home " +
			"(004, table 8); EasyAdapt brings 0.5 points over no source and 0.1 over merely adding it (001, table 8).", apart: true},
}

// trial is a model of a group.
type trial struct {
	dir, row string
	notes    int
}

// experiments scores the models of all groups on the notes to choose by.
func (s settings) experiments(ctx context.Context, out *bytes.Buffer, sets []annotated.Set) error {
	trials, err := s.found()
	if err != nil {
		return err
	}
	if len(trials) == 0 {
		return fmt.Errorf("no models in %s: make models-experiments trains them", filepath.Join(s.models, "experiments"))
	}
	out.WriteString("# The papers' experiments in small\n\nMade by `make papers-experiments`, of models that `make models-experiments " +
		"models-windows` trains. They are scored by themselves on the notes\nto choose by, " +
		"`examples` (dev) and `examples/varied` (dev), with the measures of " +
		"[papers.md](papers.md), which names the\npapers. Few notes and 30 iterations of L-BFGS train each, so that all take minutes: a row " +
		"compares\nwith those of its own table alone.\n")
	notes, err := readNotes(ctx, sets)
	if err != nil {
		return err
	}
	for _, g := range groups {
		rows := trials[g.name]
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n## %s\n\n%s\n%s\n\n", g.title, g.head, g.theirs)
		if g.apart {
			out.WriteString("| trained on | notes |")
			for _, of := range sets {
				fmt.Fprintf(out, " %s: strict P | R | F1 | token R |", of.Name)
			}
			out.WriteString("\n|---|--:|")
			for range 4 * len(sets) {
				out.WriteString("--:|")
			}
			out.WriteString("\n")
		} else {
			out.WriteString("| | notes | token P | R | F1 | strict F1 |\n|---|--:|--:|--:|--:|--:|\n")
		}
		for _, y := range rows {
			scorers, err := y.score(ctx, notes, sets)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "| %s | %d |", y.row, y.notes)
			if g.apart {
				for _, of := range sets {
					strict, binary := rates(scorers[of.Name])
					fmt.Fprintf(out, " %.1f | %.1f | %.1f | %.1f |", 100*strict.Precision, 100*strict.Recall, 100*strict.F1, 100*binary.Recall)
				}
				out.WriteString("\n")
				continue
			}
			strict, binary := rates(scorers[""])
			fmt.Fprintf(out, " %.1f | %.1f | %.1f |", 100*binary.Precision, 100*binary.Recall, 100*binary.F1)
			if strict.F1 < 0.005 { // it tells no types, but for those that PHI is taken for
				out.WriteString(" |\n")
			} else {
				fmt.Fprintf(out, " %.1f |\n", 100*strict.F1)
			}
			fmt.Fprintf(os.Stderr, "papers: %s: %s\n", g.name, y.row)
		}
	}
	return nil
}

// found returns the models of each group, in the order in which they were made.
func (s settings) found() (map[string][]trial, error) {
	files, err := filepath.Glob(filepath.Join(s.models, "experiments", "*", "model.json"))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, cmp.Compare[string])
	all := map[string][]trial{}
	for _, file := range files {
		var d struct {
			Training struct {
				Notes      int `json:"notes"`
				Experiment struct {
					Group string `json:"group"`
					Row   string `json:"row"`
				} `json:"experiment"`
			} `json:"training"`
		}
		raw, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(raw, &d)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		of := d.Training.Experiment
		all[of.Group] = append(all[of.Group], trial{filepath.Dir(file), of.Row, d.Training.Notes})
	}
	return all, nil
}

// note is an annotated note with its tokens.
type note struct {
	set, id string
	text    tagger.Text
	gold    []score.Annotation
}

// key names a note among those of several sets.
func (n note) key() string { return n.set + "/" + n.id }

func readNotes(ctx context.Context, sets []annotated.Set) ([]note, error) {
	var notes []note
	for _, of := range sets {
		gold, _, err := of.Read(ctx)
		if err != nil {
			return nil, err
		}
		for id, d := range gold {
			notes = append(notes, note{of.Name, id, tagger.Text{Text: d.Text, Tokens: token.Tokenize(nil, d.Text)}, d.Gold})
		}
	}
	slices.SortFunc(notes, func(a, b note) int { return cmp.Or(cmp.Compare(a.set, b.set), cmp.Compare(a.id, b.id)) })
	return notes, nil
}

// score tags the notes, and returns the scores of all (""), and of each set.
func (y trial) score(ctx context.Context, notes []note, sets []annotated.Set) (map[string]*score.Scorer, error) {
	scorers := map[string]*score.Scorer{"": score.New(score.Options{})}
	for _, of := range sets {
		scorers[of.Name] = score.New(score.Options{})
	}
	u, err := ready(ctx, []string{y.dir}, false)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		found, err := u.Tag([]tagger.Text{n.text})
		if err != nil {
			return nil, err
		}
		doc := score.Document{ID: n.key(), Text: n.text.Text, Gold: n.gold, System: annotations(found[0])}
		for _, to := range []string{"", n.set} {
			if _, err := scorers[to].Add(doc); err != nil {
				return nil, err
			}
		}
	}
	return scorers, nil
}

// annotations are spans as the scorer takes them.
func annotations(spans []phi.Span) (out []score.Annotation) {
	for _, p := range spans {
		out = append(out, score.Annotation{Start: p.Start, End: p.End, Category: p.Type.Category(), Label: p.Type.String()})
	}
	return out
}
