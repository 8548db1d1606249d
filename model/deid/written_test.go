package deid

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func TestWrittenOn(t *testing.T) {
	s := Settings{Language: "en"}
	of := func(surfaces ...string) *Note {
		n := &Note{}
		for _, text := range surfaces {
			n.Spans = append(n.Spans, phi.Found{Span: phi.Span{Type: phi.Date}, Surface: text})
		}
		return n
	}
	for _, c := range []struct {
		note *Note
		want string // "" for none
	}{
		{&Note{Dated: true, Day: dayOf(t, "2014-03-04")}, "2014-03-04"},
		{of(), ""},
		{of("3/4", "Tuesday", "2014", "March 2014"), ""},
		{of("9/9/9999", "March 4, 2014"), "2014-03-04"},
		{of("5/6/1950", "3/4/2014"), "2014-03-04"},
		{of("5/6/1950", "March 4, 2014", "2014-04-01"), "2014-03-04"},
		{&Note{Spans: []phi.Found{{Span: phi.Span{Type: phi.Phone}, Surface: "2014-03-04"}}}, ""},
	} {
		day, ok := s.WrittenOn(c.note)
		if ok != (c.want != "") || ok && day != dayOf(t, c.want) {
			t.Errorf("%+v: %d, %v; want %s", c.note, day, ok, c.want)
		}
	}
}
