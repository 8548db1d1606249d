package windowlstm

import (
	"math"
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// positions bounds the tokens in one run of the graph, which keeps it within the
// caches of a CPU.
const positions = 1024

// Tagger finds PHI with a model and its running graph. Safe for concurrent use.
type Tagger struct {
	model   *Model
	emitter tagger.Emitter
	bias    chain.Bias
	pool    sync.Pool // of *scratch
}

var _ tagger.Tagger = (*Tagger)(nil)

// scratch is the reusable memory of one call.
type scratch struct {
	x, emissions []float32
	lengths      []int32
}

// NewTagger returns a tagger that runs m's graph through e.
func NewTagger(m *Model, e tagger.Emitter, b chain.Bias) *Tagger {
	t := &Tagger{model: m, emitter: e, bias: b}
	t.pool.New = func() any { return new(scratch) }
	return t
}

// Probe returns a digest of what the model's graph makes of a fixed text; see
// tagger.Probe.
func (m *Model) Probe(e tagger.Emitter) (string, error) {
	return tagger.Probe(len(m.Labels), e, func(e tagger.Emitter) tagger.Tagger { return NewTagger(m, e, chain.Bias{}) })
}

// Tag implements tagger.Tagger.
func (t *Tagger) Tag(texts []tagger.Text) ([][]phi.Span, error) {
	found, err := t.TagKinds(texts)
	if err != nil {
		return nil, err
	}
	return tagger.Spans(found), nil
}

// TagKinds implements tagger.Tagger.
func (t *Tagger) TagKinds(texts []tagger.Text) ([][]tagger.Found, error) {
	s := t.pool.Get().(*scratch)
	found, err := tagger.OneByOne(texts, func(text tagger.Text) ([]tagger.Found, error) { return t.tag(s, text) })
	t.pool.Put(s) // not after a panic, which may have left it half done
	return found, err
}

func (t *Tagger) tag(s *scratch, text tagger.Text) ([]tagger.Found, error) {
	sure := make([]choice, len(text.Tokens))
	var doubtful []choice
	if t.bias.Doubt > t.bias.Recall {
		doubtful = make([]choice, len(text.Tokens))
	}
	err := t.emit(s, text, func(start, steps int, scores func(k int) []float32) {
		merge(sure[start:start+steps], func(k int) choice { return t.model.choose(scores(k), t.bias.Recall) })
		if doubtful != nil {
			merge(doubtful[start:start+steps], func(k int) choice { return t.model.choose(scores(k), t.bias.Doubt) })
		}
	})
	if err != nil {
		return nil, err
	}
	found := t.model.spans(text.Tokens, sure)
	if doubtful != nil {
		for _, f := range tagger.Beyond(t.model.spans(text.Tokens, doubtful), found, text.Tokens) {
			f.Tagger = phi.Doubt
			found = append(found, f)
		}
		tagger.Sort(found)
	}
	return found, nil
}

// starts returns where the windows of a text begin. The last one ends with the text,
// so that no token stands in a window that is shorter than the text allows.
func (m *Model) starts(tokens int) (starts []int) {
	if tokens == 0 {
		return nil
	}
	last := max(tokens-m.Window.Length, 0)
	for at := 0; at < last; at += m.Window.Stride {
		starts = append(starts, at)
	}
	return append(starts, last)
}

// emit calls each with the windows of a text, in order: where one begins, how many tokens
// it has, and the scores of its k-th, which are gone afterwards. A text of windows that
// overlap far has many times the scores that it has tokens.
func (t *Tagger) emit(s *scratch, text tagger.Text, each func(start, steps int, scores func(k int) []float32)) error {
	labels, width := len(t.model.labels), t.model.Dimensions.Token
	steps := min(t.model.Window.Length, len(text.Tokens))
	vectors := make([][]float32, len(text.Tokens))
	for i, tok := range text.Tokens {
		vectors[i] = t.model.vector(text.Text, tok)
	}
	for batch := range slices.Chunk(t.model.starts(len(text.Tokens)), max(positions/max(steps, 1), 1)) {
		n := len(batch)
		s.x = slices.Grow(s.x[:0], steps*n*width)[:steps*n*width]
		s.emissions = slices.Grow(s.emissions[:0], steps*n*labels)[:steps*n*labels]
		s.lengths = s.lengths[:0]
		for i, start := range batch {
			s.lengths = append(s.lengths, int32(steps))
			for k := range steps {
				copy(s.x[(k*n+i)*width:], vectors[start+k])
			}
		}
		if err := t.emitter.Emit(s.emissions, s.x, s.lengths, steps); err != nil {
			return err
		}
		if !chain.Finite(s.emissions) {
			return chain.ErrNotFinite
		}
		for i, start := range batch {
			each(start, steps, func(k int) []float32 { return s.emissions[(k*n+i)*labels : (k*n+i+1)*labels] })
		}
	}
	return nil
}

// spans returns those of the tokens' labels.
func (m *Model) spans(tokens []token.Token, choices []choice) []tagger.Found {
	var found []tagger.Found
	open := -1 // kind of the span that the token before is in
	for i, c := range choices {
		l := m.labels[c.label]
		if l.kind < 0 {
			open = -1
			continue
		}
		if l.kind == open && !l.begins {
			f := &found[len(found)-1]
			f.End, f.Score = int(tokens[i].End), min(f.Score, c.score)
			continue
		}
		open = l.kind // an I- behind nothing begins a span, as a B- does
		found = append(found, tagger.Found{Kind: m.kinds[l.kind], Span: phi.Span{Start: int(tokens[i].Start), End: int(tokens[i].End),
			Type: m.types[l.kind], Tagger: phi.Network, Score: c.score}})
	}
	return found
}

// choice is the label that a token gets, and its score; of O it has none.
type choice struct {
	label int
	score float32
}

// merge decides the label of each token from those that it gets in the windows which
// hold it (4.1): the same everywhere stays; PHI goes before what is none; and of
// different PHI that counts which stands further on in its window, as the LSTM has
// read more before it: that of the earliest window. It is called for one window after
// the other; merged is what its tokens have by now, of the k-th is what it gives that.
func merge(merged []choice, of func(k int) choice) {
	for k := range merged {
		if merged[k].label == 0 {
			merged[k] = of(k)
		}
	}
}

// choose returns the label that has the highest of a token's scores; bias is subtracted
// from O's.
func (m *Model) choose(scores []float32, bias float32) choice {
	l := best(scores, bias)
	if l == 0 {
		return choice{}
	}
	return choice{l, m.score(scores, m.labels[l].kind)}
}

// best returns the label with the highest score, the first of several; bias is
// subtracted from O's.
func best(scores []float32, bias float32) int {
	most, at := scores[0]-bias, 0
	for i, x := range scores[1:] {
		if x > most {
			most, at = x, i+1
		}
	}
	return at
}

// score is the probability that the scores of a token give to a type, to three
// decimals.
func (m *Model) score(scores []float32, kind int) float32 {
	top := slices.Max(scores)
	var all, of float64
	for i, x := range scores {
		p := math.Exp(float64(x - top))
		all += p
		if m.labels[i].kind == kind {
			of += p
		}
	}
	return float32(max(1, math.Round(1000*of/all)) / 1000)
}
