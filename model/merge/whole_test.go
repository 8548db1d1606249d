package merge

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// A date that was found in parts is one span where no part of it could be moved
// alone, and two where both can.
func TestDatesAreWhole(t *testing.T) {
	for in, want := range map[string]string{
		"on [DATE:July] [DATE:4th] at":                     "on [DATE:July 4th] at",
		"on [DATE:23rd] of [DATE:April 2008]":              "on [DATE:23rd of April 2008]",
		"on [DATE:Nov 30] [DATE:'07]":                      "on [DATE:Nov 30 '07]",
		"on [DATE:June 3]-[DATE:5, 2019]":                  "on [DATE:June 3-5, 2019]",
		"on [DATE:June 3] and [DATE:5]":                    "on [DATE:June 3 and 5]",
		"on [DATE:Remembrance] [DATE:Sunday]":              "on [DATE:Remembrance Sunday]",
		"[DATE:May 7] to [DATE:May 10, 2013]":              "[DATE:May 7 to May 10, 2013]", // whose year both have
		"[DATE:Friday], [DATE:September] [DATE:27]":        "[DATE:Friday], [DATE:September 27]",
		"[DATE:Wed] [DATE:5/10]":                           "[DATE:Wed] [DATE:5/10]",
		"[DATE:3/14]-[DATE:3/17]":                          "[DATE:3/14]-[DATE:3/17]",
		"[DATE:Jan 30]-[DATE:Feb 2]":                       "[DATE:Jan 30]-[DATE:Feb 2]",
		"[DATE:3/4], [DATE:May 2020]":                      "[DATE:3/4], [DATE:May 2020]", // a list
		"[DATE:12/5]  [DATE:12/12]":                        "[DATE:12/5]  [DATE:12/12]",
		"[DATE:1992]-[DATE:2006]":                          "[DATE:1992]-[DATE:2006]",
		"[DATE:June]\n[DATE:4th]":                          "[DATE:June]\n[DATE:4th]",
		"[DATE:Tuesday 14 March 09]:40":                    "[DATE:Tuesday 14 March] 09:40",
		"[DATE:14 March 09].40, then":                      "[DATE:14 March] 09.40, then",
		"[DATE:3/4 09]:15":                                 "[DATE:3/4] 09:15",
		"[DATE:14 March 09]: better":                       "[DATE:14 March 09]: better",
		"[DATE:March 14]:40":                               "[DATE:March 14]:40", // the day
		"[DATE:3/4/19]:30":                                 "[DATE:3/4/19]:30",
		"until [DATE:mid-][DATE:November], [DATE:late]":    "until mid-[DATE:November], late",
		"the [DATE:week] of [DATE:early June]":             "the week of [DATE:early June]",
		"[DOCTOR:Mid] and [PATIENT:March] [PATIENT:April]": "[DOCTOR:Mid] and [PATIENT:March] [PATIENT:April]",
	} {
		text, spans := markedSpans(t, in)
		if got := describe(text, Combine(text, token.Tokenize(nil, text), spans, Options{})); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// A number that the network took with a date does not spoil it.
func TestADateIsNotSpoilt(t *testing.T) {
	const text = "staffing 2-15-24 / 9th grade"
	got := Combine(text, token.Tokenize(nil, text), []phi.Span{span(9, 16, phi.Date, phi.Rules, .97), span(9, 13, phi.Date, phi.Network, .2),
		span(14, 22, phi.Date, phi.Network, .1)}, Options{})
	if want := "staffing [DATE:2-15-24] / [DATE:9th] grade"; describe(text, got) != want {
		t.Errorf("got %s, want %s", describe(text, got), want)
	}
}

// A rule's whole date stands where the network has found parts that cannot be
// read alone.
func TestARuleKeepsADateWhole(t *testing.T) {
	for text, kept := range map[string]bool{"June 3-5, 2019": true, "23rd of April 2008": true, "Nov 30 '07": true, "3/14/19-3/17/19": false,
		"2004-2006": false} {
		rule := span(0, len(text), phi.Date, phi.Rules, .95)
		for cut := 1; cut+1 < len(text); cut++ {
			if text[cut] != ' ' && text[cut] != '-' {
				continue
			}
			got := ends(text, []phi.Span{rule, span(0, cut, phi.Date, phi.Network, .9), span(cut+1, len(text), phi.Date, phi.Network, .9)},
				Options{})
			if (len(got) == 3) != kept {
				t.Errorf("%s cut at %d: %v, want the rule's kept: %v", text, cut, got, kept)
			}
		}
	}
}
