package onnx

import (
	"errors"
	"fmt"
	"runtime"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/windowlstm"
)

// Graphs are the graphs of a bilstmcrf model, two or three, or the one of a windowlstm
// model, ready to run. Safe for concurrent use.
type Graphs struct {
	char, token   *session // char is nil where a model has none
	context       *session // nil for a model without language models
	chars, labels int      // width of a character vector, number of labels
	width         int      // of the token graph's input
	contexts      int      // width of the language models' states
	alone         bool     // the token graph takes one window a run
	narrow        bool     // and inputs of 8 bits
}

var (
	_ bilstmcrf.CharEncoder = (*Graphs)(nil)
	_ bilstmcrf.Emitter     = (*Graphs)(nil)
	_ tagger.NarrowEmitter  = (*Graphs)(nil)
)

// NewGraphs opens m's graphs on a device. The library must be initialised.
func NewGraphs(m *bilstmcrf.Model, device Device) (*Graphs, error) {
	g := &Graphs{chars: m.Dimensions.Char, labels: len(m.Labels), width: m.Width(), contexts: m.Dimensions.Context,
		alone: m.WindowsPerRun == 1, narrow: m.InputBits == 8}
	device, err := device.forPrecision(m)
	if err != nil {
		return nil, err
	}
	g.char, err = open(graph{
		name: bilstmcrf.CharGraphFile,
		inputs: []tensor{
			{"chars", ort.TensorElementDataTypeInt32, []int64{-1, -1}},
			{"lengths", ort.TensorElementDataTypeInt32, []int64{-1}},
		},
		outputs: []tensor{{"char_vectors", ort.TensorElementDataTypeFloat, []int64{-1, int64(g.chars)}}},
	}, m.CharGraph, device)
	if err != nil {
		return nil, err
	}
	if err := g.openToken(bilstmcrf.TokenGraphFile, m.TokenGraph, device); err != nil {
		return nil, err
	}
	if g.contexts > 0 {
		if g.context, err = openContext(m, device); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// NewWindowGraph opens m's graph on a device. The library must be initialised.
func NewWindowGraph(m *windowlstm.Model, device Device) (*Graphs, error) {
	g := &Graphs{labels: len(m.Labels), width: m.Dimensions.Token}
	if err := g.openToken(windowlstm.GraphFile, m.Graph, device); err != nil {
		return nil, err
	}
	return g, nil
}

// openToken opens the graph that gives tokens their scores.
func (g *Graphs) openToken(name string, model []byte, device Device) (err error) {
	numbers := ort.TensorElementDataType(ort.TensorElementDataTypeFloat)
	if g.narrow {
		numbers = ort.TensorElementDataTypeUint8
	}
	g.token, err = open(graph{
		name: name,
		inputs: []tensor{
			{"x", numbers, []int64{-1, -1, int64(g.width)}},
			{"lengths", ort.TensorElementDataTypeInt32, []int64{-1}},
		},
		outputs: []tensor{{"emissions", ort.TensorElementDataTypeFloat, []int64{-1, -1, int64(g.labels)}}},
	}, model, device)
	return err
}

// Provider returns what the token graph runs on.
func (g *Graphs) Provider() Provider { return g.token.provider }

// Fallback returns why Auto took the CPU on a machine that seems to have a GPU,
// and "" in any other case.
func (g *Graphs) Fallback() string { return g.token.fallback }

// EncodeChars implements bilstmcrf.CharEncoder.
func (g *Graphs) EncodeChars(vectors []float32, chars, lengths []int32, steps int) error {
	n := int64(len(lengths))
	return runGraph(g.char, ort.NewShape(int64(steps), n), chars, lengths, steps, ort.NewShape(n, int64(g.chars)), vectors)
}

// Emit implements tagger.Emitter.
func (g *Graphs) Emit(emissions, x []float32, lengths []int32, steps int) error {
	if g.narrow {
		return errors.New("onnx: inputs of 32 bits to a graph that takes 8")
	}
	return emit(g, emissions, x, lengths, steps)
}

// EmitNarrow implements tagger.NarrowEmitter.
func (g *Graphs) EmitNarrow(emissions []float32, x []uint8, lengths []int32, steps int) error {
	if !g.narrow {
		return errors.New("onnx: inputs of 8 bits to a graph that takes 32")
	}
	return emit(g, emissions, x, lengths, steps)
}

func emit[T ort.TensorData](g *Graphs, emissions []float32, x []T, lengths []int32, steps int) error {
	if g.alone && len(lengths) > 1 {
		return fmt.Errorf("onnx: %d windows in a run of a model of which a run has one", len(lengths))
	}
	n := int64(len(lengths))
	return runGraph(g.token, ort.NewShape(int64(steps), n, int64(g.width)), x, lengths, steps, ort.NewShape(int64(steps), n, int64(g.labels)),
		emissions)
}

// runGraph runs a graph of one data input, the lengths and one output. It
// checks sizes first: behind cgo a wrong one is a crash.
func runGraph[T ort.TensorData](s *session, inShape ort.Shape, in []T, lengths []int32, steps int, outShape ort.Shape,
	out []float32) error {
	if int64(len(in)) != inShape.FlattenedSize() || int64(len(out)) != outShape.FlattenedSize() {
		return fmt.Errorf("onnx: %d inputs and %d outputs do not fill %v and %v", len(in), len(out), inShape, outShape)
	}
	for _, l := range lengths {
		if l < 1 || int(l) > steps {
			return fmt.Errorf("onnx: length %d is not within 1 and %d", l, steps)
		}
	}
	// The tensors refer to Go memory for as long as they are there.
	var pinner runtime.Pinner
	defer pinner.Unpin()
	pin(&pinner, in)
	pin(&pinner, lengths)
	pin(&pinner, out)
	x, err := ort.NewTensor(inShape, in)
	if err != nil {
		return fmt.Errorf("onnx: %w", err)
	}
	defer x.Destroy()
	l, err := ort.NewTensor(ort.NewShape(int64(len(lengths))), lengths)
	if err != nil {
		return fmt.Errorf("onnx: %w", err)
	}
	defer l.Destroy()
	y, err := ort.NewTensor(outShape, out)
	if err != nil {
		return fmt.Errorf("onnx: %w", err)
	}
	defer y.Destroy()
	if err := s.Run([]ort.Value{x, l}, []ort.Value{y}); err != nil {
		return fmt.Errorf("onnx: %w", err)
	}
	return nil
}

func pin[T any](p *runtime.Pinner, s []T) {
	if len(s) > 0 {
		p.Pin(&s[0])
	}
}
