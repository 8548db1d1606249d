package onnx

import (
	"fmt"
	"runtime"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
)

var _ bilstmcrf.ContextEncoder = (*Graphs)(nil)

// openContext opens the graph of a model's language models.
func openContext(m *bilstmcrf.Model, device Device) (*session, error) {
	integers := ort.TensorElementDataType(ort.TensorElementDataTypeInt32)
	return open(graph{
		name: bilstmcrf.ContextGraphFile,
		inputs: []tensor{
			{"chars", integers, []int64{-1, -1}},
			{"lengths", integers, []int64{-1}},
			{"places", integers, []int64{-1, -1, 2}},
		},
		outputs: []tensor{{"context", ort.TensorElementDataTypeFloat, []int64{-1, -1, int64(m.Dimensions.Context)}}},
	}, m.ContextGraph, device)
}

// EncodeContext implements bilstmcrf.ContextEncoder.
func (g *Graphs) EncodeContext(vectors []float32, chars, lengths, places []int32, charSteps, steps int) error {
	n := len(lengths)
	if g.context == nil || len(chars) != charSteps*n || len(places) != steps*n*2 || len(vectors) != steps*n*g.contexts {
		return fmt.Errorf("onnx: %d characters, %d places and %d outputs do not fill %d windows of %d steps", len(chars), len(places),
			len(vectors), n, steps)
	}
	for _, l := range lengths {
		if l < 1 || int(l) > charSteps {
			return fmt.Errorf("onnx: length %d is not within 1 and %d", l, charSteps)
		}
	}
	for _, p := range places {
		if p < 0 || int(p) >= 2*charSteps*n {
			return fmt.Errorf("onnx: place %d is not within 0 and %d", p, 2*charSteps*n-1)
		}
	}
	// The tensors refer to Go memory for as long as they are there.
	var pinner runtime.Pinner
	defer pinner.Unpin()
	var values []ort.Value
	defer func() {
		for _, v := range values {
			v.Destroy()
		}
	}()
	for _, of := range []struct {
		shape ort.Shape
		data  []int32
	}{
		{ort.NewShape(int64(charSteps), int64(n)), chars},
		{ort.NewShape(int64(n)), lengths},
		{ort.NewShape(int64(steps), int64(n), 2), places},
	} {
		pin(&pinner, of.data)
		v, err := ort.NewTensor(of.shape, of.data)
		if err != nil {
			return fmt.Errorf("onnx: %w", err)
		}
		values = append(values, v)
	}
	pin(&pinner, vectors)
	out, err := ort.NewTensor(ort.NewShape(int64(steps), int64(n), int64(g.contexts)), vectors)
	if err != nil {
		return fmt.Errorf("onnx: %w", err)
	}
	defer out.Destroy()
	if err := g.context.Run(values, []ort.Value{out}); err != nil {
		return fmt.Errorf("onnx: %w", err)
	}
	return nil
}
