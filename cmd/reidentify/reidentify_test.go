package reidentify

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/pipeline"
)

const keyVariable = "PALIMPSEST_REIDENTIFY_TEST_KEY"

func TestMain(m *testing.M) {
	os.Setenv(keyVariable, "a key of the tests: fifty bytes or so, never to be seen")
	beam.Init() // a test runs the job
	os.Exit(m.Run())
}

type row struct {
	Note    int64  `parquet:"note_id"`
	Patient string `parquet:"patient_id"`
	Visit   int32  `parquet:"visit_id"`
	Text    string `parquet:"text"`
}

// released makes a release of three notes, and returns its settings as flags and its
// rows.
func released(t *testing.T, dir string) (flags []string, in, out []row) {
	t.Helper()
	in = []row{{4471, "MRN-0081", -7, "Seen today."}, {4472, "MRN-0081", 12, "Well."}, {9000000001, "MRN-0099", 12, "Home."}}
	input := filepath.Join(dir, "in.parquet")
	if err := parquet.WriteFile(input, in); err != nil {
		t.Fatal(err)
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Output, o.Private, o.Beside = []string{input}, filepath.Join(dir, "out"), filepath.Join(dir, "held"), true
	o.Key, o.Model, o.ExecutionProvider = "env:"+keyVariable, "../../onnx/models/en-clinical-fast", "cpu"
	o.IDColumns, o.RowOrder, o.LanguageCheck = []string{"visit_id"}, "keep", "warn"
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, _, err = pipeline.Prepare(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if err := pipeline.Run(t.Context(), cfg, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(o.Output, "notes", "*.parquet"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if out, err = parquet.ReadFile[row](files[0]); err != nil {
		t.Fatal(err)
	}
	return []string{"--input=" + input, "--output=" + o.Output, "--private=" + o.Private, "--key=" + o.Key, "--id_columns=visit_id"}, in, out
}

func ask(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

func entries(t *testing.T, path string) (all []entry) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		var e entry
		if err := json.Unmarshal([]byte(l), &e); err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// What a job has released under pseudonyms is told, of every column of ids, and each
// use is in the log, without an original id.
func TestReidentify(t *testing.T) {
	dir := t.TempDir()
	flags, in, out := released(t, dir)
	number := func(n int64) string { raw, _ := json.Marshal(n); return string(raw) }
	log := filepath.Join(dir, "held", "reidentify.log")
	status, stdout, stderr := ask("", append(flags, "--reason=consent form 12", out[0].Patient, number(out[2].Note))...)
	want := number(out[2].Note) + "\tnote_id\t9000000001\n" + out[0].Patient + "\tpatient_id\tMRN-0081\n"
	if status != 0 || stdout != want || stderr != "" {
		t.Fatalf("status %d: %s%s, want\n%s", status, stdout, stderr, want)
	}
	stdin := number(int64(out[0].Visit)) + "\n" + out[0].Patient + "\n\n" + out[0].Patient + "\n"
	if status, stdout, stderr = ask(stdin, append(flags, "--reason=again", "-")...); status != 0 ||
		stdout != number(int64(out[0].Visit))+"\tvisit_id\t-7\n"+out[0].Patient+"\tpatient_id\tMRN-0081\n" {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	unknown := strings.Repeat("a", 26)
	if status, stdout, stderr = ask("", append(flags, "--reason=again", unknown, out[2].Patient)...); status != 65 ||
		!strings.Contains(stdout, "MRN-0099") || !strings.Contains(stderr, "1 of 2 pseudonyms are of no id") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	all := entries(t, log)
	if len(all) != 6 || all[0].Event != "asked" || all[0].Reason != "consent form 12" || all[0].User == "" || all[0].Time == "" ||
		len(all[0].Pseudonyms) != 2 || all[1].Event != "answered" || *all[1].Answered != 2 || *all[5].Answered != 1 {
		t.Errorf("the log is %+v", all)
	}
	raw, _ := os.ReadFile(log)
	for _, r := range in {
		if bytes.Contains(raw, []byte(r.Patient)) || bytes.Contains(raw, []byte(number(r.Note))) {
			t.Error("an original id is in the log")
		}
	}
	if info, _ := os.Stat(log); info.Mode().Perm() != 0o600 {
		t.Errorf("the log has mode %o", info.Mode().Perm())
	}
	// Another table of the same ids will do.
	patients := filepath.Join(dir, "patients.parquet")
	if err := parquet.WriteFile(patients, []struct {
		ID   string `parquet:"patient_id"`
		Name string `parquet:"name"`
	}{{"MRN-0099", "x"}}); err != nil {
		t.Fatal(err)
	}
	if status, stdout, stderr = ask("", append(flags, "--reason=again", "--input="+patients, out[2].Patient)...); status != 0 ||
		stdout != out[2].Patient+"\tpatient_id\tMRN-0099\n" {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

// Nothing is told that cannot be logged, nor with another key than the release's; what
// is no pseudonym is not repeated.
func TestWhatIsRefused(t *testing.T) {
	dir := t.TempDir()
	flags, _, out := released(t, dir)
	who := out[0].Patient
	open := filepath.Join(dir, "open.log")
	if err := os.WriteFile(open, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.log")
	if err := os.Symlink("/dev/null", link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PALIMPSEST_REIDENTIFY_OTHER_KEY", "another key of the tests: fifty bytes or so, never to be seen")
	reason := "--reason=x"
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no reason", []string{who}, "--reason is missing"},
		{"a blank reason", []string{"--reason= ", who}, "--reason is missing"},
		{"nobody", []string{reason}, "name pseudonyms"},
		{"an original id", []string{reason, who, "MRN-0081"}, "the 2nd of the ids that were given is no pseudonym"},
		{"a log that others read", []string{reason, "--log_file=" + open, who}, "chmod 600"},
		{"a link", []string{reason, "--log_file=" + link, who}, "symbolic link"},
		{"a device", []string{reason, "--log_file=/dev/null", who}, "no ordinary file"},
		{"a log that cannot be written", []string{reason, "--log_file=/proc/x/y.log", who}, "--log_file"},
		{"a log in the release", []string{reason, "--log_file=" + filepath.Join(dir, "out", "x.log"), who}, "would be released"},
		{"a log elsewhere", []string{reason, "--log_file=gs://b/x.log", who}, "on this machine"},
		{"another key", []string{reason, "--key=env:PALIMPSEST_REIDENTIFY_OTHER_KEY", who}, "was made with the key of id"},
		{"another epoch", []string{reason, "--seed_epoch=1", who}, "--seed_epoch=0"},
		{"ids that were kept", []string{reason, "--ids=keep", who}, "as they are"},
	} {
		status, stdout, stderr := ask("", append(append([]string{}, flags...), c.args...)...)
		if status != 64 || stdout != "" || !strings.Contains(stderr, c.says) || strings.Contains(stderr, "MRN-0081") {
			t.Errorf("%s: status %d: %s%s", c.name, status, stdout, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "held", "reidentify.log")); err == nil {
		t.Error("what was refused is in the log as if it had been asked")
	}
	if err := os.Remove(filepath.Join(dir, "in.parquet")); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := ask("", append(flags, reason, who)...); status != 65 || !strings.Contains(stderr, "no file matches") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if all := entries(t, filepath.Join(dir, "held", "reidentify.log")); len(all) != 1 || all[0].Event != "asked" {
		t.Errorf("of what failed the log has %+v", all)
	}
}
