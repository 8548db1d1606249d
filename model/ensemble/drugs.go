package ensemble

import (
	_ "embed"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

//go:embed lists/drugs.txt
var drugList string

// drugs are the words of lists/drugs.txt.
var drugs = func() map[string]bool {
	words := map[string]bool{}
	for _, line := range strings.Split(drugList, "\n") {
		if !strings.HasPrefix(line, "#") {
			for _, w := range strings.Fields(line) {
				words[w] = true
			}
		}
	}
	return words
}()

// isDrug holds where every word of a name, place, employer or occupation is
// the name of a drug.
func isDrug(p *spot, t phi.Type) bool {
	if c := t.Category(); c != "NAME" && c != "LOCATION" && c != "PROFESSION" {
		return false
	}
	n := 0
	for _, w := range strings.FieldsFunc(fold(p.text[p.tokens[p.i].Start:p.tokens[p.j].End]), func(r rune) bool { return r == ' ' || r == '/' || r == '+' || r == ',' }) {
		if !drugs[w] {
			return false
		}
		n++
	}
	return n > 0
}
