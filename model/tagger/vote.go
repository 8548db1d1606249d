package tagger

import (
	"cmp"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Vote finds what more than half of its members find, token by token: both of two, two
// of three. The first one that finds a token says what it is, as in a Union.
type Vote struct {
	Members Union
	Doubts  bool // what fewer find is doubtful, where else it is nothing
}

// Tag implements Tagger.
func (v Vote) Tag(texts []Text) ([][]phi.Span, error) {
	found, err := v.poll(texts, true)
	if err != nil {
		return nil, err
	}
	return Spans(found), nil
}

// TagKinds implements Tagger.
func (v Vote) TagKinds(texts []Text) ([][]Found, error) { return v.poll(texts, false) }

// Finders returns which members find something at each span; see Union.Finders.
func (v Vote) Finders(text Text, spans []phi.Span) ([][]string, error) {
	return v.Members.Finders(text, spans)
}

func (v Vote) poll(texts []Text, phiAlone bool) ([][]Found, error) {
	votes := make([][]int, len(texts))
	for i, t := range texts {
		votes[i] = make([]int, len(t.Tokens))
	}
	polled := make(Union, len(v.Members))
	for k, m := range v.Members {
		polled[k] = Member{m.Name, counted{m.Tagger, votes, phiAlone}}
	}
	found, err := polled.unite(texts, func(f Found) bool { return phiAlone && f.Type == phi.None })
	if err != nil {
		return nil, err
	}
	for i, of := range found {
		found[i] = v.count(of, votes[i], texts[i].Tokens)
	}
	return found, nil
}

// count cuts what any member found, of one text, to what has won.
func (v Vote) count(found []Found, votes []int, tokens []token.Token) []Found {
	any, doubtful, odds := apart(found)
	won := Beyond(any, few(votes, len(v.Members)/2+1, tokens), tokens)
	if v.Doubts {
		lost := Beyond(any, won, tokens)
		for i := range lost {
			lost[i].Tagger = phi.Doubt
		}
		doubtful = append(doubtful, lost...)
	}
	won = append(append(won, doubtful...), odds...)
	Sort(won)
	return won
}

// counted counts the votes of one tagger as it finds.
type counted struct {
	Tagger
	votes    [][]int // of each token of each text
	phiAlone bool
}

func (c counted) TagKinds(texts []Text) ([][]Found, error) {
	found, err := c.Tagger.TagKinds(texts)
	if err != nil {
		return nil, err
	}
	for i, of := range found[:min(len(found), len(texts))] {
		for _, f := range of {
			if f.Tagger.Aside() || c.phiAlone && f.Type == phi.None {
				continue
			}
			tokens := texts[i].Tokens
			for k := firstAt(tokens, f.Start); k < len(tokens) && int(tokens[k].Start) < f.End; k++ {
				c.votes[i][k]++
			}
		}
	}
	return found, nil
}

// few returns the tokens that have too few votes, as spans.
func few(votes []int, need int, tokens []token.Token) []Found {
	var out []Found
	for k, n := range votes {
		if n < need {
			out = append(out, Found{Span: phi.Span{Start: int(tokens[k].Start), End: int(tokens[k].End)}})
		}
	}
	return out
}

// firstAt returns the first token that ends behind a place.
func firstAt(tokens []token.Token, at int) int {
	k, _ := slices.BinarySearchFunc(tokens, at, func(t token.Token, at int) int { return cmp.Compare(int(t.End), at+1) })
	return k
}
