package pattern

// Units are words after a number that make it a measure.
var Units = Words(`% ° mg mcg ug g gm gms gram grams kg kgs kilo kilos kilogram kilograms milligram milligrams
	microgram micrograms lb lbs pound pounds oz ml mls cc l litre liter litres liters unit units u iu mu
	mmol mol mosm meq mmhg mm cm cms centimetres centimeters m metres meters inch inches ft feet hz
	khz mhz bpm rpm hr hrs hour hours min mins minute minutes
	sec secs second seconds day days wk wks week weeks month months mo mos x fold percent tab tabs tablet tablets cap caps
	capsule capsules puff puffs drop drops gtt gtts spray sprays vial vials dose doses cells copies kcal cal calories
	steps pack packs ppd french fr gauge beats times ng pg fl dl thou million am pm h`)

// UnitAfter reports whether a unit follows i. A single capital is a sex or an
// initial, not metres or hours, but for litres and units.
func UnitAfter(text string, i int) bool {
	at := SkipBlanks(text, i)
	if at-i > 2 {
		return false // another column
	}
	w := NextWord(text, at)
	if len(w) == 1 && w != "%" && w != "l" && w != "u" {
		if b := text[at]; b >= 'A' && b <= 'Z' {
			return false
		}
	}
	if w == "cc" { // copies, not cubic centimetres
		if next := SkipBlanks(text, at+2); ByteAt(text, next) == ':' || at > i && Capital(text[next:]) {
			return false
		}
	}
	return Units[w]
}
