package automaton

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// explosive is an expression of more states than a machine may have.
const explosive = `[a-d]{0,30}a[a-d]{16}x`

// TestFlushBytes: the memory of states is bounded as well as their number.
func TestFlushBytes(t *testing.T) {
	p, err := Compile([]string{`a+b`}, UnicodeWord)
	if err != nil {
		t.Fatal(err)
	}
	m := New(p, MaxStates, MaxWalk)
	m.bytes = maxBytes
	m.Walk("see aab", 4, BeforeOther)
	if len(m.Hits) != 1 || m.flushes == 0 || m.bytes >= maxBytes {
		t.Errorf("%d hits, %d flushes, %d bytes", len(m.Hits), m.flushes, m.bytes)
	}
}

// TestMemory: the bound counts what a machine really takes, and one that comes
// to it gives back what it has.
func TestMemory(t *testing.T) {
	heap := func() int {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return int(s.HeapAlloc)
	}
	p, err := Compile([]string{explosive}, UnicodeWord)
	if err != nil {
		t.Fatal(err)
	}
	before := heap()
	m := New(p, MaxStates, MaxWalk)
	m.start(BeforeOther)
	full := func() bool { return len(m.states) > m.limit || m.bytes+4*cap(m.rows.cells) > maxBytes }
	for id := dead + 1; id < len(m.states) && !full(); id++ {
		for k := 0; k < m.rows.stride && !full(); k++ {
			if m.rows.get(uint16(id), k) == 0 {
				m.step(uint16(id), k)
			}
		}
	}
	if !full() {
		t.Fatalf("all %d states fit", len(m.states))
	}
	took := heap() - before
	t.Logf("%d states, %d KB counted, %d KB taken", len(m.states), (m.bytes+4*cap(m.rows.cells))>>10, took>>10)
	if took > maxBytes*3/2 {
		t.Errorf("a full machine takes %d MB, the bound is %d", took>>20, maxBytes>>20)
	}
	m.Walk("Seen by Dr. Hale, today", 8, BeforeOther)
	if left := heap() - before; m.flushes != 1 || left > maxBytes/2 {
		t.Errorf("after %d flushes it takes %d MB", m.flushes, left>>20)
	}
}

// TestRows compares the packed transitions with a map.
func TestRows(t *testing.T) {
	const states, classes = 200, 70
	rng := rand.New(rand.NewPCG(3, 4))
	r := newRows(classes)
	r.reset()
	r.base = make([]uint32, states)
	want := map[[2]int]uint16{}
	for range 4000 {
		s, k := rng.IntN(1+rng.IntN(states)), rng.IntN(classes)
		if s > 0 && want[[2]int{s, k}] == 0 {
			want[[2]int{s, k}] = uint16(1 + rng.IntN(1<<16-1))
			r.set(uint16(s), k, want[[2]int{s, k}])
		}
	}
	for s := range states {
		for k := range classes {
			if got := r.get(uint16(s), k); got != want[[2]int{s, k}] {
				t.Fatalf("state %d, class %d: %d, not %d", s, k, got, want[[2]int{s, k}])
			}
		}
	}
}
