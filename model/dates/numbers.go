package dates

import "strings"

// Numbers in words: days ("the twenty-first", "primero") and years ("nineteen
// ninety-four", "two thousand and nine", "dos mil catorce").

var englishOnes = [20]string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
	"twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}

var englishTens = [10]string{2: "twenty", 3: "thirty", 4: "forty", 5: "fifty", 6: "sixty", 7: "seventy", 8: "eighty", 9: "ninety"}

var englishOrdinals = [20]string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
	"tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"}

var spanishOnes = [30]string{"", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once",
	"doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno",
	"veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve"}

var spanishTens = [10]string{3: "treinta", 4: "cuarenta", 5: "cincuenta", 6: "sesenta", 7: "setenta", 8: "ochenta", 9: "noventa"}

// numberStarts are the words that a spelled day or year may begin with.
var numberStarts = func() (out [numLanguages][]string) {
	out[English] = append([]string{"twenty", "thirty", "twentieth", "thirtieth", "two", "eighteen", "nineteen"}, englishOrdinals[1:]...)
	out[Spanish] = append([]string{"primero", "primer", "segundo", "tercer", "treinta", "mil", "dieciseis", "veintidos", "veintitres",
		"veintiseis"}, spanishOnes[1:]...)
	return out
}()

// valueOf maps the words of numbers to their values. Ordinals are in
// ordinalOf.
var valueOf, ordinalOf = func() (map[string]int, map[string]int) {
	v, o := map[string]int{}, map[string]int{"twentieth": 20, "thirtieth": 30, "primero": 1, "primer": 1, "segundo": 2, "tercer": 3}
	for i := 1; i < 20; i++ {
		v[englishOnes[i]], o[englishOrdinals[i]] = i, i
	}
	for i := 2; i < 10; i++ {
		v[englishTens[i]] = 10 * i
	}
	for i := 1; i < 30; i++ {
		v[spanishOnes[i]] = i
	}
	for i := 3; i < 10; i++ {
		v[spanishTens[i]] = 10 * i
	}
	v["dieciseis"], v["veintidos"], v["veintitres"], v["veintiseis"] = 16, 22, 23, 26
	return v, o
}()

// NumberWord returns the value of one word of a number, in lower case and without
// accents: "ochenta", "twelve"; 0 for any other.
func NumberWord(word string) int { return valueOf[word] }

// spelling is how a number in words is joined.
type spelling struct {
	thousand bool   // two thousand fourteen, not twenty fourteen
	and      bool   // two thousand and nine
	oh       bool   // twenty oh nine
	pair     string // between nineteen and ninety
	tens     string // between ninety and four
}

// wordAt returns the word at s[i] in lower case, and where it ends.
func wordAt(s string, i int) (string, int) {
	end := letterEnd(s, i)
	return strings.ToLower(s[i:end]), end
}

// nextWord returns the word behind s[i:], what separates it (one blank or
// hyphen), and where it ends. The word is empty where there is none.
func nextWord(s string, i int) (w, separator string, end int) {
	if i < len(s) && (s[i] == ' ' || s[i] == '-') {
		if w, end = wordAt(s, i+1); w != "" {
			return w, s[i : i+1], end
		}
	}
	return "", "", i
}

// below100 reads a number from 1 to 99 at the word w that ends at end.
func below100(s, w string, end int, sp *spelling) (int, int, bool) {
	v := valueOf[w]
	if v >= 20 && v%10 == 0 {
		next, separator, e := nextWord(s, end)
		if one := valueOf[next]; one >= 1 && one <= 9 {
			sp.tens = separator
			return v + one, e, true
		}
		if next == "y" { // treinta y uno
			if last, _, e := nextWord(s, e); valueOf[last] >= 1 && valueOf[last] <= 9 {
				return v + valueOf[last], e, true
			}
		}
	}
	return v, end, v > 0
}

// spelled reads a day or year in words at s[i].
func spelled(s string, i int) (end int, kind atomKind, val int, sp spelling, ok bool) {
	w, end := wordAt(s, i)
	if w == "mil" || w == "dos" {
		if end, val, ok := spanishYear(s, w, end, &sp); ok {
			return end, atomYearWord, val, sp, true
		}
	}
	next, separator, after := nextWord(s, end)
	if w == "two" && next == "thousand" {
		sp.thousand = true
		end, val = after, 2000
		next, separator, after = nextWord(s, end)
		if next == "and" {
			if last, _, e := nextWord(s, after); valueOf[last] > 0 {
				sp.and = true
				next, after = last, e
			}
		}
		if valueOf[next] > 0 && separator != "" {
			if n, e, ok := below100(s, next, after, &sp); ok {
				val, end = 2000+n, e
			}
		}
		return end, atomYearWord, val, sp, true
	}
	if century := valueOf[w]; (century >= 18 && century <= 20) && next != "" {
		sp.pair = separator
		switch {
		case next == "hundred":
			return after, atomYearWord, 100 * century, sp, true
		case next == "oh" || next == "o":
			if one, _, e := nextWord(s, after); valueOf[one] >= 1 && valueOf[one] <= 9 {
				sp.oh = true
				return e, atomYearWord, 100*century + valueOf[one], sp, true
			}
		case vocabulary[next].kind == atomDecade:
			return after, atomDecade, 100*century + vocabulary[next].val, sp, true
		case valueOf[next] >= 10:
			if n, e, ok := below100(s, next, after, &sp); ok {
				return e, atomYearWord, 100*century + n, sp, true
			}
		}
	}
	if w == "twenty" || w == "thirty" {
		if n := ordinalOf[next]; n >= 1 && n <= 9 && valueOf[w]+n <= 31 {
			sp.tens = separator
			return after, atomOrdinalWord, valueOf[w] + n, sp, true
		}
		return 0, 0, 0, sp, false
	}
	if n := ordinalOf[w]; n > 0 {
		return end, atomOrdinalWord, n, sp, true
	}
	if vocabulary[w].lang == inSpanish {
		if n, e, ok := below100(s, w, end, &sp); ok && n <= 31 {
			return e, atomOrdinalWord, n, sp, true
		}
	}
	return 0, 0, 0, sp, false
}

// spanishYear reads "dos mil catorce" and "mil novecientos noventa y cuatro".
func spanishYear(s, w string, end int, sp *spelling) (int, int, bool) {
	val := 2000
	if w == "dos" {
		next, _, e := nextWord(s, end)
		if next != "mil" {
			return 0, 0, false
		}
		end = e
	} else {
		next, _, e := nextWord(s, end)
		switch next {
		case "novecientos":
			val = 1900
		case "ochocientos":
			val = 1800
		default:
			return 0, 0, false
		}
		end = e
	}
	if next, _, e := nextWord(s, end); valueOf[next] > 0 {
		if n, e, ok := below100(s, next, e, sp); ok {
			val, end = val+n, e
		}
	}
	return end, val, true
}

// spell writes a number from 1 to 99.
func spell(n int, lang Language, tens string) string {
	if lang == Spanish {
		switch {
		case n < 30:
			return spanishOnes[n]
		case n%10 == 0:
			return spanishTens[n/10]
		}
		return spanishTens[n/10] + " y " + spanishOnes[n%10]
	}
	if n < 20 {
		return englishOnes[n]
	}
	if n%10 == 0 {
		return englishTens[n/10]
	}
	if tens == "" {
		tens = "-"
	}
	return englishTens[n/10] + tens + englishOnes[n%10]
}

// spellDay writes a day of the month: an ordinal, or in Spanish a cardinal
// other than primero.
func spellDay(n int, lang Language, sp spelling) string {
	if lang == Spanish {
		if n == 1 {
			return "primero"
		}
		return spell(n, lang, "")
	}
	if n < 20 {
		return englishOrdinals[n]
	}
	if n == 20 || n == 30 {
		return map[int]string{20: "twentieth", 30: "thirtieth"}[n]
	}
	if sp.tens == "" {
		sp.tens = "-"
	}
	return englishTens[n/10] + sp.tens + englishOrdinals[n%10]
}

// spellYear writes a year; one outside 1800-2199 in digits.
func spellYear(y int, lang Language, sp spelling) string {
	century, rest := y/100, y%100
	if lang == Spanish {
		head := map[int]string{18: "mil ochocientos", 19: "mil novecientos", 20: "dos mil"}[century]
		switch {
		case head == "":
			return pad(y, 4)
		case rest == 0:
			return head
		}
		return head + " " + spell(rest, lang, "")
	}
	if sp.pair == "" {
		sp.pair = " "
	}
	switch {
	case century < 18 || century > 21:
		return pad(y, 4)
	case century == 20 && rest == 0:
		return "two thousand"
	case rest == 0:
		return spell(century, lang, "-") + sp.pair + "hundred"
	case century == 20 && (sp.thousand || rest < 10 && !sp.oh):
		if sp.and {
			return "two thousand and " + spell(rest, lang, sp.tens)
		}
		return "two thousand " + spell(rest, lang, sp.tens)
	case rest < 10:
		return spell(century, lang, "-") + sp.pair + "oh " + englishOnes[rest]
	}
	return spell(century, lang, "-") + sp.pair + spell(rest, lang, sp.tens)
}
