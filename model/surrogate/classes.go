package surrogate

import "strings"

// A class says what kind of name a word is, by the lists and so the same in
// every note of every night, but for a sex that notes tell (sexes.go): "given m es", a man's Spanish given name;
// "family sl", a Slavic family name; "both f en", a word that is as much a
// woman's given name as a family name, whose surrogates are words of both
// kinds too: "John Kelly" and "Kelly Jones" then agree without anyone knowing
// which of the two Kelly is where she stands alone. A word that no list knows is
// "either en": it gets a name that is a given name of either sex and a family
// name, which reads well wherever the word stands, so that a rare given name
// never becomes a family name and the place of a word need not be known.

// smallPool is the size below which a class draws from a wider one.
const smallPool = 24

// addNames reads the lists of names. A ~ marks those that are recognised and
// never drawn: names of diseases and devices, and ordinary words.
func (l *lists) addNames() {
	collect := func(file string, of map[string]string) (names []string) {
		read(file, func(head, rest string) {
			for _, n := range strings.Fields(rest) {
				f := fold(strings.TrimPrefix(n, "~"))
				if _, ok := of[f]; !ok {
					of[f] = head
					names = append(names, n)
				}
			}
		})
		return names
	}
	givens, families := collect("given.txt", l.givenOf), collect("family.txt", l.familyOf)
	for f, class := range l.givenOf {
		l.western[f] = !strings.HasSuffix(class, " ea")
	}
	collect("known-given.txt", l.givenOf) // recognised and not drawn
	read("known-family.txt", func(_, rest string) {
		for _, n := range strings.Fields(rest) {
			l.family[n] = true
		}
	})
	read("either.txt", func(origin, rest string) {
		l.pools["either "+origin] = strings.Fields(rest)
	})
	add := func(n string) {
		if n[0] != '~' {
			c := l.classOf(fold(n))
			l.pools[c] = append(l.pools[c], n)
		}
	}
	for _, n := range givens {
		add(n)
	}
	for _, n := range families {
		if n[0] != '~' {
			l.names = append(l.names, n)
		}
		if l.givenOf[fold(strings.TrimPrefix(n, "~"))] == "" {
			add(n)
		}
	}
	read("es-names.txt", func(head, rest string) {
		class := "given " + head
		if head == spanish {
			class = "family es"
		}
		for _, n := range strings.Fields(rest) {
			l.pools[class] = append(l.pools[class], n)
			l.alsoSpanish[fold(n)] = class
		}
	})
}

// classOf returns the class of a folded word.
func (l *lists) classOf(word string) string {
	given, family := l.givenOf[word], l.familyOf[word]
	switch {
	case given != "" && family != "":
		return "both " + given
	case given != "":
		return "given " + given
	case family != "":
		return "family " + family
	}
	c := guessClass(word)
	if c == "either en" && l.family[word] {
		return "family en"
	}
	return c
}

// classOf returns the class of a folded word. One that the lists know as a
// family name alone, but that is the given name of people known of the patient,
// gets a name that may be either.
func (ps *people) classOf(word string) string {
	if ps.spanish {
		return ps.spanishClass(word)
	}
	c := ps.lists.classOf(word)
	if sex := ps.sexes[word]; sex != "" {
		return ofSex(c, sex)
	}
	if strings.HasPrefix(c, "family") && ps.givens[word] > ps.family[word] {
		return "either en"
	}
	return c
}

// pool returns the names that a class draws from.
func (l *lists) pool(class string) []string {
	if p := l.pools[class]; len(p) >= smallPool {
		return p
	}
	parts := strings.Fields(class)
	switch parts[0] {
	case "family":
		return l.pools["family en"]
	case "either":
		if strings.HasPrefix(parts[1], spanish) {
			return l.pools[class]
		}
		return l.pools["either en"]
	}
	sex := parts[1]
	if p := l.pools["given "+sex+" "+parts[2]]; parts[0] == "both" && len(p) >= smallPool && parts[2] != "en" {
		return p
	}
	if p := l.pools[parts[0]+" "+sex+" en"]; len(p) >= smallPool {
		return p
	}
	return l.pools["given f en"]
}

// guessClass guesses the class of a word that no list has, by its longest telling
// end: that of a family name, or of the given names of Sikhs, which both sexes bear.
func guessClass(word string) string {
	for n := min(len(word)-1, 7); n >= 2 && len(word) >= 5; n-- {
		if c, ok := classOfEnd[word[len(word)-n:]]; ok {
			return c
		}
	}
	return "either en"
}

var classOfEnd = ends(map[string]string{
	"family es": "arez erez irez orez urez anez enez inez onez guez quez ndez eros anza achea uerta eda illo",
	"family sl": "ski ska sky cki cka czyk wicz ovic evic ovich evich enko chuk yuk lov nov rov tov sov kov dov vov ova lev nev sev tev " +
		"eva cek",
	"family it":  "elli etti ucci acci ello etto ellino entino iano ardi aldi otti oni",
	"family sa":  "swamy swami murthy nathan jee walla gupta singh rajan krishnan",
	"given u sa": "preet deep winder jinder",
	"family af":  "nkwo kwu wande lade ngwe",
	"family ar":  "uddin zadeh pour oglu",
	"family nd":  "qvist kvist strom lund gren sen dottir",
	"family de":  "stein berger mann meier baum bauer schmidt hoff hoffer wald",
	"family fr":  "eau eaux aux oux ois",
})

func ends(parts map[string]string) map[string]string {
	m := map[string]string{}
	for class, list := range parts {
		for _, p := range strings.Fields(list) {
			m[p] = class
		}
	}
	return m
}
