package deid

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/pairs"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Two numbers are a date or none by what the network thinks of them and what stands around them,
// whoever took them for one.
func TestJudged(t *testing.T) {
	note := dates.Reference{NoteDay: dates.DaysFromCivil(2019, 3, 20), HasNoteDay: true, DayFirst: dates.No}
	network := phi.Span{Tagger: phi.Network, Score: .3}
	rule, sureRule := phi.Span{Tagger: phi.Rules, Score: .7}, phi.Span{Tagger: phi.Rules, Score: .95}
	for _, c := range []struct {
		name, text string
		by         phi.Span
		chance     float32 // of the last pair; 0 for none
		known      bool
		stays      bool
	}{
		{"the network's", "seen [[DATE:3/14]] with cough", network, .9, false, true},
		{"what it hardly believes, far away", "scored [[DATE:8/10]] at rest", network, .3, false, false},
		{"what it hardly believes, near", "cough [[DATE:3/18]], now well", network, .3, false, true},
		{"that nobody found, near", "cough 3/18, now well", phi.Span{}, .2, false, true},
		{"that nobody found, far away", "scored 8/10, now well", phi.Span{}, .2, false, false},
		{"a rule's, ruled out", "seen [[DATE:3/10]] limbs", rule, .001, false, false},
		{"a sure rule's", "on [[DATE:8/10]]", sureRule, .001, false, true},
		{"what is known", "born [[DATE:8/10]]", network, .001, true, true},
		{"at all hours", "call 24/7", network, .9, false, false},
		{"with a year", "on [[DATE:8/10/18]]", network, 0, false, true},
		{"a range", "on [[DATE:8/10-8/12]]", network, 0, false, true},
		{"of another type", "room [[IDNUM:8-10]]", network, .001, false, true},
		{"a date elsewhere in the patient's notes", "neg 8/17 again", phi.Span{}, .3, false, true},
		{"beside others of a list", "doses [[DATE:2/14]], [[DATE:2/21]], 2/28", network, .15, false, true},
	} {
		text, spans, err := marked.Unmark(c.text)
		if err != nil {
			t.Fatal(err)
		}
		var all, known []phi.Span
		for _, s := range spans {
			by := c.by
			by.Type, by.Start, by.End = s.Type, s.Start, s.End
			all = append(all, by)
		}
		if c.known {
			known = slices.Clone(all)
		}
		at := strings.LastIndexAny(text, "/-")
		start, end := at-1, at+2
		for start > 0 && isDigitAt(text, start-1) {
			start--
		}
		for isDigitAt(text, end) {
			end++
		}
		var odds chances
		for _, s := range all {
			odds = append(odds, phi.Span{Start: s.Start, End: s.End, Type: phi.Date, Tagger: phi.Odds, Score: .99})
		}
		odds = slices.DeleteFunc(odds, func(s phi.Span) bool { return s.Start >= start })
		if c.chance > 0 {
			odds = append(odds, phi.Span{Start: start, End: end, Type: phi.Date, Tagger: phi.Odds, Score: c.chance})
		}
		p := &Patient{plan: &Plan{Pairs: []string{"8/17"}}}
		tell := func(e phi.Event) {
			if e.Step != "second look" || !strings.Contains(e.Why, "chance") {
				t.Errorf("%s: it is told that %+v", c.name, e)
			}
		}
		got := p.judged(text, token.Tokenize(nil, text), pairs.Find(text), all, odds, phi.NewOverlaps(known, nil), note, tell)
		stays := slices.ContainsFunc(got, func(s phi.Span) bool { return s.Start <= start && s.End >= end })
		if stays != c.stays || !slices.IsSortedFunc(got, func(a, b phi.Span) int { return a.Start - b.Start }) {
			t.Errorf("%s, %q: %v, want it to be found: %v", c.name, text, got, c.stays)
		}
	}
}

func isDigitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// A rule's pair that the network all but rules out goes before spans are merged.
func TestWithoutRuledOut(t *testing.T) {
	for _, c := range []struct {
		score, chance float32
		goes          bool
	}{{.7, .001, true}, {.7, .1, false}, {.95, .001, false}} {
		span := phi.Span{Start: 5, End: 9, Type: phi.Date, Tagger: phi.Rules, Score: c.score}
		odds := chances{{Start: 5, End: 9, Type: phi.Date, Tagger: phi.Odds, Score: c.chance}}
		if got := withoutRuledOut([]phi.Span{span}, odds, nil); (len(got) == 0) != c.goes {
			t.Errorf("a rule's with %v and a chance of %v: %v left", c.score, c.chance, got)
		}
	}
}
