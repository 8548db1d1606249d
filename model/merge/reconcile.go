package merge

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Roles say who is known by which words, folded.
type Roles struct {
	Patients, Doctors map[string]bool
}

// NewRoles returns the roles of the known names. Words that are
// in a patient's name and in a doctor's say nothing.
func NewRoles(patients, doctors []string) Roles {
	r := Roles{map[string]bool{}, map[string]bool{}}
	enter := func(m map[string]bool, list []string) {
		for _, n := range list {
			p := names.ParseName(n)
			for _, w := range append(p.Given, p.Family...) {
				for _, part := range append([]string{w}, lexicon.Halves(w)...) {
					if f := names.Fold(part); len(f) > 2 && !names.Idle[f] {
						m[f] = true
					}
				}
			}
		}
	}
	enter(r.Patients, patients)
	enter(r.Doctors, doctors)
	for w := range r.Patients {
		if r.Doctors[w] {
			delete(r.Patients, w)
			delete(r.Doctors, w)
		}
	}
	return r
}

// Reconcile makes equal surfaces of one patient agree in type, within each
// document and then across all of them (Lee et al. 2017, section 3.3.4, third
// step, which stops at the document). In each round a mention with a cue of
// its own keeps its type; others take the type that cues give to the same
// surface, or to a full name that has it as a word, else the type that at
// least two mentions have and no other type as often. Before both, the known identifiers
// says whether a name is a doctor's. Only types of one category are exchanged.
// Types change in place; the outcome does not depend on the order of documents
// or mentions.
func Reconcile(docs [][]phi.Found, roles Roles, trace func(doc, text int, e phi.Event)) {
	var all []keyed
	place := map[*phi.Found]int{}
	perDoc := make([][]keyed, len(docs))
	for d := range docs {
		first := len(all)
		for i := range docs[d] {
			m := &docs[d][i]
			all = append(all, newKeyed(m))
			place[m] = d
		}
		perDoc[d] = all[first:]
	}
	change := func(m *phi.Found, t phi.Type, why string) {
		if m.Type == t {
			return
		}
		before := m.Span
		m.Type = t
		if trace != nil {
			trace(place[m], m.Text, phi.Event{Step: "reconciliation", Before: before, After: m.Span, Why: why})
		}
	}
	for _, m := range all {
		if !m.Cue && phi.IsPerson(m.Type) {
			if t := roles.typ(m.Surface); t != phi.None {
				change(m.Found, t, "it is known whose name it is")
				m.Cue = true
			}
		}
	}
	r := round{index: map[string]*group{}, lent: map[string]*group{}}
	for _, ms := range perDoc {
		r.agree(ms, 2, "the same in this note", change)
	}
	r.agree(all, 2, "the same in the patient's notes", change)
}

// typ returns whose a name is known to be, None for nobody's.
func (r Roles) typ(name string) phi.Type {
	patient, doctor := 0, 0
	for _, w := range names.NameWords(name) {
		f := names.Fold(strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s"))
		switch {
		case r.Patients[f]:
			patient++
		case r.Doctors[f]:
			doctor++
		case len(f) > 2:
			return phi.None // of somebody else
		}
	}
	switch {
	case doctor > 0 && patient == 0:
		return phi.Doctor
	case patient > 0 && doctor == 0:
		return phi.Patient
	}
	return phi.None
}

// counts are small on purpose: there is one pair for each surface.
type counts [phi.NumTypes]int32

// keyed is a mention with what makes it one surface with others: category and words;
// "" for what is not reconciled. Neither changes with its type.
type keyed struct {
	*phi.Found
	key  string
	name []string // the words of a name, folded
}

// group is the mentions of one surface and category.
type group struct {
	mentions []*phi.Found
	name     []string // see keyed
	count    counts
	cues     counts
}

// round is the memory of a round, which the next one uses again.
type round struct {
	index  map[string]*group // by key
	lent   map[string]*group // by word of a name
	groups []*group
	used   int // of groups
}

// group returns an empty group.
func (r *round) group(name []string) *group {
	if r.used == len(r.groups) {
		r.groups = append(r.groups, &group{})
	}
	g := r.groups[r.used]
	r.used++
	*g = group{mentions: g.mentions[:0], name: name}
	return g
}

// agree makes one round among mentions; least is how often a type must be
// there to win by counting.
func (r *round) agree(mentions []keyed, least int32, why string, change func(*phi.Found, phi.Type, string)) {
	clear(r.index)
	clear(r.lent)
	r.used = 0
	for _, m := range mentions {
		if m.key == "" {
			continue
		}
		g := r.index[m.key]
		if g == nil {
			g = r.group(m.name)
			r.index[m.key] = g
		}
		g.mentions = append(g.mentions, m.Found)
		g.count[m.Type]++
		if m.Cue {
			g.cues[m.Type]++
		}
	}
	// Full names lend their cues to their words: "Dr Priya Okonkwo" to "Okonkwo".
	of := r.groups[:r.used]
	for _, full := range of {
		if len(full.name) < 2 {
			continue
		}
		for _, w := range full.name {
			g := r.lent[w]
			if g == nil {
				g = r.group(nil)
				r.lent[w] = g
			}
			g.count.add(&full.count)
			g.cues.add(&full.cues)
		}
	}
	for _, g := range of { // each is for itself, so their order is no matter
		count, cues := g.count, g.cues
		if len(g.name) == 1 {
			if l := r.lent[g.name[0]]; l != nil {
				count.add(&l.count)
				cues.add(&l.cues)
			}
		}
		t, because := only(cues), "a cue elsewhere says so; it is "
		if t == phi.None && sum(cues) == 0 {
			t, because = majority(count, least), "most places say so; it is "
		}
		if t == phi.None {
			continue
		}
		for _, m := range g.mentions {
			if !m.Cue {
				change(m, t, because+why)
			}
		}
	}
}

// newKeyed returns a mention with its key.
func newKeyed(m *phi.Found) keyed {
	k := keyed{Found: m}
	category := m.Type.Category()
	switch category {
	case "NAME", "LOCATION", "CONTACT", "ID":
	default:
		return k
	}
	if m.Type == phi.Username || m.Type == phi.Room || m.Type == phi.ZIP || m.Type == phi.Street {
		return k
	}
	if category == "CONTACT" || category == "ID" {
		if all, _ := lexicon.CompactForm(m.Surface); len(all) >= 4 {
			k.key = category + " " + all
		}
		return k
	}
	words := names.NameWords(m.Surface)
	for i, w := range words {
		words[i] = names.Fold(strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s"))
	}
	if key := strings.Join(words, " "); len(key) >= 2 {
		k.key = category + " " + key
		if category == "NAME" {
			k.name = strings.Fields(key) // folding may have left blanks in a word
		}
	}
	return k
}

func (c *counts) add(other *counts) {
	for t := range c {
		c[t] += other[t]
	}
}

func sum(all counts) (n int32) {
	for _, c := range all {
		n += c
	}
	return n
}

// only returns the one type that is counted, None where there are two.
func only(all counts) phi.Type {
	found := phi.None
	for t, n := range all {
		if n > 0 {
			if found != phi.None {
				return phi.None
			}
			found = phi.Type(t)
		}
	}
	return found
}

// majority returns the type that is counted most, at least so often and more
// often than any other.
func majority(all counts, least int32) phi.Type {
	best, second := phi.None, int32(0)
	for t, n := range all {
		switch {
		case n > all[best]:
			best, second = phi.Type(t), all[best]
		case n > second:
			second = n
		}
	}
	if all[best] < least || all[best] == second {
		return phi.None
	}
	return best
}
