package transforms

import (
	"fmt"

	"github.com/palimpsest-deid/palimpsest/onnx"
)

// Hardware is what the launcher found of the machine that it tried the models on.
type Hardware struct {
	// Probes are digests of what the models make of a fixed text (onnx.Model.Probe),
	// in the order of What.Models; "" for a model that rounds alike everywhere.
	// Without any, as where the launcher has no models, none are compared.
	Probes []string `json:",omitempty"`
	// MixedHardware lets workers have other probes than the launcher.
	MixedHardware bool `json:",omitempty"`
	// FromAuto says that the launcher chose the provider.
	FromAuto bool `json:",omitempty"`
}

// follow refuses a worker on which a model gives other scores than on the
// launcher's machine: what is found would depend on who reads a note.
func (h Hardware) follow(which int, dir string, m *onnx.Model, r onnx.Running) error {
	if h.MixedHardware || which >= len(h.Probes) || h.Probes[which] == "" {
		return nil
	}
	got, err := m.Probe(r)
	if err == nil && got != h.Probes[which] {
		err = fmt.Errorf("this worker's processor or ONNX Runtime gives other scores than the launcher's (probe %.12s, not %.12s), so that what "+
			"is found in a note would depend on the worker that reads it; start the job on a machine of the workers' kind, and give all of "+
			"them one kind, or write --mixed_hardware if small differences do not matter", got, h.Probes[which])
	}
	if err != nil {
		return fmt.Errorf("model %s: %w", dir, err)
	}
	return nil
}

// withoutGPU reports whether a job that would have taken a GPU runs on the CPU of a
// machine that seems to have one.
func (c Config) withoutGPU(g *onnx.Graphs) bool {
	return g != nil && (g.Fallback() != "" || c.FromAuto && g.Provider() == onnx.CPU && onnx.GPUExpected())
}
