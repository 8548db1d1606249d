package transforms

import (
	"fmt"
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
		}
		var out [patients][notes]string
		for k := range notes {
			var wait sync.WaitGroup
			for i, p := range all {
				wait.Go(func() {
					defer p.done()
					released, err := p.open().Text(text(i, k), nil, fmt.Sprint(k), dates.Reference{})
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
	if closing.held != 0 || closing.order.Len() != 0 {
		t.Errorf("after the last note %d are held, of weight %d", closing.order.Len(), closing.held)
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
	for _, p := range []*patient{a, b, a, b} {
		o.use(p)
	}
	if o.order.Len() != 2 || a.at == nil || b.at == nil {
		t.Errorf("of two patients in hand %d are open", o.order.Len())
	}
	o.use(a)
	o.use(c)
	if o.order.Len() != 2 || b.at != nil || o.held != 100 {
		t.Errorf("the least recently used stays open: %d are, of weight %d", o.order.Len(), o.held)
	}
}
