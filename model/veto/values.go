package veto

import (
	"regexp"
	"strings"

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
	fieldTests = map[string]bool{"24-2": true, "30-2": true, "10-2": true} // the last is a day of October, too
	fields     = names.Set("field fields visual hvf vf hfa humphrey sita perimetry")
	readings   = names.Set("oct fast threshold zeiss md psd vfi")
)

// isValue holds for a number that is measured: an age or date with a unit behind it
// ("104 kilograms", "in 9-12 months"), and for a test of the visual field.
func isValue(p *spot, t phi.Type) bool {
	next, _ := p.wordAt(p.j + 1)
	switch {
	case t == phi.Date && fieldTests[p.span()]:
		return among(p.before, 6, fields) || among(p.after, 6, fields) ||
			p.span() != "10-2" && (among(p.before, 6, readings) || among(p.after, 6, readings))
	case t == phi.Date:
		return numbersForm.MatchString(p.span()) && spans[next]
	case t != phi.Age:
		return false
	case ageless[next]: // but not the g of "31 g2p1"
		return p.j+2 >= len(p.tokens) || p.tokens[p.j+2].Space || p.tokens[p.j+2].Class != token.Digits
	}
	return false
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

// corps are ranks, corps and services as they are written behind a name. Words such as
// "bishop" and "major" are names, too.
var corps = names.Set(`lt 2lt 1lt ltjg ens capt cpt maj ltc ltcol col bg cdr cmdr lcdr ltcdr mc msc nc dc usn usnr usa usar usaf usmc usphs
	uscg ret`)

// isRank holds for ranks and corps in capitals that follow a degree behind a comma:
// "MD, COL, MC, USA", "DO, LT MC USN".
func isRank(p *spot, t phi.Type) bool {
	if t.Category() != "NAME" {
		return false
	}
	text := func(k int) string {
		if k < 0 {
			return ""
		}
		return p.tokens[k].Text(p.text)
	}
	capitals := func(w string) bool { return len(w) > 1 && w == strings.ToUpper(w) }
	long := false // MC alone may be somebody's initials
	for k := p.i; k <= p.j; k++ {
		w := text(k)
		if w != "," && !(capitals(w) && corps[names.Fold(w)]) {
			return false
		}
		long = long || len(w) > 2
	}
	before, comma := p.i-1, false
	if text(before) == "," {
		before, comma = before-1, true
	}
	w := names.Fold(text(before))
	degree := corps[w] || (long || comma) && (names.Degrees[w] || names.Letters[w])
	return degree && capitals(text(before)) && (comma || text(before-1) == ",")
}
