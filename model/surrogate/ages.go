package surrogate

import (
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

var (
	ones = strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
		eighteen nineteen`)
	tens = strings.Fields("_ _ twenty thirty forty fifty sixty seventy eighty ninety")

	// ageWords are words that say an age or go with one, and tell of none past
	// 89. A word that is not here is masked: it may be a misspelt "ninety".
	ageWords = names.Set(`a an and the in of to at by or old year years yr yrs yo y o aged age ages early mid late middle young younger older
		` +
		"month months mo mos mth mths week weeks wk wks w day days d hour hours hr hrs minutes half quarter " +
		"teen teens teenage teenager teenaged adolescent infant newborn neonate baby toddler child adult elderly geriatric " +
		"twenties thirties forties fifties sixties seventies eighties quadragenarian quinquagenarian sexagenarian septuagenarian octogenarian " +
		"her his their she he they is was who now only just m f male female man woman boy girl s under over about nearly almost approximately " +
		"plus th st nd rd birthday " +
		// Spanish; a number above ochenta is not here, so that it is masked.
		"ano anos mes meses semana semanas dia dias hora horas medio media de del la el los las a edad vida mas recien nacido nacida " +
		"primer primero segundo tercer tercero cuarto quinto sexto septimo octavo noveno decimo " +
		"un uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve " +
		"veinte veintiun veintiuno veintiuna veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve " +
		"treinta cuarenta cincuenta sesenta setenta ochenta")
	highWords = map[string]int{"nineties": 90, "nonagenarian": 90, "centenarian": 100, "supercentenarian": 110}
	subYears  = names.Set(`month months mo mos mth mths week weeks wk wks day days hour hours hr hrs minutes mes meses semana semanas dia dias
		hora horas`)
)

// oldest is more years than anybody has lived.
const oldest = 125

// age keeps ages within the limit and writes "90+" (one above the limit) for
// those above it, in figures or words. What cannot be read is masked.
func (p *Patient) age(m Mention) (string, Outcome) {
	s := m.Surface
	limit := p.opts.AgeLimit
	pieces := cut(s)
	years, above := true, false
	for _, piece := range pieces {
		if piece.kind == wordPiece && subYears[fold(piece.text)] {
			years = false // "100 weeks": no years, or years and a part of one
		}
	}
	if !years {
		for _, piece := range pieces {
			if f := fold(piece.text); strings.HasPrefix(f, "year") || strings.HasPrefix(f, "yr") || f == "ano" || f == "anos" || f == "y" ||
				f == "yo" {
				years = true
			}
		}
	}
	if out, outcome, ok := p.birthYear(m, pieces); ok {
		return out, outcome
	}
	if !oneAge(pieces) {
		return nonEmpty(mask(s)), Masked
	}
	found := false
	said, at := 0, -1 // the last number of years, and where it stands
	numbers := 0
	for i, piece := range pieces {
		switch piece.kind {
		case digitPiece:
			v, err := strconv.Atoi(piece.text)
			if err != nil {
				return nonEmpty(mask(s)), Masked
			}
			found = true
			if !ofPart(pieces, i) {
				numbers++
				said, at = v, i
			}
			if years && v > oldest {
				return nonEmpty(mask(s)), Masked // whatever it is, it is no age
			}
			if years && v > limit && !fraction(pieces, i) {
				above = true
			}
		case wordPiece:
			f := fold(piece.text)
			v, isNumber := numberWord(f)
			if h, ok := highWords[f]; ok {
				v, isNumber = h, true
			}
			switch {
			case isNumber:
				v = spelled(pieces, i, v)
				if (i < 2 || !isNumberWord(pieces[i-2])) && !ofPart(pieces, i) {
					numbers++
					said, at = v, i
				}
				if years && v > oldest {
					return nonEmpty(mask(s)), Masked
				}
				if found = true; years && v > limit {
					above = true
				}
			case !ageWords[f]:
				return nonEmpty(mask(s)), Masked
			default:
				found = true
			}
		}
	}
	if !found {
		return nonEmpty(mask(s)), Masked
	}
	if said := spanishYears(pieces); said > 0 && years && numbers == 0 && p.excess(said, m) > 0 {
		return nonEmpty(mask(s)), Masked // there are no Spanish words for the age before
	}
	if numbers == 1 && years && said > 0 {
		if less := p.excess(said, m); less > 0 && said-less <= limit && said > less {
			return lowered(pieces, at, said-less), Replaced
		}
	}
	if !above {
		return s, Kept
	}
	return p.oldAge(pieces), Replaced
}

// birthYear moves the year of "b. 1925" as a date.
func (p *Patient) birthYear(m Mention, pieces []piece) (string, Outcome, bool) {
	at := 0
	for i, piece := range pieces {
		if piece.kind == digitPiece {
			if len(piece.text) != 4 || i == 0 || i != len(pieces)-1 {
				return "", 0, false
			}
			year := m
			year.Type, year.Surface = phi.Date, piece.text
			year.Ref.Birth = true
			out, outcome := p.Replace(year)
			return m.Surface[:at] + out, outcome, true
		}
		if piece.kind == wordPiece && !birthWords[fold(piece.text)] {
			return "", 0, false
		}
		at += len(piece.text)
	}
	return "", 0, false
}

var birthWords = names.Set("b born birth year yob dob in of")

// oneAge reports whether the numbers make one age or a range of two. Several
// numbers without a word between them are more likely a date, a phone or an id
// that was taken for an age, and must not be kept: "12/03/56", "4/12", "55 12".
func oneAge(pieces []piece) bool {
	last := -1 // index of the number before
	for i, piece := range pieces {
		if piece.kind != digitPiece {
			continue
		}
		if len(piece.text) > 3 {
			return false
		}
		if last >= 0 {
			words := false
			for _, between := range pieces[last+1 : i] {
				words = words || between.kind == wordPiece
			}
			gap := ""
			if i == last+2 {
				gap = strings.TrimSpace(pieces[last+1].text)
			}
			half := gap == "/" && (pieces[last].text == "1" || pieces[last].text == "3") && (piece.text == "2" || piece.text == "4")
			span := (gap == "-" || gap == "\u2013") && last == 0 && i == len(pieces)-1
			if !words && !half && !span && !halfAfter(pieces, i) {
				return false
			}
		}
		last = i
	}
	return true
}

// halfAfter reports whether the number at i begins a fraction, as in "3 1/2".
func halfAfter(pieces []piece, i int) bool {
	return i+2 < len(pieces) && strings.TrimSpace(pieces[i+1].text) == "/" &&
		(pieces[i].text == "1" || pieces[i].text == "3") && (pieces[i+2].text == "2" || pieces[i+2].text == "4")
}

// oldAge writes the limit in place of the numbers, and once only.
func (p *Patient) oldAge(pieces []piece) string {
	limit := strconv.Itoa(p.opts.AgeLimit+1) + "+"
	var b strings.Builder
	written := false
	for i := 0; i < len(pieces); i++ {
		piece := pieces[i]
		f := fold(piece.text)
		_, high := highWords[f]
		_, number := numberWord(f)
		switch {
		case piece.kind == digitPiece, piece.kind == wordPiece && (number || high):
			// Skip to the end of "ninety-five", "one hundred and two", "95 1/2".
			for i+2 < len(pieces) && (pieces[i+2].kind == digitPiece || isNumberWord(pieces[i+2]) || fold(pieces[i+2].text) == "and") {
				i += 2
			}
			if written {
				continue
			}
			written = true
			switch {
			case f == "nineties" || piece.kind == digitPiece:
				b.WriteString(limit)
				if i+1 < len(pieces) && fold(pieces[i+1].text) == "s" {
					i++ // 90s
				} else if i+1 < len(pieces) && strings.HasPrefix(pieces[i+1].text, "'s") {
					i++
				} else if i+1 < len(pieces) && strings.HasPrefix(pieces[i+1].text, "+") {
					i++
				}
			case high:
				b.WriteString("person aged " + limit)
			case p.opts.AgeLimit == 89:
				b.WriteString(like("Ninety-plus", piece.text))
			default:
				b.WriteString(limit)
			}
		default:
			b.WriteString(piece.text)
		}
	}
	return b.String()
}

func isNumberWord(p piece) bool {
	_, ok := numberWord(fold(p.text))
	return ok && p.kind == wordPiece
}

// ofPart reports whether the number of piece i is of months, weeks or days: the 6 of
// "88 years 6 months".
func ofPart(pieces []piece, i int) bool {
	for _, p := range pieces[i+1:] {
		switch f := fold(p.text); {
		case p.kind == digitPiece:
			return false
		case p.kind == gapPiece, isNumberWord(p):
		default:
			return subYears[f]
		}
	}
	return false
}

// fraction reports whether the number is one of a fraction such as 1/2.
func fraction(pieces []piece, i int) bool {
	return i > 1 && strings.TrimSpace(pieces[i-1].text) == "/" && pieces[i-2].kind == digitPiece
}

// numberWord returns the value of one word of a number.
func numberWord(w string) (int, bool) {
	for i, n := range ones {
		if w == n {
			return i, true
		}
	}
	for i := 2; i < 10; i++ {
		if w == tens[i] {
			return 10 * i, true
		}
		// run together: "ninetyfive"
		if rest, ok := strings.CutPrefix(w, tens[i]); ok {
			if v, ok := numberWord(rest); ok && v > 0 && v < 10 {
				return 10*i + v, true
			}
		}
	}
	if w == "hundred" {
		return 100, true
	}
	return 0, false
}

// spanishYears returns the number that Spanish words tell, up to 89: "ochenta y ocho";
// 0 for none.
func spanishYears(pieces []piece) (n int) {
	for _, p := range pieces {
		switch f := fold(p.text); f {
		case "un", "una":
			n++
		case "veintiun", "veintiuna":
			n += 21
		default:
			if subYears[f] {
				return n
			}
			n += dates.NumberWord(f)
		}
	}
	return n
}

// spelled returns the value of the number word at i with the ones after it.
func spelled(pieces []piece, i, v int) int {
	if v > 1 && i+2 < len(pieces) && fold(pieces[i+2].text) == "hundred" {
		return 100 * v // "fifteen hundred"
	}
	if v >= 20 && v < 100 && i+2 < len(pieces) {
		if next, ok := numberWord(fold(pieces[i+2].text)); ok && next < 10 {
			return v + next
		}
	}
	return v
}
