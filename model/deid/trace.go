package deid

import "github.com/palimpsest-deid/palimpsest/model/phi"

// Event is what happened to one span of one text on its way. A zero After says
// that the span was dropped.
type Event struct {
	Document string
	Text     int // index among the note's texts
	phi.Event
}

// tell returns what hears of the spans of one text, nil where nobody listens.
func tell(trace func(Event), document string, text int) func(phi.Event) {
	if trace == nil {
		return nil
	}
	return func(e phi.Event) { trace(Event{document, text, e}) }
}
