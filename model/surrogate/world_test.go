package surrogate

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// A town abroad, its region and its country become a town, a region and a country that agree,
// in whatever order they are asked for.
func TestTownsAbroadAgree(t *testing.T) {
	w := &load().world
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		p := patient(t, "k", id, Options{})
		p.Observe(phi.City, "Techiman Junction, Ghana") // a town that no list has
		p.Observe(phi.City, "Kearny, NJ 07032")
		for _, c := range []struct{ town, region, country string }{
			{"Kumasi", "", "Ghana"}, {"Techiman Junction", "", "Ghana"}, {"Nogales", "Sonora", "Mexico"}, {"KADUNA", "Kaduna State", "Nigeria"},
			{"Vũng Tàu", "", "Vietnam"}, {"Laoag", "Ilocos Norte", "Philippines"},
		} {
			town, country := replace(p, phi.City, c.town), replace(p, phi.Country, c.country)
			key := fold(country)
			if country == c.country || !slices.ContainsFunc(w.towns[key], func(s string) bool { return fold(s) == fold(town) }) {
				t.Errorf("%s, %s became %s, %s", c.town, c.country, town, country)
			}
			if c.region == "" || len(w.regions[key]) == 0 {
				continue
			}
			region, _ := strings.CutSuffix(replace(p, phi.State, c.region), " State")
			if !slices.ContainsFunc(w.of[key][fold(region)], func(s string) bool { return fold(s) == fold(town) }) {
				t.Errorf("%s, %s, %s became %s, %s, %s", c.town, c.region, c.country, town, region, country)
			}
		}
		// Where patients live, nothing changes.
		if town := replace(p, phi.City, "Paterson"); w.placeOf[fold(town)].country != "" && !load().isTown(fold(town)) {
			t.Errorf("a town of New Jersey became %s", town)
		}
	}
}

// Nothing stands in the list twice, or on one line with itself.
func TestWorldIsRead(t *testing.T) {
	w := &load().world
	seen := map[string]string{}
	for country, towns := range w.towns {
		for _, town := range towns {
			if other, twice := seen[fold(town)]; twice {
				t.Errorf("%s is in %s and %s", town, other, country)
			}
			seen[fold(town)] = country
		}
	}
	for _, group := range []string{"country", "country the"} {
		without := 0
		for _, c := range load().places[group] {
			if len(w.towns[fold(c)]) == 0 {
				without++
			}
		}
		if t.Logf("%s: %d of %d without towns", group, without, len(load().places[group])); without > len(load().places[group])/3 {
			t.Errorf("%s: %d of %d have no towns", group, without, len(load().places[group]))
		}
	}
}
