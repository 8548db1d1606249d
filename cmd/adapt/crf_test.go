package adapt

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/adapt"
	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/linear"
	namewords "github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// TestAFeatureCRFForFewNotes: with forty notes a feature CRF is trained, is written
// because the job is better with it, and none of its features tells a word that only
// PHI has.
func TestAFeatureCRFForFewNotes(t *testing.T) {
	trains(t)
	if err := exec.Command(os.Getenv(pythonEnv), "-c", "import pycrfsuite").Run(); err != nil {
		t.Skip("the Python that trains has no pycrfsuite: pip install -r model/training/requirements-crf.txt")
	}
	dir := t.TempDir()
	output := filepath.Join(dir, "house-crf")
	notes, test := folder(t, "adapt", 0, 10), folder(t, "test", 0, 12)
	status, stdout, stderr := command(t.Context(), nil, "--from", base, "--notes", notes, "--test", test, "--format", "marked", "--output",
		output)
	if status != 0 {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	for _, want := range []string{"method crf", "iteration 1 of ", " left\n"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in %s", want, stderr)
		}
	}
	if !strings.Contains(stdout, "--model "+output+","+base) || !strings.Contains(stdout, "models alone: ") {
		t.Errorf("it says %s", stdout)
	}
	secret := onlyInPHI(t, notes)
	if len(secret) < 50 {
		t.Errorf("%d words are looked for", len(secret))
	}
	if told, _ := tells(t, output, notes, map[string]bool{"seen": true, "ward": true}); len(told) == 0 { // that may stand there
		t.Error("the search finds nothing that there is")
	}
	if told, held := tells(t, output, notes, secret); len(told) > 0 || held < 100_000 {
		t.Errorf("of %d features of the notes that the table has, %q tell words that stand in PHI alone", held, told)
	}
	for w := range secret {
		if len(w) > 4 && len(holds(t, output, w)) > 0 {
			t.Errorf("a file holds %q", w)
		}
	}
	var v verdict
	data, err := os.ReadFile(filepath.Join(output, "adaptation.json"))
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil || !v.Better || v.Method != byCRF || v.Patients[adapt.Held] != 12 {
		t.Errorf("%v: %s", err, data)
	}
	card, err := os.ReadFile(filepath.Join(output, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"EasyAdapt", "40 of them", "200 of the notes that are shipped", "What it holds of its notes",
		"this model beside it"} {
		if !strings.Contains(string(card), want) {
			t.Errorf("the card does not say %q: %s", want, card)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%v are left", entries)
	}
	if info, err := os.Stat(output); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the model's mode is %v (%v)", info.Mode(), err)
	}
}

// tells returns the features of notes that a table has and that tell one of some words,
// and how many features of theirs it has.
func tells(t *testing.T, folder, notes string, words map[string]bool) (told []string, held int) {
	t.Helper()
	d, err := tagger.ReadDirectory(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) })
	if err != nil {
		t.Fatal(err)
	}
	model, err := linear.Load(d)
	if err != nil || model.Kind != linear.CRF {
		t.Fatalf("kind %s, %v", d.Kind, err)
	}
	x := features.New("en")
	for d, err := range corpus.Read(t.Context(), corpus.Marked, notes, corpus.ReadOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		tokens := token.Tokenize(nil, d.Text)
		x.Read(d.Text, tokens)
		for i := range tokens {
			for _, name := range x.Names(nil, i) {
				if !model.Holds(name) {
					continue
				}
				held++
				_, parts, _ := strings.Cut(name, features.Equals)
				for _, w := range strings.FieldsFunc(parts, unicode.IsControl) {
					if words[w] && strings.Contains("@~%", name[:1]) { // templates of words and of parts of words
						told = append(told, name)
					}
				}
			}
		}
	}
	return told, held
}

// onlyInPHI are the words of notes that stand in annotations alone and that the first
// model does not list, as the features fold them.
func onlyInPHI(t *testing.T, folder string) map[string]bool {
	t.Helper()
	secret, outside := map[string]bool{}, map[string]bool{}
	add := func(to map[string]bool, text string) {
		for _, tok := range token.Tokenize(nil, text) {
			if w := namewords.Fold(tok.Text(text)); tok.Class < token.Digits && len(w) > 1 {
				to[w] = true
			}
		}
	}
	listed, err := os.ReadFile(filepath.Join(base, "vocabulary.txt"))
	if err != nil {
		t.Fatal(err)
	}
	add(outside, string(listed))
	for d, err := range corpus.Read(t.Context(), corpus.Marked, folder, corpus.ReadOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		slices.SortFunc(d.Annotations, func(a, b corpus.Annotation) int { return a.Start - b.Start })
		for _, a := range d.Annotations {
			add(outside, d.Text[at:a.Start])
			add(secret, d.Text[a.Start:a.End])
			at = a.End
		}
		add(outside, d.Text[at:])
	}
	for w := range outside {
		delete(secret, w)
	}
	return secret
}

// TestMethods: what is trained is chosen by the number of notes, and can be said.
func TestMethods(t *testing.T) {
	for _, c := range []struct {
		method string
		notes  int
		want   string
	}{
		{byCount, networkFrom - 1, byCRF}, {byCount, networkFrom, byNetwork}, {byNetwork, 1, byNetwork}, {byCRF, 1000, byCRF},
	} {
		if got := (&options{method: c.method}).chosen(c.notes); got != c.want {
			t.Errorf("%s with %d notes is %s, want %s", c.method, c.notes, got, c.want)
		}
	}
	full := []string{"--from", base, "--notes", filepath.Join(house, "adapt"), "--format", "marked", "--output",
		filepath.Join(t.TempDir(), "m")}
	for _, c := range []struct {
		args []string
		want string
	}{
		{append(full[:8:8], "--method", "svm"), "write auto, network or crf"},
		{append(full[:8:8], "--method", "crf", "--resume"), "there is nothing to go on from"},
		{append(full[:8:8], "--method", "crf", "--python", "/bin/false"), "Training a feature CRF needs Python 3.11 with numpy, pycrfsuite"},
		{[]string{"--from", base, "--notes", full[3], "--format", "marked", "--output", t.TempDir() + "/a,b", "--method", "crf"}, "commas"},
	} {
		if status, _, stderr := command(t.Context(), nil, c.args...); status != int(fault.Settings) || !strings.Contains(stderr, c.want) {
			t.Errorf("status %d: %s, want %q", status, stderr, c.want)
		}
	}
}
