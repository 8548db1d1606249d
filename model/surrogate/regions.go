package surrogate

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// regions is what the lists say of a country's towns: by region, which is a
// postcode area of the United Kingdom, a county of Ireland, a state of Australia,
// or a province of Canada or Spain.
type regions struct {
	codes  []string            // of regions that towns are drawn of, sorted
	towns  map[string][]string // by region
	of     map[string]string   // folded town to its region
	prefix map[string]string   // region and town to what its postcodes begin with, where that is not the region

	small   map[string][]string // by region; towns that are seldom drawn
	smallOf map[string]string   // folded town of these to its region, where there is only one
}

func (l *lists) addRegion(head, rest string) {
	country, code, _ := strings.Cut(head, " ")
	r := l.regions[country]
	if r == nil {
		r = &regions{towns: map[string][]string{}, of: map[string]string{}, prefix: map[string]string{}}
		l.regions[country] = r
	}
	for _, item := range strings.Split(rest, ", ") {
		town, prefix, _ := strings.Cut(item, "=")
		if known, ok := strings.CutPrefix(town, "~"); ok { // recognised and not drawn
			r.of[fold(known)] = code
			continue
		}
		r.towns[code] = append(r.towns[code], town)
		if _, known := r.of[fold(town)]; !known {
			r.of[fold(town)] = code
		}
		if prefix != "" {
			r.prefix[code+" "+town] = prefix
		}
	}
	// Countries of Latin America are no provinces, and nobody is moved to a territory.
	if len(r.towns[code]) > 0 && (country != "es" || code[0] <= '9') {
		r.codes = append(r.codes, code)
		slices.Sort(r.codes)
	}
}

// region returns the region of a folded town, "" where it is none or is of several.
func (r *regions) region(town string) string {
	if of := r.of[town]; of != "" {
		return of
	}
	return r.smallOf[town]
}

// addSmall reads a line of the smaller towns of Spain.
func (l *lists) addSmall(code, rest string) {
	r := l.regions["es"]
	if r.small == nil {
		r.small, r.smallOf = map[string][]string{}, map[string]string{}
	}
	for _, town := range strings.Split(rest, ", ") {
		f := fold(town)
		if of, known := r.smallOf[f]; known && of != code {
			r.smallOf[f] = "" // there are several of the name
		} else {
			r.smallOf[f] = code
		}
		if r.of[f] == "" {
			r.small[code] = append(r.small[code], town)
		}
	}
}

// Forms that tell a country where they stand alone or in an address.
var (
	wholeUK   = regexp.MustCompile(`(?i)\b([A-Z]{1,2})[0-9][0-9A-Z]? ?[0-9][A-Z]{2}\b`)
	eircode   = regexp.MustCompile(`(?i)\b([ACDEFHKNPRTVWXY][0-9][0-9W]) ?[0-9A-Z]{4}\b`)
	wholeCA   = regexp.MustCompile(`(?i)\b[A-Z][0-9][A-Z][ -]?[0-9][A-Z][0-9]\b`)
	wholeUS   = regexp.MustCompile(`\b[0-9]{5}(?:-[0-9]{4})?\b`)
	callingOf = map[string]string{"44": "uk", "353": "ie", "61": "au", "64": "nz", "34": "es", "27": "za", "91": "in"}
	countryOf = map[string]string{"uk": "uk", "united kingdom": "uk", "great britain": "uk", "england": "uk", "scotland": "uk", "wales": "uk",
		"northern ireland": "uk", "ireland": "ie", "eire": "ie", "republic of ireland": "ie", "us": "us", "usa": "us", "united states": "us",
		"united states of america": "us", "canada": "ca", "australia": "au", "new zealand": "nz", "nz": "nz", "espana": "es", "spain": "es",
		"south africa": "za", "india": "in"}
)

// setting is the country that a patient lives in, and the region there, as what
// is known of the patient tells: "" where nothing does.
type setting struct{ country, region string }

// tell enters what a mention says of the country. Postcodes weigh most, then
// telephones, states and towns.
func (p *Patient) tell(t phi.Type, s string) {
	if len(s) > maxSurface {
		return
	}
	country, region, weight := "", "", 1
	switch {
	case p.spanish() && t == phi.Country:
		if p.countries == nil {
			p.countries = map[string]bool{}
		}
		p.countries[fold(strings.TrimSpace(s))] = true
		clear(p.cache)
	case p.spanish():
		if digits, ok := onlyDigits(s[labelEnd(s):]); (t == phi.City || t == phi.ZIP) && ok && p.lists.province(digits) != "" {
			country, region, weight = "es", digits[:2], 5
		} else if region = p.lists.regions["es"].region(fold(s)); t == phi.City && region != "" {
			country = "es"
		}
	default:
		country, region, weight = p.tells(t, s)
	}
	if country == "" {
		return
	}
	if p.told == nil {
		p.told = map[string]setting{}
		p.weights = map[string]int{}
	}
	key := t.Category() + " " + fold(s)
	if _, ok := p.told[key]; ok {
		return
	}
	p.told[key], p.home = setting{country, region}, nil
	p.weights[country] += weight
	if region != "" {
		p.weights[country+" "+region] += weight
	}
	clear(p.cache)
}

// tells returns what a mention in English tells, and how much that weighs.
func (p *Patient) tells(t phi.Type, s string) (country, region string, weight int) {
	weight = 1
	switch t {
	case phi.City, phi.ZIP, phi.Street:
		if m := postcode(wholeUK, s); m != nil {
			country, region, weight = "uk", strings.ToUpper(m[1]), 5
			p.place(t, s, m[0], region)
		} else if m := postcode(eircode, s); m != nil {
			country, weight = "ie", 5
			region = p.lists.regions["ie"].byPrefix(strings.ToUpper(m[1]))
			p.place(t, s, m[0], region)
		} else if a := p.lists.abroad(s); t == phi.City && a.region != "" {
			country, region, weight = a.country, a.region, 5
		} else if m := postcode(wholeCA, s); m != nil {
			country, region, weight = "ca", provinceOf(strings.ToUpper(m[0][:1])), 5
		} else if t == phi.Street { // where five digits may be the house's
			return "", "", weight
		} else if m := postcode(wholeUS, s); m != nil {
			country, region, weight = "us", p.lists.us.ofPrefix[zipPrefix(m[0])], 3
		} else if t == phi.City {
			country, region = p.lists.townTells(fold(s))
		}
	case phi.Phone, phi.Fax:
		country, region = p.lists.phoneTells(s[labelEnd(s):])
	case phi.State:
		if form, ok := p.lists.stateOf[fold(strings.TrimRight(s, ". "))]; ok && len(s) > 2 {
			_, country, _ = strings.Cut(form.group, " ")
			if state := p.lists.usState(form); state != "" {
				country, region = "us", state
			} else if p.lists.regional(country) {
				region = p.lists.regionCode(form)
			}
		}
	}
	return country, region, weight
}

// postcode returns what a pattern of postcodes, which all hold a digit, matches in a mention.
func postcode(form *regexp.Regexp, s string) []string {
	if !strings.ContainsAny(s, "0123456789") {
		return nil
	}
	return form.FindStringSubmatch(s)
}

// place enters the region of the town that stands before a postcode in an
// address: "Burslem, ST6 5WQ".
func (p *Patient) place(t phi.Type, address, postcode, region string) {
	if t != phi.City || region == "" {
		return
	}
	before, _, _ := strings.Cut(address, postcode)
	parts := strings.Split(strings.Trim(before, " ,"), ",")
	if town := fold(strings.TrimSpace(parts[len(parts)-1])); town != "" {
		least(&p.regionOf, town, region)
	}
}

// isTown reports whether the lists have a folded name as a town.
func (l *lists) isTown(key string) bool {
	if l.us.stateOf[key] != "" {
		return true
	}
	for _, r := range l.regions {
		if r.of[key] != "" {
			return true
		}
	}
	return false
}

// townTells returns the country of a town, where there is only one.
func (l *lists) townTells(town string) (country, region string) {
	if state := l.us.stateOf[town]; state != "" {
		country = "us"
		if state != manyStates {
			region = state
		}
	}
	for _, c := range slices.Sorted(maps.Keys(l.regions)) {
		if r, ok := l.regions[c].of[town]; ok && c != "es" {
			if country != "" {
				return "", ""
			}
			country, region = c, r
		}
	}
	return country, region
}

// phoneTells returns the country of a telephone number, and in North America its
// state or province.
func (l *lists) phoneTells(s string) (country, region string) {
	digits, ok := onlyDigits(s)
	switch {
	case !ok:
	case strings.HasPrefix(s, "+"):
		if code := callingCode(digits); code != "1" {
			return callingOf[code], ""
		}
		if len(digits) == 11 {
			return l.phoneTells(digits[1:])
		}
	case len(digits) == 11 && digits[0] == '0' && strings.IndexByte("127", digits[1]) >= 0:
		return "uk", ""
	case len(digits) == 10 && l.areaOf[digits[:3]] != "":
		if province, ok := strings.CutPrefix(l.areaOf[digits[:3]], "ca "); ok {
			return "ca", province
		}
		return "us", l.areaOf[digits[:3]]
	}
	return "", ""
}

// at returns where the patient lives: what most evidence speaks for.
func (p *Patient) at() setting {
	if p.home != nil {
		return *p.home
	}
	best := setting{country: p.lists.homeOf[p.opts.Language]}
	most := 0
	for _, c := range slices.Sorted(maps.Keys(p.weights)) {
		if !strings.Contains(c, " ") && p.weights[c] > most {
			best, most = setting{country: c}, p.weights[c]
		}
	}
	most = 0
	for _, c := range slices.Sorted(maps.Keys(p.weights)) {
		if country, region, ok := strings.Cut(c, " "); ok && country == best.country && p.weights[c] > most {
			best.region, most = region, p.weights[c]
		}
	}
	p.home = &best
	return best
}

func (r *regions) byPrefix(prefix string) string {
	for _, code := range r.codes {
		for _, town := range r.towns[code] {
			if r.prefix[code+" "+town] == prefix {
				return code
			}
		}
	}
	if prefix[0] == 'D' {
		return "Dublin"
	}
	return ""
}

// regionFor returns the region that stands for one of a country: the next in a
// keyed order, as with states (see stateFor). Different regions keep to different
// surrogates.
func (p *Patient) regionFor(d drawer, country, code string) string {
	r := p.lists.regions[country]
	if len(r.codes) == 1 {
		return r.codes[0]
	}
	if country == "es" && (code == "" || code[0] > '9') ||
		p.keeps(phi.State) && p.lists.regional(country) && len(r.towns[code]) > 0 {
		return code
	}
	return p.standIn(d, "region order", "unknown region", country+" ", code, r.codes, func(to string) bool {
		return !p.lists.regional(country) || p.known().free(p.lists.regionName(country, to))
	})
}

// townIn returns a town of the region that stands for that of a folded town of a
// country: its own where the lists or an address of the patient's tell it, else
// any.
func (p *Patient) townIn(d drawer, country, key string, fits func(string) bool) string {
	r := p.lists.regions[country]
	region := r.of[key]
	if region == "" {
		region = p.regionOf[key]
	}
	if country == "es" {
		if n := p.nation(); len(r.towns[n]) > 0 {
			region = n
		} else if small := r.smallOf[key]; region == "" && small != "" {
			region = small
		} else if region == "" || region[0] > '9' {
			region = p.at().region
		}
	}
	if at := p.at(); region == "" && at.country == country && (country == "ca" || country == "au") {
		region = at.region
	}
	if region == "" {
		region = r.codes[d.index(len(r.codes), 0, "region of town", key)]
	}
	to := p.regionFor(d, country, region)
	if country == "uk" { // where no list of towns by postcode need agree
		var all []string
		for _, c := range r.codes {
			all = append(all, r.towns[c]...)
		}
		if out := p.lists.inventPlace(d, all, "towns "+country, "city", key, fits); out != "" {
			return out
		}
	}
	// A province is called after its chief town, which so never becomes a small one.
	chief := len(r.towns[region]) > 0 && fold(r.towns[region][0]) == key
	if pool := r.small[to]; len(pool) > 0 && !chief && !p.lists.closed["towns "+country] && d.invents(0, "city", key) {
		if out := d.pick(pool, "small town", key, fits); out != "" {
			return out
		}
	}
	// The chief town gets the chief town, and the others of a region different ones
	// as long as there are enough.
	if at := slices.IndexFunc(r.towns[region], func(t string) bool { return fold(t) == key }); r.of[key] == region && len(r.towns[to]) > 0 {
		if n := len(r.towns[to]) - 1; at > 0 && n > 0 {
			at = 1 + (at-1+d.index(n, 0, "town of region", country+" "+region))%n
		}
		if out := r.towns[to][min(max(at, 0), len(r.towns[to])-1)]; fits(out) {
			return out
		}
	}
	if out := d.pick(r.towns[to], "city", key, fits); out != "" {
		return out
	}
	for i := range r.codes {
		c := r.codes[(i+d.index(len(r.codes), 0, "region of town", key))%len(r.codes)]
		if out := d.pick(r.towns[c], "city", key, fits); out != "" {
			return out
		}
	}
	return ""
}
