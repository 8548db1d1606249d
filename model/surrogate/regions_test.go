package surrogate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// TestBritishPlaces: town, postcode and telephone of a British patient get those
// of another region of the country, which agree, and towns that no list has stay
// in the country too.
func TestBritishPlaces(t *testing.T) {
	uk := load().regions["uk"]
	for i := range 60 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		p.Observe(phi.ZIP, "ST13 9YT")
		p.Observe(phi.City, "Quarrington Parva, ST6 5WQ")
		p.Observe(phi.Phone, "01632 960244")
		zip := replace(p, phi.ZIP, "ST13 9YT")
		area := strings.TrimRight(strings.Fields(zip)[0], "0123456789")
		for _, town := range []string{"Leek", "Stoke-on-Trent", "Quarrington Parva"} {
			if got := replace(p, phi.City, town); !slices.Contains(uk.towns[area], got) && load().isTown(fold(got)) || got == town {
				t.Errorf("%s became %s beside %s", town, got, zip)
			}
		}
		towns := map[string]bool{}
		for _, town := range uk.towns["ST"] {
			towns[replace(p, phi.City, town)] = true
		}
		if len(towns) < min(len(uk.towns["ST"]), len(uk.towns[area])) {
			t.Errorf("the towns of one area became %v", towns)
		}
		if got := replace(p, phi.ZIP, "ST6 5WQ"); !strings.HasPrefix(got, area) {
			t.Errorf("ST6 5WQ became %s beside %s", got, zip)
		}
		if got, what := p.Replace(Mention{Type: phi.Country, Surface: "UK"}); got != "UK" || what != Kept {
			t.Errorf("the own country became %s, %v", got, what)
		}
		if got := replace(p, phi.Country, "Nigeria"); got == "Nigeria" || countryOf[fold(got)] == "uk" {
			t.Errorf("Nigeria became %s", got)
		}
		if a, b := replace(p, phi.Phone, "0113 234 5678"), replace(p, phi.Phone, "0113 234 9999"); a[:5] != b[:5] {
			t.Errorf("numbers of one area became %s and %s", a, b)
		}
	}
}

// TestIrishPlaces: the same with counties, routing keys and their Co.
func TestIrishPlaces(t *testing.T) {
	ie := load().regions["ie"]
	for i := range 60 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		p.Observe(phi.ZIP, "Y21 X2R5")
		p.Observe(phi.City, "Enniscorthy")
		zip, town := replace(p, phi.ZIP, "Y21 X2R5"), replace(p, phi.City, "Enniscorthy")
		county := ie.of[fold(town)]
		if county == "" || county == "Wexford" || ie.prefix[county+" "+town] != zip[:3] {
			t.Errorf("Enniscorthy Y21 became %s %s", town, zip)
		}
		if got := replace(p, phi.State, "Co. Wexford"); !strings.HasPrefix(got, "Co. ") || strings.Contains(got, "Wexford") {
			t.Errorf("Co. Wexford became %s", got)
		}
		if got := replace(p, phi.Phone, "+353 53 923 4455"); !strings.HasPrefix(got, "+353 20 91") {
			t.Errorf("an Irish number became %s", got)
		}
	}
}

// TestAustralianPlaces: the first digit of a postcode is that of the state.
func TestAustralianPlaces(t *testing.T) {
	for i := range 40 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		if state, zip := replace(p, phi.State, "TAS"), replace(p, phi.ZIP, "7304"); australianStates[zip[0]] != state || state == "TAS" {
			t.Errorf("TAS 7304 became %s %s", state, zip)
		}
	}
}

// TestCanadianPlaces: town, province, postcode and telephone of an address get those
// of another province, and agree; towns that no list has stay in the country.
func TestCanadianPlaces(t *testing.T) {
	l := load()
	ca := l.regions["ca"]
	towns := func(province string) (plain []string) { // as English notes write them
		for _, town := range ca.towns[province] {
			plain = append(plain, fold(town))
		}
		return plain
	}
	letter := func(province, town string) string {
		return ca.prefix[province+" "+ca.towns[province][max(slices.Index(towns(province), fold(town)), 0)]]
	}
	for i := range 60 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		p.Observe(phi.City, "Guelph, ON N1H 2T3")
		p.Observe(phi.City, "Little Quarry, Ont") // as "Ont" is in no list, this says nothing
		p.Observe(phi.Phone, "519-867-5309")
		province, name := replace(p, phi.State, "ON"), replace(p, phi.State, "Ontario")
		if form := l.stateOf[fold(name)]; form.group != "state ca" || l.regionCode(form) != province || province == "ON" {
			t.Fatalf("ON became %s, and Ontario %s", province, name)
		}
		town, code := replace(p, phi.City, "Guelph"), replace(p, phi.ZIP, "N1H 2T3")
		if letter(province, town) != code[:1] {
			t.Errorf("Guelph ON N1H became %s %s %s", town, province, code)
		}
		if phone := replace(p, phi.Phone, "519-867-5309"); !slices.Contains(l.areas["ca "+province], phone[:3]) {
			t.Errorf("519 became %s in %s", phone[:3], province)
		}
		for _, town := range []string{"Little Quarry", "Toronto"} {
			if got := replace(p, phi.City, town); !slices.Contains(towns(province), fold(got)) {
				t.Errorf("%s became %s in %s", town, got, province)
			}
		}
		if got := replace(p, phi.City, "Yellowknife"); ca.of[fold(got)] == "" {
			t.Errorf("Yellowknife became %s", got)
		}
		kept := patient(t, "k", fmt.Sprint("p", i), Options{Policy: preset(t, "safe-harbor")})
		for _, code := range []string{"X0E 1A1", "W1A 1A1", "Y1A 2B2", "A65 F4E2"} { // of territories, of nowhere, of no Irish county
			if got := replace(kept, phi.ZIP, code); got == code {
				t.Errorf("%s stayed", code)
			}
		}
		if got := replace(kept, phi.Phone, "867-867-5309"); l.areaOf[got[:3]] == "" {
			t.Errorf("a number of the territories became %s", got)
		}
		kept.Observe(phi.City, "Guelph, ON N1H 2T3")
		if got := replace(kept, phi.City, "Guelph"); !slices.Contains(towns("ON"), fold(got)) {
			t.Errorf("where provinces stay, Guelph became %s", got)
		}
	}
}

// TestAustralianAddress: the same with states.
func TestAustralianAddress(t *testing.T) {
	au := load().regions["au"]
	for i := range 60 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		p.Observe(phi.City, "Ballarat, VIC 3350")
		state, town, zip := replace(p, phi.State, "VIC"), replace(p, phi.City, "Ballarat"), replace(p, phi.ZIP, "3350")
		if state == "VIC" || !slices.Contains(au.towns[state], town) || australianStates[zip[0]] != state {
			t.Errorf("Ballarat VIC 3350 became %s %s %s", town, state, zip)
		}
		if phone := replace(p, phi.Phone, "(03) 5333 1234"); phone[2:3] != australianCodes[state] {
			t.Errorf("(03) became %s in %s", phone, state)
		}
	}
}

// TestSharedAbbreviations: WA is Washington, and Western Australia of a patient who
// lives there.
func TestSharedAbbreviations(t *testing.T) {
	l := load()
	for i := range 40 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		p.Observe(phi.City, "Toppenish, WA 98948")
		p.Observe(phi.City, "Seattle, WA")
		state, zip := replace(p, phi.State, "WA"), replace(p, phi.ZIP, "98948")
		if l.us.ofPrefix[zip[:3]] != state || p.at().country == "au" {
			t.Errorf("WA 98948 became %s %s, of %v", state, zip, p.at())
		}
		p = patient(t, "k", fmt.Sprint("p", i), Options{})
		p.Observe(phi.City, "Bunbury, WA 6230")
		if got := replace(p, phi.State, "WA"); l.stateIn["au "+fold(got)].group == "" || got == "WA" {
			t.Errorf("WA 6230 became %s", got)
		}
	}
}

// TestTownsAbroad: patients of South Africa and India stay there.
func TestTownsAbroad(t *testing.T) {
	for country, towns := range map[string][]string{"za": {"Durban", "Paarl"}, "in": {"Pune", "Kochi"}} {
		p := patient(t, "k", "p", Options{})
		for _, town := range towns {
			p.Observe(phi.City, town)
		}
		for _, town := range append(towns, "Unlisted Quarry") {
			if got := replace(p, phi.City, town); load().regions[country].of[fold(got)] == "" {
				t.Errorf("%s became %s", town, got)
			}
		}
	}
}

// TestAreaCodes: an area code has one surrogate for a patient, of the state that
// stands for its own.
func TestAreaCodes(t *testing.T) {
	l := load()
	for i := range 60 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		a, b := replace(p, phi.Phone, "201-867-5309"), replace(p, phi.Fax, "(201) 867-1234")
		if a[:3] != b[1:4] || a[:3] == "201" {
			t.Errorf("two numbers of one area became %s and %s", a, b)
		}
		if state := replace(p, phi.State, "NJ"); l.areaOf[a[:3]] != state {
			t.Errorf("201 became %s, of %s, and New Jersey %s", a[:3], l.areaOf[a[:3]], state)
		}
		if c := replace(p, phi.Phone, "416-867-5309"); !strings.HasPrefix(l.areaOf[c[:3]], "ca ") || l.areaOf[c[:3]] == "ca ON" {
			t.Errorf("a number of Toronto became %s", c)
		}
		if c := replace(p, phi.Phone, "1-888-867-5309"); !strings.HasPrefix(c, "1-888-") || c == "1-888-867-5309" {
			t.Errorf("a number without charge became %s", c)
		}
		if c := replace(p, phi.Phone, "555-867-5309"); l.areaOf[c[:3]] == "" {
			t.Errorf("an area nobody has became %s", c)
		}
	}
	if len(l.areaOf) < 330 {
		t.Errorf("%d area codes", len(l.areaOf))
	}
}

// TestAmericanPlaces: a town that no list has, or that many states have, falls into the
// state that stands for the patient's own, and territories agree as states do.
func TestAmericanPlaces(t *testing.T) {
	us := load().us
	for _, home := range []struct{ state, zip, phone string }{{"Ohio", "44119", "216-555-0112"}, {"PR", "00926", "787-555-0112"}} {
		for i := range 60 {
			p := patient(t, "k", fmt.Sprint("p", i), Options{})
			p.Observe(phi.ZIP, home.zip)
			p.Observe(phi.Phone, home.phone)
			state := us.ofPrefix[replace(p, phi.ZIP, home.zip)[:3]]
			if got := replace(p, phi.State, home.state); got != state && got != us.name[state] {
				t.Errorf("%s became %s beside a ZIP code of %s", home.state, got, state)
			}
			if got := replace(p, phi.Phone, home.phone); load().areaOf[got[:3]] != state {
				t.Errorf("%s became %s, not one of %s", home.phone, got, state)
			}
			for _, town := range []string{"Quarrington Parva", "Springfield"} {
				if got := replace(p, phi.City, town); load().isTown(fold(got)) && !slices.Contains(us.cities[state], got) {
					t.Errorf("%s became %s, not one of %s", town, got, state)
				}
			}
		}
	}
}
