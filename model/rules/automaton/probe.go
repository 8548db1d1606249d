package automaton

// Probe compiles an expression by itself, with words of Unicode, and returns
// whether a match may begin with one of the runes of first, and how many states
// its automaton has: all of them, or one more than most.
func Probe(expr string, most int, first string) (begins bool, states int, err error) {
	p, err := Compile([]string{expr}, UnicodeWord)
	if err != nil {
		return false, 0, err
	}
	m := New(p, 1<<15, MaxWalk)
	for b := BeforeOther; b < numBefore; b++ {
		start := m.start(b)
		if start == dead {
			continue
		}
		for _, r := range first {
			if next := m.step(start, int(p.classes.of(r))) &^ finds; next != dead && len(m.states[next].insts) > 0 {
				begins = true
			}
		}
	}
	for id := dead + 1; id < len(m.states) && len(m.states) <= most; id++ {
		for k := range m.rows.stride {
			m.step(uint16(id), k)
		}
	}
	return begins, len(m.states), nil
}
