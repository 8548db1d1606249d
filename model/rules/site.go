package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/automaton"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Site is the rules and word lists that a site adds to those of a language,
// read from YAML by ParseSite. Immutable.
type Site struct {
	digest string
	rules  []pattern.Rule
	lists  []list
}

// Digest returns the SHA-256 of the file, in hex.
func (s *Site) Digest() string { return s.digest }

// siteRule and siteList are one entry of the file.
type siteRule struct {
	Name    string   `yaml:"name"`
	Type    string   `yaml:"type"`
	Score   float32  `yaml:"score"`
	Before  string   `yaml:"before"`
	Pattern string   `yaml:"pattern"`
	After   string   `yaml:"after"`
	Match   []string `yaml:"match"`
	Never   []string `yaml:"never"`
}

type siteList struct {
	Name    string   `yaml:"name"`
	Type    string   `yaml:"type"`
	Score   float32  `yaml:"score"`
	Case    string   `yaml:"case"`
	Phrases []string `yaml:"phrases"`
}

// Limits of a site's rules: beyond them an expression is not worth its states.
const (
	maxSiteRules   = 1000
	maxSiteStates  = 2000 // of one expression's automaton by itself
	maxSitePhrases = 1_000_000
)

var siteName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// ParseSite reads a site's rules. file only names the source in errors. Each
// error tells the line and the rule: YAML that is none, an unknown key or PHI
// type, an expression that does not parse, may match nothing, may begin with a
// blank or needs too many states, or an example that comes out otherwise than
// it says.
//
// An expression is RE2 syntax and matches whole words, from the start of a
// word or mark on: before and after are its context, pattern is the span.
func ParseSite(file string, data []byte) (*Site, error) {
	sum := sha256.Sum256(data)
	s := &Site{digest: hex.EncodeToString(sum[:])}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("%s: the file is empty; it needs `rules:` or `lists:`", file)
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: want `rules:` and `lists:`", file, root.Line)
	}
	names := map[string]int{}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Value != "rules" && key.Value != "lists" {
			return nil, fmt.Errorf("%s:%d: unknown key %q; there are `rules` and `lists`", file, key.Line, key.Value)
		}
		if value.Kind != yaml.SequenceNode {
			return nil, fmt.Errorf("%s:%d: `%s` wants a list of entries", file, value.Line, key.Value)
		}
		for _, item := range value.Content {
			name, err := s.add(key.Value, item)
			if err == nil {
				if line, ok := names[name]; ok {
					err = fmt.Errorf("line %d has the same name", line)
				}
				names[name] = item.Line
			}
			if err != nil {
				kind := strings.TrimSuffix(key.Value, "s")
				return nil, fmt.Errorf("%s:%d: %s %q: %w", file, item.Line, kind, name, err)
			}
		}
	}
	if len(s.rules) > maxSiteRules {
		return nil, fmt.Errorf("%s: %d rules, at most %d are supported; put words into lists", file, len(s.rules), maxSiteRules)
	}
	return s, nil
}

// add checks one entry and keeps it.
func (s *Site) add(kind string, item *yaml.Node) (name string, err error) {
	if item.Kind != yaml.MappingNode {
		return "", errors.New("want keys and values")
	}
	known := "name type score before pattern after match never"
	if kind == "lists" {
		known = "name type score case phrases"
	}
	for i := 0; i < len(item.Content); i += 2 {
		key := item.Content[i]
		if key.Value == "name" {
			name = item.Content[i+1].Value
		}
	}
	for i := 0; i < len(item.Content); i += 2 {
		if key := item.Content[i]; !strings.Contains(" "+known+" ", " "+key.Value+" ") {
			return name, fmt.Errorf("line %d: unknown key %q; there are %s", key.Line, key.Value, known)
		}
	}
	if !siteName.MatchString(name) {
		return name, errors.New("name it in small letters, digits and hyphens")
	}
	if kind == "lists" {
		var l siteList
		if err := item.Decode(&l); err != nil {
			return name, err
		}
		return name, s.addList(l)
	}
	var r siteRule
	if err := item.Decode(&r); err != nil {
		return name, err
	}
	return name, s.addRule(r)
}

// typeAndScore reads what rules and lists share.
func typeAndScore(name string, score *float32) (phi.Type, error) {
	typ, err := phi.ParseType(name)
	if err != nil {
		var all []string
		for _, t := range phi.Types() {
			all = append(all, t.String())
		}
		return typ, fmt.Errorf("unknown type %q; the types are %s", name, strings.Join(all, ", "))
	}
	if *score == 0 {
		*score = 0.95
	}
	if *score < 0 || *score > 1 {
		return typ, fmt.Errorf("score %g: write a number above 0, at most 1", *score)
	}
	return typ, nil
}

func (s *Site) addRule(r siteRule) error {
	typ, err := typeAndScore(r.Type, &r.Score)
	if err != nil {
		return err
	}
	for _, part := range []struct{ key, expr string }{{"before", r.Before}, {"pattern", r.Pattern}, {"after", r.After}} {
		re, err := syntax.Parse(part.expr, syntax.Perl)
		if err != nil {
			return fmt.Errorf("%s: %w", part.key, err)
		}
		if re.MaxCap() > 0 {
			return fmt.Errorf("%s: groups are written (?:...); the span is what pattern matches", part.key)
		}
	}
	if r.Pattern == "" {
		return errors.New("pattern is missing")
	}
	if regexp.MustCompile(`\A(?:` + r.Pattern + `)\z`).MatchString("") {
		return errors.New("pattern may match the empty string; make a part of it obligatory")
	}
	expr := "(" + r.Pattern + ")"
	if r.Before != "" {
		expr = "(?:" + r.Before + ")" + expr
	}
	if r.After != "" {
		expr += "(?:" + r.After + ")"
	}
	added := pattern.Rule{Name: r.Name, Type: typ, Score: r.Score, Expr: expr, Check: checkSite, Match: r.Match, Never: r.Never}
	if err := anchored(expr); err != nil {
		return err
	}
	if len(r.Match) == 0 || len(r.Never) == 0 {
		return errors.New("give examples: `match`, with [[ ]] around what it finds, and `never`, in which it finds nothing")
	}
	if err := examples(added); err != nil {
		return err
	}
	s.rules = append(s.rules, added)
	return nil
}

// anchored compiles an expression by itself and refuses what the automaton
// cannot or should not run: walks begin at a token, so never at a blank, and
// each state that the expression needs is multiplied by the states of others.
func anchored(expr string) error {
	blank, states, err := automaton.Probe(expr, maxSiteStates, " \t\n\u00a0")
	switch {
	case err != nil:
		return err
	case blank:
		return errors.New("the expression may begin with a blank, but matches begin at a word or mark; begin it with what must stand there")
	case states > maxSiteStates:
		return fmt.Errorf("the expression needs more than %d states; bound its repetitions, or make its parts begin differently",
			maxSiteStates)
	}
	return nil
}

// examples runs one rule over its own examples.
func examples(r pattern.Rule) error {
	one, err := newRules(&pattern.Pack{Rules: []pattern.Rule{r}}, nil)
	if err != nil {
		return err
	}
	m := one.NewMatcher()
	for _, marked := range r.Match {
		var want, got []string
		text, err := func() (text string, err error) {
			var b strings.Builder
			rest := marked
			for {
				before, after, ok := strings.Cut(rest, "[[")
				b.WriteString(before)
				if !ok {
					return b.String(), nil
				}
				inner, tail, ok := strings.Cut(after, "]]")
				if !ok {
					return "", errors.New("has [[ without ]]")
				}
				want = append(want, inner)
				b.WriteString(inner)
				rest = tail
			}
		}()
		if err != nil {
			return fmt.Errorf("example %q: %w", marked, err)
		}
		if len(want) == 0 {
			return fmt.Errorf("example %q: mark with [[ ]] what the rule finds", marked)
		}
		for _, s := range m.Tag(nil, text, token.Tokenize(nil, text)) {
			got = append(got, text[s.Start:s.End])
		}
		if strings.Join(got, "\x00") != strings.Join(want, "\x00") {
			return fmt.Errorf("example %q: the rule finds %q, not %q", marked, got, want)
		}
	}
	for _, text := range r.Never {
		for _, s := range m.Tag(nil, text, token.Tokenize(nil, text)) {
			return fmt.Errorf("example %q must not match, but the rule finds %q", text, text[s.Start:s.End])
		}
	}
	return nil
}

// checkSite wants whole words.
func checkSite(text string, c *pattern.Candidate) bool {
	if first, _ := utf8.DecodeRuneInString(text[c.Start:]); c.Start > 0 && pattern.IsWord(first) &&
		pattern.IsWord(pattern.LastRune(text[:c.Start])) && c.Start == c.From {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[c.End:])
	return c.End == len(text) || !pattern.IsWord(next) || !pattern.IsWord(pattern.LastRune(text[:c.End]))
}

func (s *Site) addList(l siteList) error {
	typ, err := typeAndScore(l.Type, &l.Score)
	if err != nil {
		return err
	}
	added := list{typ: typ, score: l.Score}
	switch l.Case {
	case "", "ignore":
		added.fold = ignoreCase
	case "capital":
		added.fold = capitalCase
	case "exact":
		added.fold = exactCase
	default:
		return fmt.Errorf("case %q: write ignore, capital (any case, but the first letter is a capital) or exact", l.Case)
	}
	if len(l.Phrases) == 0 {
		return errors.New("phrases are missing")
	}
	if len(l.Phrases) > maxSitePhrases {
		return fmt.Errorf("%d phrases, at most %d are supported", len(l.Phrases), maxSitePhrases)
	}
	for _, p := range l.Phrases {
		p = strings.Join(strings.Fields(p), " ")
		if n := len(token.Tokenize(nil, p)); n == 0 || n > maxPhrase {
			return fmt.Errorf("phrase %q: write 1 to %d words and marks", p, maxPhrase)
		}
		added.phrases = append(added.phrases, p)
	}
	s.lists = append(s.lists, added)
	return nil
}
