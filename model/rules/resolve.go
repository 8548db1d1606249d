package rules

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// resolve turns the candidates into spans that do not overlap. No byte of a
// candidate is lost, save blanks and marks at the edges of what remains.
func (m *Matcher) resolve(dst []phi.Span, text string) []phi.Span {
	found := m.found
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(a.start-b.start, b.end-a.end, a.rule-b.rule)
	})
	for lo := 0; lo < len(found); {
		hi, end := lo+1, found[lo].end
		for hi < len(found) && found[hi].start < end {
			end = max(end, found[hi].end)
			hi++
		}
		dst = m.cluster(dst, text, found[lo:hi], found[lo].start, end)
		lo = hi
	}
	return dst
}

// cluster resolves candidates that touch one another and cover text[start:end]:
// it paints each one over the bytes, the least trusted first, and reads the
// colours. The cost is the sum of their lengths.
func (m *Matcher) cluster(dst []phi.Span, text string, cs []candidate, start, end int) []phi.Span {
	if len(cs) == 1 {
		return emit(dst, text, cs[0].start, cs[0].end, &cs[0])
	}
	cs = joinTypes(cs)
	slices.SortFunc(cs, func(a, b candidate) int {
		return cmp.Or(
			trust(a.score)-trust(b.score),
			(a.end-a.start)-(b.end-b.start),
			cmp.Compare(a.score, b.score),
			cmp.Compare(b.typ, a.typ),
			b.rule-a.rule,
			b.start-a.start,
		)
	})
	m.owner = m.owner[:0]
	for range end - start {
		m.owner = append(m.owner, -1)
	}
	for k := range cs {
		for i := cs[k].start; i < cs[k].end; i++ {
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
func joinTypes(cs []candidate) []candidate {
	var last [phi.NumTypes][3]int // 1 + index in out of the latest of its kind
	out := cs[:0]
	for _, c := range cs {
		l := &last[c.typ][trust(c.score)]
		if *l > 0 && c.start < out[*l-1].end {
			o := &out[*l-1]
			o.end = max(o.end, c.end)
			o.score = max(o.score, c.score)
			continue
		}
		out = append(out, c)
		*l = len(out)
	}
	return out
}

// emit appends text[start:end] as a span of c's kind, unless nothing but
// blanks and marks is left of it.
func emit(dst []phi.Span, text string, start, end int, c *candidate) []phi.Span {
	if start == c.start && end == c.end {
		return append(dst, phi.Span{Start: start, End: end, Type: c.typ, Tagger: phi.Rules, Score: c.score})
	}
	start, end = trim(text, start, end)
	if start >= end {
		return dst
	}
	// The remains of a candidate are letters or digits, or not worth a span.
	if strings.IndexFunc(text[start:end], isWord) < 0 {
		return dst
	}
	return append(dst, phi.Span{Start: start, End: end, Type: c.typ, Tagger: phi.Rules, Score: c.score})
}

// edges are what trim takes from a start (1) and from an end (2), of ASCII.
var edges = func() (e [utf8.RuneSelf]uint8) {
	for b := range e {
		if unicode.IsSpace(rune(b)) {
			e[b] = 3
		}
	}
	for _, b := range []byte(".,;:!?/|)]}>([{<\"-") {
		e[b] |= 1
	}
	for _, b := range []byte(".,;:!?/|)]}>([{<\"'-#") {
		e[b] |= 2
	}
	return e
}()

// trim moves the ends past blanks and closing punctuation. A bracket is kept
// where its partner is inside, as in "(505) 555-0143".
func trim(text string, start, end int) (int, int) {
	for start < end {
		b, size := text[start], 1
		if b < utf8.RuneSelf {
			if edges[b]&1 == 0 || b == '(' && strings.IndexByte(text[start:end], ')') > 0 {
				break
			}
		} else {
			var r rune
			if r, size = utf8.DecodeRuneInString(text[start:end]); !unicode.IsSpace(r) {
				break
			}
		}
		start += size
	}
	for start < end {
		b, size := text[end-1], 1
		if b < utf8.RuneSelf {
			if edges[b]&2 == 0 || b == ')' && strings.IndexByte(text[start:end], '(') >= 0 {
				break
			}
		} else {
			var r rune
			if r, size = utf8.DecodeLastRuneInString(text[start:end]); !unicode.IsSpace(r) && r != '’' && r != '”' && r != '–' {
				break
			}
		}
		end -= size
	}
	return start, end
}
