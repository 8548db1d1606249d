package merge

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// Where a rule only confirms the network, whatever it goes by, the network's
// spans stand alone; a rule that finds a letter or digit more, and what the
// network doubts, are as ever.
func TestConfirmed(t *testing.T) {
	const text = "sent to North Wenfold Surgery 3/4/2019 by fax"
	for _, c := range []struct {
		name  string
		spans []phi.Span
		want  string
	}{
		{"within", []phi.Span{span(14, 29, phi.Hospital, phi.Rules, .85), span(8, 29, phi.Hospital, phi.Network, .3)},
			"sent to [HOSPITAL:North Wenfold Surgery] 3/4/2019 by fax"},
		{"of another type", []phi.Span{span(14, 21, phi.State, phi.Rules, .85), span(14, 21, phi.Street, phi.Network, .6)},
			"sent to North [STREET:Wenfold] Surgery 3/4/2019 by fax"},
		{"a sure pattern", []phi.Span{span(30, 38, phi.IDNum, phi.Rules, .97), span(29, 38, phi.Date, phi.Network, .9)},
			"sent to North Wenfold Surgery[DATE: 3/4/2019] by fax"},
		{"within two", []phi.Span{span(30, 38, phi.Date, phi.Rules, .97), span(30, 33, phi.Date, phi.Network, .9),
			span(34, 38, phi.Date, phi.Network, .9)},
			"sent to North Wenfold Surgery [DATE:3/4/2019] by fax"},
		{"a network that doubts", []phi.Span{span(30, 38, phi.Date, phi.Rules, .97), span(30, 38, phi.IDNum, phi.Network, .1)},
			"sent to North Wenfold Surgery [DATE:3/4/2019] by fax"},
		{"a digit more", []phi.Span{span(30, 38, phi.Date, phi.Rules, .97), span(30, 37, phi.IDNum, phi.Network, .9)},
			"sent to North Wenfold Surgery [DATE:3/4/2019] by fax"},
		{"a digit more between two", []phi.Span{span(30, 38, phi.Date, phi.Rules, .97), span(30, 33, phi.IDNum, phi.Network, .9),
			span(35, 38, phi.IDNum, phi.Network, .9)},
			"sent to North Wenfold Surgery [DATE:3/4/2019] by fax"},
		{"a rule alone", []phi.Span{span(8, 29, phi.Hospital, phi.Rules, .85), span(30, 38, phi.Date, phi.Network, .9)},
			"sent to [HOSPITAL:North Wenfold Surgery] [DATE:3/4/2019] by fax"},
		{"the census", []phi.Span{span(14, 21, phi.Doctor, phi.Known, 1), span(14, 21, phi.City, phi.Network, .9)},
			"sent to North [DOCTOR:Wenfold] Surgery 3/4/2019 by fax"},
	} {
		found := Combine(text, token.Tokenize(nil, text), c.spans, Options{})
		if got := describe(text, found); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A number that a scanner misread, and of which a pattern has a part, stays whole:
// its last word is not cut in two, nor is what is of one kind cut at all.
func TestWordsStayWhole(t *testing.T) {
	const text = "Fx (905) 555-0ll2 -> Ann"
	for typ, want := range map[phi.Type]string{
		phi.Phone: "Fx [FAX:(905) 555-0ll2] -> Ann",
		phi.City:  "Fx [FAX:(905) 555-0ll2] -> Ann",
	} {
		spans := []phi.Span{span(3, 14, phi.Fax, phi.Rules, .98), span(3, 17, typ, phi.Network, .2)}
		if got := describe(text, Combine(text, token.Tokenize(nil, text), spans, Options{Without: Confirmed})); got != want {
			t.Errorf("%v: %s, want %s", typ, got, want)
		}
	}
}

// Each part that is left out leaves its spans as they were found.
func TestPartsLeftOut(t *testing.T) {
	for _, c := range []struct {
		part       Part
		text       string
		spans      []phi.Span
		with, left string
	}{
		{Ends, "by Ann Lee today", []phi.Span{span(3, 16, phi.Patient, phi.Rules, .82), span(3, 10, phi.Patient, phi.Network, .9)},
			"by [PATIENT:Ann Lee] today", "by [PATIENT:Ann Lee today]"},
		{Clip, "seen 3/4/2019 Z stamp", []phi.Span{span(5, 15, phi.Date, phi.Rules, .97), span(14, 21, phi.Patient, phi.Network, .3)},
			"seen [DATE:3/4/2019 Z] [PATIENT:stamp]", "seen [DATE:3/4/2019 Z stamp]"},
		{Confirmed, "on 3/4/2019", []phi.Span{span(3, 11, phi.Date, phi.Rules, .97), span(2, 11, phi.IDNum, phi.Network, .9)},
			"on[IDNUM: 3/4/2019]", "on[DATE: 3/4/2019]"},
		{Within, "to Santa Cruz Pecan", []phi.Span{span(3, 19, phi.Organization, phi.Network, .9), span(9, 13, phi.Patient, phi.Known, 1)},
			"to [ORGANIZATION:Santa Cruz Pecan]", "to [PATIENT:Santa Cruz Pecan]"},
		{Whole, "on July 4th, mid-", []phi.Span{span(3, 7, phi.Date, phi.Network, .9), span(8, 11, phi.Date, phi.Network, .9),
			span(13, 17, phi.Date, phi.Network, .9)},
			"on [DATE:July 4th], mid-", "on [DATE:July] [DATE:4th], [DATE:mid-]"},
		{Legible, "a , b", []phi.Span{span(2, 3, phi.Date, phi.Network, .9)}, "a , b", "a [DATE:,] b"},
	} {
		run := func(without Part) string {
			spans := append([]phi.Span{}, c.spans...)
			return describe(c.text, Combine(c.text, token.Tokenize(nil, c.text), spans, Options{Guard: true, Without: without}))
		}
		if got := run(0); got != c.with {
			t.Errorf("part %d: %s, want %s", c.part, got, c.with)
		}
		if got := run(c.part); got != c.left {
			t.Errorf("without part %d: %s, want %s", c.part, got, c.left)
		}
	}
	const text = "seen by Dr Okonkwo"
	for _, without := range []Part{0, Cues} {
		found := Combine(text, token.Tokenize(nil, text), []phi.Span{span(11, 18, phi.Doctor, phi.Network, .9)}, Options{Without: without})
		if len(found) != 1 || found[0].Cue != (without == 0) {
			t.Errorf("without %d: %+v", without, found)
		}
	}
}

// Each veto holds by itself: left out, what it alone dropped stays.
func TestVetoesLeftOut(t *testing.T) {
	for why, c := range map[string]struct {
		text string
		typ  phi.Type
	}{
		"a fraction of medicine":                   {"hip flexion [4/5] on the left", phi.Date},
		"a disease or scale called after somebody": {"has [Asherman], for hysteroscopy", phi.Patient},
		"the name of a drug":                       {"then -> [Copaxone] 2009", phi.Doctor},
		"a fall to the ground":                     {"may return after the [fall] if weak", phi.Date},
	} {
		for k, reason := range veto.Reasons() {
			text, s := bracketed(c.text, c.typ, phi.Network)
			found := Combine(text, token.Tokenize(nil, text), []phi.Span{s}, Options{Guard: true, Vetoes: 1 << k})
			if kept := len(found) == 1; kept != (reason == why) {
				t.Errorf("%s: without %q kept is %v", c.text, reason, kept)
			}
		}
	}
}
