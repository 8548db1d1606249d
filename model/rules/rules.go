// Package rules finds PHI by pattern: what has a shape (an e-mail address, a
// phone number, a date) and what has a label (MRN, accession, lot). Networks
// miss rare and regular patterns, and rules catch them (Lee et al. 2017;
// Stubbs et al. 2015).
//
// A language pack is a table of expressions in RE2 syntax, each with a type,
// a score, a check for what an expression cannot say, and examples. All
// expressions run at once in one lazy DFA that is started at every token and
// stops as soon as none can match, so the cost does not grow with their
// number. Package regexp serves as the oracle in the tests.
package rules

import (
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Rules are the compiled rules of a language. Immutable and safe for
// concurrent use.
type Rules struct {
	pack      *pack
	tokens    *program // run at every token
	triggered *program // run where a trigger fires
	lists     *wordLists
}

// Languages returns the languages that have a pack.
func Languages() []string { return []string{"en", "es"} }

// New returns the rules of a language, given by its ISO 639-1 code: "en" or "es", and
// those that sites add. Compiling takes some tens of milliseconds, so do it once
// per process.
func New(language string, sites ...*Site) (*Rules, error) {
	switch language {
	case "en":
		return newRules(english(), sites)
	case "es":
		return newRules(spanish(), sites)
	}
	return nil, fmt.Errorf("rules: no rules for language %q; use one of %q", language, Languages())
}

func newRules(p *pack, sites []*Site) (*Rules, error) {
	names := map[string]bool{}
	for _, r := range slices.Concat(p.rules, p.triggered) {
		names[r.name] = true
	}
	var lists []list
	for _, s := range sites {
		if s == nil {
			continue
		}
		for _, r := range s.rules {
			if names[r.name] {
				return nil, fmt.Errorf("rule %q: there is a rule of that name already; name it otherwise", r.name)
			}
			names[r.name] = true
			p.rules = append(p.rules, r)
		}
		lists = append(lists, s.lists...)
	}
	tokens, err := compileRules(p.rules, p.macros)
	if err != nil {
		return nil, err
	}
	triggered, err := compileRules(p.triggered, p.macros)
	if err != nil {
		return nil, err
	}
	return &Rules{pack: p, tokens: tokens, triggered: triggered, lists: newWordLists(lists)}, nil
}

// Matcher runs the rules over texts. It has two automata, for the rules that run
// at every token and for those with a trigger, and learns their states as it
// reads: 6 MB for text of all kinds. One that comes to 16 MB forgets all and
// starts anew, so that a Matcher never takes more than about 32 MB. Keep it and
// use it for many texts. Not safe for concurrent use: one per goroutine.
type Matcher struct {
	rules     *Rules
	tokens    *machine
	triggered *machine
	found     []candidate
	judged    candidate // the one that accept is at
	dots      int       // end of the last dotted run that a trigger looked at
	owner     []int32
}

// NewMatcher returns a matcher of r.
func (r *Rules) NewMatcher() *Matcher {
	return &Matcher{
		rules:     r,
		tokens:    newMachine(r.tokens, maxStates, maxWalk),
		triggered: newMachine(r.triggered, maxStates, maxTrigger),
	}
}

// Tag appends to dst the PHI that the rules find in text and returns it.
// tokens are text's tokens, from token.Tokenize. The spans are in order and
// do not overlap; where rules disagree, the surer one has the bytes, then the
// longer one, and what is left of the other stays a span of its own. Ends
// carry no blanks and no closing punctuation. Offsets are bytes.
//
// The result depends on text alone, not on what the matcher has read before.
func (m *Matcher) Tag(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	m.find(text, tokens)
	return m.resolve(dst, text)
}

// find fills m.found with the accepted matches of all rules, overlaps included.
func (m *Matcher) find(text string, tokens []token.Token) {
	m.found = m.found[:0]
	m.tokens.reset()
	m.triggered.reset()
	m.dots = 0
	reach := 0 // end of the last triggered run
	for i := range tokens {
		t := &tokens[i]
		if t.Class == token.Newline {
			continue
		}
		start := int(t.Start)
		if t.Class == token.Symbol && (text[start] == '.' || text[start] == '@' || text[start] == ':') {
			reach = m.trigger(text, start, reach)
		}
		b := beforeOther
		if i == 0 || tokens[i-1].End == t.Start { // else a blank stands before it
			b = m.behind(text, tokens, i)
		}
		m.tokens.walkToken(text, start, int(t.End), b)
		if t.Class == token.Upper && int(t.End) < len(text) {
			m.suffix(text, t)
		}
	}
	m.accept(text, m.tokens, m.rules.pack.rules, 0)
	m.accept(text, m.triggered, m.rules.pack.triggered, len(m.rules.pack.rules))
	if lists := m.rules.lists; lists != nil {
		m.found = lists.scan(m.found, text, tokens, len(m.rules.pack.rules)+len(m.rules.pack.triggered))
	}
}

// suffix starts a walk at a label that ends a run of capitals.
func (m *Matcher) suffix(text string, t *token.Token) {
	s := t.Text(text)
	for _, label := range m.rules.pack.suffixes {
		if n := len(s) - len(label); n > 0 && s[n:] == label {
			m.tokens.walk(text, int(t.Start)+n, beforeWord)
		}
	}
}

// accept turns the hits of a machine into candidates and checks them.
func (m *Matcher) accept(text string, mc *machine, rules []rule, base int) {
	for _, h := range mc.hits {
		r := &rules[h.pattern]
		if r.digits && !hasDigit(text[h.start:h.end]) {
			continue
		}
		start, end, ok := mc.group(text, h, mc.behind(text, h.start))
		if !ok {
			continue
		}
		c := &m.judged
		*c = candidate{base + h.pattern, h.start, h.end, start, end, r.typ, r.score}
		c.start, c.end = trim(text, c.start, c.end)
		if c.start < c.end && (r.check == nil || r.check(text, c)) && c.start < c.end {
			m.found = append(m.found, *c)
		}
	}
}

// behind tells what stands before token i, where that is no blank.
func (m *Matcher) behind(text string, tokens []token.Token, i int) before {
	if i > 0 && tokens[i-1].Class < token.Symbol {
		return beforeWord
	}
	return m.tokens.behind(text, int(tokens[i].Start))
}
