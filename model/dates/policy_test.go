package dates

import (
	"fmt"
	"testing"
)

// seasonDays returns the multiple of seven nearest to a number of years, and
// whether it lies within 4 days of them and leaves no 3/4 as it was.
func seasonDays(years int) (days int, ok bool) {
	weeks := floorDiv(2*years*yearDaysTimes400+7*400, 2*7*400)
	days = 7 * weeks
	_, near := wholeYears(days)
	return days, near && !KeepsMonthDay(days)
}

// TestKeepsMonthDay compares with the calendar of three centuries.
func TestKeepsMonthDay(t *testing.T) {
	keeps := map[int]bool{}
	for y := 1905; y < 2039; y++ {
		for n := 1; n <= 60; n++ {
			keeps[DaysFromCivil(y+n, 3, 4)-DaysFromCivil(y, 3, 4)] = true
			keeps[DaysFromCivil(y+n, 2, 4)-DaysFromCivil(y, 2, 4)] = true
		}
	}
	for days := 1; days < 365*60; days++ {
		if keeps[days] && (!KeepsMonthDay(days) || !KeepsMonthDay(-days)) {
			t.Errorf("%d days can be whole years", days)
		}
		if KeepsMonthDay(days) && !keeps[days] && !keeps[days+1] && !keeps[days-1] {
			t.Errorf("%d days are no whole years", days)
		}
	}
}

// TestSeasonPolicy: names of months, quarters and seasons stay, years and
// decades move by as many years, and a fixed holiday keeps its name.
func TestSeasonPolicy(t *testing.T) {
	for years := -60; years <= 60; years++ {
		days, ok := seasonDays(years)
		if !ok {
			continue
		}
		for y := 2001; y < 2030; y++ {
			for _, layout := range []string{"March %d", "Q4 %d", "Fall of %d", "winter %d", "%d", "Christmas %d", "Halloween %d", "Dec %d",
				"verano de %d", "Navidad de %d", "New Year's Day %d"} {
				s, want := fmt.Sprintf(layout, y), fmt.Sprintf(layout, y+years)
				f, err := Parse(s, march2018)
				if err != nil {
					t.Fatalf("Parse(%q): %v", s, err)
				}
				if out, err := f.Shift(days, Season); err != nil || out != want {
					t.Fatalf("Shift(%q, %d) = %q, %v; want %q", s, days, out, err, want)
				}
			}
		}
		for _, s := range []string{"March", "fall", "Q2", "Christmas", "Tuesday", "Tuesdays and Thursdays", "Halloween"} {
			f, _ := Parse(s, march2018)
			if out, err := f.Shift(days, Season); err != nil || out != s {
				t.Fatalf("Shift(%q, %d) = %q, %v", s, days, out, err)
			}
		}
	}
}

// TestMovableHolidays: a holiday that the moved day has left is printed as a
// day; one that it meets keeps its name.
func TestMovableHolidays(t *testing.T) {
	for _, c := range []struct {
		in     string
		days   int
		policy Policy
		want   string
	}{
		{"Thanksgiving 2014", 364, Season, "Thanksgiving 2015"},      // 27 to 26 November, both the fourth Thursday
		{"Thanksgiving 2014", 1099, Season, "November 30 2017"},      // the fifth
		{"Thanksgiving 2014", 364, Weekday, "November 26 2015"},      // no name is kept
		{"Easter 2014", 728, Season, "April 17 2016"},                // Easter 2016 is on 27 March
		{"Ramadan 2014", 364, Season, "June 28 2015"},                // Ramadan moves by 11 days a year
		{"Christmas 2014", 400, Season, "January 29 2016"},           // not near whole years
		{"New Year's Eve 2014", 1463, Season, "New Year's Eve 2018"}, // 2 January 2019 is two days off
		{"Christmas", 728, Season, "Christmas"},
		{"Christmas", 728, Plain, "December 23"},
	} {
		f, err := Parse(c.in, march2018)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := f.Shift(c.days, c.policy); err != nil || out != c.want {
			t.Errorf("Shift(%q, %d, %d) = %q, %v; want %q", c.in, c.days, c.policy, out, err, c.want)
		}
	}
}

// TestSmallShifts documents what stays under small shifts: names of long
// stretches, within half their length.
func TestSmallShifts(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int // the largest shift both ways that may leave it unchanged, with a year written
	}{{"2014", 182}, {"March 2014", 16}, {"Q3 2014", 46}, {"Summer 2014", 47}, {"the 1990s", 1826}} {
		f, err := Parse(c.in, Reference{})
		if err != nil {
			t.Fatal(err)
		}
		for _, days := range []int{1, -1} {
			if out, _ := f.Shift(days, Plain); out != c.in {
				t.Errorf("a shift of %q by %d is %q", c.in, days, out)
			}
		}
		for _, days := range []int{c.most + 1, -c.most - 1, 3 * c.most, -3 * c.most} {
			if out, err := f.Shift(days, Plain); err != nil || out == c.in {
				t.Errorf("a shift of %q by %d leaves %q, %v", c.in, days, out, err)
			}
		}
	}
}
