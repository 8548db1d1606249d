package bilstmcrf

import (
	"math"
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
type Emitter = tagger.Emitter

// DefaultPositions is the number of padded positions in one run of the token
// graph at which the CPU's caches are used best.
const DefaultPositions = 1024

// Options tune a Tagger.
type Options struct {
	// Positions bounds the padded positions (steps times windows) of one run
	// of the token graph. Zero means what suits the model on a CPU; a GPU wants
	// 20,000 or more. It changes the speed, never the result; a model whose result
	// it would change (Execution) has one window a run whatever it is.
	Positions int
	Bias      chain.Bias
	// Cut cuts a text into the windows that the network reads, as token.Windows does.
	// Nil means the windows of the model's Cutting. Beside its own tokens a
	// window is read with up to Margin tokens on either side.
	Cut    func(dst []token.Window, text string, tokens []token.Token) []token.Window
	Margin int
	// CacheBytes bounds the memory of what windows were found to hold; 0 for none. It
	// changes the speed, never the result.
	CacheBytes int64
	// Count, where it is not nil, hears how many windows a call had, and how many of
	// them were not computed, as their like had been seen before.
	Count func(windows, reused int)
}

// Tagger finds PHI with a model and its running graphs. Safe for concurrent use.
type Tagger struct {
	model    *Model
	chars    CharEncoder
	contexts ContextEncoder // nil for a model without language models
	options  Options
	wide     input[float32]
	narrow   input[uint8] // for a model whose inputs are of 8 bits
	cache    *windowCache // nil for none
	kinds    []string     // of the model's labels
	pool     sync.Pool    // of *scratch
}

// NewTagger returns a tagger that runs m's graphs through chars and emitter.
func NewTagger(m *Model, chars CharEncoder, emitter Emitter, o Options) *Tagger {
	o.Positions = m.positions(o.Positions)
	if o.Cut == nil {
		o.Cut = m.Cutting().Windows
	}
	t := &Tagger{model: m, chars: chars, options: o, cache: newWindowCache(o.CacheBytes), kinds: m.Kinds(),
		wide:   input[float32]{one: 1, fill: join, emit: emitter.Emit},
		narrow: input[uint8]{one: math.MaxUint8, fill: m.narrow, emit: tagger.Narrow(emitter)}}
	if m.Dimensions.Context > 0 {
		t.contexts, _ = chars.(ContextEncoder)
	}
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

// scratch is the reusable memory of one call.
type scratch struct {
	key       []byte
	found     []Found
	x         []float32
	narrow    []uint8 // x of 8 bits
	emissions []float32
	lengths   []int32
	decoder   chain.Scratch
	context   contextScratch
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
	s := t.pool.Get().(*scratch)
	defer t.pool.Put(s)
	windows := t.cut(texts)
	var err error
	if unknown := t.unknown(s, windows); t.model.InputBits == 8 {
		err = compute(t, &t.narrow, s, &s.narrow, unknown)
	} else {
		err = compute(t, &t.wide, s, &s.x, unknown)
	}
	if err != nil {
		return nil, err
	}
	spans := make([][]Found, len(texts))
	for i := range windows {
		w := &windows[i]
		if w.like != nil {
			w.spans = w.like.spans
		}
		spans[w.text] = t.unpack(spans[w.text], w)
	}
	for _, of := range spans { // doubtful spans of a window lie behind the others
		slices.SortFunc(of, func(a, b Found) int { return a.Start - b.Start })
	}
	return spans, nil
}

// compute fills in the spans of windows; x is memory for their rows.
func compute[T number](t *Tagger, in *input[T], s *scratch, x *[]T, windows []*window) error {
	tokens := 0
	for _, w := range windows {
		tokens += len(w.forms)
	}
	forms, classes := make([]string, 0, tokens), make([]token.Class, 0, tokens)
	for _, w := range windows {
		w.offset = len(forms)
		forms = append(forms, w.forms...)
		for _, tok := range w.tokens {
			classes = append(classes, tok.Class)
		}
	}
	rows, err := lookUp(t, in, forms, classes)
	if err != nil {
		return err
	}
	// Longest last; equal lengths keep their order.
	slices.SortStableFunc(windows, func(a, b *window) int { return a.steps() - b.steps() })
	for len(windows) > 0 {
		n := t.fit(windows)
		if err := run(t, in, s, x, rows, windows[:n]); err != nil {
			return err
		}
		windows = windows[n:]
	}
	return nil
}

// fit returns how many of the first windows make one batch.
func (t *Tagger) fit(windows []*window) int {
	n := 1
	for n < len(windows) && (n+1)*windows[n].steps() <= t.options.Positions {
		n++
	}
	return n
}

// run fills in the spans of one batch of windows.
func run[T number](t *Tagger, in *input[T], s *scratch, memory *[]T, rows [][]T, batch []*window) error {
	n, steps := len(batch), batch[len(batch)-1].steps()
	width, labels, context := t.model.Width(), len(t.model.Labels), t.model.Dimensions.Context
	space := width - context - 1
	x := grow(*memory, steps*n*width)
	*memory = x
	s.emissions = grow(s.emissions, steps*n*labels)
	s.lengths = grow(s.lengths, n)
	for i, w := range batch {
		s.lengths[i] = int32(w.steps())
		for k := 0; k < steps; k++ {
			x := x[(k*n+i)*width : (k*n+i+1)*width]
			if k >= w.steps() {
				clear(x)
				continue
			}
			copy(x, rows[w.offset+k])
			x[space] = 0
			if w.tokens[k].Space {
				x[space] = in.one
			}
		}
	}
	if context > 0 {
		if err := t.addContext(&s.context, s.x, batch, steps); err != nil {
			return err
		}
	}
	if err := in.emit(s.emissions, x, s.lengths, steps); err != nil {
		return err
	}
	for i, w := range batch {
		emission := func(k int) []float32 {
			k += w.start
			return s.emissions[(k*n+i)*labels : (k*n+i+1)*labels]
		}
		form := func(k int) string { return w.forms[w.start+k] }
		var err error
		if s.found, err = t.model.decoder.Spans(s.found[:0], &s.decoder, w.own(), t.options.Bias, emission, form); err != nil {
			return err
		}
		w.spans = t.pack(s.found, w.own())
		if t.cache != nil {
			t.cache.put(w.key, w.spans)
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
