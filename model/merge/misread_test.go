package merge

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Names and places end where words end that a scanner misread; other spans, and other
// words, stay as they are.
func TestMisreadWordsAreWhole(t *testing.T) {
	for in, want := range map[string]string{
		"by [DOCTOR:Trex]1er, RN":                "by [DOCTOR:Trex1er], RN",
		"by [DOCTOR:A. Domingci]1 RN":            "by [DOCTOR:A. Domingci1] RN",
		"[PATIENT:TRAHAN, Wl]LL came":            "[PATIENT:TRAHAN, WlLL] came",
		"ESC0[HOSPITAL:BALES CLINIC]":            "[HOSPITAL:ESC0BALES CLINIC]",
		"[CITY:T]0[CITY:LEDO]":                   "[CITY:T0][CITY:LEDO]",
		"[STREET:12 Quarry Rd,  H0][CITY:USTON]": "[STREET:12 Quarry Rd],  [CITY:H0USTON]",
		"[PATIENT:Smith]4/12":                    "[PATIENT:Smith]4/12",
		"[PATIENT:Smith]1/12":                    "[PATIENT:Smith]1/12",
		"[PATIENT:Smith]MD":                      "[PATIENT:Smith]MD",
		"MRN[PATIENT:Smith]":                     "MRN[PATIENT:Smith]",
		"[DATE:Mar1]ys":                          "[DATE:Mar1]ys",
		"bed [ROOM:C0]MMENTS":                    "bed [ROOM:C0]MMENTS",
		"[PATIENT:Smith]":                        "[PATIENT:Smith]",
		"[PATIENT:SMlTH] [PATIENT:WlL]L[AGE:5]":  "[PATIENT:SMlTH] [PATIENT:WlLL][AGE:5]",
	} {
		text, spans := markedSpans(t, in)
		var found []phi.Found
		for _, s := range misread(text, spans, Options{}) {
			found = append(found, phi.Found{Span: s})
		}
		if got := describe(text, found); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
