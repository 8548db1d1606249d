package bilstmcrf

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// DefaultCutting is how texts are cut for a network that was trained on windows of at
// most so many tokens. It is the finest cut of those in docs/copies.md that loses
// nothing significant.
func DefaultCutting(windowTokens int) token.Cutting {
	return token.Cutting{Least: max(windowTokens/8, 1), Inner: max(windowTokens/2, 1), Most: windowTokens}
}

// Cutting is how texts are cut for the model where nothing else is asked for.
func (m *Model) Cutting() token.Cutting {
	return DefaultCutting(m.Tokenizer.WindowTokens).AtLeast(m.Tokenizer.LeastTokens)
}

// window is one window of one text: what the network reads at once, and which of it
// the spans are of.
type window struct {
	text       int           // index
	tokens     []token.Token // all that is read
	forms      []string      // of them
	start, end int           // its own, among them
	offset     int           // of its first row in a call of compute
	key        windowKey
	like       *window // an earlier one of the same call that holds the same; nil for none
	spans      string  // packed
}

func (w *window) steps() int { return len(w.tokens) }

func (w *window) own() []token.Token { return w.tokens[w.start:w.end] }

// cut returns the windows of all texts, in their order.
func (t *Tagger) cut(texts []Text) []window {
	var windows []window
	var cut []token.Window
	for i, text := range texts {
		forms := make([]string, len(text.Tokens))
		for k, tok := range text.Tokens {
			forms[k] = t.model.form(text.Text, tok)
		}
		cut = t.options.Cut(cut[:0], text.Text, text.Tokens)
		for _, c := range cut {
			from, to := max(c.Start-t.options.Margin, 0), min(c.End+t.options.Margin, len(forms))
			windows = append(windows, window{text: i, tokens: text.Tokens[from:to], forms: forms[from:to],
				start: c.Start - from, end: c.End - from})
		}
	}
	return windows
}

// unknown fills in the spans of windows that were seen before, and returns those that
// have to be computed: of several that hold the same, the first.
func (t *Tagger) unknown(s *scratch, windows []window) []*window {
	var all []*window
	firsts := map[windowKey]*window{}
	for i := range windows {
		w := &windows[i]
		if t.cache != nil {
			w.key = t.cache.key(&s.key, w)
			if spans, ok := t.cache.get(w.key); ok {
				w.spans = spans
				continue
			}
			if w.like = firsts[w.key]; w.like != nil {
				continue
			}
			firsts[w.key] = w
		}
		all = append(all, w)
	}
	if t.options.Count != nil {
		t.options.Count(len(windows), len(windows)-len(all))
	}
	return all
}

// packedBytes is the size of a packed span: its first and its last token, as
// two bytes each, its kind as two, its type, its tagger, and its score as four.
const packedBytes = 12

// pack writes spans without the text they are of: places are tokens of the window.
func (t *Tagger) pack(found []Found, own []token.Token) string {
	b := make([]byte, 0, packedBytes*len(found))
	for _, f := range found {
		start, _ := slices.BinarySearchFunc(own, f.Start, func(t token.Token, at int) int { return int(t.Start) - at })
		last, _ := slices.BinarySearchFunc(own, f.End, func(t token.Token, at int) int { return int(t.End) - at })
		b = binary.LittleEndian.AppendUint16(b, uint16(start))
		b = binary.LittleEndian.AppendUint16(b, uint16(last))
		b = binary.LittleEndian.AppendUint16(b, uint16(slices.Index(t.kinds, f.Kind)))
		b = append(b, byte(f.Type), byte(f.Tagger))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f.Score))
	}
	return string(b)
}

// unpack appends a window's spans, as places of its text.
func (t *Tagger) unpack(dst []Found, w *window) []Found {
	own := w.own()
	for b := w.spans; len(b) > 0; b = b[packedBytes:] {
		two := func(i int) int { return int(b[i]) | int(b[i+1])<<8 }
		dst = append(dst, Found{
			Span: phi.Span{
				Start: int(own[two(0)].Start), End: int(own[two(2)].End), Type: phi.Type(b[6]), Tagger: phi.Tagger(b[7]),
				Score: math.Float32frombits(uint32(two(8)) | uint32(two(10))<<16),
			},
			Kind: t.kinds[two(4)],
		})
	}
	return dst
}
