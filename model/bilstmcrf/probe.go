package bilstmcrf

import "github.com/palimpsest-deid/palimpsest/model/tagger"

// Probe returns a digest of what the model's graphs make of a fixed text; see
// tagger.Probe.
func (m *Model) Probe(chars CharEncoder, emitter Emitter) (string, error) {
	return tagger.Probe(len(m.Labels), emitter, func(e Emitter) tagger.Tagger { return NewTagger(m, chars, e, Options{}) })
}
