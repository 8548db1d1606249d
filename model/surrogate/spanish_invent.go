package surrogate

import (
	"maps"
	"slices"
	"strings"
)

// isSpanish reports whether a class is one of the names of Spanish notes.
func isSpanish(class string) bool {
	return strings.HasSuffix(class, " es") || strings.HasSuffix(class, " es-f")
}

// rarer returns the names of a class that are recognised and seldom drawn. Spanish
// family names are those of the census of the United States that the letters of
// Spanish names spell far more often than those of English and Italian ones.
func (l *lists) rarer(class string) []string {
	if class != "family es" || l.closed[class] {
		return l.wider[class]
	}
	l.rarerSpanish.Do(func() {
		es, others := l.nameModel(class), []*wordModel{l.nameModel("family en"), l.nameModel("family it")}
		for _, w := range slices.Sorted(maps.Keys(l.family)) {
			if c := l.classOf(w); runes(w) < 5 || c != class && c != "family en" || l.isWord(w, true) || !es.usual(w, 3) {
				continue
			}
			if !slices.ContainsFunc(others, func(m *wordModel) bool { return es.chance(w) <= 4*m.chance(w) }) {
				l.spanishCensus = append(l.spanishCensus, strings.ToUpper(w[:1])+w[1:])
			}
		}
	})
	return l.spanishCensus
}

// inventSpanishPlace returns an invented word for a Spanish street or institution,
// which are called after towns, "" as inventPlace does.
func (l *lists) inventSpanishPlace(d drawer, name, domain, key string, fits func(string) bool) string {
	towns := func() (all []string) {
		for _, list := range l.regions[spanish].small {
			all = append(all, list...)
		}
		return all
	}
	return l.inventFrom(towns, d, name, domain, key, true, fits)
}
