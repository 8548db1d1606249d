package transforms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
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
	graphs   *onnx.Graphs // of the network; nil where no model has any
	reader   deid.Network // of released texts, for a gate; nil for none
	links    *deid.Links  // between patients
	workers  int
	slots    chan struct{} // one per worker of the process
	night    *night        // nil without a state
	bucket   func(patient string) int
}

var engines struct {
	sync.Mutex
	m map[string]*engine
}

// engineFor returns the process's engine for a configuration.
func engineFor(ctx context.Context, cfg Config) (*engine, error) {
	id := digestOf(cfg)
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
		engines.m = map[string]*engine{}
	}
	engines.m[id] = e
	return e, nil
}

func newEngine(ctx context.Context, cfg Config) (*engine, error) {
	e := &engine{cfg: cfg, workers: cfg.Workers}
	if e.workers <= 0 {
		e.workers = runtime.GOMAXPROCS(0)
	}
	e.slots = make(chan struct{}, e.workers)
	var err error
	if e.keys, err = cfg.keySource().open(ctx); err != nil {
		return nil, err
	}
	if e.links, err = loadLinks(ctx, cfg); err != nil {
		return nil, err
	}
	if e.night, err = nightFor(ctx, cfg); err != nil {
		return nil, err
	}
	var state *history.Keys
	if e.night != nil {
		state = e.night.keys
	}
	e.bucket = cfg.bucketer(e.keys, state)
	settings := cfg.Settings()
	if cfg.What.Model == (ModelIdentity{}) { // there are no texts to tag
		e.rewriter, e.detector = &deid.Rewriter{Settings: settings, Keys: e.keys}, &deid.Detector{Settings: settings}
		return e, nil
	}
	r, err := loadRules(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if settings.Allow, err = loadAllow(ctx, cfg); err != nil {
		return nil, err
	}
	if settings.Surrogates.Lists, err = loadLists(ctx, cfg); err != nil {
		return nil, err
	}
	e.rewriter = &deid.Rewriter{Settings: settings, Keys: e.keys}
	e.detector = &deid.Detector{Settings: settings}
	if r != nil {
		e.detector.Rules = func() deid.Matcher { return r.NewMatcher() }
	}
	if e.detector.Staff, err = loadStaff(ctx, cfg); err != nil {
		return nil, err
	}
	if e.detector.Network, e.graphs, err = loadModels(ctx, cfg); err != nil {
		return nil, err
	}
	if e.reader, err = loadReader(ctx, cfg); err != nil {
		return nil, err
	}
	made(e)
	return e, nil
}

// made hears of each engine before its first use. Tests break its taggers.
var made = func(*engine) {}

// maxSiteRules bounds the file of a site's rules.
const maxSiteRules = 4 << 20

// LoadRules compiles the rules of the job's language and of its site, and
// returns the SHA-256 of the site's, empty without any. The rules are nil where
// no step asks for them: a model's language need not have any.
func LoadRules(ctx context.Context, cfg Config) (_ *rules.Rules, siteDigest string, err error) {
	switch {
	case !cfg.Settings().Has(deid.StepRules) && cfg.SiteRules != "":
		return nil, "", fmt.Errorf("--site_rules=%s: --steps leaves out rules, which these belong to; add rules to it or leave out --site_rules",
			cfg.SiteRules)
	case !cfg.Settings().Has(deid.StepRules):
		return nil, "", nil
	case !slices.Contains(rules.Languages(), cfg.Language):
		return nil, "", fmt.Errorf("model %s: there are no rules for its language %q, but for %q; leave rules out of --steps",
			cfg.Where.Model, cfg.Language, rules.Languages())
	case cfg.SiteRules == "":
		r, err := rules.New(cfg.Language)
		return r, "", err
	}
	raw, err := storage.ReadFile(ctx, cfg.SiteRules, maxSiteRules)
	if err != nil {
		return nil, "", fmt.Errorf("--site_rules: %w", err)
	}
	site, err := rules.ParseSite(cfg.SiteRules, raw)
	if err != nil {
		return nil, "", fmt.Errorf("--site_rules: %w", err)
	}
	r, err := rules.New(cfg.Language, site)
	if err != nil {
		return nil, "", fmt.Errorf("--site_rules=%s: %w", cfg.SiteRules, err)
	}
	sum := sha256.Sum256(raw)
	return r, hex.EncodeToString(sum[:]), nil
}

// loadRules is LoadRules for a worker, which must find the launcher's.
func loadRules(ctx context.Context, cfg Config) (*rules.Rules, error) {
	r, digest, err := LoadRules(ctx, cfg)
	if err == nil && digest != cfg.SiteRulesDigest {
		err = otherDigest("site rules", cfg.SiteRules, digest, cfg.SiteRulesDigest)
	}
	return r, err
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
