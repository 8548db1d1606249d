package surrogate

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// The lists are public, so of a release whose surrogates are all from them every
// other name is a miss. So about half of the surrogates of names and places are
// invented: words of letters that follow one another as in the names of the same
// class, drawn under the key. What stands outside of the lists is then as likely
// a surrogate as a miss, and since a name made of the letters of names often is
// one, a larger list of real names does not tell the two apart either.

// inventedShare is the share of draws that are not from the lists, and widerShare
// the part of these that are rarer names, which lists recognise, and not invented.
const (
	inventedShare = 0.5
	widerShare    = 0.4
)

// Bounds of invented words, in letters.
const (
	shortestInvented = 4
	longestInvented  = 10
)

// invented returns an invented word of a model, "" where the draw is no good
// one; try tells draws apart. It is no ordinary word.
func (l *lists) invented(m *wordModel, d drawer, try uint64, domain, value string, inSpanish bool) string {
	var sum []byte
	block := uint64(0)
	w := m.word(func() uint16 {
		if len(sum) < 2 {
			s := d.prf.sum(try<<8|block, d.scope, "invented "+domain, value)
			sum = s[:]
			block++
		}
		n := binary.BigEndian.Uint16(sum)
		sum = sum[2:]
		return n
	})
	if w == "" || l.isWord(fold(w), inSpanish) {
		return ""
	}
	return w
}

// isWord reports whether a folded word is an ordinary one of English or medicine,
// or in Spanish notes one of Spanish.
func (l *lists) isWord(folded string, inSpanish bool) bool {
	return l.ordinary[folded] || inSpanish && l.palabras[folded]
}

// invents reports whether a draw is an invented one.
func (d drawer) invents(try uint64, domain, value string) bool {
	return d.chance(domain+" is invented", value, try) < inventedShare
}

// models are the models of a set of lists, each learnt when it is first asked for.
type models struct {
	mu sync.RWMutex
	of map[string]*wordModel
}

// model returns that of a name, learnt from the words that learn's function
// returns; nil where these are too few to make others from.
func (m *models) model(name string, words func() []string) *wordModel {
	m.mu.RLock()
	l, ok := m.of[name]
	m.mu.RUnlock()
	if ok {
		return l
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, ok := m.of[name]; ok {
		return l
	}
	if m.of == nil {
		m.of = map[string]*wordModel{}
	}
	if all := words(); len(all) >= fewestLearnt {
		l = learn(all)
	}
	m.of[name] = l
	return l
}

// fewestLearnt is the least number of words that others are made from.
const fewestLearnt = 150

// nameModel returns the model of a class of names.
func (l *lists) nameModel(class string) *wordModel {
	return l.models.model(class, func() []string {
		kind, rest, _ := strings.Cut(class, " ")
		var words []string
		switch {
		case kind == "both", kind == "given" && strings.HasSuffix(rest, " ea"):
			// Words of two kinds, which an invented one is not known to be; and names of one
			// or two syllables, of which others would run together.
			return nil
		case kind == "either" && strings.HasPrefix(rest, spanish):
			// What no list knows; its sex is told by its end alone.
			sex := "m"
			if rest != spanish {
				sex = "f"
			}
			return slices.Concat(l.pools[class], l.pools["given "+sex+" es"], l.pools["both "+sex+" es"])
		case strings.HasSuffix(class, " "+spanish):
			words = slices.Clone(l.pools[class]) // with their accents
			if class == "family es" {            // many are called after towns
				for _, towns := range l.regions[spanish].small {
					words = append(words, towns...)
				}
			}
			return words
		case kind == "given":
			for w, c := range l.givenOf {
				if c == rest {
					words = append(words, w)
				}
			}
		case kind == "family":
			for w, c := range l.familyOf {
				if c == rest {
					words = append(words, w)
				}
			}
			if rest == "en" {
				words = slices.AppendSeq(words, maps.Keys(l.family))
			}
		default: // either: what is a given name and a family name
			words = slices.Clone(l.pools[class])
			for w, c := range l.givenOf {
				if (c == "u "+rest || c == "m "+rest || c == "f "+rest) && (l.familyOf[w] != "" || l.family[w]) {
					words = append(words, w)
				}
			}
		}
		return words // their order does not matter: they are counted
	})
}

// inventName returns an invented name of a class; "" where the draw is no good
// one. It is in no list of names of another class.
func (l *lists) inventName(class string, d drawer, try uint64, word string) string {
	m := l.nameModel(class)
	if m == nil {
		return ""
	}
	name := l.invented(m, d, try, class, word, isSpanish(class))
	f := fold(name)
	if name == "" || strings.HasPrefix(class, "given") && l.placeToo(f) || !m.usual(name, 3) ||
		l.ofOther(class, f) || !l.ofSex(class, strings.ToLower(name)) {
		return ""
	}
	if strings.HasPrefix(name, "Mc") && runes(name) > 4 {
		r := []rune(name)
		r[2] = unicode.ToUpper(r[2])
		name = string(r)
	}
	return name
}

// ofOther reports whether the lists have a folded word as a name of another class.
// A Spanish name may be one of another language too.
func (l *lists) ofOther(class, f string) bool {
	if isSpanish(class) {
		return strings.HasSuffix(l.givenOf[f], " "+spanish) && l.spanishClass(f) != class || l.familyOf[f] == spanish &&
			l.spanishClass(f) != class
	}
	return (l.givenOf[f] != "" || l.familyOf[f] != "" || l.family[f]) && l.classOf(f) != class
}

// widened returns a rarer or an invented name of a class; "" where it has none.
func (l *lists) widened(class string, d drawer, try uint64, word string) string {
	if l.closed[class] {
		return ""
	}
	if pool := l.rarer(class); len(pool) >= smallPool && d.chance("name is a rarer one", word, try) < widerShare {
		if name := pool[d.index(len(pool), try, "rarer name", word)]; !strings.HasPrefix(class, "given") || !l.placeToo(fold(name)) {
			return name
		}
	}
	for n := range uint64(inventions) {
		if name := l.inventName(class, d, inventions*try+n, word); name != "" {
			return name
		}
	}
	return ""
}

// placeToo reports whether a rarer given name reads as the place that it is too:
// "drives Tijuana to dialysis".
func (l *lists) placeToo(f string) bool {
	_, state := l.stateOf[f]
	return state || l.isTown(f) || l.words["abroad"][f]
}

// inventions is how often an invented name is tried for.
const inventions = 8

// addWider reads the names that are recognised and seldom drawn. Ordinary words
// are never.
func (l *lists) addWider() {
	l.wider = map[string][]string{}
	add := func(class, name string) {
		if f := fold(name); !l.ordinary[f] && runes(f) > 2 && l.classOf(f) == class {
			l.wider[class] = append(l.wider[class], name)
		}
	}
	read("known-given.txt", func(head, rest string) {
		for _, n := range strings.Fields(rest) {
			add("given "+head, n)
		}
	})
	read("known-family.txt", func(_, rest string) {
		for _, n := range strings.Fields(rest) {
			add(l.classOf(n), strings.ToUpper(n[:1])+n[1:])
		}
	})
}

// ofSex reports whether an invented given name reads as one of its class rather
// than as one of the other sex.
func (l *lists) ofSex(class, name string) bool {
	other := ""
	if rest, ok := strings.CutPrefix(class, "given f "); ok {
		other = "given m " + rest
	} else if rest, ok := strings.CutPrefix(class, "given m "); ok {
		other = "given f " + rest
	}
	if other == "" {
		return true
	}
	m := l.nameModel(other)
	return m == nil || l.nameModel(class).chance(name) > 4*m.chance(name)
}

// inventPlace returns an invented word for a town, a street or an institution of a
// list, "" where the draw says that it is to be a listed one, or is no good one.
func (l *lists) inventPlace(d drawer, list []string, name, domain, key string, fits func(string) bool) string {
	return l.inventFrom(func() []string { return list }, d, name, domain, key, false, fits)
}

func (l *lists) inventFrom(list func() []string, d drawer, name, domain, key string, inSpanish bool,
	fits func(string) bool) string {
	if l.closed[name] || !d.invents(0, domain, key) {
		return ""
	}
	m := l.models.model("place "+name, list)
	if m == nil {
		return ""
	}
	for try := range uint64(maxTries) {
		w := l.invented(m, d, try, domain, key, inSpanish)
		if f := fold(w); runes(w) > shortestInvented && m.usual(w, 4) && l.givenOf[f] == "" && !l.isTown(f) && fits(w) {
			return w
		}
	}
	return ""
}
