package pipeline

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// parse reads a command line as the program does.
func parse(t *testing.T, args ...string) (Options, error) {
	t.Helper()
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o := DefaultOptions()
	o.Register(fs)
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	return o, o.ApplyFile(context.Background(), fs)
}

func TestFlagsWinOverTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "job.yaml")
	err := os.WriteFile(path, []byte("# a job\ninput: [a.parquet, b.parquet]\noutput: from-file\nbuckets: 7\nfindings: false\nrecall_bias: 1.5\ndate_columns: d1, d2\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	o, err := parse(t, "--config", path, "--output", "from-flag", "--findings")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(o.Input, " ") != "a.parquet b.parquet" || o.Output != "from-flag" || o.Buckets != 7 ||
		!o.Findings || o.RecallBias != 1.5 || strings.Join(o.DateColumns, " ") != "d1 d2" || o.TextColumn[0] != "text" {
		t.Errorf("options are %+v", o)
	}
}

// Paths with commas, which a flag would split, stand in the file.
func TestPathsWithCommasStandInTheFile(t *testing.T) {
	for text, want := range map[string][]string{
		"input: /data/Ward 3, 2019/notes.parquet":           {"/data/Ward 3, 2019/notes.parquet"},
		"input: ['a,b.parquet', c.parquet]":                 {"a,b.parquet", "c.parquet"},
		"input:\n- gs://b/x=1,y=2/*.parquet\n- d.parquet\n": {"gs://b/x=1,y=2/*.parquet", "d.parquet"},
	} {
		path := filepath.Join(t.TempDir(), "job.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := parse(t, "--config", path)
		if err != nil || !slices.Equal(o.Input, want) {
			t.Errorf("%s: %q, %v", text, o.Input, err)
		}
	}
}

func TestWrongFilesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"inputs: x":           `line 1: there is no setting "inputs"; did you mean "input"?`,
		"\nzzzzzzzzzzzz: x":   `line 2: there is no setting "zzzzzzzzzzzz"; --help lists them`,
		"buckets: many":       "line 1: buckets: write a whole number",
		"output: [a, b]":      "line 1: output: write one value",
		"input: [[a]]":        "line 1: input: write a list of plain values",
		"- a":                 "`name: value`",
		"output: x\noutput: ": "line 2: output is set twice",
		"config: other.yaml":  `there is no setting "config"`,
	} {
		path := filepath.Join(t.TempDir(), "job.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := parse(t, "--config", path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := parse(t, "--config", "none.yaml"); err == nil {
		t.Error("a missing file was accepted")
	}
	if _, err := parse(t, "--buckets", "x"); err == nil {
		t.Error("a wrong flag was accepted")
	}
}

// The help names every setting and keeps to a terminal's width.
func TestUsage(t *testing.T) {
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	o := DefaultOptions()
	o.Register(fs)
	fs.String("runner", "", "")
	var b bytes.Buffer
	Usage(&b, fs)
	for _, opt := range o.all() {
		if !strings.Contains(b.String(), "  --"+opt.name) || opt.help == "" || opt.group == "" {
			t.Errorf("--%s is not explained", opt.name)
		}
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if len(line) > 92 {
			t.Errorf("a line has %d columns: %s", len(line), line)
		}
	}
	if !strings.Contains(b.String(), "--runner") {
		t.Error("Beam's flags are missing")
	}
}
