package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/estimate"
)

// Facts are what a release is judged by. Counts are of all of it.
type Facts struct {
	RowsIn, Quarantined, Notes int64
	Left                       Left
	Drift                      []Change // from the former release
}

// Left counts what an audit of released texts has found.
type Left struct {
	Known  int64 `json:"known_identifiers_left"`
	Equal  int64 `json:"surrogates_equal_to_their_original"`
	Copies int64 `json:"left_in_a_copy"`
	Reader int64 `json:"second_reader"`
}

// Add adds other notes' counts.
func (l *Left) Add(o Left) {
	l.Known += o.Known
	l.Equal += o.Equal
	l.Copies += o.Copies
	l.Reader += o.Reader
}

// Check is one threshold and what was found.
type Check struct {
	Kind   string  `json:"check"` // of the Kinds below
	What   string  `json:"what"`  // in words, for people
	Unit   string  `json:"unit"`
	Value  float64 `json:"value"`
	Limit  float64 `json:"limit"`
	Passed bool    `json:"passed"`
}

// The kinds of checks, which are also those of places in the private part.
const (
	KindQuarantined = "quarantined"
	KindKnown       = "known_identifiers"
	KindEqual       = "equal_surrogates"
	KindCopies      = "copies"
	KindReader      = "second_reader"
	KindEstimate    = "estimate"
	KindCanaries    = "canaries"
	KindDrift       = "drift"
)

// Verdict says whether a release may be published, and why.
type Verdict struct {
	Passed bool    `json:"passed"`
	Checks []Check `json:"checks"`
}

const per = 1000 // notes that counts are told for

// Judge compares the facts with the thresholds. before are the checks that could be
// made before the job.
func Judge(t *Thresholds, f Facts, before []Check) Verdict {
	v := Verdict{Passed: true}
	most := func(kind, what, unit string, value float64, limit *float64) {
		if limit != nil {
			v.Checks = append(v.Checks, Check{kind, what, unit, value, *limit, value <= *limit})
		}
	}
	rate := func(n int64) float64 {
		if f.Notes == 0 {
			return 0
		}
		return float64(n) * per / float64(f.Notes)
	}
	const unit = "per 1,000 notes"
	quarantined := 0.0
	if f.RowsIn > 0 {
		quarantined = 100 * float64(f.Quarantined) / float64(f.RowsIn)
	}
	most(KindQuarantined, "rows in quarantine", "%", quarantined, t.Quarantined)
	most(KindKnown, "known identifiers left in the texts", unit, rate(f.Left.Known), t.Known)
	most(KindEqual, "surrogates that equal what they replaced", unit, rate(f.Left.Equal), t.Equal)
	most(KindCopies, "left in one copy of a passage and replaced in another", unit, rate(f.Left.Copies), t.Copies)
	if r := t.SecondReader; r != nil {
		most(KindReader, "what a second model takes for identifiers and nobody has replaced", unit, rate(f.Left.Reader), &r.AtMost)
	}
	if d := t.Drift; d != nil {
		for _, c := range f.Drift {
			v.Checks = append(v.Checks, Check{KindDrift, "change since the former release: " + c.What, "%", c.Percent(), d.AtMost,
				!c.Clear || c.Percent() <= d.AtMost})
		}
	}
	v.Checks = append(v.Checks, before...)
	for _, c := range v.Checks {
		v.Passed = v.Passed && c.Passed
	}
	return v
}

// Refusals returns a line for each check that did not pass.
func (v Verdict) Refusals() (why []string) {
	for _, c := range v.Checks {
		if !c.Passed {
			why = append(why, fmt.Sprintf("--gate: %s: %s, the limit is %s", c.What, c.amount(c.Value), c.amount(c.Limit)))
		}
	}
	return why
}

func (c Check) amount(x float64) string {
	text := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
	return text + " " + c.Unit
}

// Found says what was found, and Allowed what is allowed, for people.
func (c Check) Found() string   { return c.amount(c.Value) }
func (c Check) Allowed() string { return c.amount(c.Limit) }

// Settings names what an estimate or canaries hold for. Known identifiers and lists
// of staff, which are others each night, are left out.
type Settings struct {
	Configuration string // configuration_digest of the release
	Settings      string // settings_digest
}

// errOther says that a file tells of another job.
var errOther = errors.New("it holds for another model, version, policy or other settings than this job's")

// same reports whether a file's digests are those of the job. Files without the
// second were written before there was one.
func (s Settings) same(configuration, settings string) bool {
	if settings != "" {
		return settings == s.Settings
	}
	return configuration != "" && configuration == s.Configuration
}

// EstimateFile is what a gate reads of an estimate.
type EstimateFile struct {
	Configuration string          `json:"configuration_digest"`
	Settings      string          `json:"settings_digest"`
	Reviewed      string          `json:"last_decision"` // YYYY-MM-DD
	Notes         int             `json:"notes"`
	Patients      int             `json:"patients"`
	Disputed      int             `json:"disputed_notes"` // left out: two reviewers differ, and nobody has decided
	All           estimate.ByType `json:"all"`

	ByType   []estimate.ByType  `json:"by_type"`
	Reviewer *estimate.Interval `json:"reviewer_recall"`
}

// ReadEstimate reads what palimpsest estimate has written, and refuses one of another
// job, and one without the notes that are disputed: in these more was missed than in
// others, so that it would say less than is left.
func ReadEstimate(raw []byte, of Settings) (*EstimateFile, error) {
	e := &EstimateFile{}
	if err := json.Unmarshal(raw, e); err != nil || e.Notes == 0 || e.All.Left.High == 0 {
		return nil, errors.New("it is no estimate that palimpsest estimate --json has written")
	}
	if !of.same(e.Configuration, e.Settings) {
		return nil, fmt.Errorf("%w; review a sample of a release of these, and estimate anew", errOther)
	}
	if e.Disputed > 0 {
		return nil, fmt.Errorf("it leaves out notes that two reviewers see otherwise (%d), among which are most that something was missed in; "+
			"decide between them by palimpsest review --adjudicate, and estimate anew", e.Disputed)
	}
	return e, nil
}

// Judge returns the checks of an estimate, as of a day.
func (t *Estimate) Judge(e *EstimateFile, today time.Time) (checks []Check, err error) {
	if t.Left != nil {
		checks = append(checks, Check{KindEstimate, "identifiers left, by the upper end of the estimate", "per 1,000 notes", e.All.Left.High,
			*t.Left,
			e.All.Left.High <= *t.Left})
	}
	if t.Recall != nil {
		low := 100 * e.All.Recall.Low
		checks = append(checks, Check{KindEstimate, "share found, by the lower end of the estimate", "%", low, *t.Recall, low >= *t.Recall})
	}
	if t.Days != nil {
		day, err := time.Parse(time.DateOnly, e.Reviewed)
		if err != nil {
			return nil, errors.New("the estimate does not say when its notes were reviewed; run palimpsest estimate --json again")
		}
		days := today.UTC().Truncate(24*time.Hour).Sub(day).Hours() / 24
		checks = append(checks, Check{KindEstimate, "days since the estimate's last decision", "days", days, float64(*t.Days),
			days <= float64(*t.Days) && days >= -1}) // a day ahead by another time zone
	}
	return checks, nil
}
