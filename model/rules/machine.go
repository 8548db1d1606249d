package rules

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// Limits of the automaton.
const (
	// maxWalk caps one walk, in bytes, so that no input costs more than a
	// constant per token.
	maxWalk = 256
	// maxStates and maxBytes are the number of states and the memory at which
	// the machine forgets all and starts again; text of all kinds needs about
	// half of them. One walk may add a few hundred states beyond the limit.
	maxStates = 32000
	maxBytes  = 16 << 20
	// stateBytes is what a state takes besides its instructions and patterns:
	// its slices, its base and its place in the index.
	stateBytes = 120
)

// hit is one match: the longest of its pattern that begins at start. Bytes.
type hit struct {
	pattern    int
	start, end int
}

// machine is the lazy set-DFA of a program: a state is the set of
// instructions that are alive after the bytes read, and is built when first
// reached. It is anchored: a walk starts at one position and stops as soon as
// no expression can match any more. Not safe for concurrent use; the program
// is shared.
type machine struct {
	p      *program
	rows   rows              // transitions, to a state and whether it finds
	states []state           // state 0 is unused, state 1 is dead
	index  map[string]uint16 // state's key -> state
	starts [numBefore]uint16 // 0 where unknown
	bytes  int               // memory of the states
	limit  int               // states before a flush
	cap    int               // bytes of one walk

	barren []uint64 // beginnings of texts where walks find nothing; see skip

	hits  []hit   // of the walks since reset
	stamp []int   // by pattern: the walk that hit it last
	slot  []int32 // by pattern: its place in hits
	walks int

	steps   int // runes read, for tests of linearity
	flushes int

	// Scratch of step.
	seen  []uint32 // by instruction: generation it was last added in
	gen   uint32
	stack []uint32
	set   []uint32
	found []uint16
	key   []byte
}

type state struct {
	insts   []uint32 // rune, empty-width and match instructions, sorted
	found   []uint16 // patterns that match before the rune that led here, sorted
	before  before
	empties bool // holds empty-width instructions
}

const dead = 1

// finds is set in the number of a state that tells of a match; states are
// numbered below it.
const finds = 1 << 15

func newMachine(p *program, limit, walk int) *machine {
	m := &machine{
		p: p, rows: newRows(p.classes.n + 1), limit: limit, cap: walk,
		stamp: make([]int, len(p.pieces)), slot: make([]int32, len(p.pieces)),
		seen:   make([]uint32, len(p.insts)),
		barren: make([]uint64, 1<<barrenBits),
	}
	m.flush()
	m.flushes = 0
	return m
}

// flush forgets every state.
func (m *machine) flush() {
	m.flushes++
	m.index = map[string]uint16{}
	m.states = append(m.states[:0], state{}, state{})
	m.rows.reset()
	m.rows.heads = append(m.rows.heads, head{}, head{})
	m.bytes = 0
	m.starts = [numBefore]uint16{}
}

// barrenBits is the size of the table of barren beginnings: 128 KB, so that it
// stays in the cache of a core, as the transitions do not.
const barrenBits = 14

// walkToken is walk for a start at a token that ends at end. Most tokens are
// common words, and most walks end without a match within their token or a few
// bytes behind it. The bytes that such a walk read are kept in a small table,
// and where they come again no walk is needed. The result is the same: what a
// walk finds depends on the bytes that it reads and on b.
func (m *machine) walkToken(text string, start, end int, b before) {
	if start+8 > len(text) {
		m.walk(text, start, b)
		return
	}
	t := text[start : start+8]
	word := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 | uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
	// Up to seven bytes, the token and the one behind it; then two more; then eight.
	n := min(7, end-start+1)
	short := barrenKey(word, n, b)
	at := &m.barren[short*scatter>>(64-barrenBits)]
	if *at == short {
		return
	}
	n2 := min(7, n+1)
	mid := barrenKey(word, n2, b)
	at2 := &m.barren[mid*scatter>>(64-barrenBits)]
	if *at2 == mid {
		return
	}
	long := word | uint64(b&1)<<7 | uint64(b>>1)<<15 | 1<<63
	at3 := &m.barren[long*scatter>>(64-barrenBits)]
	ascii := word&0x8080808080808080 == 0
	if *at3 == long && ascii {
		return
	}
	hits := len(m.hits)
	read := m.walk(text, start, b)
	if len(m.hits) > hits {
		return
	}
	switch {
	case read <= n:
		*at = short
	case read <= n2:
		*at2 = mid
	case read <= 8 && ascii:
		*at3 = long
	}
}

const scatter = 0x9e3779b97f4a7c15

// barrenKey is the key of the first n bytes of word, seven at most, behind b.
func barrenKey(word uint64, n int, b before) uint64 {
	return word&(1<<(8*n)-1) | uint64(n)<<56 | uint64(b)<<60
}

// walk appends to m.hits the matches that begin at start, where b says what
// stands before it, and returns how many bytes it looked at.
func (m *machine) walk(text string, start int, b before) int {
	if len(m.states) > m.limit || m.bytes+2*len(m.rows.cells) > maxBytes {
		m.flush()
	}
	m.walks++
	s := m.starts[b]
	if s == 0 {
		s = m.start(b)
	}
	c := m.p.classes
	steps := 0
	for i := start; ; {
		k, size := c.n, 0
		if i < len(text) {
			if x := text[i]; x < utf8.RuneSelf {
				k, size = int(c.ascii[x]), 1
			} else {
				var r rune
				r, size = utf8.DecodeRuneInString(text[i:])
				k = int(c.of(r))
			}
		}
		next := m.rows.get(s, k)
		if next == 0 {
			next = m.step(s, k)
		}
		steps++
		if next == dead {
			m.steps += steps
			return i - start + max(size, 1)
		}
		s = next &^ finds
		if next != s {
			for _, n := range m.states[s].found {
				m.hit(int(n), start, i)
			}
		}
		if size == 0 || i-start >= m.cap {
			m.steps += steps
			return i - start + max(size, 1)
		}
		i += size
	}
}

// hit keeps the longest match of each pattern within one walk.
func (m *machine) hit(pattern, start, end int) {
	if m.stamp[pattern] == m.walks {
		m.hits[m.slot[pattern]].end = end
		return
	}
	m.stamp[pattern] = m.walks
	m.slot[pattern] = int32(len(m.hits))
	m.hits = append(m.hits, hit{pattern, start, end})
}

// start returns the state in which a walk begins.
func (m *machine) start(b before) uint16 {
	m.begin()
	for _, piece := range m.p.pieces {
		m.add(piece.start, 0)
	}
	m.found = m.found[:0]
	s := m.intern(b)
	m.starts[b] = s &^ finds // nothing is found before a rune is read
	return m.starts[b]
}

// step builds the transition of s on class k.
func (m *machine) step(s uint16, k int) uint16 {
	c := m.p.classes
	from := &m.states[s]
	live := from.insts
	if from.empties {
		// The conditions can only be decided now that the next rune is known.
		holds := c.holds(from.before, k)
		m.begin()
		for _, pc := range from.insts {
			m.add(pc, holds)
		}
		live = slices.Clone(m.set)
	}
	m.found = m.found[:0]
	m.begin()
	for _, pc := range live {
		switch in := &m.p.insts[pc]; in.is() {
		case syntax.InstMatch:
			m.found = append(m.found, uint16(in.arg))
		case syntax.InstRune:
			if k < c.n && m.p.has(in.arg, k) {
				m.add(in.out, 0)
			}
		}
	}
	slices.Sort(m.found)
	m.found = slices.Compact(m.found)
	var b before
	if k < c.n {
		b = c.after(k)
	}
	next := m.intern(b)
	m.rows.set(s, k, next)
	return next
}

// begin empties the set under construction.
func (m *machine) begin() {
	m.set = m.set[:0]
	m.gen++
	if m.gen == 0 { // wrapped
		clear(m.seen)
		m.gen = 1
	}
}

// add puts pc and all that it reaches without reading a rune into the set,
// going through the empty-width conditions that hold.
func (m *machine) add(pc uint32, holds syntax.EmptyOp) {
	m.stack = append(m.stack[:0], pc)
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if m.seen[pc] == m.gen {
			continue
		}
		m.seen[pc] = m.gen
		switch in := &m.p.insts[pc]; in.is() {
		case syntax.InstAlt:
			m.stack = append(m.stack, in.out, in.arg)
		case syntax.InstNop, syntax.InstCapture:
			m.stack = append(m.stack, in.out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.arg)&^holds == 0 {
				m.stack = append(m.stack, in.out)
			} else if holds == 0 {
				m.set = append(m.set, pc)
			}
		case syntax.InstFail:
		default:
			m.set = append(m.set, pc)
		}
	}
}

// intern returns the state of the set under construction.
func (m *machine) intern(b before) uint16 {
	if len(m.set) == 0 && len(m.found) == 0 {
		return dead
	}
	slices.Sort(m.set)
	empties := false
	for _, pc := range m.set {
		empties = empties || m.p.insts[pc].is() == syntax.InstEmptyWidth
	}
	if !empties {
		b = beforeOther // nobody asks, so let the states be one
	}
	m.key = append(m.key[:0], byte(b))
	for _, pc := range m.set {
		m.key = binary.LittleEndian.AppendUint32(m.key, pc)
	}
	m.key = append(m.key, 0xff, 0xff, 0xff, 0xff)
	for _, n := range m.found {
		m.key = binary.LittleEndian.AppendUint16(m.key, n)
	}
	if id, ok := m.index[string(m.key)]; ok {
		return id
	}
	id := uint16(len(m.states))
	m.states = append(m.states, state{slices.Clone(m.set), slices.Clone(m.found), b, empties})
	m.rows.heads = append(m.rows.heads, head{})
	m.bytes += 4*len(m.set) + 2*len(m.found) + len(m.key) + stateBytes
	if len(m.found) > 0 {
		id |= finds
	}
	m.index[string(m.key)] = id
	return id
}
