package lexicon

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// enterName adds every form that a known name may take.
func (l *Lexicon) enterName(s Surface) {
	p := names.ParseName(s.Text)
	e := entry{s.Type, s.Tagger, nothing}
	family := strings.Join(p.Family, " ")
	words := len(p.Given) + len(p.Family)
	if words == 0 {
		return
	}
	if words > 1 {
		l.addSpaced(s.Text, e)
		l.fullNames(p.Given, family, e)
	}
	for i, w := range p.Given {
		l.part(w, e)
		if f := names.FirstLetter(w); f >= 0 {
			l.initial[f] = true
		}
		if i > 0 && len(p.Given) > 2 {
			continue
		}
		for _, nick := range names.Nicknames()[names.Fold(w)] {
			l.addSpaced(nick, entry{e.typ, e.tagger, max(capital, needOf(nick))})
			l.addSpaced(nick+" "+family, entry{e.typ, e.tagger, capital})
			l.addSpaced(family+" "+nick, entry{e.typ, e.tagger, capital})
		}
	}
	particle := len(p.Family) > 1 && names.Has(names.Idle, p.Family[0])
	if particle {
		l.addSpaced(family, entry{e.typ, e.tagger, max(needOf(family), letters)})
		l.addSpaced(strings.Join(p.Family, ""), e) // "delacruz"
	}
	for _, w := range p.Family {
		if names.Has(names.Idle, w) && len(p.Family) > 1 {
			continue
		}
		x := e
		if particle {
			x.need = capital
		}
		l.part(w, x)
		if utf8.RuneCountInString(w) >= 5 && needOf(w) == nothing {
			l.addSpaced(w+"s", entry{e.typ, e.tagger, capital}) // the Okonkwos
		}
	}
	l.initials(p, e)
}

// fullNames adds the orders of a name, with given names whole and as initials.
func (l *Lexicon) fullNames(given []string, family string, e entry) {
	if len(given) == 0 {
		return
	}
	e.need = letters
	short := make([]string, len(given))
	for i, g := range given {
		short[i] = names.Initial(g)
	}
	forms := []string{given[0], short[0]}
	if len(given) > 1 {
		forms = append(forms, given[0]+" "+given[1], given[0]+" "+short[1], short[0]+" "+short[1], short[0]+" "+given[1], short[0]+short[1])
	}
	if len(given) > 2 {
		forms = append(forms, strings.Join(given, " "), strings.Join(short, " "), strings.Join(short, ""))
	}
	families := []string{family}
	if halves := strings.FieldsFunc(family, func(r rune) bool { return r == '-' }); len(halves) > 1 {
		families = append(families, halves...)
	}
	for _, f := range families {
		for _, g := range forms {
			l.addSpaced(g+" "+f, e)
			l.addSpaced(f+" "+g, e)
		}
	}
}

// part adds one word of a name: "Okonkwo-Hale" whole and in two, "O'Brien"
// with and without its apostrophe, "McDonald" in one word and in two, "Müller"
// as Mueller too.
func (l *Lexicon) part(w string, e entry) {
	need := max(e.need, needOf(w))
	l.addSpaced(w, entry{e.typ, e.tagger, need})
	if strings.ContainsAny(w, "'’-") {
		l.addSpaced(unmarked.Replace(w), entry{e.typ, e.tagger, max(need, capital)})
	}
	if !names.IsASCII(w) {
		if spelt := umlauts.Replace(w); spelt != w {
			l.addSpaced(spelt, e)
		}
	}
	if f := names.Fold(w); len(w) > 4 && strings.HasPrefix(f, "mc") {
		l.addSpaced(w[:2]+" "+w[2:], entry{e.typ, e.tagger, need})
	} else if len(w) > 5 && strings.HasPrefix(f, "mac") && w[3] >= 'A' && w[3] <= 'Z' {
		l.addSpaced(w[:3]+" "+w[3:], entry{e.typ, e.tagger, need})
	}
	pieces := strings.FieldsFunc(w, func(r rune) bool { return r == '-' || r == '\'' || r == '’' })
	for _, p := range pieces {
		f := names.Fold(p)
		n := utf8.RuneCountInString(p)
		if n < 3 && len(pieces) > 1 || names.Idle[f] {
			continue
		}
		if len(pieces) > 1 {
			l.addSpaced(p, entry{e.typ, e.tagger, max(need, needOf(p), letters)})
		}
		if n >= 3 {
			l.names.add(f, entry{e.typ, e.tagger, max(need, needOf(p))})
		}
	}
}

var unmarked = strings.NewReplacer("'", "", "’", "", "-", "")

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")

// initials adds "A.K.F." for three names, and "A.F." for two.
func (l *Lexicon) initials(p names.PersonName, e entry) {
	if e.typ == phi.Doctor {
		l.signatures(p, e)
	}
	var b, plain strings.Builder
	for _, w := range p.Words() {
		b.WriteString(names.Initial(w) + ".")
		plain.WriteString(names.Fold(names.Initial(w)))
	}
	if n := utf8.RuneCountInString(plain.String()); n < 2 || n > 4 || names.Abbreviations[plain.String()] {
		return
	}
	e.need = initialed
	l.addSpaced(b.String(), e)
}

// enterStreet adds the first line of an address whole, without its number,
// and its number with the street's name; and with the type of street short or
// long.
func (l *Lexicon) enterStreet(s Surface) {
	e := entry{s.Type, s.Tagger, nothing}
	words := names.WordsOf(s.Text)
	if len(words) == 0 {
		return
	}
	last := strings.Trim(names.Fold(words[len(words)-1]), ".")
	switch {
	case strings.ContainsAny(s.Text, "0123456789") || streetTypes[last] != nil:
	case allCommon(words):
		e.need = ordinary // "The Old House"
	case len(words) == 1:
		e.need = capital // "Hillcrest"
	}
	l.addSpaced(s.Text, e)
	if len(words) < 2 {
		return
	}
	for _, other := range streetTypes[last] {
		l.addSpaced(strings.Join(words[:len(words)-1], " ")+" "+other, e)
	}
	number := strings.ContainsAny(words[0], "0123456789")
	if !number {
		return
	}
	name := words[1:]
	if len(name) > 1 {
		without := entry{s.Type, s.Tagger, capital}
		l.addSpaced(strings.Join(name, " "), without)
		for _, other := range streetTypes[last] {
			l.addSpaced(strings.Join(name[:len(name)-1], " ")+" "+other, without)
		}
		if streetTypes[last] != nil {
			l.addSpaced(strings.Join(words[:len(words)-1], " "), e)
		}
	}
}

var streetTypes = func() map[string][]string {
	m := map[string][]string{}
	for _, group := range []string{"street st str", "avenue ave av", "road rd", "drive dr", "lane ln", "boulevard blvd", "court ct",
		"place pl", "square sq", "terrace ter terr", "highway hwy", "parkway pkwy", "circle cir", "crescent cres", "close cl", "calle c"} {
		forms := strings.Fields(group)
		for _, a := range forms {
			for _, b := range forms {
				if a != b {
					m[a] = append(m[a], b)
				}
			}
		}
	}
	return m
}()

// enterEmail adds an address, and its local part where that is no plain word.
func (l *Lexicon) enterEmail(s Surface) {
	e := entry{s.Type, s.Tagger, nothing}
	l.addSpaced(s.Text, e)
	if local, _, ok := strings.Cut(s.Text, "@"); ok && s.Tagger == phi.Known && len(local) >= 5 &&
		strings.ContainsAny(local, "._-0123456789") {
		l.addSpaced(local, entry{phi.Username, s.Tagger, nothing})
	}
}
