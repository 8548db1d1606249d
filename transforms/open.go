package transforms

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// maxOpen bounds what is held of patients in work, by the surfaces known of them:
// at about a kilobyte for each, 100 MB.
const maxOpen = 100_000

// openPatients are the patients of a shard that are in work. Where rows are not sorted by
// patient there may be very many; beyond the bound the one is closed whose next note is the
// furthest, which opens the fewest again (Belady 1966), with the same result.
type openPatients struct {
	mu    sync.Mutex
	queue queue // a heap: whose next note is the furthest comes first
	held  int   // by weight
	most  int
	least int // so many stay open whatever their weight: the goroutines that rewrite
	uses  int64
}

// use notes that a patient has been used for a row of the shard, and closes others beyond the bound.
func (o *openPatients) use(p *patient, row int64) {
	if o == nil {
		return
	}
	o.mu.Lock()
	o.uses++
	p.pass(row, o.uses)
	if p.at > 0 {
		heap.Fix(&o.queue, p.at-1)
	} else {
		heap.Push(&o.queue, p)
		o.held += p.weight
	}
	var closed []*patient
	for o.held > o.most && len(o.queue) > max(1, o.least) {
		far := o.queue[0]
		o.drop(far)
		closed = append(closed, far)
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
	if p.at > 0 {
		heap.Remove(&o.queue, p.at-1)
		o.held -= p.weight
	}
}

// pass notes that a row of the patient has been rewritten, the uses-th of the shard. Where
// the patient's rows are not known, whoever was used last is taken for the next.
func (p *patient) pass(row, uses int64) {
	if p.rows == nil {
		p.next = math.MaxInt64 - uses
		return
	}
	next := int64(math.MaxInt64)
	if i, _ := slices.BinarySearch(p.rows, row+1); i < len(p.rows) {
		next = p.rows[i]
	}
	p.next = max(p.next, next) // goroutines may take rows out of turn
}

// queue implements heap.Interface. Each patient knows its place, the first being 1.
type queue []*patient

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].next > q[j].next }

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i+1, j+1
}

func (q *queue) Push(p any) {
	*q = append(*q, p.(*patient))
	p.(*patient).at = len(*q)
}

func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = slices.Delete(*q, len(*q)-1, len(*q)) // and clears its place
	last.at = 0
	return last
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
