package deid

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/pairs"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// What the taggers leave is looked at again beside the dates that move. Marks
// are what they found; «» stands around what the second look adds.
func TestSecondLook(t *testing.T) {
	note := dates.Reference{NoteDay: dates.DaysFromCivil(2019, 3, 20), HasNoteDay: true, DayFirst: dates.No}
	uk := note
	uk.DayFirst = dates.Yes
	undated := dates.Reference{DayFirst: dates.No}
	for _, c := range []struct {
		name, text string
		ref        dates.Reference
	}{
		{"the end of a range", "at 10 mg/h «3/10» to [[DATE:3/12]]", undated},
		{"the other end", "fast [[DATE:4/1]]-«4/2» ended", undated},
		{"no range", "[[DATE:4/15]] to 2/2", undated},
		{"what is judged, not looked at", "level 3/18 was high", note},
		{"six digits", "labs of «031819» and 123456, 990101", note},
		{"six digits, day first", "labs of «180319»", uk},
		{"six digits of an id", "labs of «[[IDNUM:031819]]»", note},
		{"eight digits of a telephone number", "rang «[[PHONE:20190318]]»", note},
		{"eight digits of none", "rang 55501438, 19991301", note},
		{"a timestamp", "rang «[[PHONE:201903180915]]»", note},
	} {
		plain := strings.NewReplacer("«", "", "»", "").Replace(c.text)
		want := strings.NewReplacer("[[DATE:", "«", "]]", "»").Replace(c.text)
		for _, typ := range []string{"IDNUM", "PHONE"} {
			want = strings.NewReplacer("«[["+typ+":", "«", "»»", "»").Replace(want)
		}
		text, spans, err := marked.Unmark(plain)
		if err != nil {
			t.Fatal(err)
		}
		var found []phi.Span
		for _, s := range spans {
			found = append(found, phi.Span{Start: s.Start, End: s.End, Type: s.Type, Tagger: phi.Network, Score: .9})
		}
		p := &Patient{plan: &Plan{}}
		got, at := "", 0
		for _, s := range p.secondLook(text, token.Tokenize(nil, text), pairs.Find(text), found, nil, phi.NewOverlaps(nil, nil), c.ref, nil) {
			if s.Start < at {
				t.Fatalf("%s: spans overlap or are out of order", c.name)
			}
			got += text[at:s.Start]
			if s.Type == phi.Date {
				got += "«" + text[s.Start:s.End] + "»"
			} else {
				got += text[s.Start:s.End]
			}
			at = s.End
		}
		if got += text[at:]; got != want {
			t.Errorf("%s: %s\nwant %s", c.name, got, want)
		}
	}
}

// A known number stays one, whatever it reads like.
func TestSecondLookLeavesKnownNumbers(t *testing.T) {
	const text = "record 031819"
	known := []phi.Span{{Start: 7, End: 13, Type: phi.MedicalRecord, Tagger: phi.Known, Score: 1}}
	ref := dates.Reference{NoteDay: dates.DaysFromCivil(2019, 3, 20), HasNoteDay: true, DayFirst: dates.No}
	p := &Patient{plan: &Plan{}}
	got := p.secondLook(text, token.Tokenize(nil, text), pairs.Find(text), known, nil, phi.NewOverlaps(known, nil), ref, nil)
	if len(got) != 1 || got[0].Type != phi.MedicalRecord {
		t.Errorf("it became %v", got)
	}
}

// The dates of two numbers of all notes, once each and in order.
func TestPairs(t *testing.T) {
	span := func(s string, typ phi.Type) phi.Found {
		return phi.Found{Span: phi.Span{End: len(s), Type: typ, Tagger: phi.Network, Score: 1}, Surface: s}
	}
	got := datePairs([]*Note{{Spans: []phi.Found{span("3/4", phi.Date), span("3/4/19", phi.Date), span("1/2", phi.Age)}},
		{Spans: []phi.Found{span("2/5", phi.Date), span("3/4", phi.Date), span("2-5", phi.Date)}}})
	if strings.Join(got, " ") != "2-5 2/5 3/4" {
		t.Errorf("got %q", got)
	}
}
