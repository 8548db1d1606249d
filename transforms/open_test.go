package transforms

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

// However many patients are in work, no more are open than the bound says, and one
// that was closed rewrites its next note as if it had stayed open.
func TestPatientsBeyondTheBoundAreClosed(t *testing.T) {
	keys, err := surrogate.NewKeyring([]byte(strings.Repeat("key", 20)), 0)
	if err != nil {
		t.Fatal(err)
	}
	const patients, notes, atOnce = 40, 6, 5
	text := func(i, k int) string {
		return fmt.Sprintf("Mary Black%c%c was seen by Dr. Hor%cwitz on 03/%02d/2019.", 'a'+i%26, 'a'+i/26, 'a'+i%26, k+1)
	}
	rewritten := func(bound int) ([patients][notes]string, *openPatients) {
		j := &shardJob{engine: &engine{rewriter: &deid.Rewriter{Keys: keys}}, open: &openPatients{most: bound}}
		var all [patients]*patient
		for i := range all {
			name := fmt.Sprintf("Mary Black%c%c", 'a'+i%26, 'a'+i/26)
			all[i] = j.patientOf(&schemas.PatientPlan{Plan: deid.Plan{ID: fmt.Sprint(i), Names: []string{name},
				Observed: []lexicon.Surface{{Type: phi.Patient, Text: name, Sweep: true, Tagger: phi.Sweep}}}})
			all[i].left = notes
			for k := range notes {
				all[i].rows = append(all[i].rows, int64(k*patients+i))
			}
		}
		var out [patients][notes]string
		for k := range notes {
			var wait sync.WaitGroup
			for i, p := range all {
				wait.Go(func() {
					defer p.done()
					released, err := p.open(int64(k*patients+i)).Text(text(i, k), nil, fmt.Sprint(k), dates.Reference{})
					if err != nil {
						t.Error(err)
					}
					out[i][k] = released.Text
				})
				if i%8 == 7 {
					wait.Wait()
				}
			}
			wait.Wait()
			open := 0
			for _, p := range all {
				if p.opened != nil {
					open++
				}
			}
			if weight := all[0].weight; k < notes-1 && open != min(patients, max(1, bound/weight)) {
				t.Errorf("bound %d: %d patients of weight %d are open", bound, open, weight)
			}
		}
		return out, j.open
	}
	weight := 16 + 2
	few, closing := rewritten(atOnce * weight)
	many, _ := rewritten(1000 * weight)
	if few != many {
		t.Error("a patient that was closed is rewritten otherwise")
	}
	if strings.Contains(few[3][2], "Black") {
		t.Errorf("the name stands in %q", few[3][2])
	}
	if closing.held != 0 || len(closing.queue) != 0 {
		t.Errorf("after the last note %d are held, of weight %d", len(closing.queue), closing.held)
	}
}

// Patients who do not all fit are opened once in a batch, in whatever order their notes
// stand: forty of them were opened for each of their notes.
func TestABatchIsRewrittenPatientByPatient(t *testing.T) {
	a, b, c := &patient{}, &patient{}, &patient{}
	of := []*patient{a, b, nil, a, c, b, nil, a}
	if got := byPatient(of); !slices.Equal(got, []int{0, 3, 7, 1, 5, 2, 6, 4}) {
		t.Errorf("%v", got)
	}
	if got := byPatient(nil); len(got) != 0 {
		t.Errorf("%v of nothing", got)
	}
}

// Patients who are each above the bound stay open as long as somebody rewrites each:
// they would close one another at every note.
func TestAsManyPatientsStayOpenAsAreInHand(t *testing.T) {
	o := &openPatients{most: 10, least: 2}
	a, b, c := &patient{weight: 50}, &patient{weight: 50}, &patient{weight: 50}
	for i, p := range []*patient{a, b, a, b} {
		o.use(p, int64(i))
	}
	if len(o.queue) != 2 || a.at == 0 || b.at == 0 {
		t.Errorf("of two patients in hand %d are open", len(o.queue))
	}
	o.use(a, 4)
	o.use(c, 5) // whose rows are not known: the one used least recently goes
	if len(o.queue) != 2 || b.at != 0 || o.held != 100 {
		t.Errorf("the least recently used stays open: %d are, of weight %d", len(o.queue), o.held)
	}
}

// Of patients whose notes come round in turn, as many are open at their next note as there is
// room for. Closing the least recently used, all were opened for each note.
func TestWhoseNextNoteIsFurthestIsClosed(t *testing.T) {
	const patients, notes, room = 20, 50, 10
	o := &openPatients{most: room}
	all := make([]*patient, patients)
	for i := range all {
		all[i] = &patient{weight: 1}
		for k := range notes {
			all[i].rows = append(all[i].rows, int64(k*patients+i))
		}
	}
	opened := 0
	for row := range patients * notes {
		p := all[row%patients]
		if p.at == 0 {
			opened++
		}
		if o.use(p, int64(row)); len(o.queue) > room || o.held != len(o.queue) {
			t.Fatalf("%d patients are open, of weight %d", len(o.queue), o.held)
		}
	}
	// The best that can be, but for the first round: room-1 of patients-1 stay.
	if most := patients + patients*notes*(patients-room)/(patients-1); opened > most {
		t.Errorf("patients were opened %d times for %d notes, at most %d were needed", opened, patients*notes, most)
	}
	for k := range 3 { // out of turn, as goroutines may
		o.use(all[0], int64(patients*(notes-1-k)))
	}
	if all[0].next != math.MaxInt64 {
		t.Errorf("after the last note the next is at %d", all[0].next)
	}
	for _, p := range all {
		o.done(p)
		o.done(p)
	}
	if len(o.queue) != 0 || o.held != 0 {
		t.Errorf("at the end %d are open, of weight %d", len(o.queue), o.held)
	}
}
