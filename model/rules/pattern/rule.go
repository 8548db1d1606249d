package pattern

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Rule is one line of a language pack.
type Rule struct {
	Name  string   // unique within the pack
	Type  phi.Type // what it finds
	Score float32  // 0.95 and more: certain; below 0.9: needs its context
	// Expr is RE2 syntax with macros in angle brackets. Its first group is the
	// span, the whole match where it has none. A match begins at a token.
	Expr string
	// Check looks at a match once found; it may reject it, move its ends or
	// change its score. Nil accepts all.
	Check Check
	// Digits tells that the check wants a digit in the match, so that a match
	// without one is dropped before its group is looked for.
	Digits bool
	// Match are texts in which the rule finds exactly what [[ ]] marks.
	Match []string
	// Never are texts in which the rule finds nothing.
	Never []string
}

// Check judges a candidate against the text around it.
type Check func(text string, c *Candidate) bool

// Candidate is a match of one rule. All offsets are bytes.
type Candidate struct {
	Rule       int
	From, To   int // the whole match, with its context
	Start, End int // the span
	Type       phi.Type
	Score      float32
}

// Text returns the span's text.
func (c *Candidate) Text(text string) string { return text[c.Start:c.End] }
