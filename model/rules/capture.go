package rules

import (
	"regexp/syntax"
	"unicode/utf8"
)

// capturer finds where the first group of an expression lies inside a match
// whose extent the machine already knows: a backtracker that visits each
// (instruction, position) once. Not safe for concurrent use.
type capturer struct {
	p       *program
	visited []uint64
	stack   []job
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
func (c *capturer) group(text string, h hit, b before) (start, end int, ok bool) {
	if !c.p.groups[h.pattern] {
		return h.start, h.end, true
	}
	piece := c.p.pieces[h.pattern]
	n := h.end - h.start + 1
	words := (int(piece.size)*n + 63) / 64
	if cap(c.visited) < words {
		c.visited = make([]uint64, words)
	}
	c.visited = c.visited[:words]
	clear(c.visited)
	at := [2]int32{-1, -1}
	c.stack = append(c.stack[:0], job{pc: piece.start, pos: int32(h.start)})
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
			bit := int(pc-piece.base)*n + pos - h.start
			if c.visited[bit/64]&(1<<(bit%64)) != 0 {
				break
			}
			c.visited[bit/64] |= 1 << (bit % 64)
			switch in := &c.p.insts[pc]; in.is() {
			case syntax.InstMatch:
				if pos == h.end {
					return int(at[0]), int(at[1]), at[0] >= 0 && at[1] >= at[0]
				}
				break run
			case syntax.InstAlt:
				c.stack = append(c.stack, job{pc: in.arg, pos: int32(pos)})
				pc = in.out
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
				if syntax.EmptyOp(in.arg)&^c.holds(text, pos, h.start, b) != 0 {
					break run
				}
				pc = in.out
			case syntax.InstRune:
				if pos >= h.end {
					break run
				}
				k, size := 0, 1
				if x := text[pos]; x < utf8.RuneSelf {
					k = int(c.p.classes.ascii[x])
				} else {
					var r rune
					r, size = utf8.DecodeRuneInString(text[pos:])
					k = int(c.p.classes.of(r))
				}
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

// holds returns the empty-width conditions that hold at pos.
func (c *capturer) holds(text string, pos, start int, b before) syntax.EmptyOp {
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
