package surrogate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// yearsIn returns the numbers of four digits in a text.
func yearsIn(s string) (years []int) {
	for _, y := range regexp.MustCompile(`\d{4}`).FindAllString(s, -1) {
		n, _ := strconv.Atoi(y)
		years = append(years, n)
	}
	return years
}

// TestTelephonesAreNoNHSNumbers: a number with blanks is a telephone's where the
// patient is not British, and one surrogate however it is written.
func TestTelephonesAreNoNHSNumbers(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for _, pair := range [][2]string{{"800 555 1234", "800-555-1234"}, {"202 555 1234", "(202) 555-1234"}, {"787 555 1234", "787.555.1234"}} {
		blanks, other := replace(p, phi.Phone, pair[0]), replace(p, phi.Phone, pair[1])
		if a, b := alnum(blanks), alnum(other); a != b || a[3:8] != "55501" {
			t.Errorf("%s became %s, %s became %s", pair[0], blanks, pair[1], other)
		}
	}
}

// TestSecondNumberInASpan: it is replaced as if it stood alone, and a mark before a
// number makes no extension of it.
func TestSecondNumberInASpan(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	one, other := replace(p, phi.Phone, "617-555-0123"), replace(p, phi.Phone, "617-555-0199")
	if got := replace(p, phi.Phone, "617-555-0123 617-555-0199"); got != one+" "+other {
		t.Errorf("both became %s, alone they became %s and %s", got, one, other)
	}
	if got := replace(p, phi.Phone, "#617-555-0123"); got != "#"+one {
		t.Errorf("behind # it became %s, alone %s", got, one)
	}
}

// TestNationalNumbersAsSSN: numbers of other countries' registers have control
// characters that are wrong, whatever type a tagger gave them.
func TestNationalNumbersAsSSN(t *testing.T) {
	for i := range 200 {
		p := patient(t, "k", fmt.Sprint(i), Options{})
		if got := replace(p, phi.SSN, "12345678Z"); dniCheck(got) == got[8] || got != replace(p, phi.IDNum, "12345678Z") {
			t.Errorf("a DNI became %s", got)
		}
		if got := alnum(replace(p, phi.SSN, "046 454 286")); luhnOf(got) == got[8] {
			t.Errorf("a Social Insurance Number became %s", got)
		}
		q := patient(t, "k", fmt.Sprint(i), Options{Language: "es"})
		for _, pair := range [][2]string{{"046 454 286", "046454286"}, {"43 50259874 90", "435025987490"}} {
			if one, other := alnum(replace(q, phi.IDNum, pair[0])), alnum(replace(q, phi.IDNum, pair[1])); one != other {
				t.Errorf("%s became %s, and %s", pair[0], one, other)
			}
		}
	}
}

// TestSpanishNumbersOutsideTheLists: a number whose region the lists have not is
// replaced all the same.
func TestSpanishNumbersOutsideTheLists(t *testing.T) {
	p := patient(t, "k", "p1", Options{Language: "es"})
	p.Observe(phi.City, "Lima")
	for _, in := range []string{"999 123 456", "900 123 456", "902123456", "951 123 456", "801 123 456"} {
		if got := replace(p, phi.Phone, in); alnum(got) == alnum(in) || len(got) != len(in) {
			t.Errorf("%s became %s", in, got)
		}
	}
	q := patient(t, "k", "p2", Options{})
	q.Observe(phi.City, "Dublin")
	if got := replace(q, phi.Phone, "+34 900 123 456"); !strings.HasPrefix(got, "+34 ") || got == "+34 900 123 456" {
		t.Errorf("it became %s", got)
	}
}

// TestBirthYearsInOtherForms: whoever is past 89 is made 90 or so by every form of a
// year of birth.
func TestBirthYearsInOtherForms(t *testing.T) {
	ref := dates.Reference{NoteDay: dates.DaysFromCivil(2017, 3, 10), HasNoteDay: true}
	for i := range 30 {
		p := patient(t, "k", fmt.Sprint(i), Options{})
		now, _, _ := dates.CivilFromDays(ref.NoteDay + p.Offset(""))
		born := now - 91
		for _, in := range []string{"'25", "Mar '25", "nineteen twenty-five"} {
			out, o := p.Replace(Mention{Type: phi.Date, Surface: in, Ref: ref})
			if o == Masked {
				continue
			}
			f, err := dates.Parse(out, dates.Reference{NoteDay: ref.NoteDay + p.Offset(""), HasNoteDay: true, Birth: true})
			if err != nil {
				t.Fatal(in, out, err)
			}
			day, _ := f.Earliest()
			if year, _, _ := dates.CivilFromDays(day); year < born {
				t.Errorf("%q became %q beside a note of %d", in, out, now)
			}
		}
	}
}

// TestAcronymsOfEachOther: institutions whose names begin with the initials of others
// end.
func TestAcronymsOfEachOther(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	var names []string
	for a := 'A'; a < 'N'; a++ {
		for b := 'A'; b < 'N'; b++ {
			names = append(names, fmt.Sprintf("%cH%c Hospital of %cfoo", 'A', a, b))
		}
	}
	for _, n := range names {
		p.Observe(phi.Hospital, n)
	}
	for _, n := range names[:40] {
		replace(p, phi.Hospital, n)
	}
}
