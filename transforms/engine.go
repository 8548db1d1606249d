package transforms

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// engine holds what the DoFns of one process share: the loaded model and its
// sessions, the rules, the keys. Runners make DoFns as they please, and never
// say when one is done, so an engine is made on first use and kept.
type engine struct {
	cfg      Config
	keys     *surrogate.Keyring
	detector *deid.Detector
	rewriter *deid.Rewriter
	graphs   *onnx.Graphs // of the network
	workers  int
	slots    chan struct{} // one per worker of the process
}

var engines struct {
	sync.Mutex
	m map[[sha256.Size]byte]*engine
}

// engineFor returns the process's engine for a configuration.
func engineFor(ctx context.Context, cfg Config) (*engine, error) {
	raw, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	id := sha256.Sum256(raw)
	engines.Lock()
	defer engines.Unlock()
	if e := engines.m[id]; e != nil {
		return e, nil
	}
	e, err := newEngine(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if engines.m == nil {
		engines.m = map[[sha256.Size]byte]*engine{}
	}
	engines.m[id] = e
	return e, nil
}

func newEngine(ctx context.Context, cfg Config) (*engine, error) {
	key, err := ResolveKey(ctx, cfg.Key)
	if err != nil {
		return nil, err
	}
	e := &engine{cfg: cfg, workers: cfg.Workers}
	if e.workers <= 0 {
		e.workers = runtime.GOMAXPROCS(0)
	}
	e.slots = make(chan struct{}, e.workers)
	if e.keys, err = surrogate.NewKeyring(key, cfg.Epoch); err != nil {
		return nil, fmt.Errorf("key %s: %w", PrintableKey(cfg.Key), err)
	}
	if id := e.keys.ID(); id != cfg.KeyID {
		return nil, fmt.Errorf("key %s: this worker finds the key of id %s, the job was started with %s; give all workers one key", PrintableKey(cfg.Key), id, cfg.KeyID)
	}
	r, err := LoadRules(cfg)
	if err != nil {
		return nil, err
	}
	settings := cfg.Settings()
	e.rewriter = &deid.Rewriter{Settings: settings, Keys: e.keys}
	e.detector = &deid.Detector{Settings: settings}
	if r != nil {
		e.detector.Rules = func() deid.Matcher { return r.NewMatcher() }
	}
	if e.detector.Staff, err = loadStaff(ctx, cfg); err != nil {
		return nil, err
	}
	if e.detector.Network, e.graphs, err = loadNetwork(ctx, cfg); err != nil {
		return nil, err
	}
	made(e)
	return e, nil
}

// made hears of each engine before its first use. Tests break its taggers.
var made = func(*engine) {}

// LoadRules compiles the rules of the job's language and of its site. It
// returns nil where no step asks for rules: a model's language need not have any.
func LoadRules(cfg Config) (*rules.Rules, error) {
	switch {
	case !cfg.Settings().Has(deid.StepRules) && cfg.SiteRules != "":
		return nil, fmt.Errorf("--site_rules=%s: --steps leaves out rules, which these belong to; add rules to it or leave out --site_rules", cfg.SiteRules)
	case !cfg.Settings().Has(deid.StepRules):
		return nil, nil
	case !slices.Contains(rules.Languages(), cfg.RulesLanguage):
		return nil, fmt.Errorf("model %s: there are no rules for its language %q, but for %q; leave rules out of --steps", cfg.Model, cfg.RulesLanguage, rules.Languages())
	case cfg.SiteRules == "":
		return rules.New(cfg.RulesLanguage)
	}
	site, err := rules.ParseSite(cfg.SiteRules, []byte(cfg.SiteRulesText))
	if err != nil {
		return nil, fmt.Errorf("--site_rules: %w", err)
	}
	r, err := rules.New(cfg.RulesLanguage, site)
	if err != nil {
		return nil, fmt.Errorf("--site_rules=%s: %w", cfg.SiteRules, err)
	}
	return r, nil
}

// maxModelFile bounds a file of a model directory.
const maxModelFile = 1 << 30

// LoadModel reads a model directory, local or gs://.
func LoadModel(ctx context.Context, dir string) (*bilstmcrf.Model, error) {
	m, err := bilstmcrf.Load(func(name string) ([]byte, error) {
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

func loadNetwork(ctx context.Context, cfg Config) (*bilstmcrf.Tagger, *onnx.Graphs, error) {
	m, err := LoadModel(ctx, cfg.Model)
	if err != nil {
		return nil, nil, err
	}
	if m.Digest != cfg.ModelIdentity.Digest {
		return nil, nil, fmt.Errorf("model %s: this worker finds digest %s, the job was started with %s; give all workers one model", cfg.Model, m.Digest, cfg.ModelIdentity.Digest)
	}
	if _, _, err := onnx.Initialize(cfg.ONNXRuntime); err != nil {
		return nil, nil, err
	}
	graphs, err := onnx.NewGraphs(m, cfg.Device())
	if err != nil {
		return nil, nil, fmt.Errorf("model %s: %w", cfg.Model, err)
	}
	if cfg.Provider == string(onnx.Auto) {
		took := "execution provider auto: the network runs on " + string(graphs.Provider())
		if why := graphs.Fallback(); why != "" {
			took += ", not on the GPU: " + why
		}
		log.Warn(ctx, took) // a level that workers show
	}
	positions := cfg.Positions
	if positions == 0 && graphs.Provider() != onnx.CPU {
		positions = gpuPositions
	}
	return bilstmcrf.NewTagger(m, graphs, graphs, bilstmcrf.Options{Positions: positions, RecallBias: cfg.RecallBias}), graphs, nil
}

// acquire waits for one of the process's worker slots: however many bundles a
// runner processes at once, no more texts are in work than there are cores.
func (e *engine) acquire(ctx context.Context) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err // a free slot must not win over the end of the job
	}
	select {
	case e.slots <- struct{}{}:
		return func() { <-e.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hash returns a keyed hash of a document id, so that ids can be compared
// without being shuffled.
func (e *engine) hash(id string) (h [16]byte) {
	copy(h[:], e.keys.PseudonymString("duplicates", id))
	return h
}
