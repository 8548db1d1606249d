package evaluate

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// What cannot be scored is refused in words that say what to do, and that hold
// nothing of the notes.
func TestRefusals(t *testing.T) {
	gold := corpusOf(t, corpus.Brat, goldNotes)
	system := corpusOf(t, corpus.Brat, systemNotes)
	fewer := corpusOf(t, corpus.Brat, systemNotes[:2])
	more := corpusOf(t, corpus.Brat, append([]note{{"103-01", "More.", nil}}, systemNotes...))
	other := corpusOf(t, corpus.Brat, []note{{"101-01", strings.Replace(goldNotes[0].text, "May", "Mai", 1), nil}, systemNotes[1],
		systemNotes[2]})
	empty := t.TempDir()

	wrong := corpusOf(t, corpus.Brat, systemNotes)
	edit(t, filepath.Join(wrong, "101-02.ann"), func(s string) string { return strings.Replace(s, " 0 4\t", " 1 5\t", 1) })
	beyond := corpusOf(t, corpus.Brat, systemNotes)
	edit(t, filepath.Join(beyond, "102-01.ann"), func(s string) string { return "T1\tCITY 900 904\there\n" })

	job := t.TempDir()
	if err := os.WriteFile(filepath.Join(job, "manifest.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(job, "notes"), 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(filepath.Join(job, "notes"), filepath.Join(elsewhere, "link")); err != nil {
		t.Fatal(err)
	}
	mapping := filepath.Join(t.TempDir(), "mapping.yaml")
	if err := os.WriteFile(mapping, []byte("DOCTOR: CLOWN\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	both := []string{"--gold", gold, "--system", system}
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   []string
	}{
		{"nothing", nil, 64, []string{"--gold and --system", "--help"}},
		{"an unknown flag", []string{"--gold", gold, "--sytem", system}, 64, []string{"unknown flag --sytem; did you mean --system?"}},
		{"a stray word", append([]string{"--summary", "x"}, both...), 64, []string{`"x" belongs to no flag`}},
		{"a document less", []string{"--gold", gold, "--system", fewer}, 65, []string{`--gold has 1 document ("102-01") that --system has not`}},
		{"a document more", []string{"--gold", gold, "--system", more}, 65, []string{`--system has 1 document ("103-01") that --gold has not`}},
		{"other texts", []string{"--gold", gold, "--system", other}, 65, []string{`document "101-01"`, "from code point 39 on"}},
		{"offsets that miss the text quoted", []string{"--gold", gold, "--system", wrong}, 65, []string{"101-02.ann", "T1"}},
		{"offsets beyond the text", []string{"--gold", gold, "--system", beyond}, 65, []string{"102-01.ann"}},
		{"no such folder", []string{"--gold", gold, "--system", filepath.Join(empty, "no")}, 64, []string{"does the path exist"}},
		{"the job's output for its findings", []string{"--gold", gold, "--system", job}, 64, []string{"--private"}},
		{"an empty folder", []string{"--gold", empty, "--system", system}, 64, []string{"--gold_format"}},
		{"an unknown format", append([]string{"--gold_format", "xls"}, both...), 64, []string{`"xls"`, "brat"}},
		{"an unknown metric", append([]string{"--metric", "f2"}, both...), 64, []string{`"f2"`, "binary_token"}},
		{"an unknown form of HIPAA", append([]string{"--hipaa", "new"}, both...), 64, []string{"script or documented"}},
		{"an unknown scheme", append([]string{"--scheme", "icd"}, both...), 64, []string{`"icd"`, "meddocan"}},
		{"a bad mapping", append([]string{"--mapping", mapping}, both...), 64, []string{"line 1", `"CLOWN"`}},
		{"a document that nobody has", append([]string{"--documents", "101-01,999-01"}, both...), 64, []string{`"999-01"`}},
		{"a list that is not there", append([]string{"--documents", "no/such.txt"}, both...), 64, []string{"no/such.txt"}},
		{"a page in the job's output", append([]string{"--html", filepath.Join(job, "e.html")}, both...), 64,
			[]string{"manifest.json", "elsewhere"}},
		{"a page below the job's output", append([]string{"--html", filepath.Join(job, "notes", "e.html")}, both...), 64,
			[]string{"manifest.json"}},
		{"a page below it through a link", append([]string{"--html", filepath.Join(elsewhere, "link", "e.html")}, both...), 64,
			[]string{"manifest.json"}},
		{"a page nowhere", append([]string{"--html", filepath.Join(empty, "no", "e.html")}, both...), 64, []string{"folder must exist"}},
		{"a page in a bucket", append([]string{"--html", "gs://b/e.html"}, both...), 64, []string{"only local files"}},
		{"two outputs of one name", append([]string{"--csv", filepath.Join(empty, "a"), "--json", filepath.Join(empty, "a")}, both...), 64,
			[]string{"another output"}},
		{"findings without notes", []string{"--gold", gold, "--system", filepath.Join(corpusOf(t, corpus.Parquet, systemNotes), "gold.parquet"),
			"--notes", filepath.Join(empty, "none.parquet")}, 65, []string{"none.parquet"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := evaluate(t, append([]string{"--bootstrap", "0"}, c.args...)...)
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, w := range c.want {
				if !strings.Contains(stderr, w) {
					t.Errorf("says %q, want something with %q", stderr, w)
				}
			}
			if stdout != "" {
				t.Errorf("prints %q beside the error", stdout)
			}
			for _, n := range goldNotes {
				for _, m := range n.marks {
					if strings.Contains(stderr, m.surface) {
						t.Errorf("the error %q quotes the note", stderr)
					}
				}
			}
		})
	}
	for _, dir := range []string{job, filepath.Join(job, "notes"), empty} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".html") || strings.Contains(path, ".evaluate-") {
				t.Errorf("%s was written", path)
			}
			return nil
		})
	}
}

func edit(t testing.TB, file string, f func(string) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	after := f(string(data))
	if after == string(data) {
		t.Fatalf("%s: nothing to edit in %q", file, data)
	}
	if err := os.WriteFile(file, []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
}
