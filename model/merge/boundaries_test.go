package merge

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func TestClip(t *testing.T) {
	pattern := span(10, 20, phi.Date, phi.Rules, 0.95)
	for name, c := range map[string]struct{ in, want []phi.Span }{
		"weak, over the end": {[]phi.Span{span(19, 25, phi.Doctor, phi.Network, 0.05)}, []phi.Span{span(21, 25, phi.Doctor, phi.Network, 0.05)}},
		"weak, around": {[]phi.Span{span(5, 25, phi.Doctor, phi.Network, 0.05)}, []phi.Span{span(5, 9, phi.Doctor, phi.Network, 0.05),
			span(21, 25, phi.Doctor, phi.Network, 0.05)}},
		"weak, within": {[]phi.Span{span(12, 15, phi.Doctor, phi.Network, 0.05)}, nil},
		"strong":       {[]phi.Span{span(19, 25, phi.Doctor, phi.Network, 0.9)}, []phi.Span{span(19, 25, phi.Doctor, phi.Network, 0.9)}},
		"of one kind":  {[]phi.Span{span(9, 20, phi.Date, phi.Network, 0.05)}, []phi.Span{span(9, 20, phi.Date, phi.Network, 0.05)}},
		"of one kind, spoilt": {[]phi.Span{span(5, 25, phi.Date, phi.Network, 0.05)}, []phi.Span{span(5, 9, phi.Date, phi.Network, 0.05),
			span(21, 25, phi.Date, phi.Network, 0.05)}},
		"beside": {[]phi.Span{span(21, 25, phi.Doctor, phi.Network, 0.05)}, []phi.Span{span(21, 25, phi.Doctor, phi.Network, 0.05)}},
	} {
		got := clip("xxxx xxxx 2014-03-05 xxxx xxxx", append(c.in, pattern), Options{})
		want := append(c.want, pattern)
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

func TestEnds(t *testing.T) {
	const text = "Ann Whitaker said Lowe, five words"
	network := func(start, end int, typ phi.Type) phi.Span { return span(start, end, typ, phi.Network, 0.6) }
	rule := func(start, end int, typ phi.Type) phi.Span { return span(start, end, typ, phi.Rules, 0.9) }
	for name, c := range map[string]struct {
		rule phi.Span
		by   []phi.Span
		kept bool
	}{
		"more words":               {rule(0, 17, phi.Doctor), []phi.Span{network(0, 12, phi.Doctor)}, false},
		"another name":             {rule(0, 22, phi.Doctor), []phi.Span{network(0, 12, phi.Doctor)}, true},
		"the same name":            {rule(0, 20, phi.Doctor), []phi.Span{network(0, 20, phi.Doctor)}, true},
		"a name and a place":       {rule(0, 20, phi.Doctor), []phi.Span{network(0, 12, phi.City)}, true},
		"a hospital, a firm":       {rule(0, 20, phi.Hospital), []phi.Span{network(4, 20, phi.Organization)}, false},
		"only a rule":              {rule(0, 20, phi.Doctor), []phi.Span{network(21, 30, phi.Doctor)}, true},
		"the network doubts":       {rule(0, 20, phi.Street), []phi.Span{span(0, 5, phi.Street, phi.Network, 0.05)}, true},
		"a postcode has a pattern": {rule(0, 20, phi.ZIP), []phi.Span{network(0, 12, phi.City)}, true},
		"a range of dates":         {rule(0, 20, phi.Date), []phi.Span{network(0, 8, phi.Date), network(12, 20, phi.Date)}, false},
		"a longer date":            {rule(0, 20, phi.Date), []phi.Span{network(4, 20, phi.Date)}, true},
		"a longer number":          {rule(0, 20, phi.IDNum), []phi.Span{network(4, 20, phi.IDNum)}, true},
	} {
		got := ends(text, append([]phi.Span{c.rule}, c.by...), Options{})
		if kept := len(got) == 1+len(c.by); kept != c.kept {
			t.Errorf("%s: %v", name, got)
		}
	}
	// The number of a house, a flat or a suite goes with its street.
	const street = "2200 Stettin Mill Drive, Suite 140"
	if got := ends(street, []phi.Span{rule(0, 34, phi.Street), network(0, 23, phi.Street)}, Options{}); len(got) != 2 {
		t.Errorf("%s: %v", street, got)
	}
	// Two dates of which the network misses a digit are not the ends of the rule's range.
	const stay = "3/4/10-12/4/10"
	if got := ends(stay, []phi.Span{rule(0, 14, phi.Date), network(2, 6, phi.Date), network(7, 14, phi.Date)}, Options{}); len(got) != 3 {
		t.Errorf("%s: %v", stay, got)
	}
	// Of two of the network's within a rule's the first decides, however they come.
	a, b := network(0, 12, phi.Doctor), network(13, 17, phi.Doctor)
	for _, by := range [][]phi.Span{{a, b}, {b, a}} {
		if got := ends(text, append([]phi.Span{rule(0, 17, phi.Doctor)}, by...), Options{}); len(got) != 2 {
			t.Errorf("%v: %v", by, got)
		}
	}
	known := span(0, 20, phi.Doctor, phi.Known, 1)
	if got := ends(text, []phi.Span{known, network(0, 12, phi.Doctor)}, Options{}); len(got) != 2 {
		t.Errorf("the known identifier's span is gone: %v", got)
	}
}
