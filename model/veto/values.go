package veto

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

var (
	numbersForm = regexp.MustCompile(`^\d{1,2}-\d{1,2}$`)
	// ageless are units of what people have and are not: no letter alone is one, as
	// "62 m" is a man.
	ageless = names.Set(`kg kgs kilo kilos kilogram kilograms g gm gms gram grams mg mgs milligram milligrams mcg microgram micrograms ml mls
		millilitres milliliters cc cm cms centimetres centimeters mm lb lbs pound pounds oz ounces mmhg bpm cal kcal ng pg mmol meq iu unit
		units percent degrees celsius fahrenheit joules cmh2o mph breaths beats`)
	spans = names.Set("minutes mins min hours hrs days nights weeks wks months mos years yrs minute hour day week month year")
	// fieldTests are how a visual field is measured, and fields what is said beside.
	fieldTests = map[string]bool{"24-2": true, "30-2": true, "10-2": true}
	fields     = names.Set("field fields visual hvf vf hfa humphrey sita oct fast threshold perimetry zeiss md psd vfi")
	fevers     = names.Set("fever fevers febrile temp temps temperature temperatures tmax tm")
)

// isValue holds for a number that is measured: an age or date with a unit behind it
// ("104 kilograms", "in 9-12 months"), and an age that is a fever ("fever to 103").
func isValue(p *spot, t phi.Type) bool {
	next, _ := p.wordAt(p.j + 1)
	switch {
	case t == phi.Date && fieldTests[p.span()]:
		return among(p.before, 6, fields) || among(p.after, 6, fields)
	case t == phi.Date:
		return numbersForm.MatchString(p.span()) && spans[next]
	case t != phi.Age:
		return false
	case ageless[next]: // but not the g of "31 g2p1"
		return p.j+2 >= len(p.tokens) || p.tokens[p.j+2].Space || p.tokens[p.j+2].Class != token.Digits
	}
	v, err := strconv.Atoi(p.span())
	return err == nil && v >= 95 && among(p.before, 3, fevers)
}

// monthBefore are words before a month that is named alone.
var monthBefore = names.Set(`in of since from until till by to through thru before after during between early mid late last next this every
	each on for and or beginning end start around about around`)

// isTomography holds for OCT, a picture of the retina, within a text that writes
// months otherwise.
func isTomography(p *spot, t phi.Type) bool {
	if t != phi.Date || p.span() != "OCT" || monthBefore[p.prev()] {
		return false
	}
	digits := func(k int) bool { return k >= 0 && k < len(p.tokens) && p.tokens[k].Class == token.Digits }
	if digits(p.i-1) || digits(p.j+1) || digits(p.j+2) && p.tokens[p.j+1].Class == token.Symbol {
		return false
	}
	for k := max(0, p.i-around); k < min(len(p.tokens), p.j+around); k++ {
		if p.tokens[k].Class == token.Lower && p.tokens[k].End-p.tokens[k].Start > 2 {
			return true
		}
	}
	return false
}

// isRank holds for ranks, corps and degrees in capitals that follow others: "MD, COL,
// MC, USA".
func isRank(p *spot, t phi.Type) bool {
	if t.Category() != "NAME" {
		return false
	}
	title := func(k int) bool {
		w := p.tokens[k].Text(p.text)
		f := names.Fold(w)
		return w == strings.ToUpper(w) && len(w) > 1 && (names.Ranks[f] || names.Letters[f] || names.Degrees[f])
	}
	ranks := false
	for k := p.i; k <= p.j; k++ {
		w := p.tokens[k].Text(p.text)
		if w == "," || w == "-" {
			continue
		}
		if !title(k) {
			return false
		}
		ranks = ranks || len(w) > 2 && (names.Ranks[names.Fold(w)] || names.Letters[names.Fold(w)])
	}
	before := p.i - 1
	if before >= 0 && p.tokens[before].Text(p.text) == "," {
		before--
	}
	if before < 0 || !unicode.IsUpper(rune(p.text[p.tokens[before].Start])) || !title(before) {
		return false
	}
	return ranks || names.Ranks[names.Fold(p.tokens[before].Text(p.text))]
}
