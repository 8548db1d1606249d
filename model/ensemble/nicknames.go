package ensemble

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed lists/diminutives.txt
var diminutives string

// nicknames holds, for a folded name, what else its bearer may be called.
var nicknames = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(diminutives) {
		name, forms, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || line[0] == '#' {
			continue
		}
		for _, form := range strings.Fields(forms) {
			m[fold(name)] = append(m[fold(name)], form)
			m[fold(form)] = append(m[fold(form)], name)
		}
	}
	for name, forms := range m {
		slices.Sort(forms)
		m[name] = slices.Compact(forms)
	}
	return m
})
