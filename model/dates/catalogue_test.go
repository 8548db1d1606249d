package dates

import (
	"errors"
	"testing"
)

// moved is one expression, the days it moves by, and what must come out.
type moved struct {
	in   string
	days int
	want string
}

func (c moved) check(t *testing.T, ref Reference) {
	t.Helper()
	out, ok := Shift(c.in, c.days, ref)
	if !ok || out != c.want {
		t.Errorf("Shift(%q, %d) = %q, %v; want %q", c.in, c.days, out, ok, c.want)
	}
}

// TestFailureCatalogue has one subtest for each way in which date shifting is
// known to go wrong, named after the mistake. Ages, dates of birth as such,
// structured columns and the least offset are tested where they are decided,
// in package surrogate.
func TestFailureCatalogue(t *testing.T) {
	note := Reference{NoteDay: DaysFromCivil(2018, 3, 10), HasNoteDay: true} // a Saturday
	refuses := func(t *testing.T, want error, ref Reference, list ...string) {
		t.Helper()
		for _, s := range list {
			f, err := Parse(s, ref)
			if !errors.Is(err, want) {
				t.Errorf("Parse(%q): %v, want %v", s, err, want)
			}
			if out, err := f.Shift(28, Plain); err == nil || out != "" {
				t.Errorf("a refused %q left %q", s, out)
			}
		}
	}
	moves := func(t *testing.T, ref Reference, list ...moved) {
		t.Helper()
		for _, c := range list {
			c.check(t, ref)
		}
	}

	t.Run("weekday name near a date", func(t *testing.T) {
		moves(t, note,
			moved{"Tuesday, March 4, 2014", 28, "Tuesday, April 1, 2014"},
			moved{"Tuesday, March 4, 2014", -30, "Sunday, February 2, 2014"}, // backwards goes back in the week
			moved{"3/4/14 (Tue)", 365, "3/4/15 (Wed)"},
			moved{"last Tuesday", 28, "last Tuesday"},
			moved{"last Tuesday", -1, "last Monday"})
	})
	t.Run("day and month without a year", func(t *testing.T) {
		moves(t, note, moved{"3/4", 28, "4/1"}, moved{"3-4", 28, "4-1"}, moved{"12/31", 28, "1/28"})
		// 29 February decides which year it was: 2016 has one, and the note's does not.
		moves(t, note, moved{"2/29", 365, "2/28"})
		// The year is the note's business, not that of the day of the run.
		for _, c := range []struct {
			noteYear int
			want     string
		}{{2016, "2/29"}, {2017, "3/1"}, {2018, "3/1"}} {
			moved{"2/27", 2, c.want}.check(t, ref(c.noteYear, 3, 10))
		}
	})
	t.Run("fractions, scores and pressures are no dates", func(t *testing.T) {
		refuses(t, ErrRelative, note, "3/5 strength", "24 2/7 weeks", "1/2 tab", "120/80", "120/80 mmHg", "BP 120/80", "2/6 murmur", "pain 7/10",
			"GCS 14/15", "24+2", "10/10 pain")
	})
	t.Run("day first or month first", func(t *testing.T) {
		uk, us := note, note
		uk.DayFirst, us.DayFirst = Yes, No
		moves(t, uk, moved{"3/4/2014", 28, "1/5/2014"}, moved{"3/25/2014", 28, "4/22/2014"}) // a number over 12 outweighs the source
		moves(t, us, moved{"3/4/2014", 28, "4/1/2014"}, moved{"25/3/2014", 28, "22/4/2014"})
		document := note
		var told Evidence
		told.Add("25/3/2014", Known{})
		document.DayFirst = told.Order(Evidence{})
		moves(t, document, moved{"3/4/2014", 28, "1/5/2014"})
		for s, want := range map[string]bool{"3/4/2014": true, "3/14/2014": false, "4/4/2014": false} {
			if f, err := Parse(s, note); err != nil || f.Ambiguous() != want {
				t.Errorf("%q: ambiguous %v, %v; want %v, to be counted", s, f.Ambiguous(), err, want)
			}
		}
	})
	t.Run("year only", func(t *testing.T) {
		moves(t, note,
			moved{"2009", 182, "2009"}, moved{"2009", 183, "2010"}, moved{"in 2009", -182, "in 2009"}, moved{"in 2009", -183, "in 2008"},
			moved{"'08", 364, "'09"}, moved{"2014-2018", 728, "2016-2020"}, moved{"nineteen ninety-nine", 364, "two thousand"})
	})
	t.Run("year only over 89 years ago", func(t *testing.T) {
		for s, want := range map[string]string{"1928": "1928 or before", "1890": "1928 or before", "1929": "1929",
			"March 4, 1920": "1928 or before"} {
			f, err := Parse(s, note)
			if out, ok := f.SafeHarbor(2018 - 89); err != nil || !ok || out != want {
				t.Errorf("SafeHarbor(%q) = %q, %v", s, out, ok)
			}
		}
	})
	t.Run("month and year", func(t *testing.T) {
		moves(t, note, moved{"March 2014", 28, "April 2014"}, moved{"3/2014", 28, "4/2014"}, moved{"Mar '14", -80, "Dec '13"},
			moved{"2014-12", 28, "2015-01"}, moved{"Mar-Apr 2014", 28, "Apr-May 2014"})
	})
	t.Run("season", func(t *testing.T) {
		moves(t, note, moved{"Fall of 2010", 91, "Winter of 2011"}, moved{"winter 2013-14", 364, "winter 2014-15"},
			moved{"summer", 182, "winter"})
		days, ok := seasonDays(2)
		if !ok || days != 728 {
			t.Fatalf("seasonDays(2) = %d, %v", days, ok)
		}
		f, _ := Parse("Fall of 2010", note)
		if out, err := f.Shift(days, Season); err != nil || out != "Fall of 2012" {
			t.Errorf("two years on it is %q, %v", out, err)
		}
	})
	t.Run("holidays", func(t *testing.T) {
		moves(t, note,
			moved{"Christmas 2014", 28, "January 22 2015"}, moved{"4th of July", 28, "1st of August"}, moved{"July 4, 2014", 28, "August 1, 2014"},
			moved{"Thanksgiving", 28, "December 21"},           // 23 November 2017
			moved{"Thanksgiving 2014", 28, "December 25 2014"}, // 27 November 2014: the rule, not one year's table
			moved{"Ramadan 2014", 28, "July 27 2014"},          // 29 June by the tabular calendar
			moved{"Easter 2014", 28, "May 18 2014"}, moved{"Navidad de 2014", 28, "22 de enero de 2015"})
		// No shift keeps the name of a holiday, but for one near whole years.
		f, _ := Parse("Christmas 2014", note)
		if out, err := f.Shift(364, Weekday); err != nil || out != "December 24 2015" {
			t.Errorf("364 days after Christmas 2014: %q, %v", out, err)
		}
		if out, err := f.Shift(728, Season); err != nil || out != "Christmas 2016" {
			t.Errorf("728 days after Christmas 2014 under Season: %q, %v", out, err)
		}
	})
	t.Run("relative times stay", func(t *testing.T) {
		refuses(t, ErrRelative, note, "tomorrow", "yesterday", "today", "POD#3", "POD 3", "x 2 weeks", "for 3 days", "q8h", "1 week",
			"within 3 days",
			"first trimester", "3 weeks ago", "two years ago", "the next day", "tomorrow morning", "last week", "hospital day 4", "every 6 hours",
			"hace 3 semanas", "ayer", "89 years", "day 30", "120/80")
		// An age over 89 is not to pass as a span of time.
		refuses(t, ErrUnreadable, note, "90 years", "95 years old", "for 101 y", "85-95 years", "hace 95 años", "March cake", "next to him",
			"3-4-5")
	})
	t.Run("times of day stay", func(t *testing.T) {
		moves(t, note,
			moved{"3/4/14 10:15 PM", 28, "4/1/14 10:15 PM"}, moved{"3/4/14 @ 1015", 28, "4/1/14 @ 1015"},
			moved{"04-Mar-14 1405h", 28, "01-Apr-14 1405h"}, moved{"3/4/14 0915", 28, "4/1/14 0915"},
			moved{"March 4, 2014 0915", 28, "April 1, 2014 0915"},
			moved{"March 4-6 2014", 28, "April 1-3 2014"}, moved{"2013, 2014 and 2015", 364, "2014, 2015 and 2016"},
			moved{"Tuesday March 4 at noon", 28, "Tuesday April 1 at noon"},
			moved{"2014-03-04T23:59:60-05:00", 28, "2014-04-01T23:59:60-05:00"},     // a leap second, and no zone arithmetic
			moved{"2014-03-09 02:30 EST", 7, "2014-03-16 02:30 EST"},                // an hour that summer time skips
			moved{"Tue Mar 4 10:15:00 EST 2014", 28, "Tue Apr 1 10:15:00 EST 2014"}) // amid the date
	})
	t.Run("ranges", func(t *testing.T) {
		moves(t, note,
			moved{"3/4-3/6", 28, "4/1-4/3"}, moved{"12/28-1/3", 7, "1/4-1/10"}, moved{"12/28-1/3", -28, "11/30-12/6"},
			moved{"2014-2018", 364, "2015-2019"},
			moved{"3/4-6", 7, "3/11-13"}, moved{"3/4-6", 27, "3/31-4/2"}, // elided only while it is still true
			moved{"March 4 through 9, 2014", 24, "March 28 through April 2, 2014"}, moved{"3/4, 3/5 and 3/7/2014", 25, "3/29, 3/30 and 4/1/2014"},
			moved{"4-6 March", 25, "29-31 March"}, moved{"4-6 March", 27, "31 March-2 April"}, moved{"3/4-3/6/14", 305, "1/3-1/5/15"})
	})
	t.Run("two-digit years", func(t *testing.T) {
		moves(t, note, moved{"3/4/14", 365, "3/4/15"}, moved{"12/31/99", 1, "1/1/00"}, moved{"3/4/49", 365, "3/4/50"})
		for _, c := range []struct {
			in    string
			birth bool
			want  int
		}{
			{"3/4/23", false, 2023}, {"3/4/24", false, 1924}, {"3/4/18", false, 2018}, // up to five years ahead: an appointment
			{"3/4/18", true, 2018}, {"3/11/18", true, 1918}, {"3/4/19", true, 1919}, // nobody is born after the note
		} {
			r := note
			r.Birth, r.DayFirst = c.birth, No
			f, err := Parse(c.in, r)
			d, _ := f.Days()
			if y, _, _ := CivilFromDays(d); err != nil || y != c.want {
				t.Errorf("%q (birth %v) is of %d, want %d", c.in, c.birth, y, c.want)
			}
		}
		// Read again by the moved note the century is the same, or nothing comes out.
		f, _ := Parse("12/30/23", Reference{NoteDay: DaysFromCivil(2018, 1, 2), HasNoteDay: true})
		if out, err := f.Shift(3, Plain); err == nil {
			t.Errorf("12/30/23 came out as %q, which the moved note reads as 1924", out)
		}
	})
	t.Run("out of range, impossible and sentinel dates", func(t *testing.T) {
		refuses(t, ErrImpossible, note, "31 Feb", "2/31/2014", "April 31", "2/29/2015", "13/13/2014", "2014-13-01", "2015-366", "2014-W53-1",
			"0/4/2014", "3/0/2014")
		refuses(t, ErrSentinel, note, "00/00/0000", "9/9/9999", "01/01/1900", "12/31/9999", "0000-00-00", "99/99/9999", "9999-12-31T00:00:00",
			"1900-01-01 00:00", "99999999", "00/00/00")
		for _, days := range []int{40_000 * 365, -40_000 * 365, 1 << 40} {
			f, err := Parse("3/4/2014", note)
			if out, shiftErr := f.Shift(days, Plain); err != nil || shiftErr != ErrOutOfRange || out != "" {
				t.Errorf("a shift by %d days: %q, %v", days, out, shiftErr)
			}
		}
		f, _ := Parse("12/1/9998", note)
		if out, err := f.Shift(31, Plain); err != ErrOutOfRange || out != "" {
			t.Errorf("past the last year: %q, %v, want no clamp", out, err)
		}
	})
	t.Run("29 February", func(t *testing.T) {
		moves(t, note, moved{"02/29/2000", 366, "03/01/2001"}, moved{"2/28/2000", 1, "2/29/2000"}, moved{"2/28/1900", 1, "3/1/1900"},
			moved{"2016-02-29", -366, "2015-02-28"}, moved{"29 Feb 2016", 1461, "29 Feb 2020"})
	})
	t.Run("ISO and HL7", func(t *testing.T) {
		moves(t, note,
			moved{"20080809151100", 28, "20080906151100"}, moved{"20080809151100.123+0100", 28, "20080906151100.123+0100"},
			moved{"20080809", 28, "20080906"},
			moved{"2014-03-04T10:11:12.123Z", 28, "2014-04-01T10:11:12.123Z"}, moved{"2014-W10-2", 28, "2014-W14-2"},
			moved{"2014-063", 28, "2014-091"})
		refuses(t, ErrUnreadable, note, "1394000000", "1394000000123") // Unix times look like any number
	})
	t.Run("format", func(t *testing.T) {
		moves(t, note,
			moved{"03/04/14", 28, "04/01/14"}, moved{"3/4/14", 28, "4/1/14"}, moved{"MARCH 4TH", 28, "APRIL 1ST"},
			moved{"the 1st of march", 1, "the 2nd of march"},
			moved{"04-MAR-2014", 28, "01-APR-2014"}, moved{"Mar.4,2014", 28, "Apr.1,2014"}, moved{"4MAR2014", 28, "1APR2014"},
			moved{"04MAY", 28, "01JUN"}, moved{"Fall '13/Winter '14", 91, "Winter '14/Spring '14"},
			moved{"Christmas/New Year", 7, "January 1/January 8"}, moved{"03 / 04 / 2014", 28, "04 / 01 / 2014"},
			moved{"third of May", 28, "thirty-first of May"}, moved{"2014–03–04", 28, "2014–04–01"}, moved{"O3/l4/2O14", 28, "04/11/2014"},
			moved{"March\u00a04,\u00a02014", 28, "April\u00a01,\u00a02014"})
	})
}
