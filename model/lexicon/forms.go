package lexicon

import (
	"strings"
	"unicode"
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

// enterPhone adds a number in any punctuation, with and without the code of
// its country and its extension. Of a known one neither a label nor a remark counts:
// "H: 617-555-0123", "617-555-0123 x45 (work)".
func (l *Lexicon) enterPhone(s Surface) {
	e := entry{s.Type, s.Tagger, nothing}
	all, digits := CompactForm(s.Text)
	switch {
	case digits != len(all), digits < minDigits && s.Tagger != phi.Known:
		l.addSpaced(s.Text, e)
	case digits < minDigits:
		e.need = label
		l.addCompact(all, e)
	default:
		l.addCompact(all, e)
	}
	if s.Tagger != phi.Known {
		return
	}
	for _, n := range PhoneNumbers(s.Text) {
		l.enterDigits(n, e)
		if n.Extension != "" {
			for _, mark := range []string{"", "x", "ext", "extn", "extension"} {
				l.addCompact(n.Digits+mark+n.Extension, e)
			}
		}
	}
}

// enterDigits adds a known number as it is dialled at home and from abroad.
// Nothing says how long the code of its country is.
func (l *Lexicon) enterDigits(n PhoneNumber, e entry) {
	all := n.Digits
	l.addCompact(all, e)
	switch {
	case len(all) == 11 && all[0] == '1':
		l.addCompact(all[1:], e)
		l.addCompact(all[4:], e)
	case n.Abroad:
		for code := 1; code <= maxCountry; code++ {
			local := strings.TrimLeft(all[code:], "0") // "+44 (0)20 7946 0123"
			if len(local) < minDigits {
				break
			}
			l.addCompact(local, e)
			l.addCompact("0"+local, e)
			l.addCompact(all[:code]+local, e)
		}
	case len(all) == 10:
		l.addCompact("1"+all, e)
		l.addCompact(all[3:], e)
	}
	if all[0] == '0' && len(all) > minDigits {
		l.addCompact(all[1:], e)
	}
}

// maxCountry is the most digits of a country's telephone code.
const maxCountry = 3

// PhoneNumber is one telephone number of a field.
type PhoneNumber struct {
	Digits    string
	Extension string // digits
	Abroad    bool   // it begins with the code of a country
}

// PhoneNumbers returns the numbers of seven digits and more in a field that may
// hold labels, extensions and remarks besides. What is spelt in letters
// ("555-HELP") is none.
func PhoneNumbers(field string) (all []PhoneNumber) {
	for rest := field; ; {
		start := strings.IndexAny(rest, "+0123456789")
		if start < 0 {
			return all
		}
		s := rest[start:]
		end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune("#,;", r) })
		if end < 0 {
			end = len(s)
		}
		s, rest = s[:end], s[end:]
		n := PhoneNumber{Extension: extension(rest), Abroad: s[0] == '+'}
		number, digits := CompactForm(s)
		apart := rest == "" || n.Extension != "" || strings.ContainsAny(rest[:1], "#,;") || strings.ContainsAny(s[len(s)-1:], " (/[")
		if digits < minDigits || digits != len(number) || !apart {
			continue
		}
		if n.Digits = number; strings.HasPrefix(number, "00") && digits > minDigits+2 {
			n.Digits, n.Abroad = number[2:], true
		}
		all = append(all, n)
	}
}

// extension returns the digits of the extension that s begins with, if it does.
func extension(s string) string {
	s = strings.TrimLeft(s, " ,;")
	for _, mark := range []string{"extension", "extn", "ext", "x", "#"} {
		if len(s) > len(mark) && strings.EqualFold(s[:len(mark)], mark) {
			s = strings.TrimLeft(s[len(mark):], " .:")
			return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
		}
	}
	return ""
}

// enterSSN adds a number in any punctuation, and its last four digits where a
// label says what they are.
func (l *Lexicon) enterSSN(s Surface) {
	all, digits := CompactForm(s.Text)
	if digits < minDigits {
		l.enterNumber(s)
		return
	}
	l.addCompact(all, entry{s.Type, s.Tagger, nothing})
	if digits == 9 && len(all) == 9 && s.Tagger == phi.Known {
		l.addCompact(all[5:], entry{s.Type, s.Tagger, ssnLabel})
	}
}

// enterNumber adds an identifier in any punctuation. A short one asks for a
// label: see Usable.
func (l *Lexicon) enterNumber(s Surface) {
	all, digits := CompactForm(s.Text)
	e := entry{s.Type, s.Tagger, numberNeed(s.Type, all, digits)}
	if e.need == titled {
		return
	}
	if digits == 0 || len(all) > maxCompact {
		l.addSpaced(s.Text, entry{s.Type, s.Tagger, max(e.need, capital)})
		return
	}
	l.addCompact(all, e)
	if bare := strings.TrimLeft(all, "0"); s.Tagger == phi.Known && digits == len(all) && len(bare) >= minNumber && len(bare) < len(all) {
		l.addCompact(bare, e)
	}
	if s.Type == phi.ZIP && digits == zipPlus4 && len(all) == zipPlus4 {
		l.addCompact(all[:zipDigits], entry{s.Type, s.Tagger, quantity})
	}
}

const (
	zipDigits = 5
	zipPlus4  = 9 // digits of "98225-1234"
)

const (
	minDigits = 7 // of a telephone number
	minNumber = 6 // digits of an identifier that needs no label
)

// numberNeed returns what an identifier asks of where it stands; cue means
// that it is never looked for.
func numberNeed(t phi.Type, all string, digits int) need {
	switch n := len(all); {
	case n < 3:
		return titled
	case n < 5:
		return label
	case digits == n && n < minNumber:
		return quantity
	case digits == 0:
		if t == phi.Username && n >= 5 {
			return nothing
		}
		if names.Common[all] {
			return label
		}
		return capital
	}
	return nothing
}

// Usable reports whether a known identifier is swept for at all, with or
// without a label: a record number of two digits would eat doses, a name of
// one letter everything.
func Usable(t phi.Type, text string) bool {
	switch t {
	case phi.Patient, phi.Doctor:
		p := names.ParseName(text)
		for _, w := range append(p.Given, p.Family...) {
			if utf8.RuneCountInString(w) >= 2 {
				return true
			}
		}
		return false
	case phi.Date:
		return len(parseBirth(text)) > 0
	case phi.Email, phi.Street, phi.City:
		return utf8.RuneCountInString(text) >= 3
	}
	all, digits := CompactForm(text)
	return numberNeed(t, all, digits) != titled
}
