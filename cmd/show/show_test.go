package show

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		before, after string
		all           bool
		want          string
	}{
		{"a\nMr Smith\nb\nc\nd", "a\nMr Rao\nb\nc\nd", false, "  ...\n- Mr Smith\n+ Mr Rao\n  ...\n"},
		{"a\nMr Smith", "a\nMr Rao", true, "  a\n- Mr Smith\n+ Mr Rao\n"},
		{"one\ntwo", "one two", false, "- one\ntwo\n+ one two\n"},
	} {
		var b strings.Builder
		Diff(&b, c.before, c.after, c.all)
		if b.String() != c.want {
			t.Errorf("diff(%q, %q) = %q, want %q", c.before, c.after, b.String(), c.want)
		}
	}
}

// run runs the command.
func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

const notes = "../../examples/notes.parquet"

func TestShowRefusesTablesThatDoNotMatch(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"no output", []string{"--before", notes}, 64, "--after is missing"},
		{"no input", []string{"--after", notes}, 64, "--before is missing"},
		{"a missing output", []string{"--before", notes, "--after", "../../examples/none*.parquet"}, 65, "no file matches"},
		{"a table without notes", []string{"--before", notes, "--after", "../../examples/identifiers.parquet"}, 65, "identifiers.parquet"},
		{"other notes", []string{"--before", notes, "--after", "../../examples/unseen/notes.parquet"}, 65, "cannot be matched by position"},
		{"an unknown flag", []string{"--befor", notes}, 64, "palimpsest show: unknown flag --befor; did you mean --before?\n"},
		{"a word", []string{"x", "--before", notes}, 64, `"x" belongs to no flag`},
		{"no file of settings", []string{"--config", "none.yaml"}, 64, "none.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := run(c.args...)
			if status != c.status || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("status %d, printed %q and %q; want %d and one line with %q", status, stdout, stderr, c.status, c.want)
			}
		})
	}
	if status, stdout, stderr := run("--before", notes, "--after", notes, "--notes=2"); status != 0 || strings.Count(stdout, "=== note") != 2 {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

// Where rows were regrouped, or some are in quarantine, notes are matched by the
// key, and not at all without it.
func TestShowMatchesByKey(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PALIMPSEST_SHOW_KEY", "a key of the tests: fifty bytes or so, never to be seen")
	keys, err := transforms.Keys(t.Context(), "env:PALIMPSEST_SHOW_KEY", 0)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		ID   string `parquet:"note_id"`
		Text string `parquet:"text"`
	}
	r := deid.Rewriter{Keys: keys}
	write := func(name string, rows ...row) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := parquet.WriteFile(path, rows); err != nil {
			t.Fatal(err)
		}
		return path
	}
	before := write("in.parquet", row{"n1", "Dr Hale"}, row{"n2", "Dr Reed"}, row{"n3", "held back"})
	write("out/notes/part-00000.parquet", row{r.Pseudonym("n2", 0), "Dr Moth"}, row{r.Pseudonym("n1", 0), "Dr Wren"})
	args := []string{"--before", before, "--after", filepath.Join(dir, "out", "notes")}
	if status, _, stderr := run(args...); status != 65 || !strings.Contains(stderr, "rows were quarantined") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "out", "manifest.json"), []byte(`{"row_order":{"taken":"shuffle"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, other := range [][]string{nil, {"--key=env:PALIMPSEST_NO_KEY"}} {
		status, _, stderr := run(append(args, other...)...)
		if status != 65 || !strings.Contains(stderr, "can only be matched by the job's key") {
			t.Errorf("%s: status %d: %s", other, status, stderr)
		}
	}
	status, stdout, stderr := run(append(args, "--key=env:PALIMPSEST_SHOW_KEY")...)
	if status != 0 || !strings.Contains(stdout, "note n1, released as "+r.Pseudonym("n1", 0)+"\n- Dr Hale\n+ Dr Wren\n") ||
		!strings.Contains(stdout, "- Dr Reed\n+ Dr Moth\n") || strings.Contains(stdout, "held back") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

// The job's file of settings names input, columns and output; what it says to
// others is passed over, and what nobody knows is refused.
func TestShowTakesTheJobsSettings(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "job.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	type row struct {
		ID   string `parquet:"ROW_ID"`
		Body string `parquet:"TEXT"`
	}
	for name, text := range map[string]string{"in.parquet": "Seen by Dr Hale", "out/notes/in.parquet": "Seen by Dr Moth"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := parquet.WriteFile(path, []row{{"n1", text}}); err != nil {
			t.Fatal(err)
		}
	}
	settings := "input: " + dir + "/*.parquet\noutput: " + dir +
		"/out\ndocument_id_column: ROW_ID\ntext_column: TEXT\nkey: env:K\nbuckets: 7\n"
	write(settings)
	if status, stdout, stderr := run("--config", config); status != 0 || !strings.Contains(stdout, "- Seen by Dr Hale\n+ Seen by Dr Moth\n") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	write(settings + "bukets: 7\n")
	if status, _, stderr := run("--config", config); status != 64 ||
		!strings.Contains(stderr, `there is no setting "bukets"; did you mean "buckets"?`) {
		t.Errorf("status %d: %s", status, stderr)
	}
	write("text_column: [a, b]\n")
	if status, _, stderr := run("--config", config); status != 64 || !strings.Contains(stderr, "choose one of them with --text_column") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
