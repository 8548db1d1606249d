package transforms

import (
	"strings"
	"sync"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// What rewriting a patient takes is there from the first of its notes to the
// last, whichever goroutines these are for, and then gone.
func TestPatientIsKeptWhileItIsNeeded(t *testing.T) {
	keys, err := surrogate.NewKeyring([]byte(strings.Repeat("key", 20)), 0)
	if err != nil {
		t.Fatal(err)
	}
	plan := &deid.Plan{ID: "p", Observed: []lexicon.Surface{{Type: phi.Patient, Text: "Mary Blackwood", Sweep: true, Tagger: phi.Sweep}}}
	const notes = 50
	p := &patient{rewriter: &deid.Rewriter{Keys: keys}, plan: plan, left: notes}
	first := p.open()
	var wait sync.WaitGroup
	for range notes - 1 {
		wait.Go(func() {
			if p.open() != first {
				t.Error("it was made twice")
			}
			p.done()
		})
	}
	wait.Wait()
	if p.opened != first || plan.Observed == nil {
		t.Error("it was dropped before its last note")
	}
	if p.done(); p.opened != nil || plan.Observed != nil {
		t.Error("it is kept after its last note")
	}
}
