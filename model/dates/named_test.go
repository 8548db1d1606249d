package dates

import "testing"

func TestNamesOfHolidays(t *testing.T) {
	for _, c := range []struct {
		text  string
		names []string
		in    int // days of the first in 2014
	}{
		{"seen before Christmas 12/25, then Thanksgiving", []string{"Christmas", "Thanksgiving"}, DaysFromCivil(2014, 12, 25)},
		{"New Year's Eve", []string{"New Year's Eve"}, DaysFromCivil(2014, 12, 31)},
		{"antichristmas or Christmassy", nil, 0},
		{"", nil, 0},
	} {
		got := Holidays(c.text)
		if len(got) != len(c.names) {
			t.Errorf("%q: %v", c.text, got)
			continue
		}
		for i, n := range got {
			if c.text[n.Start:n.End] != c.names[i] {
				t.Errorf("%q: %q", c.text, c.text[n.Start:n.End])
			}
		}
		if len(got) > 0 {
			if day, ok := got[0].In(2014); !ok || day != c.in {
				t.Errorf("%q: %d %v", c.text, day, ok)
			}
		}
	}
}
