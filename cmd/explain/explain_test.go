package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/pipeline"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init() // a test runs the job
	os.Exit(m.Run())
}

// explainIt runs the command in the repository's root.
func explainIt(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir("../..")
	var out, errs bytes.Buffer
	status = Main(context.Background(), append(args, "--execution_provider=cpu"), strings.NewReader(stdin), &out, &errs)
	t.Chdir("cmd/explain")
	return status, out.String(), errs.String()
}

// The whole way, with the shipped model: a text, from a file and from standard
// input, and a note of the examples.
func TestExplain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "note.txt")
	text := "Seen by Dr. Ambrose Hale.\nFax: (505) 555-0143\nHale agreed, Dr. Hale too.\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, piped, _ := explainIt(t, text, "--file=-", "--json")
	status, stdout, stderr := explainIt(t, "", "--file", file, "--json")
	if status != 0 || stdout != piped {
		t.Fatalf("status %d: %s; from standard input it is\n%s, from a file\n%s", status, stderr, piped, stdout)
	}
	var stories []story
	if err := json.Unmarshal([]byte(stdout), &stories); err != nil {
		t.Fatal(err)
	}
	fax := false
	for _, s := range stories {
		for _, l := range s.Steps {
			fax = fax || s.Type == "FAX" && l.Step == "rules" && strings.HasPrefix(l.Why, "rule fax")
		}
	}
	if !fax || !strings.Contains(stderr, "original text") {
		t.Errorf("no rule is named, or no warning given: %s%s", stdout, stderr)
	}

	_, stdout, _ = explainIt(t, "", "--file", file, "--model=en-clinical-fast,en-clinical")
	if !strings.Contains(stdout, "found by en-clinical-fast ") || !strings.Contains(stdout, " and en-clinical ") {
		t.Errorf("of two models each is not named: %s", stdout)
	}

	status, stdout, stderr = explainIt(t, "", "--config=examples/config.yaml", "--document=1000101")
	if status != 0 || !strings.Contains(stdout, "known") || !strings.Contains(stdout, "found by") {
		t.Errorf("a note of the examples: status %d: %s%s", status, stdout, stderr)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"nothing", nil, 64, "name one note"},
		{"two notes", []string{"--document=1", "--file=x"}, 64, "name one note"},
		{"no table", []string{"--document=1"}, 64, "--input is missing"},
		{"no such note, no key", []string{"--input=examples/notes.parquet", "--document=none"}, 64,
			"released ids could not be tried: no --key is given"},
		{"no such note, no such key", []string{"--config=examples/config.yaml", "--key=env:PALIMPSEST_NO_SUCH_KEY", "--document=none"}, 64,
			"PALIMPSEST_NO_SUCH_KEY: the variable is not set"},
		{"a released id without a key", []string{"--input=examples/notes.parquet", "--released", "--document=1"}, 64, "--key is missing"},
		{"no such table", []string{"--input=none.parquet", "--document=1"}, 65, "no file matches none.parquet"},
		{"an unknown flag", []string{"--documnt=1"}, 64, "unknown flag --documnt; did you mean --document?"},
		{"an unknown setting", []string{"--config=examples/site-rules.yaml"}, 64, "there is no setting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := explainIt(t, "", c.args...)
			if status != c.status || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
				t.Errorf("status %d, printed %q and %q; want %d and one line with %q", status, stdout, stderr, c.status, c.want)
			}
		})
	}
}

// A complaint comes with the id of what was released: the note is found by it,
// as by its own id. Ids that are integers may be both.
func TestReleasedIDs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PALIMPSEST_TEST_KEY", "a key of the tests: fifty bytes or so, never to be seen")
	type row struct {
		ID      int64  `parquet:"note_id"`
		Patient string `parquet:"patient_id"`
		Text    string `parquet:"text"`
	}
	rows := []row{{1, "a", "Seen by Dr. Ambrose Hale."}, {2, "b", "Ring Bo Lund at (505) 555-0143."}}
	released := func(name string, rows []row) []row {
		t.Helper()
		input := filepath.Join(dir, name+".parquet")
		if err := parquet.WriteFile(input, rows); err != nil {
			t.Fatal(err)
		}
		o := pipeline.DefaultOptions()
		o.Input, o.Output, o.Key, o.ExecutionProvider = []string{input}, filepath.Join(dir, name), "env:PALIMPSEST_TEST_KEY", "cpu"
		o.Private, o.Beside = o.Output+"-private", true
		cfg, err := pipeline.NewConfig(o)
		if err == nil {
			cfg, _, err = pipeline.Prepare(t.Context(), cfg)
		}
		if err == nil {
			err = pipeline.Run(t.Context(), cfg, io.Discard)
		}
		if err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(o.Output, "notes", "*"))
		if len(files) != 1 {
			t.Fatalf("the output is %v", files)
		}
		out, err := parquet.ReadFile[row](files[0])
		if err != nil || len(out) != len(rows) {
			t.Fatalf("%d rows were released: %v", len(out), err)
		}
		return out
	}
	explained := func(name, id string, more ...string) string {
		t.Helper()
		args := append([]string{"--input=" + filepath.Join(dir, name+".parquet"), "--key=env:PALIMPSEST_TEST_KEY", "--document=" + id}, more...)
		status, stdout, stderr := explainIt(t, "", args...)
		if status != 0 {
			t.Fatalf("%s: status %d: %s", id, status, stderr)
		}
		return stderr + stdout
	}
	out := released("two", rows)
	if got := explained("two", jsonOf(t, out[1].ID)); !strings.Contains(got, `"Bo Lund"`) || strings.Contains(got, "Hale") ||
		!strings.Contains(got, "In the input, the note has the id 2.") {
		t.Errorf("the note released as %d is explained by\n%s", out[1].ID, got)
	}

	// A note of the input has the id that another one was released under.
	both := append(rows, row{out[1].ID, "c", "Cy Moth wrote."})
	released("three", both)
	id := jsonOf(t, out[1].ID)
	if got := explained("three", id); !strings.Contains(got, "Cy Moth") || !strings.Contains(got, "--released explains that one") {
		t.Errorf("an id of the input is explained by\n%s", got)
	}
	if got := explained("three", id, "--released"); !strings.Contains(got, `"Bo Lund"`) {
		t.Errorf("a released id is explained by\n%s", got)
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Every setting of the job and of the command is in the long help.
func TestHelp(t *testing.T) {
	_, stdout, _ := explainIt(t, "", "--help", "all")
	for _, g := range append(pipeline.Groups(), own) {
		for _, name := range g.Flags {
			if !strings.Contains(stdout, "\n  --"+name) {
				t.Errorf("--help all says nothing of --%s", name)
			}
		}
	}
}
