package deid

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// TestDayOfBirths: a year of two digits in a column of birth dates is no later one than
// a birth's, in both passes.
func TestDayInOfBirths(t *testing.T) {
	var s Settings
	for birth, want := range map[bool]int{true: 1931, false: 2031} {
		day, ok := s.DayOf("3/4/31", birth)
		if year, _, _ := dates.CivilFromDays(day); !ok || year != want {
			t.Errorf("of birth %v: %d, %v, want %d", birth, year, ok, want)
		}
	}
}
