package loop

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/estimate"
	"github.com/palimpsest-deid/palimpsest/model/score"
)

// folder is where the steps leave their files.
const folder = "out-loop"

// seen is what one way through the steps has shown, and what the pages quote. It
// holds no text of notes.
type seen struct {
	Outputs map[string]string  `json:"outputs"` // by step; of one that is refused, its messages
	Figures map[string]figures `json:"figures"` // by step that estimates
	House   adaptation         `json:"house"`
	Odd     adaptation         `json:"odd"`
	Files   []string           `json:"files"` // patterns, in order

	quoted map[string]bool // outputs that a page has
}

// figures are an estimate beside the truth.
type figures struct {
	Notes    int                `json:"notes"` // reviewed
	Release  int                `json:"release_notes"`
	Recall   float64            `json:"true_recall"`
	Left     float64            `json:"truly_left_per_1000_notes"`
	Estimate estimate.ByType    `json:"estimate"`
	Reviewer *estimate.Interval `json:"reviewer_recall"`
}

// adaptation is what palimpsest adapt --json has written, as far as the pages say it.
type adaptation struct {
	Better bool   `json:"better"`
	Why    string `json:"why,omitempty"`
	Job    struct {
		Recall score.PairedDifference `json:"recall"`
		F2     score.PairedDifference `json:"f2"`
	} `json:"job"`
}

// Before and After are the share of PHI tokens found, in percent, and Gain what lies
// between, in points, with its interval.
func (a adaptation) Before() string { return fmt.Sprintf("%.1f", 100*a.Job.Recall.B) }
func (a adaptation) After() string  { return fmt.Sprintf("%.1f", 100*a.Job.Recall.A) }
func (a adaptation) Gain() string {
	r := a.Job.Recall
	return fmt.Sprintf("%+.1f points (%+.1f to %+.1f)", 100*r.Difference, 100*r.Low, 100*r.High)
}

// Recalled, Lefts and Sees word an estimate, and TrueRecall and TrueLeft the truth.
func (f figures) Recalled() string { return percent(f.Estimate.Recall) }
func (f figures) Lefts() string {
	l := f.Estimate.Left
	return fmt.Sprintf("%.0f (%.0f to %.0f)", l.Point, l.Low, l.High)
}
func (f figures) Sees() string       { return percent(*f.Reviewer) }
func (f figures) TrueRecall() string { return fmt.Sprintf("%.1f %%", 100*f.Recall) }
func (f figures) TrueLeft() string   { return fmt.Sprintf("%.0f", f.Left) }

func percent(i estimate.Interval) string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*i.Point, 100*i.Low, 100*i.High)
}

// paths of what is written, from the root of the repository.
const (
	seenFile = "tools/loop/seen.json"
	pageFile = "docs/recipes/loop.md"
	loopFile = "docs/loop.md"
)

// write keeps what was seen, and writes the pages that quote it.
func (s *seen) write() error {
	for name, text := range s.Outputs {
		s.Outputs[name] = unchanging(text)
	}
	page, err := s.page()
	if err != nil {
		return err
	}
	maps.DeleteFunc(s.Outputs, func(name, _ string) bool { return !s.quoted[name] })
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(seenFile, append(raw, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(pageFile, []byte(page), 0o644); err != nil {
		return err
	}
	overview, err := os.ReadFile(loopFile)
	if err != nil {
		return err
	}
	with, err := s.within(string(overview))
	if err != nil {
		return err
	}
	return os.WriteFile(loopFile, []byte(with), 0o644)
}

// changing is what differs from run to run, or from machine to machine.
var changing = regexp.MustCompile(`configuration_digest [0-9a-f]+…|\([0-9a-f]{12}…\)|in [0-9.]+ s\b`)

func unchanging(text string) string { return changing.ReplaceAllString(text, "…") }

// left says what a pattern of files is.
type left struct{ Pattern, About string }

// kept are the files that the steps leave, below folder; each must be there, and no
// others.
var kept = []left{
	{"out/*/notes/*.parquet", "the notes, in the input's schema"},
	{"out/*/report.html", "counts, for whoever receives the release"},
	{"out/*/report.json", "the same for programs"},
	{"out/*/manifest.json", "inputs, outputs and digests, and everything that determined the output"},
	{"out/*/_SUCCESS", "written last: the output is complete"},
	{"held/*/findings/*.parquet", "what was found and where, without the text"},
	{"held/*/inputs.json", "the names of the input files"},
	{"held/*/run.json", "when and where the job ran, with which settings, and its warnings"},
	{"held/*/review/sample.json", "the notes of the sample, by id, and their chances of being drawn"},
	{"held/*/review/reviewer.*.jsonl", "ann's decisions, a line each: what and when"},
	{"held/review-of-bob/sample.json", "the same sample, in the folder that bob was given"},
	{"held/review-of-bob/reviewer.bob.jsonl", "bob's decisions"},
	{"held/reviewed/notes.parquet", "the reviewed notes as they are in the input, for `adapt` and `convert`"},
	{"held/reviewed/gold.parquet", "what identifies somebody in them, by the review"},
	{"held/reviewed/documents.txt", "their ids, for `evaluate --documents`"},
	{"held/estimate*.json", "the estimates of both reviews; that of the last trial replaced ann's first"},
	{"held/house-estimate.json", "the estimate for the house, likewise the last"},
	{"held/canaries.json", "how many of the planted identifiers were found"},
	{"held/attack.json", "what the attack came to"},
	{"held/*/gate.json", "the gate's verdict, and where to look"},
	{"held/release/report.html", "**the page to sign**"},
	{"house/*.parquet", "the house's notes and annotations, converted"},
	{"house-model/*", "the model that was adapted to the house: its card says who may have it"},
	{"held/adapt.json", "how the house's job does with its own model and without, by the patients not used"},
	{"held/odd.json", "the same of the odd notes, whose model was refused"},
	{"odd-notes/*.txt", "the odd notes"},
}

// filesOf returns the patterns of kept that match files below dir, in order. A file
// that none matches, and a pattern that matches none, are errors.
func filesOf(dir string) (patterns []string, err error) {
	used := map[string]bool{}
	var unknown []string
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err = filepath.Rel(dir, name)
		for _, k := range kept {
			if ok, _ := path.Match(k.Pattern, name); ok {
				used[k.Pattern] = true
				return err
			}
		}
		unknown = append(unknown, name)
		return err
	})
	for _, k := range kept {
		if used[k.Pattern] {
			patterns = append(patterns, k.Pattern)
		} else {
			unknown = append(unknown, "none for "+k.Pattern)
		}
	}
	if err == nil && len(unknown) > 0 {
		slices.Sort(unknown)
		err = fmt.Errorf("files that the page does not list, or lists in vain: %q", unknown)
	}
	return patterns, err
}
