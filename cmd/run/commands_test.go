package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Help is a dozen lines and as many settings, and fits a terminal; all of it is
// there when asked for.
func TestHelp(t *testing.T) {
	for _, c := range commands {
		stdout, stderr, code := program(t, nil, c.name, "--help")
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		if code != 0 || stderr != "" || len(lines) > 22 ||
			!strings.Contains(stdout, "  palimpsest ") || !strings.Contains(stdout, "Exit status: 0 done") {
			t.Errorf("%s --help: exit code %d, %d lines:\n%s%s", c.name, code, len(lines), stdout, stderr)
		}
		all, _, code := program(t, nil, c.name, "--help", "all")
		if code != 0 {
			t.Errorf("%s --help all: exit code %d", c.name, code)
		}
		for _, line := range strings.Split(stdout+all, "\n") {
			if len([]rune(line)) > 92 {
				t.Errorf("%s: a line of the help has %d columns: %s", c.name, len(line), line)
			}
		}
		for _, line := range lines { // what the short help names is there
			for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ,;()", r) }) {
				if strings.HasPrefix(word, "--") && !strings.HasPrefix(word, "--help") && !strings.Contains(all, "\n  "+word) {
					t.Errorf("%s: --help all does not explain %s", c.name, word)
				}
			}
		}
	}
	if stdout, _, code := program(t, nil, "--help"); code != 0 || strings.Count(stdout, "\n") > 28 || !strings.Contains(stdout, "evaluate") {
		t.Errorf("exit code %d:\n%s", code, stdout)
	}
	if stdout, _, code := program(t, nil, "help", "key"); code != 0 || !strings.Contains(stdout, "key new PATH") {
		t.Errorf("help key: exit code %d:\n%s", code, stdout)
	}
	// Beam's own flags are shown where a runner takes them.
	for _, c := range []struct {
		args  []string
		beams bool
	}{{[]string{"--help", "all"}, false}, {[]string{"--runner=flink", "--help", "all"}, true}, {[]string{"--runner=flink", "--help"}, false}} {
		if stdout, _, _ := program(t, nil, c.args...); strings.Contains(stdout, "  --environment_config\n") != c.beams {
			t.Errorf("%v: Beam's flags are shown: %v, want %v", c.args, !c.beams, c.beams)
		}
	}
}

// A mistake on the command line is told in one line, and has its own status.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "job.yaml")
	if err := os.WriteFile(config, []byte("bukets: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	policy := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(policy, []byte("types:\n  PATENT: tag\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := "--key=env:PALIMPSEST_MISTAKES_KEY"
	held := "--private=" + filepath.Join(t.TempDir(), "held")
	sound := []string{"--output=" + dir + "/out", held, key, "--execution-provider=cpu", "--model=../../onnx/models/en-clinical"}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--text_col", "TEXT"}, 64, "palimpsest: unknown flag --text_col; did you mean --text_column?\n"},
		{[]string{"run", "--text-col", "TEXT"}, 64, "palimpsest: unknown flag --text-col; did you mean --text_column?\n"},
		{[]string{"--runer=flink"}, 64, "did you mean --runner?"},
		{[]string{"--xyzzy=1"}, 64, "palimpsest: unknown flag --xyzzy; --help all lists what there is\n"},
		{[]string{"--recall_bias", "abc"}, 64, "palimpsest: --recall_bias: write a number\n"},
		{[]string{"--max_num_workers=many"}, 64, "palimpsest: --max_num_workers: write a whole number\n"},
		{[]string{"--findings", "false"}, 64, "palimpsest: give false with an equals sign: --findings=false\n"},
		{[]string{"--key"}, 64, "palimpsest: --key needs a value: --key=VALUE\n"},
		{[]string{"--input", "a.parquet", "b.parquet"}, 64, `"b.parquet" belongs to no flag; quote globs`},
		{[]string{"--config", config}, 64, `line 1: there is no setting "bukets"; did you mean "buckets"?`},
		{[]string{"evalute", "--gold", "x"}, 64, `palimpsest: "evalute" is no command; did you mean evaluate?` + "\n"},
		{[]string{"notes.parquet"}, 64, `"notes.parquet" is no command; palimpsest --help lists them`},
		{[]string{"key", "make"}, 64, "palimpsest key: write key new PATH"},
		{append(sound, "--input=none-*.parquet"), 65, "no file matches none-*.parquet"},
		{append(sound, "--input=main.go"), 65, "main.go: not a Parquet file"},
		{[]string{"--input=main.go", "--output=" + dir + "/out", held, "--key=env:PALIMPSEST_NO_SUCH_KEY"}, 64, "the variable is not set here"},
		{append(sound, "--input=main.go", "--policy="+policy), 64, policy + `:2: there is no type "PATENT"; did you mean PATIENT?`},
		{append(sound, "--input=main.go", "--allow="+policy), 64, policy + ": it needs `allow:` with a list of entries"},
		{append(sound, "--input=main.go", "--private_beside_output", "--output="+dir), 64, "is not empty"},
	} {
		stdout, stderr, code := program(t, []string{"PALIMPSEST_MISTAKES_KEY=" + testKey}, c.args...)
		if code != c.code || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%v: exit code %d, printed %q and %q; want %d and one line with %q", c.args, code, stdout, stderr, c.code, c.want)
		}
	}
	// The private part: inside the output, and where a read of what lies around
	// the output takes it in.
	for private, want := range map[string]string{
		dir + "/out/held":  "what must not be released would be",
		dir + "/held":      "or write --private_beside_output if nobody will",
		dir + "/a/_held/b": "lies in the folder that holds --output=" + dir + "/out: who reads or copies all of that folder takes it in",
	} {
		args := append(slices.Clone(sound), "--input=main.go", "--private="+private)
		if _, stderr, code := program(t, []string{"PALIMPSEST_MISTAKES_KEY=" + testKey}, args...); code != 64 || !strings.Contains(stderr, want) {
			t.Errorf("--private=%s: exit code %d:\n%s", private, code, stderr)
		}
	}
	nights := []string{"--input=main.go", "--private=" + dir + "/held", "--state=" + dir + "/state", "--state_key=env:PALIMPSEST_NO_SUCH_KEY"}
	if _, stderr, code := program(t, []string{"PALIMPSEST_MISTAKES_KEY=" + testKey}, append(slices.Clone(sound), nights...)...); code != 64 ||
		!strings.Contains(stderr, "--state_key") || strings.Contains(stderr, "lies in") {
		t.Errorf("beside an output that holds nights alone: exit code %d:\n%s", code, stderr)
	}
	accepted := append(slices.Clone(sound), "--input=main.go", "--private="+dir+"/held", "--private_beside_output")
	if _, stderr, code := program(t, []string{"PALIMPSEST_MISTAKES_KEY=" + testKey}, accepted...); code != 65 {
		t.Errorf("one that is accepted: exit code %d:\n%s", code, stderr)
	}
	// What is done with what is found, and how much is looked for.
	for setting, want := range map[string]string{
		"--policy=limted": "--policy=limted: there is no such policy; did you mean limited?",
		"--policy=xyzzy":  "write one of limited, research-professions, safe-harbor, surrogate-shift; or name a file",
		"--recall=most":   "--recall=most: write one of balanced, high, maximum",
		"--policy=limited --hipaa_mode=safe-harbor": "name two policies; leave one of them out",
		"--policy=limited --replacement=tag":        "says what is done to each type",
		"--recall=high --recall_bias=2":             "say the same thing twice",
	} {
		args := append(append(slices.Clone(sound), "--input=main.go"), strings.Fields(setting)...)
		if _, stderr, code := program(t, []string{"PALIMPSEST_MISTAKES_KEY=" + testKey}, args...); code != 64 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d:\n%s", setting, code, stderr)
		}
	}
	// All that is missing is said at once.
	if _, stderr, code := program(t, nil, "run"); code != 64 || !strings.Contains(stderr, "--input is missing") ||
		!strings.Contains(stderr, "--key is missing") ||
		!strings.Contains(stderr, "--private is missing: name a directory away from the output") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
	if _, stderr, code := program(t, nil); code != 64 || !strings.Contains(stderr, "Commands") {
		t.Errorf("nothing: exit code %d:\n%s", code, stderr)
	}
}

// A defect is told in one line without what was thrown, which may quote a note.
func TestDefects(t *testing.T) {
	for want, f := range map[string]func() int{
		"panic of type string, in github.com/palimpsest-deid/palimpsest/cmd/run.TestDefects": func() int { panic("Zebulon Quackenbush") },
		"runtime error: index out of range [3] with length 0, in ":                           func() int { return []int{}[len("abc")] },
		"runtime error: invalid memory address or nil pointer dereference, in ":              func() int { var p *thing; return p.n },
	} {
		var b bytes.Buffer
		if got := guarded(&b, f); got != 70 || !strings.Contains(b.String(), want) || !strings.Contains(b.String(), "(commands_test.go:") ||
			strings.Count(b.String(), "\n") != 1 || strings.Contains(b.String(), "Zebulon") {
			t.Errorf("status %d: %s, want 70 and %q", got, b.String(), want)
		}
	}
	if got := guarded(nil, func() int { return 3 }); got != 3 {
		t.Errorf("status %d, want 3", got)
	}
}

type thing struct{ n int }
