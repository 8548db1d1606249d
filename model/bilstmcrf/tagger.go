package bilstmcrf

import (
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/phi"
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
	// of the token graph. Zero means DefaultPositions; a GPU wants 20,000 or
	// more. It changes the speed, never the result.
	Positions int
	// RecallBias is subtracted from the emission of O (in nats) before
	// decoding: above zero the tagger finds more and errs more often.
	RecallBias float32
	// DoubtBias, where it is above RecallBias, has every window decoded a second
	// time with it: what only then comes out are spans of phi.Doubt, beside those
	// of the first time, which stay as they are.
	DoubtBias float32
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
	if o.Positions <= 0 {
		o.Positions = DefaultPositions
	}
	t := &Tagger{model: m, chars: chars, emitter: emitter, options: o}
	t.pool.New = func() any { return new(scratch) }
	return t
}

// Model returns the model that t runs.
func (t *Tagger) Model() *Model { return t.model }

// Text is one text and its tokens.
type Text struct {
	Text   string
	Tokens []token.Token
}

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
	lattice      lattice
}

// Tag returns the spans of each text, in text order. Windows of all texts are
// sorted by length and run in batches, so a call should bring many texts: a
// hundred notes rather than one.
func (t *Tagger) Tag(texts []Text) ([][]phi.Span, error) {
	found, err := t.TagKinds(texts)
	if err != nil {
		return nil, err
	}
	spans := make([][]phi.Span, len(found))
	for i, of := range found {
		for _, f := range of {
			if f.Type != phi.None {
				spans[i] = append(spans[i], f.Span)
			}
		}
	}
	return spans, nil
}

// Found is a span and its type in the model's own labels, which for a model of
// another annotation scheme are not those of package phi.
type Found struct {
	phi.Span
	Kind string
}

// TagKinds is Tag with the model's own types; it includes spans whose Type is
// None, as they are no PHI by the i2b2 2014 guideline.
func (t *Tagger) TagKinds(texts []Text) ([][]Found, error) {
	var windows []window
	var forms []string
	var classes []token.Class
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
	for i, w := range batch {
		for k := range w.steps() {
			if !finite(s.emissions[(k*n+i)*labels : (k*n+i+1)*labels]) {
				return errNotFinite
			}
		}
		emission := func(k int) []float32 {
			return s.emissions[(k*n+i)*labels : (k*n+i+1)*labels]
		}
		path := t.model.crf.decode(&s.lattice, w.steps(), t.options.RecallBias, emission)
		tokens := texts[w.text].Tokens[w.start:w.end]
		before := len(spans[w.text])
		spans[w.text] = t.collect(spans[w.text], tokens, path, emission)
		if t.options.DoubtBias > t.options.RecallBias {
			path := t.model.crf.decode(&s.lattice, w.steps(), t.options.DoubtBias, emission)
			doubts := t.collect(nil, tokens, path, emission)
			spans[w.text] = append(spans[w.text], doubtful(doubts, spans[w.text][before:], tokens)...)
		}
	}
	return nil
}

// errNotFinite says that the network broke down. Decoding such emissions would
// find nothing from there on, and release what follows.
var errNotFinite = errors.New("the network computed numbers that are not finite")

func finite(numbers []float32) bool {
	var sum float32
	for _, x := range numbers {
		sum += x * 0 // 0, or NaN for NaN and infinities
	}
	return sum == 0
}

// collect appends the spans of one decoded window.
func (t *Tagger) collect(dst []Found, tokens []token.Token, path []int32, emission func(k int) []float32) []Found {
	start := 0
	var score float64
	for k, at := range path {
		l := t.model.crf.labels[at]
		switch l.prefix {
		case 'O':
			continue
		case 'B', 'S':
			start, score = k, 1
		}
		score = min(score, t.posterior(emission(k), l.kind))
		if l.prefix == 'E' || l.prefix == 'S' {
			dst = append(dst, Found{
				Span: phi.Span{
					Start:  int(tokens[start].Start),
					End:    int(tokens[k].End),
					Type:   t.model.types[l.kind],
					Tagger: phi.Network,
					Score:  round(score),
				},
				Kind: t.model.crf.kinds[l.kind],
			})
		}
	}
	return dst
}

// doubtful returns the stretches of spans, in whole tokens, that none of the sure
// ones touches, as spans of phi.Doubt. All are of one window, in order.
func doubtful(spans, sure []Found, tokens []token.Token) []Found {
	var out []Found
	for _, d := range spans {
		open := false
		for _, t := range tokens {
			start, end := int(t.Start), int(t.End)
			if end <= d.Start || start >= d.End {
				continue
			}
			for len(sure) > 0 && sure[0].End <= start {
				sure = sure[1:]
			}
			if len(sure) > 0 && sure[0].Start < end {
				open = false
				continue
			}
			if open {
				out[len(out)-1].End = end
				continue
			}
			piece := d
			piece.Start, piece.End, piece.Tagger = start, end, phi.Doubt
			out = append(out, piece)
			open = true
		}
	}
	return out
}

// posterior returns the probability that emissions alone, without the CRF,
// give to a type. A span's score is the least of its tokens.
func (t *Tagger) posterior(emissions []float32, kind int) float64 {
	top := slices.Max(emissions)
	var all, of float64
	for i, e := range emissions {
		p := math.Exp(float64(e - top))
		all += p
		if l := t.model.crf.labels[i]; l.kind == kind && l.prefix != 'O' {
			of += p
		}
	}
	return of / all
}

// round keeps three decimals, enough to choose a threshold by.
func round(score float64) float32 {
	return float32(max(1, math.Round(score*1000)) / 1000)
}
