package main

import (
	"fmt"
	"strings"
	"time"
)

// kind is what a written form names.
type kind string

const (
	fullDate kind = "full"      // day, month and year; a range of two such counts
	monthDay kind = "month-day" // a day without its year
	partial  kind = "part"      // a month, a year and the like: moved, or as it was where its middle stays
	stays    kind = "stays"     // nobody's date, or none
	header   kind = "header"    // the visit's day and the date of birth
	ageSaid  kind = "age"       // an age that with the patient's other notes tells one above 89
)

// style is what a surface does not show at every date.
type style struct {
	padded, long bool
	dayFirst     bool
}

// form is one way to write a date. write gets the day, and the last day of a
// range.
type form struct {
	name  string
	kind  kind
	write func(t, to time.Time, s style) string
}

// inFull are the layouts of ranges that name their month twice, which they keep
// doing when they move into one.
var inFull = map[string]string{
	"Month d-d, yyyy": "{N} {d}-{N2} {d2}, {y2}", "d-d Month yyyy": "{d} {N}-{d2} {N2} {y2}",
	"Month d-d": "{N} {d}-{N2} {d2}", "Month d and d": "{N} {d} and {N2} {d2}",
}

// layout writes by a layout of package time, but for its numbers: D and M are
// day and month, padded where the style says so, and N the month's name.
func layout(l string) func(t, to time.Time, s style) string {
	return func(t, to time.Time, s style) string { return fill(l, t, to, s) }
}

// fill replaces, in a layout: {a} the two numbers of day and month with a slash
// or what follows the colon between, {d} {m} {y} {yy} day, month, year, {N} the
// month's name, {NAME}, {o} ordinal day, {W} {w} weekday; with a 2 behind, those
// of the last day.
func fill(l string, t, to time.Time, s style) string {
	var b strings.Builder
	for l != "" {
		i := strings.IndexByte(l, '{')
		if i < 0 {
			b.WriteString(l)
			break
		}
		b.WriteString(l[:i])
		j := strings.IndexByte(l, '}')
		key := l[i+1 : j]
		l = l[j+1:]
		of := t
		if strings.HasSuffix(key, "2") {
			of, key = to, strings.TrimSuffix(key, "2")
		}
		number := func(n int) string {
			if s.padded {
				return fmt.Sprintf("%02d", n)
			}
			return fmt.Sprint(n)
		}
		name := of.Format("Jan")
		if s.long {
			name = of.Format("January")
		}
		switch key {
		case "a/", "a-", "a.":
			first, second := number(int(of.Month())), number(of.Day())
			if s.dayFirst {
				first, second = second, first
			}
			b.WriteString(first + key[1:] + second)
		case "d":
			b.WriteString(number(of.Day()))
		case "m":
			b.WriteString(number(int(of.Month())))
		case "y":
			b.WriteString(of.Format("2006"))
		case "yy":
			b.WriteString(of.Format("06"))
		case "N":
			b.WriteString(name)
		case "n":
			b.WriteString(of.Format("Jan"))
		case "NAME":
			b.WriteString(strings.ToUpper(name))
		case "o":
			b.WriteString(ordinal(of.Day()))
		case "W":
			b.WriteString(of.Format("Monday"))
		case "w":
			b.WriteString(of.Format("Mon"))
		case "iso":
			b.WriteString(of.Format("2006-01-02"))
		case "run":
			b.WriteString(of.Format("20060102"))
		case "six":
			if s.dayFirst {
				b.WriteString(of.Format("020106"))
			} else {
				b.WriteString(of.Format("010206"))
			}
		case "to6", "to10", "dozen":
			most := map[string]int{"to6": 6, "to10": 10, "dozen": 12}[key]
			b.WriteString(fmt.Sprint(of.YearDay()%most + 1))
		case "S":
			b.WriteString([]string{"winter", "spring", "summer", "fall"}[int(of.Month())%12/3])
		case "Q":
			b.WriteString(fmt.Sprint((int(of.Month()) + 2) / 3))
		case "week":
			_, week := of.ISOWeek()
			b.WriteString(fmt.Sprint(week))
		case "decade":
			b.WriteString(fmt.Sprint(of.Year() % 100 / 10 * 10))
		default:
			panic("no key " + key)
		}
	}
	return b.String()
}

func ordinal(d int) string {
	suffix := "th"
	switch {
	case d%100 >= 11 && d%100 <= 13:
	case d%10 == 1:
		suffix = "st"
	case d%10 == 2:
		suffix = "nd"
	case d%10 == 3:
		suffix = "rd"
	}
	return fmt.Sprint(d) + suffix
}

// same writes by one layout where both days share a month, and by another, with
// what was left out, where they do not.
func same(one, other string) func(t, to time.Time, s style) string {
	return func(t, to time.Time, s style) string {
		if t.Month() == to.Month() {
			return fill(one, t, to, s)
		}
		return fill(other, t, to, s)
	}
}

// planned is how many of the forms are planted in turn; the last two have
// places of their own.
var planned = len(forms) - 2

// forms are the 75 written forms, and what is none.
var forms = []form{
	{"mm/dd/yyyy", fullDate, layout("{a/}/{y}")}, {"m/d/yy", fullDate, layout("{a/}/{yy}")},
	{"m-d-yyyy", fullDate, layout("{a-}-{y}")}, {"m-d-yy", fullDate, layout("{a-}-{yy}")},
	{"m.d.yyyy", fullDate, layout("{a.}.{y}")}, {"m.d.yy", fullDate, layout("{a.}.{yy}")},
	{"yyyy-mm-dd", fullDate, layout("{iso}")}, {"yyyymmdd", fullDate, layout("{run}")}, {"yyyymmddhhmm", fullDate, layout("{run}0915")},
	{"yyyy-mm-ddThh:mm", fullDate, layout("{iso}T09:15")}, {"yyyy/mm/dd", fullDate, func(t, _ time.Time,
		_ style) string {
		return t.Format("2006/01/02")
	}},
	{"dd-Mon-yyyy", fullDate, layout("{d}-{N}-{y}")}, {"dd-Mon-yy", fullDate, layout("{d}-{N}-{yy}")},
	{"ddMONyyyy", fullDate, func(t, _ time.Time, _ style) string { return strings.ToUpper(t.Format("02Jan2006")) }},
	{"Month d, yyyy", fullDate, layout("{N} {d}, {y}")}, {"Month do, yyyy", fullDate, layout("{N} {o}, {y}")},
	{"MON d,yyyy", fullDate, layout("{NAME} {d},{y}")}, {"d Month yyyy", fullDate, layout("{d} {N} {y}")},
	{"do Month yyyy", fullDate, layout("{o} {N} {y}")}, {"do of Month yyyy", fullDate, layout("{o} of {N} {y}")},
	{"Mon d 'yy", fullDate, layout("{N} {d} '{yy}")}, {"Mon d yy", fullDate, layout("{N} {d} {yy}")},
	{"Weekday, Month d, yyyy", fullDate, layout("{W}, {N} {d}, {y}")}, {"Weekday d Month yyyy", fullDate, layout("{W} {d} {N} {y}")},
	{"Wed m/d/yyyy", fullDate, layout("{w} {a/}/{y}")}, {"m/d/yyyy @ hhmm", fullDate, layout("{a/}/{y} @ 0915")},
	{"m/d/yy hh:mm", fullDate, layout("{a/}/{yy} 09:15")}, {"mmddyy", fullDate, layout("{six}")},
	{"m/d/yy-m/d/yy", fullDate, layout("{a/}/{yy}-{a/2}/{yy2}")}, {"m/d/yy to m/d/yy", fullDate, layout("{a/}/{yy} to {a/2}/{yy2}")},
	{"Month d-d, yyyy", fullDate, same("{N} {d}-{d2}, {y2}", "{N} {d}-{N2} {d2}, {y2}")},
	{"Month d to Month d, yyyy", fullDate, layout("{N} {d} to {N2} {d2}, {y2}")},
	{"d-d Month yyyy", fullDate, same("{d}-{d2} {N2} {y2}", "{d} {N}-{d2} {N2} {y2}")},
	{"m/d-m/d/yyyy", fullDate, layout("{a/}-{a/2}/{y2}")},

	{"m/d", monthDay, layout("{a/}")}, {"m-d", monthDay, layout("{a-}")}, {"Month d", monthDay, layout("{N} {d}")},
	{"Month do", monthDay, layout("{N} {o}")}, {"d Month", monthDay, layout("{d} {N}")}, {"do of Month", monthDay, layout("{o} of {N}")},
	{"Wed m/d", monthDay, layout("{w} {a/}")}, {"Weekday, Month d", monthDay, layout("{W}, {N} {d}")},
	{"Weekday Month do", monthDay, layout("{W} {N} {o}")}, {"Weekday d Month", monthDay, layout("{W} {d} {N}")},
	{"m/d @ hhmm", monthDay, layout("{a/} @ 0915")}, {"m/d hh:mm", monthDay, layout("{a/} 09:15")},
	{"d Month hh:mm", monthDay, layout("{d} {N} 09:15")}, {"Weekday d Month hh:mm", monthDay, layout("{W} {d} {N} 19:41")},
	{"m/d-m/d", monthDay, layout("{a/}-{a/2}")}, {"m/d to m/d", monthDay, layout("{a/} to {a/2}")},
	{"m/d and m/d", monthDay, layout("{a/} and {a/2}")}, {"m/d - m/d", monthDay, layout("{a/} - {a/2}")},
	{"Month d-d", monthDay, same("{N} {d}-{d2}", "{N} {d}-{N2} {d2}")}, {"Month d and d", monthDay,
		same("{N} {d} and {d2}", "{N} {d} and {N2} {d2}")},
	{"Month d to Month d", monthDay, layout("{N} {d} to {N2} {d2}")}, {"MON d", monthDay, layout("{NAME} {d}")},
	{"Mon. d", monthDay, layout("{n}. {d}")},

	{"Month yyyy", partial, layout("{N} {y}")}, {"Month of yyyy", partial, layout("{N} of {y}")}, {"mm/yyyy", partial, layout("{m}/{y}")},
	{"Month", partial, layout("{N}")}, {"mid-Month", partial, layout("mid-{N}")}, {"early Month", partial, layout("early {N}")},
	{"late Month yyyy", partial, layout("late {N} {y}")}, {"yyyy", partial, layout("{y}")}, {"early yyyy", partial, layout("early {y}")},
	{"'yy", partial, layout("'{yy}")}, {"season of yyyy", partial, layout("{S} of {y}")}, {"Q2 yyyy", partial, layout("Q{Q} {y}")},
	{"FYyy", partial, layout("FY{yy}")}, {"Q2 FYyy", partial, layout("Q{Q} FY{yy}")}, {"wk ww of yyyy", partial, layout("wk {week} of {y}")},
	{"the 80s", partial, layout("the {decade}s")}, {"b. yyyy", partial, layout("b. {y}")}, {"yyyy-yyyy", partial, layout("{y}-{y2}")},

	{"AJCC yyyy", stays, layout("AJCC {y}")}, {"GOLD yyyy", stays, layout("GOLD {y}")}, {"NEJM yyyy", stays, layout("NEJM {y}")},
	{"the yyyy criteria", stays, layout("the {y} criteria")}, {"yyyy guidelines", stays, layout("{y} ACC/AHA guidelines")},
	{"DSM-5 (yyyy)", stays, layout("DSM-5 ({y})")}, {"n/10 pain", stays, layout("pain {to10}/10")},
	{"strength 4/5", stays, layout("strength 4/5")},
	{"n/12 nodes", stays, layout("{dozen}/12 nodes")}, {"BiPAP 14/6", stays, layout("BiPAP 12/{to6}")},
	{"2/6 murmur", stays, layout("{to6}/6 murmur")},
	{"age told later", ageSaid, nil}, {"header", header, layout("{a/}/{y}")},
}
