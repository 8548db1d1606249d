package merge

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Known identifiers, and what is found by them in texts that write it in many ways.
func TestKnownForms(t *testing.T) {
	var e lexicon.Evidence
	for _, n := range []string{"William Tobias Okonkwo-Hale", "Margaret Siobhan O'Brien", "María José de la Cruz", "Fiona McDonald",
		"Jürgen Müller", "Alistair Parkinson", "Søren Łukasz", "Will Bell", "Oluwaseun Adebayo"} {
		e.AddKnown(phi.Patient, n)
	}
	e.AddKnown(phi.Doctor, "Dr. Perpetua Voskuijlen, MD")
	e.AddKnown(phi.MedicalRecord, "80")
	e.AddKnown(phi.MedicalRecord, "4711")
	e.AddKnown(phi.MedicalRecord, "15000")
	e.AddKnown(phi.MedicalRecord, "SSH-6640-218")
	e.AddKnown(phi.MedicalRecord, "000481223")
	e.AddKnown(phi.Phone, "+1 (360) 555-0119")
	e.AddKnown(phi.SSN, "923-45-6789")
	e.AddKnown(phi.Email, "dot.keenatla@example.org")
	e.AddKnown(phi.Date, "1956-02-29")
	a := lexicon.ParseAddress("1719 Brailer Street, Apt 4, Bellingham, WA 98225")
	e.AddKnown(phi.Street, a.Street)
	e.AddKnown(phi.City, a.City)
	e.AddKnown(phi.ZIP, a.ZIP)
	l := lexicon.NewLexicon(e.Surfaces())
	for _, c := range []struct{ text, want string }{
		// Orders, initials, nicknames.
		{"Okonkwo-Hale, William T. came", "PATIENT:Okonkwo-Hale, William T"},
		{"W. T. Okonkwo-Hale", "PATIENT:W. T. Okonkwo-Hale"},
		{"seen with Bill Okonkwo", "PATIENT:Bill PATIENT:Okonkwo"},
		{"Mr Billy Okonkwo-Hale", "PATIENT:Billy Okonkwo-Hale"},
		{"then Peggy said", "PATIENT:Peggy"},
		{"a hale and hearty man, paid the bill, he will go", ""},
		{"W.T.O. was seen", "PATIENT:W.T.O"},
		{"Mrs O'Brien, I called", "PATIENT:O'Brien"},
		// Hyphens, particles, apostrophes, diacritics, run together.
		{"OBRIEN and O Brien and O’Brien", "PATIENT:OBRIEN PATIENT:O Brien PATIENT:O’Brien"},
		{"Sra. de la Cruz; DE LA CRUZ; Delacruz", "PATIENT:de la Cruz PATIENT:DE LA CRUZ PATIENT:Delacruz"},
		{"Mc Donald, MCDONALD, McDonald's", "PATIENT:Mc Donald PATIENT:MCDONALD PATIENT:McDonald"},
		{"Mueller, MULLER, Müller", "PATIENT:Mueller PATIENT:MULLER PATIENT:Müller"},
		{"soren lukasz", "PATIENT:soren lukasz"},
		{"the Okonkwos", "PATIENT:Okonkwos"},
		{"MRNOKONKWO and jokonkwo@x.org and wokonkwo", "PATIENT:MRNOKONKWO EMAIL:jokonkwo@x.org PATIENT:wokonkwo"},
		{"adebayofiona", "PATIENT:adebayofiona"},
		{"tolerated, fionally, obrienesque", ""},
		// One edit away, only where a name stands.
		{"Mr. Okonwko was", "PATIENT:Okonwko"},
		{"Patient: Adebaya\n", "PATIENT:Adebaya"},
		{"Fiona MacDonald", "PATIENT:Fiona"},
		{"Oluwaseun Adebaxo", "PATIENT:Oluwaseun PATIENT:Adebaxo"},
		{"the Adebaxo criteria", ""},
		{"DOB 2/29/56, then Oluwaseun Adebaxo", "DATE:2/29/56 PATIENT:Oluwaseun PATIENT:Adebaxo"},
		{"Oluwaseun Adebaxo, born 2/29/56", "PATIENT:Oluwaseun PATIENT:Adebaxo DATE:2/29/56"},
		// Eponyms and ordinary words.
		{"Slept. Will says so. Will follow. Will is a 34 year old. Will is what it is.", "PATIENT:Will PATIENT:Will"},
		{"Parkinson's disease, Bell's palsy, a bell", ""},
		{"Mr Parkinson and Alistair Parkinson", "PATIENT:Parkinson PATIENT:Alistair Parkinson"},
		// Known staff.
		{"VOSKUIJLEN, P and perpetua", "DOCTOR:VOSKUIJLEN, P DOCTOR:perpetua"},
		// Numbers: short ones never, or with a label; no count with a unit.
		{"HR 80, BP 120/80, 80 mg, MRN 80", ""},
		{"WBC 4711, MRN: 4711", "MEDICALRECORD:4711"},
		{"15000 units, 15000/uL, 1.15000, no 15000 here", "MEDICALRECORD:15000"},
		{"SSH6640218, ssh 6640 218, SSH/6640/218, 481223",
			"MEDICALRECORD:SSH6640218 MEDICALRECORD:ssh 6640 218 MEDICALRECORD:SSH/6640/218 MEDICALRECORD:481223"},
		{"360.555.0119, (360)5550119, 1-360-555-0119, 555-0119", "PHONE:360.555.0119 PHONE:360)5550119 PHONE:1-360-555-0119 PHONE:555-0119"},
		{"SSN 923456789, ssn ending 6789, xxx-xx-6789; 6789 steps", "SSN:923456789 SSN:6789 SSN:6789"},
		{"DOT.KEENATLA@EXAMPLE.ORG, login dot.keenatla", "EMAIL:DOT.KEENATLA@EXAMPLE.ORG USERNAME:dot.keenatla"},
		// Addresses in part.
		{"1719 Brailer St; 1719 Brailer; on Brailer Street", "STREET:1719 Brailer St STREET:1719 Brailer STREET:Brailer Street"},
		{"from Bellingham 98225", "CITY:Bellingham ZIP:98225"},
		// Birth dates.
		{"DOB 2/29/56, 29.02.1956, 29 Feb 1956, February 29th, 1956", "DATE:2/29/56 DATE:29.02.1956 DATE:29 Feb 1956 DATE:February 29th, 1956"},
		{"1956-02-29, 19560229 and 28 Feb 1956", "DATE:1956-02-29 DATE:19560229"},
	} {
		if got := strings.Join(sweep(l, c.text), " "); got != c.want {
			t.Errorf("%q:\n found %q\n want  %q", c.text, got, c.want)
		}
	}
}

// What is too short to be looked for is counted.
func TestUsable(t *testing.T) {
	for _, c := range []struct {
		typ  phi.Type
		text string
		want bool
	}{
		{phi.MedicalRecord, "80", false}, {phi.MedicalRecord, "4711", true}, {phi.Patient, "X", false}, {phi.Patient, "Ng", true},
		{phi.Date, "unknown", false}, {phi.Date, "1956-02-29", true}, {phi.Phone, "11", false},
	} {
		if got := lexicon.Usable(c.typ, c.text); got != c.want {
			t.Errorf("Usable(%v, %q) = %v", c.typ, c.text, got)
		}
	}
}

// A family name seen once alone and once with a first name was seen twice, and
// one after a title is sure at once.
func TestPartsOfNamesCountTogether(t *testing.T) {
	var e lexicon.Evidence
	e.AddSpan(phi.Found{Span: span(0, 0, phi.Patient, phi.Network, .5), Surface: "Rose Okonkwo"})
	e.AddSpan(phi.Found{Span: span(0, 0, phi.Patient, phi.Network, .5), Surface: "Okonkwo"})
	e.AddSpan(phi.Found{Span: span(0, 0, phi.Doctor, phi.Rules, .5), Cue: true, Surface: "Vanterpool"})
	e.AddSpan(phi.Found{Span: span(0, 0, phi.Patient, phi.Network, .5), Surface: "Vancomycin"})
	l := lexicon.NewLexicon(e.Surfaces())
	if got := strings.Join(sweep(l, "Okonkwo on Vancomycin, Rose, Vanterpool's"), " "); got != "PATIENT:Okonkwo DOCTOR:Vanterpool" {
		t.Errorf("found %q", got)
	}
}

func TestStaffLexicon(t *testing.T) {
	l := lexicon.NewStaffLexicon([]lexicon.Staff{{Given: "Priya", Family: "Long", Username: "plong7", Pager: "4711"},
		{Given: "Ada Mae", Family: "Brown"}, {Given: "", Family: "X"}})
	for _, c := range []struct{ text, want string }{
		{"a long brown stool", ""},
		{"LONG STANDING; Long", ""},
		{"Priya Long and Brown, Ada; A Brown; ADA M BROWN", "DOCTOR:Priya Long DOCTOR:Brown, Ada DOCTOR:A Brown DOCTOR:ADA M BROWN"},
		{"Dr. Long, Brown, RN; Mr Brown", "DOCTOR:Long DOCTOR:Brown"},
		{"plong7, pager 4711, 4711 cells", "USERNAME:plong7 PHONE:4711"},
	} {
		if got := strings.Join(sweep(l, c.text), " "); got != c.want {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
}

// Whatever stands in a text, spans lie within it and are not empty.
func FuzzSweep(f *testing.F) {
	l := lexicon.NewLexicon(identifiers(50))
	f.Add("Mr. Okonwko 14.3.57 jérôme@x.org MRN\n00481-2237 Œ\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range l.Sweep(nil, text, token.Tokenize(nil, text)) {
			if s.Start < 0 || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %v of a text of %d bytes", s, len(text))
			}
		}
	})
}

// A known name within the longer name of an institution or street leaves it
// what it is, and every byte of it covered; elsewhere it is a person's.
func TestKnownNamesWithinOthers(t *testing.T) {
	var e lexicon.Evidence
	e.AddKnown(phi.Doctor, "Fiona Abernathy-Cruz")
	l := lexicon.NewLexicon(e.Surfaces())
	for in, want := range map[string]string{
		"at [ORGANIZATION:Santa Cruz Pecan Growers]": "at [ORGANIZATION:Santa Cruz Pecan Growers]",
		"in [HOSPITAL:Cruz Clinic]":                  "in [HOSPITAL:Cruz Clinic]",
		"of [STREET:12 Cruz Lane]":                   "of [STREET:12 Cruz Lane]",
		"by [ORGANIZATION:Cruz]":                     "by [DOCTOR:Cruz]",
		"by [HOSPITAL:Dr. Cruz, MD]":                 "by [DOCTOR:Dr. Cruz, MD]",
		"in [CITY:Santa Cruz]":                       "in [DOCTOR:Santa Cruz]", // which Safe Harbor and limited data may keep
		"by [PATIENT:Ada Cruz]":                      "by [DOCTOR:Ada Cruz]",
		"Cruz of [ORGANIZATION:Pecan Growers]":       "[DOCTOR:Cruz] of [ORGANIZATION:Pecan Growers]",
		"by Fiona [ORGANIZATION:Cruz Pecan Growers]": "by [DOCTOR:Fiona Cruz Pecan Growers]", // it sticks out
	} {
		text, spans := markedSpans(t, in)
		tokens := token.Tokenize(nil, text)
		if got := describe(text, Combine(text, tokens, l.Sweep(spans, text, tokens), Options{})); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	// Where little trusted spans may be dropped, names stay apart.
	text, spans := markedSpans(t, "at [ORGANIZATION:Santa Cruz Pecan Growers]")
	tokens := token.Tokenize(nil, text)
	for _, mode := range []Mode{Priority, Vote} {
		covered := false
		for _, f := range Combine(text, tokens, l.Sweep(slices.Clone(spans), text, tokens), Options{Mode: mode}) {
			covered = covered || f.Start <= strings.Index(text, "Cruz") && strings.Index(text, "Cruz")+4 <= f.End
		}
		if !covered {
			t.Errorf("%s: the name is not covered", mode)
		}
	}
}
