package schemes

import (
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Scheme is a set of labels for PHI as some corpus or tool writes them, with
// tables to the i2b2 2014 types and back. Case of labels is ignored.
type Scheme struct {
	name   string
	title  string
	labels []Label
	index  map[string]int            // by folded name or alias
	from   [phi.NumTypes]string      // the label of each i2b2 type; empty where there is none
	norm   func(label string) string // what is done to a label before it is looked up; nil for nothing
}

// Label is one label of a scheme.
type Label struct {
	Name     string
	Category string   // the i2b2 2014 category that it falls in
	Type     phi.Type // the i2b2 type; None where no single one fits
	NoPHI    bool     // i2b2 2014 does not count this as PHI; mappings to it drop the label
}

// Name returns the scheme's name, as ParseScheme takes it.
func (s *Scheme) Name() string { return s.name }

// Title says in a few words where the scheme comes from.
func (s *Scheme) Title() string { return s.title }

// Labels returns the labels in the scheme's order.
func (s *Scheme) Labels() []Label { return append([]Label(nil), s.labels...) }

// Find returns the label of that name, case and known spellings ignored. A
// name that the scheme does not know is an error.
func (s *Scheme) Find(name string) (Label, error) {
	key := fold(name)
	if s.norm != nil {
		key = s.norm(key)
	}
	if i, ok := s.index[key]; ok {
		return s.labels[i], nil
	}
	return Label{}, fmt.Errorf("scheme %s has no label %q", s.name, name)
}

// Of returns the label for an i2b2 type; ok is false where the scheme has
// none.
func (s *Scheme) Of(t phi.Type) (label Label, ok bool) {
	if t == phi.None || int(t) >= phi.NumTypes || s.from[t] == "" {
		return Label{}, false
	}
	return s.labels[s.index[fold(s.from[t])]], true
}

// schemes holds all schemes, in the order of Schemes.
var schemes = []*Scheme{I2B2, I2B2Categories, I2B2Of2006, NGRID, HIPAA18, MIMIC, NUT, DEDUCE, MEDDOCAN}

// Schemes returns all schemes.
func Schemes() []*Scheme { return append([]*Scheme(nil), schemes...) }

// ParseScheme returns the scheme of that name; case is ignored.
func ParseScheme(name string) (*Scheme, error) {
	var names []string
	for _, s := range schemes {
		if strings.EqualFold(s.name, name) {
			return s, nil
		}
		names = append(names, s.name)
	}
	return nil, fmt.Errorf("schemes: no scheme is named %q; there are %s", name, strings.Join(names, ", "))
}

// Between returns the mapping from one scheme to another, by way of the i2b2
// 2014 types. Labels that fit no single i2b2 type (NUT's Name is patients and
// staff) are unknown to it, so that nobody scores them by accident: map both
// sides to the coarser scheme, or name them in a mapping file. Labels that
// i2b2 2014 does not count as PHI are dropped.
func Between(from, to *Scheme) *Mapping {
	m := &Mapping{name: fmt.Sprintf("the mapping from %s to %s", from.name, to.name), table: map[string]target{}, norm: from.norm}
	for key, i := range from.index {
		l := from.labels[i]
		other, ok := to.Of(l.Type)
		switch {
		case from == to:
			m.table[key] = target{category: l.Category, label: l.Name}
		case l.NoPHI:
			m.table[key] = target{drop: true}
		case ok:
			m.table[key] = target{category: other.Category, label: other.Name}
		}
	}
	return m
}

// row is a label with the names that it is known by besides its own.
type row struct {
	Label
	aliases []string
}

// scheme builds a scheme. from lists pairs of a label and the i2b2 types that
// become it.
func scheme(name, title string, rows []row, from map[string][]phi.Type) *Scheme {
	s := &Scheme{name: name, title: title, index: map[string]int{}}
	for i, r := range rows {
		s.labels = append(s.labels, r.Label)
		for _, n := range append([]string{r.Name}, r.aliases...) {
			if _, twice := s.index[fold(n)]; twice {
				panic("scheme " + name + " has the label " + n + " twice")
			}
			s.index[fold(n)] = i
		}
	}
	for label, types := range from {
		for _, t := range types {
			if _, ok := s.index[fold(label)]; !ok || s.from[t] != "" {
				panic("scheme " + name + " maps " + t.String() + " twice or to an unknown label")
			}
			s.from[t] = label
		}
	}
	return s
}
