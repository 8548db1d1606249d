package surrogate

import (
	"regexp"
	"strings"
)

// usPlaces is what the list of places of the United States says.
type usPlaces struct {
	codes    []string            // of states, sorted; without territories and DC, which are recognised and stand for none
	entry    map[string]string   // code to "New Jersey=NJ"
	name     map[string]string   // code to name
	prefixes map[string][]string // code to its ZIP prefixes
	cities   map[string][]string // code to cities
	all      []string            // cities
	zipOf    map[string]string   // "code city" to a ZIP prefix
	stateOf  map[string]string   // folded city to its state, or manyStates
	ofPrefix map[string]string   // ZIP prefix to its state
}

// manyStates stands for the state of a city of which there are several.
const manyStates = "?"

func (l *lists) addUSPlaces() {
	us := &l.us
	*us = usPlaces{entry: map[string]string{}, name: map[string]string{}, prefixes: map[string][]string{}, cities: map[string][]string{},
		zipOf: map[string]string{}, stateOf: map[string]string{}, ofPrefix: map[string]string{}}
	for _, item := range l.places["state us"] {
		name, code, _ := strings.Cut(item, "=")
		us.entry[code], us.name[code] = item, name
	}
	read("us-places.txt", func(head, rest string) {
		code, isCities := strings.CutSuffix(head, " cities")
		if !isCities {
			us.prefixes[code] = strings.Fields(rest)
			for _, p := range us.prefixes[code] {
				us.ofPrefix[p] = code
			}
			if us.entry[code] != "" {
				us.codes = append(us.codes, code)
			}
			return
		}
		for _, item := range strings.Split(rest, ", ") {
			city, prefix, _ := strings.Cut(item, "=")
			key := fold(city)
			if old := us.stateOf[key]; old == "" {
				us.stateOf[key] = code
			} else if old != code {
				us.stateOf[key] = manyStates
			}
			if us.entry[code] == "" {
				continue
			}
			us.cities[code] = append(us.cities[code], city)
			us.all = append(us.all, city)
			us.zipOf[code+" "+city] = prefix
		}
	})
}

// usState returns the code of a state or territory of the United States, "" for
// those of other countries.
func (l *lists) usState(form stateForm) string {
	if form.index < 0 || form.group != "state us" && form.group != "state territory" {
		return ""
	}
	_, code, _ := strings.Cut(l.places[form.group][form.index], "=")
	return code
}

func (l *lists) addRestricted() {
	l.barred = map[string]bool{}
	read("zip3-restricted.txt", func(_, rest string) {
		for _, p := range strings.Fields(rest) {
			l.barred[p] = true
		}
	})
}

// safeZIP returns what Safe Harbor leaves of a ZIP code: its first three
// digits, or 000 where few live there. ok is false for other postcodes.
func (l *lists) safeZIP(s string) (string, bool) {
	from := labelEnd(s)
	digits, ok := onlyDigits(s[from:])
	if !ok || len(digits) != 5 && len(digits) != 9 && len(digits) != 3 {
		return "", false
	}
	if l.barred[digits[:3]] {
		return s[:from] + "000", true
	}
	return s[:from] + digits[:3], true
}

// addresses is what the patient's addresses say of places.
type addresses struct {
	stateOf   map[string]string   // folded city to the code of its state
	cityOf    map[string]string   // five digits of a ZIP code, or a Canadian postcode, to a folded city
	stateBook map[string]standIns // by scope and country: of states or regions
	regionOf  map[string]string   // folded town to its region, where the country has regions
	placeOf   map[string]place    // folded town to its country and region, of countries where patients seldom live
}

// address enters "City, State ZIP", perhaps with a street in front. Where two
// addresses differ on a city or ZIP code, the first in order of letters counts.
func (p *Patient) address(s string) {
	parts := strings.Split(s, ",")
	if len(parts) < 2 || len(s) > maxSurface {
		return
	}
	city := fold(strings.TrimSpace(parts[len(parts)-2]))
	words := strings.Fields(parts[len(parts)-1])
	if city == "" || len(words) == 0 {
		return
	}
	if a := p.lists.abroad(s); a.region != "" {
		least(&p.regionOf, city, a.region)
		if a.postcode != "" {
			least(&p.cityOf, a.postcode, city)
		}
		clear(p.cache)
		return
	}
	zip := ""
	if last := words[len(words)-1]; len(last) >= 5 {
		if digits, ok := onlyDigits(last); ok && len(digits) >= 5 {
			zip, words = digits[:5], words[:len(words)-1]
		}
	}
	state := ""
	if form, ok := p.lists.stateOf[fold(strings.TrimRight(strings.Join(words, " "), "."))]; ok {
		state = p.lists.usState(form)
	}
	if state == "" && len(words) > 0 {
		p.elsewhere(city, strings.Join(words, " "))
		return
	}
	if state == "" {
		state = p.lists.us.ofPrefix[zipPrefix(zip)]
	}
	if state == "" {
		return
	}
	least(&p.stateOf, city, state)
	if zip != "" {
		least(&p.cityOf, zip, city)
	}
	clear(p.cache)
}

// least enters a value, of several for a key the first in order of letters.
func least(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	if old, ok := (*m)[key]; !ok || value < old {
		(*m)[key] = value
	}
}

func zipPrefix(zip string) string {
	if len(zip) < 3 {
		return ""
	}
	return zip[:3]
}

// Postcodes of the United Kingdom (whole, or the outward half), Canada and Australia.
var (
	ukPostcode = regexp.MustCompile(`^(?i)[A-Z]{1,2}[0-9]{1,2}[A-Z]?(?: *[0-9][A-Z]{2})?$`)
	caPostcode = regexp.MustCompile(`^(?i)[A-Z][0-9][A-Z](?:[ -]*[0-9][A-Z][0-9])?$`)
)

const (
	ukInward  = "ABDEFGHJLNPQRSTUWXYZ"
	caLetters = "ABCEGHJKLMNPRSTVWXYZ"
)

// zip replaces a postcode by one of its country and form. A ZIP code gets the
// prefix of the city that stands for its own, where an address says which that
// is, else one of the state that stands for its own.
func (p *Patient) zip(d drawer, s string) string {
	from := labelEnd(s)
	label, code := s[:from], s[from:]
	plain := alnum(code)
	digits, numeric := onlyDigits(code)
	if p.spanish() {
		if numeric && p.lists.province(digits) != "" && p.nation() == "espana" {
			return label + spread(code, []byte(p.spanishZIP(d, digits)))
		}
		return d.class("postcode", s)
	}
	if eircode.MatchString(code) && len(plain) == 7 {
		return label + spread(code, p.eircode(d, plain))
	}
	for try := uint64(0); try < maxTries; try++ {
		sum := d.prf.sum(try, d.scope, "postcode", plain)
		var out string
		switch {
		case numeric && (len(digits) == 5 || len(digits) == 9):
			out = p.zipDigits(d, digits, try)
		case numeric && len(digits) == 4: // Australia
			out = string([]byte{p.australian(d, digits[0]), '0' + sum[1]%7, '0' + sum[2]%10, '0' + sum[3]%10})
		case caPostcode.MatchString(code):
			out = p.canadian(d, plain) + string([]byte{'0' + sum[1]%10, caLetters[int(sum[2])%len(caLetters)],
				'0' + sum[3]%10, caLetters[int(sum[4])%len(caLetters)], '0' + sum[5]%10})[:len(plain)-1]
		case ukPostcode.MatchString(code):
			out = p.ukLike(d, plain, sum[:])
		default:
			return d.class("postcode", s)
		}
		if out != plain {
			if len(out) != len(plain) { // an area of one letter for one of two, or the other way
				return label + likePostcode(out, code)
			}
			return label + spread(code, []byte(out))
		}
	}
	return d.class("postcode", s)
}

func (p *Patient) zipDigits(d drawer, digits string, try uint64) string {
	five := digits[:5]
	sum := d.prf.sum(try, d.scope, "zip", five)
	prefix := ""
	state := p.lists.us.ofPrefix[five[:3]]
	if city := p.cityOf[five]; city != "" {
		if s := p.stateOf[city]; s != "" {
			state = s
		}
		prefix = p.lists.us.zipOf[p.stateFor(d, state)+" "+p.town(d, city)]
	}
	if prefix == "" {
		if state = p.stateFor(d, state); state == "" {
			state = p.lists.us.codes[int(sum[0])%len(p.lists.us.codes)]
		}
		of := p.lists.us.prefixes[state]
		if len(of) == 0 { // a territory without one of its own
			of = []string{five[:3]}
		}
		prefix = of[int(sum[1])%len(of)]
	}
	out := prefix + string([]byte{'0' + sum[2]%10, '1' + sum[3]%9})
	if len(digits) == 9 {
		out += string(d.substitute("zip plus four", digits[5:]))
	}
	return out
}

// ukLike returns a postcode with the letters and digits of plain in its places.
func (p *Patient) ukLike(d drawer, plain string, sum []byte) string {
	area := 0
	for area < len(plain) && plain[area] >= 'A' {
		area++
	}
	// The area that stands for its own may have another number of letters.
	out := []byte(p.regionFor(d, "uk", plain[:area]))
	inward := len(plain) // where "6HJ" begins
	if n := len(plain); n >= area+4 && plain[n-1] >= 'A' && plain[n-2] >= 'A' {
		inward = n - 3
	}
	for i := area; i < len(plain); i++ {
		b := sum[1+i]
		switch {
		case plain[i] >= 'A' && i >= inward:
			out = append(out, ukInward[int(b)%len(ukInward)])
		case plain[i] >= 'A':
			out = append(out, "ABEHMNPRVWXY"[int(b)%12])
		case i == area:
			out = append(out, '1'+b%9)
		default:
			out = append(out, '0'+b%10)
		}
	}
	return string(out)
}

// australianStates are the states by the first digit of their postcodes.
var australianStates = map[byte]string{'0': "NT", '2': "NSW", '3': "VIC", '4': "QLD", '5': "SA", '6': "WA", '7': "TAS"}

// australian returns the first digit of the postcodes of the state that stands
// for that of another first digit.
func (p *Patient) australian(d drawer, first byte) byte {
	old, ok := australianStates[first]
	if !ok {
		old = "NSW"
	}
	state := p.state(d, old)
	for digit, code := range australianStates {
		if code == state {
			return digit
		}
	}
	return '2'
}

// likePostcode writes a British postcode with the blank and case of another.
func likePostcode(out, like string) string {
	if i := strings.IndexByte(like, ' '); i > 0 {
		blanks := len(like) - len(strings.ReplaceAll(like, " ", ""))
		out = out[:len(out)-3] + strings.Repeat(" ", blanks) + out[len(out)-3:]
	}
	if like == strings.ToLower(like) {
		return strings.ToLower(out)
	}
	return out
}

// eircode returns an Irish postcode of the town or county that stands for its own.
func (p *Patient) eircode(d drawer, plain string) []byte {
	r := p.lists.regions["ie"]
	county := r.byPrefix(plain[:3])
	to := p.regionFor(d, "ie", county)
	towns := r.towns[to]
	town := towns[d.index(len(towns), 0, "routing key", plain[:3])]
	if p.at().country == "ie" {
		for _, old := range r.towns[county] { // the town that stands for the one of this routing key
			if r.prefix[county+" "+old] == plain[:3] {
				if t := p.town(d, fold(old)); r.prefix[to+" "+t] != "" {
					town = t
				}
				break
			}
		}
	}
	const letters = "ACDEFHKNPRTVWXY"
	out := []byte(r.prefix[to+" "+town])
	sum := d.prf.sum(0, d.scope, "eircode", plain)
	for i, c := range []byte(plain[3:]) {
		if c >= 'A' {
			out = append(out, letters[int(sum[i])%len(letters)])
		} else {
			out = append(out, '0'+sum[i]%10)
		}
	}
	return out
}
