package cli

import (
	"bytes"
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
)

type flags struct {
	text  string
	n     int
	all   bool
	share float64
	wait  time.Duration
}

func newFlags() (*flag.FlagSet, *flags) {
	var f flags
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&f.text, "text_column", "text", "the text")
	fs.IntVar(&f.n, "notes", 0, "how many")
	fs.BoolVar(&f.all, "all_lines", false, "all")
	fs.Float64Var(&f.share, "share", 0, "of all")
	fs.DurationVar(&f.wait, "wait", 0, "how long")
	return fs, &f
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args string
		want flags
		rest string
	}{
		{"--text_column=a --notes 3 --all_lines", flags{text: "a", n: 3, all: true}, ""},
		{"--text-column a -notes=-3 --all-lines=false", flags{text: "a", n: -3}, ""},
		{"x --notes 3 y", flags{text: "text", n: 3}, "x y"},
		{"--share 0.5 -- --notes 3", flags{text: "text", share: 0.5}, "--notes 3"},
		{"--text_column - --wait 5m", flags{text: "-", wait: 5 * time.Minute}, ""},
		{"--text_column= --notes=1 --notes=2", flags{n: 2}, ""},
		{"--text_column --x", flags{text: "--x"}, ""},
	} {
		fs, got := newFlags()
		rest, asked, err := Parse(fs, strings.Fields(c.args))
		if err != nil || asked != NoHelp || *got != c.want || strings.Join(rest, " ") != c.rest || !fs.Parsed() {
			t.Errorf("%s: %+v and %q (%v), want %+v and %q", c.args, *got, rest, err, c.want, c.rest)
		}
	}
}

// A mistake is one line, the first one counts, and no value is repeated.
func TestMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"--text_col secret":              "unknown flag --text_col; did you mean --text_column?",
		"--text-colum=secret --nothing":  "unknown flag --text-colum; did you mean --text_column?",
		"--zzzzzzzzzzzz":                 "unknown flag --zzzzzzzzzzzz; --help all lists what there is",
		"--notes secret":                 "--notes: write a whole number",
		"--share=secret":                 "--share: write a number",
		"--wait=secret":                  "--wait: write a duration such as 30s or 5m",
		"--all_lines=secret":             "--all_lines: write true or false",
		"--all_lines false":              "give false with an equals sign: --all_lines=false",
		"--text_column":                  "--text_column needs a value: --text_column=VALUE",
		"--text_column --notes=3":        "--text_column needs a value: --text_column=VALUE",
		"--notes=99999999999999999999 x": "--notes: write a whole number",
	} {
		fs, _ := newFlags()
		_, _, err := Parse(fs, strings.Fields(args))
		if err == nil || err.Error() != want || fault.Of(err) != fault.Settings || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestAskedForHelp(t *testing.T) {
	for args, want := range map[string]Asked{
		"--help": ShortHelp, "-h": ShortHelp, "--help all": LongHelp, "--help=all": LongHelp,
		"--nothing --help": ShortHelp, "--notes 3 --help all x": LongHelp, "": NoHelp,
	} {
		fs, _ := newFlags()
		if _, asked, err := Parse(fs, strings.Fields(args)); asked != want || err != nil {
			t.Errorf("%s: %v (%v), want %v", args, asked, err, want)
		}
	}
}

func TestHelp(t *testing.T) {
	fs, _ := newFlags()
	h := Help{Command: "palimpsest test", About: "\ntest tests.\n",
		Brief: []Setting{{"--notes N", "how many"}, {"--a_very_long_name_of_a_flag", "what"}}, More: "More."}
	var short, long bytes.Buffer
	h.Write(&short, fs, ShortHelp)
	h.Write(&long, fs, LongHelp)
	if want := "test tests.\n\n  --notes N               how many\n  --a_very_long_name_of_a_flag\n                          what\n\n" +
		"palimpsest test --help all explains every setting.\n" + fault.Help; short.String() != want {
		t.Errorf("the short help is\n%s, want\n%s", short.String(), want)
	}
	if got := long.String(); !strings.Contains(got, "\nSettings\n  --all_lines\n      all\n") ||
		!strings.Contains(got, "  --text_column (default text)\n      the text\n") ||
		!strings.Contains(got, "\nMore.\n") || !strings.HasSuffix(got, fault.Help) {
		t.Errorf("the long help is\n%s", got)
	}
}

func TestExit(t *testing.T) {
	var b bytes.Buffer
	if got := Exit(&b, "palimpsest test", NoArguments([]string{"x"})); got != 64 ||
		b.String() != "palimpsest test: \"x\" belongs to no flag; quote globs, so that the shell leaves them alone\n" {
		t.Errorf("status %d: %s", got, b.String())
	}
	b.Reset()
	if got := Exit(&b, "palimpsest test", nil); got != 0 || b.Len() > 0 {
		t.Errorf("status %d: %s", got, b.String())
	}
}
