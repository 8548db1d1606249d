package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
)

// measured is 1,000 notes of 2,000 bytes in 4 CPU seconds, 3 of them for the
// network: 250 notes per second and core, 1,000 without the network.
func measured() *figures.Figures {
	return &figures.Figures{
		Notes: 1000, TextBytes: 2_000_000, FileBytes: 1_000_000,
		Parts: []figures.Part{{Name: figures.Kernel, Cores: 1, Tokens: 200_000, CPUSeconds: 1.5}},
		Job:   figures.Job{Notes: 1000, Tokens: 400_000, CPUSeconds: 4, ShuffledBytes: 500_000, WrittenBytes: 2_500_000, PeakMiB: 300},
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func speedForTest(t *testing.T) speed {
	t.Helper()
	s, err := speedOf(measured())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSpeedOf(t *testing.T) {
	s := speedForTest(t)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"bytes per note", s.noteBytes, 2000},
		{"Parquet per byte of text", s.fileBytes, 0.5},
		{"CPU seconds per note", s.cpu, 0.004},
		{"without the network", s.cpuUnneural, 0.001},
		{"shuffled", s.shuffled, 500},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s: %g, want %g", c.what, c.got, c.want)
		}
	}
}

// Every figure here is computed by hand.
func TestReckon(t *testing.T) {
	s := speedForTest(t)
	p := &prices{}
	p.Storage.RequestsPerShard, p.Storage.PricePer1000 = 100, 0.5
	// 3.6 million notes of 2,000 bytes: 14,400 core seconds, 4 core hours; 3,600
	// MB of Parquet; 1.8 GB shuffled.
	base := corpus{Notes: 3_600_000, NoteBytes: 2000, ShardMB: 36}
	flink := engine{Name: "f", Runner: "flink", Workers: 2, Cores: 2, MemoryGiB: 4, WorkerMiB: 512, PerMachineHour: 3, PerHour: 1,
		SetupMinutes: 30, SpeedOfACore: 1}
	with := func(change func(c *corpus, e *engine)) (corpus, engine) {
		c, e := base, flink
		change(&c, &e)
		return c, e
	}
	for _, test := range []struct {
		name   string
		change func(c *corpus, e *engine)
		want   estimate
	}{
		// 4 cores for one hour, and half an hour to set up: 1.5 h * (2*3 + 1);
		// 100 shards of 100 requests.
		{"flink", func(*corpus, *engine) {}, estimate{Workers: 2, Shards: 100, CoreHours: 4, Hours: 1.5, PeakGiB: 0.5, Shuffled: 1.8,
			Machines: 10.5, Other: 5}},
		// Cores twice as fast: half an hour of work.
		{"faster cores", func(_ *corpus, e *engine) { e.SpeedOfACore = 2 },
			estimate{Workers: 2, Shards: 100, CoreHours: 2, Hours: 1, PeakGiB: 0.5, Shuffled: 1.8, Machines: 7, Other: 5}},
		// Notes twice as long cost, shuffle and fill shards twice as much.
		{"longer notes", func(c *corpus, _ *engine) { c.NoteBytes = 4000 },
			estimate{Workers: 2, Shards: 200, CoreHours: 8, Hours: 2.5, PeakGiB: 0.5, Shuffled: 3.6, Machines: 17.5, Other: 10}},
		// Within an hour of which half goes by: 4 h / 2 cores / 0.5 h = 4 workers.
		{"within an hour", func(c *corpus, _ *engine) { c.Hours = 1 },
			estimate{Workers: 4, Shards: 100, CoreHours: 4, Hours: 1, PeakGiB: 0.5, Shuffled: 1.8, Machines: 13, Other: 5}},
		{"no time", func(c *corpus, _ *engine) { c.Hours = 0.5 }, estimate{Workers: 2, Why: "setting up alone takes 30 minutes"}},
		// 3,600 MB in shards of 1,200 are 3, under four for each of 2 workers:
		// 450 MB make 8.
		{"large shards", func(c *corpus, _ *engine) { c.ShardMB = 1200 },
			estimate{Workers: 2, Shards: 8, Advice: 450, CoreHours: 4, Hours: 1.5, PeakGiB: 0.5, Shuffled: 1.8, Machines: 10.5, Other: 0.4}},
		// By parts: 2 cores * 0.5 + 4 GiB * 0.25 + 10 GB * 0.1 = 3 an hour.
		{"dataflow", func(_ *corpus, e *engine) {
			*e = engine{Name: "d", Runner: "dataflow", Workers: 4, Cores: 2, MemoryGiB: 4, DiskGB: 10, WorkerMiB: 1024, PerCoreHour: 0.5,
				PerGiBHour: 0.25, PerDiskGBHour: 0.1, PerShuffledGB: 10, SpeedOfACore: 1}
		}, estimate{Workers: 4, Shards: 100, CoreHours: 4, Hours: 0.5, PeakGiB: 1, Shuffled: 1.8, Machines: 6, Other: 23}},
		{"a GPU that nobody measured", func(_ *corpus, e *engine) { e.GPUs = 1 },
			estimate{Workers: 2, Why: "a GPU was not measured: give --gpu_notes_per_second"}},
		// 1,000 a second on each of 2 workers: half an hour, and to set up.
		{"GPU", func(c *corpus, e *engine) { e.GPUs, e.PerGPUHour, c.GPURate = 1, 2, 1000 },
			estimate{Workers: 2, Shards: 100, CoreHours: 2, Hours: 1, PeakGiB: 0.5, Shuffled: 1.8, Machines: 11, Other: 5}},
		// However fast the GPU, two cores feed it 2,000 a second.
		{"a GPU that its cores cannot feed", func(c *corpus, e *engine) { e.GPUs, c.GPURate = 1, 50_000 },
			estimate{Workers: 2, Shards: 100, CoreHours: 1, Hours: 0.75, PeakGiB: 0.5, Shuffled: 1.8, Machines: 5.25, Other: 5}},
		// 3.6 million notes shuffle 1.8e9 bytes; a hundred times that, and a GiB.
		{"prism with too little memory", func(_ *corpus, e *engine) {
			*e = engine{Name: "p", Runner: "prism", Workers: 1, Cores: 4, MemoryGiB: 64, WorkerMiB: 1024, ShuffleInMemory: 100, SpeedOfACore: 1}
		}, estimate{Workers: 1, Shards: 100, CoreHours: 4, Hours: 1, PeakGiB: 1 + 1.8e11/(1<<30), Shuffled: 1.8, Other: 5,
			Why: "it takes 169 GiB of memory and the machine has 64"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, e := with(test.change)
			got, want := reckon(c, s, p, e), test.want
			want.Engine = e
			if got.Workers != want.Workers || got.Shards != want.Shards || got.Why != want.Why || !near(got.Advice, want.Advice) ||
				!near(got.CoreHours, want.CoreHours) ||
				!near(got.Hours, want.Hours) || !near(got.PeakGiB, want.PeakGiB) || !near(got.Shuffled, want.Shuffled) ||
				!near(got.Machines, want.Machines) || !near(got.Other, want.Other) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestPricesAreRefused(t *testing.T) {
	const good = "engines:\n  - {name: a, runner: flink, workers: 2, cores: 4}\n"
	if p, err := parsePrices([]byte(good)); err != nil || p.Engines[0].SpeedOfACore != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	for text, want := range map[string]string{
		"currency: USD\n":                                                        "no engines",
		strings.Replace(good, "cores", "core", 1):                                "field core not found",
		strings.Replace(good, "flink", "spark", 1):                               "want prism, flink or dataflow",
		strings.Replace(good, "flink", "prism", 1):                               "prism runs on one machine",
		strings.Replace(good, "cores: 4", "cores: 0", 1):                         "each at least 1",
		strings.Replace(good, "cores: 4", "cores: 4, price_per_gib_hour: -1", 1): "below 0",
		strings.Replace(good, "name: a, ", "", 1):                                "has no name",
	} {
		if _, err := parsePrices([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The command as its user runs it, over the files of the repository's own form.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	figures := filepath.Join(dir, "measured.json")
	if err := measured().Write(figures); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := command(append([]string{"--measured", figures, "--prices", "../../docs/sizing/prices.yaml"}, args...), &out, &errs)
		return code, out.String(), errs.String()
	}
	code, out, errs := run("--notes", "2650000")
	if code != 0 {
		t.Fatal(errs)
	}
	for _, want := range []string{"2,650,000 notes", "250, of 2000 bytes each", "not measured", "check them", "Prism", "Flink", "Dataflow",
		"give --gpu_notes_per_second"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if code, out, _ := run("--markdown", "--gpu_notes_per_second", "5000"); code != 0 ||
		!strings.Contains(out, "| Flink, four machines of 8 cores | 4 | 64 |") || strings.Contains(out, "not measured") {
		t.Errorf("code %d:\n%s", code, out)
	}
	if code, out, _ := run("--help"); code != 0 || !strings.Contains(out, "How it reckons") || !strings.Contains(out, "-note_bytes") {
		t.Errorf("--help ends with %d and says\n%s", code, out)
	}
	for _, bad := range [][]string{{"--notes", "0"}, {"--shard_mb", "0"}, {"--hours", "-1"}, {"corpus.parquet"}, {"--nonsense"}} {
		if code, _, errs := run(bad...); code != 2 || errs == "" {
			t.Errorf("%v: code %d, %q", bad, code, errs)
		}
	}
	if code, _, errs := run("--measured", file("empty.json", "{}")); code != 1 || !strings.Contains(errs, "tools/bench --json") {
		t.Errorf("code %d, %q", code, errs)
	}
}
