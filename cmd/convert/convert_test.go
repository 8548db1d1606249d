package convert

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

const fixtures = "../../schemas/corpus/testdata/i2b2"

func convertTo(t *testing.T, args ...string) (folder, stdout, stderr string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "out")
	var out, log bytes.Buffer
	if err := run(context.Background(), append(args, "--output", folder), &out, &log); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return folder, out.String(), log.String()
}

// TestThereAndBack sends the fixtures through every format, by the command.
func TestThereAndBack(t *testing.T) {
	for _, format := range []string{"i2b2", "i2b2-2006", "brat", "jsonl", "parquet"} {
		there, out, _ := convertTo(t, "--from", "i2b2", "--to", format, "--input", fixtures)
		if want := "4 documents with 25 annotations written to " + there + " as " + format + "\n"; out != want {
			t.Errorf("%s: got %q, want %q", format, out, want)
		}
		back, _, _ := convertTo(t, "--from", format, "--to", "i2b2", "--input", there)
		for _, name := range []string{"901-01.xml", "901-02.xml", "902-01.xml", "903-01.xml"} {
			want, err := os.ReadFile(filepath.Join(fixtures, name))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(back, name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s through %s is not the same (%v)", name, format, err)
			}
		}
	}
}

// TestLabels maps by scheme, by file, and by both.
func TestLabels(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"in/a.txt": "Anna, 3 de mayo, mujer", "in/a.ann": "T1\tNOMBRE_SUJETO_ASISTENCIA 0 4\tAnna\nT2\tFECHAS 6 15\t3 de " +
			"mayo\nT3\tSEXO_SUJETO_ASISTENCIA 17 22\tmujer\n",
		"map.yaml": "FECHAS: drop\n", "full.yaml": "FECHAS: WHEN\nNOMBRE_SUJETO_ASISTENCIA: WHO\nSEXO_SUJETO_ASISTENCIA: drop\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	base := []string{"--from", "brat", "--to", "brat", "--input", filepath.Join(dir, "in")}
	for _, test := range []struct {
		name, want, said string
		args             []string
	}{
		{"none", "T1\tNOMBRE_SUJETO_ASISTENCIA 0 4\tAnna\nT2\tFECHAS 6 15\t3 de mayo\nT3\tSEXO_SUJETO_ASISTENCIA 17 22\tmujer\n",
			"with 3 annotations", nil},
		{"scheme", "T1\tPATIENT 0 4\tAnna\nT2\tDATE 6 15\t3 de mayo\n", "1 annotations dropped", []string{"--scheme", "meddocan"}},
		{"other scheme", "T1\tPATIENT 0 4\tAnna\nT2\tDATE 6 15\t3 de mayo\n", "1 annotations dropped",
			[]string{"--scheme", "meddocan", "--to_scheme", "i2b2-2006"}},
		{"both", "T1\tPATIENT 0 4\tAnna\n", "2 annotations dropped",
			[]string{"--scheme", "meddocan", "--mapping", filepath.Join(dir, "map.yaml")}},
		{"file", "T1\tWHO 0 4\tAnna\nT2\tWHEN 6 15\t3 de mayo\n", "1 annotations dropped",
			[]string{"--mapping", filepath.Join(dir, "full.yaml")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder, out, _ := convertTo(t, append(base, test.args...)...)
			got, err := os.ReadFile(filepath.Join(folder, "a.ann"))
			if err != nil || string(got) != test.want || !strings.Contains(out, test.said) {
				t.Errorf("got %q and %q (%v), want %q and %q", got, out, err, test.want, test.said)
			}
		})
	}
	err := run(context.Background(), append(base, "--mapping", filepath.Join(dir, "map.yaml"), "--output", filepath.Join(dir, "x")),
		&bytes.Buffer{}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), `annotation "T1"`) || !strings.Contains(err.Error(), "NOMBRE_SUJETO_ASISTENCIA") {
		t.Errorf("an unknown label gives %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x", "a.txt")); err == nil {
		t.Error("a failed conversion leaves files")
	}
}

func TestRunRefuses(t *testing.T) {
	empty := t.TempDir()
	for _, test := range []struct {
		name, want string
		args       []string
	}{
		{"argument", `"x" belongs to no flag`, []string{"x"}},
		{"flag", "unknown flag --form; did you mean --from?", []string{"--form", "brat"}},
		{"no from", "--from is missing", nil},
		{"no output", "--output is missing", []string{"--from", "i2b2", "--to", "brat", "--input", fixtures}},
		{"from", `no format "x" to read`, []string{"--from", "x", "--to", "brat", "--input", fixtures, "--output", empty}},
		{"to", `no format "marked" to write`, []string{"--from", "i2b2", "--to", "marked", "--input", fixtures, "--output", empty}},
		{"full output", "not empty", []string{"--from", "i2b2", "--to", "brat", "--input", fixtures, "--output", fixtures}},
		{"missing input", "there is no .xml file", []string{"--from", "i2b2", "--to", "brat", "--input", "none", "--output", empty}},
		{"scheme", "no scheme is named", []string{"--from", "i2b2", "--to", "brat", "--input", fixtures, "--output", empty, "--scheme", "x"}},
		{"target scheme", "--to_scheme needs", []string{"--from", "i2b2", "--to", "brat", "--input", fixtures, "--output", empty, "--to_scheme",
			"i2b2"}},
		{"discontinuous", "error, hull, split", []string{"--from", "i2b2", "--to", "brat", "--input", fixtures, "--output", empty,
			"--discontinuous", "x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := run(context.Background(), test.args, &bytes.Buffer{}, &bytes.Buffer{}); err == nil ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	var out bytes.Buffer
	if err := run(context.Background(), []string{"--help", "all"}, &out, &bytes.Buffer{}); err != nil ||
		!strings.Contains(out.String(), "meddocan") {
		t.Errorf("help gives %v and %q", err, out.String())
	}
}

// Settings, data and what may be tried again have exit statuses of their own.
func TestStatus(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad")
	if err := os.MkdirAll(bad, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bad, "a.xml"), []byte("<x"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := []string{"--from", "i2b2", "--to", "brat", "--output", filepath.Join(dir, "out")}
	for _, c := range []struct {
		args []string
		want int
	}{
		{append(to, "--input", fixtures), 0},
		{append(to, "--input", fixtures), 64}, // the output is there now
		{append(to, "--input", bad, "--output", filepath.Join(dir, "other")), 65},
		{to, 64},
	} {
		var errs bytes.Buffer
		if got := Main(context.Background(), c.args, nil, &bytes.Buffer{}, &errs); got != c.want {
			t.Errorf("%v: status %d, want %d: %s", c.args, got, c.want, errs.String())
		}
	}
}

// The job's file of settings names the table and its columns.
func TestTheJobsSettings(t *testing.T) {
	table, _, _ := convertTo(t, "--from", "i2b2", "--to", "parquet", "--input", fixtures)
	config := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(config, []byte("input: "+table+"\ndocument_id_column: note_id\nkey: env:K\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := convertTo(t, "--config", config, "--from", "parquet", "--to", "brat"); !strings.HasPrefix(out,
		"4 documents with 25 annotations") {
		t.Errorf("got %q", out)
	}
}

// A corpus is the original notes: its files are for their owner's eyes alone, in a
// folder that was there and that everybody may enter, too.
func TestPrivateFiles(t *testing.T) {
	defer unix.Umask(unix.Umask(0)) // which must not open them
	for _, format := range corpus.WriteFormats() {
		for _, there := range []bool{false, true} {
			dir := filepath.Join(t.TempDir(), "out")
			want := os.FileMode(0o700)
			if there {
				if want = 0o755; os.Mkdir(dir, want) != nil {
					t.Fatal("no folder")
				}
			}
			args := []string{"--from", "i2b2", "--to", format, "--input", fixtures, "--output", dir}
			if err := run(context.Background(), args, &bytes.Buffer{}, &bytes.Buffer{}); err != nil {
				t.Fatal(err)
			}
			files := 0
			err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				want := want
				if !d.IsDir() {
					want, files = 0o600, files+1
				}
				info, err := d.Info()
				if err == nil && info.Mode().Perm() != want {
					t.Errorf("%s: %s has mode %v, want %v", format, d.Name(), info.Mode(), want)
				}
				return err
			})
			if err != nil || files == 0 {
				t.Errorf("%s: %d files, %v", format, files, err)
			}
		}
	}
}

// What the job releases is no place for a corpus, by whatever name.
func TestOutsideTheRelease(t *testing.T) {
	dir := t.TempDir()
	release, link, config := filepath.Join(dir, "release"), filepath.Join(dir, "link"), filepath.Join(dir, "job.yaml")
	if err := os.Mkdir(release, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(release, link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("output: "+release+"\nprivate: "+filepath.Join(dir, "held")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{release, filepath.Join(release, "gold"), filepath.Join(link, "notes", "gold")} {
		var errs bytes.Buffer
		args := []string{"--config", config, "--from", "i2b2", "--to", "brat", "--input", fixtures, "--output", output}
		status := Main(context.Background(), args, nil, &bytes.Buffer{}, &errs)
		if status != 64 || !strings.Contains(errs.String(), "job's release") {
			t.Errorf("%s: status %d: %s", output, status, errs.String())
		}
	}
	if entries, err := os.ReadDir(release); err != nil || len(entries) > 0 {
		t.Errorf("%v is left (%v)", entries, err)
	}
	if _, out, _ := convertTo(t, "--config", config, "--from", "i2b2", "--to", "brat", "--input", fixtures); !strings.HasPrefix(out,
		"4 documents") {
		t.Errorf("elsewhere it says %q", out)
	}
}

// TestWarnings prints each once and not without end.
func TestWarnings(t *testing.T) {
	var log bytes.Buffer
	r := newReporter(&log)
	for i := range 100 {
		r.warn("again")
		r.warn(strings.Repeat("x", i))
	}
	r.finish()
	if got := log.String(); strings.Count(got, "again") != 1 || strings.Count(got, "\n") != mostWarnings+1 ||
		!strings.Contains(got, "81 more warnings") {
		t.Errorf("got %q", got)
	}
}
