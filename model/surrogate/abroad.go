package surrogate

import (
	"slices"
	"strings"
)

// Countries with states or provinces that notes name, in whose addresses town,
// state, postcode and telephone must agree.

// regional reports whether the regions of a country are what its states are: the
// provinces of Canada, the states of Australia and the counties of Ireland.
func (l *lists) regional(country string) bool {
	return country == "ca" || country == "au" || country == "ie"
}

// regionCode returns the region that a state's name or abbreviation is.
func (l *lists) regionCode(form stateForm) string {
	name, code, short := strings.Cut(l.places[form.group][form.index], "=")
	if short {
		return code
	}
	return name
}

// regionItem returns the entry of a region in the list of its country's states:
// "Ontario=ON", "Kerry".
func (l *lists) regionItem(country, code string) string {
	list := l.places["state "+country]
	at := slices.IndexFunc(list, func(item string) bool {
		name, short, _ := strings.Cut(item, "=")
		return short == code || name == code
	})
	return list[max(at, 0)]
}

// regionName returns the name of such a region.
func (l *lists) regionName(country, code string) string {
	name, _, _ := strings.Cut(l.regionItem(country, code), "=")
	return name
}

// foreign is an address of Canada or Australia.
type foreign struct {
	country, region string
	postcode        string // letters and digits, of Canada alone
}

// abroad reads "Guelph, ON N1H 2T3" and "Ballarat, VIC 3350", with the postcode or
// without it. The region is "" for anything else.
func (l *lists) abroad(address string) (a foreign) {
	comma := strings.LastIndexByte(address, ',')
	if comma < 0 {
		return a
	}
	words, told := strings.Fields(address[comma+1:]), "" // by the form of the postcode
	for n := min(2, len(words)-1); n > 0; n-- {
		code := alnum(strings.Join(words[len(words)-n:], ""))
		if len(code) == 6 && caPostcode.MatchString(code) {
			a.postcode, words, told = code, words[:len(words)-n], "ca"
			break
		}
		if digits, numeric := onlyDigits(code); numeric && len(digits) == 4 && n == 1 {
			words, told = words[:len(words)-1], "au"
		}
	}
	key := fold(strings.TrimRight(strings.Join(words, " "), "."))
	form, ok := l.stateIn[told+" "+key]
	if !ok {
		form, ok = l.stateOf[key]
	}
	if _, country, _ := strings.Cut(form.group, " "); ok && (country == "ca" || country == "au") {
		a.country, a.region = country, l.regionCode(form)
	}
	return a
}

// canadianLetters are the first letters of postcodes by province or territory.
var canadianLetters = map[string]string{"NL": "A", "NS": "B", "PE": "C", "NB": "E", "QC": "GHJ", "ON": "KLMNP", "MB": "R", "SK": "S",
	"AB": "T", "BC": "V", "NWT": "X", "YT": "Y"}

// provinceOf returns the province whose postcodes begin with a letter, or "".
func provinceOf(letter string) string {
	for province, letters := range canadianLetters {
		if strings.Contains(letters, letter) {
			return province
		}
	}
	return ""
}

// canadian returns the first letter of the postcode that stands for one: of the
// town that stands for its own, where an address says which that is, else of a town
// of the province that stands for its own.
func (p *Patient) canadian(d drawer, plain string) string {
	r := p.lists.regions["ca"]
	region := provinceOf(plain[:1])
	city := p.cityOf[plain]
	if of := p.regionOf[city]; city != "" && of != "" {
		region = of
	}
	to := p.regionFor(d, "ca", region)
	if city != "" {
		if letter := r.prefix[to+" "+p.town(d, city)]; letter != "" {
			return letter
		}
	}
	towns := r.towns[to]
	if letter := r.prefix[to+" "+towns[d.index(len(towns), 0, "letter of postcode", plain[:1])]]; letter != "" {
		return letter
	}
	return canadianLetters[to][:1] // a town of a site's own list
}

// australianCodes are the area codes of Australia by state.
var australianCodes = map[string]string{"NSW": "2", "ACT": "2", "VIC": "3", "TAS": "3", "QLD": "7", "SA": "8", "WA": "8", "NT": "8"}

// australianArea returns the area code of the state that stands for that of
// another: the patient's own, or the largest that has the code.
func (p *Patient) australianArea(d drawer, old string) string {
	state := p.at().region
	if p.at().country != "au" || australianCodes[state] != old {
		state = map[string]string{"2": "NSW", "3": "VIC", "7": "QLD", "8": "SA"}[old]
	}
	return australianCodes[p.regionFor(d, "au", state)]
}
