package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

type shortNote struct {
	ID      string `parquet:"note_id"`
	Patient string `parquet:"patient_id"`
	Text    string `parquet:"text"`
}

// trialNotes writes two files of thirty notes in row groups of ten.
func trialNotes(t *testing.T, dir string) (paths []string) {
	t.Helper()
	for file := range 2 {
		var rows []shortNote
		for i := range 30 {
			rows = append(rows, shortNote{fmt.Sprintf("n%d", 30*file+i), fmt.Sprintf("p%d", i%7),
				"Mr. Zebulon Quackenbush was seen by Dr. Hale today."})
		}
		paths = append(paths, writeParquet(t, dir, fmt.Sprintf("in%d.parquet", file), rows, parquet.MaxRowsPerRowGroup(10)))
	}
	return paths
}

// A trial run processes so many notes and no more, wherever shards and row groups
// end, says that it is no release, and leaves its places to nobody else.
func TestTrialRun(t *testing.T) {
	for _, c := range []struct {
		limit     int
		perShard  bool // each row group is a shard
		want      int
		wantFiles int
	}{
		{5, false, 5, 1}, {5, true, 5, 1}, {10, true, 10, 1}, {25, true, 25, 3}, {25, false, 25, 1}, {34, false, 34, 2}, {1000, true, 60, 6},
	} {
		t.Run(fmt.Sprint(c.limit, c.perShard), func(t *testing.T) {
			dir := t.TempDir()
			o := testOptions(dir, trialNotes(t, dir)...)
			o.Limit = c.limit
			small := func(cfg *transforms.Config) {
				if c.perShard {
					cfg.ShardBytes = 1
				}
			}
			cfg, report, log := run(t, o, small)
			released := readParquet[shortNote](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
			files, _ := filepath.Glob(filepath.Join(cfg.Output, "notes", "*"))
			if len(released) != c.want || int(report.RowsIn) != c.want || int(report.RowsOut) != c.want || len(files) != c.wantFiles {
				t.Errorf("%d notes in %d files, %d of %d in the report; want %d in %d", len(released), len(files), report.RowsOut, report.RowsIn,
					c.want,
					c.wantFiles)
			}
			for _, n := range released {
				if strings.Contains(n.Text, "Quackenbush") {
					t.Errorf("a name went out: %s", n.Text)
				}
			}
			if _, err := os.Stat(filepath.Join(cfg.Output, transforms.SuccessFile)); err == nil {
				t.Error("a trial run has made _SUCCESS")
			}
			if _, err := os.Stat(filepath.Join(cfg.Output, transforms.TrialFile)); err != nil {
				t.Error(err)
			}
			raw, err := os.ReadFile(filepath.Join(cfg.Output, transforms.ManifestFile))
			var m transforms.Manifest
			if err != nil || json.Unmarshal(raw, &m) != nil || m.Trial == "" || m.Configuration.Limit != int64(c.limit) {
				t.Errorf("the manifest (%v) says %q and %d", err, m.Trial, m.Configuration.Limit)
			}
			page, err := os.ReadFile(filepath.Join(cfg.Output, transforms.ReportPage))
			if err != nil || !strings.Contains(string(page), m.Trial) || !strings.Contains(log, "trial run") {
				t.Errorf("the page (%v) or the terminal does not say that it is a trial:\n%s", err, log)
			}
			for _, limit := range []int{0, c.limit} {
				o.Limit = limit
				if _, _, _, err := tryRun(o, small); fault.Of(err) == fault.Done || !strings.Contains(err.Error(), "holds what a trial run") {
					t.Errorf("--limit=%d into the same output: %v", limit, err)
				}
			}
		})
	}
}

// The same notes of a trial run come out the same with another cut.
func TestTrialRunIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	in := trialNotes(t, dir)
	var got [][]shortNote
	for i, shard := range []int64{1, 64 << 20} {
		o := testOptions(filepath.Join(dir, fmt.Sprint(i)), in...)
		o.Limit = 17
		cfg, _, _ := run(t, o, func(c *transforms.Config) { c.ShardBytes = shard })
		got = append(got, readParquet[shortNote](t, filepath.Join(cfg.Output, "notes", "*.parquet")))
	}
	if fmt.Sprint(got[0]) != fmt.Sprint(got[1]) || len(got[0]) != 17 {
		t.Errorf("%v\n%v", got[0], got[1])
	}
}

// Notes in another language than the model's stop the job before any work, unless
// that is allowed; then it is said.
func TestAnotherLanguage(t *testing.T) {
	raw, err := os.ReadFile("../model/language/testdata/es.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var rows []shortNote
	for i, text := range strings.Split(string(raw), "%%\n") {
		rows = append(rows, shortNote{fmt.Sprint("n", i), "p1", text})
	}
	o := testOptions(dir, writeParquet(t, dir, "in.parquet", rows))
	_, _, _, err = tryRun(o, nil)
	if fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), "the notes are in Spanish") ||
		!strings.Contains(err.Error(), "--language_check=warn") {
		t.Errorf("%v (%d)", err, fault.Of(err))
	}
	if _, err := os.Stat(o.Output); err == nil {
		t.Error("the job had begun")
	}
	o.LanguageCheck = "warn"
	cfg, err := NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	_, summary, err := Prepare(t.Context(), cfg)
	if err != nil ||
		!strings.Contains(summary, "warning: the notes seem to be in another language than the model, which is in English: 100 % Spanish") {
		t.Errorf("%v: %s", err, summary)
	}
	o.LanguageCheck, o.Model = "stop", "../onnx/models/es-meddocan"
	if cfg, err = NewConfig(o); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Prepare(t.Context(), cfg); err != nil {
		t.Error(err)
	}
	o.LanguageCheck = "never"
	if _, err := NewConfig(o); err == nil || !strings.Contains(err.Error(), "--language_check=never: write one of stop, warn") {
		t.Error(err)
	}
}
