package onnx

import (
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/linear"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/windowlstm"
)

// Model is a model directory of any kind, loaded. One of its forms is set.
type Model struct {
	tagger.Description
	Digest  string // SHA-256 of model.json, in hex; it covers every other file
	Network *bilstmcrf.Model
	Linear  *linear.Model
	Window  *windowlstm.Model
}

// LoadModel reads a model directory through readFile, which is given names such as
// "model.json", and checks the digest of every file.
func LoadModel(readFile func(name string) ([]byte, error)) (*Model, error) {
	d, err := tagger.ReadDirectory(readFile)
	if err != nil {
		return nil, err
	}
	m := &Model{Description: d.Description, Digest: d.Digest}
	switch d.Kind {
	case tagger.BiLSTMCRF:
		m.Network, err = bilstmcrf.FromDirectory(d)
	case linear.CRF, linear.SVM, linear.KernelSVM:
		m.Linear, err = linear.Load(d)
	case windowlstm.Kind:
		m.Window, err = windowlstm.Load(d)
	default:
		err = fmt.Errorf("%s: kind is %q; this program runs %q", tagger.DescriptionFile, d.Kind, Kinds())
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Kinds returns the kinds of models that this program runs.
func Kinds() []string {
	return []string{tagger.BiLSTMCRF, linear.CRF, linear.SVM, linear.KernelSVM, windowlstm.Kind}
}

// Labels returns the types in the model's own labels.
func (m *Model) Labels() []string {
	switch {
	case m.Network != nil:
		return m.Network.Kinds()
	case m.Window != nil:
		return m.Window.Kinds()
	}
	return m.Linear.Kinds()
}

// Setup says how models are run.
type Setup struct {
	Library      string // ONNX Runtime, or "" to look for it; for models that need it
	Device       Device
	Positions    int // see bilstmcrf.Options; 0 for the device's default
	GPUPositions int // that default on a GPU
	Bias         chain.Bias
	CacheBytes   int64 // see bilstmcrf.Options; 0 for no cache of windows
	Count        func(windows, reused int)
}

// Running is a model that is ready to tag.
type Running struct {
	Tagger tagger.Tagger
	Graphs *Graphs // nil for a model that needs no ONNX Runtime
}

// Run makes a model ready. ONNX Runtime is opened for a model that needs it.
func (m *Model) Run(s Setup) (Running, error) {
	if m.Linear != nil {
		return Running{Tagger: linear.NewTagger(m.Linear, s.Bias)}, nil
	}
	if _, _, err := Initialize(s.Library); err != nil {
		return Running{}, err
	}
	if m.Window != nil {
		graph, err := NewWindowGraph(m.Window, s.Device)
		if err != nil {
			return Running{}, err
		}
		return Running{windowlstm.NewTagger(m.Window, graph, s.Bias), graph}, nil
	}
	graphs, err := NewGraphs(m.Network, s.Device)
	if err != nil {
		return Running{}, err
	}
	positions := s.Positions
	if positions == 0 && graphs.Provider() != CPU {
		positions = s.GPUPositions
	}
	options := bilstmcrf.Options{Positions: positions, Bias: s.Bias,
		CacheBytes: s.CacheBytes, Count: s.Count}
	return Running{bilstmcrf.NewTagger(m.Network, graphs, graphs, options), graphs}, nil
}

// Languages returns the languages of some models, each once.
func Languages(models []*Model) []string {
	var all []string
	for _, m := range models {
		if !slices.Contains(all, m.Language) {
			all = append(all, m.Language)
		}
	}
	return all
}
