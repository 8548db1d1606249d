package surrogate

import (
	"strconv"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// KnowNumber enters a number or an address known of the patient beforehand, such as a
// record number: no surrogate says it. Besides key and mention these alone decide which
// number is drawn, never what is found in notes: a patient whose known identifiers stay
// has the same surrogates in any note, file and night. An identifier that becomes known
// later, and is the very surrogate of a number, changes that surrogate from then on. Enter
// all before the first Replace.
func (p *Patient) KnowNumber(t phi.Type, surface string) {
	if c := t.Category(); c != "CONTACT" && c != "ID" || len(surface) > maxSurface {
		return
	}
	if p.numbers == nil {
		p.numbers = map[string]bool{}
	}
	whole := alnum(surface)
	p.numbers[whole] = true
	p.numbers[alnum(surface[labelEnd(surface):])] = true
	if (t == phi.Phone || t == phi.Fax) && len(whole) == 11 && whole[0] == '1' {
		p.numbers[whole[1:]] = true // without the country's code
	}
	delete(p.numbers, "")
	p.longest = max(p.longest, len(whole))
	clear(p.cache)
}

// leastWithin is the least letters and digits of a known number that is seen within a
// longer surrogate. Shorter ones, an extension or the 555 of a telephone number, stand
// there by chance, and the audit does not look for them either.
const leastWithin = 5

// says reports whether a surrogate is a known number of the patient, or has one among
// its words and runs of digits: "MRN 12345".
func (p *Patient) says(out string) bool {
	if len(p.numbers) == 0 {
		return false
	}
	if p.numbers[alnum(out)] {
		return true
	}
	pieces := cut(out)
	for i := range pieces {
		if pieces[i].kind == gapPiece {
			continue
		}
		run := ""
		for j := i; j < len(pieces) && len(run) < p.longest; j++ {
			if pieces[j].kind != gapPiece {
				if run += alnum(pieces[j].text); len(run) >= leastWithin && p.numbers[run] {
					return true
				}
			}
		}
	}
	return false
}

// unlike draws a surrogate until it says no known number of the patient, each time from
// the next of the mention's keyed streams; "" where none of the first maxTries will do.
// Telephone numbers that nobody has are few, so that one in some thousands would be known.
func (p *Patient) unlike(d drawer, draw func(drawer) string) string {
	out := draw(d)
	for try := 1; p.says(out); try++ {
		if try == maxTries {
			return ""
		}
		again := d
		again.scope = "again " + strconv.Itoa(try) + "\x00" + d.scope
		out = draw(again)
	}
	return out
}
