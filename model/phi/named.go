package phi

import (
	"fmt"
	"slices"
	"strings"
)

// Near returns the one of names that a misspelt name was probably meant for, or "".
// Nil knows none.
type Near func(name string, names []string) string

// Unknown returns the error of a name of some kind that is none of names: with the one
// that was meant, or with all there are.
func (near Near) Unknown(kind, name string, names []string) error {
	if near != nil {
		if meant := near(name, names); meant != "" {
			return fmt.Errorf("there is no %s %q; did you mean %s?", kind, name, meant)
		}
	}
	all := slices.Clone(names)
	slices.Sort(all)
	return fmt.Errorf("there is no %s %q; there are %s", kind, name, strings.Join(slices.Compact(all), ", "))
}

// inCapitals is near for names in capitals.
func (near Near) inCapitals() Near {
	if near == nil {
		return nil
	}
	return func(name string, names []string) string { return near(strings.ToUpper(name), names) }
}

// Named returns the types that the name of a type or of a category stands for; case is
// ignored.
func Named(name string, near Near) ([]Type, error) {
	var named []Type
	names := Categories()
	for _, t := range Types() {
		if strings.EqualFold(t.String(), name) || strings.EqualFold(t.Category(), name) {
			named = append(named, t)
		}
		names = append(names, t.String())
	}
	if named == nil {
		return nil, near.inCapitals().Unknown("type", name, names)
	}
	return named, nil
}
