package deid_test

import (
	"fmt"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Mentions of a patient's known identifiers are counted by type, each place once,
// whether a tagger has found them too or not. The patient's id, which the table
// of notes says, is none.
func TestKnownIdentifiersAreCounted(t *testing.T) {
	keys, err := surrogate.NewKeyring([]byte("a key of the tests: fifty bytes or so, never to be seen"), 0)
	if err != nil {
		t.Fatal(err)
	}
	r := &deid.Rewriter{Keys: keys, Settings: deid.Settings{
		Steps: deid.AllSteps(), Language: "en",
		Surrogates: surrogate.Options{Dates: surrogate.DatePolicy{Policy: "weekday", MinDays: 28, MaxDays: 1820}},
	}}
	known := []lexicon.Identifiers{{PatientID: "PT-40017", Names: []string{"Ngozi Okonkwo"}, MRNs: []string{"00481-2237"},
		Phones: []string{"360-555-0119"}}}
	for _, c := range []struct {
		text, want string
		found      []phi.Span
	}{
		{"Nothing of anybody.", "map[]", nil},
		{"Ngozi Okonkwo (MRN 00481-2237), Mrs Okonkwo.", "map[PATIENT:2 MEDICALRECORD:1]", nil},
		{"Ngozi Okonkwo (MRN 00481-2237), Mrs Okonkwo.", "map[PATIENT:2 MEDICALRECORD:1]",
			[]phi.Span{{Start: 0, End: 13, Type: phi.Patient, Tagger: phi.Network, Score: 1}}},
		{"Chart PT-40017.", "map[]", nil},
		{"Call 360-555-0119 or 360 555 0119 for N. Okonkwo", "map[PATIENT:1 PHONE:2]", nil},
	} {
		note := &deid.Note{Document: "a", Patient: "PT-40017"}
		plan := deid.Resolve(r.Settings, []*deid.Note{note}, known, nil)
		released, err := r.Open(&plan).Text(c.text, c.found, "a", dates.InLanguage("en"))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(released.Known); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
