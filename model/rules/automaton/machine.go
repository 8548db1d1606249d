package automaton

import (
	"unicode/utf8"
)

// Limits of the automaton.
const (
	// maxWalk caps one walk, in bytes, so that no input costs more than a
	// constant per token.
	MaxWalk = 256
	// maxStates and maxBytes are the number of states and the memory at which
	// the machine forgets all and starts again; text of all kinds needs about
	// half of them. One walk may add a few hundred states beyond the limit.
	MaxStates = 32000
	maxBytes  = 16 << 20
	// stateBytes is what a state takes besides its instructions and patterns:
	// its slices, its row's place and its own in the index.
	stateBytes = 120
)

// hit is one match: the longest of its pattern that begins at start. Bytes.
type hit struct {
	Pattern    int
	Start, End int
}

// Machine is the lazy set-DFA of a program: a state is the set of
// instructions that are alive after the bytes read, and is built when first
// reached. It is anchored: a walk starts at one position and stops as soon as
// no expression can match any more. Not safe for concurrent use; the program
// is shared.
type Machine struct {
	p      *Program
	rows   rows              // transitions, to a state and whether it finds
	states []state           // state 0 is unused, state 1 is dead
	index  map[string]uint16 // state's key -> state
	starts [numBefore]uint16 // 0 where unknown
	bytes  int               // memory of the states
	limit  int               // states before a flush
	cap    int               // bytes of one walk

	capture *capturer

	barren []uint64 // tokens where walks find nothing; see walkToken
	jumps  []uint64 // first bytes of walks and where they lead: the bytes, what stands before them, state

	Hits  []hit   // of the walks since reset
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

// stats are what a machine has done and what it keeps.
type stats struct {
	States  int // that it knows
	Steps   int // runes read since it was made
	Flushes int // how often it forgot all
}

func (m *Machine) Stats() stats { return stats{len(m.states), m.steps, m.flushes} }

// Reset forgets the hits.
func (m *Machine) Reset() { m.Hits = m.Hits[:0] }

// Behind tells what stands before byte i of a text.
func (m *Machine) Behind(text string, i int) Before {
	if i == 0 {
		return beforeText
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return m.p.classes.after(int(m.p.classes.of(r)))
}

// Group returns the ends of the expression's first group within a hit of the
// machine, those of the hit where it has none; b says what stands before it.
func (m *Machine) Group(text string, h hit, b Before) (start, end int, ok bool) {
	return m.capture.group(text, h, b)
}

type state struct {
	insts   []uint32 // rune, empty-width and match instructions, sorted
	found   []uint16 // patterns that match before the rune that led here, sorted
	before  Before
	empties bool // holds empty-width instructions
}

const dead = 1

// finds is set in the number of a state that tells of a match; states are
// numbered below it.
const finds = 1 << 15

func New(p *Program, limit, walk int) *Machine {
	m := &Machine{
		p: p, rows: newRows(p.classes.n + 1), limit: limit, cap: walk,
		stamp: make([]int, len(p.pieces)), slot: make([]int32, len(p.pieces)),
		seen:    make([]uint32, len(p.insts)),
		capture: newCapturer(p),
		barren:  make([]uint64, 1<<barrenBits),
		jumps:   make([]uint64, 1<<jumpBits),
	}
	m.flush()
	m.flushes = 0
	return m
}

// flush forgets every state.
func (m *Machine) flush() {
	m.flushes++
	m.index = map[string]uint16{}
	clear(m.states) // they hold slices
	m.states = append(m.states[:0], state{}, state{})
	m.rows.reset()
	clear(m.jumps)
	m.rows.base = append(m.rows.base, 0, 0)
	m.bytes = 0
	m.starts = [numBefore]uint16{}
}

// barrenBits and jumpBits are the sizes of the tables of barren beginnings and
// of jumps: 128 KB and 64 KB, so that they stay in the cache of a core, as the
// transitions do not.
const (
	barrenBits = 14
	jumpBits   = 13
)

// inJump is the bytes of a jump.
const inJump = 3

// WalkToken is walk for a start at a token that ends at end. Most tokens are
// common words, and most walks end without a match within their token or at the
// byte behind it. The bytes that such a walk read are kept in a small table,
// and where they come again no walk is needed. The other walks begin in the
// state that the same first bytes led to the last time. The result is the same:
// what a walk finds depends on the bytes that it reads and on b.
func (m *Machine) WalkToken(text string, start, end int, b Before) {
	if start+8 > len(text) {
		m.Walk(text, start, b)
		return
	}
	word := word(text[start : start+8])
	// Up to seven bytes: the token and the one behind it.
	n := min(7, end-start+1)
	key := word&(1<<(8*n)-1) | uint64(n)<<56 | uint64(b)<<60
	at := &m.barren[key*scatter>>(64-barrenBits)]
	if *at == key {
		return
	}
	if uint32(word)&highBits != 0 {
		m.Walk(text, start, b)
		return
	}
	m.room()
	from := word&0xffffff | uint64(b+1)<<32
	jump := &m.jumps[from*scatter>>(64-jumpBits)]
	s := uint16(*jump >> 48)
	if *jump&(1<<48-1) != from {
		var ok bool
		if s, ok = m.leap(text, start, b); !ok {
			m.Walk(text, start, b)
			return
		}
		*jump = from | uint64(s)<<48
	}
	if s == dead {
		return
	}
	hits := len(m.Hits)
	m.walks++
	if m.run(text, start, start+inJump, s) <= n && len(m.Hits) == hits {
		*at = key
	}
}

const (
	scatter  = 0x9e3779b97f4a7c15
	highBits = 0x80808080
)

// leap returns the state after the first bytes of a walk, which are ASCII. It
// is not ok where there is a match within them.
func (m *Machine) leap(text string, start int, b Before) (s uint16, ok bool) {
	s = m.from(b)
	for i := start; i < start+inJump; i++ {
		k := int(m.p.classes.ascii[text[i]])
		next := m.rows.get(s, k)
		if next == 0 {
			next = m.step(s, k)
		}
		m.steps++
		if next == dead {
			return dead, true
		}
		if next&finds != 0 {
			return 0, false
		}
		s = next
	}
	return s, true
}

// room forgets all where the limits are reached.
func (m *Machine) room() {
	if len(m.states) > m.limit || m.bytes+4*cap(m.rows.cells) > maxBytes {
		m.flush()
	}
}

// word returns eight bytes as a number, the first the lowest.
func word(t string) uint64 {
	_ = t[7]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
		uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
}

// from returns the state in which a walk begins.
func (m *Machine) from(b Before) uint16 {
	if s := m.starts[b]; s != 0 {
		return s
	}
	return m.start(b)
}

// Walk appends to m.hits the matches that begin at start, where b says what
// stands before it, and returns how many bytes it looked at.
func (m *Machine) Walk(text string, start int, b Before) int {
	m.room()
	m.walks++
	return m.run(text, start, start, m.from(b))
}

// run is a walk that began at start, from byte i on, where it is in state s.
func (m *Machine) run(text string, start, i int, s uint16) int {
	c := m.p.classes
	base, cells := m.rows.base, m.rows.cells
	for size := 1; ; {
		k := c.n
		if i < len(text) {
			if x := text[i]; x < utf8.RuneSelf {
				k, size = int(c.ascii[x]), 1
			} else {
				var r rune
				r, size = utf8.DecodeRuneInString(text[i:])
				k = int(c.of(r))
			}
		} else {
			size = 1
		}
		m.steps++
		cell := cells[int(base[s])+k]
		if cell>>16 != uint32(s) {
			cell = uint32(m.step(s, k))
			base, cells = m.rows.base, m.rows.cells
		}
		next := uint16(cell)
		if next == dead {
			return i - start + size
		}
		s = next &^ finds
		if next != s {
			for _, n := range m.states[s].found {
				m.hit(int(n), start, i)
			}
		}
		if i >= len(text) || i-start >= m.cap {
			return i - start + size
		}
		i += size
	}
}

// hit keeps the longest match of each pattern within one walk.
func (m *Machine) hit(pattern, start, end int) {
	if m.stamp[pattern] == m.walks {
		m.Hits[m.slot[pattern]].End = end
		return
	}
	m.stamp[pattern] = m.walks
	m.slot[pattern] = int32(len(m.Hits))
	m.Hits = append(m.Hits, hit{pattern, start, end})
}
