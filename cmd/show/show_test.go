package show

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
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
