package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// resolve turns the candidates into spans that do not overlap. No byte of a
// candidate is lost, save blanks and marks at the edges of what remains.
func (m *Matcher) resolve(dst []phi.Span, text string) []phi.Span {
	found := m.found
	slices.SortFunc(found, func(a, b pattern.Candidate) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, a.Rule-b.Rule)
	})
	for lo := 0; lo < len(found); {
		hi, end := lo+1, found[lo].End
		for hi < len(found) && found[hi].Start < end {
			end = max(end, found[hi].End)
			hi++
		}
		dst = m.cluster(dst, text, found[lo:hi], found[lo].Start, end)
		lo = hi
	}
	return dst
}

// cluster resolves candidates that touch one another and cover text[start:end]:
// it paints each one over the bytes, the least trusted first, and reads the
// colours. The cost is the sum of their lengths.
func (m *Matcher) cluster(dst []phi.Span, text string, cs []pattern.Candidate, start, end int) []phi.Span {
	if len(cs) == 1 {
		return emit(dst, text, cs[0].Start, cs[0].End, &cs[0])
	}
	cs = joinTypes(cs)
	slices.SortFunc(cs, func(a, b pattern.Candidate) int {
		return cmp.Or(
			trust(a.Score)-trust(b.Score),
			(a.End-a.Start)-(b.End-b.Start),
			cmp.Compare(a.Score, b.Score),
			cmp.Compare(b.Type, a.Type),
			b.Rule-a.Rule,
			b.Start-a.Start,
		)
	})
	m.owner = m.owner[:0]
	for range end - start {
		m.owner = append(m.owner, -1)
	}
	for k := range cs {
		for i := cs[k].Start; i < cs[k].End; i++ {
			m.owner[i-start] = int32(k)
		}
	}
	for i := 0; i < len(m.owner); {
		j := i + 1
		for j < len(m.owner) && m.owner[j] == m.owner[i] {
			j++
		}
		if k := m.owner[i]; k >= 0 {
			dst = emit(dst, text, start+i, start+j, &cs[k])
		}
		i = j
	}
	return dst
}

// trust groups scores: within a group the longer candidate wins, so that a
// labelled id keeps the date inside it.
func trust(score float32) int {
	switch {
	case score >= policy.SurePattern:
		return 2
	case score >= policy.FairRule:
		return 1
	}
	return 0
}

// joinTypes unites overlapping candidates of one type and trust. cs is sorted
// by start and reused.
func joinTypes(cs []pattern.Candidate) []pattern.Candidate {
	var last [phi.NumTypes][3]int // 1 + index in out of the latest of its kind
	out := cs[:0]
	for _, c := range cs {
		l := &last[c.Type][trust(c.Score)]
		if *l > 0 && c.Start < out[*l-1].End {
			o := &out[*l-1]
			o.End = max(o.End, c.End)
			o.Score = max(o.Score, c.Score)
			continue
		}
		out = append(out, c)
		*l = len(out)
	}
	return out
}

// emit appends text[start:end] as a span of c's kind, unless nothing but
// blanks and marks is left of it.
func emit(dst []phi.Span, text string, start, end int, c *pattern.Candidate) []phi.Span {
	if start == c.Start && end == c.End {
		return append(dst, phi.Span{Start: start, End: end, Type: c.Type, Tagger: phi.Rules, Score: c.Score})
	}
	start, end = pattern.Trim(text, start, end)
	if start >= end {
		return dst
	}
	// The remains of a candidate are letters or digits, or not worth a span.
	if strings.IndexFunc(text[start:end], pattern.IsWord) < 0 {
		return dst
	}
	return append(dst, phi.Span{Start: start, End: end, Type: c.Type, Tagger: phi.Rules, Score: c.Score})
}
