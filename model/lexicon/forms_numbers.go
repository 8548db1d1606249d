package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

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
