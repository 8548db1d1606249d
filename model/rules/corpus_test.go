package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// note is one note of the example sources with its gold spans.
type note struct {
	file  string
	text  string
	spans []phi.Span
}

var markRE = regexp.MustCompile(`\[\[([A-Z-]+):([^\n]*?)\]\]`)

// notes reads ../../examples/source, marks stripped. Test time only.
func notes(t testing.TB) []note {
	t.Helper()
	files, err := filepath.Glob("../../examples/source/p*.txt")
	if err != nil || len(files) == 0 {
		t.Skip("no example sources")
	}
	var out []note
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(data), "\n%% note\n")[1:] {
			_, body, ok := strings.Cut(part, "\n%%\n")
			if !ok {
				t.Fatalf("%s: a note without a line %%%%", file)
			}
			n := note{file: filepath.Base(file)}
			var b strings.Builder
			last := 0
			for _, m := range markRE.FindAllStringSubmatchIndex(body, -1) {
				b.WriteString(body[last:m[0]])
				typ, err := phi.ParseType(body[m[2]:m[3]])
				if err != nil {
					t.Fatal(err)
				}
				start := b.Len()
				b.WriteString(body[m[4]:m[5]])
				n.spans = append(n.spans, phi.Span{Start: start, End: b.Len(), Type: typ})
				last = m[1]
			}
			b.WriteString(body[last:])
			n.text = b.String()
			out = append(out, n)
		}
	}
	return out
}

// heldOut are the patients that no rule was written on.
func heldOut(file string) bool { return file >= "p043" && file < "p049" }

// tally counts one type. found counts gold spans with every letter and digit
// under spans of any type, typed those that a span of the same type touches.
type tally struct{ gold, found, typed, predicted, right, exact int }

func score(ns []note, m *Matcher) (tallies [phi.NumTypes]tally) {
	for _, n := range ns {
		got := m.Tag(nil, n.text, token.Tokenize(nil, n.text))
		covered := make([]bool, len(n.text))
		for _, s := range got {
			for i := s.Start; i < s.End; i++ {
				covered[i] = true
			}
		}
		for _, g := range n.spans {
			x := &tallies[g.Type]
			x.gold++
			all := true
			for i := g.Start; i < g.End; i++ {
				all = all && (covered[i] || !pattern.ASCIIWordByte(n.text[i]))
			}
			if all {
				x.found++
			}
			for _, s := range got {
				if s.Type == g.Type && s.Start < g.End && g.Start < s.End {
					x.typed++
					break
				}
			}
		}
		for _, s := range got {
			x := &tallies[s.Type]
			x.predicted++
			for _, g := range n.spans {
				if s.Start < g.End && g.Start < s.End {
					x.right++
					if s.Start == g.Start && s.End == g.End && s.Type == g.Type {
						x.exact++
					}
					break
				}
			}
		}
	}
	return tallies
}

func percent(a, b int) float64 {
	if b == 0 {
		return 100
	}
	return 100 * float64(a) / float64(b)
}

func logTallies(t *testing.T, title string, tallies [phi.NumTypes]tally) {
	t.Logf("%s: recall (all bytes, any type), recall (touched, same type), precision (touches any gold), exact of predicted", title)
	for _, typ := range phi.Types() {
		x := tallies[typ]
		if x.predicted == 0 {
			continue
		}
		t.Logf("%-14s gold %4d  found %5.1f  typed %5.1f  predicted %4d  precision %5.1f  exact %5.1f", typ,
			x.gold, percent(x.found, x.gold), percent(x.typed, x.gold), x.predicted, percent(x.right, x.predicted),
			percent(x.exact, x.predicted))
	}
}

// TestCorpus prints scores on the example notes and holds floors for types
// that have a shape or a label. The notes of heldOut are
// scored apart, and only where RULES_HELD_OUT is set: looked at too often, they
// would be held out no more.
func TestCorpus(t *testing.T) {
	m := mustNew(t).NewMatcher()
	var seen, held []note
	for _, n := range notes(t) {
		if heldOut(n.file) {
			held = append(held, n)
		} else {
			seen = append(seen, n)
		}
	}
	tallies := score(seen, m)
	logTallies(t, fmt.Sprintf("%d notes the rules were written on", len(seen)), tallies)
	if os.Getenv("RULES_HELD_OUT") != "" {
		logTallies(t, fmt.Sprintf("%d held-out notes", len(held)), score(held, m))
	}
	floors := []struct {
		typ               phi.Type
		recall, precision float64
	}{
		{phi.Email, 100, 100}, {phi.URL, 95, 95}, {phi.SSN, 95, 95}, {phi.Fax, 98, 98}, {phi.Phone, 98, 98},
		{phi.MedicalRecord, 97, 97}, {phi.ZIP, 85, 95}, {phi.Date, 85, 93}, {phi.Device, 97, 97}, {phi.License, 97, 97},
		{phi.Age, 60, 95}, {phi.HealthPlan, 97, 97}, {phi.IDNum, 98, 97},
		{phi.Room, 80, 97}, {phi.Street, 75, 98}, {phi.Doctor, 45, 98},
	}
	for _, f := range floors {
		x := tallies[f.typ]
		if r, p := percent(x.found, x.gold), percent(x.right, x.predicted); r < f.recall || p < f.precision {
			t.Errorf("%s: recall %.1f, precision %.1f; the floors are %.0f and %.0f", f.typ, r, p, f.recall, f.precision)
		}
	}
}

// TestMisses prints what is missed or eaten on the notes that the rules may be
// written on.
func TestMisses(t *testing.T) {
	want := os.Getenv("RULES_MISSES")
	if want == "" {
		t.Skip("set RULES_MISSES to a PHI type, or to FALSE")
	}
	m := mustNew(t).NewMatcher()
	around := func(text string, start, end int) string {
		a, b := max(0, start-35), min(len(text), end+25)
		return strings.ReplaceAll(text[a:start]+"[["+text[start:end]+"]]"+text[end:b], "\n", "⏎")
	}
	for _, n := range notes(t) {
		if heldOut(n.file) {
			continue
		}
		got := m.Tag(nil, n.text, token.Tokenize(nil, n.text))
		if want == "FALSE" {
		spans:
			for _, s := range got {
				for _, g := range n.spans {
					if s.Start < g.End && g.Start < s.End {
						continue spans
					}
				}
				t.Logf("%s %s %.2f %s", n.file, s.Type, s.Score, around(n.text, s.Start, s.End))
			}
			continue
		}
		for _, g := range n.spans {
			if g.Type.String() != want {
				continue
			}
			hit := ""
			for _, s := range got {
				if s.Start < g.End && g.Start < s.End {
					hit += fmt.Sprintf(" %s:%q", s.Type, n.text[s.Start:s.End])
				}
			}
			if hit != fmt.Sprintf(" %s:%q", want, n.text[g.Start:g.End]) {
				t.Logf("%s %s ->%s", n.file, around(n.text, g.Start, g.End), hit)
			}
		}
	}
}
