package bilstmcrf

import (
	"bytes"
	"errors"
	"fmt"
)

// A model may have contextual string embeddings (Akbik, Blythe and Vollgraf 2018): the
// states of two character language models at each token, forward at its last character and
// backward at its first, beside its row in the token graph's input.
//
// In place of language models there may be an encoder of word pieces; see pieces.go.
//
// The language models read a window as its tokens' forms, with one blank where blanks stand
// before a token, between two line ends. So their states depend on what the window holds for
// the rest of the network too, and on nothing else: not on the text around it, and not on how
// wide its gaps are. What is remembered of windows stays true, and training sees the same.

// The files of a model with a context.
const (
	ContextGraphFile      = "context.onnx"
	contextCharactersFile = "context.txt"
)

// ContextEncoder runs the context graph. Whoever runs the character graph of a model that
// has one runs it too.
type ContextEncoder interface {
	// EncodeContext fills vectors, time-major [steps, n, context dimension], for n windows
	// whose character indices are chars, time-major [charSteps, n] and zero-padded, with
	// lengths [n]. places, [steps, n, 2], says where each token's states are: rows of
	// [2, charSteps, n], of the forward states and then of the backward ones. The result for
	// one window does not depend on the others. Safe for concurrent use.
	EncodeContext(vectors []float32, chars, lengths, places []int32, charSteps, steps int) error
}

var errNoContextEncoder = errors.New("the model has language models, and nothing runs their graph")

// lineEnd is the index of a line end among the characters of language models; 0 is padding
// and the unknown character.
const lineEnd = 1

// readContext reads the language models' graph and characters.
func (m *Model) readContext(file func(name string) []byte) (err error) {
	m.ContextGraph = file(ContextGraphFile)
	if _, ok := m.Files[piecesFile]; ok {
		if m.Tokenizer.Pieces == 0 {
			return fmt.Errorf("%s: tokenizer.pieces is 0, want the most pieces of a window", DescriptionFile)
		}
		m.pieces, err = readPieces(file(piecesFile), m.Tokenizer.Pieces)
		return err
	}
	characters := file(contextCharactersFile)
	m.contextCharacters = map[rune]int32{'\n': lineEnd}
	for i, line := range bytes.Split(bytes.TrimSuffix(characters, []byte("\n")), []byte("\n")) {
		r := []rune(string(line))
		if len(characters) > 0 && len(r) != 1 {
			return fmt.Errorf("%s: line %d: want one character", contextCharactersFile, i+1)
		}
		if len(r) == 1 {
			m.contextCharacters[r[0]] = int32(i + lineEnd + 1)
		}
	}
	return nil
}

// contextPlace is where a token's first and its last character stand among a window's.
type contextPlace struct{ first, last int32 }

// appendContext appends the characters of a window as the language models read it, and
// the places of its tokens among them; or its pieces, as an encoder reads it.
func (m *Model) appendContext(chars []int32, places []contextPlace, w *window) ([]int32, []contextPlace) {
	if m.pieces != nil {
		return m.pieces.appendWindow(chars, places, w)
	}
	start := len(chars)
	chars = append(chars, lineEnd)
	for k, form := range w.forms {
		if k > 0 && w.tokens[k].Space {
			chars = append(chars, m.contextCharacters[' '])
		}
		first := len(chars)
		head, tail := m.cut(form)
		for _, part := range [2]string{head, tail} {
			for _, r := range part {
				if r != 0 { // the mark of an already cut form
					chars = append(chars, m.contextCharacters[r])
				}
			}
		}
		places = append(places, contextPlace{int32(first - start), int32(max(len(chars)-1, first) - start)})
	}
	return append(chars, lineEnd), places
}

// contextScratch is the reusable memory of one run of the context graph.
type contextScratch struct {
	chars, padded, lengths, at []int32
	ends                       []int // of each window in chars
	places                     []contextPlace
	vectors                    []float32
}

// addContext fills in the last numbers of each row of x, time-major [steps, windows, width].
func (t *Tagger) addContext(c *contextScratch, x []float32, batch []*window, steps int) error {
	if t.contexts == nil {
		return errNoContextEncoder
	}
	n, width, context := len(batch), t.model.Width(), t.model.Dimensions.Context
	c.chars, c.places, c.ends = c.chars[:0], c.places[:0], c.ends[:0]
	c.lengths = grow(c.lengths, n)
	charSteps, from := 0, 0
	for i, w := range batch {
		c.chars, c.places = t.model.appendContext(c.chars, c.places, w)
		c.ends = append(c.ends, len(c.chars))
		c.lengths[i] = int32(len(c.chars) - from)
		charSteps = max(charSteps, len(c.chars)-from)
		from = len(c.chars)
	}
	c.padded, c.at = grow(c.padded, charSteps*n), grow(c.at, steps*n*2)
	c.vectors = grow(c.vectors, steps*n*context)
	clear(c.padded)
	clear(c.at)
	from = 0
	places := c.places
	for i, w := range batch {
		for k, char := range c.chars[from:c.ends[i]] {
			c.padded[k*n+i] = char
		}
		from = c.ends[i]
		for k, p := range places[:w.steps()] {
			c.at[(k*n+i)*2] = p.last*int32(n) + int32(i)
			c.at[(k*n+i)*2+1] = (int32(charSteps)+p.first)*int32(n) + int32(i)
		}
		places = places[w.steps():]
	}
	if err := t.contexts.EncodeContext(c.vectors, c.padded, c.lengths, c.at, charSteps, steps); err != nil {
		return err
	}
	for i, w := range batch {
		for k := range w.steps() {
			row := (k*n + i)
			copy(x[(row+1)*width-context:(row+1)*width], c.vectors[row*context:(row+1)*context])
		}
	}
	return nil
}
