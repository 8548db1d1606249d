package deid

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Allow is a site's list of what is no PHI, such as the names of its own clinics
// and assays. A span that lies within such a term is left as it is, unless a
// known identifier of the patient does, too. Immutable; nil allows nothing.
type Allow struct {
	digest      string
	terms       map[string][]*allowed // by their words, as joined writes them
	lengths     []int                 // of the terms, in tokens; distinct and sorted
	expressions []*allowed
}

type allowed struct {
	pattern       *regexp.Regexp // nil for a term
	text          string         // of a term that is matched as it is written
	before, after *regexp.Regexp
	types         [phi.NumTypes]bool
}

// allowEntry is an entry of the file.
type allowEntry struct {
	Term       string   `yaml:"term"`
	Case       string   `yaml:"case"`
	Expression string   `yaml:"expression"`
	Types      []string `yaml:"types"`
	Before     string   `yaml:"before"`
	After      string   `yaml:"after"`
}

// Limits of an allow list: expressions are tried one by one in each text.
const (
	maxAllowExpressions = 200
	maxAllowTerms       = 100_000
	maxAllowWords       = 24 // tokens of a term
	contextReach        = 200
)

// ParseAllow reads an allow list from YAML: below `allow:`, entries of a term or
// an expression (RE2), each with the types that it is for (or categories; all, if
// none is named) and what must stand before and after (RE2; on the same line).
// Terms are whole words; blanks and line ends within them are alike, and case is
// ignored unless `case: exact` is said. Expressions heed case unless they say
// (?i). file only names the source in errors, which tell the line. near returns
// the name that a misspelt one was probably meant for, or "".
func ParseAllow(file string, data []byte, near phi.Near) (*Allow, error) {
	sum := sha256.Sum256(data)
	a := &Allow{digest: hex.EncodeToString(sum[:]), terms: map[string][]*allowed{}}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode || len(doc.Content[0].Content) != 2 ||
		doc.Content[0].Content[0].Value != "allow" || len(doc.Content[0].Content[1].Content) == 0 {
		return nil, fmt.Errorf("%s: it needs `allow:` with a list of entries, and nothing else", file)
	}
	lengths := map[int]bool{}
	for _, item := range doc.Content[0].Content[1].Content {
		if err := a.add(item, lengths, near); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, item.Line, err)
		}
	}
	if len(a.expressions) > maxAllowExpressions || len(a.terms) > maxAllowTerms {
		return nil, fmt.Errorf("%s: %d expressions and %d terms, at most %d and %d are supported", file, len(a.expressions), len(a.terms),
			maxAllowExpressions, maxAllowTerms)
	}
	for n := range lengths {
		a.lengths = append(a.lengths, n)
	}
	slices.Sort(a.lengths)
	return a, nil
}

// Digest returns the SHA-256 of the file, in hex; "" of none.
func (a *Allow) Digest() string {
	if a == nil {
		return ""
	}
	return a.digest
}

var allowKeys = []string{"term", "case", "expression", "types", "before", "after"}

func (a *Allow) add(item *yaml.Node, lengths map[int]bool, near phi.Near) error {
	if item.Kind != yaml.MappingNode {
		return errors.New("want an entry with a term or an expression")
	}
	for i := 0; i < len(item.Content); i += 2 {
		if key := item.Content[i].Value; !slices.Contains(allowKeys, key) {
			return near.Unknown("key", key, allowKeys)
		}
	}
	var e allowEntry
	if err := item.Decode(&e); err != nil {
		return err
	}
	x := &allowed{}
	var err error
	if x.types, err = typesOf(e.Types, near); err != nil {
		return err
	}
	if e.Before != "" {
		if x.before, err = regexp.Compile("(?:" + e.Before + ")$"); err != nil {
			return fmt.Errorf("before: %w", err)
		}
	}
	if e.After != "" {
		if x.after, err = regexp.Compile("^(?:" + e.After + ")"); err != nil {
			return fmt.Errorf("after: %w", err)
		}
	}
	switch {
	case (e.Term == "") == (e.Expression == ""):
		return errors.New("an entry has a term or an expression, one of them")
	case e.Expression != "":
		if e.Case != "" {
			return errors.New("case is for terms; write (?i) into the expression")
		}
		if x.pattern, err = regexp.Compile(e.Expression); err != nil {
			return fmt.Errorf("expression: %w", err)
		}
		if x.pattern.MatchString("") {
			return errors.New("the expression matches nothing at all, too")
		}
		x.pattern.Longest()
		a.expressions = append(a.expressions, x)
		return nil
	}
	switch e.Case {
	case "", "ignore":
	case "exact":
		x.text = strings.Join(strings.Fields(e.Term), " ")
	default:
		return fmt.Errorf("case %q: write ignore or exact", e.Case)
	}
	tokens := token.Tokenize(nil, e.Term)
	if len(tokens) > maxAllowWords || !strings.ContainsFunc(e.Term, letterOrDigit) {
		return fmt.Errorf("a term has a letter or digit, and at most %d words and marks", maxAllowWords)
	}
	key := joined(e.Term, tokens)
	a.terms[key] = append(a.terms[key], x)
	lengths[strings.Count(key, "\x1f")] = true
	return nil
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// typesOf returns the types of names of types and categories; all for none.
func typesOf(all []string, near phi.Near) (set [phi.NumTypes]bool, err error) {
	for _, name := range all {
		types, err := phi.Named(name, near)
		if err != nil {
			return set, err
		}
		for _, t := range types {
			set[t] = true
		}
	}
	for t := range set {
		set[t] = set[t] || len(all) == 0
	}
	return set, nil
}

// joined returns tokens as one string, folded, without line ends.
func joined(text string, tokens []token.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		if t.Class != token.Newline {
			b.WriteString(names.Fold(t.Text(text)))
			b.WriteByte('\x1f')
		}
	}
	return b.String()
}

// Allows reports whether a span lies within something that the list allows for
// its type.
func (a *Allow) Allows(text string, tokens []token.Token, s phi.Span) bool {
	if a == nil {
		return false
	}
	start, end := trimmed(text, s)
	for _, x := range a.expressions {
		if x.types[s.Type] && x.around(text, start, end) {
			return true
		}
	}
	return len(a.lengths) > 0 && a.term(text, tokens, s.Type, start, end)
}

// trimmed returns the ends of a span without marks and blanks.
func trimmed(text string, s phi.Span) (start, end int) {
	part := text[s.Start:s.End]
	left := strings.TrimLeftFunc(part, func(r rune) bool { return !letterOrDigit(r) })
	both := strings.TrimRightFunc(left, func(r rune) bool { return !letterOrDigit(r) })
	if both == "" {
		return s.Start, s.End
	}
	start = s.Start + len(part) - len(left)
	return start, start + len(both)
}

// around reports whether an expression matches a stretch that holds start to end.
// It is looked for near the span alone.
func (x *allowed) around(text string, start, end int) bool {
	lo, hi := edge(text, start-contextReach), edge(text, end+contextReach)
	for _, m := range x.pattern.FindAllStringIndex(text[lo:hi], -1) {
		if from, to := lo+m[0], lo+m[1]; from <= start && to >= end && whole(text, from, to) && x.context(text, from, to) {
			return true
		}
	}
	return false
}

// edge moves an offset into the text and to the start of a code point.
func edge(text string, at int) int {
	at = max(0, min(len(text), at))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// whole reports whether a stretch begins and ends where a word does.
func whole(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:to])
	last, _ := utf8.DecodeLastRuneInString(text[from:to])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !(letterOrDigit(before) && letterOrDigit(first)) && !(letterOrDigit(last) && letterOrDigit(after))
}

// context reports whether what an entry asks for stands before and after.
func (x *allowed) context(text string, from, to int) bool {
	if x.before != nil {
		before := text[edge(text, from-contextReach):from]
		if !x.before.MatchString(before[strings.LastIndexByte(before, '\n')+1:]) {
			return false
		}
	}
	if x.after != nil {
		after := text[to:edge(text, to+contextReach)]
		if i := strings.IndexByte(after, '\n'); i >= 0 {
			after = after[:i]
		}
		if !x.after.MatchString(after) {
			return false
		}
	}
	return true
}

// term reports whether a term holds the stretch from start to end.
func (a *Allow) term(text string, tokens []token.Token, typ phi.Type, start, end int) bool {
	first, _ := slices.BinarySearchFunc(tokens, start, func(t token.Token, at int) int { return int(t.End) - at - 1 })
	longest := a.lengths[len(a.lengths)-1]
	for i, before := first, 0; i >= 0 && before < longest; i-- {
		if i >= len(tokens) {
			continue
		}
		if tokens[i].Class == token.Newline {
			continue
		}
		before++
		n, key := 0, strings.Builder{}
		for j := i; j < len(tokens) && n < longest; j++ {
			if tokens[j].Class == token.Newline {
				continue
			}
			n++
			key.WriteString(names.Fold(tokens[j].Text(text)))
			key.WriteByte('\x1f')
			if int(tokens[j].End) < end || !slices.Contains(a.lengths, n) {
				continue
			}
			from, to := int(tokens[i].Start), int(tokens[j].End)
			for _, x := range a.terms[key.String()] {
				if x.types[typ] && from <= start && whole(text, from, to) && x.context(text, from, to) &&
					(x.text == "" || x.text == strings.Join(strings.Fields(text[from:to]), " ")) {
					return true
				}
			}
		}
	}
	return false
}

// Allowed counts the spans that the allow list let stand, and those that it did
// not because they hold a known identifier of the patient.
type Allowed struct{ Kept, GaveWay int64 }

// spare leaves out the spans that the list allows and no known identifier of the
// patient overlaps. The array of spans is used again.
func (a *Allow) spare(text string, tokens []token.Token, spans []phi.Span, known *phi.Overlaps,
	trace func(phi.Event)) (_ []phi.Span, n Allowed) {
	if a == nil {
		return spans, n
	}
	spans = slices.DeleteFunc(spans, func(s phi.Span) bool {
		switch {
		case !a.Allows(text, tokens, s):
			return false
		case known.Any(s):
			n.GaveWay++
			return false
		}
		n.Kept++
		if trace != nil {
			trace(phi.Event{Step: "allow list", Before: s, Why: "the allow list holds it"})
		}
		return true
	})
	return spans, n
}
