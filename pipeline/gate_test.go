package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/model/linear"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

type gatedIdentifiers struct {
	Patient string `parquet:"patient_id"`
	Name    string `parquet:"name"`
}

const passage = "The patient came in with a cough that had lasted for ten days and was given fluids on the ward, "

// gatedNotes writes notes of three patients. One holds a known name that is spelt
// out, which the sweep does not look for; in one of two copies of a
// passage the name of a clinician has no title before it.
func gatedNotes(t *testing.T, dir string) (o Options) {
	t.Helper()
	var rows []shortNote
	for i := range 20 {
		rows = append(rows, shortNote{fmt.Sprint("plain", i), "p0", "No cough, no fever. Lungs clear. Plan: fluids, rest."})
	}
	rows = append(rows,
		shortNote{"broken", "p1", "Her tablets : Quac - ken - bush 5 mg twice daily with food."},
		shortNote{"copy1", "p2", passage + "seen with Dr. Thornquist in the morning and told to rest at home for a week."},
		shortNote{"copy2", "p2", "Addendum. " + passage + "seen with Dr. Thornquist in the morning and told to rest at home for a week."})
	o = testOptions(dir, writeParquet(t, dir, "notes.parquet", rows))
	o.Identifiers = writeParquet(t, dir, "identifiers.parquet", []gatedIdentifiers{{"p1", "Zebulon Quackenbush"}})
	return o
}

// thresholds writes a file of --gate.
func thresholds(t *testing.T, dir, text string) string {
	t.Helper()
	path := filepath.Join(dir, "gate.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// leftBelow lists the files below a folder.
func leftBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	for name := range digests(t, dir) {
		names = append(names, name)
	}
	return names
}

// Past a threshold nothing is published, and the private part says where to look,
// on each runner; the same job passes once the threshold is raised, or what was
// wrong is mended.
func TestGate(t *testing.T) { onEachRunner(t, testGate) }

func testGate(t *testing.T) {
	dir := t.TempDir()
	o := gatedNotes(t, dir)
	o.Gate = thresholds(t, dir, "known_identifiers: 0\nequal_surrogates: 0\ncopies: 0\nquarantined: 0\n")
	small := func(c *transforms.Config) { c.ShardBytes = 1 }
	_, _, _, err := tryRun(o, small)
	if fault.Of(err) != fault.Refused || !errors.Is(err, transforms.ErrGate) {
		t.Fatalf("%v (%d)", err, fault.Of(err))
	}
	said := err.Error()
	if !strings.Contains(said, "known identifiers left in the texts: 43.48 per 1,000 notes, the limit is 0") ||
		!strings.Contains(said, filepath.Join(o.Private, transforms.GateFile)+" lists where to look") || strings.Contains(said, "Quac") {
		t.Errorf("the user is told:\n%s", said)
	}
	if names := leftBelow(t, o.Output); len(names) > 0 {
		t.Errorf("published: %v", names)
	}
	if names := leftBelow(t, o.Private); fmt.Sprint(names) != "[out-private/gate.json]" {
		t.Errorf("private: %v", names)
	}
	checkMode(t, filepath.Join(o.Private, transforms.GateFile), 0o600)
	g, err := ReadGateReport(t.Context(), o.Private)
	if err != nil || g.Passed || g.Left.Known != 1 || len(g.Places) != 1 {
		t.Fatalf("%+v, %v", g, err)
	}
	p := g.Places[0]
	if p.Check != gate.KindKnown || p.Type != "PATIENT" || filepath.Base(p.File) != "notes.parquet" || p.Row != 20 || p.Document != "broken" ||
		p.Column != "text" || p.Start != 14 || p.End != 31 {
		t.Errorf("%+v", p)
	}
	raw, _ := os.ReadFile(filepath.Join(o.Private, transforms.GateFile))
	if strings.Contains(strings.ToLower(string(raw)), "q-u-a") {
		t.Errorf("the text stands in the file:\n%s", raw)
	}
	// The same command again is refused again, and is not in its own way.
	if _, _, _, err := tryRun(o, small); !errors.Is(err, transforms.ErrGate) {
		t.Errorf("again: %v", err)
	}
	o.Gate = thresholds(t, dir, "known_identifiers: 50\nequal_surrogates: 0\ncopies: 0\n")
	cfg, report, _ := run(t, o, small)
	if report.Gate == nil || !report.Gate.Passed || len(report.Gate.Checks) != 3 {
		t.Errorf("%+v", report.Gate)
	}
	g, err = ReadGateReport(t.Context(), cfg.Private)
	if err != nil || !g.Passed || g.Left.Known != 1 {
		t.Errorf("%+v, %v", g, err)
	}
	if _, err := os.Stat(filepath.Join(cfg.Output, transforms.SuccessFile)); err != nil {
		t.Error(err)
	}
	// What an estimate or canaries hold for is told by the manifest as by the job.
	raw, err = os.ReadFile(filepath.Join(cfg.Output, transforms.ManifestFile))
	var m transforms.Manifest
	if err != nil || json.Unmarshal(raw, &m) != nil || m.Configuration.SettingsDigest() != cfg.SettingsDigest() {
		t.Errorf("%v: the manifest's settings are %s, the job's %s", err, m.Configuration.SettingsDigest(), cfg.SettingsDigest())
	}
	for _, name := range leftBelow(t, cfg.Output) {
		if strings.Contains(name, "gate") {
			t.Errorf("%s is released", name)
		}
	}
}

func checkMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: %v, %v", path, info, err)
	}
}

// Without --gate nothing is audited, and nothing said of it.
func TestWithoutGate(t *testing.T) {
	dir := t.TempDir()
	cfg, report, _ := run(t, gatedNotes(t, dir), nil)
	raw, err := os.ReadFile(filepath.Join(cfg.Output, transforms.ReportFile))
	if err != nil || report.Gate != nil || strings.Contains(string(raw), `"gate"`) {
		t.Errorf("%v, %v:\n%s", err, report.Gate, raw)
	}
	if _, err := os.Stat(filepath.Join(cfg.Private, transforms.GateFile)); err == nil {
		t.Error("there is a verdict")
	}
}

// A gate decides whether a release is published, and no byte of it.
func TestGateChangesNoRow(t *testing.T) {
	dir := t.TempDir()
	var got []string
	for i, text := range []string{"",
		"copies: 1000\nknown_identifiers: 1000\nequal_surrogates: 1000\nsecond_reader: {model: en-clinical-fast, at_most: 100000}\n"} {
		o := exampleOptions(filepath.Join(dir, fmt.Sprint(i)))
		if text != "" {
			o.Gate = thresholds(t, dir, text)
		}
		cfg, report, _ := run(t, o, nil)
		got = append(got, fmt.Sprint(digests(t, filepath.Join(cfg.Output, "notes"), filepath.Join(cfg.Private, "findings"))))
		if report.Gate != nil {
			raw, _ := json.Marshal(report.Gate)
			g, err := ReadGateReport(t.Context(), cfg.Private)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s\n%+v, %d places", raw, g.Left, len(g.Places))
		}
	}
	if got[0] != got[1] {
		t.Errorf("%s\n%s", got[0], got[1])
	}
}

// Copies of a passage that were treated differently are found across shards and files, and what
// a second model takes for identifiers in released text.
func TestGateFindsCopiesAndReadsAgain(t *testing.T) { onEachRunner(t, testGateCopies) }

func testGateCopies(t *testing.T) {
	dir := t.TempDir()
	// Two files: the name has a title in one note alone, and the sweep is off.
	rest := " in the morning and told to rest at home for a week, with fluids and paracetamol as needed."
	a := []shortNote{{"n1", "p2", passage + "seen by Dr. Bramblewick" + rest}}
	b := []shortNote{{"n2", "p2", "Copied: " + passage + "seen by Dr. Bramblewick" + rest},
		{"n3", "p3", passage + "seen by Dr. Bramblewick" + rest}}
	o := testOptions(dir, writeParquet(t, dir, "a.parquet", a), writeParquet(t, dir, "b.parquet", b))
	o.Allow = filepath.Join(dir, "allow.yaml")
	allow := "allow:\n  - term: Bramblewick\n    before: \"Copied: .*Dr. \"\n"
	if err := os.WriteFile(o.Allow, []byte(allow), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Gate = thresholds(t, dir, "copies: 100\nsecond_reader: {model: en-clinical-fast, at_most: 100, score: 0.5}\n")
	_, _, _, err := tryRun(o, func(c *transforms.Config) { c.ShardBytes = 1 })
	if !errors.Is(err, transforms.ErrGate) {
		t.Fatalf("%v", err)
	}
	g, err := ReadGateReport(t.Context(), o.Private)
	if err != nil || g.Left.Copies != 1 || len(g.Places) < 1 {
		t.Fatalf("%+v, %v", g, err)
	}
	for _, p := range g.Places {
		if p.Check == gate.KindCopies && (p.Document != "n2" || filepath.Base(p.File) != "b.parquet" || p.Row != 0 || p.Type != "DOCTOR") {
			t.Errorf("%+v", p)
		}
	}
}

// What a second model finds in released text and nobody has replaced is counted:
// here by the network, of what the feature CRF without rules has left.
func TestGateReadsAgain(t *testing.T) {
	dir := t.TempDir()
	o := exampleOptions(dir)
	o.Identifiers, o.Model, o.Steps = "", "../onnx/models/en-crf", []string{deid.StepGuards}
	o.AcceptColumns = append(o.AcceptColumns, "scores.key_value.key")
	o.Gate = thresholds(t, dir, "second_reader: {model: en-clinical, at_most: 2}\n")
	_, _, _, err := tryRun(o, nil)
	if !errors.Is(err, transforms.ErrGate) || !strings.Contains(err.Error(), "what a second model takes for identifiers") {
		t.Fatal(err)
	}
	g, err := ReadGateReport(t.Context(), o.Private)
	if err != nil || g.Left.Reader < 2 || len(g.Places) != int(g.Left.Reader) {
		t.Fatalf("%+v, %v", g, err)
	}
	texts := readParquet[struct {
		Text string `parquet:"text"`
	}](t, exampleNotes)
	for _, p := range g.Places {
		if text := []rune(texts[p.Row].Text); p.Start >= p.End || p.End > len(text) || strings.TrimSpace(string(text[p.Start:p.End])) == "" {
			t.Errorf("nothing stands at %+v", p)
		}
	}
	o.Gate = thresholds(t, dir, "second_reader: {model: en-clinical, at_most: 100}\n")
	run(t, o, nil)
}

// The second reader may be a table of weights, as the feature CRF is: it reads elsewhere
// than the network does. One that the job finds with is none.
func TestTablesReadAgain(t *testing.T) {
	dir := t.TempDir()
	notes := writeParquet(t, dir, "notes.parquet", []shortNote{{"a", "p", "The quibberly was clean and dry."}})
	for _, kind := range []string{linear.CRF, linear.SVM} {
		o := testOptions(t.TempDir(), notes)
		reader := tinyModel(t, kind, "en", "quibberly")
		o.Gate = thresholds(t, dir, "second_reader: {model: "+reader+", at_most: 999}\n")
		if _, _, _, err := tryRun(o, nil); !errors.Is(err, transforms.ErrGate) {
			t.Fatalf("%s: %v", kind, err)
		}
		g, err := ReadGateReport(t.Context(), o.Private)
		if err != nil || g.Left.Reader != 1 || len(g.Places) != 1 || g.Places[0].Start != 4 || g.Places[0].End != 13 {
			t.Errorf("%s: %+v, %v", kind, g, err)
		}
		o.Model = "../onnx/models/en-clinical-fast," + reader
		if _, _, _, err := tryRun(o, nil); err == nil || !strings.Contains(err.Error(), "it is a model that the job itself finds with") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// The shipped feature CRF reads what the network without rules has
// left: much of it is PHI.
func TestTheFeatureCRFReadsAgain(t *testing.T) {
	dir := t.TempDir()
	o := exampleOptions(dir)
	o.Identifiers, o.Model, o.Steps = "", "../onnx/models/en-clinical-fast", []string{deid.StepGuards}
	o.Gate = thresholds(t, dir, "second_reader: {model: en-crf, at_most: 0}\n")
	if _, _, _, err := tryRun(o, nil); !errors.Is(err, transforms.ErrGate) {
		t.Fatal(err)
	}
	g, err := ReadGateReport(t.Context(), o.Private)
	if err != nil || g.Left.Reader == 0 || len(g.Places) != int(g.Left.Reader) {
		t.Fatalf("%+v, %v", g, err)
	}
	t.Logf("the CRF takes %d for identifiers that the network left", g.Left.Reader)
}

// Estimates and canaries are looked at before any work: those of other settings,
// those too old, and those past a threshold.
func TestGateOfEstimate(t *testing.T) {
	dir := t.TempDir()
	o := gatedNotes(t, dir)
	cfg, err := NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, _, err = Prepare(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "estimate.json")
	write := func(settings, reviewed string) {
		t.Helper()
		text := fmt.Sprintf(`{"configuration_digest": "another night's", "settings_digest": %q, "last_decision": %q, "notes": 40, "patients": 20,
			"all": {"recall": {"point": 0.97, "low": 0.95, "high": 0.99},
				"left_per_1000_notes": {"point": 100, "low": 50, "high": 200}}}`, settings, reviewed)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o.ReleaseDate = "2026-03-31"
	for _, c := range []struct {
		name, gate, settings, reviewed, want string
	}{
		{"good", "left: 200, recall: 95, days: 30", cfg.SettingsDigest(), "2026-03-01", ""},
		{"too many left", "left: 199", cfg.SettingsDigest(), "2026-03-01",
			"identifiers left, by the upper end of the estimate: 200 per 1,000 notes, the limit is 199"},
		{"too few found", "recall: 96", cfg.SettingsDigest(), "2026-03-01",
			"share found, by the lower end of the estimate: 95 %, the limit is 96 %"},
		{"old", "left: 200, days: 30", cfg.SettingsDigest(), "2026-02-28",
			"days since the estimate's last decision: 31 days, the limit is 30 days"},
		{"of the future", "left: 200, days: 30", cfg.SettingsDigest(), "2027-02-28", "days since the estimate's last decision"},
		{"of no date", "left: 200, days: 30", cfg.SettingsDigest(), "", "does not say when"},
		{"of other settings", "left: 200", "others", "2026-03-01", "it holds for another model, version, policy or other settings"},
	} {
		write(c.settings, c.reviewed)
		o.Gate = thresholds(t, dir, fmt.Sprintf("estimate: {file: %s, %s}\n", file, c.gate))
		gated, err := NewConfig(o)
		if err != nil {
			t.Fatal(err)
		}
		switch _, _, err = Prepare(t.Context(), gated); {
		case c.want == "" && err != nil, c.want != "" && (fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v (%d)", c.name, err, fault.Of(err))
		}
	}
	// Another table of known identifiers is another night's, not another job's.
	o.Identifiers = writeParquet(t, dir, "more.parquet", []gatedIdentifiers{{"p1", "Zebulon Quackenbush"}, {"p2", "Cy Vale"}})
	other, err := NewConfig(o)
	if err == nil {
		other.GateFile = ""
		other, _, err = Prepare(t.Context(), other)
	}
	if err != nil || other.SettingsDigest() != cfg.SettingsDigest() || other.What.Digest() == cfg.What.Digest() {
		t.Errorf("%v: %s and %s", err, other.SettingsDigest(), cfg.SettingsDigest())
	}
	// What travels with the job's description holds the verdicts, and no id of a note.
	canaries := fmt.Sprintf(`{"format_version": 1, "settings_digest": %q, "all": {"planted": 40, "share": {"low": 0.9}},
		"missed": [{"document_id": "broken"}]}`, cfg.SettingsDigest())
	if err := os.WriteFile(file, []byte(canaries), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Gate = thresholds(t, dir, fmt.Sprintf("canaries: {file: %s, found: 80}\n", file))
	gated, err := NewConfig(o)
	if err == nil {
		gated, _, err = Prepare(t.Context(), gated)
	}
	if raw, _ := json.Marshal(gated.How); err != nil || len(gated.Gate.Before) != 1 || strings.Contains(string(raw), "broken") {
		t.Errorf("%v: %s", err, raw)
	}
	if day, err := releaseDay(""); err != nil || time.Since(day) > time.Hour {
		t.Error(day, err)
	}
}

// A release in which far less is found than in the former one is refused.
func TestGateOfDrift(t *testing.T) {
	dir := t.TempDir()
	former := exampleOptions(filepath.Join(dir, "former"))
	run(t, former, nil)
	o := exampleOptions(filepath.Join(dir, "now"))
	o.Gate = thresholds(t, dir, fmt.Sprintf("drift: {former: %s, at_most: 20}\n", former.Output))
	run(t, o, nil)
	weak := exampleOptions(filepath.Join(dir, "weak"))
	weak.Gate, weak.Identifiers, weak.Steps = o.Gate, "", []string{deid.StepGuards}
	weak.Model = "../onnx/models/es-meddocan"
	weak.LanguageCheck = "warn"
	_, _, _, err := tryRun(weak, nil)
	if !errors.Is(err, transforms.ErrGate) || !strings.Contains(err.Error(), "change since the former release: ") {
		t.Errorf("%v", err)
	}
}

// A gate that cannot be read stops the job before any work, and says what to write.
func TestGateIsRefused(t *testing.T) {
	dir := t.TempDir()
	o := gatedNotes(t, dir)
	for text, want := range map[string]string{
		"":                              "it sets no threshold",
		"copy: 3\n":                     "line 1: there is no threshold copy",
		"copies: many\n":                "line 1: write a number",
		"copies: -1\n":                  "copies: write a number of 0 or more",
		"quarantined: 101\n":            "quarantined: write percent, from 0 to 100",
		"second_reader: {at_most: 1}\n": "second_reader.model is missing",
		"second_reader: {model: nowhere, at_most: 1}\n":     "no shipped model of that name",
		"second_reader: {model: en-clinical, at_most: 1}\n": "it is a model that the job itself finds with",
		"estimate: {file: x.json}\n":                        "say left",
		"canaries: {file: x.json}\n":                        "and found",
		"drift: {former: /none, at_most: 3}\n":              "holds no release with a report",
		"[1]\n":                                             "write",
	} {
		o.Gate = thresholds(t, dir, text)
		cfg, err := NewConfig(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Prepare(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "gate.Thresholds") {
			t.Errorf("%q: %v", text, err)
		}
	}
	o.Gate, o.ReleaseDate = "", "31.3.2026"
	if _, err := NewConfig(o); err == nil || !strings.Contains(err.Error(), "--release_date=31.3.2026: write a day as YYYY-MM-DD") {
		t.Error(err)
	}
}
