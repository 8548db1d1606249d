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

// Where nothing else tells, the language of the notes does: 3/4 and 3/5 are a
// month apart for all but readers of English, who see a day.
func TestLanguageDecidesTheOrder(t *testing.T) {
	for code, want := range map[string]int{"": 1, "en": 1, "en-US": 1, "es": 30, "es-MX": 30, "de": 30} {
		ref := InLanguage(code)
		from, ok := ParseDays("03/04/2014", ref)
		to, ok2 := ParseDays("03/05/2014", ref)
		if !ok || !ok2 || to-from != want {
			t.Errorf("%q: %d days apart, want %d", code, to-from, want)
		}
		ref.DayFirst = No // as the note's other dates may tell
		if d, ok := ParseDays("03/04/2014", ref); !ok || d != DaysFromCivil(2014, 3, 4) {
			t.Errorf("%q: evidence does not go before the language", code)
		}
	}
}
