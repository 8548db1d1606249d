// Package linear tags tokens by sums of weights of their features: as a
// linear-chain CRF (kind crf) or as a linear support vector machine that decides
// each token alone (kind svm); or by their likeness to tokens of the training, as a
// machine with a kernel (kind kernel-svm). Its tables take no library to run.
package linear

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
)

// The kinds of models that this package runs.
const (
	CRF       = "crf"
	SVM       = "svm"
	KernelSVM = "kernel-svm"
)

// The files of a model directory, beside tagger.DescriptionFile.
const (
	WeightsFile     = "weights.bin"
	transitionsFile = "transitions.f32"
)

// Description is a model directory's model.json.
type Description struct {
	tagger.Description
	Labels    []string          `json:"labels"`          // O, B-x, I-x of a CRF; O, x of an SVM
	Types     map[string]string `json:"types,omitempty"` // see bilstmcrf.Description
	Tokenizer struct {
		WindowTokens int `json:"window_tokens"`
	} `json:"tokenizer"`
	FeaturesVersion int     `json:"features_version"`
	Kernel          *Kernel `json:"kernel,omitempty"` // of a kernel-svm
}

// Model is a loaded model directory. It is immutable and safe for concurrent use.
type Model struct {
	Description
	Digest string // SHA-256 of model.json, in hex; it covers every other file

	table   *Table
	vectors *Vectors // in place of the table, of a kernel-svm
	decoder *chain.Decoder
	own     []int // the model's own label of each of the decoder's
}

// Load reads a model directory; see tagger.Directory.
func Load(d *tagger.Directory) (*Model, error) {
	m := &Model{Digest: d.Digest}
	if err := json.Unmarshal(d.Raw, &m.Description); err != nil {
		return nil, fmt.Errorf("%s: %w", tagger.DescriptionFile, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", tagger.DescriptionFile, err)
	}
	if err := m.read(d); err != nil {
		return nil, err
	}
	n := len(m.Labels)
	steps := make([]float32, (n+2)*n)
	if m.Kind == CRF {
		raw, err := d.File(transitionsFile)
		if err != nil {
			return nil, err
		}
		if err := floats(steps, raw); err != nil {
			return nil, fmt.Errorf("%s: %w", transitionsFile, err)
		}
	}
	labels, scores, err := m.expand(steps)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tagger.DescriptionFile, err)
	}
	if m.decoder, err = chain.New(labels, scores); err != nil {
		return nil, err
	}
	if err := m.decoder.SetTypes(m.Types); err != nil {
		return nil, fmt.Errorf("%s: %w", tagger.DescriptionFile, err)
	}
	return m, nil
}

// read reads the file of weights, or of vectors.
func (m *Model) read(d *tagger.Directory) error {
	name := WeightsFile
	if m.Kind == KernelSVM {
		name = VectorsFile
	}
	raw, err := d.File(name)
	if err != nil {
		return err
	}
	if m.Kind == KernelSVM {
		m.vectors, err = newVectors(raw, *m.Kernel)
	} else {
		m.table, err = decode(raw, len(m.Labels))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (m *Model) check() error {
	switch {
	case m.Kind != CRF && m.Kind != SVM && m.Kind != KernelSVM:
		return fmt.Errorf("kind is %q, want %q, %q or %q", m.Kind, CRF, SVM, KernelSVM)
	case m.Kind == KernelSVM && (m.Kernel == nil || len(m.Labels) != 2):
		return fmt.Errorf("a model of kind %s needs kernel, and the labels O and one more", m.Kind)
	case m.FeaturesVersion != features.Version:
		return fmt.Errorf("features_version is %d, this program computes %d: train the model again", m.FeaturesVersion, features.Version)
	case m.Tokenizer.WindowTokens < 2 || m.Tokenizer.WindowTokens > 4096:
		return fmt.Errorf("tokenizer.window_tokens is %d, want 2 to 4096", m.Tokenizer.WindowTokens)
	case len(m.Labels) < 2 || len(m.Labels) > maxLabels || m.Labels[0] != "O":
		return fmt.Errorf("labels: want O and up to %d others", maxLabels-1)
	}
	return nil
}

// apart is what an SVM would have to win by to begin a new span of the type that has
// just ended: neighbours of one type are one span.
const apart = -1

// expand returns BIOES labels and their transitions, which decode to what the model's
// own labels would: each BIO sequence is one BIOES sequence of the same score, and a
// type that an SVM gives to neighbours is one span.
func (m *Model) expand(steps []float32) (labels []string, transitions []float32, err error) {
	index := map[string]int{}
	for i, l := range m.Labels {
		if _, twice := index[l]; twice {
			return nil, nil, fmt.Errorf("labels: %s occurs twice", l)
		}
		index[l] = i
	}
	add := func(label string, own int) {
		labels = append(labels, label)
		m.own = append(m.own, own)
	}
	add("O", 0)
	for i, l := range m.Labels[1:] {
		kind, begins := l, true
		inside := i + 1
		if m.Kind == CRF {
			if kind, begins = strings.CutPrefix(l, "B-"); !begins {
				if of, ok := strings.CutPrefix(l, "I-"); !ok || index["B-"+of] == 0 {
					return nil, nil, fmt.Errorf("labels: %s is not O, B- with a type or I- with one that has a B-", l)
				}
				continue
			}
			inside = index["I-"+kind]
		}
		add("S-"+kind, i+1)
		if inside > 0 {
			add("B-"+kind, i+1)
			add("I-"+kind, inside)
			add("E-"+kind, inside)
		}
	}
	n, own := len(labels), len(m.Labels)
	transitions = make([]float32, (n+2)*n)
	for a := range n + 2 {
		for b := range n {
			from := a - n + own // start and end rows
			if a < n {
				from = m.own[a]
			}
			transitions[a*n+b] = steps[from*own+m.own[b]]
			if m.Kind != CRF && a < n && m.own[a] == m.own[b] && strings.Contains("ES", labels[a][:1]) && strings.Contains("BS", labels[b][:1]) {
				transitions[a*n+b] = apart
			}
		}
	}
	return labels, transitions, nil
}

// Holds reports whether the model has a weight for a feature, by its name.
func (m *Model) Holds(feature string) bool {
	if m.vectors != nil {
		return m.vectors.Has(features.Hash(feature))
	}
	return m.table.Has(features.Hash(feature))
}

var errFloats = errors.New("it does not hold a finite number for each pair of labels, and for start and end")

// floats reads little-endian float32 numbers into dst, which they must fill.
func floats(dst []float32, data []byte) error {
	if len(data) != 4*len(dst) {
		return errFloats
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	if !chain.Finite(dst) {
		return errFloats
	}
	return nil
}

// Kinds returns the types in the model's own labels.
func (m *Model) Kinds() []string { return m.decoder.Kinds() }
