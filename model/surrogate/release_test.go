package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func ref2018() dates.Reference {
	return dates.Reference{NoteDay: dates.DaysFromCivil(2018, 3, 10), HasNoteDay: true}
}

func TestSafeHarbor(t *testing.T) {
	p := patient(t, "k", "p1", Options{Policy: preset(t, "safe-harbor")})
	for _, c := range []struct {
		typ     phi.Type
		in, out string
		outcome Outcome
	}{
		{phi.Date, "3/4/2018", "2018", Replaced}, {phi.Date, "March 4", "[DATE]", Masked}, {phi.Date, "2009", "2009", Kept},
		{phi.Date, "Monday", "[DATE]", Masked},
		{phi.Date, "2014-2018", "2014-2018", Kept}, {phi.Date, "Fall of 2010", "2010", Replaced},
		{phi.Date, "08/30/1920", "1928 or before", Replaced},
		{phi.Date, "2/31/2018", "0/00/0000", Masked}, {phi.Age, "95", "90+", Replaced}, {phi.Age, "89", "89", Kept},
		{phi.ZIP, "87505-1234", "875", Replaced}, {phi.ZIP, "03601", "000", Replaced}, {phi.ZIP, "36912", "000", Replaced},
		{phi.ZIP, "ZIP 89012", "ZIP 000", Replaced},
		{phi.State, "NJ", "NJ", Kept}, {phi.Country, "Nigeria", "Nigeria", Kept},
	} {
		got, o := p.Replace(Mention{Type: c.typ, Surface: c.in, Ref: ref2018()})
		if got != c.out || o != c.outcome {
			t.Errorf("%s %q became %q, %v; want %q, %v", c.typ, c.in, got, o, c.out, c.outcome)
		}
	}
	for _, typ := range []phi.Type{phi.Patient, phi.Doctor, phi.City, phi.Street, phi.Phone, phi.MedicalRecord, phi.Hospital} {
		if got, o := p.Replace(Mention{Type: typ, Surface: "Kearny 12"}); got == "Kearny 12" || o != Replaced {
			t.Errorf("%s stays: %q, %v", typ, got, o)
		}
	}
	// A city stays in its state, which stays too.
	p.Observe(phi.City, "Kearny, NJ 07032")
	if got := replace(p, phi.City, "Kearny"); load().us.zipOf["NJ "+got] == "" && load().isTown(fold(got)) {
		t.Errorf("Kearny, NJ, became %s, which is no city of New Jersey in the lists", got)
	}
	for in, want := range map[[3]int][3]int{{2018, 3, 4}: {2018, 1, 1}, {1920, 8, 30}: {1928, 1, 1}, {1929, 8, 30}: {1929, 1, 1},
		{1900, 1, 1}: {1900, 1, 1}} {
		day := dates.DaysFromCivil(in[0], in[1], in[2])
		n, _ := p.Days(day, Mention{Ref: ref2018()})
		if y, m, d := dates.CivilFromDays(day + n); [3]int{y, m, d} != want {
			t.Errorf("the column's %v became %d-%d-%d", in, y, m, d)
		}
	}
}

func TestLimited(t *testing.T) {
	p := patient(t, "k", "p1", Options{Policy: preset(t, "limited")})
	for _, c := range []struct {
		typ phi.Type
		in  string
	}{{phi.Date, "3/4/2018"}, {phi.City, "Kearny"}, {phi.State, "NJ"}, {phi.ZIP, "07032"}, {phi.Age, "95"}} {
		if got, o := p.Replace(Mention{Type: c.typ, Surface: c.in, Ref: ref2018()}); got != c.in || o != Kept {
			t.Errorf("%s %q became %q, %v", c.typ, c.in, got, o)
		}
	}
	if n, what := p.Days(17000, Mention{}); n != 0 || what != DateKept {
		t.Errorf("a column's date moves by %d, %v", n, what)
	}
	for _, typ := range []phi.Type{phi.Patient, phi.Street, phi.Phone, phi.MedicalRecord} {
		if got, o := p.Replace(Mention{Type: typ, Surface: "John 12"}); got == "John 12" || o != Replaced {
			t.Errorf("%s stays", typ)
		}
	}
}

func TestRestrictedPrefixes(t *testing.T) {
	l := load()
	if len(l.barred) != 19 {
		t.Errorf("%d prefixes are restricted, want the 19 of both lists", len(l.barred))
	}
	for _, z := range strings.Fields("036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893") {
		if !l.barred[z] {
			t.Errorf("%s is not restricted", z)
		}
	}
}

// TestPlacesTogether: city, state and ZIP code of an address have surrogates
// that lie together, the same for every mention.
func TestPlacesTogether(t *testing.T) {
	us := load().us
	for i := range 60 {
		p := patient(t, "k", string(rune('a'+i)), Options{})
		p.Observe(phi.City, "62 Beechmere Avenue, Kearny, NJ 07032")
		p.Observe(phi.City, "Harrison, NJ")
		city, state, zip := replace(p, phi.City, "Kearny"), replace(p, phi.State, "NJ"), replace(p, phi.ZIP, "07032")
		if state == "NJ" || us.zipOf[state+" "+city] != zip[:3] && (load().isTown(fold(city)) || us.ofPrefix[zip[:3]] != state) {
			t.Errorf("Kearny, NJ 07032 became %s, %s %s", city, state, zip)
		}
		if got := replace(p, phi.City, "KEARNY"); got != strings.ToUpper(city) {
			t.Errorf("KEARNY became %s beside %s", got, city)
		}
		if got := replace(p, phi.State, "New Jersey"); got != us.name[state] {
			t.Errorf("New Jersey became %s beside %s", got, state)
		}
		if got := replace(p, phi.City, "Harrison"); us.zipOf[state+" "+got] == "" && load().isTown(fold(got)) {
			t.Errorf("Harrison became %s, not of %s", got, state)
		}
		if got := replace(p, phi.ZIP, "07032-1234"); got[:5] != zip || len(got) != 10 {
			t.Errorf("07032-1234 became %s beside %s", got, zip)
		}
		if got := replace(p, phi.ZIP, "07102"); us.ofPrefix[got[:3]] != state {
			t.Errorf("07102 became %s, not of %s", got, state)
		}
	}
}
