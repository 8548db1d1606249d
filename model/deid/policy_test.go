package deid

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Notes are not searched for what was found of a type that is kept, but for known
// identifiers of it all the same.
func TestKeptTypesAreNotSweptFor(t *testing.T) {
	policy, err := surrogate.ParsePolicy("p", []byte("types: {DOCTOR: keep}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Steps: AllSteps(), Language: "en", DayOrder: UsualInModels, Surrogates: surrogate.Options{Policy: policy}}
	note := &Note{Document: "a", Patient: "p"}
	for i, x := range []struct {
		surface string
		typ     phi.Type
	}{{"Halloran", phi.Doctor}, {"Okonkwo", phi.Patient}} {
		note.Spans = append(note.Spans, phi.Found{Span: phi.Span{Start: 20 * i, End: 20*i + len(x.surface), Type: x.typ, Score: 1},
			Surface: x.surface, Cue: true})
	}
	plan := Resolve(s, []*Note{note}, []lexicon.Identifiers{{PatientID: "p", Doctors: []string{"Ada Quackenbush"}}}, nil)
	swept := map[string]bool{}
	for _, o := range plan.Observed {
		swept[o.Text] = swept[o.Text] || o.Sweep
	}
	if swept["Halloran"] || !swept["Okonkwo"] || !swept["Ada Quackenbush"] {
		t.Errorf("swept for: %v", swept)
	}
}
