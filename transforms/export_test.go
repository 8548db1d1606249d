package transforms

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Poison makes the taggers of engines that are made from now on panic over texts
// that hold the word given for them, and returns what takes that back.
func Poison(network, rules string) (undo func()) {
	before := made
	made = func(e *engine) {
		e.detector.Network = poisonedNetwork{e.detector.Network, network}
		healthy := e.detector.Rules
		e.detector.Rules = func() deid.Matcher { return poisonedRules{healthy(), rules} }
	}
	return func() { made = before }
}

// PoisonReader is Poison for the second reader of a gate.
func PoisonReader(word string) (undo func()) {
	before := made
	made = func(e *engine) { e.reader = poisonedNetwork{e.reader, word} }
	return func() { made = before }
}

type poisonedNetwork struct {
	deid.Network
	word string
}

func (p poisonedNetwork) Tag(texts []bilstmcrf.Text) ([][]phi.Span, error) {
	for _, t := range texts {
		if strings.Contains(t.Text, p.word) {
			panic(t.Text)
		}
	}
	return p.Network.Tag(texts)
}

type poisonedRules struct {
	deid.Matcher
	word string
}

func (p poisonedRules) Tag(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	if strings.Contains(text, p.word) {
		panic(text)
	}
	return p.Matcher.Tag(dst, text, tokens)
}
