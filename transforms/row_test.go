package transforms

import (
	"strings"
	"sync"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rewrite"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

// What rewriting a patient takes is there from the first of its notes to the
// last, whichever goroutines these are for, and then gone.
func TestPatientIsKeptWhileItIsNeeded(t *testing.T) {
	keys, err := surrogate.NewKeyring([]byte(strings.Repeat("key", 20)), 0)
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{keys: keys, cfg: Config{Replacement: "surrogate", Consistency: "patient"}}
	planned := &schemas.Patient{
		ID: "p", Observed: []schemas.Surface{{Type: phi.Patient, Text: "Mary Blackwood", Sweep: true, Tagger: phi.Sweep}},
		Notes: make([]schemas.Planned, 50),
	}
	p := newPatient(planned)
	if p.planner != nil || p.lexicon != nil {
		t.Error("it is made before its first note")
	}
	p.open(e)
	lexicon := p.lexicon
	var wait sync.WaitGroup
	for range planned.Notes[1:] {
		wait.Go(func() {
			p.open(e)
			if p.lexicon != lexicon {
				t.Error("it was made twice")
			}
			p.done()
		})
	}
	wait.Wait()
	if p.lexicon != lexicon || planned.Observed == nil {
		t.Error("it was dropped before its last note")
	}
	if p.done(); p.lexicon != nil || p.planner != nil || planned.Observed != nil {
		t.Error("it is kept after its last note")
	}
}

// A mask that left something to read fails the audit, in mode mask and where a
// date alone is masked; what is kept on purpose does not.
func TestMasksAreAudited(t *testing.T) {
	const text = "Seen by Okonkwo."
	spans := []phi.Span{{Start: 8, End: 15, Type: phi.Doctor}}
	placed := []rewrite.Placed{{Start: 8, End: 15}}
	for outcome, want := range map[surrogate.Outcome]error{surrogate.Kept: nil, surrogate.Masked: audit.ErrMask, surrogate.Replaced: audit.ErrSurvives} {
		if err := audit.Check(text, text, audited(spans, placed, []surrogate.Outcome{outcome})); err != want {
			t.Errorf("%v: %v, want %v", outcome, err, want)
		}
	}
}
