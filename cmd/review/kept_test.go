package review

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/model/review"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// finish says these things of the note of that id, and ends it.
func (s started) finish(t *testing.T, id string, events ...review.Event) {
	t.Helper()
	for _, e := range append(events, review.Event{Kind: review.Finish}) {
		if err := s.page.do(s.at(t, id), e); err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
	}
}

// A name that the job took for a state, and released as the policy keeps states, can be
// said to be missed, and is counted as missed.
func TestKeptNameIsMissed(t *testing.T) {
	m := job(t, "⟦STATE¦Georgia¦Georgia⟧ was seen by ⟦DOCTOR¦Ada Moth¦Bo Lund⟧.", "From ⟦STATE¦Georgia¦Georgia⟧.")
	manifest := filepath.Join(m.output, "manifest.json")
	raw, err := os.ReadFile(manifest)
	if err == nil {
		raw = bytes.Replace(raw, []byte(`"keep_ids"`), []byte(`"policy": {"types": {"STATE": "keep"}}, "keep_ids"`), 1)
		err = os.WriteFile(manifest, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := m.start(t, "ann", false)
	shown, err := s.page.show(s.at(t, "n00"))
	if err != nil || len(shown.Items) != 2 || !shown.Items[0].Kept || shown.Items[1].Kept {
		t.Fatalf("it shows %+v: %v", shown.Items, err)
	}
	judge := func(span int, verdict, as string) review.Event {
		return review.Event{Kind: review.Judge, Span: span, Verdict: verdict, Type: as}
	}
	s.finish(t, "n00", review.Event{Kind: review.Missed, Start: 0, End: 7, Type: "PATIENT"}, judge(0, review.WrongType, "PATIENT"),
		judge(1, review.Right, ""))
	// What was not found of a type that the policy keeps is not missed either.
	s.finish(t, "n01", review.Event{Kind: review.Missed, Start: 0, End: 4, Type: "STATE"}, judge(0, review.Right, ""))
	outcomes, _, _, err := s.page.r.Outcomes()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, o := range outcomes {
		e := o.Estimable()
		got[o.Note.Document] = fmt.Sprint(e.Found, e.Missed)
	}
	if got["n00"] != "map[DOCTOR:1] map[PATIENT:1]" || got["n01"] != "map[] map[]" {
		t.Errorf("it is estimated from %v", got)
	}
}

// Marks that two reviewers agree on are shown to their adjudicator as settled, and are
// missed once.
func TestAdjudicatorSeesAgreedMarks(t *testing.T) {
	m := job(t, "Seen by ⟦DOCTOR¦Ada Moth¦Bo Lund⟧ with Cy Vale, 555-0143.")
	vale := review.Event{Kind: review.Missed, Start: 21, End: 28, Type: "PATIENT"}
	phone := review.Event{Kind: review.Missed, Start: 30, End: 38, Type: "PHONE"}
	right := review.Event{Kind: review.Judge, Verdict: review.Right}
	for reviewer, said := range map[string][]review.Event{"ann": {right, vale, phone}, "bob": {right, vale}} {
		s := m.start(t, reviewer, false)
		s.finish(t, "n00", said...)
		s.stop()
	}
	s := m.start(t, "dee", true)
	shown, err := s.page.show(0)
	if err != nil {
		t.Fatal(err)
	}
	agreed := 0
	for _, i := range shown.Items {
		if i.What == "agreed" && i.Start == 21 && i.End == 28 && !i.Ask {
			agreed++
		}
	}
	if agreed != 1 {
		t.Errorf("it shows %+v", shown.Items)
	}
	if err := s.page.do(0, vale); err == nil || !strings.Contains(err.Error(), "both reviewers have marked this") {
		t.Errorf("what both have marked is marked again: %v", err)
	}
	// Decisions of earlier versions may hold such a mark.
	if err := s.page.log.Add(0, vale, nil); err != nil {
		t.Fatal(err)
	}
	s.finish(t, "n00", phone)
	outcomes, disputed, _, err := s.page.r.Outcomes()
	if err != nil || disputed != 0 || len(outcomes) != 1 || len(outcomes[0].Missed) != 2 {
		t.Errorf("it comes to %+v, %d disputed: %v", outcomes, disputed, err)
	}
}

// A note that lies over several rows is of its own kind, and not of that of a row as many
// rows further up as there are notes.
func TestKindsOfNotesOfSeveralRows(t *testing.T) {
	dir := t.TempDir()
	m := made{filepath.Join(dir, "in.parquet"), filepath.Join(dir, "release", "out"), filepath.Join(dir, "private")}
	type line struct {
		ID   string `parquet:"note_id"`
		Line int32  `parquet:"line"`
		Kind string `parquet:"note_type"`
		Text string `parquet:"text"`
	}
	rows := []line{{"n0", 1, "letter", "One."}, {"n0", 2, "letter", "Two."}, {"n0", 3, "letter", "Three."}, {"n1", 1, "ward", "Four."},
		{"n1", 2, "ward", "Five."}, {"n2", 1, "discharge", "Six."}}
	for _, folder := range []string{filepath.Join(m.output, "notes"), filepath.Join(m.private, "findings")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{m.input, filepath.Join(m.output, "notes", "in.parquet")} {
		if err := parquet.WriteFile(name, rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := parquet.WriteFile(filepath.Join(m.private, "findings", "in.parquet"), []table.Finding{}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"_SUCCESS": "",
		"manifest.json": `{"configuration_digest": "one", "configuration": {"keep_ids": true,
		"columns": {"DocumentID": "note_id", "Text": ["text"], "Line": "line", "LineSeparator": "\n"}}}`} {
		if err := os.WriteFile(filepath.Join(m.output, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	j, folder, err := m.flags().Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := store.Open(t.Context(), j, folder, &store.Wanted{Notes: 3, Seed: 1, Stratify: "note_type"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"n0": "letter,", "n1": "ward,", "n2": "discharge,"}
	for i, n := range r.Sample.Notes {
		if !strings.HasPrefix(n.Stratum, want[n.Document]) {
			t.Errorf("%s is drawn as %q", n.Document, n.Stratum)
		}
		if n.Document == "n0" && string(r.Released[i]) != "One.\nTwo.\nThree." {
			t.Errorf("it reads %q", string(r.Released[i]))
		}
	}
	if len(r.Sample.Notes) != 3 {
		t.Errorf("%d notes are drawn", len(r.Sample.Notes))
	}
}
