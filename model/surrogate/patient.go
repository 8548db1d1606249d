package surrogate

import (
	"encoding/binary"
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Mode is what stands in place of a mention.
type Mode string

// The modes. The zero value means Surrogates.
const (
	Surrogates Mode = "surrogate" // a made-up value of the same form
	Tags       Mode = "tag"       // the type in brackets, "[DOCTOR]"
	Masks      Mode = "mask"      // X, x and 0 for letters and digits
)

// Scope is within what equal values get equal surrogates.
type Scope string

// The scopes. The zero value means PerPatient.
const (
	PerPatient  Scope = "patient"
	PerDocument Scope = "document"
)

// Options are a Patient's settings; the zero value is the default.
type Options struct {
	Mode Mode
	// Scope is within what a surrogate stays the same. Dates keep to one offset
	// per patient in either scope, so that text and date columns agree.
	Scope Scope
	// Dates draws the offset. It must pass DatePolicy.Check.
	Dates DatePolicy
	// FixedOffset, where not 0, is the offset in days in place of a keyed one,
	// for sites that keep a table of their own.
	FixedOffset int
	// AgeLimit is the last age that is kept, in years; 0 means 89.
	AgeLimit int
	// SharedDoctors gives a doctor's name one surrogate for all patients of the
	// key, in place of one per patient: caseloads can then be studied, and told.
	SharedDoctors bool
}

// Check returns an error that says what to write instead where o cannot be used.
func (o Options) Check() error {
	switch o.Mode {
	case "", Surrogates, Tags, Masks:
	default:
		return fmt.Errorf("replacement %q is unknown; write %s, %s or %s", string(o.Mode), Surrogates, Tags, Masks)
	}
	switch o.Scope {
	case "", PerPatient, PerDocument:
	default:
		return fmt.Errorf("consistency %q is unknown; write %s or %s", string(o.Scope), PerPatient, PerDocument)
	}
	if o.AgeLimit < 0 {
		return fmt.Errorf("age limit %d is below 0; leave it out for 89", o.AgeLimit)
	}
	return o.Dates.Check()
}

// Outcome says what became of a mention.
type Outcome uint8

// The outcomes.
const (
	Replaced Outcome = iota // a surrogate, or in mode tag the tag
	Kept                    // unchanged by policy: an age within the limit; a weekday, month or year alone that the shift leaves true
	Masked                  // masked: in mode mask, or a date or age that cannot be read
	numOutcomes
)

var outcomes = [numOutcomes]string{"replaced", "kept", "masked"}

// String returns the outcome's name in reports.
func (o Outcome) String() string {
	if o >= numOutcomes {
		return fmt.Sprintf("Outcome(%d)", uint8(o))
	}
	return outcomes[o]
}

// Mention is one stretch of a note to replace.
type Mention struct {
	Type     phi.Type
	Surface  string          // the text that is replaced
	Document string          // document id; read in scope PerDocument only
	Ref      dates.Reference // the note's, for dates with missing parts
}

// Patient plans the replacements of one patient. It is not safe for concurrent
// use; the Keyring it holds is, so each goroutine makes its own.
type Patient struct {
	keys   *Keyring
	id     string
	opts   Options
	lists  *lists
	offset int

	names    *people // nil until needed; see known
	surfaces map[string]struct{}
	cache    map[mentionKey]string
}

type mentionKey struct {
	typ               phi.Type
	document, surface string
}

// NewPatient returns the planner of a patient. It panics if o.Check fails.
func NewPatient(k *Keyring, id string, o Options) *Patient {
	if err := o.Check(); err != nil {
		panic("surrogate: " + err.Error())
	}
	if o.AgeLimit == 0 {
		o.AgeLimit = 89
	}
	p := &Patient{keys: k, id: id, opts: o, lists: load(), offset: o.FixedOffset,
		surfaces: map[string]struct{}{}, cache: map[mentionKey]string{}}
	if p.offset == 0 {
		p.offset = k.DateOffset(id, o.Dates)
	}
	return p
}

// Offset returns the days by which all of the patient's dates move; never 0.
func (p *Patient) Offset() int { return p.offset }

// Know enters names known of the patient, such as those of a census: of the
// patient, relatives or doctors, in any order of their parts.
func (p *Patient) Know(names []string) {
	for _, n := range names {
		p.know(n)
	}
}

// Observe enters a mention found in any of the patient's notes. Only names
// matter; order and repetition do not. Enter all before the first Replace:
// what is learnt later holds from then on.
func (p *Patient) Observe(t phi.Type, surface string) {
	if t == phi.Patient || t == phi.Doctor {
		p.know(surface)
	}
}

func (p *Patient) know(name string) {
	if _, ok := p.surfaces[name]; ok || len(name) > maxSurface {
		return
	}
	p.surfaces[name] = struct{}{}
	p.names = nil
	clear(p.cache)
}

// known returns what the names entered so far say.
func (p *Patient) known() *people {
	if p.names == nil {
		p.names = newPeople(p.lists, p.surfaces)
	}
	return p.names
}

// Replace returns what is to stand in place of a mention. In mode surrogate it
// is never empty, and never the surface itself unless the outcome is Kept or
// Masked.
func (p *Patient) Replace(m Mention) (string, Outcome) {
	switch p.opts.Mode {
	case Tags:
		return "[" + m.Type.String() + "]", Replaced
	case Masks:
		return nonEmpty(mask(m.Surface)), Masked
	}
	switch m.Type {
	case phi.Date:
		out, ok := dates.Shift(m.Surface, p.offset, m.Ref)
		switch {
		case !ok:
			return nonEmpty(mask(m.Surface)), Masked
		case out == m.Surface:
			return out, Kept
		}
		return out, Replaced
	case phi.Age:
		if len(m.Surface) > maxSurface {
			return mask(m.Surface), Masked
		}
		return p.age(m.Surface)
	}
	key := mentionKey{typ: m.Type, surface: m.Surface}
	if p.opts.Scope == PerDocument {
		key.document = m.Document
	}
	out, ok := p.cache[key]
	if !ok {
		out = p.surrogate(m)
		p.cache[key] = out
	}
	return out, Replaced
}

// maxSurface is the longest surface in bytes that is read for what it says.
// Longer ones are no name, and get letters for letters and digits for digits.
const maxSurface = 400

func (p *Patient) surrogate(m Mention) string {
	if alnum(m.Surface) == "" { // nothing to be like
		return "X"
	}
	d := p.drawer(m.Type, m.Document)
	if len(m.Surface) > maxSurface {
		return d.code(m.Surface)
	}
	var out string
	switch m.Type {
	case phi.Patient, phi.Doctor:
		out = p.name(d, m.Type, m.Surface)
	case phi.Profession:
		out = p.profession(d, m.Surface)
	case phi.Hospital, phi.Organization, phi.Department, phi.LocationOther:
		out = p.institution(d, m.Type, m.Surface)
	case phi.Street:
		out = p.street(d, m.Surface)
	case phi.City:
		out = p.city(d, m.Surface)
	case phi.State:
		out = p.state(d, m.Surface)
	case phi.Country:
		out = p.country(d, m.Surface)
	case phi.Phone, phi.Fax:
		out = d.phone(m.Surface)
	case phi.Email:
		out = p.email(d, m.Surface)
	case phi.URL:
		out = p.url(d, m.Surface)
	case phi.IPAddress:
		out = d.ip(m.Surface)
	case phi.SSN:
		out = d.ssn(m.Surface)
	default: // ZIP, room, user names and all numbers
		out = d.code(m.Surface)
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

// drawer makes the keyed choices of one scope: a patient, a document of one,
// or for shared doctors the institution.
type drawer struct {
	prf   *prf
	scope string
}

func (p *Patient) drawer(t phi.Type, document string) drawer {
	d := drawer{p.keys.prfs[forChoices], "patient\x00" + p.id}
	switch {
	case t == phi.Doctor && p.opts.SharedDoctors:
		d.scope = "institution"
	case p.opts.Scope == PerDocument:
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p.id)))
		d.scope = "document\x00" + string(n[:]) + p.id + document
	}
	return d
}

// index returns a number in [0, n) for a value of a domain; try tells attempts
// apart.
func (d drawer) index(n int, try uint64, domain, value string) int {
	sum := d.prf.sum(try, d.scope, domain, value)
	// 64 bits against lists of hundreds: the bias is below 2^-50.
	return int(binary.BigEndian.Uint64(sum[:]) % uint64(n))
}

// maxTries bounds the draws from one list; then it is searched in order.
const maxTries = 32

// pick draws an item of a list that fits, or returns "" where none does.
func (d drawer) pick(list []string, domain, value string, fits func(string) bool) string {
	if len(list) == 0 {
		return ""
	}
	first := 0
	for try := range uint64(maxTries) {
		i := d.index(len(list), try, domain, value)
		if fits(list[i]) {
			return list[i]
		}
		first = i
	}
	for n := range list {
		if s := list[(first+n)%len(list)]; fits(s) {
			return s
		}
	}
	return ""
}
