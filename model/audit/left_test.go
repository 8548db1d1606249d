package audit

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

func knownValues() *Values {
	var e lexicon.Evidence
	e.AddKnown(phi.Patient, "Zebulon O'Quackenbush")
	e.AddKnown(phi.Patient, "Rose Market") // both are words of the language
	e.AddKnown(phi.MedicalRecord, "00481-2237")
	e.AddKnown(phi.MedicalRecord, "731558")
	e.AddKnown(phi.Phone, "(360) 555-0119")
	e.AddKnown(phi.Phone, "H: 201-555-0143 x45 (work)")
	e.AddKnown(phi.Email, "dot.keenatla@example.org")
	e.AddKnown(phi.Date, "1951-03-04")
	return NewValues(e.Surfaces(), nil)
}

// Known identifiers are found however they are written, and ordinary words are not.
func TestValuesLeft(t *testing.T) {
	v := knownValues()
	for text, want := range map[string]string{
		"Mr. OQuackenbush came":              "OQuackenbush",
		"Mr. O’Quackenbush came":             "O’Quackenbush",
		"seen: O'Quacken-\nbush, stable":     "O'Quacken-\nbush",
		"O ' Q U A C K E N B U S H":          "O ' Q U A C K E N B U S H",
		"ÓQUACKENBUSH, ZEBULON":              "ÓQUACKENBUSH, ZEBULON",
		"Zebulon_O_Quackenbush":              "Zebulon_O_Quackenbush",
		"record 0 0 4 8 1 2 2 3 7 here":      "0 0 4 8 1 2 2 3 7",
		"MRN00481.2237x":                     "00481.2237",
		"MRN 100481-2237":                    "", // a longer number
		"MRN 00731558":                       "00731558",
		"MRN 100731558":                      "",
		"call 360.555.0119":                  "360.555.0119",
		"call 201.555.0143":                  "201.555.0143",
		"dot . keenatla @ example . org":     "dot . keenatla @ example . org",
		"born 4 March 1951":                  "4 March 1951",
		"born 04.03.1951 in town":            "04.03.1951",
		"born 14 March 1951":                 "",
		"She rose to market it":              "",
		"Rose, a market":                     "Rose, a market"[:0],
		"zebulon is a word when it is small": "",
		"Zebulons came":                      "",
		"He ate a quack and a bush":          "",
	} {
		got := ""
		if found := v.Left(text, text, nil); len(found) > 0 {
			got = text[found[0].Start:found[0].End]
		}
		if got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

// What was made up counts only where it holds what it replaced; places are told
// in the original.
func TestValuesLeftThroughReplacements(t *testing.T) {
	v := knownValues()
	const before, after = "At Zebulon Hospital with Zebulon", "At [X] Hospital with Zebulon"
	replaced := []surrogate.Replacement{{Span: phi.Span{Start: 3, End: 10, Type: phi.Hospital}, OutStart: 3, OutEnd: 6}}
	if found := v.Left(before, after, replaced); len(found) != 1 || before[found[0].Start:found[0].End] != "Zebulon" || found[0].Start != 25 {
		t.Errorf("%+v", found)
	}
	for original, want := range map[string]int{"St Ann": 0, "Zebulon": 1} {
		r := []surrogate.Replacement{{Span: phi.Span{Start: 3, End: 3 + len(original), Type: phi.Hospital}, OutStart: 3, OutEnd: 10}}
		if found := v.Left("At "+original, "At Zebulon", r); len(found) != want {
			t.Errorf("%s: %+v", original, found)
		}
	}
	r := []surrogate.Replacement{{Span: phi.Span{Start: 0, End: 7, Type: phi.Patient}, OutStart: 0, OutEnd: 7, Outcome: surrogate.Kept}}
	if found := v.Left("Zebulon", "Zebulon", r); len(found) != 0 {
		t.Errorf("kept by policy: %+v", found)
	}
	if found := NewValues(nil, nil).Left("Zebulon", "Zebulon", nil); found != nil {
		t.Errorf("nothing known: %+v", found)
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		typ           phi.Type
		before, after string
		want          bool
	}{
		{phi.Patient, "SMITH", "Smith", true},
		{phi.Patient, "John Smith", "John Rao", false},
		{phi.Age, "90", "90+", false},
		{phi.Phone, "(360) 555-0119", "360.555.0119", true},
		{phi.Hospital, "Mercy Hospital", "Dale Hospital", false},
		{phi.Patient, "Smith", "[PATIENT]", false},
	} {
		r := surrogate.Replacement{Span: phi.Span{End: len(c.before), Type: c.typ}, OutEnd: len(c.after)}
		if strings.HasPrefix(c.after, "[") {
			r.Action = surrogate.Tag
		}
		if got := len(Equal(c.before, c.after, []surrogate.Replacement{r})) > 0; got != c.want {
			t.Errorf("%s to %s: %v", c.before, c.after, got)
		}
		r.Outcome = surrogate.Kept
		if len(Equal(c.before, c.before, []surrogate.Replacement{r})) > 0 {
			t.Errorf("%s was kept on purpose", c.before)
		}
	}
}
