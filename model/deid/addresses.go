package deid

import (
	"maps"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// maxAddresses bounds what is kept of a patient's addresses.
const maxAddresses = 64

// addresses returns the addresses that are known and those that notes give by a
// city, a state and perhaps a ZIP code, or a city and a country, side by side, so that
// their surrogates can lie together: "Kearny, NJ 07032".
func addresses(known []lexicon.Identifiers, notes []*Note) []lexicon.Surface {
	set := map[string]bool{}
	for _, k := range known {
		for _, a := range k.Addresses {
			set[a] = true
		}
	}
	for _, n := range notes {
		for i, s := range n.Spans {
			if s.Type != phi.City {
				continue
			}
			at := s.Surface
			if state, ok := follows(n.Spans[i+1:], s, phi.State); ok {
				at += ", " + state.Surface
				if zip, ok := follows(n.Spans[i+1:], state, phi.ZIP); ok {
					at += " " + zip.Surface
				}
			} else if zip, ok := follows(n.Spans[i+1:], s, phi.ZIP); ok {
				at += ", " + zip.Surface
			} else if country, ok := follows(n.Spans[i+1:], s, phi.Country); ok {
				at += ", " + country.Surface
			} else {
				continue
			}
			set[at] = true
		}
	}
	all := make([]lexicon.Surface, 0, len(set))
	for a := range set {
		all = append(all, lexicon.Surface{Type: phi.City, Text: a})
	}
	slices.SortFunc(all, func(a, b lexicon.Surface) int { return strings.Compare(a.Text, b.Text) })
	return all[:min(len(all), maxAddresses)]
}

// maxSurroundings bounds what is kept of the places and institutions of a
// patient's notes, by type.
const maxSurroundings = 64

// surroundings returns what notes say of where the patient lives and of
// institutions called by their initials: postcodes, telephones, towns, states
// and names of several words. Nothing is searched for them; surrogates must
// agree with them.
func surroundings(notes []*Note) []lexicon.Surface {
	sets := map[phi.Type]map[string]bool{}
	for _, n := range notes {
		for _, s := range n.Spans {
			switch s.Type {
			case phi.ZIP, phi.Phone, phi.Fax, phi.City, phi.State, phi.Country:
			case phi.Hospital, phi.Organization, phi.Department:
				if !strings.Contains(s.Surface, " ") {
					continue
				}
			default:
				continue
			}
			if sets[s.Type] == nil {
				sets[s.Type] = map[string]bool{}
			}
			sets[s.Type][s.Surface] = true
		}
	}
	var all []lexicon.Surface
	for _, t := range slices.Sorted(maps.Keys(sets)) {
		of := slices.Sorted(maps.Keys(sets[t]))
		for _, s := range of[:min(len(of), maxSurroundings)] {
			all = append(all, lexicon.Surface{Type: t, Text: s})
		}
	}
	return all
}

// follows returns the span of a type that begins within three bytes after s.
func follows(after []phi.Found, s phi.Found, t phi.Type) (phi.Found, bool) {
	for _, o := range after {
		if o.Text != s.Text || o.Start > s.End+3 {
			break
		}
		if o.Type == t && o.Start > s.End {
			return o, true
		}
	}
	return phi.Found{}, false
}
