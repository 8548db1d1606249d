package deid

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
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
		{"near the note", "level «3/18» was high", note},
		{"far from all", "level 9/11 was high", note},
		{"a clear one may be farther", "COVID neg «1/19» at home", note},
		{"near a date of the note", "[[DATE:September 1, 2018]]: level «9/8»", note},
		{"nothing to be near", "level 3/18 was high", undated},
		{"the end of a range", "at 10 mg/h «3/10» to [[DATE:3/12]]", undated},
		{"the other end", "fast [[DATE:4/1]]-«4/2» ended", undated},
		{"no range", "[[DATE:4/15]] to 2/2", undated},
		{"elsewhere in the patient's notes", "neg «8/17»", undated},
		{"a score", "strength 4/5, pain 3/10, murmur 2/6, 3/12 nodes, itch 3/10, BP 120/80", note},
		{"a small fraction in a sentence", "one of 3/4 sets, recall 3/3", note},
		{"a small fraction at the start of a clause", "lysis; «3/12» laparotomy", note},
		{"half", "34 yrs. 1/2 ppd", note},
		{"months of the British", "home. 3/12 review", uk},
		{"in brackets like its neighbour", "CA-125 11 («4/7»), 12 ([[DATE:7/14]])", undated},
		{"a value follows", "last level «1/9» = 16.2", note},
		{"days, fractions and around the clock", "an ileus of 2/7 and a dressing for 3/7; level was 3/8, a monitor 24/7", note},
		{"parts of others", "L3/18, 3/18/9, 1.3/18, x3/18, 3/18%, -3/18, 0-3/18", note},
		{"a range of numbers", "for 9-18 and 3-4 days, 12-2 tabs, 03-18 0.95", note},
		{"month and day with a hyphen", "cultures («3-19») and 12-2 later, «03-15» too", note},
		{"the day of an event", "drain out «10-31» without trouble, cultures «2-9» grew nothing, next visit «11-30».", undated},
		{"on or about a day", "left work on or about «9-25»\nwithout notice", undated},
		{"no day of an event", "pain 3-7 on the ward, seen 2-4 times, cultures 2-3 bottles, labs 5-10 mg, cultures 2/4 grew, " +
			"follow-up 6/12 with us", undated},
		{"at the beginning of items", "«9/6» leg pain, [[DATE:10/11]] chest, «10/12» eyes yellow", undated},
		{"at the end of items", "first set [[DATE:5/4]]; hepatitis B «4/4».", undated},
		{"at the end of items with commas", "hepatitis B [[DATE:5/4]]; pertussis, tetanus, polio «5/10».", undated},
		{"otherwise than its neighbour", "seen [[DATE:5/4]], 4/4 limbs moved; recall 3/4 words", undated},
		{"far from its neighbour", "first set [[DATE:5/4]]; hepatitis B 1/4.", undated},
		{"in a column", "lisinopril   20   [[DATE:3/8]] am\nLipitor     40     «3/7»\n", undated},
		{"weeks of a pregnancy", "seen [[DATE:3/8]] at 40 3/7 wk", undated},
		{"behind what is a scale too", "check [[DATE:12/26]], Cobb «12/30», Cobb 12", undated},
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
		p := &Patient{plan: &Plan{Pairs: []string{"1/2", "8/17"}}}
		got, at := "", 0
		for _, s := range p.secondLook(text, token.Tokenize(nil, text), found, nil, phi.NewOverlaps(nil, nil), c.ref, nil) {
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
	got := p.secondLook(text, token.Tokenize(nil, text), known, nil, phi.NewOverlaps(known, nil), ref, nil)
	if len(got) != 1 || got[0].Type != phi.MedicalRecord {
		t.Errorf("it became %v", got)
	}
}

// The dates of two numbers of all notes, once each and in order.
func TestPairs(t *testing.T) {
	span := func(s string, typ phi.Type) phi.Found {
		return phi.Found{Span: phi.Span{End: len(s), Type: typ, Tagger: phi.Network, Score: 1}, Surface: s}
	}
	got := pairs([]*Note{{Spans: []phi.Found{span("3/4", phi.Date), span("3/4/19", phi.Date), span("1/2", phi.Age)}},
		{Spans: []phi.Found{span("2/5", phi.Date), span("3/4", phi.Date), span("2-5", phi.Date)}}})
	if strings.Join(got, " ") != "2/5 3/4" {
		t.Errorf("got %q", got)
	}
}
