package bilstmcrf

import (
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// CharEncoder runs the character graph.
type CharEncoder interface {
	// EncodeChars fills vectors, [n, char dimension], for n forms whose
	// character indices are chars, time-major [steps, n] and zero-padded,
	// with lengths [n] of at least 1. Safe for concurrent use.
	EncodeChars(vectors []float32, chars, lengths []int32, steps int) error
}

// Emitter runs the token graph.
type Emitter interface {
	// Emit fills emissions, time-major [steps, n, labels], for n windows whose
	// rows are x, time-major [steps, n, width], with lengths [n] of at least
	// 1. Emissions past a window's length are undefined. The result for one
	// window does not depend on the others. Safe for concurrent use.
	Emit(emissions, x []float32, lengths []int32, steps int) error
}

// DefaultPositions is the number of padded positions in one run of the token
// graph at which the CPU's caches are used best.
const DefaultPositions = 1024

// Options tune a Tagger.
type Options struct {
	// Positions bounds the padded positions (steps times windows) of one run
	// of the token graph. Zero means what suits the model on a CPU; a GPU wants
	// 20,000 or more. It changes the speed, never the result; a model whose result
	// it would change (Execution) has one window a run whatever it is.
	Positions             int
	RecallBias, DoubtBias float32 // see chain.Bias
}

// Tagger finds PHI with a model and its running graphs. Safe for concurrent use.
type Tagger struct {
	model   *Model
	chars   CharEncoder
	emitter Emitter
	options Options
	rows    rows
	pool    sync.Pool // of *scratch
}

// NewTagger returns a tagger that runs m's graphs through chars and emitter.
func NewTagger(m *Model, chars CharEncoder, emitter Emitter, o Options) *Tagger {
	o.Positions = m.positions(o.Positions)
	t := &Tagger{model: m, chars: chars, emitter: emitter, options: o}
	t.pool.New = func() any { return new(scratch) }
	return t
}

// Model returns the model that t runs.
func (t *Tagger) Model() *Model { return t.model }

// Text is one text and its tokens.
type Text = tagger.Text

// Found is a span and its type in the model's own labels.
type Found = tagger.Found

var _ tagger.Tagger = (*Tagger)(nil)

// window is one window of one text.
type window struct {
	text       int32
	start, end int32 // tokens of the text
	offset     int32 // of the text's first token among all tokens
}

func (w window) steps() int { return int(w.end - w.start) }

// scratch is the reusable memory of one call.
type scratch struct {
	x, emissions []float32
	lengths      []int32
	decoder      chain.Scratch
}

// Tag returns the spans of each text, in text order. Windows of all texts are
// sorted by length and run in batches, so a call should bring many texts: a
// hundred notes rather than one.
func (t *Tagger) Tag(texts []Text) ([][]phi.Span, error) {
	found, err := t.TagKinds(texts)
	if err != nil {
		return nil, err
	}
	return tagger.Spans(found), nil
}

// TagKinds is Tag with the model's own types; it includes spans whose Type is
// None, as they are no PHI by the i2b2 2014 guideline.
func (t *Tagger) TagKinds(texts []Text) ([][]Found, error) {
	tokens := 0
	for _, text := range texts {
		tokens += len(text.Tokens)
	}
	var windows []window
	forms, classes := make([]string, 0, tokens), make([]token.Class, 0, tokens)
	var cut []token.Window
	for i, text := range texts {
		cut = token.Windows(cut[:0], text.Text, text.Tokens, t.model.Tokenizer.WindowTokens)
		for _, w := range cut {
			windows = append(windows, window{int32(i), int32(w.Start), int32(w.End), int32(len(forms))})
		}
		for _, tok := range text.Tokens {
			forms = append(forms, t.model.form(text.Text, tok))
			classes = append(classes, tok.Class)
		}
	}
	rows, err := t.lookUp(forms, classes)
	if err != nil {
		return nil, err
	}
	// Longest last; equal lengths keep their order.
	slices.SortStableFunc(windows, func(a, b window) int { return a.steps() - b.steps() })
	spans := make([][]Found, len(texts))
	s := t.pool.Get().(*scratch)
	defer t.pool.Put(s)
	for len(windows) > 0 {
		n := t.fit(windows)
		if err := t.run(s, texts, rows, windows[:n], spans); err != nil {
			return nil, err
		}
		windows = windows[n:]
	}
	for _, of := range spans { // of one text, windows came in any order
		slices.SortFunc(of, func(a, b Found) int { return a.Start - b.Start })
	}
	return spans, nil
}

// fit returns how many of the first windows make one batch.
func (t *Tagger) fit(windows []window) int {
	n := 1
	for n < len(windows) && (n+1)*windows[n].steps() <= t.options.Positions {
		n++
	}
	return n
}

// run tags one batch of windows and appends what it finds to spans.
func (t *Tagger) run(s *scratch, texts []Text, rows [][]float32, batch []window, spans [][]Found) error {
	n, steps := len(batch), batch[len(batch)-1].steps()
	width, labels := t.model.Width(), len(t.model.Labels)
	s.x = grow(s.x, steps*n*width)
	s.emissions = grow(s.emissions, steps*n*labels)
	s.lengths = grow(s.lengths, n)
	for i, w := range batch {
		s.lengths[i] = int32(w.steps())
		tokens := texts[w.text].Tokens
		for k := 0; k < steps; k++ {
			x := s.x[(k*n+i)*width : (k*n+i+1)*width]
			if k >= w.steps() {
				clear(x)
				continue
			}
			at := int(w.start) + k
			copy(x, rows[int(w.offset)+at])
			x[width-1] = 0
			if tokens[at].Space {
				x[width-1] = 1
			}
		}
	}
	if err := t.emitter.Emit(s.emissions, s.x, s.lengths, steps); err != nil {
		return err
	}
	bias := chain.Bias{Recall: t.options.RecallBias, Doubt: t.options.DoubtBias}
	for i, w := range batch {
		emission := func(k int) []float32 {
			return s.emissions[(k*n+i)*labels : (k*n+i+1)*labels]
		}
		var err error
		of := &spans[w.text]
		if *of, err = t.model.decoder.Spans(*of, &s.decoder, texts[w.text].Tokens[w.start:w.end], bias, emission); err != nil {
			return err
		}
	}
	return nil
}

// grow returns s with length n, reallocated only where its capacity is short.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
