package deid_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
)

// none is a network that finds nothing.
type none struct{ err error }

func (n none) Tag(texts []bilstmcrf.Text) ([][]phi.Span, error) {
	return make([][]phi.Span, len(texts)), n.err
}

func detector(t *testing.T) *deid.Detector {
	t.Helper()
	r, err := rules.New("en")
	if err != nil {
		t.Fatal(err)
	}
	return &deid.Detector{
		Settings: deid.Settings{Steps: deid.AllSteps(), Language: "en", DayOrder: deid.UsualInModels, MaxNoteBytes: 1 << 20},
		Network:  none{},
		Rules:    func() deid.Matcher { return r.NewMatcher() },
		Staff:    lexicon.NewStaffLexicon([]lexicon.Staff{{Given: "Ada", Family: "Lovelock"}}),
	}
}

// A panic in any step over a text costs the note that has it, and no other.
func TestAPanicCostsItsNoteAlone(t *testing.T) {
	for _, step := range []string{"tokens", "rules", "staff", "network", "merge"} {
		func() {
			defer deid.Meet(func(at, text string) {
				if at == step && strings.Contains(text, "poison") {
					panic(text)
				}
			})()
			notes := []deid.Note{{Document: "a"}, {Document: "b"}, {Document: "c"}}
			texts := [][]string{{"Seen on 3/4/2019."}, {"Seen on 3/4/2019.", "Took poison on 3/5/2019."}, {"Seen on 3/4/2019."}}
			if _, err := detector(t).Detect(notes, texts); err != nil {
				t.Fatal(step, err)
			}
			for i, n := range notes {
				if want := map[bool]string{true: deid.ReasonTaggerFailed}[i == 1]; n.Failure != want || (len(n.Spans) > 0) != (want == "") {
					t.Errorf("%s: note %d has the failure %q and %d spans", step, i, n.Failure, len(n.Spans))
				}
			}
		}()
	}
}

// A network that fails over every text is broken itself.
func TestABrokenNetworkIsAnError(t *testing.T) {
	d := detector(t)
	broken := errors.New("broken")
	d.Network = none{broken}
	if _, err := d.Detect([]deid.Note{{Document: "a"}}, [][]string{{"Seen on 3/4/2019."}}); !errors.Is(err, broken) {
		t.Errorf("Detect returned %v", err)
	}
}

// A panic in resolve holds back all of the patient's notes.
func TestAPanicInResolveHoldsThePatientBack(t *testing.T) {
	defer deid.Meet(func(at, patient string) {
		if at == "resolve" && patient == "p2" {
			panic(patient)
		}
	})()
	for _, id := range []string{"p1", "p2"} {
		notes := []*deid.Note{{Document: "a", Patient: id}, {Document: "b", Patient: id, Failure: deid.ReasonTooLarge}}
		plan := deid.Resolve(detector(t).Settings, notes, nil, nil)
		want := [2]string{"", deid.ReasonTooLarge}
		if id == "p2" {
			want[0] = deid.ReasonResolveFailed
		}
		if notes[0].Failure != want[0] || notes[1].Failure != want[1] || plan.ID != id || plan.Total != 2 {
			t.Errorf("%s: %q, %q; %+v", id, notes[0].Failure, notes[1].Failure, plan)
		}
	}
}

// Notes that cannot be processed say why.
func TestUnfitNotesSayWhy(t *testing.T) {
	notes := []deid.Note{{Document: "a"}, {Document: "b"}, {Document: "c", Failure: deid.ReasonDateOffset}, {Document: "d"},
		{Document: "e"}, {Document: "f"}}
	texts := [][]string{{"Anna \xff"}, {strings.Repeat("long ", 1<<18)}, {"Seen."}, {"", ""}, {"J\x00o\x00h\x00n\x00 \x00"}, {"Seen.\x00"}}
	if _, err := detector(t).Detect(notes, texts); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{deid.ReasonInvalidUTF8, deid.ReasonTooLarge, deid.ReasonDateOffset, "", deid.ReasonNotPlain, ""} {
		if notes[i].Failure != want {
			t.Errorf("note %d: %q, want %q", i, notes[i].Failure, want)
		}
	}
}

// A date that is read for what it says of the order of rows, or of a patient, costs no
// more than that: no day is known.
func TestAPanicOverADateSaysNoDay(t *testing.T) {
	defer deid.Meet(func(at, about string) {
		if about == "3/4/2019" && at == "day" || about == "b" && at == "written" {
			panic(about)
		}
	})()
	s := detector(t).Settings
	for value, want := range map[string]bool{"3/4/2019": false, "3/5/2019": true} {
		if _, ok := s.DayOf(value, false); ok != want {
			t.Errorf("%s is a day: %v", value, ok)
		}
	}
	dated := []phi.Found{{Span: phi.Span{Type: phi.Date}, Surface: "2019-03-04"}}
	for id, want := range map[string]bool{"a": true, "b": false} {
		if _, ok := s.WrittenOn(&deid.Note{Document: id, Spans: dated}); ok != want {
			t.Errorf("the day of note %s is known: %v", id, ok)
		}
	}
}

// A panic over the days of one of several linked people holds that one's notes back.
func TestAPanicOverTheDaysOfALinkedPatient(t *testing.T) {
	defer deid.Meet(func(at, person string) {
		if at == "lived" && person == "n" {
			panic(person)
		}
	})()
	links, err := deid.NewLinks([]deid.Link{{Patient: "n", To: "m"}})
	if err != nil {
		t.Fatal(err)
	}
	notes := []*deid.Note{{Document: "1", Patient: "m", Dated: true, Day: 17_000}, {Document: "2", Patient: "n", Dated: true, Day: 17_001},
		{Document: "3", Patient: "n", Failure: deid.ReasonTooLarge}, {Patient: "n", Rows: &deid.Rows{Count: 2}}}
	for _, n := range notes {
		links.Apply(n)
	}
	plans := deid.ResolvePeople(detector(t).Settings, notes, nil)
	for i, want := range []string{"", deid.ReasonResolveFailed, deid.ReasonTooLarge, deid.ReasonResolveFailed} {
		if notes[i].Failure != want {
			t.Errorf("note %d has the failure %q, want %q", i, notes[i].Failure, want)
		}
	}
	if len(plans) != 2 || plans["n"].Person != "n" || plans["m"].Person != "m" || plans["m"].Last != 17_000 {
		t.Errorf("%+v", plans)
	}
}
