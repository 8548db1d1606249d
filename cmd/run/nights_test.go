package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// nightNote is a note of the examples, with columns of several roles.
type nightNote struct {
	ID      int64   `parquet:"note_id,optional"`
	Patient string  `parquet:"patient_id,optional"`
	Visit   int64   `parquet:"encounter_id,optional"`
	Date    int32   `parquet:"note_date,optional,date"`
	Type    string  `parquet:"note_type,optional"`
	Risk    float64 `parquet:"risk_score,optional"`
	Text    string  `parquet:"text,optional"`
}

// nights runs nights one after the other, and applies them to a table.
type nights struct {
	t       *testing.T
	dir     string
	done    []string
	release map[int64]nightNote
}

func (n *nights) write(name string, rows any) string {
	n.t.Helper()
	path := filepath.Join(n.dir, name+".parquet")
	var err error
	switch rows := rows.(type) {
	case []nightNote:
		err = parquet.WriteFile(path, rows)
	case []gone:
		err = parquet.WriteFile(path, rows)
	}
	if err != nil {
		n.t.Fatal(err)
	}
	return path
}

// gone is a row of a table of what was withdrawn.
type gone struct {
	Document string `parquet:"document_id,optional"`
	Patient  string `parquet:"patient_id,optional"`
}

func (n *nights) args(input, output string, more ...string) []string {
	return append([]string{"--input=" + input, "--output=" + filepath.Join(n.dir, output), "--private=" +
		filepath.Join(n.dir, output+"-private"),
		"--private_beside_output", "--key=env:PALIMPSEST_TEST_KEY", "--model=../../onnx/models/en-clinical-fast", "--date_columns=note_date",
		"--id_columns=encounter_id", "--keep_columns=note_type,risk_score", "--execution_provider=cpu", "--shard_mb=1"}, more...)
}

func (n *nights) state(name string, more ...string) []string {
	return append([]string{"--state=" + filepath.Join(n.dir, "state"), "--state_key=env:PALIMPSEST_STATE_KEY", "--night=" + name}, more...)
}

// keys are what the program finds in its environment.
var nightKeys = []string{"PALIMPSEST_TEST_KEY=" + testKey, "PALIMPSEST_STATE_KEY=the key of the tests' states, of fifty bytes, too"}

// run runs a night and returns its report.
func (n *nights) run(name string, rows []nightNote, more ...string) transforms.Report {
	n.t.Helper()
	input := n.write(name, rows)
	more = append(n.state(name, "--accept_dated_batches"), more...)
	_, said, code := program(n.t, nightKeys, n.args(input, "out", more...)...)
	if code != 0 {
		n.t.Fatalf("%s: exit status %d:\n%s", name, code, said)
	}
	n.done = append(n.done, name)
	return n.apply(name)
}

// apply applies a night to the table, and checks that it says what it does.
func (n *nights) apply(name string) (r transforms.Report) {
	n.t.Helper()
	folder := filepath.Join(n.dir, "out", name)
	raw, err := os.ReadFile(filepath.Join(folder, transforms.ReportFile))
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	if err != nil {
		n.t.Fatal(err)
	}
	tonight := map[int64]nightNote{}
	for _, row := range notesBelow(n.t, folder) {
		tonight[row.ID] = row
	}
	changes, err := parquet.ReadFile[struct {
		ID       int64  `parquet:"document_id"`
		Change   string `parquet:"change"`
		Revision int64  `parquet:"revision"`
	}](filepath.Join(folder, transforms.ChangesFile))
	if err != nil {
		n.t.Fatal(err)
	}
	for _, c := range changes {
		_, there := n.release[c.ID]
		row, written := tonight[c.ID]
		if there == (c.Change == "added") || written == (c.Change == "removed") || c.Revision < 1 {
			n.t.Errorf("%s: a note is %s; in the release before: %v, among tonight's: %v", name, c.Change, there, written)
		}
		if c.Change == "removed" {
			delete(n.release, c.ID)
		} else {
			n.release[c.ID] = row
		}
		delete(tonight, c.ID)
	}
	if len(tonight) > 0 {
		n.t.Errorf("%s: %d notes are in no change", name, len(tonight))
	}
	if r.Nights == nil || r.Nights.Released != int64(len(n.release)) {
		n.t.Errorf("%s: the report says %+v, and the release has %d notes", name, r.Nights, len(n.release))
	}
	n.t.Logf("%s: %d in, %d unchanged, %d not tagged again, %+v", name, r.RowsIn, r.Unchanged, r.Reused, *r.Nights)
	return r
}

func notesBelow(t *testing.T, folder string) (all []nightNote) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "notes", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no notes: %v", folder, err)
	}
	for _, f := range files {
		rows, err := parquet.ReadFile[nightNote](f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return all
}

// differing counts notes that two tables have not in common, or not alike.
func differing(a, b map[int64]nightNote) (n int) {
	for id, x := range a {
		if y, ok := b[id]; !ok || x != y {
			n++
		}
	}
	for id := range b {
		if _, ok := a[id]; !ok {
			n++
		}
	}
	return n
}

// Ten nights, with new, amended, moved and withdrawn notes, known identifiers from
// the fourth on, a night that is killed twice, and another key from the seventh on,
// come to the release that one run over the last table makes, cell by cell.
func TestTenNights(t *testing.T) {
	rows, err := parquet.ReadFile[nightNote]("../../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	n := &nights{t: t, dir: t.TempDir(), release: map[int64]nightNote{}}
	census := "--identifiers=../../examples/identifiers.parquet"
	amend := func(at ...int) (out []nightNote) {
		for _, i := range at {
			rows[i].Text += "\n\nAddendum: also seen by Dr. Ottoline Farnsworth, who spoke with his sister Philippa."
			out = append(out, rows[i])
		}
		return out
	}

	first := n.run("n01", rows[:150])
	if first.Reused != 0 || first.Nights.Added != 150 {
		t.Errorf("the first night: %+v", first.Nights)
	}
	// The whole table, of which 150 notes are as they were.
	second := n.run("n02", rows[:175])
	if second.Unchanged != 150 || second.Reused != 150 || second.Nights.Added != 25 {
		t.Errorf("the second night: %d unchanged, %d not tagged again, %+v", second.Unchanged, second.Reused, second.Nights)
	}
	if second.Nights.Differing == 0 || second.Differing != second.Nights.Differing {
		t.Error("without known identifiers no older note reads otherwise by what is new: the examples no longer show anything")
	}
	// New and amended notes alone.
	third := n.run("n03", append(amend(3, 40, 77, 160), rows[175:200]...))
	if third.Nights.Replaced != 4 || third.Nights.Added != 25 || third.Nights.MayDiffer == 0 {
		t.Errorf("the third night: %+v", third.Nights)
	}
	n.run("n04", rows[200:220], census)
	// Withdrawn: two notes and a patient, whose notes tonight's table still holds.
	patient := rows[10].Patient
	list := n.write("withdrawn", []gone{{Document: fmt.Sprint(rows[5].ID)}, {Document: fmt.Sprint(rows[61].ID)}, {Patient: patient}})
	n.refused("n05", rows[:230], census)
	fifth := n.run("n05", rows[:230], census, "--withdrawn="+list)
	if fifth.Counts.Withdrawn < 3 || fifth.Nights.Removed < 3 {
		t.Errorf("the fifth night: %d withdrawn, %+v", fifth.Counts.Withdrawn, fifth.Nights)
	}
	withdrawn := func(r nightNote) bool { return r.ID == rows[5].ID || r.ID == rows[61].ID || r.Patient == patient }
	n.killed("n06", rows[:240], census, "--reissue")
	// Another key.
	epoch := "--seed_epoch=1"
	seventh := n.run("n07", rows[:240], census, epoch)
	if seventh.Reused+seventh.Counts.Withdrawn != seventh.RowsIn || seventh.Nights.Added != seventh.RowsOut || seventh.Nights.Removed == 0 {
		t.Errorf("the seventh night, of another key: %d of %d not tagged again, %+v", seventh.Reused, seventh.RowsIn, seventh.Nights)
	}
	// A note is another patient's.
	moved := amend(100)
	moved[0].Patient = rows[101].Patient
	for i := 102; moved[0].Patient == rows[100].Patient; i++ {
		moved[0].Patient = rows[i].Patient
	}
	rows[100].Patient = moved[0].Patient
	n.run("n08", append(moved, rows[240:260]...), epoch)
	ninth := n.run("n09", rows[:260], epoch)
	if ninth.RowsOut != 0 || ninth.Nights.Added+ninth.Nights.Replaced+ninth.Nights.Removed != 0 {
		t.Errorf("a night with nothing new: %+v", ninth.Nights)
	}
	last := n.run("n10", rows, epoch, census, "--reissue")
	if last.Nights.Differing+last.Nights.MayDiffer != 0 {
		t.Errorf("after the last night's reissues notes differ: %+v", last.Nights)
	}

	left := slices.DeleteFunc(slices.Clone(rows), withdrawn)
	input := n.write("backfill", left)
	if _, said, code := program(t, nightKeys, n.args(input, "backfill", census, epoch)...); code != 0 {
		t.Fatalf("the backfill: exit status %d:\n%s", code, said)
	}
	want := map[int64]nightNote{}
	for _, r := range notesBelow(t, filepath.Join(n.dir, "backfill")) {
		want[r.ID] = r
	}
	if d := differing(n.release, want); d != 0 || len(want) != len(left) {
		t.Errorf("%d of %d notes are not the backfill's", d, len(want))
	}
	t.Run("modes", func(t *testing.T) { n.private(t) })
	t.Run("DuckDB", n.duckdb)
	t.Run("BigQuery", n.bigQuery)
	t.Run("Spark", n.spark)
}

// refused runs a night whose notes are of few days, which tells them: it is refused
// though the table's are of years, and changes nothing.
func (n *nights) refused(name string, rows []nightNote, more ...string) {
	n.t.Helper()
	before := n.heads()
	_, said, code := program(n.t, nightKeys, n.args(n.write(name, rows), "out", append(n.state(name), more...)...)...)
	if code != 65 || !strings.Contains(said, "the night's notes were written within 12 days") {
		n.t.Errorf("%s: exit status %d:\n%s", name, code, said)
	}
	left, _ := os.ReadDir(filepath.Join(n.dir, "out", name))
	if len(left) > 0 || !maps.Equal(before, n.heads()) {
		n.t.Errorf("%s was refused and leaves %v", name, left)
	}
}

// killed runs a night that is killed before it has tagged all and while it rewrites, each time
// with the state as it was, and then to its end: it takes what was tagged.
func (n *nights) killed(name string, rows []nightNote, more ...string) {
	n.t.Helper()
	for _, at := range []string{"begun", "rewrite"} { // ten notes are tagged too fast for "detect" to be seen for sure
		before := n.heads()
		args := append(n.state(name, "--accept_dated_batches"), more...)
		environ := append([]string{watchFile + "=" + filepath.Join(n.dir, "watch"), fmt.Sprintf("%s=%s:%d", signalAt, at, syscall.SIGKILL)},
			nightKeys...)
		_, said, code := program(n.t, environ, n.args(n.write(name, rows), "out", args...)...)
		if code != -1 {
			n.t.Errorf("%s: not killed at %s, exit status %d:\n%s", name, at, code, said)
		}
		if after := n.heads(); !maps.Equal(before, after) {
			n.t.Errorf("%s: killed at %s it has changed the state: %v, before %v", name, at, after, before)
		}
	}
	n.run(name, rows, more...)
}

// heads returns the heads of the state, by name.
func (n *nights) heads() map[string]string {
	all := map[string]string{}
	names, err := filepath.Glob(filepath.Join(n.dir, "state", "*.json"))
	if err != nil {
		n.t.Fatal(err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			n.t.Fatal(err)
		}
		all[filepath.Base(name)] = string(raw)
	}
	return all
}

// private checks that nobody else can look into the state, and that it holds no name.
func (n *nights) private(t *testing.T) {
	files := 0
	err := filepath.WalkDir(filepath.Join(n.dir, "state"), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		if d.IsDir() {
			return nil
		}
		files++
		raw, err := os.ReadFile(path)
		for _, word := range []string{"Farnsworth", "Philippa", "Ottoline", testKey} {
			if bytes.Contains(raw, []byte(word)) {
				t.Errorf("%s holds %q", path, word)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files: %v", files, err)
	}
}
