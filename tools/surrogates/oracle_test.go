package main

import (
	"maps"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// The oracle tells right from wrong without model/dates.
func TestRight(t *testing.T) {
	by := map[string]form{}
	for _, f := range forms {
		by[f.name] = f
	}
	day := func(y, m, d int) int { return dayOf(time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)) }
	for _, c := range []struct {
		form, before, after string
		first, last         int
		days                int
		dayFirst            bool
		want                bool
	}{
		{"m/d/yy", "3/4/14", "4/1/14", day(2014, 3, 4), 0, 28, false, true},
		{"m/d/yy", "3/4/14", "1/4/14", day(2014, 4, 3), 0, -2, true, true},
		{"m/d/yy", "3/4/14", "4/1/14", day(2014, 4, 3), 0, 28, true, false},
		{"m/d/yy", "12/25/14", "01/22/15", day(2014, 12, 25), 0, 28, false, true}, // its padding cannot be seen
		{"Month d-d, yyyy", "June 3-5, 2019", "July 1-3, 2019", day(2019, 6, 3), day(2019, 6, 5), 28, false, true},
		{"Month d-d, yyyy", "June 3-5, 2019", "May 30-June 1, 2019", day(2019, 6, 3), day(2019, 6, 5), -4, false, true},
		{"Month d-d, yyyy", "June 3-5, 2019", "April 25-0, 0000", day(2019, 6, 3), day(2019, 6, 5), -39, false, false},
		{"d Month hh:mm", "2 Oct 09:15", "30 Oct 09:15", day(2019, 10, 2), 0, 28, false, true},
		{"d Month hh:mm", "2 Oct 09:15", "30 Oct 08:15", day(2019, 10, 2), 0, 28, false, false},
		{"yyyy", "2014", "2015", day(2014, 9, 4), 0, 182, false, true},
		{"yyyy", "2014", "2017", day(2014, 9, 4), 0, 182, false, false},
		{"AJCC yyyy", "AJCC 2017", "AJCC 2017", day(2017, 9, 4), 0, 900, false, true},
		{"AJCC yyyy", "AJCC 2017", "AJCC 2019", day(2017, 9, 4), 0, 900, false, false},
	} {
		n := &note{before: []rune(c.before), after: []rune(c.after), moved: c.days}
		n.found = append(n.found, finding(len(c.before), len(c.after)))
		p := planted{End: len(c.before), Form: c.form, Day: c.first, To: c.last, DayFirst: c.dayFirst}
		if got, _ := right(by[c.form], p, n); got != c.want {
			t.Errorf("%s to %s, %d days: %v", c.before, c.after, c.days, got)
		}
	}
}

// Writers of one patient's notes differ: each note's own dates go first.
func TestOrders(t *testing.T) {
	day := dayOf(time.Date(2018, 2, 6, 0, 0, 0, 0, time.UTC))
	of := func(id, text string) note {
		n := note{id: id, patient: "p", before: []rune(text), day: day}
		n.gold = append(n.gold, mark{0, len(text), "DATE"})
		return n
	}
	c := &corpus{notes: []note{of("own day", "06/02/2018"), of("clear", "2/21/17"), of("clear too", "2/14"), of("open", "3/4/17"),
		of("a month and its year", "30/12")}}
	got := c.orders()
	want := map[string]bool{"own day": true, "clear": false, "clear too": false, "open": false, "a month and its year": false}
	if !maps.Equal(got, want) {
		t.Errorf("the day is first in %v, want %v", got, want)
	}
}

// Of two nights the second has the month, and may be marked alone.
func TestRightOfNights(t *testing.T) {
	day := dayOf(time.Date(2024, 2, 12, 0, 0, 0, 0, time.UTC))
	for after, want := range map[string]bool{"28-29/6": true, "26-27/6": false} {
		n := &note{before: []rune("11-12/2"), day: day, moved: day - 1323}
		x, _ := readNumeric("12/2")
		if got := (&corpus{}).right(n, x, mark{3, 7, "DATE"}, "11-12/2", after, true); got != want {
			t.Errorf("%s: %v", after, got)
		}
	}
}

func TestReadNumeric(t *testing.T) {
	for s, want := range map[string]numeric{
		"3/4/14": {3, 4, 14}, "Wed 10/12": {10, 12, 0}, "03.04.2014": {3, 4, 2014}, "4/85": {}, "14/15": {}, "20142": {},
	} {
		if got, _ := readNumeric(s); got != want {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
}

func finding(end, outputEnd int) table.Finding {
	return table.Finding{End: int64(end), OutputEnd: int64(outputEnd), Type: "DATE"}
}
