package automaton

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// capturer finds where the first group of an expression lies inside a match
// whose extent the machine already knows: a backtracker that visits each
// (instruction, position) once. Not safe for concurrent use.
type capturer struct {
	p       *Program
	visited []uint64
	stack   []job

	branches []branch // a table of what ways found, by pc and class
	targets  []uint32 // of the branches
	seen     []uint32 // scratch of alternatives
}

// branch is where the alternatives at one instruction lead.
type branch struct {
	key      uint64 // 0 where there is none
	from, to uint32 // of targets
}

// branchBits and maxTargets bound the table: 256 KB and 256 KB.
const (
	branchBits = 14
	maxTargets = 1 << 16
)

func newCapturer(p *Program) *capturer {
	return &capturer{p: p, branches: make([]branch, 1<<branchBits)}
}

// ways returns, the preferred first, the instructions to which the alternatives
// at pc lead and that can go on with a rune of class k, or match where k is
// classes.n. An alternative of sixty words is a chain of sixty instructions, of
// which one or two begin with the letter at hand, so what the chain comes to is
// kept.
func (c *capturer) ways(pc uint32, k int) []uint32 {
	key := uint64(pc)<<8 | uint64(k) + 1<<40
	at := &c.branches[key*scatter>>(64-branchBits)]
	if at.key != key {
		if len(c.targets) > maxTargets {
			c.targets = c.targets[:0]
			clear(c.branches)
		}
		from := len(c.targets)
		c.seen = c.seen[:0]
		c.alternatives(pc, k)
		*at = branch{key, uint32(from), uint32(len(c.targets))}
	}
	return c.targets[at.from:at.to]
}

// alternatives appends to targets what ways says. A loop over nothing leads
// back to an instruction, which then adds nothing.
func (c *capturer) alternatives(pc uint32, k int) {
	if !c.p.begins(pc, k) || slices.Contains(c.seen, pc) {
		return
	}
	c.seen = append(c.seen, pc)
	switch in := &c.p.insts[pc]; in.is() {
	case syntax.InstAlt:
		c.alternatives(in.out, k)
		c.alternatives(in.arg, k)
	case syntax.InstNop:
		c.alternatives(in.out, k)
	default:
		c.targets = append(c.targets, pc)
	}
}

// job is one thing left to try; with restore set, it puts a capture back.
type job struct {
	pc      uint32
	pos     int32
	restore bool
	slot    uint8
}

// group returns the extent, in bytes, of the first group of the match h: of
// all the ways to match exactly h, the one that the expression prefers (its
// earlier alternatives first). An expression without a group reports the
// whole match. b is what stands before h.start.
func (c *capturer) group(text string, h hit, b Before) (start, end int, ok bool) {
	if !c.p.groups[h.Pattern] {
		return h.Start, h.End, true
	}
	piece := c.p.pieces[h.Pattern]
	n := h.End - h.Start + 1
	words := (int(piece.size)*n + 63) / 64
	if cap(c.visited) < words {
		c.visited = make([]uint64, words)
	}
	c.visited = c.visited[:words]
	clear(c.visited)
	at := [2]int32{-1, -1}
	c.stack = append(c.stack[:0], job{pc: piece.start, pos: int32(h.Start)})
	for len(c.stack) > 0 {
		j := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if j.restore {
			at[j.slot] = j.pos
			continue
		}
		pc, pos := j.pc, int(j.pos)
	run:
		for {
			bit := int(pc-piece.base)*n + pos - h.Start
			if c.visited[bit/64]&(1<<(bit%64)) != 0 {
				break
			}
			c.visited[bit/64] |= 1 << (bit % 64)
			switch in := &c.p.insts[pc]; in.is() {
			case syntax.InstMatch:
				if pos == h.End {
					return int(at[0]), int(at[1]), at[0] >= 0 && at[1] >= at[0]
				}
				break run
			case syntax.InstAlt:
				k := c.p.classes.n
				if pos < h.End {
					k, _ = c.class(text, pos)
				}
				ways := c.ways(pc, k)
				if len(ways) == 0 {
					break run
				}
				for i := len(ways) - 1; i > 0; i-- {
					c.stack = append(c.stack, job{pc: ways[i], pos: int32(pos)})
				}
				pc = ways[0]
			case syntax.InstNop:
				pc = in.out
			case syntax.InstCapture:
				if in.arg == 2 || in.arg == 3 {
					slot := uint8(in.arg - 2)
					c.stack = append(c.stack, job{pos: at[slot], restore: true, slot: slot})
					at[slot] = int32(pos)
				}
				pc = in.out
			case syntax.InstEmptyWidth:
				if syntax.EmptyOp(in.arg)&^c.holds(text, pos, h.Start, b) != 0 {
					break run
				}
				pc = in.out
			case syntax.InstRune:
				if pos >= h.End {
					break run
				}
				k, size := c.class(text, pos)
				if !c.p.has(in.arg, k) {
					break run
				}
				pos += size
				pc = in.out
			default:
				break run
			}
		}
	}
	return 0, 0, false
}

// class returns the class of the rune at pos and its bytes.
func (c *capturer) class(text string, pos int) (k, size int) {
	if x := text[pos]; x < utf8.RuneSelf {
		return int(c.p.classes.ascii[x]), 1
	}
	r, size := utf8.DecodeRuneInString(text[pos:])
	return int(c.p.classes.of(r)), size
}

// holds returns the empty-width conditions that hold at pos.
func (c *capturer) holds(text string, pos, start int, b Before) syntax.EmptyOp {
	cl := c.p.classes
	if pos > start {
		r, _ := utf8.DecodeLastRuneInString(text[:pos])
		b = cl.after(int(cl.of(r)))
	}
	k := cl.n
	if pos < len(text) {
		r, _ := utf8.DecodeRuneInString(text[pos:])
		k = int(cl.of(r))
	}
	return cl.holds(b, k)
}
