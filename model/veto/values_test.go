package veto

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// TestMedicineByShape: what is marked with brackets is medicine, or PHI, as its type.
func TestMedicineByShape(t *testing.T) {
	for _, c := range []struct {
		in       string
		typ      phi.Type
		medicine bool
	}{
		{"On examination he is [104] kilograms", phi.Age, true},
		{"[890] g AGA female", phi.Age, true},
		{"seen 0340, [31] g2p1 at 33 weeks", phi.Age, false},
		{"[62] m with chest pain", phi.Age, false},
		{"RRT in the next [9-12] months", phi.Date, true},
		{"cleared [9-12] by surgery", phi.Date, false},
		{"Repeat [OCT] and 24-2 in 6 weeks", phi.Date, true},
		{"seen in [OCT] by retina", phi.Date, false},
		{"on 3 [OCT] by retina", phi.Date, false},
		{"no gaze palsy  [24-2] SITA Fast", phi.Date, true},
		{"started [24-2] by neurology", phi.Date, false},
		{"pT3 N1b ([3/27]) M0", phi.Date, true},
		{"IN1 ([3/27]) seen", phi.Date, false},
		{"MoCA-Blind [12/22] on Tuesday", phi.Date, true},
		{"died of COVID-[19] at home", phi.Date, true},
		{"had COVID [19 March]", phi.Date, false},
		{"carries [G542X]. His mother", phi.Vehicle, true},
		{"parked, plate [G542X]. His mother", phi.Vehicle, false},
		{"is an F[508]del carrier", phi.Age, true},
		{"is an F508[del carrier]", phi.Profession, true},
		{"began [tezacaftor and ivacaftor] in January", phi.Profession, true},
		{"switched [lamotrigine manufacturer] at last fill", phi.Profession, true},
		{"a [methadone counselor] by trade", phi.Profession, false},
		{"SEEN BY ATTENDING [BISHOP]", phi.Doctor, false},
		{"RN [JUDGE] AT BEDSIDE", phi.Patient, false},
		{"NURSE [MA] AT BEDSIDE", phi.Doctor, false},
		{"M. Dupree DO, LT [MC] USN", phi.Doctor, true},
		{"Seen by Smith MD [10-2], labs 10-1", phi.Date, false},
		{"HVF [10-2] stable", phi.Date, true},
		{"staged cT2N0 ([3/14]), discussed", phi.Date, false},
		{"Castonguay, MD, [COL], MC", phi.Doctor, true},
		{"Fujikawa, MD [LCDR, MC], USN", phi.Doctor, true},
		{"seen by [COL] today", phi.Doctor, false},
		{"gave ondansetron 4 [IV] slowly", phi.Doctor, true},
		{"gave epinephrine 0.3 mg [im] at once", phi.Doctor, true},
		{"flushed with 10 [cc] today", phi.Patient, true},
		{"HR 90   22   [in]", phi.Doctor, false},
		{"gave it\n10 mg\n[IM]", phi.Doctor, false},
		{"signed [IM] today", phi.Doctor, false},
		{"Suite 4 [IN] 46202", phi.State, false},
		{"seen by [PT]/OT today", phi.Doctor, true},
		{"typed [PT]/ot today", phi.Doctor, false},
		{"as [Charles Bonnet] explained", phi.Doctor, true},
	} {
		from, to := strings.Index(c.in, "["), strings.Index(c.in, "]")-1
		text := strings.NewReplacer("[", "", "]", "").Replace(c.in)
		s := phi.Span{Start: from, End: to, Type: c.typ}
		if got := Medicine(text, token.Tokenize(nil, text), s); got != c.medicine {
			t.Errorf("%s as %v: medicine %v, want %v", c.in, c.typ, got, c.medicine)
		}
	}
}
