package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// A site's rules find what the job would leave, and show in the configuration
// that results are compared by; a mistake in them stops the job at its start.
func TestSiteRules(t *testing.T) {
	type note struct {
		ID      string `parquet:"note_id"`
		Patient string `parquet:"patient_id"`
		Text    string `parquet:"text"`
	}
	const id = "LX19-KD204"
	dir := t.TempDir()
	input := writeParquet(t, dir, "notes.parquet", []note{{"n1", "p1",
		"Doing well on the study drug.\nStudy arm " + id + ", second visit.\n"}})
	outputs := map[string]string{}
	var results []transforms.Config
	for name, file := range map[string]string{"without": "", "with": "../examples/site-rules.yaml"} {
		o := testOptions(filepath.Join(dir, name), input)
		o.SiteRules = file
		cfg, _, _ := run(t, o, nil)
		outputs[name] = readParquet[note](t, filepath.Join(cfg.Output, "notes", "*.parquet"))[0].Text
		results = append(results, cfg)
	}
	if strings.Contains(outputs["with"], id) {
		t.Errorf("with the site's rules the note still holds the id")
	}
	if results[0].What.Digest() == results[1].What.Digest() {
		t.Errorf("the configuration's digest does not tell the site's rules")
	}

	bad := filepath.Join(dir, "bad.yaml")
	if err := os.WriteFile(bad, []byte("rules:\n  - name: x\n    type: WARD\n    pattern: 'A'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{bad: `bad.yaml:2: rule "x": unknown type "WARD"`,
		filepath.Join(dir, "none.yaml"): "--site_rules"} {
		o := testOptions(filepath.Join(dir, "bad"), input)
		o.SiteRules = file
		cfg, err := NewConfig(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Prepare(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}
