// Package bilstmcrf tags tokens with the network of Dernoncourt, Lee, Szolovits
// and Uzuner 2017 (De-identification of Patient Notes with Recurrent Neural
// Networks): a character BiLSTM and a token embedding feed a token BiLSTM, a
// hidden layer gives each label's emission, and a linear-chain CRF decides.
//
// The two recurrent parts are graphs that somebody else runs, behind the
// interfaces CharEncoder and Emitter; this package owns what surrounds them:
// the vocabulary and its embedding, a cache of one row per surface form,
// length-sorted batches and Viterbi decoding.
package bilstmcrf

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// The files of a model directory.
const (
	DescriptionFile = tagger.DescriptionFile
	CharGraphFile   = "char.onnx"
	TokenGraphFile  = "token.onnx"
	vocabularyFile  = "vocabulary.txt"
	embeddingFile   = "embedding.f32"
	charactersFile  = "characters.txt"
	transitionsFile = "transitions.f32"
)

// Description is a model directory's model.json.
type Description struct {
	tagger.Description
	LabelScheme string   `json:"label_scheme"`
	Labels      []string `json:"labels"`
	// Types gives the i2b2 2014 type of each type in Labels that is none, or ""
	// for what is no PHI there and is not reported.
	Types     map[string]string `json:"types,omitempty"`
	Tokenizer struct {
		WindowTokens int    `json:"window_tokens"`
		MaxChars     [2]int `json:"max_chars"` // first and last characters kept of a long form
		// LeastTokens of a window, where the text has so many; 0 for an eighth of WindowTokens.
		LeastTokens int `json:"least_tokens,omitempty"`
		// Pieces is the most pieces of a window that the encoder of the context graph reads.
		Pieces int `json:"pieces,omitempty"`
	} `json:"tokenizer"`
	Dimensions struct {
		Token int `json:"token"`
		Char  int `json:"char"`
		Class int `json:"class"`
		Space int `json:"space"`
		// Context is the width of the language models' states; 0 for a model without them.
		Context int `json:"context,omitempty"`
	} `json:"dimensions"`
	Execution
}

// Model is a loaded model directory, without the running graphs. It is
// immutable and safe for concurrent use.
type Model struct {
	Description
	Digest     string // SHA-256 of model.json, in hex; it covers every other file
	CharGraph  []byte // ONNX
	TokenGraph []byte // ONNX
	// ContextGraph is the graph of the language models; nil where Dimensions.Context is 0.
	ContextGraph []byte

	vocabulary map[string]int32
	embedding  embedding
	inputScale []float32 // of Dimensions.Token and Dimensions.Char; nil but for inputs of 8 bits
	characters map[rune]int32
	decoder    *chain.Decoder

	contextCharacters map[rune]int32 // of the language models
	pieces            *pieces        // or of the encoder in their place
}

// Load reads a model directory through readFile; see tagger.ReadDirectory.
func Load(readFile func(name string) ([]byte, error)) (*Model, error) {
	d, err := tagger.ReadDirectory(readFile)
	if err != nil {
		return nil, err
	}
	return FromDirectory(d)
}

// FromDirectory reads a model directory.
func FromDirectory(d *tagger.Directory) (*Model, error) {
	if d.Kind != tagger.BiLSTMCRF {
		return nil, fmt.Errorf("%s: kind is %q, want %q", DescriptionFile, d.Kind, tagger.BiLSTMCRF)
	}
	m := &Model{Digest: d.Digest}
	if err := json.Unmarshal(d.Raw, &m.Description); err != nil {
		return nil, fmt.Errorf("%s: %w", DescriptionFile, err)
	}
	if err := m.checkDimensions(); err != nil {
		return nil, fmt.Errorf("%s: %w", DescriptionFile, err)
	}
	var err error
	load := func(name string) (data []byte) {
		if err == nil {
			data, err = d.File(name)
		}
		return data
	}
	m.CharGraph = load(CharGraphFile)
	m.TokenGraph = load(TokenGraphFile)
	vocabulary := load(vocabularyFile)
	embedding, wrong := m.readEmbedding(load)
	characters := load(charactersFile)
	transitions := load(transitionsFile)
	if m.Dimensions.Context > 0 {
		wrong = cmp.Or(wrong, m.readContext(load))
	}
	if m.InputBits != 0 {
		wrong = cmp.Or(wrong, m.readInputScale(load))
	}
	if err := cmp.Or(err, wrong); err != nil {
		return nil, err
	}
	m.embedding = embedding
	if err := m.fill(vocabulary, characters, transitions); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Model) checkDimensions() error {
	d, t := m.Dimensions, m.Tokenizer
	switch {
	case m.LabelScheme != "BIOES":
		return fmt.Errorf("label_scheme is %q, want \"BIOES\"", m.LabelScheme)
	case d.Token < 1 || d.Char < 1 || d.Class != token.NumClasses || d.Space != 1:
		return fmt.Errorf("dimensions are %+v, want token and char above 0, class %d and space 1", d, token.NumClasses)
	case d.Token > tagger.MostWidth || d.Char > tagger.MostWidth || d.Context > tagger.MostWidth:
		return fmt.Errorf("dimensions are %+v, want at most %d each", d, tagger.MostWidth)
	case d.Context < 0 || d.Context%2 != 0:
		return fmt.Errorf("dimensions.context is %d, want an even number: as much of each language model", d.Context)
	case t.WindowTokens < 2 || t.WindowTokens > 4096:
		return fmt.Errorf("tokenizer.window_tokens is %d, want 2 to 4096", t.WindowTokens)
	case t.LeastTokens < 0 || t.LeastTokens > t.WindowTokens/2:
		return fmt.Errorf("tokenizer.least_tokens is %d, want at most half of window_tokens", t.LeastTokens)
	case t.Pieces < 0 || t.Pieces > 0 && t.Pieces < t.WindowTokens+2:
		return fmt.Errorf("tokenizer.pieces is %d, want at least %d, one for each token and two around them", t.Pieces, t.WindowTokens+2)
	case t.MaxChars[0] < 1 || t.MaxChars[1] < 0 || t.MaxChars[0]+t.MaxChars[1] > 256:
		return fmt.Errorf("tokenizer.max_chars is %v, want two numbers of at most 256 together", t.MaxChars)
	}
	return m.Execution.check()
}

func (m *Model) fill(vocabulary, characters, transitions []byte) error {
	forms := strings.Split(strings.TrimSuffix(string(vocabulary), "\n"), "\n")
	m.vocabulary = make(map[string]int32, len(forms))
	for i, form := range forms {
		switch form {
		case "<nl>":
			form = lineForm
		case "<nl2>":
			form = paragraphForm
		}
		m.vocabulary[form] = int32(i)
	}
	if want := len(forms) * m.Dimensions.Token; m.embedding.numbers() != want {
		return fmt.Errorf("the embedding holds %d numbers, %d forms of %d need %d", m.embedding.numbers(), len(forms), m.Dimensions.Token, want)
	}
	m.characters = map[rune]int32{}
	for i, line := range bytes.Split(bytes.TrimSuffix(characters, []byte("\n")), []byte("\n")) {
		r := []rune(string(line))
		if len(r) != 1 {
			return fmt.Errorf("%s: line %d: want one character", charactersFile, i+1)
		}
		m.characters[r[0]] = int32(i + 1) // 0 is padding and the unknown character
	}
	scores, err := floats(transitions)
	if err != nil {
		return fmt.Errorf("%s: %w", transitionsFile, err)
	}
	if m.decoder, err = chain.New(m.Labels, scores); err != nil {
		return fmt.Errorf("%s: %w", transitionsFile, err)
	}
	if err := m.decoder.SetTypes(m.Types); err != nil {
		return fmt.Errorf("%s: %w", DescriptionFile, err)
	}
	return nil
}

// Kinds returns the types in the model's own labels.
func (m *Model) Kinds() []string { return m.decoder.Kinds() }

// Width returns the width of the token graph's input: token embedding,
// character vector, class, space and context, in this order.
func (m *Model) Width() int {
	d := m.Dimensions
	return d.Token + d.Char + d.Class + d.Space + d.Context
}

var errNotFloats = errors.New("length is no multiple of 4 bytes, or a number is not finite")

// floats reads little-endian float32 numbers.
func floats(data []byte) ([]float32, error) {
	if len(data)%4 != 0 {
		return nil, errNotFloats
	}
	fs := make([]float32, len(data)/4)
	for i := range fs {
		fs[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if f := float64(fs[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errNotFloats
		}
	}
	return fs, nil
}
