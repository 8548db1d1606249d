package surrogate

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Towns of countries in which patients seldom live, but were born, worked or were
// operated on: a town of one becomes a town of the country that stands for its own,
// so that "Kumasi, Ghana" is not half American. In countries whose regions notes
// name, town and region agree, too; such a country is stood for by another such.

// world is what the lists say of them.
type world struct {
	towns     map[string][]string            // by folded country
	regions   map[string][]string            // by folded country, those with regions
	of        map[string]map[string][]string // by folded country and folded region, its towns
	placeOf   map[string]place               // folded town to where it lies
	regionOf  map[string]place               // folded region to where it lies
	countries map[string]string              // folded country to its name
}

// place is a country, and a region of it where the lists have them, as they are written.
type place struct{ country, region string }

// addWorld reads a line "Country: towns" or "Country/Region: towns".
func (l *lists) addWorld(head, rest string) {
	w := &l.world
	if w.towns == nil {
		w.towns, w.regions, w.of = map[string][]string{}, map[string][]string{}, map[string]map[string][]string{}
		w.placeOf, w.regionOf, w.countries = map[string]place{}, map[string]place{}, map[string]string{}
	}
	country, region, _ := strings.Cut(head, "/")
	at, key := place{country, region}, fold(country)
	w.countries[key] = country
	if region != "" {
		w.regionOf[fold(region)] = at
		w.regions[key] = append(w.regions[key], region)
		if w.of[key] == nil {
			w.of[key] = map[string][]string{}
		}
		w.of[key][fold(region)] = strings.Split(rest, ", ")
	}
	for _, town := range strings.Split(rest, ", ") {
		w.placeOf[fold(town)] = at
		w.towns[key] = append(w.towns[key], town)
	}
}

// mayStandFor reports whether a country may stand for another: one with towns, and with
// regions, where the other has such and is none with an article, of which there are few.
func (w *world) mayStandFor(country, original string, articled bool) bool {
	if w.countries[original] == "" {
		return true
	}
	return len(w.towns[country]) > 0 && (len(w.regions[original]) == 0 || articled || len(w.regions[country]) > 0)
}

// regionWords stand behind the names of regions.
var regionWords = []string{" state", " province", " oblast", " region", " prefecture", " county"}

// region returns where a region lies, and what stands behind its name: "Kaduna State".
func (w *world) region(s string) (at place, name, tail string) {
	key := fold(s)
	if at, ok := w.regionOf[key]; ok {
		return at, s, ""
	}
	for _, word := range regionWords {
		if bare, ok := strings.CutSuffix(key, word); ok && len(s) == len(key) {
			if at, ok := w.regionOf[bare]; ok {
				return at, s[:len(bare)], s[len(bare):]
			}
		}
	}
	return place{}, "", ""
}

// elsewhere enters the country and region of a town that an address tells of: "Caborca,
// Sonora", "Techiman, Ghana".
func (p *Patient) elsewhere(town, where string) {
	w := &p.lists.world
	at, _, _ := w.region(where)
	if at.country == "" {
		at.country = w.countries[fold(where)]
	}
	if at.country == "" {
		return
	}
	if known := w.placeOf[town]; known.country == at.country && at.region == "" {
		at = known
	}
	if p.placeOf == nil {
		p.placeOf = map[string]place{}
	}
	if old, ok := p.placeOf[town]; !ok || at.country+"/"+at.region < old.country+"/"+old.region {
		p.placeOf[town] = at
		clear(p.cache)
	}
}

// placeAbroad returns the country, and the region, of a folded town that is none of where
// patients live.
func (p *Patient) placeAbroad(town string) (at place, ok bool) {
	if at, ok = p.placeOf[town]; ok {
		return at, true
	}
	if p.spanish() || p.lists.isTown(town) || p.stateOf[town] != "" || p.regionOf[town] != "" {
		return place{}, false
	}
	at, ok = p.lists.world.placeOf[town]
	return at, ok
}

// standsFor returns the country and region that stand for others.
func (p *Patient) standsFor(d drawer, at place) place {
	w := &p.lists.world
	to := place{country: at.country}
	if !p.keeps(phi.Country) && !p.ownCountry(at.country) {
		to.country = p.country(d, at.country)
	}
	if at.region != "" && !p.keeps(phi.State) {
		regions := w.regions[fold(to.country)]
		if len(regions) == 0 {
			regions = w.towns[fold(to.country)] // districts have their town's name, mostly
		}
		to.region = d.pick(regions, "region abroad", fold(at.region), func(r string) bool {
			return fold(r) != fold(at.region) && p.known().free(r)
		})
	} else if to.country == at.country {
		to.region = at.region
	}
	return to
}

// townAbroad returns a town of the country, and region, that stand for those of a town; "" where the
// lists have none.
func (p *Patient) townAbroad(d drawer, at place, key string, fits func(string) bool) string {
	to, w := p.standsFor(d, at), &p.lists.world
	towns := w.of[fold(to.country)][fold(to.region)]
	if len(towns) == 0 {
		towns = w.towns[fold(to.country)]
	}
	return d.pick(towns, "city", key, fits)
}
