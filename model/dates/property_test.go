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
		if want := day.AddDate(0, 0, n-firstDay); y != want.Year() || m != int(want.Month()) || d != want.Day() || weekday(n) != int(want.Weekday()) {
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

func TestEaster(t *testing.T) {
	for _, want := range []string{"1961-04-02", "2000-04-23", "2008-03-23", "2014-04-20", "2019-04-21", "2024-03-31", "2038-04-25"} {
		y, m, d := CivilFromDays(easter(number(want[:4])))
		if got := fmt.Sprintf("%04d-%02d-%02d", y, m, d); got != want {
			t.Errorf("Easter is on %s, want %s", got, want)
		}
	}
}

// forms writes one day in every full form whose style shows at every date, so
// that two shifts that cancel must give the same bytes.
func forms(n int) []string {
	y, m, d := CivilFromDays(n)
	name, wd := languageNames[English].months[m], languageNames[English].weekdays[weekday(n)]
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	return []string{
		fmt.Sprintf("%04d-%02d-%02d", y, m, d), fmt.Sprintf("%04d/%02d/%02d", y, m, d),
		fmt.Sprintf("%02d-%02d-%04d", m, d, y), fmt.Sprintf("%04d%02d%02d", y, m, d),
		fmt.Sprintf("%04d%02d%02d101500-0500", y, m, d), fmt.Sprintf("%04d-%02d-%02dT10:15:00Z", y, m, d),
		fmt.Sprintf("%s %d, %d", title(wd)+", "+title(name), d, y), fmt.Sprintf("%s of %s %d", spellDay(d, English, spelling{}), name, y),
		fmt.Sprintf("%d%s of %s %d", d, ordinalSuffix(d), name, y), fmt.Sprintf("%02d-%s-%04d", d, strings.ToUpper(name[:3]), y),
		fmt.Sprintf("%d/%d/%d", m, d, y), fmt.Sprintf("%d/%d/%02d", m, d, y%100),
	}
}

// TestShiftsCancel: a shift and its opposite give the same bytes, differences
// of dates stay, and the printed date reads as the day moved.
func TestShiftsCancel(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	note := Reference{NoteDay: DaysFromCivil(2018, 3, 10), HasNoteDay: true, DayFirst: No}
	lo, hi := DaysFromCivil(1930, 1, 1), DaysFromCivil(2017, 12, 31)
	for range 3000 {
		n := lo + r.Intn(hi-lo)
		days := r.Intn(3641) - 1820
		if days == 0 {
			continue
		}
		for _, s := range forms(n) {
			if s == "" {
				continue
			}
			out, ok := Shift(s, days, note)
			if !ok || out == s {
				t.Fatalf("Shift(%q, %d) = %q, %v", s, days, out, ok)
			}
			if strings.Count(s, "/") == 2 && len(s) <= 8 && (n+days < lo || n+days > hi) {
				continue // a two-digit year is read as another century there
			}
			if got, ok := ParseDays(out, note); !ok || got != n+days {
				t.Fatalf("Shift(%q, %d) = %q, day %d (%v), want %d", s, days, out, got, ok, n+days)
			}
			back, ok := Shift(out, -days, note)
			if !ok || back != s {
				t.Fatalf("Shift(%q, %d) = %q, and back %q, %v", s, days, out, back, ok)
			}
		}
	}
}

// FuzzShift: no panic, a shift by zero is the identity, and a full date that
// is accepted never comes out as it was.
func FuzzShift(f *testing.F) {
	for _, s := range []string{"3/4/2014", "March 4-6, 2014", "12/28-1/3", "Tuesday, 4 March 2014", "20140304101500-0500", "M/W/F",
		"2014-W10-2", "Christmas 2014", "the '80s", "4th of March", "winter 2014-15", "3/4/14 10:15 PM", "1394000000", "'14", "St. Patrick’s Day"} {
		f.Add(s, 28, 17600)
	}
	f.Fuzz(func(t *testing.T, s string, days, note int) {
		for _, r := range []Reference{{}, {NoteDay: note, HasNoteDay: true, DayFirst: Yes}, {NoteDay: note, HasNoteDay: true, DayFirst: No}} {
			out, ok := Shift(s, days, r)
			if same, ok0 := Shift(s, 0, r); ok && (!ok0 || same != s) {
				t.Fatalf("Shift(%q, 0) = %q, %v", s, same, ok0)
			}
			if !ok {
				if out != "" {
					t.Fatalf("a refused %q left %q", s, out)
				}
				continue
			}
			if f, _ := Parse(s, r); f.Full() && days != 0 && out == s {
				d, _ := ParseDays(s, r)
				e, ok := ParseDays(out, r)
				// Only a multiple of a century hides behind two digits.
				if !ok || d == e && days%36524 != 0 && days%36525 != 0 {
					t.Fatalf("Shift(%q, %d) changed nothing", s, days)
				}
			}
		}
	})
}
