package tagger

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Union finds what any of its taggers finds, as Dernoncourt et al. 2017 unite CRF and
// network. Where two overlap the earlier one says where its span ends and what it is;
// of the later one's the stretches are added that no earlier one touches.
type Union []Member

// Member is a tagger of a union, and the name of its model.
type Member struct {
	Name string
	Tagger
}

// Tag implements Tagger.
func (u Union) Tag(texts []Text) ([][]phi.Span, error) {
	found, err := u.unite(texts, func(f Found) bool { return f.Type == phi.None })
	if err != nil {
		return nil, err
	}
	return Spans(found), nil
}

// TagKinds implements Tagger.
func (u Union) TagKinds(texts []Text) ([][]Found, error) {
	return u.unite(texts, func(Found) bool { return false })
}

// unite leaves out the spans that are not asked for before they can stand in the way of
// others. Spans of phi.Doubt are doubtful only where no tagger is sure; of two numbers the greatest
// chance is told that any tagger gives them (phi.Odds).
func (u Union) unite(texts []Text, without func(Found) bool) ([][]Found, error) {
	all := make([][]Found, len(texts))
	doubts, odds := make([][]Found, len(texts)), make([][]Found, len(texts))
	for k, t := range u {
		found, err := t.TagKinds(texts)
		if err != nil {
			return nil, err
		}
		if len(found) != len(texts) {
			return nil, fmt.Errorf("a tagger gave spans for %d of %d texts", len(found), len(texts))
		}
		for i, of := range found {
			sure, doubtful, chances := apart(slices.DeleteFunc(of, without))
			odds[i] = append(odds[i], chances...)
			if k == 0 {
				all[i], doubts[i] = sure, doubtful
				continue
			}
			tokens := texts[i].Tokens
			all[i] = append(all[i], Beyond(sure, all[i], tokens)...)
			Sort(all[i])
			doubts[i] = append(doubts[i], Beyond(doubtful, doubts[i], tokens)...)
			Sort(doubts[i])
		}
	}
	for i := range all {
		all[i] = append(all[i], Beyond(doubts[i], all[i], texts[i].Tokens)...)
		all[i] = append(all[i], greatest(odds[i])...)
		Sort(all[i])
	}
	return all, nil
}

// Finders returns, for each span of one text that a union has found, the names of the
// members that find something there. It runs them again, for those who ask why.
func (u Union) Finders(text Text, spans []phi.Span) ([][]string, error) {
	names := make([][]string, len(spans))
	for _, m := range u {
		found, err := m.Tag([]Text{text})
		if err != nil {
			return nil, err
		}
		for i, s := range spans {
			if slices.ContainsFunc(found[0], func(f phi.Span) bool { return f.Start < s.End && s.Start < f.End }) {
				names[i] = append(names[i], m.Name)
			}
		}
	}
	return names, nil
}

// apart returns the spans that are findings, those of phi.Doubt and those of phi.Odds.
func apart(found []Found) (sure, doubtful, odds []Found) {
	for _, f := range found {
		switch f.Tagger {
		case phi.Doubt:
			doubtful = append(doubtful, f)
		case phi.Odds:
			odds = append(odds, f)
		default:
			sure = append(sure, f)
		}
	}
	return sure, doubtful, odds
}

// greatest returns of odds about the same numbers those of the greatest chance.
func greatest(odds []Found) []Found {
	slices.SortStableFunc(odds, func(a, b Found) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, cmp.Compare(b.Score, a.Score))
	})
	return slices.CompactFunc(odds, func(a, b Found) bool { return a.Start == b.Start && a.End == b.End })
}

// Forget has those of the taggers that remember what they have read forget it.
func (u Union) Forget() {
	for _, t := range u {
		if t, ok := t.Tagger.(interface{ Forget() }); ok {
			t.Forget()
		}
	}
}
