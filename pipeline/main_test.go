package pipeline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// The tests run whole jobs on the default runner, some of them on Prism too,
// with the shipped model in the real ONNX Runtime. Once Prism was started the
// process can start no program, so no test may.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("beam_strict", "true"); err != nil {
		panic(err)
	}
	os.Setenv(testKeyEnv, testKey)
	beam.Init()
	// Where Prism has run, this process can start no other.
	folder, err := os.MkdirTemp("", "palimpsest-writers-")
	if err != nil {
		panic(err)
	}
	ofWriters = rewriteExamples(folder)
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// onEachRunner runs a test on both runners that do the job in this process.
func onEachRunner(t *testing.T, test func(t *testing.T)) {
	for _, name := range []string{direct, onPrism} {
		onRunner(t, name, test)
	}
}

func onRunner(t *testing.T, name string, test func(t *testing.T)) {
	before := flagValue("runner")
	defer func() { _ = flag.Set("runner", before) }()
	if err := flag.Set("runner", name); err != nil {
		t.Fatal(err)
	}
	t.Run(name, test)
}

const (
	testKeyEnv = "PALIMPSEST_TEST_KEY"
	testKey    = "a key of the tests: fifty bytes or so, never to be seen"

	exampleNotes       = "../examples/notes.parquet"
	exampleIdentifiers = "../examples/identifiers.parquet"
	model              = "../onnx/models/en-clinical"
	inFull             = "../onnx/models/en-clinical-accurate"
)

// testOptions returns options for a run of the given inputs below dir.
func testOptions(dir string, inputs ...string) Options {
	o := DefaultOptions()
	o.Input, o.Output, o.Key, o.Model = inputs, filepath.Join(dir, "out"), "env:"+testKeyEnv, model
	o.Private, o.Beside = o.Output+"-private", true
	o.ExecutionProvider = "cpu"
	o.RowOrder = "keep" // rows are compared by their place; the examples are in date order, and would be regrouped
	// What is kept, quarantined or missing has tests of its own.
	o.OtherColumns, o.AcceptColumns, o.MaxQuarantined = "keep", []string{"orders.list.element.code", "note_title"}, 100
	return o
}

func exampleOptions(dir string) Options {
	o := testOptions(dir, exampleNotes)
	o.Identifiers = exampleIdentifiers
	o.DateColumns = []string{"note_date", "written_at", "admitted_at"}
	o.IDColumns = []string{"encounter_id"}
	return o
}

// run runs a job and returns its configuration, report and log.
func run(t *testing.T, o Options, change func(*transforms.Config)) (transforms.Config, transforms.Report, string) {
	t.Helper()
	cfg, report, log, err := tryRun(o, change)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, report, log
}

func tryRun(o Options, change func(*transforms.Config)) (cfg transforms.Config, report transforms.Report, log string, err error) {
	ctx := context.Background()
	if cfg, err = NewConfig(o); err != nil {
		return
	}
	if change != nil {
		change(&cfg)
	}
	if cfg, _, err = Prepare(ctx, cfg); err != nil {
		return
	}
	var out bytes.Buffer
	if err = Run(ctx, cfg, &out); err != nil {
		return cfg, report, out.String(), err
	}
	report, err = ReadReport(ctx, cfg.Output)
	return cfg, report, out.String(), err
}

// digests returns the SHA-256 of every file below the directories, by its path
// within them.
func digests(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			h := sha256.New()
			if _, err := io.Copy(h, f); err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			all[filepath.Base(dir)+"/"+rel] = hex.EncodeToString(h.Sum(nil))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// writeParquet writes rows to a file below dir and returns its path.
func writeParquet[T any](t *testing.T, dir, name string, rows []T, options ...parquet.WriterOption) string {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := parquet.NewGenericWriter[T](f, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// readParquet reads all rows of the files that match, in order of name.
func readParquet[T any](t *testing.T, pattern string) []T {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for _, path := range paths {
		rows, err := parquet.ReadFile[T](path)
		if err != nil {
			t.Fatal(path, err)
		}
		all = append(all, rows...)
	}
	return all
}
