package surrogate

import (
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// No age in an earlier note, or said of an earlier year, tells with the day of a
// later one that the patient is more than one above the limit; and what stands
// agrees with the date of birth as it is released.
func TestAgesBefore(t *testing.T) {
	k := keyring(t, "k")
	day := func(y, m, d int) int { return dates.DaysFromCivil(y, m, d) }
	birth, first, last := day(1924, 2, 1), day(2012, 6, 1), day(2019, 6, 1) // 88 and 95
	for _, c := range []struct {
		surface string
		noteDay int
		said    []int
		born    bool
		latest  int
		want    string
	}{
		{"88", first, nil, true, last, "83"},
		{"eighty-eight", first, nil, true, last, "eighty-three"},
		{"Eighty-eight years", first, nil, true, last, "Eighty-three years"},
		{"88-year-old", first, nil, true, last, "83-year-old"},
		{"95", last, nil, true, last, "90+"},
		{"91", day(2015, 6, 1), nil, true, last, "86"},
		{"89", last, []int{day(2013, 7, 2)}, true, last, "84"}, // "at age 89, in 2013"
		{"20", last, []int{day(1944, 7, 2)}, true, last, "15"}, // of a year long ago
		{"58", last, []int{day(1985, 7, 2)}, true, last, "58"}, // somebody else's
		{"58", first, nil, true, last, "58"},                   // a relative
		{"92", first, nil, true, last, "90+"},                  // a relative, above
		{"88", first, nil, false, last, "83"},                  // nobody knows whose
		{"80", first, nil, false, last, "80"},                  // 87 by the last note
		{"88", first, nil, true, first, "88"},                  // no later note
		{"88 months", first, nil, true, last, "88 months"},     // not in years
		{"84", last, nil, false, last, "84"},                   // nothing to subtract
	} {
		p := NewPatient(k, "p", Options{})
		p.Written(c.latest)
		if c.born {
			p.Born(birth)
		}
		m := Mention{Type: phi.Age, Surface: c.surface, Ref: dates.Reference{NoteDay: c.noteDay, HasNoteDay: true}, Said: c.said}
		if got, _ := p.Replace(m); got != c.want {
			t.Errorf("%s: %s, want %s", c.surface, got, c.want)
		}
		m = Mention{Type: phi.Age, Surface: c.surface, Ref: m.Ref, Said: c.said}
		limited := NewPatient(k, "p", Options{Policy: preset(t, "limited")})
		limited.Written(c.latest)
		if got, _ := limited.Replace(m); got != c.surface {
			t.Errorf("limited: %s became %s", c.surface, got)
		}
	}
	// The date of birth says 90 at the last note, and so 83 at the first.
	p := NewPatient(k, "p", Options{})
	p.Written(last)
	out, _ := p.Replace(Mention{Type: phi.Date, Surface: "1924-02-01", Ref: dates.Reference{NoteDay: first, HasNoteDay: true}})
	released, ok := dates.ParseDays(out, dates.Reference{})
	if age := ageOn(released, first+p.Offset("")); !ok || age != 83 {
		t.Errorf("born %s, which says %d at the first note", out, age)
	}
}

func TestYearsAgo(t *testing.T) {
	for text, want := range map[string][]int{
		"Six years ago he was 89": {6}, "12 yrs before, at 70,": {12}, "ten years earlier": {10}, "years ago": nil, "two weeks ago": nil, "": nil,
	} {
		if got := YearsAgo(text); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
