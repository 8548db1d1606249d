package dates

import (
	"strings"
	"testing"
)

// FuzzShift: no panic, a shift by zero is the identity, and a full date that
// is accepted comes out as another text, which reads as the day moved.
func FuzzShift(f *testing.F) {
	for _, s := range []string{"3/4/2014", "March 4-6, 2014", "12/28-1/3", "Tuesday, 4 March 2014", "20140304101500-0500", "M/W/F",
		"2014-W10-2", "Christmas 2014", "the '80s", "4th of March", "winter 2014-15", "3/4/14 10:15 PM", "'14", "St. Patrick’s Day",
		"Q1 2014", "1Q14", "first quarter of 2014", "O3/l4/2O14", "2014–03–04", "1.º de mayo de 2014", "del 4 al 6 de marzo de 2014",
		"treinta y uno de mayo de mil novecientos noventa y nueve", "May third, two thousand and nine", "nineteen ninety-four", "twenty-fourteen",
		"Ramadan 2014", "140304", "3/4, 3/5 and 3/7/2014", "2014-063T10:15", "Diwali", "los años noventa", "3/4 at 1015", "Sept. 4, '14",
		"24 2/7 weeks", "00/00/0000"} {
		f.Add(s, 28, 17600, uint8(0))
	}
	f.Fuzz(func(t *testing.T, s string, days, note int, flags uint8) {
		base := Reference{Birth: flags&1 != 0, Language: Language(flags >> 1 & 1), Usual: DayFirst(flags >> 2 % 3)}
		yes, no := base, base
		yes.NoteDay, yes.HasNoteDay, yes.DayFirst = note, true, Yes
		no.NoteDay, no.HasNoteDay, no.DayFirst = note, true, No
		for _, r := range []Reference{base, yes, no} {
			form, err := Parse(s, r)
			for _, policy := range []Policy{Plain, Season} {
				out, shiftErr := form.Shift(days, policy)
				if err != nil || shiftErr != nil {
					if out != "" {
						t.Fatalf("a refused %q left %q", s, out)
					}
					continue
				}
				if same, err := form.Shift(0, policy); err != nil || same != s {
					t.Fatalf("Shift(%q, 0) = %q, %v", s, same, err)
				}
				if !form.Full() || days == 0 {
					continue
				}
				if out == s {
					t.Fatalf("Shift(%q, %d) changed nothing", s, days)
				}
				before, _ := form.Days()
				moved := r
				moved.NoteDay += days
				if validDays(moved.day()) != validDays(note) || !validDays(note) && r.HasNoteDay {
					continue // a note that cannot move
				}
				// Numbers over 12 may have told the order, and be gone now.
				if moved.DayFirst = No; form.f.dayFirst {
					moved.DayFirst = Yes
				}
				again, err := Parse(out, moved)
				if err == ErrSentinel {
					continue
				}
				after, ok := again.Days()
				if century := (after - before - days) / 365; err != nil || !ok || after != before+days &&
					(r.HasNoteDay || century%100 > 1 && century%100 < 99) {
					t.Fatalf("Shift(%q, %d) = %q (%v), day %d after %d", s, days, out, err, after, before)
				}
			}
		}
	})
}

// FuzzFullDates: any day in any full form is accepted, and moves and comes
// back.
func FuzzFullDates(f *testing.F) {
	f.Add(16133, 28, 0)
	f.Add(-7000, -363, 7)
	f.Fuzz(func(t *testing.T, day, days, which int) {
		lo, hi := DaysFromCivil(1905, 1, 2), DaysFromCivil(2095, 12, 31)
		day, days = lo+mod(day, hi-lo), days%1500
		all := fullForms(day)
		s := all[mod(which, len(all))]
		note := Reference{NoteDay: day + 400, HasNoteDay: true, DayFirst: No}
		moved := note
		moved.NoteDay += days
		if days == 0 || sentinelDays[day] || sentinelDays[day+days] {
			return
		}
		out, ok := Shift(s, days, note)
		if got, read := ParseDays(out, moved); !ok || out == s || !read || got != day+days {
			t.Fatalf("Shift(%q, %d) = %q, %v", s, days, out, ok)
		}
		if back, ok := Shift(out, -days, moved); !ok || back != s {
			t.Fatalf("Shift(%q, %d) = %q, and back %q", s, days, out, back)
		}
	})
}

// FuzzSafeHarbor: nothing but years is left of what is more than a year.
func FuzzSafeHarbor(f *testing.F) {
	for _, s := range []string{"3/4/2014", "March 4-6, 2014", "Christmas '14", "Q1 2014", "winter 2013-14", "12/28/13-1/3/14",
		"mil novecientos noventa", "the '20s", "20140304101112"} {
		f.Add(s, 1929)
	}
	f.Fuzz(func(t *testing.T, s string, oldest int) {
		form, err := Parse(s, Reference{NoteDay: 17600, HasNoteDay: true})
		out, ok := form.SafeHarbor(oldest)
		if err != nil || !ok {
			if out != "" {
				t.Fatalf("a refused %q left %q", s, out)
			}
			return
		}
		if out == "" {
			t.Fatalf("SafeHarbor(%q) is empty", s)
		}
		lower := strings.ToLower(out)
		for _, list := range [][]string{languageNames[English].weekdays[:], languageNames[Spanish].weekdays[:], languageNames[English].seasons[:],
			languageNames[English].months[1:], languageNames[Spanish].months[1:]} {
			for _, n := range list {
				if n != "may" && strings.Contains(lower, n) {
					t.Fatalf("SafeHarbor(%q) = %q", s, out)
				}
			}
		}
		again, err := Parse(out, Reference{NoteDay: 17600, HasNoteDay: true})
		if err == nil {
			for _, r := range again.f.res {
				if r.unit != unitYear && r.unit != unitDecade {
					t.Fatalf("SafeHarbor(%q) = %q, which is more than a year", s, out)
				}
			}
		}
	})
}
