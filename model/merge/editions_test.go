package merge

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// The year of what was published stays; a patient's moves.
func TestPublishedYearsStay(t *testing.T) {
	for in, stays := range map[string]bool{
		"staged by AJCC [DATE:2017] as T2":              true,
		"by GOLD [DATE:2019] advice":                    true,
		"(NEJM [DATE:2015])":                            true,
		"by [DATE:NEJM 2015], that is":                  true,
		"DSM-5 ([DATE:2013]) criteria":                  true,
		"meets the [DATE:2017] criteria":                true,
		"by [DATE:2015] ACC/AHA guidelines":             true,
		"by McDonald criteria [DATE:2017] as MS":        true,
		"the revised [DATE:2012] Atlanta definition":    true,
		"PSH: [DATE:2009] revision of L THA":            false,
		"[DATE:2012] staging laparotomy":                false,
		"saw Dr McDonald, [DATE:2015] or so":            false,
		"moved to Atlanta [DATE:2015] with her son":     false,
		"a woman who [DATE:2015] had a stroke":          false,
		"CABG [DATE:2017]":                              false,
		"TKR ([DATE:2009]), THR":                        false,
		"since [DATE:2017]. Criteria are met":           false,
		"in [DATE:2015], and guidelines say so":         false,
		"seen at WHO in [DATE:2015] with her son":       false,
		"staged by AJCC on [DATE:March 2017] elsewhere": false,
	} {
		text, spans := markedSpans(t, in)
		got := Combine(text, token.Tokenize(nil, text), spans, Options{})
		if (len(got) == 0) != stays {
			t.Errorf("%s: %v, want it to stay: %v", in, got, stays)
		}
	}
	for in, stays := range map[string]bool{
		"treated by [HOSPITAL:GOLD] [DATE:2014] advice":    true,
		"seen at [HOSPITAL:GOLD] in [DATE:2014]":           false,
		"seen at [HOSPITAL:Roma] [DATE:2014]":              false,
		"Dr [DOCTOR:GOLD] [DATE:2014]":                     false,
		"treated by [ORGANIZATION:WHO] [DATE:2014-03-05] ": false,
	} {
		text, spans := markedSpans(t, in)
		got := Combine(text, token.Tokenize(nil, text), spans, Options{})
		if (len(got) == 0 || got[0].Type == phi.Date) != stays {
			t.Errorf("%s: %v, want the name to stay: %v", in, got, stays)
		}
	}
	// What is known of the patient is the patient's.
	const text = "AJCC 2017"
	if got := Combine(text, token.Tokenize(nil, text), []phi.Span{span(5, 9, phi.Date, phi.Known, 1)}, Options{}); len(got) != 1 {
		t.Errorf("a known year stays: %v", got)
	}
}

// A patient's own year stays a date beside words of publications that are none.
func TestYearsOfPatientsMove(t *testing.T) {
	for _, in := range []string{"VT, s/p ICD [DATE:2014]",
		"In [DATE:2014] she met criteria for PTSD", "[DATE:2011], by consensus of the family"} {
		text, spans := markedSpans(t, in)
		if got := Combine(text, token.Tokenize(nil, text), spans, Options{}); len(got) != 1 {
			t.Errorf("%s: %v", in, got)
		}
	}
}
