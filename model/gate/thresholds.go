package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Thresholds are a file of --gate. What it does not name is not looked at. Counts
// are per 1,000 released notes.
type Thresholds struct {
	Quarantined *float64 `yaml:"quarantined" json:"quarantined,omitempty"`             // most rows in quarantine, percent
	Known       *float64 `yaml:"known_identifiers" json:"known_identifiers,omitempty"` // most known identifiers left
	Equal       *float64 `yaml:"equal_surrogates" json:"equal_surrogates,omitempty"`   // most surrogates that equal their original
	Copies      *float64 `yaml:"copies" json:"copies,omitempty"`                       // most identifiers left in one copy of a passage

	SecondReader *SecondReader `yaml:"second_reader" json:"second_reader,omitempty"`
	Estimate     *Estimate     `yaml:"estimate" json:"estimate,omitempty"`
	Canaries     *Canaries     `yaml:"canaries" json:"canaries,omitempty"`
	Drift        *Drift        `yaml:"drift" json:"drift,omitempty"`
}

// SecondReader is a model that reads the released texts.
type SecondReader struct {
	Model  string  `yaml:"model" json:"model"`
	AtMost float64 `yaml:"at_most" json:"at_most"` // what looks like PHI and is no surrogate of ours, per 1,000 notes
	Score  float32 `yaml:"-" json:"score"`         // with at least this confidence, 0 to 1

	Said *float32 `yaml:"score" json:"-"` // the score as the file says it; 0.9 if it does not
}

// Estimate is what palimpsest estimate has written.
type Estimate struct {
	File   string   `yaml:"file" json:"file"`
	Left   *float64 `yaml:"left" json:"left,omitempty"`     // most identifiers left per 1,000 notes, by the upper end of the interval
	Recall *float64 `yaml:"recall" json:"recall,omitempty"` // least share found, percent, by the lower end
	Days   *int     `yaml:"days" json:"days,omitempty"`     // most days since its last decision
}

// Canaries is what palimpsest canaries has written.
type Canaries struct {
	File  string   `yaml:"file" json:"file"`
	Found *float64 `yaml:"found" json:"found,omitempty"` // least share found, percent, by the lower end of the interval
}

// Drift compares with a former release.
type Drift struct {
	Former string  `yaml:"former" json:"former"` // its output
	AtMost float64 `yaml:"at_most" json:"at_most"`
}

// usualScore is the confidence from which a second reader counts.
const usualScore = 0.9

// Parse reads thresholds. Unknown names and impossible values are errors that say
// what to write.
func Parse(raw []byte) (*Thresholds, error) {
	t := &Thresholds{}
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	if err := d.Decode(t); err != nil && !errors.Is(err, io.EOF) {
		return nil, plain(err)
	}
	if err := d.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more behind a line ---, which would not be read; write all thresholds in one document")
	}
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	within := func(name string, v *float64, most float64) {
		switch {
		case v == nil:
		case !(*v >= 0) || math.IsInf(*v, 0):
			fail("%s: write a number of 0 or more", name)
		case most > 0 && *v > most:
			fail("%s: write percent, from 0 to %g", name, most)
		}
	}
	within("quarantined", t.Quarantined, 100)
	within("known_identifiers", t.Known, 0)
	within("equal_surrogates", t.Equal, 0)
	within("copies", t.Copies, 0)
	if r := t.SecondReader; r != nil {
		if r.Score = usualScore; r.Said != nil {
			r.Score = *r.Said
		}
		within("second_reader.at_most", &r.AtMost, 0)
		if r.Model == "" {
			fail("second_reader.model is missing: name a model, such as en-clinical-fast, or a directory")
		}
		if !(r.Score >= 0 && r.Score <= 1) { // .nan is neither
			fail("second_reader.score: write a number from 0 to 1")
		}
	}
	if e := t.Estimate; e != nil {
		within("estimate.left", e.Left, 0)
		within("estimate.recall", e.Recall, 100)
		if e.File == "" {
			fail("estimate.file is missing: name what palimpsest estimate --json has written")
		}
		if e.Days != nil && *e.Days < 0 {
			fail("estimate.days: write a number of 0 or more")
		}
		if e.Left == nil && e.Recall == nil {
			fail("estimate: say left, the most identifiers left per 1,000 notes, or recall, the least share found in percent")
		}
	}
	if c := t.Canaries; c != nil {
		within("canaries.found", c.Found, 100)
		if c.File == "" || c.Found == nil {
			fail("canaries: write file, what palimpsest canaries has written, and found, the least share found in percent")
		}
	}
	if d := t.Drift; d != nil {
		within("drift.at_most", &d.AtMost, 0)
		if d.Former == "" {
			fail("drift.former is missing: name the output of a former release")
		}
	}
	if *t == (Thresholds{}) {
		fail("it sets no threshold; name at least one, such as known_identifiers: 0")
	}
	return t, errors.Join(errs...)
}

// plain words an error of YAML for people: names of Go types say nothing to them.
func plain(err error) error {
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return err
	}
	var lines []string
	for _, line := range wrong.Errors {
		if before, _, ok := strings.Cut(line, " in type "); ok {
			line = strings.Replace(before, "field ", "there is no threshold ", 1)
			line = strings.TrimSuffix(line, " not found")
		} else if before, _, ok := strings.Cut(line, "cannot unmarshal "); ok {
			line = before + "write a number, or names with numbers behind them"
		}
		lines = append(lines, line)
	}
	return errors.New(strings.Join(lines, "\n"))
}
