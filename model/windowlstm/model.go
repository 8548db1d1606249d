// Package windowlstm tags tokens with the network of Kassaie 2016 (De-identification in
// practice, 4.3): a text is read in short windows that overlap, each token as a vector of
// its form, by one LSTM that reads forwards; every token of a window gets a label, and
// the labels that a token gets in several windows are merged.
//
// The LSTM is a graph that somebody else runs, behind tagger.Emitter.
package windowlstm

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Kind is that of the model directories which this package runs.
const Kind = "window-lstm"

// The files of a model directory, beside tagger.DescriptionFile.
const (
	GraphFile      = "window.onnx"
	vocabularyFile = "vocabulary.txt"
	embeddingFile  = "embedding.f32"
)

// Description is a model directory's model.json.
type Description struct {
	tagger.Description
	Labels []string          `json:"labels"`          // O, B-x and I-x
	Types  map[string]string `json:"types,omitempty"` // see bilstmcrf.Description
	Window struct {
		Length int `json:"length"` // tokens
		Stride int `json:"stride"` // tokens from the beginning of one to that of the next
	} `json:"window"`
	Dimensions struct {
		Token int `json:"token"`
	} `json:"dimensions"`
}

// Model is a loaded model directory, without the running graph. It is immutable and
// safe for concurrent use.
type Model struct {
	Description
	Digest string // SHA-256 of model.json, in hex; it covers every other file
	Graph  []byte // ONNX

	vocabulary map[string]int32
	embedding  []float32 // [vocabulary, Dimensions.Token]
	labels     []label
	kinds      []string
	types      []phi.Type // of kinds; None for what is not reported
}

// label is one of Labels, taken apart.
type label struct {
	kind   int // among Model.kinds; -1 for O
	begins bool
}

// Load reads a model directory.
func Load(d *tagger.Directory) (*Model, error) {
	m := &Model{Digest: d.Digest}
	if err := json.Unmarshal(d.Raw, &m.Description); err != nil {
		return nil, fmt.Errorf("%s: %w", tagger.DescriptionFile, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", tagger.DescriptionFile, err)
	}
	var err error
	if m.Graph, err = d.File(GraphFile); err != nil {
		return nil, err
	}
	vocabulary, err := d.File(vocabularyFile)
	if err != nil {
		return nil, err
	}
	embedding, err := d.File(embeddingFile)
	if err != nil {
		return nil, err
	}
	return m, m.fill(vocabulary, embedding)
}

func (m *Model) check() error {
	w := m.Window
	switch {
	case m.Kind != Kind:
		return fmt.Errorf("kind is %q, want %q", m.Kind, Kind)
	case w.Length < 2 || w.Length > 4096:
		return fmt.Errorf("window.length is %d, want 2 to 4096", w.Length)
	case w.Stride < 1 || w.Stride > w.Length:
		return fmt.Errorf("window.stride is %d, want 1 to window.length, as tokens between two windows would not be read", w.Stride)
	case m.Dimensions.Token < 1 || m.Dimensions.Token > tagger.MostWidth:
		return fmt.Errorf("dimensions.token is %d, want 1 to %d", m.Dimensions.Token, tagger.MostWidth)
	}
	return m.parse()
}

// parse takes the labels apart.
func (m *Model) parse() error {
	if len(m.Labels) < 2 || m.Labels[0] != "O" {
		return errors.New("labels: want O and others")
	}
	at := map[string]int{}
	seen := map[string]bool{"O": true}
	m.labels = []label{{kind: -1}}
	for _, l := range m.Labels[1:] {
		prefix, kind, ok := strings.Cut(l, "-")
		if !ok || prefix != "B" && prefix != "I" || seen[l] {
			return fmt.Errorf("labels: %s is not O, B- or I- with a type, or occurs twice", l)
		}
		seen[l] = true
		if _, known := at[kind]; !known {
			at[kind] = len(m.kinds)
			name, own := m.Types[kind]
			if !own {
				name = kind
			}
			typ := phi.None
			if name != "" {
				var err error
				if typ, err = phi.ParseType(name); err != nil {
					return fmt.Errorf("labels: type %s: %w; give its type under \"types\"", kind, err)
				}
			}
			m.kinds, m.types = append(m.kinds, kind), append(m.types, typ)
		}
		m.labels = append(m.labels, label{at[kind], prefix == "B"})
	}
	return nil
}

func (m *Model) fill(vocabulary, embedding []byte) error {
	lines := strings.Split(strings.TrimSuffix(string(vocabulary), "\n"), "\n")
	if len(lines) < token.NumClasses {
		return fmt.Errorf("%s: it begins with an unknown form for each of %d letter-case classes; there are %d lines", vocabularyFile,
			token.NumClasses, len(lines))
	}
	m.vocabulary = make(map[string]int32, len(lines))
	for i, line := range lines[token.NumClasses:] {
		m.vocabulary[line] = int32(i + token.NumClasses)
	}
	if want := 4 * len(lines) * m.Dimensions.Token; len(embedding) != want {
		return fmt.Errorf("%s: %d bytes, want %d for %d forms of %d numbers", embeddingFile, len(embedding), want, len(lines), m.Dimensions.Token)
	}
	m.embedding = make([]float32, len(embedding)/4)
	for i := range m.embedding {
		m.embedding[i] = math.Float32frombits(binary.LittleEndian.Uint32(embedding[4*i:]))
	}
	if !chain.Finite(m.embedding) {
		return fmt.Errorf("%s: a number is not finite", embeddingFile)
	}
	return nil
}

// Kinds returns the types in the model's own labels.
func (m *Model) Kinds() []string { return append([]string(nil), m.kinds...) }
