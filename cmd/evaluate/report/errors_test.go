package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// An error's offsets, counted as JavaScript counts, cut the spans out of its
// text, whatever characters stand around, and the context is bounded.
func TestContext(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("ab \nñπ日𝛑😀")
	for range 3000 {
		runes := make([]rune, random.IntN(700))
		for i := range runes {
			runes[i] = alphabet[random.IntN(len(alphabet))]
		}
		text := string(runes)
		span := func() *score.Annotation {
			i := random.IntN(len(runes) + 1)
			j := i + random.IntN(min(len(runes)-i, 40)+1)
			return &score.Annotation{Start: len(string(runes[:i])), End: len(string(runes[:j])), Label: "DATE"}
		}
		m := score.Mistake{Kind: score.WrongBoundary, Gold: span()}
		// A system span that overlaps or touches, as those of mistakes do.
		m.System = &score.Annotation{Start: m.Gold.Start, End: forth(text, m.Gold.End, random.IntN(30)), Label: "DATE"}
		k := inContext(text, &m)

		units := utf16.Encode([]rune(k.text))
		for _, s := range []struct {
			name     string
			from, to int
			a        *score.Annotation
		}{{"gold", k.goldFrom, k.goldTo, m.Gold}, {"system", k.systemFrom, k.systemTo, m.System}} {
			if got, want := string(utf16.Decode(units[s.from:s.to])), text[s.a.Start:s.a.End]; got != want {
				t.Fatalf("%s span is %q, want %q", s.name, got, want)
			}
		}
		if before := len(utf16.Decode(units[:k.goldFrom])); before > contextRunes {
			t.Fatalf("%d code points before the span", before)
		}
		if after := len(utf16.Decode(units[k.systemTo:])); after > contextRunes {
			t.Fatalf("%d code points after the span", after)
		}
		if k.at != utf8.RuneCountInString(text[:m.Gold.Start]) {
			t.Fatalf("the error is at %d", k.at)
		}
		if want := utf8.RuneCountInString(text[:m.Gold.Start]) > contextRunes; !utf8.ValidString(k.text) || k.cutBefore != want {
			t.Fatalf("context %q is cut before: %v, want %v", k.text, k.cutBefore, want)
		}
		if want := utf8.RuneCountInString(text[m.System.End:]) > contextRunes; k.cutAfter != want {
			t.Fatalf("context is cut after: %v, want %v", k.cutAfter, want)
		}
	}
}

// A span of pages shows its ends.
func TestContextOfALongSpan(t *testing.T) {
	text := strings.Repeat("x", 500) + "BEGIN" + strings.Repeat("é", 5000) + "END" + strings.Repeat("y", 500)
	start, end := strings.Index(text, "BEGIN"), strings.Index(text, "yyy")
	k := inContext(text, &score.Mistake{
		Kind:   score.WrongBoundary,
		Gold:   &score.Annotation{Start: start, End: start + 5, Label: "DATE"},
		System: &score.Annotation{Start: start, End: end, Label: "DATE"},
	})
	if n := utf8.RuneCountInString(k.text); n > 2*contextRunes+spanRunes+10 {
		t.Errorf("the context has %d code points", n)
	}
	units := utf16.Encode([]rune(k.text))
	if got := string(utf16.Decode(units[k.goldFrom:k.goldTo])); got != "BEGIN" {
		t.Errorf("the gold span is %q", got)
	}
	system := string(utf16.Decode(units[k.systemFrom:k.systemTo]))
	if !strings.HasPrefix(system, "BEGIN") || !strings.HasSuffix(system, "END") || !strings.Contains(system, " […] ") {
		t.Errorf("the system span is %q", system)
	}
}

// A sample depends on the mistakes alone, not on the order of documents, and
// holds about as much of each.
func TestSample(t *testing.T) {
	const documents, each, limit = 200, 50, 1000
	sample := func(order []int) map[string]int {
		e := NewErrors(limit)
		for _, i := range order {
			var ms []score.Mistake
			text := strings.Repeat("word ", each)
			for j := range each {
				ms = append(ms, score.Mistake{Kind: score.Missed, Gold: &score.Annotation{Start: 5 * j, End: 5*j + 4, Label: "DATE"}})
			}
			e.Add(fmt.Sprint("note", i), text, ms)
		}
		if e.seen != documents*each {
			t.Fatalf("%d mistakes were seen", e.seen)
		}
		got := map[string]int{}
		for _, m := range e.list() {
			got[m.document]++
		}
		return got
	}
	order := rand.New(rand.NewPCG(3, 4)).Perm(documents)
	a := sample(order)
	slices.Reverse(order)
	b := sample(order)
	total, most := 0, 0
	for d, n := range a {
		total += n
		most = max(most, n)
		if b[d] != n {
			t.Fatalf("in another order the sample holds %d of %s, not %d", b[d], d, n)
		}
	}
	if total != limit {
		t.Errorf("the sample holds %d, want %d", total, limit)
	}
	// Five of each are to be expected; these bounds are five deviations off.
	if len(a) < 185 || most > 17 {
		t.Errorf("%d of %d documents are in the sample, one of them %d times", len(a), documents, most)
	}
}

func TestText(t *testing.T) {
	r, _ := scored(t, 0, trapped())
	var b strings.Builder
	if err := WriteText(&b, r, Selection{Summary: true}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > 15 {
		t.Errorf("the summary has %d lines:\n%s", n, b.String())
	}
	b.Reset()
	text := "Mr Ek"
	r, _ = scored(t, 0, []score.Document{{ID: "1", Text: text, Gold: []score.Annotation{at(text, "Ek", "\x1b[2J\r", "", "")}}})
	if err := WriteText(&b, r, Selection{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\r") {
		t.Error("a label steers the terminal")
	}
	b.Reset()
	if err := WriteText(&b, r, Selection{Metrics: []score.Measure{score.Relaxed}}); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.Contains(s, "\n  relaxed ") || strings.Contains(s, "\n  strict ") || strings.Contains(s, "By type") {
		t.Errorf("relaxed alone prints\n%s", s)
	}
}
