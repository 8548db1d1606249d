package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The phrases of medicine that the rules leave untouched (model/rules asserts
// that), through the whole job: what the network and the replacement do to
// them is counted by section and shown with -v, not judged.
func TestUntouchedPhrases(t *testing.T) {
	raw, err := os.ReadFile("../model/rules/testdata/untouched.txt")
	if err != nil {
		t.Fatal(err)
	}
	type note struct {
		ID   string `parquet:"note_id"`
		Text string `parquet:"text"`
	}
	var rows []note
	section := ""
	for _, line := range strings.Split(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			section = name
		} else if line != "" && line[0] != '#' {
			rows = append(rows, note{section + "/" + line, "The patient was seen today.\n" + line + "\nPlan as above.\n"})
		}
	}
	dir := t.TempDir()
	o := testOptions(dir, writeParquet(t, dir, "phrases.parquet", rows))
	o.PatientIDColumn, o.IDs, o.Replacement = "", "keep", "tag"
	cfg, _, _ := run(t, o, nil)
	texts := map[string]string{}
	for _, n := range readParquet[note](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		texts[n.ID] = n.Text
	}
	changed, bySection := 0, map[string]int{}
	var sections []string
	for _, row := range rows {
		section, phrase, _ := strings.Cut(row.ID, "/")
		if bySection[section] == 0 && (len(sections) == 0 || sections[len(sections)-1] != section) {
			sections = append(sections, section)
		}
		if texts[row.ID] == "" {
			t.Errorf("%q did not come out", phrase)
		} else if texts[row.ID] != row.Text {
			changed++
			bySection[section]++
			t.Logf("%s: %q became %q", section, phrase, strings.Split(texts[row.ID], "\n")[1])
		}
	}
	t.Logf("%d of %d phrases changed", changed, len(rows))
	for _, s := range sections {
		if bySection[s] > 0 {
			t.Logf("%-20s %d", s, bySection[s])
		}
	}
}
