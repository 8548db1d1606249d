package lexicon

import (
	"fmt"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// What is read fast is what would be read in all forms, in either order of day and
// month.
func TestISODay(t *testing.T) {
	for year := 1800; year < 2200; year++ {
		for month := range 14 {
			for _, day := range []int{0, 1, 9, 28, 29, 30, 31, 32} {
				s := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				got, ok := isoDay(s)
				if !ok {
					if dates.Valid(year, month, day) && !dates.IsSentinel(dates.DaysFromCivil(year, month, day)) {
						t.Errorf("%s is not read", s)
					}
					continue
				}
				for _, order := range []dates.DayFirst{dates.No, dates.Yes, dates.Unknown} {
					if want, ok := dates.ParseDays(s, dates.Reference{DayFirst: order}); !ok || got != want {
						t.Errorf("%s is %d, in all forms %d (%v)", s, got, want, ok)
					}
				}
			}
		}
	}
	for _, s := range []string{"", "1980-1-1", "19800101", "+980-01-01", "1980/01/01", "1980-01-011", "0980-01-01", "9999-12-31"} {
		if day, ok := isoDay(s); ok {
			t.Errorf("%q is read as %d", s, day)
		}
	}
}
