package surrogate

import "strings"

// A class says what kind of name a word is, by the lists alone and so the same
// in every note of every night: "given m es", a man's Spanish given name;
// "family sl", a Slavic family name; "both f en", a word that is as much a
// woman's given name as a family name, whose surrogates are words of both
// kinds too: "John Kelly" and "Kelly Jones" then agree without anyone knowing
// which of the two Kelly is where she stands alone.

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
	return "family " + guessOrigin(word)
}

// pool returns the names that a class draws from.
func (l *lists) pool(class string) []string {
	if p := l.pools[class]; len(p) >= smallPool {
		return p
	}
	parts := strings.Fields(class)
	if parts[0] == "family" {
		return l.pools["family en"]
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

// guessOrigin guesses the origin of a family name that no list has, by its
// longest telling end, else by how it begins.
func guessOrigin(word string) string {
	if len(word) < 5 {
		return "en"
	}
	for n := min(len(word)-1, 7); n >= 2; n-- {
		if o, ok := originOfEnd[word[len(word)-n:]]; ok {
			return o
		}
	}
	for n := 4; n >= 3; n-- {
		if o, ok := originOfStart[word[:n]]; ok {
			return o
		}
	}
	return "en"
}

var originOfEnd = byOrigin(map[string]string{
	"es": "arez erez irez orez urez anez enez inez onez guez quez ndez eros anza achea uerta eda illo",
	"sl": "ski ska sky cki cka czyk wicz ovic evic ovich evich enko chuk yuk lov nov rov tov sov kov dov vov ova lev nev sev tev eva cek",
	"it": "elli etti ucci acci ello etto ellino entino iano ardi aldi otti oni",
	"sa": "swamy swami murthy nathan jee walla preet gupta singh rajan krishnan deep kumar",
	"af": "nkwo kwu wande lade ngwe",
	"ar": "ullah uddin zadeh pour oglu",
	"nd": "qvist kvist strom lund gren sen nen dottir",
	"de": "stein berger mann meier baum bauer schmidt hoff hoffer wald",
	"fr": "eau eaux aux ette oux ois",
})

var originOfStart = byOrigin(map[string]string{
	"af": "oko oye ade olu nwa chuk mba nku ndl",
	"ar": "abd abu",
})

func byOrigin(parts map[string]string) map[string]string {
	m := map[string]string{}
	for origin, list := range parts {
		for _, p := range strings.Fields(list) {
			m[p] = origin
		}
	}
	return m
}
