package gate

import (
	"fmt"
	"strings"
	"testing"
)

func number(x float64) *float64 { return &x }

// Each threshold is compared with what was found, and nothing else is.
func TestJudge(t *testing.T) {
	facts := Facts{RowsIn: 2000, Quarantined: 10, Notes: 1990, Left: Left{Known: 2, Equal: 0, Copies: 4, Reader: 40}}
	for _, c := range []struct {
		name    string
		t       Thresholds
		refused []string
	}{
		{"at the limit", Thresholds{Quarantined: number(0.5), Known: number(1.1), Copies: number(3)}, nil},
		{"past it", Thresholds{Quarantined: number(0.49), Known: number(1), Equal: number(0)},
			[]string{"rows in quarantine: 0.5 %, the limit is 0.49 %",
				"known identifiers left in the texts: 1.01 per 1,000 notes, the limit is 1 per"}},
		{"copies", Thresholds{Copies: number(2)}, []string{"left in one copy of a passage and replaced in another: 2.01 per"}},
		{"reader", Thresholds{SecondReader: &SecondReader{AtMost: 20}}, []string{"what a second model takes for identifiers"}},
	} {
		v := Judge(&c.t, facts, nil)
		why := v.Refusals()
		if len(why) != len(c.refused) || v.Passed != (len(c.refused) == 0) {
			t.Errorf("%s: %q", c.name, why)
			continue
		}
		for i := range why {
			if !strings.Contains(why[i], c.refused[i]) {
				t.Errorf("%s: %q", c.name, why[i])
			}
		}
	}
	if v := Judge(&Thresholds{Known: number(0), Quarantined: number(0)}, Facts{}, nil); !v.Passed {
		t.Errorf("a release without rows: %+v", v)
	}
}

// What a file says is what counts, or it is refused.
func TestParse(t *testing.T) {
	for text, want := range map[string]float32{"{model: x, at_most: 1}": 0.9, "{model: x, at_most: 1, score: 0}": 0,
		"{model: x, at_most: 1, score: 0.5}": 0.5} {
		if got, err := Parse([]byte("second_reader: " + text + "\n")); err != nil || got.SecondReader.Score != want {
			t.Errorf("%s: %+v, %v; want a score of %g", text, got.SecondReader, err, want)
		}
	}
	for text, want := range map[string]string{
		"second_reader: {model: x, at_most: 1, score: .nan}\n": "second_reader.score: write a number from 0 to 1",
		"second_reader: {model: x, at_most: 1, score: -0.1}\n": "second_reader.score: write a number from 0 to 1",
		"second_reader: {model: x, at_most: 1, score: 1.1}\n":  "second_reader.score: write a number from 0 to 1",
		"copies: .nan\n":                       "copies: write a number of 0 or more",
		"copies: .inf\n":                       "copies: write a number of 0 or more",
		"copies: 3\n---\nquarantined: 0\n":     "write all thresholds in one document",
		"copies: 3\n---\nnot a threshold: [\n": "write all thresholds in one document",
	} {
		if got, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, got, err, want)
		}
	}
	if _, err := Parse([]byte("---\ncopies: 3\n")); err != nil {
		t.Error(err)
	}
}

// An estimate that leaves disputed notes out says less than is left.
func TestDisputedEstimateIsRefused(t *testing.T) {
	for disputed, want := range map[int]string{0: "", 2: "palimpsest review --adjudicate"} {
		raw := fmt.Sprintf(`{"settings_digest": "s", "notes": 40, "disputed_notes": %d, "all": {"left_per_1000_notes": {"high": 20}}}`, disputed)
		_, err := ReadEstimate([]byte(raw), Settings{Settings: "s"})
		if (err != nil) != (disputed > 0) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", disputed, err)
		}
	}
}

// Drift tells a change from chance.
func TestChanges(t *testing.T) {
	former := Counted{Tokens: 1_000_000, ByType: map[string]int64{"PATIENT": 6000, "DATE": 9000, "SSN": 20, "FAX": 300}}
	now := Counted{Tokens: 500_000, ByType: map[string]int64{"PATIENT": 1200, "DATE": 4510, "SSN": 2, "URL": 60}}
	got := map[string]Change{}
	for _, c := range Changes(former, now) {
		got[c.What] = c
	}
	if c := got["PATIENT"]; !c.Clear || c.Percent() < 59 || c.Percent() > 61 {
		t.Errorf("%+v", c)
	}
	if c := got["DATE"]; c.Clear || c.Percent() > 1 {
		t.Errorf("%+v", c)
	}
	if _, ok := got["SSN"]; ok {
		t.Error("twenty tell nothing")
	}
	if c := got["FAX"]; !c.Clear || c.After != 0 || c.Percent() != 100 {
		t.Errorf("%+v", c)
	}
	if c := got["URL"]; c.Percent() != 100 {
		t.Errorf("%+v", c)
	}
	v := Judge(&Thresholds{Drift: &Drift{AtMost: 30}}, Facts{Drift: Changes(former, now)}, nil)
	if why := v.Refusals(); v.Passed ||
		!strings.Contains(strings.Join(why, "\n"), "change since the former release: PATIENT: 60 %, the limit is 30 %") ||
		strings.Contains(strings.Join(why, "\n"), "DATE") {
		t.Errorf("%q", why)
	}
	if Changes(Counted{}, now) != nil {
		t.Error("there was no text")
	}
}
