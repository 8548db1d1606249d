package lexicon

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// What nobody sees, or a hyphen at a line's end, does not hide what is known.
func TestKnownNamesBrokenApart(t *testing.T) {
	l := known(Identifiers{
		Names: []string{"Ngozi Okonkwo-Hale", "Zebu\u00adlon Adebayo", "Will Bell"}, MRNs: []string{"00481-2237"},
		Addresses: []string{"12 Brailer Row, San Jose"}})
	for _, c := range []struct{ text, want string }{
		{"Ms Okon\u00adkwo came", "PATIENT:Okon\u00adkwo"},
		{"Okon\u200bkwo, Okon\u200ckwo, Okon\u200dkwo", "PATIENT:Okon\u200bkwo PATIENT:Okon\u200ckwo PATIENT:Okon\u200dkwo"},
		{"O\u2060kon\u2060\ufeffkw\u00ado", "PATIENT:O\u2060kon\u2060\ufeffkw\u00ado"},
		{"OKON\u00adKWO", "PATIENT:OKON\u00adKWO"},
		{"Ngo\u00adzi Okon\u00adkwo-Ha\u00adle", "PATIENT:Ngo\u00adzi Okon\u00adkwo-Ha\u00adle"},
		{"zebulon, Zebulon", "PATIENT:zebulon PATIENT:Zebulon"},
		{"Okon-\nkwo", "PATIENT:Okon-\nkwo"},
		{"Okon-\r\n   kwo, Okon- \nkwo, Okon\u2010\nkwo", "PATIENT:Okon-\r\n   kwo PATIENT:Okon- \nkwo PATIENT:Okon\u2010\nkwo"},
		{"Okon\u00ad\nkwo", "PATIENT:Okon\u00ad\nkwo"},
		{"Ngozi Okon-\nkwo-Hale", "PATIENT:Ngozi Okon-\nkwo-Hale"},
		{"Okonkwo-\nHale", "PATIENT:Okonkwo-\nHale"},
		{"N. Okonkw\u00ado", "PATIENT:N. Okonkw\u00ado"},
		{"from San\u200bJose", "CITY:San\u200bJose"}, // in a blank's place
		{"from San Jo\u00adse", "CITY:San Jo\u00adse"},
		{"san jo\u00adse", ""},
		{"12 Brai\u00adler Row", "STREET:12 Brai\u00adler Row"},
		{"MRN 00481\u00ad2237", "MEDICALRECORD:00481\u00ad2237"},
		{"MRNOKONKWO-\nx", "PATIENT:MRNOKONKWO"},
		{"to okon\u00adkwo@x.org", "PATIENT:okon\u00adkwo EMAIL:okon\u00adkwo@x.org"},
		{"Okon-kwo, Okon\nkwo, Okon -\nkwo, Okon\u00ad kwo", ""},
		{"follow-up: ble-\nbel-\nling; wi\u00adll", ""},
	} {
		if got := swept(l, c.text); got != c.want {
			t.Errorf("%q:\n found %q\n want  %q", c.text, got, c.want)
		}
	}
	for text, want := range map[string]bool{"Okon\u00adkwo": true, "Okon-\nkwo": true, "Okon\u200bkwo-\nHa\u00adle": true, "O. K.": false} {
		if l.Knows(text) != want {
			t.Errorf("Knows(%q) is %v", text, !want)
		}
	}
}

// Text made to be walked again and again is swept in time that grows as it does:
// in steps that grew with its square, this would take hours.
func TestSweepOfBrokenText(t *testing.T) {
	l := known(Identifiers{Names: []string{"Ngozi Okonkwo"}, MRNs: []string{"00481-2237"}, Phones: []string{"020 7946 0123"}})
	for _, text := range []string{
		strings.Repeat("a-\n", 400_000),
		strings.Repeat("a\u00ad", 400_000),
		"Okon" + strings.Repeat("\u00ad", 600_000),
		strings.Repeat("Ngozi\u00ad", 150_000),
		strings.Repeat("Ngozi-\n", 150_000),
		strings.Repeat("Okon-\u00ad", 150_000),
		strings.Repeat("0", 1_200_000),
		strings.Repeat("00 ", 400_000),
		strings.Repeat("+0", 600_000),
	} {
		whole := text + "\n Okon-\nkwo"
		spans := l.Sweep([]phi.Span(nil), whole, token.Tokenize(nil, whole))
		if len(spans) == 0 || spans[len(spans)-1].Start != len(text)+2 || spans[len(spans)-1].End != len(whole) {
			t.Errorf("%.10q: %d spans, the last not the name", text, len(spans))
		}
	}
}

// Nothing is allocated for what is broken apart.
func TestSweepOfBrokenTextAllocatesNothing(t *testing.T) {
	l := known(Identifiers{Names: []string{"Ngozi Okonkwo"}, MRNs: []string{"481223"}})
	text := strings.Repeat("Okon\u00adkwo and Okon-\nkwo, 00481223; ", 20)
	tokens := token.Tokenize(nil, text)
	spans := l.Sweep(nil, text, tokens)
	if n := testing.AllocsPerRun(10, func() { spans = l.Sweep(spans[:0], text, tokens) }); n > 0 || len(spans) != 60 {
		t.Errorf("%v allocations for %d spans", n, len(spans))
	}
}
