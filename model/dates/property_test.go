package dates

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"
)

// TestCivil compares the day arithmetic with the standard library's.
func TestCivil(t *testing.T) {
	day := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := firstDay; n <= lastDay; n += 13 {
		y, m, d := CivilFromDays(n)
		if want := day.AddDate(0, 0, n-firstDay); y != want.Year() || m != int(want.Month()) || d != want.Day() ||
			weekday(n) != int(want.Weekday()) {
			t.Fatalf("day %d is %d-%d-%d, want %v", n, y, m, d, want)
		}
		if back := DaysFromCivil(y, m, d); back != n {
			t.Fatalf("%d-%d-%d is day %d, want %d", y, m, d, back, n)
		}
	}
	for _, n := range []int{-800_000, -719_469, -719_468, 0, 3_000_000} { // years before 1, too
		y, m, d := CivilFromDays(n)
		if back := DaysFromCivil(y, m, d); back != n {
			t.Errorf("day %d came back as %d", n, back)
		}
	}
}

// fullForms writes one day in every full form whose style shows at every date,
// so that two shifts that cancel must give the same bytes.
func fullForms(n int) []string {
	y, m, d := CivilFromDays(n)
	en, es := &languageNames[English], &languageNames[Spanish]
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	wd := weekday(n)
	return []string{
		fmt.Sprintf("%04d-%02d-%02d", y, m, d), fmt.Sprintf("%04d/%02d/%02d", y, m, d), fmt.Sprintf("%04d.%02d.%02d", y, m, d),
		fmt.Sprintf("%04d–%02d–%02d", y, m, d), fmt.Sprintf("%02d-%02d-%04d", m, d, y), fmt.Sprintf("%04d%02d%02d", y, m, d),
		fmt.Sprintf("%04d%02d%02d101500.250-0500", y, m, d), fmt.Sprintf("%04d%02d%02dT1015", y, m, d),
		fmt.Sprintf("%04d-%02d-%02dT10:15:00.123Z", y, m, d), fmt.Sprintf("%04d-%02d-%02d 10:15:00+02:00", y, m, d),
		fmt.Sprintf("%04d-%03d", y, n-DaysFromCivil(y, 1, 1)+1), isoWeek(n), isoWeek(n) + "T10:15",
		fmt.Sprintf("%s, %s %d, %d", title(en.weekdays[wd]), title(en.months[m]), d, y),
		fmt.Sprintf("%s %s %d 10:15:00 %d", title(en.weekdays[wd][:3]), title(en.months[m][:3]), d, y), // ctime
		fmt.Sprintf("%s of %s %d", spellDay(d, English, spelling{}), en.months[m], y),
		fmt.Sprintf("%s OF %s %d", strings.ToUpper(spellDay(d, English, spelling{})), strings.ToUpper(en.months[m]), y),
		fmt.Sprintf("%s %s, %s", title(en.months[m]), spellDay(d, English, spelling{}), spellYear(y, English, spelling{thousand: true})),
		fmt.Sprintf("%d%s of %s %d", d, OrdinalSuffix(d), en.months[m], y), fmt.Sprintf("%02d-%s-%04d", d, strings.ToUpper(en.months[m][:3]), y),
		fmt.Sprintf("%s %d%s, %d", strings.ToUpper(en.months[m]), d, strings.ToUpper(OrdinalSuffix(d)), y),
		fmt.Sprintf("%d/%d/%d", m, d, y), fmt.Sprintf("%d/%d/%02d", m, d, y%100), fmt.Sprintf("%d/%d/'%02d", m, d, y%100),
		fmt.Sprintf("%d/%d/%d 10:15 PM", m, d, y), fmt.Sprintf("%d / %d / %d", m, d, y),
		fmt.Sprintf("%d de %s de %d", d, es.months[m], y), fmt.Sprintf("%s, %d de %s de %d", es.weekdays[wd], d, es.months[m], y),
		fmt.Sprintf("%dº de %s de %d", d, es.months[m], y), fmt.Sprintf("%s de %s de %s", spellDay(d, Spanish, spelling{}), es.months[m],
			spellYear(y, Spanish, spelling{})),
	}
}

// isoWeek writes 2014-W10-2.
func isoWeek(n int) string {
	y, w := time.Unix(int64(n)*86400, 0).UTC().ISOWeek()
	return fmt.Sprintf("%04d-W%02d-%d", y, w, mod(weekday(n)-1, 7)+1)
}

// TestShiftsCancel: a full date reads as its day, a shift by 0 is the
// identity, a shift and its opposite give the same bytes, and the printed date
// reads as the day moved, so that differences of dates stay.
func TestShiftsCancel(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	note := Reference{NoteDay: DaysFromCivil(2018, 3, 10), HasNoteDay: true, DayFirst: No}
	lo, hi := DaysFromCivil(1930, 1, 1), DaysFromCivil(2017, 12, 31)
	for range 1500 {
		n := lo + r.Intn(hi-lo)
		days := r.Intn(3641) - 1820
		if days == 0 {
			continue
		}
		moved := note
		moved.NoteDay += days
		for _, s := range fullForms(n) {
			f, err := Parse(s, note)
			if err != nil {
				t.Fatalf("Parse(%q): %v", s, err)
			}
			if got, ok := f.Days(); !ok || got != n {
				t.Fatalf("%q is day %d (%v), want %d", s, got, ok, n)
			}
			for _, policy := range []Policy{Plain, Weekday, Season} {
				if same, err := f.Shift(0, policy); err != nil || same != s {
					t.Fatalf("Shift(%q, 0) = %q, %v", s, same, err)
				}
			}
			out, err := f.Shift(days, Plain)
			if err != nil || out == s {
				t.Fatalf("Shift(%q, %d) = %q, %v", s, days, out, err)
			}
			for _, policy := range []Policy{Weekday, Season} {
				if other, err := f.Shift(days, policy); err != nil || other != out {
					t.Fatalf("Shift(%q, %d) = %q (%v) under policy %d, but %q under Plain", s, days, other, err, policy, out)
				}
			}
			if got, ok := ParseDays(out, moved); !ok || got != n+days {
				t.Fatalf("Shift(%q, %d) = %q, day %d (%v), want %d", s, days, out, got, ok, n+days)
			}
			back, ok := Shift(out, -days, moved)
			if !ok || back != s {
				t.Fatalf("Shift(%q, %d) = %q, and back %q, %v", s, days, out, back, ok)
			}
		}
	}
}

// TestDifferences: two dates in any two full forms are as far apart after a
// shift as before.
func TestDifferences(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	note := Reference{NoteDay: DaysFromCivil(2018, 3, 10), HasNoteDay: true, DayFirst: No}
	lo, hi := DaysFromCivil(1930, 1, 1), DaysFromCivil(2017, 12, 31)
	pick := func() (string, int) {
		n := lo + r.Intn(hi-lo)
		all := fullForms(n)
		return all[r.Intn(len(all))], n
	}
	for range 5000 {
		a, dayA := pick()
		b, dayB := pick()
		days := r.Intn(8001) - 4000
		moved := note
		moved.NoteDay += days
		outA, okA := Shift(a, days, note)
		outB, okB := Shift(b, days, note)
		if !okA || !okB {
			t.Fatalf("Shift(%q or %q, %d) failed", a, b, days)
		}
		newA, _ := ParseDays(outA, moved)
		newB, _ := ParseDays(outB, moved)
		if newA-newB != dayA-dayB {
			t.Fatalf("%q and %q are %d days apart, %q and %q %d", a, b, dayA-dayB, outA, outB, newA-newB)
		}
	}
}

// TestWeekdaysStayTrue: a weekday beside a date is that of the moved date under
// each policy, and by whole weeks no weekday changes.
func TestWeekdaysStayTrue(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	lo, hi := DaysFromCivil(1900, 1, 2), DaysFromCivil(2100, 12, 31)
	for range 3000 {
		n, days := lo+r.Intn(hi-lo), r.Intn(4001)-2000
		for lang := range numLanguages {
			names := &languageNames[lang]
			y, m, d := CivilFromDays(n)
			layout := map[Language]string{English: "%s, %d %s %d", Spanish: "%s, %d de %s de %d"}[lang]
			s := fmt.Sprintf(layout, names.weekdays[weekday(n)], d, names.months[m], y)
			out, ok := Shift(s, days, Reference{})
			if !ok {
				t.Fatalf("Shift(%q, %d) failed", s, days)
			}
			y, m, d = CivilFromDays(n + days)
			if want := fmt.Sprintf(layout, names.weekdays[weekday(n+days)], d, names.months[m], y); out != want {
				t.Fatalf("Shift(%q, %d) = %q, want %q", s, days, out, want)
			}
			for _, alone := range []string{names.weekdays[weekday(n)], strings.ToUpper(names.weekdays[weekday(n)])} {
				if out, ok := Shift(alone, 7*days, Reference{}); !ok || out != alone {
					t.Fatalf("Shift(%q, %d) = %q, %v", alone, 7*days, out, ok)
				}
			}
		}
	}
}

// partialForms writes a day with parts left out, and two days as ranges and lists.
func partialForms(n, later int) []string {
	y, m, d := CivilFromDays(n)
	y2, m2, d2 := CivilFromDays(n + later)
	name, name2 := languageNames[English].months[m], languageNames[English].months[m2]
	out := []string{
		fmt.Sprintf("%d/%d", m, d), fmt.Sprintf("%s %d", name, d), fmt.Sprintf("the %d%s of %s", d, OrdinalSuffix(d), name),
		fmt.Sprintf("%d/%d-%d/%d", m, d, m2, d2), fmt.Sprintf("%d/%d to %d/%d/%d", m, d, m2, d2, y2),
		fmt.Sprintf("%d/%d/%02d - %d/%d/%02d", m, d, y%100, m2, d2, y2%100), fmt.Sprintf("%d/%d and %d/%d/%d", m, d, m2, d2, y2),
		fmt.Sprintf("%s %d through %s %d, %d", name, d, name2, d2, y2), fmt.Sprintf("%04d-%02d-%02d/%04d-%02d-%02d", y, m, d, y2, m2, d2),
		fmt.Sprintf("%d/%d/%d 10:15 to %d/%d/%d 11:20", m, d, y, m2, d2, y2),
		fmt.Sprintf("del %d de %s al %d de %s de %d", d, languageNames[Spanish].months[m], d2, languageNames[Spanish].months[m2], y2),
	}
	if m == m2 && later > 0 {
		out = append(out, fmt.Sprintf("%d/%d-%d", m, d, d2), fmt.Sprintf("%d/%d-%d/%d", m, d, d2, y2),
			fmt.Sprintf("%s %d-%d, %d", name, d, d2, y2),
			fmt.Sprintf("%d-%d %s %d", d, d2, name, y2), fmt.Sprintf("%s %d, %d and %d", name, d, (d+d2+1)/2, d2),
			fmt.Sprintf("%s %d through %d, %d", name, d, d2, y2))
	}
	return out
}

// TestRangesMoveTogether: every end of a printed range or list, read by the
// moved note, is the end that was read, moved.
func TestRangesMoveTogether(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for range 6000 {
		noteDay := DaysFromCivil(1995, 1, 1) + r.Intn(10000)
		days := r.Intn(2001) - 1000
		note := Reference{NoteDay: noteDay, HasNoteDay: true, DayFirst: No}
		moved := note
		moved.NoteDay += days
		n, later := noteDay-r.Intn(250), r.Intn(40)
		for _, s := range partialForms(n, later) {
			f, err := Parse(s, note)
			if err != nil {
				t.Fatalf("Parse(%q) with a note of %d: %v", s, noteDay, err)
			}
			for i, e := range f.f.res {
				if want := n + i*later; len(f.f.res) < 3 && e.days != want {
					t.Fatalf("end %d of %q is day %d, want %d (note %d)", i, s, e.days, want, noteDay)
				}
			}
			out, err := f.Shift(days, Plain)
			if err != nil {
				t.Fatalf("Shift(%q, %d): %v", s, days, err)
			}
			g, err := Parse(out, moved)
			if err != nil || len(g.f.res) != len(f.f.res) {
				t.Fatalf("Shift(%q, %d) = %q, which reads as %d ends, %v", s, days, out, len(g.f.res), err)
			}
			for i := range g.f.res {
				if got, want := g.f.res[i].days, f.f.res[i].days+days; got != want && !leapDay(f, g) {
					t.Fatalf("end %d of %q, moved by %d to %q, is day %d, want %d (note %d)", i, s, days, out, got, want, noteDay)
				}
			}
		}
	}
}

// leapDay reports whether a form without a year names 29 February: the latest
// one may lie years back, and the moved day then has a later twin.
func leapDay(forms ...Form) bool {
	for _, f := range forms {
		for i, r := range f.f.res {
			if r.month == 2 && r.day == 29 && !f.f.ends[i].has(roleYear) {
				return true
			}
		}
	}
	return false
}

func TestEarliest(t *testing.T) {
	for s, want := range map[string]int{
		"3/4/2014": DaysFromCivil(2014, 3, 4), "3/4/14-1/2/13": DaysFromCivil(2013, 1, 2), "March '14": DaysFromCivil(2014, 3, 15),
		"nineteen twenty": DaysFromCivil(1920, 7, 1),
		"the 1920s":       DaysFromCivil(1925, 1, 1), "2014-063": DaysFromCivil(2014, 3, 4), "1924 to 1930": DaysFromCivil(1924, 7, 1),
		"Christmas 2014": DaysFromCivil(2014, 12, 25), "12/28-1/3/2015": DaysFromCivil(2015, 1, 3),
	} {
		f, err := Parse(s, march2018)
		if got, ok := f.Earliest(); err != nil || !ok || got != want {
			t.Errorf("Earliest(%q) = %d, %v, %v; want %d", s, got, ok, err, want)
		}
	}
	for _, s := range []string{"3/4", "March", "Christmas", "Tuesday", "Q1"} {
		f, _ := Parse(s, march2018)
		if got, ok := f.Earliest(); ok {
			t.Errorf("Earliest(%q) = %d", s, got)
		}
	}
}

// TestAmbiguous: only an order that had to be guessed counts.
func TestAmbiguous(t *testing.T) {
	for _, c := range []struct {
		s    string
		ref  Reference
		want bool
	}{
		{"3/4/2014", Reference{}, true}, {"3/4", Reference{}, true}, {"3.4.2014", Reference{}, true}, {"03042014", Reference{}, true},
		{"3/4-6/2014", Reference{}, true}, {"4/4/2014", Reference{}, false}, {"23/4/2014", Reference{}, false}, {"3/4-3/16", Reference{}, false},
		{"4-6/3/2014", Reference{}, false}, {"2014-03-04", Reference{}, false}, {"March 4", Reference{}, false}, {"20140304", Reference{}, false},
		{"3/4/2014", Reference{DayFirst: Yes}, false}, {"3/4/2014", Reference{DayFirst: No}, false},
		{"3/4/2014", Reference{Language: Spanish}, true}, {"3/4/2014", Reference{Usual: Yes}, true},
	} {
		f, err := Parse(c.s, c.ref)
		if err != nil || f.Ambiguous() != c.want {
			t.Errorf("Parse(%q).Ambiguous() = %v, %v; want %v", c.s, f.Ambiguous(), err, c.want)
		}
	}
}
