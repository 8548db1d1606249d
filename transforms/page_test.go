package transforms

import (
	"regexp"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/estimate"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

func somePage() *Page {
	m := Manifest{ConfigDigest: "abc", Inputs: []ManifestInput{{Name: `<script>alert(1)</script>.parquet`, Rows: 1200}}}
	m.Configuration.Policy = surrogate.Options{}.Resolved()
	m.Configuration.Model = ModelIdentity{Name: "en-clinical", Version: "1"}
	m.Columns = []schemas.Column{{Path: "text", Role: "text", Fate: "replaced"}}
	r := Report{Counts: schemas.NewCounts(), ReleaseDate: "2026-11-22"}
	r.RowsIn, r.RowsOut, r.Quarantined, r.Tokens, r.Spans = 1200, 1190, 10, 1_000_000, 7000
	r.Reasons["too_large"] = 10
	r.SpansByType["PATIENT"], r.SpansByAction["PATIENT surrogate"], r.SpansByAction["DOCTOR surrogate"] = 5000, 5000, 2000
	r.Columns = []ColumnReport{{Column: schemas.Column{Path: "note_type", Role: "keep", Type: "BYTE_ARRAY"}}}
	return NewPage(m, r)
}

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page says what a privacy officer asks for, loads nothing, and is the same each
// time; what needs private data is on the private page alone.
func TestPage(t *testing.T) {
	p := somePage()
	public := written(t, p)
	for _, want := range []string{"22 November 2026", "1,200 rows", "10 of 1,200 rows are in quarantine", "Names", "5,000",
		"Full-face photographs", "not looked for",
		"Not Safe Harbor", "No known identifiers were given", "note_type", "Privacy officer: name, signature, date", "too_large 10",
		"no thresholds were set"} {
		if !strings.Contains(public, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if n := strings.Count(public, "<tr><td>"); n != 18 {
		t.Errorf("%d of eighteen identifiers", n)
	}
	for _, private := range []string{"reviewed sample", "Canaries", "Attack", "Since the former release", "Where to look"} {
		if strings.Contains(public, private) {
			t.Errorf("the public page speaks of %q", private)
		}
	}
	if m := regexp.MustCompile(`https?:|src=|<script|url\(|<link|@import`).FindString(public); m != "" {
		t.Errorf("it holds %q", m)
	}
	if written(t, somePage()) != public {
		t.Error("it is another each time")
	}

	night := somePage()
	night.Report.Nights = &NightReport{Added: 1200, Removed: 3, Released: 40_000, Differing: 7, Drift: []history.Shift{{}}}
	night.Manifest.Configuration.MoreModels = []ModelIdentity{{Name: "another", Version: "1.2.3"}}
	for _, want := range []string{"1,200, 0, 3; the release has 40,000 now", "7, and 0 more may; unlike earlier nights", "another 1.2.3"} {
		if page := written(t, night); !strings.Contains(page, want) {
			t.Errorf("a night's page does not say %q", want)
		}
	}

	p.Private, p.Output = true, "/release/jan"
	p.Estimate = &gate.EstimateFile{Notes: 60, Patients: 20, Reviewed: "2026-11-01",
		All: estimate.ByType{Left: estimate.Interval{Point: 40, Low: 20, High: 80}, Recall: estimate.Interval{Point: .98, Low: .96, High: .99}}}
	p.Canaries = &gate.CanariesFile{Notes: 10, All: gate.CanariesByType{Planted: 40, Found: 39,
		Share: estimate.Interval{Point: .975, Low: .87, High: 1}}}
	p.Attack = &AttackPage{Patients: 9, Shifts: 234, Evidence: []AttackEvidence{{Kind: "all of these together", Exactly: 2}}}
	former := somePage()
	former.Report.Tokens, former.Report.SpansByType["PATIENT"] = 1_000_000, 9000
	former.Manifest.Configuration.Model.Version = "0"
	former.Manifest.Columns = append(former.Manifest.Columns, schemas.Column{Path: "old", Fate: "copied"})
	p.Former = &FormerPage{Name: "/release/dec", Manifest: former.Manifest, Report: former.Report}
	p.Places, p.Found = []GatePlace{{Check: "copies", Type: "DOCTOR", File: "in.parquet", Row: 4, Document: "n5", Column: "text", Start: 3,
		End: 9}}, 1
	private := written(t, p)
	for _, want := range []string{"<strong>40</strong>", "20 to 80", "98.0 %", "39 were found", "narrows the shift of 2 of 9 patients",
		"old: not there, before copied",
		"en-clinical 1 (), before en-clinical 0 ()", "44.4 %", "more than chance", "n5", "3 to 9", "Private: keep this page",
		"does not know what its reviewers overlook",
		"PATIENT: 5.0 per 1,000 tokens, in the former release 9.0"} {
		if !strings.Contains(private, want) {
			t.Errorf("the private page does not say %q", want)
		}
	}
}

// The verdict comes first and says what to do.
func TestVerdict(t *testing.T) {
	p := somePage()
	if v := p.Verdict(); v.Class != "mind" || !strings.Contains(v.Text, "no thresholds") {
		t.Errorf("%+v", v)
	}
	p.Report.Gate = &gate.Verdict{Passed: true, Checks: []gate.Check{{Passed: true}}}
	if v := p.Verdict(); v.Class != "mind" || !strings.Contains(v.Text, "the one check of the gate passed") ||
		!strings.Contains(v.Why, "before you sign") {
		t.Errorf("%+v", v)
	}
	p.Report.Gate.Passed = false
	if v := p.Verdict(); v.Class != "stop" {
		t.Errorf("%+v", v)
	}
	p.Manifest.Trial = "of the first 5"
	if v := p.Verdict(); v.Class != "stop" || !strings.Contains(v.Text, "trial") {
		t.Errorf("%+v", v)
	}
	good := NewPage(Manifest{}, Report{Counts: schemas.NewCounts(), Gate: &gate.Verdict{Passed: true, Checks: make([]gate.Check, 2)},
		KnownIdentifiers: &IdentifierTable{}})
	if v := good.Verdict(); v.Class != "good" || len(good.LookAt()) != 0 {
		t.Errorf("%+v %q", v, good.LookAt())
	}
}
