package linear

import (
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Tagger finds PHI with a model. Safe for concurrent use.
type Tagger struct {
	model *Model
	bias  chain.Bias
	pool  sync.Pool // of *scratch
}

var _ tagger.Tagger = (*Tagger)(nil)

// scratch is the reusable memory of one call.
type scratch struct {
	extractor *features.Extractor
	hashes    []uint64
	dots      []uint16  // see Vectors.value
	scores    []float32 // of the model's own labels
	emissions []float32 // of the decoder's, [window, labels]
	windows   []token.Window
	decoder   chain.Scratch
}

// NewTagger returns a tagger that runs m.
func NewTagger(m *Model, b chain.Bias) *Tagger {
	t := &Tagger{model: m, bias: b}
	t.pool.New = func() any {
		return &scratch{extractor: features.New(m.Language), scores: make([]float32, len(m.Labels))}
	}
	return t
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

func (t *Tagger) tag(s *scratch, text tagger.Text) (found []tagger.Found, err error) {
	s.extractor.Read(text.Text, text.Tokens)
	s.windows = token.Windows(s.windows[:0], text.Text, text.Tokens, t.model.Tokenizer.WindowTokens)
	labels := len(t.model.own)
	for _, w := range s.windows {
		n := w.End - w.Start
		s.emissions = slices.Grow(s.emissions[:0], n*labels)[:n*labels]
		for k := range n {
			t.emit(s.emissions[k*labels:(k+1)*labels], s, w.Start+k)
		}
		emission := func(k int) []float32 { return s.emissions[k*labels : (k+1)*labels] }
		form := func(k int) string { return text.Tokens[w.Start+k].Text(text.Text) }
		if found, err = t.model.decoder.Spans(found, &s.decoder, text.Tokens[w.Start:w.End], t.bias, emission, form); err != nil {
			return nil, err
		}
	}
	tagger.Sort(found)
	return found, nil
}

// emit fills in the emissions of token i of the text that was read.
func (t *Tagger) emit(emissions []float32, s *scratch, i int) {
	clear(s.scores)
	s.hashes = s.extractor.Hashes(s.hashes[:0], i)
	if v := t.model.vectors; v != nil {
		slices.Sort(s.hashes)
		s.scores[1], s.dots = v.value(slices.Compact(s.hashes), s.dots)
	} else {
		for _, h := range s.hashes {
			t.model.table.add(s.scores, h)
		}
	}
	for l, own := range t.model.own {
		emissions[l] = s.scores[own]
	}
}
