package automaton

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
)

// start returns the state in which a walk begins.
func (m *Machine) start(b Before) uint16 {
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
func (m *Machine) step(s uint16, k int) uint16 {
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
	var b Before
	if k < c.n {
		b = c.after(k)
	}
	next := m.intern(b)
	m.rows.set(s, k, next)
	return next
}

// begin empties the set under construction.
func (m *Machine) begin() {
	m.set = m.set[:0]
	m.gen++
	if m.gen == 0 { // wrapped
		clear(m.seen)
		m.gen = 1
	}
}

// add puts pc and all that it reaches without reading a rune into the set,
// going through the empty-width conditions that hold.
func (m *Machine) add(pc uint32, holds syntax.EmptyOp) {
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
func (m *Machine) intern(b Before) uint16 {
	if len(m.set) == 0 && len(m.found) == 0 {
		return dead
	}
	slices.Sort(m.set)
	empties := false
	for _, pc := range m.set {
		empties = empties || m.p.insts[pc].is() == syntax.InstEmptyWidth
	}
	if !empties {
		b = BeforeOther // nobody asks, so let the states be one
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
	m.rows.base = append(m.rows.base, 0)
	m.bytes += 4*len(m.set) + 2*len(m.found) + len(m.key) + stateBytes
	if len(m.found) > 0 {
		id |= finds
	}
	m.index[string(m.key)] = id
	return id
}
