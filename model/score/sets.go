package score

import (
	"fmt"
	"slices"
	"strings"
)

// DocumentSets is the error of two sets of documents that should be one: the
// ids that one of them lacks. The official scripts skip such documents in
// silence, and so score a system on the documents that it chose.
type DocumentSets struct {
	MissingInSystem int
	MissingInGold   int
	FirstInSystem   []string // the first few in order of name
	FirstInGold     []string
}

// first is how many ids an error names of each set.
const first = 5

// Error counts the missing documents and names the first few.
func (e *DocumentSets) Error() string {
	var parts []string
	for _, side := range []struct {
		lacks, has string
		n          int
		ids        []string
	}{{"system", "gold", e.MissingInSystem, e.FirstInSystem}, {"gold", "system", e.MissingInGold, e.FirstInGold}} {
		if side.n == 0 {
			continue
		}
		names := make([]string, len(side.ids))
		for i, id := range side.ids {
			names[i] = fmt.Sprintf("%q", id)
		}
		more := ""
		if side.n > len(names) {
			more = fmt.Sprintf(" and %d more", side.n-len(names))
		}
		parts = append(parts, fmt.Sprintf("%d of %s missing in %s: %s%s", side.n, side.has, side.lacks, strings.Join(names, ", "), more))
	}
	return "score: gold and system hold different documents: " + strings.Join(parts, "; ")
}

// SameDocuments checks that two lists of document ids are one set, in whatever
// order. The error is a *DocumentSets, or names an id that a list has twice.
func SameDocuments(gold, system []string) error {
	gold, system = slices.Sorted(slices.Values(gold)), slices.Sorted(slices.Values(system))
	for _, side := range []struct {
		name string
		ids  []string
	}{{"gold", gold}, {"system", system}} {
		for i := 1; i < len(side.ids); i++ {
			if side.ids[i] == side.ids[i-1] {
				return fmt.Errorf("score: document %q is in %s twice; ids must differ", side.ids[i], side.name)
			}
		}
	}
	var e DocumentSets
	for len(gold) > 0 || len(system) > 0 {
		switch {
		case len(system) == 0 || len(gold) > 0 && gold[0] < system[0]:
			e.MissingInSystem++
			if len(e.FirstInSystem) < first {
				e.FirstInSystem = append(e.FirstInSystem, gold[0])
			}
			gold = gold[1:]
		case len(gold) == 0 || system[0] < gold[0]:
			e.MissingInGold++
			if len(e.FirstInGold) < first {
				e.FirstInGold = append(e.FirstInGold, system[0])
			}
			system = system[1:]
		default:
			gold, system = gold[1:], system[1:]
		}
	}
	if e.MissingInSystem+e.MissingInGold > 0 {
		return &e
	}
	return nil
}
