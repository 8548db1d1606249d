package names

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed lists/diminutives.txt
var diminutives string

// Diminutives calls f with each given name that has short and pet forms, and
// with these.
func Diminutives(f func(name string, forms []string)) {
	for line := range strings.Lines(diminutives) {
		name, forms, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && line[0] != '#' {
			f(name, strings.Fields(forms))
		}
	}
}

// Nicknames holds, for a folded name, what else its bearer may be called.
var Nicknames = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	Diminutives(func(name string, forms []string) {
		for _, form := range forms {
			m[Fold(name)] = append(m[Fold(name)], form)
			m[Fold(form)] = append(m[Fold(form)], name)
		}
	})
	for name, forms := range m {
		slices.Sort(forms)
		m[name] = slices.Compact(forms)
	}
	return m
})
