package dates

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Language is that of the words of a date.
type Language uint8

// The languages. A date whose words belong to one language alone is read and
// printed in it; the reference decides for those that both share ("4 mar 14").
const (
	English Language = iota
	Spanish
	numLanguages
)

// word is what a word of a date means.
type word struct {
	kind   atomKind // 0: no part that a shift may change
	val    int
	lang   uint8 // languages that know the word, as bits; 0 for all
	join   byte  // between two dates: gapRange or gapList
	soft   bool  // around and between the parts of a date; printed as it is
	number bool  // may begin a number in words
	counts byte  // 'd': a number before it counts days; 'w': that or an ordinal counts weeks or more
	years  bool  // makes the 90 behind it a decade: "años 90"
}

const (
	inEnglish = 1 << English
	inSpanish = 1 << Spanish
)

// names holds what a language calls months, weekdays, seasons and decades, in
// lower case.
type names struct {
	months   [13]string
	weekdays [7]string // from Sunday
	seasons  [4]string // winter, spring, summer, fall
	decades  [10]string
	plural   string // that a weekday may end in
}

var languageNames = [numLanguages]names{
	English: {
		months: [13]string{"", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
			"december"},
		weekdays: [7]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"},
		seasons:  [4]string{"winter", "spring", "summer", "fall"},
		decades: [10]string{2: "twenties", 3: "thirties", 4: "forties", 5: "fifties", 6: "sixties", 7: "seventies", 8: "eighties",
			9: "nineties"},
		plural: "s",
	},
	Spanish: {
		months: [13]string{"", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
			"diciembre"},
		weekdays: [7]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"},
		seasons:  [4]string{"invierno", "primavera", "verano", "otoño"},
		decades:  [10]string{2: "veinte", 3: "treinta", 4: "cuarenta", 5: "cincuenta", 6: "sesenta", 7: "setenta", 8: "ochenta", 9: "noventa"},
	},
}

// vocabulary maps lower-case words to what they mean.
var vocabulary = func() map[string]word {
	m := map[string]word{}
	add := func(lang uint8, kind atomKind, val int, list ...string) {
		for _, n := range list {
			w := m[n]
			if w.kind != 0 && w.kind != kind {
				continue // "mar" stays the month
			}
			w.kind, w.val, w.lang = kind, val, w.lang|lang
			m[n] = w
		}
	}
	for lang := range numLanguages {
		bit := uint8(1) << lang
		for i, n := range languageNames[lang].months[1:] {
			add(bit, atomMonth, i+1, n, n[:3])
		}
		for i, n := range languageNames[lang].weekdays {
			add(bit, atomWeekday, i, n, prefix(n, 3))
		}
		for i, n := range languageNames[lang].seasons {
			add(bit, atomSeason, i, n)
		}
	}
	add(inEnglish, atomMonth, 9, "sept")
	add(inEnglish, atomMonth, 2, "febr")
	add(inSpanish, atomMonth, 9, "sept", "set", "setiembre")
	for i, n := range languageNames[English].weekdays {
		add(inEnglish, atomWeekday, i, n+"s", n[:2])
	}
	for n, i := range map[string]int{"tues": 2, "weds": 3, "thur": 4, "thurs": 4} {
		add(inEnglish, atomWeekday, i, n)
	}
	add(inSpanish, atomWeekday, 0, "domingos")
	add(inSpanish, atomWeekday, 3, "miercoles", "mie")
	add(inSpanish, atomWeekday, 6, "sabado", "sábados", "sabados", "sab")
	add(inEnglish, atomSeason, 3, "autumn", "autumns") // "falls" are something else
	add(inEnglish, atomSeason, 0, "winters")
	add(inEnglish, atomSeason, 2, "summers")
	add(inSpanish, atomSeason, 3, "otono")
	for i := 2; i < 10; i++ {
		add(inEnglish, atomDecade, 10*i, languageNames[English].decades[i])
	}
	for i := 4; i < 10; i++ { // veinte and treinta are days too
		add(inSpanish, atomDecade, 10*i, languageNames[Spanish].decades[i])
	}
	for lang := range numLanguages { // whole numbers are read by spelled
		for _, n := range numberStarts[lang] {
			w := m[n]
			w.number = true
			w.lang |= 1 << lang
			m[n] = w
		}
	}
	note := func(lang uint8, list string) {
		for _, n := range strings.Fields(list) {
			w := m[n]
			w.soft, w.lang = true, w.lang|lang
			m[n] = w
		}
	}
	note(inEnglish, `the of in on at early late mid about around circa ca approx approximately since from by before after
		between during week month year beginning start middle end dob date born weekend season holiday holidays break last
		next this past previous day night morning evening afternoon decade noon midnight fy cy`)
	note(inSpanish, `de del el la los las en desde antes después despues principios principio mediados finales fines final
		año años ano anos década decada mes día dia días dias noche mañana tarde semana pasado pasada próximo proximo
		próxima proxima nacido nacida fecha nac entre durante hacia sobre este esta`)
	for _, n := range []string{"años", "anos", "década", "decada"} {
		w := m[n]
		w.years = true
		m[n] = w
	}
	for unit, list := range map[byte]string{'d': "day night día dia días dias noche",
		'w': "week weekend month year decade semana mes año años ano anos"} {
		for _, n := range strings.Fields(list) {
			w := m[n]
			w.counts = unit
			m[n] = w
		}
	}
	join := func(lang uint8, class byte, list string) {
		for _, n := range strings.Fields(list) {
			w := m[n]
			w.join, w.lang = class, w.lang|lang
			m[n] = w
		}
	}
	join(inEnglish, gapRange, "to thru through until till til")
	join(inEnglish, gapList, "and or")
	join(inSpanish, gapRange, "a al hasta")
	join(inSpanish, gapList, "y e o")
	return m
}()

// letterEnd returns where the word at s[i] ends: ASCII letters and those of
// other scripts.
func letterEnd(s string, i int) int {
	for i < len(s) {
		if letterAt(s, i) {
			i++
			continue
		}
		if s[i] < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) || r == 'º' || r == 'ª' || r == utf8.RuneError {
			break
		}
		i += size
	}
	return i
}

// lookUp finds a word without regard to case. Long ones are none of ours.
func lookUp(s string) (word, bool) {
	var buf [32]byte
	if len(s) > len(buf) {
		return word{}, false
	}
	n := copy(buf[:], s)
	for i, c := range buf[:n] {
		switch {
		case c >= 'A' && c <= 'Z':
			buf[i] = c | 0x20
		case c == 0xC3 && i+1 < n && buf[i+1] >= 0x80 && buf[i+1] <= 0x9E: // À-Þ
			buf[i+1] += 0x20
		}
	}
	w, ok := vocabulary[string(buf[:n])]
	return w, ok
}

// prefix returns the first n letters of s.
func prefix(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// letterCase is how a word is written.
type letterCase uint8

const (
	titleCase letterCase = iota
	lowerCase
	upperCase
	titleWords // Twenty-First
)

func caseOf(s string) letterCase {
	upper, lower := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
	}
	switch {
	case upper == 0:
		return lowerCase
	case lower == 0 && len(s) > 1:
		return upperCase
	}
	for i := 1; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' && (s[i-1] == ' ' || s[i-1] == '-') {
			return titleWords
		}
	}
	return titleCase
}

// in writes a lower-case word that begins with an ASCII letter in a case.
func (c letterCase) in(w string) string {
	switch {
	case w == "" || c == lowerCase:
	case c == upperCase:
		return strings.ToUpper(w)
	case c == titleWords:
		b := []byte(w)
		for i := range b {
			if (i == 0 || b[i-1] == ' ' || b[i-1] == '-') && b[i] >= 'a' && b[i] <= 'z' {
				b[i] -= 0x20
			}
		}
		return string(b)
	case letterAt(w, 0):
		return string(w[0]&^0x20) + w[1:]
	}
	return w
}

// OrdinalSuffix returns "st", "nd", "rd" or "th".
func OrdinalSuffix(n int) string {
	if n%100 >= 11 && n%100 <= 13 {
		return "th"
	}
	switch n % 10 {
	case 1:
		return "st"
	case 2:
		return "nd"
	case 3:
		return "rd"
	}
	return "th"
}

// pad writes n with at least width digits.
func pad(n, width int) string {
	if n >= 0 && n < 100 && width <= 2 {
		const two = "000102030405060708091011121314151617181920212223242526272829303132333435363738394041424344454647484950515253545556575859" +
			"60616263646566676869707172737475767778798081828384858687888990919293949596979899"
		if width == 2 || n >= 10 {
			return two[2*n : 2*n+2]
		}
		return two[2*n+1 : 2*n+2]
	}
	s := strconv.Itoa(n)
	if len(s) < width {
		s = strings.Repeat("0", width-len(s)) + s
	}
	return s
}
