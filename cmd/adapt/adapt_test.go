package adapt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/cmd/convert"
	"github.com/palimpsest-deid/palimpsest/cmd/evaluate"
	"github.com/palimpsest-deid/palimpsest/cmd/tokenize"
	"github.com/palimpsest-deid/palimpsest/cmd/weights"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/adapt"
	siterules "github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// TestMain is the program where the trainer calls it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		for name, main := range map[string]func(context.Context, []string) int{
			"convert":  func(c context.Context, a []string) int { return convert.Main(c, a, os.Stdin, os.Stdout, os.Stderr) },
			"evaluate": func(c context.Context, a []string) int { return evaluate.Main(c, a, os.Stdin, os.Stdout, os.Stderr) },
			"tokenize": func(c context.Context, a []string) int { return tokenize.Main(c, a, os.Stdin, os.Stdout, os.Stderr) },
			"weights":  func(c context.Context, a []string) int { return weights.Main(c, a, os.Stdin, os.Stdout, os.Stderr) },
		} {
			if os.Args[1] == name {
				os.Exit(main(context.Background(), os.Args[2:]))
			}
		}
	}
	os.Exit(m.Run())
}

const (
	base  = "../../onnx/models/en-clinical-accurate"
	house = "../../examples/house"
)

// command runs adapt. heard is called for each line of progress.
func command(ctx context.Context, heard func(string), args ...string) (status int, stdout, stderr string) {
	var out bytes.Buffer
	log := &listener{heard: heard}
	status = Main(ctx, args, nil, &out, log)
	return status, out.String(), log.String()
}

type listener struct {
	bytes.Buffer
	heard func(string)
}

func (l *listener) Write(p []byte) (int, error) {
	if l.heard != nil {
		l.heard(string(p))
	}
	return l.Buffer.Write(p)
}

// trains skips a test that trains, which takes minutes, unless a Python is named:
// make test-training does.
func trains(t *testing.T) {
	t.Helper()
	if os.Getenv(pythonEnv) == "" {
		t.Skip("make test-training runs this; or set " + pythonEnv + " to a Python that can train")
	}
}

// folder copies the notes of some patients of the house.
func folder(t *testing.T, part string, from, to int) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(house, part, "*.txt"))
	if err != nil || len(files) < to {
		t.Fatalf("%d files in %s: %v", len(files), part, err)
	}
	dir := filepath.Join(t.TempDir(), part)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range files[from:to] {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestAHouseThatRepeatsItself adapts to it: the model is written, is better, and
// no file of it holds a word that only patients' PHI has.
func TestAHouseThatRepeatsItself(t *testing.T) {
	trains(t)
	dir := t.TempDir()
	output := filepath.Join(dir, "model")
	notes, test := folder(t, "adapt", 0, 25), folder(t, "test", 0, 12)
	status, stdout, stderr := command(t.Context(), nil, "--from", base, "--notes", notes, "--test", test, "--format", "marked", "--output",
		output, "--epochs", "3", "--mix", "0.2", "--rate", "0.001", "--json", filepath.Join(dir, "v.json"))
	if status != 0 {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	if !strings.Contains(stderr, "epoch 1 of 3") || !strings.Contains(stderr, " left\n") {
		t.Errorf("no progress with the time left: %s", stderr)
	}
	for _, name := range []string{"vocabulary.txt", "characters.txt", "embedding.f32"} {
		want, err := os.ReadFile(filepath.Join(base, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(output, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not that of the first model (%v)", name, err)
		}
	}
	for _, name := range patientWords(t, notes, test) {
		for _, where := range holds(t, output, name) {
			t.Errorf("%s holds %q", where, name)
		}
	}
	// The search finds them where they are.
	if some := patientWords(t, notes, test); len(some) < 40 || len(holds(t, notes, some[0]))+len(holds(t, test, some[0])) == 0 {
		t.Errorf("%d names are looked for", len(some))
	}
	var v verdict
	data, err := os.ReadFile(filepath.Join(output, "adaptation.json"))
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil || !v.Better || v.Patients[adapt.Held] != 12 || v.Job.F2.Low <= 0 || v.From.Name != "en-clinical-accurate" {
		t.Errorf("%v: %s", err, data)
	}
	card, err := os.ReadFile(filepath.Join(output, "README.md"))
	if err != nil || !strings.Contains(string(card), "## Before and after") || !strings.Contains(string(card),
		"no word of the notes was added") {
		t.Errorf("%v: the card is %s", err, card)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%v are left", entries)
	}
	if info, err := os.Stat(output); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the model's mode is %v (%v)", info.Mode(), err)
	}
}

// patientWords are the words of patients' names that the first model does not list.
func patientWords(t *testing.T, folders ...string) (words []string) {
	t.Helper()
	known, err := os.ReadFile(filepath.Join(base, "vocabulary.txt"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, w := range wordForm.FindAllString(string(known), -1) {
		listed[w] = true
	}
	for _, folder := range folders {
		for d, err := range corpus.Read(t.Context(), corpus.Marked, folder, corpus.ReadOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range d.Annotations {
				if a.Label != "PATIENT" && a.Label != "MEDICALRECORD" {
					continue
				}
				for _, w := range wordForm.FindAllString(strings.ToLower(d.Text[a.Start:a.End]), -1) {
					if len(w) > 4 && !listed[w] && !slices.Contains(words, w) {
						words = append(words, w)
					}
				}
			}
		}
	}
	return words
}

var wordForm = regexp.MustCompile(`[\pL\d]+`)

// holds returns the files below a folder that hold a word, whatever its case: of
// text among its words, of others among its bytes.
func holds(t *testing.T, folder, word string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		data = bytes.ToLower(data)
		held := bytes.Contains(data, []byte(word))
		if held && utf8.Valid(data) {
			held = slices.Contains(wordForm.FindAllString(string(data), -1), word)
		}
		if held {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestWhatIsNotBetterIsNotWritten: training that changes nothing is refused, and
// leaves nothing.
func TestWhatIsNotBetterIsNotWritten(t *testing.T) {
	trains(t)
	dir := t.TempDir()
	status, stdout, stderr := command(t.Context(), nil, "--from", base, "--notes", folder(t, "adapt", 0, 12), "--format", "marked", "--output",
		filepath.Join(dir, "model"), "--method", "network", "--epochs", "1", "--mix", "0", "--rate", "1e-9")
	if status != int(fault.Refused) || !strings.Contains(stderr, "no model was written") || !strings.Contains(stdout,
		"job: tokens of PHI found") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("%v is left", entries)
	}
}

// TestAStoppedRunGoesOn stops training after an epoch.
func TestAStoppedRunGoesOn(t *testing.T) {
	trains(t)
	dir := t.TempDir()
	args := []string{"--from", base, "--notes", folder(t, "adapt", 0, 12), "--format", "marked", "--output", filepath.Join(dir, "model"),
		"--method", "network", "--epochs", "2", "--mix", "0.1", "--rate", "0.001"}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, _, stderr := command(ctx, func(line string) {
		if strings.Contains(line, "epoch 1 of 2") {
			stop()
		}
	}, args...)
	work := filepath.Join(dir, "model-private", "adapt")
	if info, err := os.Stat(work); err != nil || info.Mode().Perm() != 0o700 || !strings.Contains(stderr, "go on with --resume") {
		t.Fatalf("%v: %s", err, stderr)
	}
	if status, _, stderr := command(t.Context(), nil, args...); status != int(fault.Settings) ||
		!strings.Contains(stderr, "holds an earlier run; go on with --resume") {
		t.Errorf("status %d: %s", status, stderr)
	}
	status, _, stderr := command(t.Context(), nil, append(args, "--resume")...)
	if status != 0 && status != int(fault.Refused) || !strings.Contains(stderr, "going on after epoch 1 of 2") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if _, err := os.Stat(filepath.Dir(work)); err == nil {
		t.Error("the notes are left")
	}
}

// failing is a Python that can train, and whose training fails: what it was asked is in
// the file given beside it.
func failing(t *testing.T) (python, given string) {
	t.Helper()
	dir := t.TempDir()
	python, given = filepath.Join(dir, "python"), filepath.Join(dir, "given")
	script := "#!/bin/sh\n[ \"$1\" = -c ] && exit 0\nprintf '%s\\n' \"$@\" >'" + given + "'\necho 'training: no luck' >&2\nexit 1\n"
	if err := os.WriteFile(python, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return python, given
}

// TestTheWorkFolder: what the program named is removed where training fails; a folder
// that --work named stays, and so does all that lies in it.
func TestTheWorkFolder(t *testing.T) {
	python, given := failing(t)
	dir := t.TempDir()
	full := []string{"--from", base, "--notes", folder(t, "adapt", 0, 12), "--format", "marked", "--output", filepath.Join(dir, "model"),
		"--method", "network", "--python", python}
	status, _, stderr := command(t.Context(), nil, full...)
	if entries, _ := os.ReadDir(dir); status != int(fault.Failed) || !strings.Contains(stderr, "no luck") || len(entries) > 0 {
		t.Errorf("status %d, %v is left: %s", status, entries, stderr)
	}
	work := filepath.Join(dir, "work")
	status, _, stderr = command(t.Context(), nil, append(full, "--work", work)...)
	if _, err := os.Stat(filepath.Join(work, recipeFile)); status != int(fault.Failed) || err != nil || !strings.Contains(stderr,
		"holds the notes") {
		t.Errorf("status %d, %v: %s", status, err, stderr)
	}
	for _, c := range []struct {
		name   string
		files  []string
		args   []string
		status fault.Status
		want   string
	}{
		{"what is no work folder", []string{"thesis.txt", "train/a.txt", "training/b.txt"}, []string{"--resume"}, fault.Settings,
			"holds no run to go on from"},
		{"a recipe alone", []string{recipeFile, "train/a.txt"}, []string{"--resume"}, fault.Settings, "holds no run to go on from"},
		{"a checkpoint alone", []string{"training/seed-1.pt", "train/a.txt"}, []string{"--resume"}, fault.Settings,
			"holds no run to go on from"},
		{"anything, without --resume", []string{"thesis.txt"}, nil, fault.Settings, "is not empty"},
		{"a run that was stopped, without --resume", []string{recipeFile, "training/seed-1.pt"}, nil, fault.Settings, "go on with --resume"},
		{"a run that was stopped", []string{"training/seed-1.pt", recipeFile}, []string{"--resume"}, fault.Failed, "go on with --resume"},
		{"a method that has no checkpoints", []string{recipeFile, "training/seed-1.pt"},
			[]string{"--resume", "--method", "auto"}, fault.Settings, "has nothing to go on from"},
	} {
		t.Run(c.name, func(t *testing.T) {
			work := filepath.Join(t.TempDir(), "work")
			for _, name := range c.files {
				path := filepath.Join(work, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_ = os.Remove(given)
			status, _, stderr := command(t.Context(), nil, append(append(full[:10:10], "--python", python, "--work", work), c.args...)...)
			if status != int(c.status) || !strings.Contains(stderr, c.want) {
				t.Errorf("status %d: %s, want %d and %q", status, stderr, c.status, c.want)
			}
			for _, name := range c.files {
				data, err := os.ReadFile(filepath.Join(work, name))
				if err != nil || string(data) != "before" && (name != recipeFile || c.status == fault.Settings) {
					t.Errorf("%s is %q (%v)", name, data, err)
				}
			}
			asked, err := os.ReadFile(given)
			if ran := c.status == fault.Failed; ran != (err == nil) || ran && !strings.HasSuffix(string(asked), "\n--resume\n") {
				t.Errorf("the trainer was asked %q (%v)", asked, err)
			}
		})
	}
}

// TestRefusals are told in one line, before any training, and leave nothing.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	output := filepath.Join(dir, "model")
	full := []string{"--from", base, "--notes", filepath.Join(house, "adapt"), "--format", "marked", "--output", output}
	for _, c := range []struct {
		name   string
		args   []string
		status fault.Status
		want   string
	}{
		{"no output", full[:6], fault.Settings, "--output is missing"},
		{"no notes", []string{"--from", base, "--output", output}, fault.Settings, "--notes is missing"},
		{"output exists", append(full, "--output", dir), fault.Settings, "exists; name a folder that does not"},
		{"model", append(full, "--from", "none-such"), fault.Settings, "--from=none-such"},
		{"share", append(full, "--held_out", "1"), fault.Settings, "--held_out"},
		{"rate", append(full, "--rate", "7"), fault.Settings, "--rate"},
		{"work inside", append(full, "--work", output+"/w"), fault.Settings, "lies inside the model"},
		{"python", append(full, "--python", "/bin/false"), fault.Settings, "cannot train .*pip install torch==2.8.0 --index-url"},
		{"trainer", append(full, "--trainer", dir), fault.Settings, "the trainer is not there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, _, stderr := command(t.Context(), nil, c.args...)
			if status != int(c.status) || !regexp.MustCompile("(?s)"+c.want).MatchString(stderr) {
				t.Errorf("status %d: %s", status, stderr)
			}
			if entries, _ := os.ReadDir(dir); len(entries) > 0 {
				t.Errorf("%v is left", entries)
			}
		})
	}
}

// TestNotesThatAreRefused checks what is asked of notes.
func TestNotesThatAreRefused(t *testing.T) {
	kinds := []string{"PATIENT", "DOCTOR", "DATE"}
	write := func(n int, patient, label, more string) string {
		dir := t.TempDir()
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"id":"%s%d","patient":"%s%d","text":"Ann came","annotations":[{"start":0,"end":3,"label":"%s"%s}]}`+"\n", patient, i,
				patient, i, label, more)
		}
		if err := os.WriteFile(filepath.Join(dir, "n.jsonl"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	good := write(20, "p", "PATIENT", "")
	for _, c := range []struct{ name, notes, test, want string }{
		{"good", good, "", ""},
		{"good, others judge", good, write(5, "q", "DATE", ""), ""},
		{"shared patients", good, write(6, "p", "DATE", ""), "6 patients have notes in both --notes and --test"},
		{"few patients", write(7, "p", "DATE", ""), "", "the notes are of 7 patients; adapting takes 9"},
		{"few judges", good, write(2, "q", "DATE", ""), "has notes of 2 patients"},
		{"types", write(20, "p", "SHOE", ""), "", "has types that the model has not: SHOE"},
		{"no annotations", write(20, "p", "PATIENT", ""), write(0, "", "", ""), "holds no notes"},
		{"nothing there", filepath.Join(good, "none"), "", "its format cannot be told"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := readNotes(t.Context(), &options{notes: c.notes, test: c.test, held: 0.3, seed: 1}, kinds, &bytes.Buffer{})
			if c.want == "" {
				if err != nil || len(n.of(adapt.Held)) < 5 || len(n.of(adapt.Train)) == 0 {
					t.Errorf("%v, %v", err, n)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestFindingsAreNoAnnotations: learning from the job's own output hurts.
func TestFindingsAreNoAnnotations(t *testing.T) {
	dir := t.TempDir()
	type note struct {
		NoteID string `parquet:"note_id"`
		Text   string `parquet:"text"`
	}
	type finding struct {
		DocumentID string  `parquet:"document_id"`
		TextColumn string  `parquet:"text_column"`
		Start      int32   `parquet:"start"`
		End        int32   `parquet:"end"`
		Type       string  `parquet:"type"`
		Source     string  `parquet:"source"`
		Score      float32 `parquet:"score"`
	}
	if err := parquet.WriteFile(filepath.Join(dir, "notes.parquet"), []note{{"a", "Ann came"}}); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(filepath.Join(dir, "gold.parquet"), []finding{{"a", "text", 0, 3, "PATIENT", "network", 0.9}}); err != nil {
		t.Fatal(err)
	}
	_, err := readFrom(t.Context(), "--notes", dir, "", corpus.ReadOptions{}, []string{"PATIENT"})
	if err == nil || !strings.Contains(err.Error(), "holds what the job found") {
		t.Errorf("got %v", err)
	}
}

// TestListsAreProposed: what the job misses in a house again and again is written
// as site rules beside those that there are, and used by nobody yet.
func TestListsAreProposed(t *testing.T) {
	dir := t.TempDir()
	config, file := filepath.Join(dir, "job.yaml"), filepath.Join(dir, "rules.yaml")
	rules, err := filepath.Abs("../../examples/site-rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("site_rules: "+rules+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--from", base, "--notes", filepath.Join(house, "adapt"), "--format", "marked", "--config", config, "--propose", file}
	status, stdout, stderr := command(t.Context(), nil, args...)
	if status != 0 || !strings.Contains(stdout, "uses only with --site_rules") {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	site, err := siterules.ParseSite(file, data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := siterules.New("en", site); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"name: our-sites", "name: missed-doctor", "case: exact", "Annexe at Cold Harbour",
		"# Proposed by palimpsest adapt"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the rules lack %q: %s", want, data)
		}
	}
	for _, name := range patientWords(t, filepath.Join(house, "adapt")) {
		if slices.Contains(wordForm.FindAllString(strings.ToLower(string(data)), -1), name) {
			t.Errorf("a patient's %q is proposed", name)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v (%v)", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%v are left", entries)
	}
	if status, _, stderr := command(t.Context(), nil, args...); status != int(fault.Settings) || !strings.Contains(stderr, "exists") {
		t.Errorf("status %d: %s", status, stderr)
	}
	// With the lists, nothing is left to propose that several patients' notes have.
	again := append(args[:6:6], "--config", filepath.Join(dir, "with.yaml"), "--propose", filepath.Join(dir, "again.yaml"))
	if err := os.WriteFile(filepath.Join(dir, "with.yaml"), []byte("site_rules: "+file+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := command(t.Context(), nil, again...); status != int(fault.Refused) || !strings.Contains(stderr,
		"nothing is proposed") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestVerdict says why, and how many more notes would tell.
func TestVerdict(t *testing.T) {
	d := func(difference, low, err float64) score.PairedDifference {
		return score.PairedDifference{Difference: difference, Low: low, High: 2*difference - low, Error: err}
	}
	for _, c := range []struct {
		f2, recall score.PairedDifference
		better     bool
		want       string
	}{
		{d(0.02, 0.01, 0.005), d(0.01, 0, 0.01), true, ""},
		{d(0.01, -0.01, 0.01), d(0.01, 0, 0.01), false, "about 207 more notes of 69 further patients"},
		{d(0.01, 0.005, 0.001), d(-0.01, -0.02, 0.01), false, "would miss more"},
		{d(0, 0, 0), d(0, 0, 0), false, "no better"},
		{d(-0.01, -0.02, 0.01), d(0, 0, 0), false, "no better"},
	} {
		v := &verdict{Job: &score.Paired{Clusters: 10, F2: c.f2, Recall: c.recall}}
		v.decide(3)
		if v.Better != c.better || !strings.Contains(v.Why, c.want) || (v.Why == "") != c.better {
			t.Errorf("%+v: %v, %q", c, v.Better, v.Why)
		}
	}
}
