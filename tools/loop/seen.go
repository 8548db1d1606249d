package loop

import (
	"encoding/json"
	"fmt"
	"io/fs"
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
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(seenFile, append(raw, '\n'), 0o644); err != nil {
		return err
	}
	page, err := s.page()
	if err != nil {
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
	{"out/trial-1/_SUCCESS", "the mark of a complete output, written last"},
	{"out/trial-1/manifest.json", "inputs, outputs, digests, and all that determined the output"},
	{"out/trial-1/notes/*.parquet", "the notes"},
	{"out/trial-1/report.*", "counts, as a page and as JSON"},
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
