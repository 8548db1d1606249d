package deid

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// enter adds what is known of a patient to the evidence and returns the names.
func enter(e *lexicon.Evidence, known []lexicon.Identifiers) []string {
	var names []string
	for i := range known {
		known[i].Each(func(t phi.Type, value string) {
			e.AddKnown(t, value)
			if t.Category() == "NAME" {
				names = append(names, value)
			}
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// identifying reports whether an id is long enough to be told from a dose or a
// year where it stands in a text, and no plain word.
func identifying(id string) bool {
	digits, all := 0, 0
	for _, r := range id {
		switch {
		case r >= '0' && r <= '9':
			digits++
			all++
		case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
			all++
		}
	}
	return all >= 5 && digits > 0
}
