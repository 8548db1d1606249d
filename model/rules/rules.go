package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/automaton"
	"github.com/palimpsest-deid/palimpsest/model/rules/en"
	"github.com/palimpsest-deid/palimpsest/model/rules/es"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Rules are the compiled rules of a language. Immutable and safe for
// concurrent use.
type Rules struct {
	pack      *pattern.Pack
	tokens    *automaton.Program // run at every token
	triggered *automaton.Program // run where a trigger fires
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
		return newRules(en.Pack(), sites)
	case "es":
		return newRules(es.Pack(), sites)
	}
	return nil, fmt.Errorf("rules: no rules for language %q; use one of %q", language, Languages())
}

func newRules(p *pattern.Pack, sites []*Site) (*Rules, error) {
	names := map[string]bool{}
	for _, r := range slices.Concat(p.Rules, p.Triggered) {
		names[r.Name] = true
	}
	var lists []list
	for _, s := range sites {
		if s == nil {
			continue
		}
		for _, r := range s.rules {
			if names[r.Name] {
				return nil, fmt.Errorf("rule %q: there is a rule of that name already; name it otherwise", r.Name)
			}
			names[r.Name] = true
			r.Expr = strings.NewReplacer(`\<`, `\x{3C}`, "<", `\x{3C}`).Replace(r.Expr) // no macro is meant
			p.Rules = append(p.Rules, r)
		}
		lists = append(lists, s.lists...)
	}
	tokens, err := compileRules(p.Rules, p.Macros)
	if err != nil {
		return nil, err
	}
	triggered, err := compileRules(p.Triggered, p.Macros)
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
	tokens    *automaton.Machine
	triggered *automaton.Machine
	found     []pattern.Candidate
	judged    pattern.Candidate // the one that accept is at
	dots      int               // end of the last dotted run that a trigger looked at
	owner     []int32
}

// NewMatcher returns a matcher of r.
func (r *Rules) NewMatcher() *Matcher {
	return &Matcher{
		rules:     r,
		tokens:    automaton.New(r.tokens, automaton.MaxStates, automaton.MaxWalk),
		triggered: automaton.New(r.triggered, automaton.MaxStates, maxTrigger),
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
	m.tokens.Reset()
	m.triggered.Reset()
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
		b := automaton.BeforeOther
		if i == 0 || tokens[i-1].End == t.Start { // else a blank stands before it
			b = m.behind(text, tokens, i)
		}
		m.tokens.WalkToken(text, start, int(t.End), b)
		if t.Class == token.Upper && int(t.End) < len(text) {
			m.suffix(text, t)
		}
	}
	m.accept(text, m.tokens, m.rules.pack.Rules, 0)
	m.accept(text, m.triggered, m.rules.pack.Triggered, len(m.rules.pack.Rules))
	if lists := m.rules.lists; lists != nil {
		m.found = lists.scan(m.found, text, tokens, len(m.rules.pack.Rules)+len(m.rules.pack.Triggered))
	}
}

// suffix starts a walk at a label that ends a run of capitals.
func (m *Matcher) suffix(text string, t *token.Token) {
	s := t.Text(text)
	for _, label := range m.rules.pack.Suffixes {
		if n := len(s) - len(label); n > 0 && s[n:] == label {
			m.tokens.Walk(text, int(t.Start)+n, automaton.BeforeWord)
		}
	}
}

// accept turns the hits of a machine into candidates and checks them.
func (m *Matcher) accept(text string, mc *automaton.Machine, rules []pattern.Rule, base int) {
	for _, h := range mc.Hits {
		r := &rules[h.Pattern]
		if r.Digits && !pattern.HasDigit(text[h.Start:h.End]) {
			continue
		}
		start, end, ok := mc.Group(text, h, mc.Behind(text, h.Start))
		if !ok {
			continue
		}
		c := &m.judged
		*c = pattern.Candidate{Rule: base + h.Pattern, From: h.Start, To: h.End, Start: start, End: end, Type: r.Type, Score: r.Score}
		c.Start, c.End = pattern.Trim(text, c.Start, c.End)
		if c.Start < c.End && (r.Check == nil || r.Check(text, c)) && c.Start < c.End {
			m.found = append(m.found, *c)
		}
	}
}

// behind tells what stands before token i, where that is no blank.
func (m *Matcher) behind(text string, tokens []token.Token, i int) automaton.Before {
	if i > 0 && tokens[i-1].Class < token.Symbol {
		return automaton.BeforeWord
	}
	return m.tokens.Behind(text, int(tokens[i].Start))
}
