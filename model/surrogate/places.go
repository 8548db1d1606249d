package surrogate

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// cityTails are words after the name of a town or county.
var cityTails = names.Set("county township parish borough village city")

// city returns a town in the state or region that stands for the city's own,
// where that is known: from an address of the patient's, or from the lists; else
// one of the country that the patient lives in, else of the United States.
func (p *Patient) city(d drawer, s string) string {
	if before, after, ok := strings.Cut(s, ","); ok && alnum(before) != "" && alnum(after) != "" {
		// "Boston, MA" taken for one city.
		blank := after[:len(after)-len(strings.TrimLeft(after, " "))]
		after = after[len(blank):]
		_, known := p.lists.stateOf[fold(after)]
		at, _, _ := p.lists.world.region(after)
		if known || at.region != "" {
			if !p.keeps(phi.State) {
				after = p.state(d, after)
			}
		} else if p.lists.world.countries[fold(after)] != "" {
			if !p.keeps(phi.Country) && !p.ownCountry(after) {
				after = p.country(d, after)
			}
		} else {
			after = p.city(d, after)
		}
		return p.city(d, before) + "," + blank + after
	}
	pieces := cut(s)
	if fold(pieces[0].text) == "co" || fold(pieces[0].text) == "county" {
		return p.state(d, s)
	}
	tail := ""
	if n := len(pieces); n >= 3 && pieces[n-1].kind == wordPiece && cityTails[fold(pieces[n-1].text)] {
		if !p.lists.isTown(fold(s)) {
			tail = pieces[n-2].text + pieces[n-1].text
		}
	}
	name := s[:len(s)-len(tail)]
	return p.like(p.town(d, fold(name)), name) + tail
}

// town returns the surrogate of a folded city.
func (p *Patient) town(d drawer, key string) string {
	ps := p.known()
	fits := func(c string) bool {
		return fold(c) != key && ps.free(c) && !strings.Contains(key, fold(c))
	}
	if at, ok := p.placeAbroad(key); ok {
		if out := p.townAbroad(d, at, key, fits); out != "" {
			return out
		}
	}
	state := p.stateOf[key]
	home := p.at().country
	if state == "" && p.lists.regions[home] != nil {
		if out := p.townIn(d, home, key, fits); out != "" {
			return out
		}
	}
	if state == "" && home != "us" {
		for _, c := range []string{"uk", "ie", "ca", "au", "nz", "za", "in"} {
			if p.lists.regions[c].of[key] != "" && p.lists.us.stateOf[key] == "" {
				return p.townIn(d, c, key, fits)
			}
		}
	}
	if state == "" {
		state = p.lists.us.stateOf[key]
	}
	if state == "" || state == manyStates {
		state = p.ownState()
	}
	if state == "" {
		codes := p.lists.us.codes
		state = codes[d.index(len(codes), 0, "state of city", key)]
	} else {
		state = p.stateFor(d, state)
	}
	if out := p.lists.inventPlace(d, p.lists.us.all, "towns us", "city", key, fits); out != "" {
		return out
	}
	if out := d.pick(p.lists.us.cities[state], "city", key, fits); out != "" {
		return out
	}
	return d.pick(p.lists.us.all, "city", key, fits) // a state of which all cities are unfit
}

// stateFor returns the code of the state that stands for a state of the United
// States: the next one in a keyed order that no name of the patient's forbids.
// Different states keep to different surrogates.
func (p *Patient) stateFor(d drawer, code string) string {
	if p.keeps(phi.State) {
		return code // it stays
	}
	return p.standIn(d, "state order", "state for territory", "", code, p.lists.us.codes,
		func(to string) bool { return p.known().free(p.lists.us.name[to]) })
}

// ownState returns the code of the state of the United States that the patient lives
// in, "" where that is not known.
func (p *Patient) ownState() string {
	if at := p.at(); at.country == "us" {
		return at.region
	}
	return ""
}

// standIns says which of some codes stands for each of them in one scope: the next one in a
// keyed order that fits, else the last.
type standIns struct {
	order []string
	of    map[string]string
}

// maxStandIns bounds those kept: documents come one after another.
const maxStandIns = 64

// standIn returns which of some codes stands for one of them, in an order keyed by domain and
// prefix; for a code that is none of them, one that is keyed by unknown.
func (p *Patient) standIn(d drawer, domain, unknown, prefix, code string, codes []string, fits func(code string) bool) string {
	key := d.scope + "\x00" + prefix
	s, ok := p.stateBook[key]
	if !ok {
		if p.stateBook == nil || len(p.stateBook) >= maxStandIns {
			p.stateBook = map[string]standIns{}
		}
		s = d.standIns(domain, prefix, codes, fits)
		p.stateBook[key] = s
	}
	if to, ok := s.of[code]; ok {
		return to
	}
	return s.order[d.index(len(s.order), 0, unknown, code)]
}

func (d drawer) standIns(domain, prefix string, codes []string, fits func(code string) bool) standIns {
	type keyed struct {
		code string
		sum  [sha256.Size]byte
	}
	all := make([]keyed, len(codes))
	for i, c := range codes {
		all[i] = keyed{c, d.prf.sum(0, d.scope, domain, prefix+c)}
	}
	slices.SortFunc(all, func(a, b keyed) int { return bytes.Compare(a.sum[:], b.sum[:]) })
	s := standIns{order: make([]string, len(all)), of: make(map[string]string, len(all))}
	for i := range all {
		s.order[i] = all[i].code
	}
	for i, from := range s.order {
		for n := 1; n < len(s.order); n++ {
			to := s.order[(i+n)%len(s.order)]
			if n == len(s.order)-1 || fits(to) {
				s.of[from] = to
				break
			}
		}
	}
	return s
}

// state returns a state or province of the same country, in full or
// abbreviated as it was.
func (p *Patient) state(d drawer, s string) string {
	for _, county := range []string{"Co. ", "Co ", "County ", "co. ", "co ", "CO. ", "COUNTY "} {
		if rest, ok := strings.CutPrefix(s, county); ok && rest != "" {
			return county + p.state(d, rest)
		}
	}
	bare := strings.TrimRight(s, ". ")
	dotted := strings.Contains(bare, ".") && runes(fold(bare)) == 2
	form, ok := p.lists.stateIn[p.at().country+" "+fold(bare)]
	if !ok {
		form, ok = p.lists.stateOf[fold(bare)]
	}
	if at, name, tail := p.lists.world.region(s); !ok && at.region != "" {
		if to := p.standsFor(d, at); to.region != "" {
			return like(to.region, name) + tail
		}
	}
	if !ok {
		form = stateForm{group: "state us", form: stateFull, index: -1}
		if group := "state " + p.at().country; len(p.lists.places[group]) > 0 {
			form.group = group
		}
		if runes(fold(bare)) <= 3 {
			form.form = stateCode
		}
	}
	list := p.lists.places[form.group]
	var out string
	if code := p.lists.usState(form); ok && code != "" {
		out = p.lists.us.entry[p.stateFor(d, code)]
	} else if _, country, _ := strings.Cut(form.group, " "); ok && p.lists.regional(country) {
		out = p.lists.regionItem(country, p.regionFor(d, country, p.lists.regionCode(form)))
	} else {
		key := fold(bare)
		if ok {
			key, _, _ = strings.Cut(fold(list[form.index]), "=") // the same for name and code
		}
		out = d.pick(list, "state", key, func(item string) bool {
			name, code, _ := strings.Cut(item, "=")
			return p.known().free(item) && fold(name) != key && fold(name) != fold(bare) && fold(code) != fold(bare)
		})
	}
	name, code, _ := strings.Cut(out, "=")
	switch {
	case form.form == stateOld:
		name = like(oldStates[slices.Index(p.lists.places["state us"], out)], bare)
	case form.form == stateCode && code != "":
		name = code
		if bare == strings.ToLower(bare) {
			name = strings.ToLower(name)
		}
		if dotted {
			name = name[:1] + "." + name[1:]
		}
	default:
		name = like(name, bare)
	}
	return name + s[len(bare):]
}

// country returns another country; a short form gets a short form.
func (p *Patient) country(d drawer, s string) string {
	key := fold(strings.TrimSpace(s))
	bare := strings.ReplaceAll(key, " ", "")
	list := p.lists.places[p.listed("country")]
	short := runes(bare) <= 3 && bare != "" && s == strings.ToUpper(s) && !p.spanish()
	if short {
		list = p.lists.places["country short"]
		key = bare
	}
	anyOf := short || p.spanish() || p.lists.closed["country"] // towns abroad go by the program's own list
	articled := map[string]bool{}                              // "in the Philippines" becomes no "in the Ukraine"
	if !short && !p.spanish() && !p.lists.closed["country"] {
		if articled = p.lists.words["country the"]; articled[key] {
			list = p.lists.places["country the"]
		}
	}
	out := d.pick(list, "country", key, func(c string) bool {
		return fold(c) != key && p.known().free(c) && !strings.Contains(key, fold(c)) &&
			articled[key] == articled[fold(c)] && (anyOf || p.lists.world.mayStandFor(fold(c), key, articled[key]))
	})
	if short {
		return out
	}
	return p.like(out, s)
}
