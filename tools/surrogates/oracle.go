package main

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// numeric is a date in numbers: a and b are day and month in one order or the
// other.
type numeric struct {
	a, b, year int // year 0 for none; below 100 as written with two digits
}

var (
	numericForm   = regexp.MustCompile(`^(?:[A-Za-z]+\.?,? )?(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?$`)
	numericWithin = regexp.MustCompile(`\d{1,2}(?:/\d{1,2}(?:/(?:\d{4}|\d{2})\b)?|-\d{1,2}(?:-(?:\d{4}|\d{2})\b)?|\.\d{1,2}(?:\.(?:\d{4}|` +
		`\d{2})\b)?)`)
	// nightBefore is the first day of two that share their month: the 11- of 11-12/2.
	nightBefore = regexp.MustCompile(`^\d{1,2}-`)
	yearAlone   = regexp.MustCompile(`^(?:(?:19|20)\d\d|['’]\d\d)$`)
)

func readNumeric(s string) (numeric, bool) {
	m := numericForm.FindStringSubmatch(s)
	if m == nil {
		return numeric{}, false
	}
	n := numeric{a: atoi(m[1]), b: atoi(m[2]), year: atoi(m[3])}
	if n.a > 31 || n.b > 31 || n.a > 12 && n.b > 12 || n.a == 0 || n.b == 0 {
		return numeric{}, false // a month and a year, such as 4/85
	}
	return n, true
}

func (n numeric) ambiguous() bool { return n.a <= 12 && n.b <= 12 && n.a != n.b }

// monthDay returns month and day in an order.
func (n numeric) monthDay(dayFirst bool) (month, day int) {
	if n.a > 12 || dayFirst && n.b <= 12 {
		return n.b, n.a
	}
	return n.a, n.b
}

func atoi(s string) int {
	v, _ := strconv.Atoi(s)
	return v
}

func dayOf(t time.Time) int { return int(t.Unix() / 86400) }

func timeOf(day int) time.Time { return time.Unix(int64(day)*86400, 0).UTC() }

func date(y, m, d int) (time.Time, bool) {
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return t, t.Day() == d && int(t.Month()) == m
}

// days returns the days that n can be, read in an order in a note of a day:
// several where the year or its century is not written.
func (n numeric) days(dayFirst bool, noteDay int) (all []int) {
	month, day := n.monthDay(dayFirst)
	year := timeOf(noteDay).Year()
	var years []int
	switch {
	case n.year >= 100:
		years = []int{n.year}
	case n.year > 0:
		years = []int{n.year + 1900, n.year + 2000}
	default:
		years = []int{year - 1, year, year + 1}
	}
	for _, y := range years {
		if t, ok := date(y, month, day); ok {
			all = append(all, dayOf(t))
		}
	}
	return all
}

// is reports whether n, read in an order, can be a day.
func (n numeric) is(dayFirst bool, day int) bool {
	t := timeOf(day)
	month, d := n.monthDay(dayFirst)
	return int(t.Month()) == month && t.Day() == d && (n.year == 0 || n.year == t.Year() || n.year < 100 && n.year == t.Year()%100)
}

// orders returns in which notes, by their ids, the day is written first: as most of
// the note's clear dates, and of those that equal its day or the birth date in one
// order alone, say, if one of them has a year or they are two; else as those of all of
// the patient's notes do, which may be of several writers.
func (c *corpus) orders() map[string]bool {
	votes, own := map[string]int{}, map[string]int{}
	for i := range c.notes {
		n := &c.notes[i]
		born, birthKnown := time.Parse("2006-01-02", c.birth[n.patient])
		vote := func(v int, x numeric) {
			votes[n.patient] += v
			if own[n.id] += v; x.year > 0 {
				own[n.id] += v // 11/22 may also be a month and its year
			}
		}
		for _, g := range n.gold {
			x, ok := readNumeric(string(n.before[g.start:g.end]))
			if !ok || g.typ != "DATE" {
				continue
			}
			switch {
			case x.a > 12:
				vote(1, x)
			case x.b > 12:
				vote(-1, x)
			case !x.ambiguous():
			case x.is(true, n.day):
				vote(1, x)
			case x.is(false, n.day):
				vote(-1, x)
			case birthKnown == nil && x.year > 0 && x.is(true, dayOf(born)):
				vote(1, x)
			case birthKnown == nil && x.year > 0 && x.is(false, dayOf(born)):
				vote(-1, x)
			}
		}
	}
	first := map[string]bool{}
	for _, n := range c.notes {
		if first[n.id] = votes[n.patient] > 0; abs(own[n.id]) > 1 {
			first[n.id] = own[n.id] > 0
		}
	}
	return first
}

func hasMask(s string) bool {
	return strings.Contains(s, "000") || strings.Contains(s, "xx") || strings.Contains(s, "XX") || strings.Contains(s, "[DATE]")
}
