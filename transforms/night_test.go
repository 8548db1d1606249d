package transforms_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

type withdrawnRow struct {
	Document string `parquet:"document_id,optional"`
	Patient  string `parquet:"patient_id,optional"`
}

// changed returns how often a night changes notes in each way.
func changed(t *testing.T, cfg transforms.Config) map[string]int {
	t.Helper()
	all := map[string]int{}
	ids := map[string]bool{}
	for _, c := range read[struct {
		ID     string `parquet:"document_id"`
		Change string `parquet:"change"`
	}](t, filepath.Join(cfg.Output, transforms.ChangesFile)) {
		if ids[c.ID] {
			t.Errorf("%s has two rows of one id", transforms.ChangesFile)
		}
		ids[c.ID] = true
		all[c.Change]++
	}
	return all
}

func wantChanges(t *testing.T, cfg transforms.Config, r transforms.Report, released int64, want map[string]int) {
	t.Helper()
	if got := changed(t, cfg); !maps.Equal(got, want) || r.Nights.Released != released {
		t.Errorf("%s: the changes are %v, want %v; %d notes are in the release, want %d",
			cfg.Nights.Night, got, want, r.Nights.Released, released)
	}
}

// A note goes with its patient of tonight, where patients are merged: it is withdrawn with
// the new one, and stays where the one that it was of is withdrawn.
func TestWithdrawnUnderAnotherPatient(t *testing.T) {
	merged := noteC
	merged.PatientID = "w"
	night := func(t *testing.T, dir, name, withdrawn string, rows ...datedRow) (transforms.Config, transforms.Report) {
		t.Helper()
		o := nightOptions(t, dir, name, rows...)
		if withdrawn != "" {
			o.Withdrawn = write(t, dir, name+"-withdrawn.parquet", []withdrawnRow{{Patient: withdrawn}})
		}
		return runNight(t, o)
	}
	for name, more := range map[string][]datedRow{"rows": {noteB}, "whole groups": nil} { // these need not be read again
		t.Run("to the withdrawn, "+name, func(t *testing.T) {
			dir := t.TempDir()
			night(t, dir, "n1", "", noteA, noteC)
			cfg, r := night(t, dir, "n2", "w", append([]datedRow{noteA, merged}, more...)...)
			want := map[string]int{"removed": 1}
			if len(more) > 0 {
				want["added"] = 1
			}
			wantChanges(t, cfg, r, int64(1+len(more)), want)
			if r.Counts.Withdrawn != 1 {
				t.Errorf("%d notes were withdrawn", r.Counts.Withdrawn)
			}
			cfg, r = night(t, dir, "n3", "", append([]datedRow{noteA, noteC}, more...)...) // its own patient's again
			wantChanges(t, cfg, r, int64(2+len(more)), map[string]int{"added": 1})
		})
	}
	t.Run("from the withdrawn", func(t *testing.T) {
		dir := t.TempDir()
		night(t, dir, "n1", "", noteA, merged)
		cfg, r := night(t, dir, "n2", "w", noteA, noteC)
		wantChanges(t, cfg, r, 2, map[string]int{"replaced": 1})
		if rows := read[datedRow](t, filepath.Join(cfg.Output, "notes", "*.parquet")); len(rows) != 1 {
			t.Errorf("%d notes are in the night", len(rows))
		}
		cfg, r = night(t, dir, "n3", "", noteA, noteC)
		wantChanges(t, cfg, r, 2, map[string]int{})
	})
	t.Run("one id of two patients", func(t *testing.T) {
		dir := t.TempDir()
		night(t, dir, "n1", "", noteA, noteC)
		for i := range 2 {
			cfg, r := night(t, dir, fmt.Sprint("n", i+2), "w", noteA, merged, noteC)
			wantChanges(t, cfg, r, 2, map[string]int{})
		}
	})
}

// A row of a withdrawn patient goes with the patient, though it have no document id.
func TestWithdrawnWithoutDocumentID(t *testing.T) {
	dir := t.TempDir()
	without := datedRow{"", "q", 17_900, "Mrs. Ottoline Farnsworth was seen."}
	if _, r := runNight(t, nightOptions(t, dir, "n1", noteA, noteC, without)); r.Quarantined != 1 {
		t.Fatalf("%d rows in quarantine", r.Quarantined)
	}
	o := nightOptions(t, dir, "n2", noteA, noteC, without)
	o.Withdrawn = write(t, dir, "withdrawn.parquet", []withdrawnRow{{Patient: "q"}})
	cfg, r := runNight(t, o)
	wantChanges(t, cfg, r, 1, map[string]int{"removed": 1})
	if r.Quarantined != 0 || r.Counts.Withdrawn != 2 || r.Nights.Remembered != 1 {
		t.Errorf("%d in quarantine, %d withdrawn, %d remembered", r.Quarantined, r.Counts.Withdrawn, r.Nights.Remembered)
	}
}

// Notes without an id are not remembered beyond their night.
func TestNotesWithoutIDAreNotRemembered(t *testing.T) {
	dir := t.TempDir()
	runNight(t, nightOptions(t, dir, "n1", noteA, datedRow{"", "p", 17_900, "Mr. Zebulon Quackenbush was seen."}))
	if _, r := runNight(t, nightOptions(t, dir, "n2", noteC)); r.Nights.Remembered != 2 {
		t.Errorf("%d notes are remembered", r.Nights.Remembered)
	}
}

// tableNights returns a function that runs nights over the files of one folder, and one
// that writes such a file.
func tableNights(t *testing.T) (night func(name string, change func(o *pipeline.Options)) (transforms.Config, transforms.Report),
	in func(name string, rows ...datedRow) string) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	night = func(name string, change func(o *pipeline.Options)) (transforms.Config, transforms.Report) {
		t.Helper()
		o := nightOptions(t, dir, "unused", noteA)
		o.Night, o.Input = name, []string{dir + "/in/*.parquet"}
		if change != nil {
			change(&o)
		}
		return runNight(t, o)
	}
	in = func(name string, rows ...datedRow) string {
		return write(t, filepath.Join(dir, "in"), name+".parquet", rows)
	}
	return night, in
}

// A file that was seen under another key is read again when it comes back, though a night
// under the new key went by without it.
func TestSeenUnderAnotherKey(t *testing.T) {
	night, in := tableNights(t)
	a := in("a", noteA)
	in("b", noteC)
	night("n1", nil)
	cfg, r := night("n2", func(o *pipeline.Options) { o.SeedEpoch, o.Input = 1, []string{a} })
	wantChanges(t, cfg, r, 1, map[string]int{"added": 1, "removed": 2})
	cfg, r = night("n3", func(o *pipeline.Options) { o.SeedEpoch = 1 })
	wantChanges(t, cfg, r, 2, map[string]int{"added": 1})
	if r.RowsIn != 1 {
		t.Errorf("%d rows were read", r.RowsIn)
	}
}

// Where ids are kept a note has the same under another key: it is replaced.
func TestAnotherKeyWithKeptIDs(t *testing.T) {
	dir := t.TempDir()
	night := func(name string, epoch int, rows ...datedRow) (transforms.Config, transforms.Report) {
		o := nightOptions(t, dir, name, rows...)
		o.IDs, o.SeedEpoch = "keep", epoch
		return runNight(t, o)
	}
	night("n1", 0, noteA, noteC)
	cfg, r := night("n2", 1, noteA)
	wantChanges(t, cfg, r, 1, map[string]int{"replaced": 1, "removed": 1})
}

// A night that does nothing but withdraw releases no days.
func TestANightOfWithdrawalsAlone(t *testing.T) {
	night, in := tableNights(t)
	second := noteB
	second.Day = noteA.Day + 1
	in("a", noteA, second)
	night("n1", nil)
	list := write(t, t.TempDir(), "withdrawn.parquet", []withdrawnRow{{Document: "b"}})
	cfg, r := night("n2", func(o *pipeline.Options) { o.Withdrawn, o.Dated = list, false })
	wantChanges(t, cfg, r, 1, map[string]int{"removed": 1})
}

// Of a repeated id the row that is released stays, as long as both are there.
func TestRepeatedIDsDoNotFlip(t *testing.T) {
	night, in := tableNights(t)
	first, second := datedRow{"d", "q", 17_900, "Well."}, datedRow{"d", "q", 17_900, "Not well at all."}
	in("a", first)
	in("b", second)
	night("n1", nil)
	cfg, r := night("n2", nil)
	wantChanges(t, cfg, r, 1, map[string]int{})
	in("b", second, datedRow{"e", "q", 17_901, "Better."})
	cfg, r = night("n3", nil) // the later night's counts
	wantChanges(t, cfg, r, 2, map[string]int{"replaced": 1, "added": 1})
	cfg, r = night("n4", func(o *pipeline.Options) { o.Reissue = true })
	wantChanges(t, cfg, r, 2, map[string]int{})
	if r.Quarantined != 1 {
		t.Errorf("%d rows in quarantine", r.Quarantined)
	}
}

// Ids that were text and are integers now would be other released ids.
func TestIDsOfAnotherType(t *testing.T) {
	type numbered struct {
		NoteID    int64  `parquet:"note_id"`
		PatientID string `parquet:"patient_id"`
		Day       int32  `parquet:"note_date,date"`
		Text      string `parquet:"text"`
	}
	dir := t.TempDir()
	text := noteA
	text.NoteID = "7"
	runNight(t, nightOptions(t, dir, "n1", text))
	o := nightOptions(t, dir, "n2", text)
	whole := write(t, dir, "integers.parquet", []numbered{{7, "p", noteA.Day, noteA.Text}})
	for name, input := range map[string][]string{"all": {whole}, "some": {o.Input[0], whole}} {
		o.Input = input
		cfg, err := prepare(o)
		if err == nil {
			err = pipeline.Run(t.Context(), cfg, &bytes.Buffer{})
		}
		if err == nil || fault.Of(err) != fault.Refused || name == "all" && !strings.Contains(err.Error(), "the notes' ids are integers") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An amended note that goes to quarantine under another key is not what it was: when the
// older text comes back it is read again.
func TestQuarantineUnderAnotherKey(t *testing.T) {
	dir := t.TempDir()
	night := func(name string, epoch int, row datedRow) (transforms.Config, transforms.Report) {
		o := nightOptions(t, dir, name, row, noteC)
		o.SeedEpoch, o.MaxQuarantined = epoch, 100
		return runNight(t, o)
	}
	night("n1", 0, noteA)
	amended := noteA
	amended.Text += " A poison of the network."
	undo := transforms.Poison("poison of the network", "poison of rules")
	cfg, r := night("n2", 1, amended)
	undo()
	wantChanges(t, cfg, r, 1, map[string]int{"removed": 2, "added": 1})
	cfg, r = night("n3", 1, noteA)
	wantChanges(t, cfg, r, 2, map[string]int{"added": 1})
}
