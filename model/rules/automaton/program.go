package automaton

import (
	"fmt"
	"regexp/syntax"
)

// inst is one instruction of the joined program of all expressions.
type inst struct {
	out uint32
	arg uint32 // second branch, capture slot, empty-width condition, rune set or pattern
	op  uint8  // a syntax.InstOp
}

func (in *inst) is() syntax.InstOp { return syntax.InstOp(in.op) }

// span of instructions that one expression owns.
type piece struct{ start, base, size uint32 }

// Program is the joined, immutable program of a list of expressions. Safe for
// concurrent use.
type Program struct {
	insts   []inst
	pieces  []piece // by pattern
	classes *classes
	member  []uint64 // bits; see has
	words   int      // of member for each set
	groups  []bool   // by pattern: the expression has a capturing group
	first   []uint64 // bits; see begins
	firsts  int      // words of first for each instruction
}

// The runes of a word, for \b: Go's own \b knows ASCII only and would cut
// "José" after "Jos".
const (
	UnicodeWord = `[\p{L}\p{M}\p{Nd}_]`
	ASCIIWord   = `[0-9A-Za-z_]`
)

// Compile joins expressions in RE2 syntax. word is the character class behind
// \b. Errors give the number of the expression and the parser's reason.
func Compile(exprs []string, word string) (*Program, error) {
	if len(exprs) > 1<<16-1 {
		return nil, fmt.Errorf("rules: %d expressions, at most 65535 are supported", len(exprs))
	}
	p := &Program{}
	var sets []runeSet
	ids := map[string]uint32{}
	for n, expr := range exprs {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("rules: expression %d: %w", n, err)
		}
		p.groups = append(p.groups, re.MaxCap() > 0)
		prog, err := syntax.Compile(re.Simplify())
		if err != nil {
			return nil, fmt.Errorf("rules: expression %d: %w", n, err)
		}
		base := uint32(len(p.insts))
		p.pieces = append(p.pieces, piece{base + uint32(prog.Start), base, uint32(len(prog.Inst))})
		for i := range prog.Inst {
			in := &prog.Inst[i]
			x := inst{op: uint8(in.Op), out: base + in.Out, arg: in.Arg}
			switch in.Op {
			case syntax.InstAlt, syntax.InstAltMatch:
				x.op, x.arg = uint8(syntax.InstAlt), base+in.Arg
			case syntax.InstMatch:
				x.arg = uint32(n)
			case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
				x.op = uint8(syntax.InstRune)
				set := instSet(in)
				id, ok := ids[string([]rune(set))]
				if !ok {
					id = uint32(len(sets))
					ids[string([]rune(set))] = id
					sets = append(sets, set)
				}
				x.arg = id
			}
			p.insts = append(p.insts, x)
		}
	}
	c, member, err := newClasses(sets, classSet(word))
	if err != nil {
		return nil, err
	}
	p.classes, p.words = c, (c.n+63)/64
	p.member = make([]uint64, p.words*len(sets))
	for i, in := range member {
		if in {
			k := i % c.n
			p.member[i/c.n*p.words+k/64] |= 1 << (k % 64)
		}
	}
	p.findFirst()
	return p, nil
}

// begins reports whether a way from the instruction pc may read a rune of class
// k next, or, with k = classes.n, may match without reading one. Empty-width
// conditions count as if they held. Known for expressions with a group only.
func (p *Program) begins(pc uint32, k int) bool {
	return p.first[int(pc)*p.firsts+k>>6]>>(k&63)&1 != 0
}

// findFirst fills first: the instructions of an expression take over what their
// successors begin with until nothing changes.
func (p *Program) findFirst() {
	end := p.classes.n
	p.firsts = end/64 + 1
	p.first = make([]uint64, p.firsts*len(p.insts))
	match := make([]uint64, p.firsts)
	match[end>>6] = 1 << (end & 63)
	at := func(pc uint32) []uint64 { return p.first[int(pc)*p.firsts:][:p.firsts] }
	for n, piece := range p.pieces {
		if !p.groups[n] {
			continue
		}
		for changed := true; changed; {
			changed = false
			take := func(pc uint32, from []uint64) {
				for i, w := range from {
					if to := at(pc); to[i]|w != to[i] {
						to[i], changed = to[i]|w, true
					}
				}
			}
			for pc := piece.base + piece.size; pc > piece.base; {
				pc--
				switch in := &p.insts[pc]; in.is() {
				case syntax.InstMatch:
					take(pc, match)
				case syntax.InstRune:
					take(pc, p.member[int(in.arg)*p.words:][:p.words])
				case syntax.InstAlt:
					take(pc, at(in.out))
					take(pc, at(in.arg))
				case syntax.InstNop, syntax.InstCapture, syntax.InstEmptyWidth:
					take(pc, at(in.out))
				}
			}
		}
	}
}

// has reports whether a set holds a class.
func (p *Program) has(set uint32, k int) bool {
	return p.member[int(set)*p.words+k>>6]>>(k&63)&1 != 0
}

// Before is what stands before a position: all that an empty-width condition
// can ask of the left side.
type Before uint8

const (
	BeforeOther Before = iota // a rune that is neither of a word nor '\n'
	BeforeWord
	beforeNewline
	beforeText // nothing: the start of the text
	numBefore
)

// after returns what stands before the position after a rune of class k.
func (c *classes) after(k int) Before {
	switch {
	case c.newline[k]:
		return beforeNewline
	case c.word[k]:
		return BeforeWord
	}
	return BeforeOther
}

// holds returns the empty-width conditions that hold between b and a rune of
// class k; k = classes.n stands for the end of the text.
func (c *classes) holds(b Before, k int) syntax.EmptyOp {
	var e syntax.EmptyOp
	switch b {
	case beforeText:
		e |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	case beforeNewline:
		e |= syntax.EmptyBeginLine
	}
	word := false
	if k == c.n {
		e |= syntax.EmptyEndText | syntax.EmptyEndLine
	} else {
		word = c.word[k]
		if c.newline[k] {
			e |= syntax.EmptyEndLine
		}
	}
	if word != (b == BeforeWord) {
		return e | syntax.EmptyWordBoundary
	}
	return e | syntax.EmptyNoWordBoundary
}
