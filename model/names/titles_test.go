package names

import (
	"slices"
	"testing"
)

// A title in the table of known names is nobody's name: taken for one, the
// surrogate that keeps it would look like a name that stayed.
func TestTitlesAreNoNames(t *testing.T) {
	for name, want := range map[string][]string{
		"Mme d'Entremont": {"d'Entremont"}, "Père Comeau": {"Comeau"}, "Herr Lang": {"Lang"}, "Mlle. Roy": {"Roy"}, "Herr": {"Herr"},
	} {
		if got := NameWords(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
