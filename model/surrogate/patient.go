package surrogate

import (
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Patient plans the replacements of one patient. It is not safe for concurrent
// use; the Keyring it holds is, so each goroutine makes its own.
type Patient struct {
	keys   *Keyring
	id     string
	opts   Options
	policy Policy
	acts   [phi.NumTypes]Action
	lists  *lists
	offset int
	latest int // day of the latest note; see Written
	dated  bool
	birth  int // see Born
	born   bool

	names        *people // nil until needed; see known
	surfaces     map[string]source
	sexes        map[string]phi.Sex // of names, as they were told; see ObserveSex
	numbers      map[string]bool    // known of the patient, as alnum gives them; see taken.go
	longest      int                // bytes of the longest of them
	institutions map[string]bool    // of two words and more; see acronym
	heads        map[string]bool    // what they are called for short, folded
	addresses
	countries map[string]bool    // folded, named in Spanish notes
	told      map[string]setting // what mentions tell of the country; see regions.go
	weights   map[string]int     // by country, and by country and region
	home      *setting           // nil until it is asked for
	books     map[scope]*book
	chains    map[string]map[string]*chain // by document and group; see markov.go
	cache     map[mentionKey]string
	offsets   map[string]int // by document, in date scope document
	changes   [numDateChanges]int64
	orders    DateOrders
	late      LateDates
}

// ownCountry reports whether a mention is of the country that the patient lives
// in, as postcodes, telephones and towns tell. It stays: with other towns of the
// same country around it another one would contradict them.
func (p *Patient) ownCountry(s string) bool {
	if p.spanish() {
		return fold(strings.TrimSpace(s)) == p.nation()
	}
	country := countryOf[fold(strings.TrimSpace(s))]
	return country != "" && country == p.at().country
}

type mentionKey struct {
	typ     phi.Type
	scope   scope
	surface string
}

// NewPatient returns the planner of a patient. It panics if o.Check fails.
func NewPatient(k *Keyring, id string, o Options) *Patient {
	if err := o.Check(); err != nil {
		panic("surrogate: " + err.Error())
	}
	if o.AgeLimit == 0 {
		o.AgeLimit = 89
	}
	if o.MarkovChange == 0 {
		o.MarkovChange = defaultMarkovChange
	}
	p := &Patient{keys: k, id: id, opts: o, lists: o.Lists.orOwn(), offset: o.FixedOffset,
		surfaces: map[string]source{}, books: map[scope]*book{}, cache: map[mentionKey]string{}}
	if p.offset == 0 {
		p.offset = k.DateOffset(id, o.Dates)
	}
	p.policy = o.Resolved()
	for _, t := range phi.Types() {
		p.acts[t] = p.policy.Of(t)
	}
	return p
}

// Know enters names known of the patient, such as those of a table of known identifiers: of the
// patient, relatives or doctors, in any order of their parts.
func (p *Patient) Know(names []string) {
	for _, n := range names {
		p.know(n, source{known: true})
	}
}

// Observe enters a mention found in any of the patient's notes, or a value of
// the table. Names say who there is, addresses ("Boston, MA 02115", of type
// City) which places belong together, and telephone numbers the country;
// others do not matter, nor do order and repetition. Enter all before the first Replace: what is learnt later
// holds from then on. Numbers that are known beforehand go to KnowNumber too.
func (p *Patient) Observe(t phi.Type, surface string) {
	switch t {
	case phi.Patient:
		p.know(surface, source{patient: true})
	case phi.Doctor:
		p.know(surface, source{doctor: true})
	case phi.City:
		p.address(surface)
		p.tell(t, surface)
	case phi.ZIP, phi.State, phi.Street, phi.Country:
		p.tell(t, surface)
	case phi.Hospital, phi.Organization, phi.Department:
		if len(surface) <= maxSurface && strings.Contains(surface, " ") && !p.institutions[surface] {
			if p.institutions == nil {
				p.institutions, p.heads = map[string]bool{}, map[string]bool{}
			}
			p.institutions[surface] = true
			p.heads[p.headWord(surface)] = true
			p.heads[p.lists.stem(surface)] = true
			clear(p.cache)
		}
	case phi.Phone, phi.Fax:
		p.tell(t, surface)
	}
}

// ObserveSex enters what the notes tell of the sex of somebody whose name they mention.
// Its given names get names of that sex.
func (p *Patient) ObserveSex(name string, sex phi.Sex) {
	if sex == phi.Untold || len(name) > maxSurface || p.sexes[name]|sex == p.sexes[name] {
		return
	}
	if p.sexes == nil {
		p.sexes = map[string]phi.Sex{}
	}
	p.sexes[name] |= sex
	p.names = nil
	clear(p.books)
	clear(p.cache)
}

func (p *Patient) know(name string, from source) {
	if len(name) > maxSurface {
		return
	}
	old, ok := p.surfaces[name]
	sum := source{old.known || from.known, old.patient || from.patient, old.doctor || from.doctor}
	if ok && sum == old {
		return
	}
	p.surfaces[name] = sum
	p.names = nil
	clear(p.books)
	clear(p.cache)
}

// known returns what the names entered so far say.
func (p *Patient) known() *people {
	if p.names == nil {
		p.names = newPeople(p.lists, p.spanish(), p.opts.Scope == Markov, p.surfaces)
		p.names.tell(p.sexes)
		if p.opts.SharedDoctors {
			for w := range p.names.staff { // they must not give way to one patient's names, nor hang on its notes
				p.names.rank[w] = 0
				delete(p.names.sexes, w)
			}
		}
	}
	return p.names
}

// Action returns what is done to a mention: what the policy says of its type, or
// of known identifiers where it keeps the type.
func (p *Patient) Action(m Mention) Action {
	a := p.acts[m.Type]
	if a == Keep && m.Known && !slices.Contains(p.policy.KeepKnown, m.Type.String()) {
		a = own(p.policy.Known, m.Type)
	}
	if m.Doubtful && (a == Surrogate || a == Shift || a == Generalise) {
		a = Tag
	}
	return a
}

// keeps reports whether a type stands as it is.
func (p *Patient) keeps(t phi.Type) bool { return p.acts[t] == Keep }

// Replace returns what is to stand in place of a mention. It
// is never empty, and never the surface itself unless the outcome is Kept or
// Masked. Under scope Markov the mentions of one document must come in their
// order, each once.
func (p *Patient) Replace(m Mention) (string, Outcome) {
	action := p.Action(m)
	switch action {
	case Tag:
		return "[" + m.Type.String() + "]", Replaced
	case NumberedTag:
		return "[" + m.Type.String() + "-" + p.tagNumber(m) + "]", Replaced
	case Mask:
		return nonEmpty(mask(m.Surface)), Masked
	case Keep:
		return nonEmpty(m.Surface), Kept
	}
	switch m.Type {
	case phi.Date:
		return p.date(m, action)
	case phi.Age:
		if len(m.Surface) > maxSurface {
			return nonEmpty(mask(m.Surface)), Masked
		}
		return p.age(m)
	}
	if m.Type == phi.Country && p.ownCountry(m.Surface) {
		return m.Surface, Kept
	}
	if action == Generalise {
		if out, ok := p.lists.safeZIP(m.Surface); ok {
			if out == m.Surface {
				return out, Kept
			}
			return out, Replaced
		}
	}
	key := mentionKey{typ: m.Type, surface: m.Surface, scope: p.scopeOf(m)}
	out, ok := p.cache[key]
	if !ok {
		out = p.surrogate(m, key.scope)
		p.cache[key] = out
	}
	return out, Replaced
}

// maxSurface is the longest surface in bytes that is read for what it says.
// Longer ones are no name, and get letters for letters and digits for digits.
const maxSurface = 400

func (p *Patient) surrogate(m Mention, s scope) string {
	if alnum(m.Surface) == "" { // nothing to be like
		return "X"
	}
	if out := p.unlike(p.drawer(s), func(d drawer) string { return p.draw(m, s, d) }); out != "" {
		return out
	}
	return "[" + m.Type.String() + "]" // nearly all numbers of its form are known
}

// draw returns what d draws for a mention.
func (p *Patient) draw(m Mention, s scope, d drawer) string {
	if len(m.Surface) > maxSurface {
		return d.code(m.Surface)
	}
	var out string
	m.Surface = readDigits(m.Type, m.Surface)
	switch p.kindOf(m.Type, m.Surface) {
	case phi.Patient, phi.Doctor:
		out = p.name(s, m.Type, m.Surface)
	case phi.Username:
		out = p.handle(s, d, m.Surface)
	case phi.Profession:
		if out = p.profession(d, m.Surface); out == "" {
			out = "[" + m.Type.String() + "]" // no occupation: nothing drawn would fit the sentence
		}
	case phi.Hospital, phi.Organization, phi.Department, phi.LocationOther:
		out = p.institution(d, m.Type, m.Surface)
	case phi.Street:
		out = p.street(d, m.Surface)
	case phi.City:
		out = p.city(d, m.Surface)
	case phi.State:
		out = p.state(d, m.Surface)
	case phi.ZIP:
		out = p.zip(d, m.Surface)
	case phi.Country:
		out = p.country(d, m.Surface)
	case phi.Phone, phi.Fax:
		out = p.phone(d, m.Surface)
	case phi.Email:
		out = p.email(s, d, m.Surface)
	case phi.URL:
		out = p.url(d, m.Surface)
	case phi.IPAddress:
		out = d.ip(m.Surface)
	case phi.SSN:
		if out = p.nass(d, m.Surface); out == "" {
			out = d.ssn(m.Surface)
		}
	default: // rooms and all numbers
		if isPhrase(m.Type, m.Surface) {
			return "[" + m.Type.String() + "]" // random letters would read as a word
		}
		if p.spanish() && m.Type == phi.License {
			if out = p.college(d, m.Surface); out != "" {
				break
			}
		}
		if out = p.nass(d, m.Surface); out == "" {
			out = d.code(m.Surface)
		}
	}
	if out == "" || out == m.Surface {
		out = d.code(m.Surface)
	}
	return out
}

func nonEmpty(s string) string {
	if s == "" {
		return "X"
	}
	return s
}
