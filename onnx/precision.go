package onnx

import (
	"errors"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
)

// errOnGPU says that 8-bit weights have no kernels for GPUs.
var errOnGPU = errors.New("its weights have 8 bits, which ONNX Runtime multiplies on the CPU alone; write " +
	"--execution_provider=cpu, or take a model with weights in full, such as en-clinical-accurate")

// forPrecision returns the device that a model of its precision runs on, where
// this one was asked for.
func (d Device) forPrecision(m *bilstmcrf.Model) (Device, error) {
	if m.Precision != bilstmcrf.Int8 {
		return d, nil
	}
	switch d.Provider {
	case CUDA:
		return d, errOnGPU
	case Auto:
		d.Provider = CPU
	}
	return d, nil
}

// Probe returns a digest of what the model, which is ready, makes of a fixed text;
// "" for a model without graphs, whose sums are the same everywhere.
func (m *Model) Probe(r Running) (string, error) {
	if r.Graphs == nil {
		return "", nil
	}
	if m.Window != nil {
		return m.Window.Probe(r.Graphs)
	}
	return m.Network.Probe(r.Graphs, r.Graphs)
}
