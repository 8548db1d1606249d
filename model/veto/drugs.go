package veto

import (
	_ "embed"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

//go:embed lists/drugs.txt
var drugList string

//go:embed lists/drugnames.txt
var drugNames string

// drugs are the words of both lists.
var drugs = func() map[string]bool {
	var words strings.Builder
	for line := range strings.Lines(drugList + drugNames) {
		if line[0] != '#' {
			words.WriteString(line)
		}
	}
	return names.Set(words.String())
}()

// aboutDrugs are words that go on with the name of a drug and are no occupation's.
var aboutDrugs = names.Set(`and or plus with manufacturer manufacturers brand brands generic maker tablet tablets capsule capsules dose
	doses dosing level levels injection injections infusion infusions shot shots trial therapy treatment taper bridge course prophylaxis`)

// isDrug holds where a name, place, employer, occupation or date is names of drugs
// and words such as dose: "stopped Tenormin last month", "lamotrigine manufacturer".
func isDrug(p *spot, t phi.Type) bool {
	if c := t.Category(); c != "NAME" && c != "LOCATION" && c != "PROFESSION" && c != "DATE" {
		return false
	}
	n := 0
	for _, w := range strings.FieldsFunc(names.Fold(p.span()), func(r rune) bool { return r == ' ' || r == '/' || r == '+' || r == ',' }) {
		switch {
		case drugs[w]:
			n++
		case !aboutDrugs[w]:
			return false
		}
	}
	return n > 0
}

// Drugs returns the names of drugs that are known, folded. It must not be changed.
func Drugs() map[string]bool { return drugs }
