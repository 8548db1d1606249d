package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// untouchedNote is a phrase of medicine as a note.
type untouchedNote struct {
	ID   string `parquet:"note_id"` // section/phrase
	Text string `parquet:"text"`
}

// TestUntouchedPhrases: phrases of medicine go through the whole job. The
// rules leave those of the first file alone (model/rules asserts that); how
// many are changed in spite of the guards is held to a bound. Run with -v to
// see which.
func TestUntouchedPhrases(t *testing.T) {
	for _, c := range []struct {
		file  string
		bound int // phrases changed
	}{
		{"untouched.txt", 15},     // 96 without the guards, by an earlier model
		{"untouched_more.txt", 7}, // 51 without; one is a season, a date by the guideline
	} {
		t.Run(c.file, func(t *testing.T) {
			if changed := changedPhrases(t, "../model/rules/testdata/"+c.file); changed > c.bound {
				t.Errorf("%d phrases changed, it has been %d", changed, c.bound)
			}
		})
	}
}

// changedPhrases runs the job over the phrases of a file, logs those that it
// changes, and returns their number.
func changedPhrases(t *testing.T, file string) int {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []untouchedNote
	section := ""
	for _, line := range strings.Split(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			section = name
		} else if line != "" && line[0] != '#' {
			rows = append(rows, untouchedNote{section + "/" + line, "The patient was seen today.\n" + line + "\nPlan as above.\n"})
		}
	}
	dir := t.TempDir()
	o := testOptions(dir, writeParquet(t, dir, "phrases.parquet", rows))
	o.PatientIDColumn, o.IDs, o.Replacement = "", "keep", "tag"
	cfg, _, _ := run(t, o, nil)
	texts := map[string]string{}
	for _, n := range readParquet[untouchedNote](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		texts[n.ID] = n.Text
	}
	changed := 0
	for _, row := range rows {
		section, phrase, _ := strings.Cut(row.ID, "/")
		if texts[row.ID] == "" {
			t.Errorf("%q did not come out", phrase)
		} else if texts[row.ID] != row.Text {
			changed++
			t.Logf("%s: %q became %q", section, phrase, strings.Split(texts[row.ID], "\n")[1])
		}
	}
	t.Logf("%d of %d phrases changed", changed, len(rows))
	return changed
}
