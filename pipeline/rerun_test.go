package pipeline

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// A run that is stopped while it publishes leaves files without _SUCCESS. The
// next run to the same place replaces them, and removes those that it has no
// counterpart of.
func TestARunStoppedAmidPublishingIsRunAgain(t *testing.T) {
	clean := exampleOptions(t.TempDir())
	cfg, _, _ := run(t, clean, nil)
	want := digests(t, cfg.Output, cfg.Private)

	o := exampleOptions(t.TempDir())
	// A directory in the report's place stops the commit after the renames.
	inTheWay := filepath.Join(o.Output, transforms.ReportFile)
	if err := os.MkdirAll(inTheWay, 0o755); err != nil {
		t.Fatal(err)
	}
	cfg, _, _, err := tryRun(o, func(c *transforms.Config) { c.ShardBytes = 1 })
	if err == nil {
		t.Fatal("the commit succeeded")
	}
	published := filepath.Join(cfg.Output, transforms.NotesFolder)
	if _, err := os.Stat(published); err != nil {
		t.Fatalf("stopped too early to show anything: %v", err)
	}
	if _, err := os.Stat(filepath.Join(cfg.Output, transforms.SuccessFile)); err == nil {
		t.Fatal("an incomplete output has _SUCCESS")
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	// Of an earlier state of the input, with more shards.
	stale := filepath.Join(published, "stale.parquet")
	if err := os.WriteFile(stale, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := tryRun(o, nil); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Fatalf("a foreign file among the notes: %v", err)
	}
	marker := filepath.Join(o.Output+"-private", transforms.PublishingFile)
	raw, err := os.ReadFile(marker)
	if err != nil {
		t.Fatal(err)
	}
	raw = []byte(strings.Replace(string(raw), `"output": [`, `"output": ["notes/stale.parquet", "../elsewhere",`, 1))
	if err := os.WriteFile(marker, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(filepath.Dir(o.Output), "elsewhere")
	if err := os.WriteFile(elsewhere, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, _, _ = run(t, o, nil)
	got := digests(t, cfg.Output, cfg.Private)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs from that of an undisturbed run", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, an undisturbed run leaves %d", len(got), len(want))
	}
	if _, err := os.Stat(elsewhere); err != nil {
		t.Error("a file outside of the output was removed")
	}
	if _, _, _, err := tryRun(o, nil); err == nil {
		t.Error("a complete output was run over")
	}

	// A run that was killed when all was published has left its lock.
	killed := placed(cfg)
	killed.RunID = killed.NewRun()
	if err := transforms.Acquire(t.Context(), killed, ""); err != nil {
		t.Fatal(err)
	}
	locks, err := filepath.Glob(filepath.Join(cfg.Output, transforms.TemporaryFolder, "_lock-*"))
	if err != nil || len(locks) != 1 {
		t.Fatal(locks, err)
	}
	raw, err = os.ReadFile(locks[0])
	if err != nil {
		t.Fatal(err)
	}
	raw = regexp.MustCompile(`"pid": \d+`).ReplaceAll(raw, []byte(`"pid": 99999999`))
	if err := os.WriteFile(locks[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := tryRun(o, nil); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a complete output: %v", err)
	}
	if after := digests(t, cfg.Output, cfg.Private); !maps.Equal(after, got) {
		t.Errorf("%d files, there were %d", len(after), len(got))
	}
}
