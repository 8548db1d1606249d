package chain

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Decoder turns the emissions of a window of tokens into spans. It is immutable
// and safe for concurrent use.
type Decoder struct {
	crf   *crf
	types []phi.Type // of crf.kinds; None for what is not reported
	date  *chain     // of the first kind that is a date; nil for none
}

// New returns a decoder of BIOES labels. transitions holds, row-major, [L+2, L]:
// the score of label "column" after label "row", then a row of start scores and
// one of end scores, for the L labels.
func New(labels []string, transitions []float32) (*Decoder, error) {
	c, err := newCRF(labels, transitions)
	if err != nil {
		return nil, err
	}
	return &Decoder{crf: c, types: make([]phi.Type, len(c.kinds))}, nil
}

// SetTypes says which i2b2 2014 type each type in the labels is for the job:
// that of the same name, or the one that own gives, or none where that is "".
func (d *Decoder) SetTypes(own map[string]string) error {
	for i, kind := range d.crf.kinds {
		name, ok := own[kind]
		if !ok {
			name = kind
		}
		if name == "" {
			continue
		}
		t, err := phi.ParseType(name)
		if err != nil {
			return fmt.Errorf("labels: type %s: %w; give its type under \"types\"", kind, err)
		}
		d.types[i] = t
	}
	d.date = nil
	for j := range d.crf.inside {
		if k := &d.crf.inside[j]; d.types[d.crf.labels[k.b].kind] == phi.Date {
			d.date = k
			break
		}
	}
	return nil
}

// Kinds returns the types in the labels.
func (d *Decoder) Kinds() []string { return slices.Clone(d.crf.kinds) }

// Bias says how far decoding leans towards finding.
type Bias struct {
	// Recall is subtracted from the emission of O (in nats) before decoding: above
	// zero more is found, and more of it wrongly.
	Recall float32
	// Doubt, where it is above Recall, has every window decoded a second time with
	// it: what only then comes out are spans of phi.Doubt, beside those of the
	// first time, which stay as they are.
	Doubt float32
	// Odds has the decoder tell of two numbers (token.Pairs) how likely it thinks it that
	// they are a date, as spans of phi.Odds beside those that it finds. They are no
	// findings: what takes two numbers for a date without it may ask them.
	Odds bool
}

// Scratch is a decoder's reusable memory, of one goroutine.
type Scratch struct {
	lattice lattice
	pairs   []int
	odds    []tagger.Found
}

// ErrNotFinite says that a model broke down. Decoding such emissions would find
// nothing from there on, and release what follows.
var ErrNotFinite = errors.New("the network computed numbers that are not finite")

// Spans appends the spans of one window to dst. emission(k) returns the
// emissions of token k, by label; it is called several times for each. form(k) returns what
// token k is; it is asked with Bias.Odds alone.
func (d *Decoder) Spans(dst []tagger.Found, s *Scratch, tokens []token.Token, b Bias,
	emission func(k int) []float32, form func(k int) string) ([]tagger.Found, error) {
	for k := range tokens {
		if !Finite(emission(k)) {
			return dst, ErrNotFinite
		}
	}
	path := d.crf.decode(&s.lattice, len(tokens), b.Recall, emission)
	before := len(dst)
	dst = d.collect(dst, tokens, path, emission)
	var odds []tagger.Found
	if b.Odds && d.date != nil {
		odds = d.odds(s, tokens, path, emission, form)
	}
	if b.Doubt > b.Recall {
		path := d.crf.decode(&s.lattice, len(tokens), b.Doubt, emission)
		for _, f := range tagger.Beyond(d.collect(nil, tokens, path, emission), dst[before:], tokens) {
			f.Tagger = phi.Doubt
			dst = append(dst, f)
		}
	}
	return append(dst, odds...), nil
}

// odds returns the chances of two numbers in a window. Chances are of the CRF's, of a date
// beside no PHI, while all around stays as the best path has it: on notes set aside
// they part dates from scores as well as exact marginals do, and cost nothing.
func (d *Decoder) odds(s *Scratch, tokens []token.Token, path []int32, emission func(k int) []float32,
	form func(k int) string) []tagger.Found {
	s.pairs = token.Pairs(s.pairs[:0], tokens, form)
	s.odds = s.odds[:0]
	for _, k := range s.pairs {
		lead, ok := d.crf.lead(d.date, path, k, emission)
		if !ok {
			continue
		}
		s.odds = append(s.odds, tagger.Found{
			Span: phi.Span{Start: int(tokens[k].Start), End: int(tokens[k+2].End), Type: phi.Date, Tagger: phi.Odds,
				Score: float32(1 / (1 + math.Exp(-float64(lead))))},
			Kind: d.crf.kinds[d.crf.labels[d.date.b].kind],
		})
	}
	return s.odds
}

// lead returns by how much, in nats, a path leads with a span of a type at the three positions from k
// on over one with O there, both being the given path elsewhere; ok is false
// where that does not go.
func (c *crf) lead(of *chain, path []int32, k int, emission func(k int) []float32) (lead float32, ok bool) {
	outside := c.fresh[c.outside]
	o := c.closedAt[outside]
	e0, e1, e2 := emission(k), emission(k+1), emission(k+2)
	lead = e0[of.b] - e0[outside] + e1[of.i] - e1[outside] + e2[of.e] - e2[outside] + of.bi + of.ie - 2*c.step[o][c.outside]
	if k == 0 {
		lead += c.start[of.fresh] - c.start[c.outside]
	} else {
		before := c.closedAt[path[k-1]]
		if before < 0 {
			return 0, false
		}
		lead += c.step[before][of.fresh] - c.step[before][c.outside]
	}
	if k+3 == len(path) {
		return lead + c.end[of.closed] - c.end[o], true
	}
	next := path[k+3]
	if prefix := c.labels[next].prefix; prefix == 'I' || prefix == 'E' {
		return 0, false
	}
	return lead + c.step[of.closed][c.places[next]] - c.step[o][c.places[next]], true
}

// Finite reports whether all numbers are finite.
func Finite(numbers []float32) bool {
	var a, b, c, d float32 // four sums, which do not wait for each other
	for ; len(numbers) >= 4; numbers = numbers[4:] {
		a += numbers[0] * 0 // 0, or NaN for NaN and infinities
		b += numbers[1] * 0
		c += numbers[2] * 0
		d += numbers[3] * 0
	}
	for _, x := range numbers {
		a += x * 0
	}
	return a+b+c+d == 0
}

// collect appends the spans of one decoded window.
func (d *Decoder) collect(dst []tagger.Found, tokens []token.Token, path []int32, emission func(k int) []float32) []tagger.Found {
	start := 0
	var score float64
	for k, at := range path {
		l := d.crf.labels[at]
		switch l.prefix {
		case 'O':
			continue
		case 'B', 'S':
			start, score = k, 1
		}
		score = min(score, d.posterior(emission(k), l.kind))
		if l.prefix == 'E' || l.prefix == 'S' {
			dst = append(dst, tagger.Found{
				Span: phi.Span{
					Start:  int(tokens[start].Start),
					End:    int(tokens[k].End),
					Type:   d.types[l.kind],
					Tagger: phi.Network,
					Score:  round(score),
				},
				Kind: d.crf.kinds[l.kind],
			})
		}
	}
	return dst
}

// posterior returns the probability that emissions alone, without the CRF,
// give to a type. A span's score is the least of its tokens.
func (d *Decoder) posterior(emissions []float32, kind int) float64 {
	top := greatest(emissions)
	var all, of float64
	for _, e := range emissions {
		all += exp(e - top)
	}
	for _, label := range d.crf.ofKind[kind] {
		of += exp(emissions[label] - top)
	}
	return of / all
}

// exp returns e to the power of x, of which 0 is the greatest, to six digits: in a
// third of the time that math.Exp takes.
func exp(x float32) float64 {
	const least = -60 // of no account beside 1
	if x < least {
		return 0
	}
	y := float64(x) * math.Log2E
	whole := int(y - 0.5) // the nearest
	f := (y - float64(whole)) * math.Ln2
	f2 := f * f
	// Taylor's series, as |f| < 0.35.
	p := (1 + f) + f2*((1./2+f*(1./6))+f2*((1./24+f*(1./120))+f2*(1./720)))
	return p * math.Float64frombits(uint64(1023+whole)<<52)
}

// round keeps three decimals, enough to choose a threshold by.
func round(score float64) float32 {
	return float32(max(1, math.Round(score*1000)) / 1000)
}
