package onnx

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// Provider is an execution provider of ONNX Runtime, as the user asks for it.
type Provider string

// The providers. Auto takes CUDA where it works and the CPU otherwise; the
// others never fall back. TensorRT is left out: it has no LSTM of sequences of
// different lengths.
const (
	Auto Provider = "auto"
	CPU  Provider = "cpu"
	CUDA Provider = "cuda"
)

// Device says what graphs run on.
type Device struct {
	Provider Provider
	CUDA     int // number of the GPU
	MemoryMB int // MiB of it that each graph may take; 0 for no limit
}

// ParseProvider returns the provider of that name.
func ParseProvider(name string) (Provider, error) {
	switch p := Provider(name); p {
	case Auto, CPU, CUDA:
		return p, nil
	}
	return "", fmt.Errorf("execution provider %q is not one of auto, cpu, cuda", name)
}

// session is one graph, loaded once per process.
type session struct {
	*ort.DynamicAdvancedSession
	provider Provider // what it really runs on: never Auto
	fallback string   // why Auto did not take the GPU that seems to be there
}

// graph says what a graph must look like.
type graph struct {
	name            string
	inputs, outputs []tensor
}

// tensor is the name, type and shape of a graph's input or output; -1 is a
// dimension that varies.
type tensor struct {
	name  string
	typ   ort.TensorElementDataType
	shape []int64
}

// sessionKey is of a graph's bytes and of all that was checked of them.
type sessionKey struct {
	graph  string
	digest [sha256.Size]byte
	device Device
}

// sessions holds every session of the process. Beam makes DoFns as often as it
// likes and never says when they are done, while creating and destroying
// sessions leaks, so they are made once and kept.
var sessions struct {
	sync.Mutex
	m map[sessionKey]*session
}

// open returns the process's session for a graph. The library must be
// initialised.
func open(g graph, model []byte, device Device) (*session, error) {
	key := sessionKey{fmt.Sprint(g), sha256.Sum256(model), device}
	sessions.Lock()
	defer sessions.Unlock()
	if s := sessions.m[key]; s != nil {
		return s, nil
	}
	if err := g.check(model); err != nil {
		return nil, err
	}
	s, err := create(g, model, device)
	if err != nil {
		return nil, err
	}
	if sessions.m == nil {
		sessions.m = map[sessionKey]*session{}
	}
	sessions.m[key] = s
	return s, nil
}

// create makes a session on a device; Auto tries CUDA, then the CPU.
func create(g graph, model []byte, device Device) (*session, error) {
	if device.Provider == Auto {
		device.Provider = CUDA
		s, err := create(g, model, device)
		if err == nil {
			return s, nil
		}
		device.Provider = CPU
		s, cpuErr := create(g, model, device)
		if cpuErr == nil && GPUExpected() {
			s.fallback = firstLine(err)
		}
		return s, cpuErr
	}
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime: %w", err)
	}
	defer options.Destroy()
	if err := configure(options, device); err != nil {
		return nil, err
	}
	var in, out []string
	for _, t := range g.inputs {
		in = append(in, t.name)
	}
	for _, t := range g.outputs {
		out = append(out, t.name)
	}
	s, err := ort.NewDynamicAdvancedSessionWithONNXData(model, in, out, options)
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", g.name, device.Provider, err)
	}
	return &session{s, device.Provider, ""}, nil
}

// GPUExpected tells whether whoever set this machine up seems to have meant the
// GPU to be used: it has one of NVIDIA's, or ONNX Runtime is a build for them.
func GPUExpected() bool {
	for _, path := range []string{"/dev/nvidiactl", "/dev/dxg",
		filepath.Join(filepath.Dir(environment.path), "libonnxruntime_providers_cuda.so")} {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}

// configure sets one thread per run: parallelism comes from concurrent runs,
// which, unlike threads inside a run, does not collapse when a neighbour holds
// a core.
func configure(o *ort.SessionOptions, device Device) error {
	err := errors.Join(
		o.SetIntraOpNumThreads(1),
		o.SetInterOpNumThreads(1),
		o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableAll),
	)
	if err != nil {
		return fmt.Errorf("ONNX Runtime: %w", err)
	}
	if device.Provider != CUDA {
		return nil
	}
	cuda, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return cudaError(err)
	}
	defer cuda.Destroy()
	// Shapes vary with every batch, so the arena grows by what is asked for;
	// TF32 would make a GPU's labels differ from a CPU's.
	set := map[string]string{"device_id": strconv.Itoa(device.CUDA), "arena_extend_strategy": "kSameAsRequested", "use_tf32": "0"}
	if device.MemoryMB > 0 {
		set["gpu_mem_limit"] = strconv.FormatInt(int64(device.MemoryMB)<<20, 10)
	}
	if err := cuda.Update(set); err != nil {
		return cudaError(err)
	}
	if err := o.AppendExecutionProviderCUDA(cuda); err != nil {
		return cudaError(err)
	}
	// Nodes that the GPU cannot take would otherwise go to the CPU in silence.
	if err := o.AddSessionConfigEntry("session.disable_cpu_ep_fallback", "1"); err != nil {
		return cudaError(err)
	}
	return nil
}

func cudaError(err error) error {
	return fmt.Errorf("execution provider cuda: %w; needed are a GPU build of ONNX Runtime (%s), libonnxruntime_providers_shared.so and "+
		"libonnxruntime_providers_cuda.so beside %s, and CUDA and cuDNN on LD_LIBRARY_PATH; or choose cpu or auto",
		err, need, filepath.Dir(environment.path)+string(os.PathSeparator))
}

// check compares the graph's inputs and outputs with what g wants, because the
// runtime itself would notice a wrong name only on the first run.
func (g graph) check(model []byte) error {
	in, out, err := ort.GetInputOutputInfoWithONNXData(model)
	if err != nil {
		return fmt.Errorf("%s: %w", g.name, err)
	}
	if err := match(g.inputs, in); err != nil {
		return fmt.Errorf("%s: input %w", g.name, err)
	}
	if err := match(g.outputs, out); err != nil {
		return fmt.Errorf("%s: output %w", g.name, err)
	}
	return nil
}

func match(want []tensor, got []ort.InputOutputInfo) error {
	if len(want) != len(got) {
		return fmt.Errorf("count is %d, want %d", len(got), len(want))
	}
	byName := map[string]ort.InputOutputInfo{}
	for _, g := range got {
		byName[g.Name] = g
	}
	for _, w := range want {
		g, ok := byName[w.name]
		if !ok {
			return fmt.Errorf("%q is missing", w.name)
		}
		if g.DataType != w.typ || len(g.Dimensions) != len(w.shape) {
			return fmt.Errorf("%q is %v %v, want %v %v", w.name, g.DataType, g.Dimensions, w.typ, w.shape)
		}
		for i, d := range w.shape {
			if d >= 0 && g.Dimensions[i] >= 0 && g.Dimensions[i] != d {
				return fmt.Errorf("%q has shape %v, want %v", w.name, g.Dimensions, w.shape)
			}
		}
	}
	return nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
