package dates

import "testing"

func TestEvidence(t *testing.T) {
	day := func(y, m, d int) int { return DaysFromCivil(y, m, d) }
	note := func(y, m, d int) Known { return Known{Reference: Reference{NoteDay: day(y, m, d), HasNoteDay: true}} }
	born := Known{Born: true, Birth: day(1971, 12, 3)}
	for _, c := range []struct {
		name     string
		surfaces []string
		known    Known
		want     DayFirst
	}{
		{"nothing", nil, Known{}, Unknown},
		{"no day over 12", []string{"3/4/2014", "March 23", "2014"}, Known{}, Unknown},
		{"a day over 12", []string{"3/4/2014", "23/4/2014"}, Known{}, Yes},
		{"a day over 12, the month first", []string{"4/23/14", "12.1.2014"}, Known{}, No},
		{"full stops", []string{"23.04.14"}, Known{}, Yes},
		{"two that contradict", []string{"23/4/2014", "4/23/2014"}, Known{}, Unknown},
		{"most of them", []string{"23/4/2014", "4/23/2014", "25/4/2014"}, Known{}, Yes},
		{"the year first, a pressure, a month and year", []string{"2014-04-23", "23/2014", "120/80", "4/85"}, Known{}, Unknown},
		{"one without a year", []string{"23/4"}, Known{}, Yes},
		{"a month and a year perhaps", []string{"10/18"}, note(2019, 3, 1), Unknown},
		{"two of them", []string{"10/18", "2/19"}, note(2019, 3, 1), No},
		{"no year of late", []string{"10/25"}, note(2019, 3, 1), No},
		{"the end of a range", []string{"28/3-2/4"}, Known{}, Yes},
		{"no numbers of dates", []string{"45/4/2014", "23/4-5/2014", ""}, Known{}, Yes},
		{"the day of the note", []string{"03/12/2018"}, note(2018, 12, 3), Yes},
		{"the day of the note, the month first", []string{"03/12/2018"}, note(2018, 3, 12), No},
		{"the day of birth", []string{"03/12/1971"}, born, Yes},
		{"the day of birth, two digits", []string{"3.12.71"}, born, Yes},
		{"the weekday", []string{"Wed 5/10"}, note(2022, 10, 20), Yes},
		{"the weekday, the month first", []string{"Wednesday, 10/5"}, note(2022, 10, 20), No},
		{"a weekday of another date", []string{"Wed", "5/10"}, Known{}, Unknown},
		{"today, without a year", []string{"7/3"}, note(2021, 3, 7), Yes},
		{"one day shortly before the note may be chance", []string{"5/10"}, note(2022, 5, 12), Unknown},
		{"two are none", []string{"5/10", "7/10"}, note(2022, 10, 10), Yes},
		{"two are none, the month first", []string{"10/5", "10/7"}, note(2022, 10, 10), No},
	} {
		var e Evidence
		for _, s := range c.surfaces {
			e.Add(s, c.known)
		}
		if got := e.Order(Evidence{}); got != c.want {
			t.Errorf("%s, %q: %d, want %d", c.name, c.surfaces, got, c.want)
		}
	}
}

// A patient's other notes tell where a note's own dates do not, and never
// against a date that is beyond doubt.
func TestEvidenceOfOtherNotes(t *testing.T) {
	add := func(surfaces ...string) (e Evidence) {
		for _, s := range surfaces {
			e.Add(s, Known{})
		}
		return e
	}
	others := add("23/4/2014", "25/4/2014", "27/4/2014")
	for surface, want := range map[string]DayFirst{"3/4/2014": Yes, "4/23": Yes, "4/23/2014": No} {
		own := add(surface)
		all := own
		all.Join(others)
		if got := own.Order(all); got != want {
			t.Errorf("%s: %d, want %d", surface, got, want)
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

// FuzzEvidence: no panic, and what says one order says the other when its two
// numbers change places.
func FuzzEvidence(f *testing.F) {
	f.Add("Wed 5/10/2022", 19000)
	f.Add("28/3-2/4", 19000)
	f.Fuzz(func(t *testing.T, s string, day int) {
		var e Evidence
		e.Add(s, Known{Reference: Reference{NoteDay: day, HasNoteDay: true}, Born: true, Birth: day / 2})
		_ = e.Order(e)
	})
}
