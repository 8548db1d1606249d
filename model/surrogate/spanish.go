package surrogate

import (
	"maps"
	"slices"
	"strings"
)

// Spanish notes get Spanish surrogates throughout: names of Spain and Latin
// America by sex, towns whose province is that of the postcode, streets with
// their kind, telephones of the province, and numbers of the registers with
// letters and digits that are wrong on purpose. The patient's country stays.

func (p *Patient) spanish() bool { return p.opts.Language == spanish }

// listed returns the key of a list in the language of the notes.
func (p *Patient) listed(list string) string {
	if p.spanish() {
		return list + " es"
	}
	return list
}

// spanishClass returns the class of a folded word of a name.
func (l *lists) spanishClass(word string) string {
	given, family := l.givenOf[word], l.familyOf[word]
	sex, _, _ := strings.Cut(given, " ")
	switch {
	case l.alsoSpanish[word] != "":
		return l.alsoSpanish[word]
	case given == "" && family != "" || given == "" && strings.HasPrefix(guessClass(word), "family es"):
		return "family es"
	case given == "" || sex == "u":
		return "either es"
	case family != "":
		return "both " + sex + " es"
	}
	return "given " + sex + " es"
}

// spanishClass returns the class of a folded word of a name. A word that no list
// knows is a given name where it begins names of three words and more, a family
// name where it ends names, and may be either elsewhere; its end tells the sex.
func (ps *people) spanishClass(word string) string {
	c := ps.lists.spanishClass(word)
	if c != "either es" {
		return c
	}
	if sex := ps.sexes[word]; sex != "" {
		return ofSex(c, sex)
	}
	woman := strings.HasSuffix(word, "a")
	switch {
	case ps.firsts[word] > ps.family[word] && woman:
		return "given f es"
	case ps.firsts[word] > ps.family[word]:
		return "given m es"
	case ps.family[word] > 0:
		return "family es"
	case woman:
		return "either es-f"
	}
	return c
}

// spanishTitles come before names.
var spanishTitles = map[string]bool{"d": true, "dn": true, "da": true, "dna": true, "don": true, "dona": true, "fdo": true}

// spanishParticles join the words of names, in capitals too ("De Miguel Rivera").
var spanishParticles = map[string]bool{"de": true, "del": true, "la": true, "las": true, "los": true, "y": true, "e": true, "i": true,
	"do": true, "da": true}

// like is like, but that in Spanish a name without accents does not say that they
// are left out, as most names have none: a word in capitals does, and one that the
// lists have with an accent.
func (p *Patient) like(surrogate, original string) string {
	if !p.spanish() || !ascii(original) || p.lists.accented[fold(original)] || original == strings.ToUpper(original) {
		return like(surrogate, original)
	}
	return inCase(surrogate, original)
}

// addAccented enters the names and towns of the Spanish lists that have an accent.
func (l *lists) addAccented() {
	add := func(names []string) {
		for _, n := range names {
			if !ascii(n) {
				l.accented[fold(n)] = true
			}
		}
	}
	for class, names := range l.pools {
		if isSpanish(class) {
			add(names)
		}
	}
	for _, towns := range []map[string][]string{l.regions[spanish].towns, l.regions[spanish].small} {
		for _, names := range towns {
			add(names)
		}
	}
	add(l.places["country es"])
}

// dropArticles leaves "de" alone of "de la" and "del" before a word of the name,
// since not every name takes an article: De la Fuente becomes De Lucas.
func (n parsedName) dropArticles() {
	is := func(i int, words ...string) bool { return i >= 0 && slices.Contains(words, fold(n.pieces[i].text)) }
	for _, w := range n.parts {
		switch i := w.piece; {
		case is(i-2, "la", "las", "los", "lo", "el") && is(i-4, "de"):
			n.pieces[i-2].text, n.pieces[i-1].text = "", ""
		case is(i-2, "del"):
			n.pieces[i-2].text = n.pieces[i-2].text[:2]
		}
	}
}

// dropArticles takes the particles off that a phrase ends in, behind another word.
func dropArticles(b *strings.Builder) {
	s := b.String()
	for {
		head := strings.TrimSuffix(s, " ")
		i := strings.LastIndexByte(head, ' ')
		if head == s || i < 0 || !spanishParticles[fold(head[i+1:])] {
			break
		}
		s = s[:i+1]
	}
	if s != b.String() {
		b.Reset()
		b.WriteString(s)
	}
}

// college returns the number under which a doctor is registered, which begins
// with the code of a province, often twice: "28 28 20943"; "" for other numbers.
func (p *Patient) college(d drawer, s string) string {
	pieces := cut(s)
	if len(pieces) < 3 || pieces[0].kind != digitPiece || pieces[2].kind != digitPiece || pieces[0].text != pieces[2].text ||
		len(p.lists.regions["es"].towns[pieces[0].text]) == 0 {
		return ""
	}
	to := p.regionFor(d, "es", pieces[0].text)
	out := to + pieces[1].text + to
	if rest := s[len(out):]; rest != "" {
		out += d.class("code", rest)
	}
	return out
}

// nation returns the folded name of the country in Spanish where the patient
// lives: Spain, but where one other country is named and Spain is not.
func (p *Patient) nation() string {
	if len(p.countries) == 1 {
		for c := range p.countries {
			return c
		}
	}
	if len(p.countries) == 0 || p.countries["espana"] {
		return "espana"
	}
	return ""
}

// province returns the code of the province of Spain that a postcode begins
// with, "" for none.
func (l *lists) province(digits string) string {
	if len(digits) != 5 || len(l.regions["es"].towns[digits[:2]]) == 0 {
		return ""
	}
	return digits[:2]
}

// spanishZIP returns a postcode of the province that stands for its own.
func (p *Patient) spanishZIP(d drawer, digits string) string {
	rest := d.substitute("postcode", digits)
	return p.regionFor(d, "es", digits[:2]) + string(rest[2:])
}

// spanishNumber returns nine digits of a telephone of Spain: a mobile for a
// mobile, else one of the province that stands for the number's own.
func (p *Patient) spanishNumber(d drawer, try uint64, n string) string {
	digits := d.stream(try, "phone", n)
	if n[0] == '6' || n[0] == '7' {
		return n[:1] + string(digits[1:])
	}
	region, best := "", 0
	if at := p.at(); at.country == "es" && at.region != "" && at.region[0] <= '9' {
		region = at.region
	}
	for _, key := range slices.Sorted(maps.Keys(p.lists.areas)) {
		code, ok := strings.CutPrefix(key, "es ")
		for _, a := range p.lists.areas[key] {
			if ok && len(a) > best && strings.HasPrefix(n, a) {
				region, best = code, len(a)
			}
		}
	}
	if region == "" {
		region = n[:2]
	}
	codes := p.lists.areas["es "+p.regionFor(d, "es", region)]
	if len(codes) == 0 {
		return n[:1] + string(digits[1:])
	}
	code := codes[d.index(len(codes), 0, "area code", n[:3])]
	return code + string(digits[len(code):])
}

// The control letters of Spanish identity numbers, by the number modulo 23.
const dniLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

// dniCheck returns the control letter of a DNI or NIE of nine characters, 0 for
// anything else.
func dniCheck(s string) byte {
	if len(s) != 9 || s[8] < 'A' || s[8] > 'Z' {
		return 0
	}
	n := 0
	for i := range 8 {
		c := s[i]
		if i == 0 && c >= 'X' && c <= 'Z' {
			c = '0' + c - 'X'
		}
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return dniLetters[n%23]
}

// dni returns an identity number whose letter is wrong; the X, Y or Z of an NIE
// stays one.
func (d drawer) dni(plain string) []byte {
	out := d.substitute("code", plain)
	if plain[0] >= 'X' {
		out[0] = 'X' + out[0]%3
	}
	for right := dniCheck(string(out)); out[8] == right || out[8] == plain[8]; {
		if out[8]++; out[8] > 'Z' {
			out[8] = 'A'
		}
	}
	return out
}

// nass returns a number of the Spanish social security whose two control digits
// are not the ten before them modulo 97. It keeps to provinces that exist.
func (d drawer) nass(plain string) []byte {
	out := d.substitute("code", plain)
	n := 0
	province := d.index(50, 0, "nass province", plain)
	out[0], out[1] = '0'+byte((province+1)/10), '0'+byte((province+1)%10)
	for _, c := range out[:10] {
		n = (10*n + int(c-'0')) % 97
	}
	if control := 10*int(out[10]-'0') + int(out[11]-'0'); control == n {
		out[11] = '0' + (out[11]-'0'+1)%10
	}
	return out
}

// nass replaces twelve digits of a Spanish note that begin with a province's, whether
// their control digits are right or the writer erred; "" for anything else.
func (p *Patient) nass(d drawer, s string) string {
	from := labelEnd(s)
	plain := alnum(s[from:])
	if !p.spanish() || len(plain) != 12 || strings.Trim(plain, "0123456789") != "" || plain[:2] < "01" || plain[:2] > "53" {
		return ""
	}
	return s[:from] + spread(s[from:], d.nass(plain))
}

// nassCheck reports whether the last two of twelve digits are the others modulo 97.
func nassCheck(s string) bool {
	n := 0
	for _, c := range s[:10] {
		n = (10*n + int(c-'0')) % 97
	}
	return n == 10*int(s[10]-'0')+int(s[11]-'0')
}
