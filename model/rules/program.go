package rules

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

// program is the joined, immutable program of a list of expressions. Safe for
// concurrent use.
type program struct {
	insts   []inst
	pieces  []piece // by pattern
	classes *classes
	member  []uint64 // bits; see has
	words   int      // of member for each set
	groups  []bool   // by pattern: the expression has a capturing group
}

// The runes of a word, for \b: Go's own \b knows ASCII only and would cut
// "José" after "Jos".
const (
	unicodeWord = `[\p{L}\p{M}\p{Nd}_]`
	asciiWord   = `[0-9A-Za-z_]`
)

// compile joins expressions in RE2 syntax. word is the character class behind
// \b. Errors give the number of the expression and the parser's reason.
func compile(exprs []string, word string) (*program, error) {
	if len(exprs) > 1<<16-1 {
		return nil, fmt.Errorf("rules: %d expressions, at most 65535 are supported", len(exprs))
	}
	p := &program{}
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
	return p, nil
}

// has reports whether a set holds a class.
func (p *program) has(set uint32, k int) bool {
	return p.member[int(set)*p.words+k>>6]>>(k&63)&1 != 0
}

// before is what stands before a position: all that an empty-width condition
// can ask of the left side.
type before uint8

const (
	beforeOther before = iota // a rune that is neither of a word nor '\n'
	beforeWord
	beforeNewline
	beforeText // nothing: the start of the text
	numBefore
)

// after returns what stands before the position after a rune of class k.
func (c *classes) after(k int) before {
	switch {
	case c.newline[k]:
		return beforeNewline
	case c.word[k]:
		return beforeWord
	}
	return beforeOther
}

// holds returns the empty-width conditions that hold between b and a rune of
// class k; k = classes.n stands for the end of the text.
func (c *classes) holds(b before, k int) syntax.EmptyOp {
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
	if word != (b == beforeWord) {
		return e | syntax.EmptyWordBoundary
	}
	return e | syntax.EmptyNoWordBoundary
}
