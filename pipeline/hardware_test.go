package pipeline

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// eightBits knows few words, and would stop a job over names in kept columns.
const eightBits = "../onnx/testdata/en-cut-int8"

func hardwareOptions(t *testing.T, model string) Options {
	o := exampleOptions(t.TempDir())
	o.Model, o.OtherColumns, o.AcceptColumns = model, "drop", nil
	return o
}

// With 8-bit weights too the released bytes are the same however the work is cut.
func TestEightBitsReleaseTheSameBytes(t *testing.T) {
	job := func(change func(*transforms.Config)) map[string]string {
		o := hardwareOptions(t, eightBits)
		cfg, _, _ := run(t, o, change)
		all := digests(t, cfg.Output, cfg.Private)
		maps.DeleteFunc(all, func(name, _ string) bool { return !strings.HasSuffix(name, ".parquet") })
		return all
	}
	once := job(func(c *transforms.Config) { c.Workers, c.BatchBytes = 1, 1<<10 })
	twice := job(func(c *transforms.Config) { c.Workers, c.BatchBytes, c.Positions = 4, 1<<20, 20_000 })
	if len(once) < 2 || !maps.Equal(once, twice) {
		t.Errorf("one worker with small batches and four with large ones release different bytes: %v, %v", once, twice)
	}
}

// A worker on which the network gives other scores than for the launcher stops the job
// before anything is published, unless mixed hardware is accepted.
func TestOtherHardwareIsRefused(t *testing.T) {
	for _, model := range []string{inFull, eightBits} {
		for _, accepted := range []bool{false, true} {
			o := hardwareOptions(t, model)
			o.MixedHardware, o.Limit = accepted, 5
			cfg, err := NewConfig(o)
			if err != nil {
				t.Fatal(err)
			}
			if cfg, _, err = Prepare(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			if len(cfg.Probes) != 1 || len(cfg.Probes[0]) != 64 {
				t.Fatalf("the launcher's probes are %q", cfg.Probes)
			}
			// As if the launcher's processor rounded otherwise.
			cfg.Probes = []string{strings.Repeat("0123456789abcdef", 4)}
			var log strings.Builder
			err = Run(context.Background(), cfg, &log)
			switch {
			case accepted && err != nil:
				t.Errorf("%s: --mixed_hardware does not let it run: %v", model, err)
			case !accepted && (err == nil || !strings.Contains(err.Error(), "--mixed_hardware") || !strings.Contains(err.Error(),
				"not 0123456789ab")):
				t.Errorf("%s: a worker with another probe took part: %v", model, err)
			}
		}
	}
}

// The launcher settles auto, and a worker follows or refuses.
func TestLauncherSettlesTheProvider(t *testing.T) {
	for _, model := range []string{inFull, eightBits, inFull + "," + eightBits} {
		o := hardwareOptions(t, model)
		o.ExecutionProvider = "auto"
		cfg, err := NewConfig(o)
		if err != nil {
			t.Fatal(err)
		}
		if cfg, _, err = Prepare(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
		if cfg.Provider == string(onnx.Auto) || !cfg.FromAuto || strings.Contains(model, "int8") && cfg.Provider != string(onnx.CPU) {
			t.Errorf("%s: workers are told %q", model, cfg.Provider)
		}
	}
	// The launcher had a GPU, this worker has none that works.
	o := exampleOptions(t.TempDir())
	o.Limit, o.Model = 5, inFull
	cfg, err := NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, _, err = Prepare(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	cfg.Provider, cfg.FromAuto = string(onnx.CUDA), true
	var log strings.Builder
	if err := Run(context.Background(), cfg, &log); err == nil {
		t.Skip("this machine has a GPU, and a build of ONNX Runtime for it")
	} else if !strings.Contains(err.Error(), "execution provider cuda") {
		t.Errorf("a worker that cannot follow: %v", err)
	}
}
