package dates

import "testing"

func TestEvidence(t *testing.T) {
	for _, c := range []struct {
		surfaces []string
		want     DayFirst
	}{
		{nil, Unknown},
		{[]string{"3/4/2014", "March 23", "2014"}, Unknown},
		{[]string{"3/4/2014", "23/4/2014"}, Yes},
		{[]string{"4/23/14", "12.1.2014"}, No},
		{[]string{"23.04.14"}, Yes},
		{[]string{"23/4/2014", "4/23/2014"}, Unknown},
		{[]string{"2014-04-23", "23/2014", "120/80", "23/4", "13-4-00"}, Yes},
		{[]string{"23/4-5/2014", "45/4/2014", ""}, Unknown},
	} {
		if got := Evidence(c.surfaces); got != c.want {
			t.Errorf("Evidence(%q) = %d, want %d", c.surfaces, got, c.want)
		}
	}
}
