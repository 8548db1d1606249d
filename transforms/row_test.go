package transforms

import (
	"strings"
	"sync"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// A note whose patient id says nothing is its own patient: two of them are never one.
func TestPatientOfRow(t *testing.T) {
	for _, c := range []struct {
		id     table.ID
		want   string
		orphan bool
	}{
		{table.ID{Text: "p1"}, "p1", false},
		{table.ID{Null: true}, deid.OrphanPatient("n1"), true},
		{table.ID{}, deid.OrphanPatient("n1"), true},
		{table.ID{Text: "  "}, deid.OrphanPatient("n1"), true},
	} {
		if got, orphan := PatientOfRow(table.Note{DocumentID: table.ID{Text: "n1"}, PatientID: c.id}); got != c.want || orphan != c.orphan {
			t.Errorf("%+v: %q, %t", c.id, got, orphan)
		}
	}
}

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
	first := p.open(0)
	var wait sync.WaitGroup
	for range notes - 1 {
		wait.Go(func() {
			if p.open(0) != first {
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

// A panic while a patient is opened costs a note; the patient's other notes, and the end
// of this one, wait for nobody.
func TestAPanicWhileAPatientIsOpened(t *testing.T) {
	p := &patient{plan: &deid.Plan{}, left: 2} // without a rewriter
	func() {
		defer func() {
			if recover() == nil {
				t.Error("there was no panic")
			}
		}()
		p.open(0)
	}()
	if !p.mu.TryLock() {
		t.Fatal("the patient is locked for ever")
	}
	p.mu.Unlock()
	if p.done(); p.left != 1 {
		t.Errorf("%d notes are left", p.left)
	}
}
