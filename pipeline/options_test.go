package pipeline

import (
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
	err := os.WriteFile(path, []byte("# a job\ninput: [a.parquet, b.parquet]\noutput: from-file\nbuckets: 7\nfindings: false\nrecall_bias: "+
		"1.5\ndate_columns: d1, d2\n"), 0o600)
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
		"inputs: x":                       `line 1: there is no setting "inputs"; did you mean "input"?`,
		"\nzzzzzzzzzzzz: x":               `line 2: there is no setting "zzzzzzzzzzzz"; --help all lists them`,
		"buckets: many":                   "line 1: buckets: write a whole number",
		"output: [a, b]":                  "line 1: output: write one value",
		"input: [[a]]":                    "line 1: input: write a list of plain values",
		"input: {a: b}":                   "line 1: input: write a value or a list",
		"identifier_columns: {name: [a]}": "write plain values behind the names",
		"census: a":                       `there is no setting "census"`,
		"- a":                             "`name: value`",
		"output: x\noutput: ":             "line 2: output is set twice",
		"config: other.yaml":              `there is no setting "config"`,
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

// An item of a list may have a comma, which a flag cannot say.
func TestListsInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, []byte("input: ['a,b.parquet', c.parquet, '']\ntext_column: hpi, plan\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o, inFile, err := ReadFile(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Input) != 2 || o.Input[0] != "a,b.parquet" || strings.Join(o.TextColumn, "+") != "hpi+plan" || !inFile["input"] ||
		inFile["output"] {
		t.Errorf("options are %q and %q, from the file %v", o.Input, o.TextColumn, inFile)
	}
}

// Roles are pairs in a flag or a list, or lines of their own.
func TestRolesInTheFile(t *testing.T) {
	for _, text := range []string{
		"identifier_columns: name=FULL_NAME, remarks=-",
		"identifier_columns: [name=FULL_NAME, remarks=-]",
		"identifier_columns:\n  name: FULL_NAME\n  remarks: '-'\n",
	} {
		path := filepath.Join(t.TempDir(), "job.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := parse(t, "--config", path)
		if err != nil || !slices.Equal(o.IdentifierColumns, []string{"name=FULL_NAME", "remarks=-"}) {
			t.Errorf("%s: %q, %v", text, o.IdentifierColumns, err)
		}
	}
}

// Every setting has a heading and a text. Beam's flags are shown where a runner
// takes them.
func TestHelp(t *testing.T) {
	o := DefaultOptions()
	grouped := map[string]bool{}
	for _, g := range Groups() {
		for _, name := range g.Flags {
			grouped[name] = true
		}
	}
	for _, opt := range o.all() {
		if !grouped[opt.name] || opt.help == "" || opt.group == "" {
			t.Errorf("--%s is not explained", opt.name)
		}
	}
	for runner, beams := range map[string]bool{"": false, "prism": false, "direct": false, "flink": true, "dataflow": true} {
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		o.Register(fs)
		fs.String("runner", runner, "")
		fs.String("environment_type", "", "where workers live")
		fs.String("control_endpoint", "", "")
		got := RunnerHelp(fs)
		if !strings.Contains(got, "--runner") || strings.Contains(got, "--environment_type\n      where workers live") != beams ||
			strings.Contains(got, "control_endpoint") || strings.Contains(got, "--text_column") {
			t.Errorf("runner %q: the help is\n%s", runner, got)
		}
	}
}
