package rules

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/automaton"
	"github.com/palimpsest-deid/palimpsest/model/rules/en"
	"github.com/palimpsest-deid/palimpsest/model/rules/es"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// oracle holds the rules' expressions as package regexp runs them: behind one
// rune of context, longest match. \b is ASCII there, so the machine that it
// is compared with is compiled with ASCII words as well.
type oracle struct {
	machine *automaton.Machine
	res     []*regexp.Regexp // behind one rune
	first   []*regexp.Regexp // at the start of the text
}

func newOracle(t testing.TB, rules []pattern.Rule, macros map[string]string) *oracle {
	t.Helper()
	o := &oracle{}
	var exprs []string
	for _, r := range rules {
		expr, err := expand(r.Expr, macros)
		if err != nil {
			t.Fatal(err)
		}
		exprs = append(exprs, expr)
		re := regexp.MustCompile(`\A(?s:.)(` + expr + `)`)
		re.Longest()
		o.res = append(o.res, re)
		re = regexp.MustCompile(`\A(` + expr + `)`)
		re.Longest()
		o.first = append(o.first, re)
	}
	p, err := automaton.Compile(exprs, automaton.ASCIIWord)
	if err != nil {
		t.Fatal(err)
	}
	o.machine = automaton.New(p, automaton.MaxStates, automaton.MaxWalk)
	return o
}

// at returns the end of the longest match of a pattern at start, or -1.
func (o *oracle) at(pattern int, text string, start int) int {
	if start == 0 {
		if m := o.first[pattern].FindStringSubmatchIndex(text); m != nil {
			return m[3]
		}
		return -1
	}
	_, size := utf8.DecodeLastRuneInString(text[:start])
	if m := o.res[pattern].FindStringSubmatchIndex(text[start-size:]); m != nil {
		return start - size + m[3]
	}
	return -1
}

// compareAt checks the machine against the oracle at one start. A match that
// runs past the cap may be found shorter or not at all.
func (o *oracle) compareAt(text string, start int) error {
	m := o.machine
	m.Reset()
	m.Walk(text, start, m.Behind(text, start))
	got := map[int]int{}
	for _, h := range m.Hits {
		got[h.Pattern] = h.End
	}
	// What the cap cannot reach costs the oracle time only.
	limit := min(len(text), start+automaton.MaxWalk+8)
	for limit < len(text) && !utf8.RuneStart(text[limit]) {
		limit++
	}
	for p := range o.res {
		want := o.at(p, text[:limit], start)
		if limit < len(text) && want >= start+automaton.MaxWalk {
			continue
		}
		end, ok := got[p]
		if !ok {
			end = -1
		}
		if end != want {
			return fmt.Errorf("pattern %d at %d: end %d, package regexp says %d", p, start, end, want)
		}
	}
	return nil
}

// TestOracle compares machine and package regexp for every rule at token
// starts of the example notes.
func TestOracle(t *testing.T) {
	pack := en.Pack()
	o := newOracle(t, append(slices.Clone(pack.Rules), pack.Triggered...), pack.Macros)
	ns := notes(t)
	stride := 40
	if testing.Short() {
		stride = 400
	}
	n := 0
	for i, note := range ns {
		for k, tok := range token.Tokenize(nil, note.text) {
			if (k+i)%stride != 0 {
				continue
			}
			n++
			if err := o.compareAt(note.text, int(tok.Start)); err != nil {
				t.Fatalf("%s: %v", note.file, err)
			}
		}
	}
	// And every example, at every token.
	for _, r := range pack.Rules {
		for _, s := range append(slices.Clone(r.Match), r.Never...) {
			text, _ := unmark(s)
			for _, tok := range token.Tokenize(nil, text) {
				if err := o.compareAt(text, int(tok.Start)); err != nil {
					t.Fatalf("%s: %q: %v", r.Name, text, err)
				}
				n++
			}
		}
	}
	t.Logf("%d starts, %d patterns each, %d states", n, len(o.res), o.machine.Stats().States)
}

// TestEngineOracle compares on small expressions that use every construct.
func TestEngineOracle(t *testing.T) {
	exprs := []string{`a`, `a*b`, `(?i:kß)`, `\bfoo\b`, `\Bx`, `(?m:^a$)`, `[^a]+`, `(a|ab)(c|bcd)(d*)`, `.{2,5}?b`, `(?s:.+)z`,
		`\p{Lu}\p{Ll}*\b`, `a{3}`, `(?:ab?)+`, `\d+(?:-\d+)*\b`, `x?`, `\Aa`, `a\z`, `é+`, `[\x{80}-\x{10FFFF}]b`, `(?i:s)\b`}
	var rules []pattern.Rule
	for _, e := range exprs {
		rules = append(rules, pattern.Rule{Expr: e})
	}
	o := newOracle(t, rules, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "c", "d", "x", "z", "A", "K", "k", "ß", "é", "É", "foo", " ", "\n", "1", "-", "_", "\xff", "ſ", "日", "K"}
	for range 4000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := b.String()
		for i := range text {
			if err := o.compareAt(text, i); err != nil {
				t.Fatalf("%q: %v (%s)", text, err, exprs)
			}
		}
	}
}

// TestUnicodeWords: \b knows letters beyond ASCII.
func TestUnicodeWords(t *testing.T) {
	m := mustNew(t).NewMatcher()
	for _, name := range []string{"José", "Núñez", "Müller", "Ağaoğlu", "Łukasz", "Jose\u0301", "Ng\u00f4-Th\u00e9"} {
		text := "Seen by Dr. " + name + ", today"
		got := m.Tag(nil, text, token.Tokenize(nil, text))
		if len(got) != 1 || text[got[0].Start:got[0].End] != name {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestFlush: a machine that forgets its states all the time finds the same.
func TestFlush(t *testing.T) {
	r := mustNew(t)
	a, b := r.NewMatcher(), r.NewMatcher()
	b.tokens, b.triggered = automaton.New(r.tokens, 50, automaton.MaxWalk), automaton.New(r.triggered, 5, maxTrigger)
	for _, n := range notes(t)[:40] {
		toks := token.Tokenize(nil, n.text)
		if x, y := a.Tag(nil, n.text, toks), b.Tag(nil, n.text, toks); !slices.Equal(x, y) {
			t.Fatalf("%s: %v, with flushes %v", n.file, x, y)
		}
	}
	if few, many := a.tokens.Stats().Flushes, b.tokens.Stats().Flushes; many == 0 || few != 0 {
		t.Errorf("flushes: %d with a small limit, %d without", many, few)
	}
}

// TestConcurrent: one program, many matchers, one result.
func TestConcurrent(t *testing.T) {
	r := mustNew(t)
	ns := notes(t)[:20]
	want := make([][]phi.Span, len(ns))
	m := r.NewMatcher()
	for i, n := range ns {
		want[i] = m.Tag(nil, n.text, token.Tokenize(nil, n.text))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			m := r.NewMatcher()
			for i := len(ns) - 1; i >= 0; i-- {
				if got := m.Tag(nil, ns[i].text, token.Tokenize(nil, ns[i].text)); !slices.Equal(got, want[i]) {
					t.Errorf("%s: another result in another order of notes", ns[i].file)
				}
			}
		})
	}
	wg.Wait()
}

// nasty are texts that invite quadratic work when repeated.
var nasty = []string{"a.", "1.2.840.", "A-1-", "a@", "@", "a.b@c.", "://", "http://", "http://a ", "www.", "(((", "1/", "1-", "01 ", "_",
	"MRN ", "MRN:", "case no ", "Dr. A. ", "Dr. Smith ",
	"Patient: Smith, ", "12/", "2012-", "fax ", "faxed ", "x", "1", " ", "\n", "é", "a+", "%", "0 ", "+1 ", "May ", "in the ", "aged ",
	"A1", "a'", "John ", "F: ", "phone ", "AAMRN", "Smith-", "a_b.c-d", "\xff", "日本", "N00 ", "van ",
	"MD ", "A. Smith, RN ", "St ", "1 Main St ", "DOB ", "Smith, A  MRN ", "one two three ", "Hospital ", "Old Hospital ",
	"in Boston, MA ", "(son) ", "Mary (son) ", "son Mary ", "cc: Ann Lee ", "AB12 ", "4111 1111 ", "GB82 WEST ", "MD abcdef "}

// TestLinear counts the runes that the machines read, which must grow with the
// text and no faster.
func TestLinear(t *testing.T) {
	r := mustNew(t)
	m := r.NewMatcher()
	work := func(text string) int {
		before := m.tokens.Stats().Steps + m.triggered.Stats().Steps
		m.Tag(nil, text, token.Tokenize(nil, text))
		return m.tokens.Stats().Steps + m.triggered.Stats().Steps - before
	}
	for _, unit := range nasty {
		for _, tail := range []string{"", "@", "x.com", " "} {
			small := work(strings.Repeat(unit, 4000/len(unit)) + tail)
			large := work(strings.Repeat(unit, 40000/len(unit)) + tail)
			if large > 11*small+50000 {
				t.Errorf("%q: %d steps for 4 KB, %d for 40 KB", unit, small, large)
			}
			if large > 40000*80 {
				t.Errorf("%q: %d steps for 40 KB", unit, large)
			}
		}
	}
}

// checkSpans fails if spans are not in order, overlap, have blanks at the
// edges or cut a rune.
func checkSpans(t testing.TB, text string, spans []phi.Span) {
	t.Helper()
	last := 0
	for _, s := range spans {
		if s.Start < last || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("span %d:%d after %d of %d bytes", s.Start, s.End, last, len(text))
		}
		last = s.End
		x := text[s.Start:s.End]
		if strings.TrimSpace(x) != x {
			t.Fatalf("span with blanks: %q", x)
		}
		if utf8.ValidString(text) && !utf8.ValidString(x) {
			t.Fatalf("span cuts a rune: %q", x)
		}
		if s.Type == phi.None || s.Tagger != phi.Rules || s.Score <= 0 || s.Score > 1 {
			t.Fatalf("span %+v", s)
		}
	}
}

func FuzzTag(f *testing.F) {
	pack := en.Pack()
	for _, r := range append(slices.Clone(pack.Rules), pack.Triggered...) {
		for _, s := range append(slices.Clone(r.Match), r.Never...) {
			text, _ := unmark(s)
			f.Add(text)
		}
	}
	for _, s := range nasty {
		f.Add(strings.Repeat(s, 9))
	}
	// Letters whose lower case has another length.
	f.Add("İİİ, 39, lives. KKK, 39, lives. Dr. İpek İ's, mother İ (19)")
	for _, r := range es.Pack().Rules {
		for _, s := range append(slices.Clone(r.Match), r.Never...) {
			text, _ := unmark(s)
			f.Add(text)
		}
	}
	var rs [2]*Rules
	var ms [2]*Matcher
	for i, language := range Languages() {
		var err error
		if rs[i], err = New(language); err != nil {
			f.Fatal(err)
		}
		ms[i] = rs[i].NewMatcher()
	}
	f.Fuzz(func(t *testing.T, text string) {
		toks := token.Tokenize(nil, text)
		for i := range rs {
			fuzzTag(t, rs[i], ms[i], text, toks)
		}
	})
}

func fuzzTag(t *testing.T, r *Rules, m *Matcher, text string, toks []token.Token) {
	got := m.Tag(nil, text, toks)
	checkSpans(t, text, got)
	// Every byte of a candidate that is of a word is in some span.
	in := make([]bool, len(text)+1)
	for _, s := range got {
		for i := s.Start; i < s.End; i++ {
			in[i] = true
		}
	}
	for _, c := range m.found {
		for i := c.Start; i < c.End; i++ {
			if !in[i] && pattern.ASCIIWordByte(text[i]) {
				t.Fatalf("byte %d of candidate %q is in no span", i, text[c.Start:c.End])
			}
		}
	}
	if fresh := r.NewMatcher().Tag(nil, text, toks); !slices.Equal(fresh, got) {
		t.Fatalf("a fresh matcher finds %v, a used one %v", fresh, got)
	}
}

func FuzzOracle(f *testing.F) {
	pack := en.Pack()
	o := newOracle(f, append(slices.Clone(pack.Rules), pack.Triggered...), pack.Macros)
	// One start an execution, and a text that one expression can hold.
	const most = 80
	f.Add("MRN: 30-41-887 seen 3/4/2019 by Dr. José Núñez", byte(0))
	f.Add("fax (201) 555-0174 a.b@c.example http://x.example/?q=1", byte(1))
	f.Add("67-year-old May 2014", byte(3))
	f.Fuzz(func(t *testing.T, text string, at byte) {
		if len(text) > most {
			text = text[:most]
		}
		toks := token.Tokenize(nil, text)
		if len(toks) == 0 {
			return
		}
		if err := o.compareAt(text, int(toks[int(at)%len(toks)].Start)); err != nil {
			t.Fatal(err)
		}
	})
}

// TestResolveKeepsBytes: whatever candidates meet, no byte of a word is lost
// and no two spans overlap.
func TestResolveKeepsBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := mustNew(t).NewMatcher()
	text := strings.Repeat("ab1 c-d.e 22 ", 8)
	scores := []float32{0.5, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99}
	for range 3000 {
		m.found = m.found[:0]
		want := make([]bool, len(text))
		for k := range 1 + rng.IntN(8) {
			start := rng.IntN(len(text) - 1)
			end := start + 1 + rng.IntN(min(30, len(text)-start-1)+1)
			start, end = pattern.Trim(text, start, min(end, len(text)))
			if start >= end {
				continue
			}
			c := pattern.Candidate{Rule: k, From: start, To: end, Start: start, End: end, Type: phi.Type(1 + rng.IntN(phi.NumTypes-1)),
				Score: scores[rng.IntN(len(scores))]}
			m.found = append(m.found, c)
			for i := start; i < end; i++ {
				want[i] = true
			}
		}
		got := m.resolve(nil, text)
		checkSpans(t, text, got)
		for _, s := range got {
			for i := s.Start; i < s.End; i++ {
				if !want[i] {
					t.Fatalf("byte %d belongs to no candidate", i)
				}
				want[i] = false
			}
		}
		for i, w := range want {
			if w && pattern.ASCIIWordByte(text[i]) {
				t.Fatalf("byte %d of a candidate is in no span", i)
			}
		}
	}
}
