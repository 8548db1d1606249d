package evaluate

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/cmd/evaluate/report"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// fixture is the fabricated corpus that the official i2b2 2014 script was run on.
const fixture = "../../model/score/testdata/i2b2"

// evaluate runs the command.
func evaluate(t testing.TB, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

// scores runs the command, which must succeed, and returns its JSON.
func scores(t testing.TB, args ...string) *report.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scores.json")
	status, _, stderr := evaluate(t, append(args, "--bootstrap", "0", "--json", file)...)
	if status != 0 {
		t.Fatalf("evaluate %s: status %d: %s", strings.Join(args, " "), status, stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report.Result
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// note is a small document of the tests, with characters of two and four bytes
// before its annotations, so that bytes taken for code points would show.
type note struct {
	id, text string
	marks    []mark
}

type mark struct{ surface, label string }

var goldNotes = []note{
	{"101-01", "Año 𝛑: Dr. Ada Moth saw Bo Lund on 3 May 2014.\n",
		[]mark{{"Ada Moth", "DOCTOR"}, {"Bo Lund", "PATIENT"}, {"3 May 2014", "DATE"}}},
	{"101-02", "Ring Zoë at 555-0143, please.\n", []mark{{"Zoë", "PATIENT"}, {"555-0143", "PHONE"}}},
	{"102-01", "Nothing to see here.\n", nil},
}

// systemNotes have, against goldNotes, three strict hits, two misses and three
// false alarms.
var systemNotes = []note{
	{"101-01", goldNotes[0].text, []mark{{"Ada Moth", "PATIENT"}, {"Bo Lund", "PATIENT"}, {"3 May 2014", "DATE"}}},
	{"101-02", goldNotes[1].text, []mark{{"Ring", "PATIENT"}, {"555-0143", "PHONE"}}},
	{"102-01", goldNotes[2].text, []mark{{"here", "CITY"}}},
}

// corpusOf writes notes in a format and returns the folder.
func corpusOf(t testing.TB, format string, notes []note) string {
	t.Helper()
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), format)
	w, err := corpus.NewWriter(ctx, format, dir, corpus.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Abort() }()
	for _, n := range notes {
		d := corpus.Document{ID: n.id, Text: n.text, Patient: strings.Split(n.id, "-")[0]}
		for _, m := range n.marks {
			i := strings.Index(n.text, m.surface)
			if i < 0 {
				t.Fatalf("%q is not in %q", m.surface, n.text)
			}
			d.Annotations = append(d.Annotations, corpus.Annotation{Start: i, End: i + len(m.surface), Label: m.label})
		}
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every pair of formats gives the same numbers.
func TestFormatsAgree(t *testing.T) {
	formats := []string{corpus.I2B2, corpus.I2B22006, corpus.Brat, corpus.Parquet}
	path := func(t *testing.T, format string, notes []note) string {
		dir := corpusOf(t, format, notes)
		if format == corpus.I2B22006 {
			return filepath.Join(dir, "records.xml")
		}
		return dir
	}
	for _, g := range formats {
		for _, s := range formats {
			t.Run(g+" and "+s, func(t *testing.T) {
				r := scores(t, "--gold", path(t, g, goldNotes), "--system", path(t, s, systemNotes))
				if r.Inputs.GoldFormat != g || r.Inputs.SystemFormat != s {
					t.Errorf("formats were taken for %s and %s", r.Inputs.GoldFormat, r.Inputs.SystemFormat)
				}
				if m := r.Score.Metrics[1]; m.Measure != "strict" || m.TP != 3 || m.FP != 3 || m.FN != 2 {
					t.Errorf("%s: TP %d, FP %d, FN %d; want strict with 3, 3 and 2", m.Measure, m.TP, m.FP, m.FN)
				}
				if d := r.Score.DocumentRecall; d.WithPHI != 2 || d.Covered != 1 {
					t.Errorf("%d of %d documents without a miss, want 1 of 2", d.Covered, d.WithPHI)
				}
				// By category and HIPAA, so that categories are known in all formats.
				if len(r.Score.ByCategory) == 0 {
					t.Error("no scores by category")
				}
			})
		}
	}
}

// Documents may come in another order on the two sides.
func TestOrderDoesNotMatter(t *testing.T) {
	turned := []note{systemNotes[2], systemNotes[0], systemNotes[1]}
	r := scores(t, "--gold", corpusOf(t, corpus.Brat, goldNotes), "--system", corpusOf(t, corpus.Parquet, turned))
	if m := r.Score.Metrics[1]; r.Score.Documents != 3 || m.TP != 3 || m.FP != 3 || m.FN != 2 {
		t.Errorf("%d documents, TP %d, FP %d, FN %d; want 3 documents with 3, 3 and 2", r.Score.Documents, m.TP, m.FP, m.FN)
	}
}

// What the official script printed on its corpus, we print, to the byte.
func TestOfficialReport(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(fixture, "expected_port_output.txt"))
	if err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := evaluate(t, "--gold", filepath.Join(fixture, "gold"), "--system", filepath.Join(fixture, "system"),
		"--documents", "901-01,901-02,902-01", "--official", "--bootstrap", "0")
	if status != 0 {
		t.Fatal(stderr)
	}
	if !strings.HasPrefix(stdout, string(want)) {
		t.Errorf("printed\n%s\nwant it to begin with\n%s", stdout, want)
	}
	if !strings.Contains(stdout, "SubTrack 2 [merged]") {
		t.Error("the MEDDOCAN reports are missing")
	}
}

// The table of the same corpus, which people compare with the official one.
func TestTable(t *testing.T) {
	status, stdout, stderr := evaluate(t, "--gold", filepath.Join(fixture, "gold"), "--system", filepath.Join(fixture, "system"),
		"--documents", "901-01,901-02,902-01", "--bootstrap", "100")
	if status != 0 {
		t.Fatal(stderr)
	}
	// Micro precision, recall and F1, and the counts: those of the official output.
	for _, row := range []string{
		"token 0.7174 0.7333 0.7253 33 13 12",
		"strict 0.4545 0.4348 0.4444 10 12 13",
		"relaxed 0.6667 0.6087 0.6364 14 7 9",
		"HIPAA token 0.7857 0.7333 0.7586 22 6 8",
		"HIPAA strict 0.3846 0.3571 0.3704 5 8 9",
		"HIPAA relaxed 0.7500 0.6429 0.6923 9 3 5",
		"binary token 0.8696 0.8889 0.8791 40 6 5",
		"binary strict 0.5455 0.5217 0.5333 12 10 11",
		"binary HIPAA token 0.7857 0.7333 0.7586 22 6 8",
		"binary HIPAA strict 0.3846 0.3571 0.3704 5 8 9",
	} {
		if !hasRow(stdout, row) {
			t.Errorf("the table has no line %q, intervals aside:\n%s", row, stdout)
		}
	}
	for i, line := range strings.Split(stdout, "\n") {
		if n := len([]rune(line)); n > 100 {
			t.Errorf("line %d has %d columns, more than 100", i+1, n)
		}
	}
}

// hasRow tells whether a table has a line of these cells, leaving out cells of
// the form 0.123-0.456.
func hasRow(table, row string) bool {
	for _, line := range strings.Split(table, "\n") {
		var cells []string
		for _, c := range strings.Fields(line) {
			if !strings.Contains(strings.TrimLeft(c, "-"), "-0.") && !strings.Contains(c, "-1.") {
				cells = append(cells, c)
			}
		}
		if strings.Join(cells, " ") == row {
			return true
		}
	}
	return false
}

func TestWhichDocuments(t *testing.T) {
	gold, system := corpusOf(t, corpus.Parquet, goldNotes), corpusOf(t, corpus.Brat, systemNotes)
	dir := t.TempDir()
	list, split := filepath.Join(dir, "ids.txt"), filepath.Join(dir, "split.json")
	for file, text := range map[string]string{list: "101-02\n\n102-01\n", split: `{"train": ["102"], "test": ["101"]}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		args []string
		want int
	}{
		{"all", nil, 3},
		{"ids", []string{"--documents", "101-02"}, 1},
		{"a patient", []string{"--documents", "101"}, 2},
		{"a file of ids", []string{"--documents", list}, 2},
		{"a list in JSON", []string{"--documents", split, "--split", "test"}, 2},
	} {
		// Only the table knows patients; the brat side must be restricted all the same.
		if c.want == 2 && c.name != "a file of ids" {
			if r := scores(t, append([]string{"--gold", gold, "--system", corpusOf(t, corpus.Parquet, systemNotes)},
				c.args...)...); r.Score.Documents != c.want {
				t.Errorf("%s: %d documents, want %d", c.name, r.Score.Documents, c.want)
			}
		}
		if r := scores(t, append([]string{"--gold", gold, "--system", system}, c.args...)...); r.Score.Documents != c.want {
			t.Errorf("%s: %d documents, want %d", c.name, r.Score.Documents, c.want)
		}
	}
}

// Where notes and patients are numbered alike, as in OMOP, a list of documents takes
// no notes of patients that have those numbers.
func TestIdsOfDocumentsAndPatients(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gold")
	w, err := corpus.NewWriter(t.Context(), corpus.Parquet, dir, corpus.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []struct{ id, patient, split string }{
		{"1", "5", "test"}, {"2", "9", "train"}, {"3", "5", "train"}, {"5", "1", "train"}, {"6", "7", "train"},
		{"9", "2", "test"}, {"8", "8", "train"},
	} {
		if err := w.Write(corpus.Document{ID: d.id, Patient: d.patient, Split: d.split, Text: "Seen by Bo.",
			Annotations: []corpus.Annotation{{Start: 8, End: 10, Label: "DOCTOR"}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	list, lists := filepath.Join(t.TempDir(), "documents.txt"), filepath.Join(t.TempDir(), "split.json")
	for file, text := range map[string]string{list: "1\n5\n", lists: `{"test": ["1", "5"]}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	both := []string{"--gold", dir, "--system", dir}
	for _, c := range []struct {
		name string
		args []string
		want int
	}{
		{"the split", []string{"--split", "test"}, 2},
		{"documents, by a file", []string{"--documents", list}, 2},
		{"documents, by a list in JSON", []string{"--documents", lists, "--split", "test"}, 2},
		{"documents, named", []string{"--documents", "1,5"}, 2},
		{"the same as patients", []string{"--documents", list, "--ids_are", "patients"}, 3},
		{"a patient", []string{"--documents", "7"}, 1},
		{"a patient and a document of another one's number", []string{"--documents", "5,7", "--ids_are", "patients"}, 3},
		{"a patient, and a document of a patient of its number", []string{"--documents", "7,8"}, 2},
	} {
		if r := scores(t, append(both, c.args...)...); r.Score.Documents != c.want {
			t.Errorf("%s: %d documents, want %d", c.name, r.Score.Documents, c.want)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--documents", "5,7"}, `documents and patients of 1 id ("5"); say which are meant with --ids_are=documents or`},
		{[]string{"--documents", "5,7", "--ids_are", "documents"}, `neither side has a document for 1 id ("7"), and --ids_are=documents`},
		{[]string{"--documents", "3,5", "--ids_are", "patients"}, `neither side has a patient for 1 id ("3"), and --ids_are=patients`},
		{[]string{"--documents", "5", "--ids_are", "notes"}, "--ids_are=notes: give documents or patients"},
		{[]string{"--split", "test", "--ids_are", "patients"}, "--ids_are is given without --documents"},
	} {
		if status, _, stderr := evaluate(t, append(both, c.args...)...); status != 64 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, %s, want 64 and %q", c.args, status, stderr, c.want)
		}
	}
}

// A form's lines can be left out on both sides, so that free text is scored alone.
func TestWithoutLines(t *testing.T) {
	gold, system := corpusOf(t, corpus.Brat, goldNotes), corpusOf(t, corpus.Brat, systemNotes)
	r := scores(t, "--gold", gold, "--system", system, "--without_lines", "^Ring|^Nothing")
	if m := r.Score.MEDDOCAN.NER.Counts; m.TP != 2 || m.FP != 1 || m.FN != 1 {
		t.Errorf("TP %d FP %d FN %d without the lines of two notes, want 2, 1, 1", m.TP, m.FP, m.FN)
	}
	if status, _, stderr := evaluate(t, "--gold", gold, "--system", system, "--without_lines", "("); status != 64 ||
		!strings.Contains(stderr, "--without_lines") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

func TestSchemesAndMappings(t *testing.T) {
	spanish := []note{{"1-1", "Doctora Ana Gil, 3 de mayo.", []mark{{"Ana Gil", "NOMBRE_PERSONAL_SANITARIO"}, {"3 de mayo", "FECHAS"}}}}
	ours := []note{{"1-1", spanish[0].text, []mark{{"Ana Gil", "DOCTOR"}, {"3 de mayo", "DATE"}}}}
	gold, system := corpusOf(t, corpus.Brat, spanish), corpusOf(t, corpus.Brat, ours)
	strict := func(args ...string) int {
		return scores(t, append([]string{"--gold", gold, "--system", system}, args...)...).Score.Metrics[1].TP
	}
	if n := strict("--scheme", "i2b2", "--gold_scheme", "meddocan"); n != 2 {
		t.Errorf("both in i2b2 types: %d hits, want 2", n)
	}
	if n := strict("--scheme", "meddocan", "--gold_scheme", "meddocan"); n != 2 {
		t.Errorf("both in MEDDOCAN's types: %d hits, want 2", n)
	}
	mapping := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(mapping, []byte("NOMBRE_PERSONAL_SANITARIO: DOCTOR\nFECHAS: drop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := scores(t, "--gold", gold, "--system", system, "--mapping", mapping)
	if m := r.Score.Metrics[1]; m.TP != 1 || m.FP != 1 || m.FN != 0 {
		t.Errorf("with a mapping of our own: TP %d, FP %d, FN %d; want 1, 1, 0", m.TP, m.FP, m.FN)
	}
}

func TestCompare(t *testing.T) {
	gold, system := corpusOf(t, corpus.I2B2, goldNotes), corpusOf(t, corpus.Brat, systemNotes)
	r := scores(t, "--gold", gold, "--system", system, "--compare", gold, "--shuffles", "99", "--seed", "7")
	c := r.Comparison
	if c == nil || c.Shuffles != 99 || c.Seed != 7 {
		t.Fatalf("comparison is %+v", c)
	}
	for _, m := range c.Measures {
		if m.Measure == "strict" && m.Subset == "all" && (m.B.F1 != 1 || m.Difference.F1 >= 0 || m.P.F1 <= 0 || m.P.F1 > 1) {
			t.Errorf("against the gold itself: %+v", m)
		}
	}
	status, stdout, stderr := evaluate(t, "--gold", gold, "--system", system, "--compare", gold, "--shuffles", "99")
	if status != 0 || !strings.Contains(stdout, "Against the other system") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
}

// The files are for their owner alone, and the same run gives the same bytes.
func TestFiles(t *testing.T) {
	gold, system := corpusOf(t, corpus.Brat, goldNotes), corpusOf(t, corpus.Brat, systemNotes)
	var first map[string][]byte
	for range 2 {
		dir := t.TempDir()
		args := []string{"--gold", gold, "--system", system, "--bootstrap", "50", "--sentences", "10"}
		for _, kind := range []string{"json", "csv", "html"} {
			args = append(args, "--"+kind, filepath.Join(dir, "out."+kind))
		}
		if status, _, stderr := evaluate(t, args...); status != 0 {
			t.Fatal(stderr)
		}
		files := map[string][]byte{}
		for _, kind := range []string{"json", "csv", "html"} {
			path := filepath.Join(dir, "out."+kind)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s is of mode %v, want 0600", kind, info.Mode())
			}
			if files[kind], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
			if first != nil && !bytes.Equal(first[kind], files[kind]) {
				t.Errorf("a second run gives another %s", kind)
			}
		}
		first = files
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
			t.Errorf("%d files are left, want 3", len(entries))
		}
	}
	for _, kind := range []string{"json", "csv"} {
		for _, secret := range []string{"Lund", "Zoë", "Ring", "101-01"} {
			if bytes.Contains(first[kind], []byte(secret)) {
				t.Errorf("%s holds %q", kind, secret)
			}
		}
	}
	if !bytes.Contains(first["html"], []byte("Lund")) {
		t.Error("the page does not quote the notes: is the test above of any worth?")
	}
	rows, err := csv.NewReader(bytes.NewReader(first["csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	found := false
	for _, r := range rows {
		key := strings.Join(r[:4], "|")
		if seen[key] {
			t.Errorf("the CSV has two lines of %s", key)
		}
		seen[key] = true
		if key == "strict|all||recall" {
			found = r[4] == "0.6" && r[5] != "" && r[6] != ""
		}
	}
	if !found {
		t.Error("the CSV has no strict recall of 0.6 with an interval")
	}
	if !seen["meddocan leak|all||rate"] {
		t.Error("the CSV has no leak score")
	}
}

// Notes in the job's quarantine are not taken for notes in which nothing was
// found.
func TestQuarantine(t *testing.T) {
	gold := corpusOf(t, corpus.Parquet, goldNotes)
	private := t.TempDir()
	for to, from := range map[string]string{
		"findings/a.parquet":   filepath.Join(corpusOf(t, corpus.Parquet, systemNotes[:1]), "gold.parquet"),
		"quarantine/a.parquet": filepath.Join(corpusOf(t, corpus.Parquet, goldNotes[1:2]), "notes.parquet"),
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(private, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, system := range []string{private, filepath.Join(private, "findings"), filepath.Join(private, "findings", "a.parquet")} {
		status, _, stderr := evaluate(t, "--gold", gold, "--system", system)
		if status != 65 || !strings.Contains(stderr, `1 note ("101-02") into quarantine`) || !strings.Contains(stderr, "--without_quarantined") {
			t.Errorf("%s: status %d, %q", system, status, stderr)
		}
		r := scores(t, "--gold", gold, "--system", system, "--without_quarantined")
		if m := r.Score.Metrics[1]; r.Score.Documents != 2 || m.TP != 2 || m.FN != 1 || !strings.Contains(r.Inputs.Documents, "quarantine") {
			t.Errorf("%s: %d documents, TP %d, FN %d; want 2, 2, 1; inputs %+v", system, r.Score.Documents, m.TP, m.FN, r.Inputs)
		}
		// Nobody minds the quarantine of documents that are not scored.
		if r := scores(t, "--gold", gold, "--system", system, "--documents", "101-01"); r.Score.Documents != 1 {
			t.Errorf("%d documents, want 1", r.Score.Documents)
		}
	}
}

func TestHelpTeaches(t *testing.T) {
	status, stdout, _ := evaluate(t, "--help", "all")
	if status != 0 {
		t.Errorf("status %d", status)
	}
	var o options
	for _, g := range o.register(flag.NewFlagSet("evaluate", flag.ContinueOnError)) {
		for _, name := range g.Flags {
			if !strings.Contains(stdout, "\n  --"+name) {
				t.Errorf("--help says nothing of --%s", name)
			}
		}
	}
	for _, want := range []string{"--official", "--compare", "meddocan", "palimpsest evaluate --config job.yaml"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("--help says nothing of %s", want)
		}
	}
	for i, line := range strings.Split(stdout, "\n") {
		if len([]rune(line)) > 100 {
			t.Errorf("line %d of --help is longer than 100 columns", i+1)
		}
	}
}

// The job's file of settings names findings, notes and columns.
func TestTheJobsSettings(t *testing.T) {
	gold, system := corpusOf(t, corpus.Parquet, goldNotes), corpusOf(t, corpus.Parquet, systemNotes)
	private := filepath.Join(t.TempDir(), "private")
	if err := os.CopyFS(filepath.Join(private, "findings"), os.DirFS(system)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(private, "findings", "notes.parquet")); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "job.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings := "input: " + filepath.Join(gold, "notes.parquet") + "\nprivate: " + private + "\nkey: env:K\ndate_columns: [when]\n"
	write(settings)
	r := scores(t, "--config", config, "--gold", filepath.Join(gold, "gold.parquet"))
	if m := r.Score.Metrics[1]; m.TP != 3 || m.FP != 3 || m.FN != 2 {
		t.Errorf("TP %d, FP %d, FN %d; want 3, 3 and 2", m.TP, m.FP, m.FN)
	}
	for text, want := range map[string]string{
		settings + "sytem: x\n":             `there is no setting "sytem"`,
		settings + "text_column: [a, b]\n":  "choose one of them with --text_column",
		"private: p\ninput: [a, b]\n":       "name the table of notes with --notes",
		settings + "recall_bias: very much": "recall_bias: write a number",
	} {
		write(text)
		if status, _, stderr := evaluate(t, "--config", config, "--gold", gold); status != 64 || !strings.Contains(stderr, want) {
			t.Errorf("status %d: %s, want 64 and %q", status, stderr, want)
		}
	}
}

// The examples' own gold, scored against itself.
func TestExamples(t *testing.T) {
	r := scores(t, "--gold", "../../examples/gold.parquet", "--system", "../../examples/gold.parquet",
		"--documents", "../../examples/split.json", "--split", "test")
	for _, m := range r.Score.Metrics {
		if m.Micro.F1 != 1 {
			t.Errorf("gold against itself: %s %s has F1 %v", m.Measure, m.Subset, m.Micro.F1)
		}
	}
	if got := fmt.Sprint(r.Score.Documents, r.Score.Gold); got != "36 705" {
		t.Errorf("the test part has %s documents and spans, want 36 and 705", got)
	}
}
