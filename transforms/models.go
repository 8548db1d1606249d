package transforms

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// ModelIdentity names a model beyond doubt.
type ModelIdentity struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Kind    string `json:"kind,omitempty"` // of onnx.Kinds; empty for a BiLSTM-CRF
	Digest  string `json:"sha256"`
}

// IdentityOf names a model.
func IdentityOf(m *onnx.Model) ModelIdentity {
	id := ModelIdentity{Name: m.Name, Version: m.Version, Kind: m.Kind, Digest: m.Digest}
	if m.Kind == tagger.BiLSTMCRF {
		id.Kind = ""
	}
	return id
}

// String returns name and version.
func (m ModelIdentity) String() string { return m.Name + " " + m.Version }

// Models names the models whose spans are united, the first one first.
func (w What) Models() []ModelIdentity { return append([]ModelIdentity{w.Model}, w.MoreModels...) }

// ModelNames names them for people.
func (w What) ModelNames() string {
	var names []string
	for _, m := range w.Models() {
		names = append(names, m.String())
	}
	if w.Vote {
		return "the vote of " + strings.Join(names, ", ")
	}
	return strings.Join(names, " and ")
}

// Models returns the directories of the models, in the order of What.Models.
func (w Where) Models() []string { return append([]string{w.Model}, w.MoreModels...) }

// maxModelFile bounds a file of a model directory.
const maxModelFile = 1 << 30

// LoadModel reads a model directory of any kind, local, gs:// or s3://.
func LoadModel(ctx context.Context, dir string) (*onnx.Model, error) {
	m, err := onnx.LoadModel(func(name string) ([]byte, error) {
		return storage.ReadFile(ctx, storage.Join(dir, name), maxModelFile)
	})
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", dir, err)
	}
	return m, nil
}

// gpuPositions is the batch that keeps a GPU busy, by arithmetic: the width of
// a batch is free there, its length is not.
const gpuPositions = 30_000

// Setup says how the job runs its models.
func (c Config) Setup() onnx.Setup {
	return onnx.Setup{Library: c.ONNXRuntime, Device: c.Device(), Positions: c.Positions, GPUPositions: gpuPositions,
		Bias: chain.Bias{Recall: c.RecallBias, Doubt: c.DoubtBias}, CacheBytes: c.WindowCache,
		Count: func(windows, reused int) {
			progress.Windows.Add(int64(windows))
			progress.Reused.Add(int64(reused))
		}}
}

// loadModels makes the models ready, which must be those that the launcher found,
// and returns what unites them, or lets them vote, and the graphs of the first that has some.
func loadModels(ctx context.Context, cfg Config) (tagger.Tagger, *onnx.Graphs, error) {
	var union tagger.Union
	var graphs *onnx.Graphs
	setup := cfg.Setup()
	setup.Bias.Odds = true // package deid asks for them
	for i, want := range cfg.What.Models() {
		dir := cfg.Where.Models()[i]
		m, err := LoadModel(ctx, dir)
		if err != nil {
			return nil, nil, err
		}
		if m.Digest != want.Digest {
			return nil, nil, otherDigest("model", dir, m.Digest, want.Digest)
		}
		running, err := m.Run(setup)
		if err != nil {
			return nil, nil, fmt.Errorf("model %s: %w", dir, err)
		}
		if err := cfg.follow(i, dir, m, running); err != nil {
			return nil, nil, err
		}
		union = append(union, tagger.Member{Name: want.String(), Tagger: running.Tagger})
		if graphs == nil {
			graphs = running.Graphs
		}
	}
	if cfg.Provider == string(onnx.Auto) && graphs != nil {
		took := "execution provider auto: the network runs on " + string(graphs.Provider())
		if why := graphs.Fallback(); why != "" {
			took += ", not on the GPU: " + why
		}
		log.Warn(ctx, took) // a level that workers show
	}
	if len(union) == 1 {
		return union[0].Tagger, graphs, nil
	}
	if cfg.Vote {
		return tagger.Vote{Members: union, Doubts: cfg.DoubtBias > 0}, graphs, nil
	}
	return union, graphs, nil
}

// provider names what the models run on, for the report. Tables run on the CPU.
func provider(g *onnx.Graphs) string {
	if g == nil {
		return string(onnx.CPU)
	}
	return string(g.Provider())
}

// rest gives back what the network remembers of forms, 130 MB at most: it has read
// the notes, and for the few values that it reads from here on it learns again.
func (e *engine) rest() {
	if e.detector.Network == nil {
		return
	}
	if n, ok := e.detector.Network.(interface{ Forget() }); ok {
		n.Forget()
	}
}
