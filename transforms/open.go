package transforms

import (
	"cmp"
	"container/list"
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// maxOpen bounds what is held of patients in work, by the surfaces known of them:
// at about a kilobyte for each, 100 MB.
const maxOpen = 100_000

// openPatients are the patients of a shard that are in work, the least recently
// used first. Where rows are not sorted by patient there may be very many; beyond
// the bound the first are closed, and opened again for their next note, with the
// same result.
type openPatients struct {
	mu    sync.Mutex
	order list.List // of *patient
	held  int       // by weight
	most  int
	least int // so many stay open whatever their weight: the goroutines that rewrite
}

// use notes that a patient has been used, and closes others beyond the bound.
func (o *openPatients) use(p *patient) {
	if o == nil {
		return
	}
	o.mu.Lock()
	if p.at != nil {
		o.order.MoveToBack(p.at)
		o.mu.Unlock()
		return
	}
	p.at = o.order.PushBack(p)
	o.held += p.weight
	var closed []*patient
	for o.held > o.most && o.order.Len() > max(1, o.least) {
		first := o.order.Front().Value.(*patient)
		o.drop(first)
		closed = append(closed, first)
	}
	o.mu.Unlock()
	for _, c := range closed {
		c.close()
	}
}

// done forgets a patient that will not be used again.
func (o *openPatients) done(p *patient) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drop(p)
}

func (o *openPatients) drop(p *patient) {
	if p.at != nil {
		o.order.Remove(p.at)
		o.held -= p.weight
		p.at = nil
	}
}

// patientsOf returns whose the rows of a batch are; nil where nobody's.
func (j *shardJob) patientsOf(batch []*table.Row, before int64) []*patient {
	all := make([]*patient, len(batch))
	for i, row := range batch {
		if p := j.plans[before+row.Row]; p != nil {
			all[i] = p.patient
		}
	}
	return all
}

// byPatient returns the indexes of notes, those of one patient after another: where
// patients do not all fit, each is then opened once a batch, and not for every note.
func byPatient(of []*patient) []int {
	first := map[*patient]int{}
	turns := make([]int, len(of))
	for i, p := range of {
		if _, ok := first[p]; !ok {
			first[p] = i
		}
		turns[i] = i
	}
	slices.SortStableFunc(turns, func(a, b int) int { return cmp.Compare(first[of[a]], first[of[b]]) })
	return turns
}
