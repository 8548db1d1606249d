package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/linear"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// tinyModel writes the directory of an SVM that takes some words for institutions.
func tinyModel(t *testing.T, kind, language string, words ...string) string {
	t.Helper()
	dir := t.TempDir()
	held := []linear.Weight{{Feature: features.Hash("bias="), Label: 0, Value: 1}}
	for _, word := range words {
		held = append(held, linear.Weight{Feature: features.Hash("@w+0=" + word), Label: 1, Value: 5})
	}
	weights, err := linear.Encode(held)
	if err != nil {
		t.Fatal(err)
	}
	labels := []string{"O", "ORGANIZATION"}
	files := map[string][]byte{linear.WeightsFile: weights}
	if kind == linear.CRF {
		labels[1] = "B-ORGANIZATION"
		files["transitions.f32"] = make([]byte, 4*4*2) // all alike
	}
	sums := map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	files["model.json"], err = json.Marshal(map[string]any{"format_version": 1, "kind": kind, "name": "tiny-" + strings.Join(words, "-"),
		"version": "1.2.3", "language": language, "labels": labels, "tokenizer": map[string]int{"window_tokens": 128},
		"features_version": features.Version,
		"files":            sums})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A directory's kind says how it is run; what several models find is united, the same
// bytes come of it however the work is cut, and the manifest names each.
func TestSeveralModels(t *testing.T) {
	const fast = "../onnx/models/en-clinical-fast"
	dir := t.TempDir()
	var rows []shortNote
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		rows = append(rows,
			shortNote{id, "p" + id, "Mr. Zebulon Quackenbush was seen today. The quibberly was clean and dry. The murnish is well."})
	}
	notes := writeParquet(t, dir, "in.parquet", rows)
	job := func(models ...string) (transforms.Config, []string, map[string]string) {
		t.Helper()
		o := testOptions(t.TempDir(), notes)
		o.Model = strings.Join(models, ", ")
		cfg, _, _ := run(t, o, nil)
		found := map[string]bool{}
		text := []rune(rows[0].Text)
		for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
			found[f.Type+" "+string(text[f.Start:f.End])] = true
		}
		released := digests(t, cfg.Output)
		maps.DeleteFunc(released, func(name, _ string) bool { return !strings.HasSuffix(name, ".parquet") })
		return cfg, slices.Sorted(maps.Keys(found)), released
	}
	svm, other := tinyModel(t, linear.SVM, "en", "quibberly"), tinyModel(t, linear.SVM, "en", "murnish")

	alone, found, _ := job(fast)
	if !slices.Equal(found, []string{"PATIENT Zebulon Quackenbush"}) {
		t.Fatalf("the network alone found %q", found)
	}
	if _, found, _ := job(svm); !slices.Contains(found, "ORGANIZATION quibberly") {
		t.Errorf("a table of weights alone found %q", found)
	}
	all, found, once := job(fast, svm, other)
	want := []string{"ORGANIZATION murnish", "ORGANIZATION quibberly", "PATIENT Zebulon Quackenbush"}
	if !slices.Equal(found, want) {
		t.Errorf("three models found %q, want %q", found, want)
	}
	if _, _, twice := job(fast, svm, other); !maps.Equal(once, twice) {
		t.Error("the same models gave other bytes")
	}
	if alone.What.Digest() == all.What.Digest() || all.ModelNames() != alone.ModelNames()+" and tiny-quibberly 1.2.3 and tiny-murnish 1.2.3" {
		t.Errorf("the settings' digest or the names do not tell of each model: %s", all.ModelNames())
	}
	either := tinyModel(t, linear.SVM, "en", "quibberly", "murnish")
	vote, found, _ := job("vote:"+fast, svm, other, either)
	if !slices.Equal(found, want[2:]) { // no word has three of four; the name has a rule
		t.Errorf("the vote of four models found %q, want %q", found, want[2:])
	}
	if _, found, _ := job("vote:"+svm, other, either); !slices.Equal(found, want) {
		t.Errorf("the vote of three models found %q, want %q", found, want)
	}
	if vote.What.Digest() == all.What.Digest() || !strings.HasPrefix(vote.ModelNames(), "the vote of ") {
		t.Errorf("the settings' digest or the names do not tell of the vote: %s", vote.ModelNames())
	}
	for cfg, want := range map[string]int{alone.Output: 0, all.Output: 2} {
		raw, err := os.ReadFile(filepath.Join(cfg, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(raw), `"kind": "svm"`); got != want || strings.Contains(string(raw), "more_models") != (want > 0) {
			t.Errorf("the manifest names %d models besides, want %d", got, want)
		}
	}
}

// The sliding-window LSTM is a model as any other: alone and beside another the job runs
// it, to the same bytes however the work is cut.
func TestJobWithASlidingWindow(t *testing.T) {
	const window = "../onnx/testdata/window-lstm"
	const text = "Zolinger, Smith MRN 731004 seen by Dr. Wrathgar, zolpidem 5 mg at night in January 2019. The quibberly was clean."
	var rows []shortNote
	for _, id := range []string{"a", "b", "c"} {
		rows = append(rows, shortNote{id, "p" + id, text})
	}
	notes := writeParquet(t, t.TempDir(), "in.parquet", rows)
	job := func(change func(*transforms.Config), models ...string) ([]string, map[string]string) {
		o := testOptions(t.TempDir(), notes)
		o.Model = strings.Join(models, ",")
		cfg, _, _ := run(t, o, change)
		found := map[string]bool{}
		for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
			found[f.Type+" "+text[f.Start:f.End]] = true
		}
		released := digests(t, cfg.Output)
		maps.DeleteFunc(released, func(name, _ string) bool { return !strings.HasSuffix(name, ".parquet") })
		return slices.Sorted(maps.Keys(found)), released
	}
	want := []string{"DOCTOR Wrathgar", "MEDICALRECORD 731004", "PATIENT Zolinger, Smith"}
	found, once := job(func(c *transforms.Config) { c.Workers, c.BatchBytes = 1, 1<<10 }, window)
	_, twice := job(func(c *transforms.Config) { c.Workers, c.BatchBytes = 4, 1<<20 }, window)
	for _, w := range want { // rules find a date besides
		if !slices.Contains(found, w) {
			t.Errorf("found %q, want %q", found, w)
		}
	}
	if len(once) == 0 || !maps.Equal(once, twice) {
		t.Errorf("one worker with small batches and four with large ones release different bytes: %v, %v", once, twice)
	}
	found, _ = job(nil, window, tinyModel(t, linear.SVM, "en", "quibberly"))
	if !slices.Contains(found, "ORGANIZATION quibberly") || !slices.Contains(found, want[2]) {
		t.Errorf("with a table beside it: %q", found)
	}
}

func TestModelsThatDoNotFit(t *testing.T) {
	svm := tinyModel(t, linear.SVM, "en", "quibberly")
	for want, models := range map[string][]string{
		"names tiny-quibberly 1.2.3 twice":              {svm, svm},
		"different languages, en and es":                {svm, tinyModel(t, linear.SVM, "es", "quibberly")},
		`kind is "hmm"; this program runs ["bilstm-crf`: {tinyModel(t, "hmm", "en", "quibberly")},
		"--model is empty":                              {" ", ""},
		"a vote takes two models or more":               {"vote:" + svm},
	} {
		o := exampleOptions(t.TempDir())
		o.Model = strings.Join(models, ",")
		if _, _, _, err := tryRun(o, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
