package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/vet"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/palimpsest-deid/palimpsest/pipeline/secrettest"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// examplePipeline builds the job over the examples, without running it.
func examplePipeline(t *testing.T) (*beam.Pipeline, transforms.Config) {
	t.Helper()
	o := exampleOptions(t.TempDir())
	o.Consistency, o.SeedEpoch, o.Doctors, o.DateShiftPolicy = "markov", 2, "institution", "season"
	cfg, err := NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, _, err = Prepare(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	Build(s, cfg)
	return p, cfg
}

// Every function and type of the graph is registered, so that a worker on
// another machine can find it by name.
func TestEverythingIsRegistered(t *testing.T) {
	p, _ := examplePipeline(t)
	e, err := vet.Evaluate(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !e.Performant() {
		e.Generate("pipeline")
		t.Errorf("not registered:\n%s", e.Bytes())
	}
}

// The graph that is sent to a runner names the key and does not hold it, nor
// any text of the input.
func TestGraphHoldsNoSecret(t *testing.T) {
	p, _ := examplePipeline(t)
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	proto, err := graphx.Marshal(edges, &graphx.Options{Environment: &pipepb.Environment{}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := protojson.Marshal(proto)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(raw, []byte("Impulse")) {
		t.Fatal("the graph was not marshalled")
	}
	found := false
	for _, part := range secrettest.Unwrap(string(raw)) {
		checkNoSecret(t, "the graph", part)
		found = found || strings.Contains(part, "key_id")
	}
	if !found {
		t.Fatal("the settings of the DoFns were not found in the graph")
	}
}

// checkNoSecret checks that neither the key nor any name of the examples'
// known identifiers stands in text.
func checkNoSecret(t *testing.T, what, text string) {
	t.Helper()
	type person struct {
		Name string `parquet:"name"`
		MRN  string `parquet:"mrn"`
	}
	secrets := []string{testKey}
	for _, p := range readParquet[person](t, exampleIdentifiers) {
		secrets = append(secrets, p.Name, p.MRN)
		words := strings.Fields(p.Name)
		secrets = append(secrets, words[len(words)-1])
	}
	for _, s := range secrets {
		if len(s) > 4 && strings.Contains(text, s) {
			t.Errorf("%s holds %q", what, s)
		}
	}
}

// lockedBuffer is a buffer that is read while others write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Neither logs nor metrics nor what may be released say anything of a note or
// of the key, whatever the runner logs: the direct one writes the whole graph.
func TestLogsAndMetricsHoldNoSecret(t *testing.T) { onEachRunner(t, testLogsAndMetrics) }

func testLogsAndMetrics(t *testing.T) {
	var log lockedBuffer // Beam goes on logging after a job
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(old)
	beamlog.SetLogger(&beamlog.Standard{}) // as at the start: Prism's workers put another in its place
	_, cfg := examplePipeline(t)
	end, err := openRunner(context.Background(), &log)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	cfg.RunID = cfg.NewRun()
	if err := acquire(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	result, err := execute(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	metrics := ""
	for _, c := range result.Metrics().AllMetrics().Counters() {
		metrics += fmt.Sprintln(c.Key.Step, c.Namespace(), c.Name(), c.Result())
	}
	if !strings.Contains(metrics, "notes_detected 278") {
		t.Errorf("the metrics do not count the notes:\n%s", metrics)
	}
	checkNoSecret(t, "the metrics", metrics)
	checkNoSecret(t, "the log", strings.Join(secrettest.Unwrap(log.String()), "\n"))
	if !strings.Contains(log.String(), "detectFn") {
		t.Errorf("the log does not hold what the runner says:\n%s", log.String())
	}
	for _, name := range []string{transforms.ManifestFile, transforms.ReportFile, transforms.ReportPage} {
		raw, err := os.ReadFile(filepath.Join(cfg.Output, name))
		if err != nil {
			t.Fatal(err)
		}
		checkNoSecret(t, name, string(raw))
	}
	var manifest transforms.Manifest
	raw, err := os.ReadFile(filepath.Join(cfg.Output, transforms.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Configuration.Epoch != 2 || manifest.Configuration.Consistency != "markov" ||
		manifest.Configuration.Policy.Name() != "surrogate-shift" {
		t.Errorf("the manifest does not say how surrogates were drawn: %+v", manifest.Configuration)
	}
	if len(manifest.Configuration.KeyID) < 8 || manifest.Configuration.Model.Name != "en-clinical" || len(manifest.Inputs) != 1 ||
		len(manifest.Outputs) == 0 {
		t.Errorf("the manifest is %+v", manifest)
	}
}
