package pipeline

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// surfaces returns what stood at each finding of a job over one text column, and
// what stands there now, by reading the tables.
func surfaces(t *testing.T, cfg transforms.Config, input string) (found []table.Finding, before, after []string) {
	t.Helper()
	texts := map[string][2][]rune{}
	in := readParquet[exampleRow](t, input)
	out := readParquet[exampleRow](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	for i := range in {
		texts[strconv.FormatInt(in[i].NoteID, 10)] = [2][]rune{[]rune(*in[i].Text), []rune(*out[i].Text)}
	}
	found = readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet"))
	for _, f := range found {
		x := texts[f.DocumentID]
		before = append(before, string(x[0][f.Start:f.End]))
		after = append(after, string(x[1][f.OutputStart:f.OutputEnd]))
	}
	return found, before, after
}

// A policy of a file is done to every span of the examples, to the byte, but for
// known identifiers, which are not kept; the report counts it, and the order of
// work changes nothing.
func TestPolicyOfAFile(t *testing.T) {
	o := exampleOptions(t.TempDir())
	o.Policy = "../examples/policy.yaml"
	cfg, report, log := run(t, o, nil)
	if report.RowsOut != report.RowsIn {
		t.Errorf("%d of %d rows are released: %v", report.RowsOut, report.RowsIn, report.Reasons)
	}
	found, before, after := surfaces(t, cfg, exampleNotes)
	numbered := regexp.MustCompile(`^\[(PATIENT|DOCTOR|USERNAME)-[B-DF-HJ-NP-TV-XZ]{4}\]$`)
	counts := map[string]int64{}
	gaveWay := 0
	codes := map[string]map[string]bool{}
	for i, f := range found {
		counts[f.Type+" "+f.Action]++
		ok := before[i] != after[i]
		switch f.Type {
		case "PATIENT", "DOCTOR", "USERNAME":
			ok = f.Action == "numbered_tag" && numbered.MatchString(after[i]) && strings.HasPrefix(after[i], "["+f.Type+"-")
			if codes[before[i]+f.DocumentID] == nil {
				codes[before[i]+f.DocumentID] = map[string]bool{}
			}
			codes[before[i]+f.DocumentID][after[i][len("[")+len(f.Type):]] = true
		case "PROFESSION", "CITY":
			ok = f.Action == "keep" && before[i] == after[i] || f.Action == "surrogate" && before[i] != after[i]
			if f.Action != "keep" {
				gaveWay++
			}
		case "DATE":
			ok = f.Action == "shift"
		case "AGE":
			ok = f.Action == "generalise"
		case "COUNTRY": // the patient's own stays
			ok = f.Action == "surrogate"
		default:
			ok = ok && f.Action == "surrogate"
		}
		if !ok {
			t.Errorf("%s: %s has become something else than the policy says", f.Type, f.Action)
		}
	}
	for name, all := range codes {
		if len(all) > 1 {
			t.Errorf("one name of a note has the codes %v (%d bytes)", all, len(name))
		}
	}
	if counts["CITY keep"] == 0 || counts["PROFESSION keep"] == 0 || gaveWay == 0 {
		t.Errorf("kept %d cities and %d professions; %d of them are known and gave way", counts["CITY keep"], counts["PROFESSION keep"], gaveWay)
	}
	for k, n := range counts {
		if report.SpansByAction[k] != n {
			t.Errorf("the report counts %d %s, want %d", report.SpansByAction[k], k, n)
		}
	}
	if len(counts) != len(report.SpansByAction) || !strings.Contains(log, "(keep ") || report.Masked > 200 {
		t.Errorf("%d and %d kinds, %d masked; the summary says\n%s", len(counts), len(report.SpansByAction), report.Masked, log)
	}
	page, err := os.ReadFile(filepath.Join(cfg.Output, transforms.ReportPage))
	if err != nil || !strings.Contains(string(page), "CITY keep ") || !strings.Contains(string(page), "a policy of the site") {
		t.Errorf("the page does not tell the policy, %v", err)
	}
	// In other shards and batches, by the same policy written otherwise.
	dir := t.TempDir()
	o = exampleOptions(dir)
	o.Policy = filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(o.Policy, []byte("types: {name: numbered_tag, CITY: keep, PROFESSION: keep}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	again, _, _ := run(t, o, func(c *transforms.Config) { c.ShardBytes, c.Workers, c.Buckets = 1, 1, 3 })
	if again.What.Digest() != cfg.What.Digest() {
		t.Error("the same policy makes another configuration")
	}
	_, _, texts := surfaces(t, again, exampleNotes)
	if strings.Join(texts, "\x00") != strings.Join(after, "\x00") {
		t.Error("other shards make other texts")
	}
}

// Actions that TestModesOfReplacement has not, by themselves: nothing that was to be
// replaced stays, and no row is lost.
func TestPolicyOfEachAction(t *testing.T) {
	for name, c := range map[string]struct {
		policy string
		ok     func(typ, before, after string) bool
	}{
		"numbered_tag": {"default: numbered_tag\n", func(typ, _, after string) bool {
			return strings.HasPrefix(after, "["+typ+"-") && len(after) == len(typ)+7
		}},
		"generalise": {"types: {DATE: generalise, AGE: generalise, ZIP: generalise}\n", func(typ, before, after string) bool {
			return before != after || typ == "DATE" || typ == "AGE" || typ == "ZIP" || typ == "COUNTRY"
		}},
		"keep of places and contacts": {"types: {LOCATION: keep, CONTACT: keep, NAME: tag}\nknown_identifiers: mask\n",
			func(typ, before, after string) bool {
				switch typ {
				case "PATIENT", "DOCTOR", "USERNAME":
					return after == "["+typ+"]"
				}
				return true
			}},
	} {
		dir := t.TempDir()
		o := exampleOptions(dir)
		o.Policy = filepath.Join(dir, "policy.yaml")
		if err := os.WriteFile(o.Policy, []byte(c.policy), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, report, _ := run(t, o, nil)
		if report.RowsOut != report.RowsIn {
			t.Errorf("%s: %d of %d rows are released: %v", name, report.RowsOut, report.RowsIn, report.Reasons)
			continue
		}
		found, before, after := surfaces(t, cfg, exampleNotes)
		wrong := map[string]int{}
		for i, f := range found {
			if !c.ok(f.Type, before[i], after[i]) || f.Action == "keep" && before[i] != after[i] || f.Action == "mask" && before[i] == after[i] &&
				regexp.MustCompile(`[a-w]`).MatchString(after[i]) {
				wrong[f.Type+" "+f.Action]++
			}
		}
		if len(wrong) > 0 || len(found) < 2000 {
			t.Errorf("%s: of %d findings these are not as the policy says: %v", name, len(found), wrong)
		}
	}
}

// What the allow list holds stays in the text, but not a known identifier of the
// patient; the report counts both, and the manifest holds the list's digest.
func TestAllowList(t *testing.T) {
	dir := t.TempDir()
	o := exampleOptions(dir)
	o.Allow = filepath.Join(dir, "allow.yaml")
	const list = "allow:\n  - term: rillito eye physicians\n  - term: Escalante\n    types: [NAME]\n"
	if err := os.WriteFile(o.Allow, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, report, log := run(t, o, nil)
	kept := 0
	for _, r := range readParquet[exampleRow](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		if strings.Contains(*r.Text, "Escalante") {
			t.Error("a known name stays")
		}
		if strings.Contains(*r.Text, "Rillito Eye Physicians") {
			kept++
		}
	}
	if kept != 1 || report.AllowKept == 0 || report.AllowGaveWay == 0 || !strings.Contains(log, "allow list") {
		t.Errorf("%d kept in the texts, %d and %d counted:\n%s", kept, report.AllowKept, report.AllowGaveWay, log)
	}
	if cfg.AllowDigest == "" || report.RowsOut != report.RowsIn {
		t.Errorf("digest %q, %v", cfg.AllowDigest, report.Reasons)
	}
	if err := os.WriteFile(o.Allow, []byte("allow:\n  - term: other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Output, cfg.Private = filepath.Join(dir, "again"), filepath.Join(dir, "again-held")
	if err := Run(t.Context(), cfg, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "allow list") {
		t.Errorf("a list that has changed since the launch: %v", err)
	}
}
