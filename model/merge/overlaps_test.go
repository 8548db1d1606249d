package merge

import (
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// What is asked of overlaps is what a look at every span answers.
func TestOverlapsAreThoseOfALookAtAll(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	for range 5000 {
		spans := randomSpans(r, 30)
		s := span(r.Intn(30), 0, phi.Date, phi.Rules, 1)
		s.End = s.Start + r.Intn(31-s.Start)
		o := phi.NewOverlaps(slices.Clone(spans), nil)
		phi.Sort(spans)
		var want []phi.Span
		for _, x := range spans {
			if x.Start < s.End && s.Start < x.End {
				want = append(want, x)
			}
		}
		if got := slices.Collect(o.Of(s)); !reflect.DeepEqual(got, want) || o.Any(s) != (len(want) > 0) {
			t.Fatalf("%v overlaps %v of %v, want %v", s, got, spans, want)
		}
	}
}

// naiveCut is cut by a look at every holder.
func naiveCut(text string, spans []phi.Span, holds func(phi.Span) bool, gives func(s, by phi.Span) bool) (out []phi.Span) {
	var holders []phi.Span
	for _, s := range spans {
		if holds(s) {
			holders = append(holders, s)
		}
	}
	phi.Sort(holders)
	for _, s := range spans {
		whole := true
		for _, h := range holders {
			if h.Start >= s.End || h.End <= s.Start || !gives(s, h) ||
				h.Start > s.Start && inWord(text, h.Start) || h.End < s.End && inWord(text, h.End) {
				continue
			}
			whole = false
			if h.Start > s.Start {
				before := s
				before.End = h.Start
				out = appendTrimmed(out, text, before)
			}
			s.Start = min(h.End, s.End)
		}
		if whole {
			out = append(out, s)
		} else {
			out = appendTrimmed(out, text, s)
		}
	}
	return out
}

func TestCutIsThatOfALookAtAll(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	text := strings.Repeat("ab c", 10)
	for range 5000 {
		spans := randomSpans(r, len(text))
		holds := func(s phi.Span) bool { return s.Tagger == phi.Rules }
		gives := func(s, by phi.Span) bool { return s.Tagger != phi.Rules && s.Type > by.Type }
		want := naiveCut(text, slices.Clone(spans), holds, gives)
		if got := cut(text, slices.Clone(spans), holds, gives, Options{}); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %v, want %v", spans, got, want)
		}
	}
}

// naivePriority takes the best span that is left until none is.
func naivePriority(left []phi.Span) (taken []phi.Span) {
	left = slices.DeleteFunc(slices.Clone(left), func(s phi.Span) bool { return s.End <= s.Start })
	for len(left) > 0 {
		best := left[0]
		for _, s := range left {
			if defaults.outranks(s, best) {
				best = s
			}
		}
		taken = append(taken, best)
		left = slices.DeleteFunc(left, func(s phi.Span) bool { return s.Start < best.End && best.Start < s.End })
	}
	phi.Sort(taken)
	return taken
}

func TestPriorityIsThatOfALookAtAll(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	for range 5000 {
		spans := randomSpans(r, 40)
		want := naivePriority(spans)
		if got := merge(slices.Clone(spans), Priority, defaults, nil); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %v, want %v", spans, got, want)
		}
	}
}

// Twice the spans take twice the looks, and a few more to find where to begin.
func TestCombineLooksAtFewSpans(t *testing.T) {
	const line = "Dr. Okonkwo saw him on 4/12/2019 at Leith District Hospital, call 555-0143 x2\n"
	looks := func(lines int) int {
		text := strings.Repeat(line, lines)
		var spans []phi.Span
		for k := range lines {
			at := k * len(line)
			spans = append(spans,
				span(at+4, at+11, phi.Doctor, phi.Network, .9), span(at, at+11, phi.Doctor, phi.Rules, .95),
				span(at+23, at+32, phi.Date, phi.Rules, .98), span(at+23, at+27, phi.Date, phi.Network, .4),
				span(at+28, at+32, phi.Date, phi.Network, .4),
				span(at+36, at+59, phi.Hospital, phi.Rules, .7), span(at+36, at+50, phi.Hospital, phi.Network, .9),
				span(at+66, at+74, phi.Phone, phi.Network, .9), span(at+4, at+11, phi.Doctor, phi.Known, 1))
		}
		n := 0
		Combine(text, token.Tokenize(nil, text), spans, Options{Guard: true, looks: &n})
		return n
	}
	small, large := looks(200), looks(1600)
	if small == 0 || large > 8*small*3/2 {
		t.Errorf("200 lines take %d looks, 1600 take %d", small, large)
	}
}
