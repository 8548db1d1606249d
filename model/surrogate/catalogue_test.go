package surrogate

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// The rows of the catalogue of known failures of other de-identifiers that
// concern ages, birth dates, columns and offsets. Rows on the forms of dates
// are tested in package dates.
func TestCatalogue(t *testing.T) {
	day := dates.DaysFromCivil
	note := func(y, m, d int) dates.Reference { return dates.Reference{NoteDay: day(y, m, d), HasNoteDay: true} }
	move := func(p *Patient, s string, r dates.Reference) (string, Outcome) {
		return p.Replace(Mention{Type: phi.Date, Surface: s, Ref: r})
	}

	t.Run("ages to 89 stay, older ones become 90+ in every written form", func(t *testing.T) {
		p := patient(t, "k", "p1", Options{})
		for in, want := range map[string]string{
			"67": "67", "89": "89", "24 weeks": "24 weeks", "aged 95": "aged 90+", "95F": "90+F", "95 M": "90+ M", "95-year-old": "90+-year-old",
			"ninety-five": "ninety-plus", "nonagenarian": "person aged 90+", "centenarian": "person aged 90+", "101": "90+", "95 y/o": "90+ y/o",
			"over 90": "over 90+", "97yo": "90+yo", "in her nineties": "in her 90+", "one hundred": "ninety-plus",
		} {
			if got, _ := p.Replace(Mention{Type: phi.Age, Surface: in, Ref: note(2018, 3, 10)}); got != want {
				t.Errorf("%q became %q, want %q", in, got, want)
			}
		}
	})

	t.Run("b. 1925 says 90 and no more", func(t *testing.T) {
		for i := range 30 {
			p := patient(t, "k", fmt.Sprint(i), Options{})
			for _, c := range []struct {
				typ phi.Type
				s   string
			}{{phi.Age, "b. 1925"}, {phi.Age, "born 1899"}, {phi.Date, "1925"}, {phi.Date, "March 1911"}, {phi.Date, "1910s"}} {
				out, o := p.Replace(Mention{Type: c.typ, Surface: c.s, Ref: note(2018, 3, 10)})
				years := yearsIn(out)
				year, ok := 0, len(years) > 0
				if ok {
					year = years[0]
				}
				if strings.HasSuffix(out, "s") {
					year += 9 // nobody of the decade's end is older
				}
				now, _, _ := dates.CivilFromDays(day(2018, 3, 10) + p.Offset(""))
				if o == Masked || !ok || now-year > 91 || strings.HasPrefix(c.s, "b") && !strings.HasPrefix(out, c.s[:strings.IndexByte(c.s, ' ')]) {
					t.Errorf("%q became %q, %v, beside a note of %d", c.s, out, o, now)
				}
			}
		}
	})

	t.Run("two digits of a birth year are before the note", func(t *testing.T) {
		for i := range 30 {
			p := patient(t, "k", fmt.Sprint(i), Options{})
			r := note(2024, 6, 1)
			r.Birth = true
			out, _ := move(p, "03/04/27", r)
			now, _, _ := dates.CivilFromDays(day(2024, 6, 1) + p.Offset(""))
			if year, err := strconv.Atoi(out[len(out)-2:]); err != nil || (now-year+100)%100 > 91 {
				t.Errorf("03/04/27 of a patient of 97 became %q beside a note of %d", out, now)
			}
		}
	})

	t.Run("both ends of a range of years move alike, or are masked", func(t *testing.T) {
		for i := range 30 {
			p := patient(t, "k", fmt.Sprint(i), Options{})
			for _, in := range []string{"1920-2010", "1984, 1922", "1984-1986"} {
				out, o := move(p, in, note(2014, 3, 10))
				years := yearsIn(out)
				was := yearsIn(in)
				if o != Masked && (len(years) != 2 || years[1]-years[0] != was[1]-was[0] || years[0] < 1920) {
					t.Errorf("%q became %q, %v", in, out, o)
				}
			}
		}
	})

	t.Run("a birth date and an age agree after the shift", func(t *testing.T) {
		for i := range 30 {
			p := patient(t, "k", fmt.Sprint(i), Options{})
			r := note(2019, 1, 13)
			birth, _ := move(p, "8/30/47", r)
			today, _ := move(p, "1/13/2019", r)
			moved := r
			moved.NoteDay += p.Offset("")
			b, ok1 := dates.ParseDays(birth, moved)
			d, ok2 := dates.ParseDays(today, moved)
			if age := ageOn(b, d); !ok1 || !ok2 || age != 71 {
				t.Errorf("aged 71, now %d: %s on %s", age, birth, today)
			}
		}
	})

	t.Run("nobody is older than 90 by subtraction", func(t *testing.T) {
		for i := range 30 {
			p := patient(t, "k", fmt.Sprint(i), Options{})
			p.Written(day(2010, 5, 5)) // aged 89 then
			p.Written(day(2018, 3, 10))
			for _, birth := range []int{day(1920, 8, 30), day(1920, 2, 29), day(1901, 3, 10), day(1928, 3, 10), day(1927, 3, 11)} {
				n, what := p.Days(birth, Mention{Ref: note(2010, 5, 5)})
				latest := day(2018, 3, 10) + p.Offset("")
				if age := ageOn(birth+n, latest); age != 90 || what != DateAged && birth != day(1928, 3, 10) && birth != day(1927, 3, 11) {
					t.Errorf("born on day %d: %d years old on the last note, %v", birth, age, what)
				}
				y, m, d := dates.CivilFromDays(birth)
				s := fmt.Sprintf("%02d/%02d/%04d", m, d, y)
				out, _ := move(p, s, note(2010, 5, 5)) // as the text of an early note has it
				moved := note(2010, 5, 5)
				moved.NoteDay += p.Offset("")
				if got, ok := dates.ParseDays(out, moved); !ok || got != birth+n {
					t.Errorf("the text's %s and the column's date differ", s)
				}
			}
			// A day short of 90: leap days may cost a day or two.
			if n, _ := p.Days(day(1928, 3, 11), Mention{}); n-p.Offset("") > 2 || n < p.Offset("") ||
				ageOn(day(1928, 3, 11)+n, day(2018, 3, 10)+p.Offset("")) != 89 {
				t.Error("a birth date of somebody of 89 was moved apart")
			}
			if n, what := p.Days(day(1950, 3, 11), Mention{}); n != p.Offset("") || what != DateShifted {
				t.Error("a birth date of somebody of 68 was moved apart")
			}
		}
	})

	t.Run("29 February", func(t *testing.T) {
		p := patient(t, "k", "p1", Options{})
		p.Written(day(2019, 6, 1))
		n, _ := p.Days(day(1912, 2, 29), Mention{})
		if age := ageOn(day(1912, 2, 29)+n, day(2019, 6, 1)+p.Offset("")); age != 90 {
			t.Errorf("it says %d years", age)
		}
	})

	t.Run("columns and texts move by the same function", func(t *testing.T) {
		for i := range 50 {
			p := patient(t, "k", fmt.Sprint(i), Options{})
			for _, d := range []int{day(2018, 3, 4), day(2016, 2, 29), day(1950, 12, 31), day(2000, 1, 1)} {
				n, _ := p.Days(d, Mention{Ref: note(2018, 3, 10)})
				y, m, dd := dates.CivilFromDays(d)
				out, _ := move(p, fmt.Sprintf("%04d-%02d-%02d", y, m, dd), note(2018, 3, 10))
				y, m, dd = dates.CivilFromDays(d + n)
				if want := fmt.Sprintf("%04d-%02d-%02d", y, m, dd); out != want {
					t.Errorf("the text says %s, the column %s", out, want)
				}
			}
		}
	})

	t.Run("no offset is zero, small, or leaves month and day", func(t *testing.T) {
		k := keyring(t, "k")
		for _, policy := range []DatePolicy{{}, {Policy: Plain}, {Policy: Season, MinDays: 28, MaxDays: 36500}} {
			for i := range 3000 {
				d := k.DateOffset(fmt.Sprint(i), policy)
				if d > -28 && d < 28 || dates.KeepsMonthDay(d) {
					t.Fatalf("offset %d under %+v", d, policy)
				}
			}
		}
	})

	t.Run("impossible and out-of-range dates are masked and counted", func(t *testing.T) {
		p := patient(t, "k", "p1", Options{})
		for _, s := range []string{"2/31/2018", "00/00/0000", "9/9/9999", "99/99/9999", "31/04/2018"} {
			if out, o := move(p, s, note(2018, 3, 10)); o != Masked || strings.ContainsAny(out, "123456789") {
				t.Errorf("%s became %q, %v", s, out, o)
			}
		}
		got := p.DateChanges()
		if got["impossible"] == 0 || got["sentinel_masked"] != 3 {
			t.Errorf("they are counted as %v", got)
		}
		if len(p.DateChanges()) != 0 {
			t.Error("they are counted twice")
		}
	})

	t.Run("sentinels pass through by choice, and never move", func(t *testing.T) {
		p := patient(t, "k", "p1", Options{Sentinels: KeepSentinels})
		for _, s := range []string{"9/9/9999", "00/00/0000", "01/01/1900", "12/31/9999"} {
			if out, o := move(p, s, note(2018, 3, 10)); o != Kept || out != s {
				t.Errorf("%s became %q, %v", s, out, o)
			}
		}
		for _, d := range []int{day(1900, 1, 1), day(1, 1, 1), day(9998, 12, 31) + 365} {
			if n, what := p.Days(d, Mention{}); n != 0 || what != DateSentinel {
				t.Errorf("day %d moved by %d, %v", d, n, what)
			}
		}
	})

	t.Run("a supplied offset is taken as it is", func(t *testing.T) {
		p := patient(t, "k", "p1", Options{FixedOffset: -13, DateScope: PerDocument})
		if out, _ := move(p, "3/14/2018", note(2018, 3, 20)); out != "3/1/2018" || p.Offset("d7") != -13 {
			t.Errorf("3/14 less 13 days became %s, offset %d", out, p.Offset("d7"))
		}
	})

	t.Run("durations and relative times stay", func(t *testing.T) {
		p := patient(t, "k", "p1", Options{})
		for _, s := range []string{"tomorrow", "2 weeks ago", "3 days"} {
			if out, o := move(p, s, note(2018, 3, 10)); o == Replaced || o == Kept && out != s {
				t.Errorf("%q became %q, %v", s, out, o)
			}
		}
	})
}
