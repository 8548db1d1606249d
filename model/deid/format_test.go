package deid

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/view"
)

// namer is a network that takes each Hale for a doctor.
type namer struct{}

func (namer) Tag(texts []bilstmcrf.Text) (all [][]phi.Span, err error) {
	for _, t := range texts {
		var spans []phi.Span
		for at := 0; ; {
			i := strings.Index(t.Text[at:], "Hale")
			if i < 0 {
				break
			}
			at += i
			spans = append(spans, phi.Span{Start: at, End: at + 4, Type: phi.Doctor, Tagger: phi.Network, Score: 0.9})
			at += 4
		}
		all = append(all, spans)
	}
	return all, nil
}

// The network is not asked about styles and scripts; what is found in a text in HTML is
// found in its view, across marks, and texts that are not read hold their note back.
func TestFormatsOfTexts(t *testing.T) {
	d := &Detector{Settings: Settings{Steps: AllSteps(), Format: view.Auto}, Network: namer{}}
	notes := []Note{{Document: "a"}, {Document: "b"}, {Document: "c"}, {Document: "d"}}
	texts := [][]string{
		{`<p style="font-family:Hale" title="Dr. Hale">Dr. Ha<b>le</b> and Hale`}, {"<?xml version='1.0'?><x/>"},
		{`<img src="data:image/png;base64,AA==">`}, {"Dr. Ha<b", ""},
	}
	if _, err := d.Detect(notes, texts); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, s := range notes[0].Spans {
		found = append(found, s.Surface)
	}
	if strings.Join(found, " ") != "Hale Hale Hale" || notes[1].Failure != ReasonNotPlain || notes[2].Failure != ReasonEmbedded ||
		notes[3].Failure != "" {
		t.Errorf("found %q, failures %q %q %q", found, notes[1].Failure, notes[2].Failure, notes[3].Failure)
	}
	d.Settings.Format = view.Plain
	for i := range notes {
		notes[i] = Note{Document: notes[i].Document}
	}
	if _, err := d.Detect(notes, texts); err != nil || len(notes[0].Spans) != 3 || notes[1].Failure != "" {
		t.Errorf("as plain text: %d spans, %q, %v", len(notes[0].Spans), notes[1].Failure, err)
	}
}
