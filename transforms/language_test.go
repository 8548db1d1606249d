package transforms_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/pipeline"
)

// A model in a language that there are no rules for runs without rules, and is
// refused with them in words that say what to do.
func TestAModelInAThirdLanguage(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "model")
	if err := os.CopyFS(model, os.DirFS("../onnx/models/en-clinical")); err != nil {
		t.Fatal(err)
	}
	about := filepath.Join(model, "model.json")
	raw, err := os.ReadFile(about)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(raw), `"language": "en"`, `"language": "nl"`, 1)
	if changed == string(raw) {
		t.Fatal("the model does not say its language")
	}
	if err := os.WriteFile(about, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options(t, dir, write(t, dir, "notes.parquet", []row{{"a", "p1", "Patient: Margaret Okonkwo, seen by Dr. Ada Hale."}}))
	o.Model = model
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = pipeline.Prepare(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), `"nl"`) ||
		!strings.Contains(err.Error(), "leave rules out of --steps") {
		t.Errorf("with rules: %v", err)
	}
	o.Steps = []string{deid.StepGuards, deid.StepReconciliation, deid.StepSweep}
	cfg, _ = runJob(t, o)
	released := read[row](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	if len(released) != 1 || strings.Contains(released[0].Text, "Okonkwo") {
		t.Errorf("without rules: %d notes, or the name, went out", len(released))
	}
}
