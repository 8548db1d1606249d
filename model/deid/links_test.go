package deid

import (
	"errors"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
)

func TestLinks(t *testing.T) {
	all := []Link{{"n1", "n2", true}, {"n2", "m", false}, {"m", "m2", true}, {"n1", "n2", true}, {"b", "m2", false}}
	for range 2 {
		l, err := NewLinks(all)
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string][2]string{
			"n1": {"n2", "m2"}, "n2": {"n2", "m2"}, "m": {"m2", "m2"}, "m2": {"m2", "m2"}, "b": {"b", "m2"}, "x": {"x", "x"},
		} {
			if l.Person(id) != want[0] || l.Group(id) != want[1] {
				t.Errorf("%s is released as %s and moves as %s", id, l.Person(id), l.Group(id))
			}
			n := Note{Patient: id}
			if l.Apply(&n); n.Patient != want[1] || n.Who() != want[0] || (n.Linked == nil) != (id == "x") {
				t.Errorf("%s: %+v", id, n)
			}
		}
		if n := (Note{Patient: "b"}); l.Len() != 4 || !slices.Equal(l.People(), []string{"m2", "n2"}) {
			l.Apply(&n)
			t.Errorf("%d links of %q, %q", l.Len(), l.People(), n.Linked)
		}
		slices.Reverse(all)
	}
	if l := (*Links)(nil); l.Group("a") != "a" || l.Person("a") != "a" || l.Len() != 0 {
		t.Error("without links somebody is linked")
	}
}

func TestLinksThatAreWrong(t *testing.T) {
	for name, test := range map[string]struct {
		links []Link
		index int
	}{
		"itself":      {[]Link{{"a", "b", true}, {"c", "c", false}}, 1},
		"empty":       {[]Link{{"a", " ", true}}, 0},
		"null":        {[]Link{{"", "a", true}}, 0},
		"two":         {[]Link{{"a", "b", true}, {"a", "c", true}}, 1},
		"both kinds":  {[]Link{{"a", "b", true}, {"a", "b", false}}, 1},
		"circle":      {[]Link{{"x", "y", true}, {"a", "b", true}, {"b", "c", false}, {"c", "a", true}}, 1},
		"into circle": {[]Link{{"x", "a", true}, {"a", "b", true}, {"b", "a", true}}, 0},
	} {
		var wrong *LinkError
		if _, err := NewLinks(test.links); !errors.As(err, &wrong) || wrong.Index != test.index {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Linked persons share what is known of names; their days and births are their own.
func TestLinkedPeopleHaveDaysOfTheirOwn(t *testing.T) {
	l, err := NewLinks([]Link{{"n", "m", false}})
	if err != nil {
		t.Fatal(err)
	}
	const year = 366
	notes := []*Note{{Patient: "m", Document: "1", Dated: true, Day: 40 * year}, {Patient: "n", Document: "2", Dated: true, Day: 45 * year},
		{Patient: "n", Rows: &Rows{Count: 2, Days: []int{46 * year}}}}
	for _, n := range notes {
		l.Apply(n)
	}
	known := []lexicon.Identifiers{{PatientID: "n", Group: "m", BirthDate: "2014-12-01"},
		{PatientID: "m", Group: "m", BirthDate: "1980-01-01", Names: []string{"Zebulona Quackenbush"}}}
	plans := ResolvePeople(Settings{Steps: AllSteps()}, notes, known)
	mother, newborn := plans["m"], plans["n"]
	if len(plans) != 2 || mother.ID != "m" || newborn.ID != "m" || mother.Person != "m" || newborn.Person != "n" {
		t.Fatalf("%+v", plans)
	}
	if !slices.Equal(newborn.Names, []string{"Zebulona Quackenbush"}) || !slices.Equal(mother.Names, newborn.Names) {
		t.Errorf("names are %q and %q", mother.Names, newborn.Names)
	}
	if mother.Birth == newborn.Birth || !mother.Born || !newborn.Born || mother.Last != 40*year || newborn.Last != 46*year ||
		newborn.Latest != 45*year {
		t.Errorf("%+v\n%+v", mother, newborn)
	}
}

// Days that stand in rows say until when a patient was seen, whatever place they come
// from, and do not change which days of notes are believed.
func TestSeenInRows(t *testing.T) {
	day := func(years int) int { return years * 365 }
	for name, test := range map[string]struct {
		notes, rows []int
		born        int
		end         int
		last        int
		seen        bool
	}{
		"notes alone":            {notes: []int{day(40)}, last: day(40), seen: true},
		"a later visit":          {notes: []int{day(40)}, rows: []int{day(39), day(41)}, last: day(41), seen: true},
		"an earlier visit":       {notes: []int{day(40)}, rows: []int{day(30)}, last: day(40), seen: true},
		"rows alone":             {rows: []int{day(30), day(31)}, last: day(31), seen: true},
		"a slip of 60 years":     {notes: []int{day(40), day(41)}, rows: []int{day(42), day(110)}, last: day(42), seen: true},
		"after the extract":      {notes: []int{day(40)}, rows: []int{day(60)}, end: day(45), last: day(40), seen: true},
		"a birth and no day":     {born: day(-30), end: day(45), last: day(45), seen: true},
		"a birth and no end":     {born: day(-30)},
		"no birth is a last day": {rows: []int{day(30)}, born: day(-50), end: day(50), last: day(30), seen: true},
	} {
		var notes []*Note
		for _, d := range test.notes {
			notes = append(notes, &Note{Patient: "p", Dated: true, Day: d})
		}
		rows := &Rows{}
		for _, d := range test.rows {
			rows.AddDay(d)
		}
		if test.born != 0 {
			rows.AddBirth(test.born)
		}
		if test.born != 0 || test.rows != nil {
			notes = append(notes, &Note{Patient: "p", Rows: rows})
		}
		s := Settings{}
		s.Surrogates.ExtractEnd = test.end
		plan := Resolve(s, notes, nil, nil)
		if plan.Seen != test.seen || plan.Last != test.last || plan.Total != len(test.notes) {
			t.Errorf("%s: seen until %d (%v), want %d", name, plan.Last, plan.Seen, test.last)
		}
	}
	many := &Rows{}
	for d := range 1000 {
		many.AddDay(10_000 + d*37%1000)
	}
	if want := []int{10_000, 10_001, 10_002, 10_003, 10_996, 10_997, 10_998, 10_999}; !slices.Equal(many.Days, want) {
		t.Errorf("%v", many.Days)
	}
}
