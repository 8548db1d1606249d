package surrogate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func spaniard(t *testing.T, id int) *Patient {
	return patient(t, "k", fmt.Sprint("p", id), Options{Language: "es"})
}

// listedFolded reports whether a list has a word, diacritics aside, which a
// surrogate lacks where the original has none.
func listedFolded(list []string, word string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return fold(s) == fold(word) })
}

// TestSpanishNames: every word of a name becomes one of the Spanish lists, given
// names of the same sex, and both family names stay family names.
func TestSpanishNames(t *testing.T) {
	l := load()
	is := func(w string, classes ...string) bool {
		return slices.ContainsFunc(classes, func(c string) bool {
			m := l.nameModel(c)
			return listedFolded(l.pools[c], w) || listedFolded(l.rarer(c), w) || m != nil && m.chance(strings.ToLower(w)) > 0
		})
	}
	of := func(w string) (given, family bool) {
		return is(w, "given f es", "given m es", "both f es", "both m es", "either es", "either es-f"),
			is(w, "family es", "both f es", "both m es", "either es", "either es-f")
	}
	woman := func(w string) bool {
		return l.spanishClass(fold(w)) == "given f es" || is(w, "given f es") && l.ofSex("given f es", strings.ToLower(w))
	}
	for i := range 40 {
		p := spaniard(t, i)
		for _, s := range []string{"Estefanía Romero Selas", "Tristán Dellavedova Ramos", "María de la Cruz García", "Abdul Ahaharrar Pérez",
			"Mikel Ibarguren Llarena"} {
			p.Observe(phi.Doctor, s)
			out := slices.DeleteFunc(strings.Fields(replace(p, phi.Doctor, s)), func(w string) bool { return spanishParticles[w] })
			if len(out) != 3 {
				t.Fatalf("%s became %v", s, out)
			}
			if given, _ := of(out[0]); !given {
				t.Errorf("%s became %v", s, out)
			}
			for _, w := range out[1:] {
				if _, family := of(w); !family {
					t.Errorf("%s became %v", s, out)
				}
			}
		}
		if out := replace(p, phi.Patient, "Elena"); !woman(out) {
			t.Errorf("Elena became %s", out)
		}
		p.Observe(phi.Doctor, "Covadonga Somoano Prieto")
		if out := replace(p, phi.Doctor, "Covadonga"); !woman(out) {
			t.Errorf("Covadonga became %s", out)
		}
		if out := replace(p, phi.Patient, "Yamila"); !is(out, "either es-f") {
			t.Errorf("Yamila became %s", out)
		}
		for in, want := range map[string]string{"De la Fuente Otaola": "De ", "María del Carmen Ruiz": " de "} {
			if out := replace(p, phi.Patient, in); !strings.Contains(out, want) || strings.Contains(out, " la ") || strings.Contains(out, "del ") ||
				strings.Contains(out, "  ") {
				t.Errorf("%s became %s", in, out)
			}
		}
		if out := replace(p, phi.Patient, "De Miguel Rivera"); !strings.HasPrefix(out, "De ") {
			t.Errorf("De Miguel Rivera became %s", out)
		}
		if out := replace(p, phi.Doctor, "D. Pedro Rivera"); !strings.HasPrefix(out, "D. ") || strings.Contains(out, "Rivera") {
			t.Errorf("D. Pedro Rivera became %s", out)
		}
	}
}

// TestSpanishPlaces: town and postcode agree, whether the lists have the town or
// not; the country stays, another does not; telephones are of the province.
func TestSpanishPlaces(t *testing.T) {
	es := load().regions["es"]
	for i := range 60 {
		for _, c := range [][2]string{{"Madrid", "28035"}, {"Villaumbrosa del Sur", "41500"}, {"La Coruña", "15009"}} {
			p := spaniard(t, i)
			p.Observe(phi.City, c[0])
			p.Observe(phi.City, c[1])
			p.Observe(phi.Country, "España")
			town, zip := replace(p, phi.City, c[0]), replace(p, phi.City, c[1])
			if !slices.Contains(slices.Concat(es.towns[zip[:2]], es.small[zip[:2]]), town) || len(zip) != 5 || zip[:2] == c[1][:2] {
				t.Errorf("%v became %s %s", c, town, zip)
			}
			if got, what := p.Replace(Mention{Type: phi.Country, Surface: "España"}); got != "España" || what != Kept {
				t.Errorf("the country became %s, %v", got, what)
			}
			if got := replace(p, phi.Country, "Argentina"); got == "Argentina" || !listedFolded(load().places["country es"], got) {
				t.Errorf("Argentina became %s", got)
			}
		}
		p := spaniard(t, i)
		p.Observe(phi.Country, "Cuba")
		if got := replace(p, phi.City, "La Habana"); !listedFolded(es.towns["cuba"], got) {
			t.Errorf("La Habana, Cuba, became %s", got)
		}
		if a, b := replace(p, phi.Phone, "976 76 55 53"), replace(p, phi.Phone, "976765500"); a[:2] != b[:2] || a[:3] == "976" || len(a) != 12 {
			t.Errorf("numbers of Zaragoza became %s and %s", a, b)
		}
		if got := replace(p, phi.Phone, "+34 633 349 565"); !strings.HasPrefix(got, "+34 6") || got == "+34 633 349 565" {
			t.Errorf("a mobile became %s", got)
		}
	}
}

// TestSpanishAccents: a name without accents gets one with them unless the writer
// leaves them out.
func TestSpanishAccents(t *testing.T) {
	accent := func(in string) (all, with int) {
		for i := range 200 {
			out := replace(spaniard(t, i), phi.City, in)
			if all++; !ascii(out) {
				with++
			}
		}
		return all, with
	}
	for in, want := range map[string]bool{"Zaragoza": true, "Getafe": true, "Alcorcon": false, "CORDOBA": false, "Córdoba": true} {
		if all, with := accent(in); (with > 0) != want || with == all {
			t.Errorf("%d of %d towns for %s have an accent", with, all, in)
		}
	}
}

// TestSpanishSmallTowns: about half of the towns are small ones of the same
// province; the chief town, after which a province is called, becomes one.
func TestSpanishSmallTowns(t *testing.T) {
	es := load().regions["es"]
	small := 0
	for i := range 200 {
		p := spaniard(t, i)
		p.Observe(phi.City, "28901")
		if out := replace(p, phi.City, "Getafe"); es.of[fold(out)] == "" {
			small++
		}
		if out := replace(p, phi.City, "Madrid"); fold(es.towns[es.of[fold(out)]][0]) != fold(out) {
			t.Errorf("Madrid became %s", out)
		}
	}
	if small < 70 || small > 130 {
		t.Errorf("%d of 200 towns are small ones", small)
	}
	if es.region("alcubierre") != "22" || es.region("villanueva") != "" {
		t.Errorf("Alcubierre lies in %q, Villanueva in %q", es.region("alcubierre"), es.region("villanueva"))
	}
}

// TestSpanishStreets: the kind of street stays, the name and the numbers go.
func TestSpanishStreets(t *testing.T) {
	for in, want := range map[string]string{"Calle Carmen Romero, 23, 1D": "Calle ", "C/ Ontiveros, 19, 4 D": "C/ ",
		"Avda. La Marina 36, 10C": "Avda. ", "Plaza de la Encarnación, 32": "Plaza ",
		"Ctra. Madrid - Cartagena s/n": "Ctra. ", "Paseo de los Heroes y Martires, 23, 4º C": "Paseo ", "Av. Juan XXIII nº 2": "Av. "} {
		for i := range 10 {
			got := replace(spaniard(t, i), phi.Street, in)
			if !strings.HasPrefix(got, want) || got == in || strings.HasPrefix(got, want+"de") ||
				strings.HasSuffix(in, "s/n") != strings.HasSuffix(got, "s/n") {
				t.Errorf("%s became %s", in, got)
			}
		}
	}
}

// TestSpanishInstitutions: one invented name, generic words and towns in Spanish.
func TestSpanishInstitutions(t *testing.T) {
	p := spaniard(t, 1)
	invented := p.lists.models.model("place place es", func() []string { return nil })
	for in, want := range map[string]string{"Hospital Universitario Virgen del Rocío": "Hospital Universitario ",
		"Hospital Carlos Haya de Málaga": "Hospital ", "Clínica Médico Forense Dorada": "Clínica Médico Forense "} {
		got := replace(p, phi.Hospital, in)
		rest := strings.Fields(strings.TrimPrefix(got, want))
		if !strings.HasPrefix(got, want) || len(rest) == 0 || !slices.Contains(p.lists.places["place es"], rest[0]) &&
			(invented == nil || invented.chance(strings.ToLower(rest[0])) == 0) || len(rest) > 1 &&
			rest[1] != "de" {
			t.Errorf("%s became %s", in, got)
		}
	}
	if got := replace(p, phi.Profession, "ama de casa"); got != "[PROFESSION]" {
		t.Errorf("ama de casa became %s", got)
	}
}

// TestSpanishRegisters: control letters and digits are wrong, forms stay.
func TestSpanishRegisters(t *testing.T) {
	for i := range 100 {
		p := spaniard(t, i)
		for _, in := range []string{"12345678Z", "X1234567L", "12345678-Z"} {
			if got := alnum(replace(p, phi.IDNum, in)); dniCheck(got) == got[8] || in[0] == 'X' && (got[0] < 'X' || got[0] > 'Z') {
				t.Errorf("%s became %s", in, got)
			}
		}
		got := replace(p, phi.HealthPlan, "43 50259874 90")
		if nassCheck(alnum(got)) || len(got) != 14 || got[:2] > "50" || got[:2] == "00" {
			t.Errorf("a number of the social security became %s", got)
		}
		if got := replace(p, phi.License, "28 28 20943"); got[:2] != got[3:5] || got[:2] == "28" || len(got) != 11 {
			t.Errorf("a doctor's number became %s", got)
		}
	}
}

// TestSpanishPublicNames: who knows that notes are Spanish knows that no English
// name stands in them, and that an accent may have been left out.
func TestSpanishPublicNames(t *testing.T) {
	es, all := NamesOf("es"), NamesOf("en")
	for name, want := range map[string]bool{"Daniel": true, "Ibáñez": true, "Dalmau": true, "Abernathy": false, "Ackley": false} {
		if es.Drawn(name) != want || !want && !all.Drawn(name) {
			t.Errorf("%s is drawn: %v in Spanish, %v in all", name, es.Drawn(name), all.Drawn(name))
		}
	}
	for name, want := range map[string]bool{"Alarcerón": true, "Alarceron": true, "Xqwvzj": false, "Dolores": true, "Dolor": false} {
		if (es.InventionOdds(name) > 0) != want {
			t.Errorf("%s is invented: %g", name, es.InventionOdds(name))
		}
	}
}
