package beamlog

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCanaryOfBeam tells that Beam, as it is linked, still says what this package
// listens for. If an upgrade changes the wording, jobs go on, but nobody hears
// their ids and states, and pools wait in vain for their workers.
func TestCanaryOfBeam(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/apache/beam/sdks/v2").Output()
	if err != nil {
		t.Skip("Beam's source is not here:", err)
	}
	for file, wording := range map[string][]string{
		"runners/universal/runnerlib/execute.go":  {`"` + submitted + "%v"},
		"runners/universal/runnerlib/job.go":      {`"` + job + "%v" + state + "%v"},
		"runners/dataflow/dataflowlib/job.go":     {`"` + submitted + "%v"},
		"runners/dataflow/dataflowlib/execute.go": {`"` + console + "https", `"` + logs + "https"},
		"core/runtime/harness/harness.go":         {`"` + connected},
		"core/util/hooks/hooks.go":                {`"` + hooks},
	} {
		raw, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "go/pkg/beam", file))
		if err != nil {
			t.Error(err)
		}
		for _, w := range wording {
			if !strings.Contains(string(raw), w) {
				t.Errorf("Beam's %s no longer says %s", file, w)
			}
		}
	}
}

func TestMessages(t *testing.T) {
	if id, ok := Submitted("Submitted job: 2026-01"); id != "2026-01" || !ok {
		t.Error(id, ok)
	}
	for message, want := range map[string]string{"Job[j1] state: RUNNING": "RUNNING", "the Job[j1] state: RUNNING": "",
		"Job[j1] has a state": ""} {
		if got, ok := State(message); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v", message, got, ok)
		}
	}
	if Address("see Console: x") || !Address("Logs: x") || !DryRun("{}") || DryRun("a {}") || !Connected(connected+" @ x") {
		t.Error("a message is taken for another")
	}
}

func TestBrief(t *testing.T) {
	for in, want := range map[string]string{
		"just a message": "just a message",
		"process bundle failed for Plan[1]:\n1: DataSource\n\tcaused by:\nDoFn[UID:10, PID:e4, Name: example.org/m/transforms.detectFn] " +
			"failed:\nno key here": "transforms.detectFn failed: no key here",
		"DoFn[broken":                               "DoFn[broken",
		"something failed: who knows":               "something failed: who knows",
		"SerializeHooksToOptions was never called.": "",
	} {
		if got := Brief(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// All messages are heard, and shown as the next handler has it.
func TestHandler(t *testing.T) {
	var heard []string
	var shown bytes.Buffer
	log := slog.New(&Handler{
		Next: slog.NewTextHandler(&shown, &slog.HandlerOptions{Level: slog.LevelWarn}), Short: true,
		Hear: func(m string) { heard = append(heard, m) },
	}).With("a", 1).WithGroup("g")
	log.Debug("quiet")
	log.Warn("DoFn[x, Name: y.detectFn] failed: no key", "b", 2)
	log.Warn("SerializeHooksToOptions was never called")
	if len(heard) != 3 || heard[0] != "quiet" {
		t.Errorf("heard %q", heard)
	}
	if got := shown.String(); !strings.Contains(got, `msg="y.detectFn failed: no key" a=1 g.b=2`) || strings.Count(got, "\n") != 1 {
		t.Errorf("shown: %s", got)
	}
}

// Listening ends, and Go's own handler is not made to hear itself.
func TestListen(t *testing.T) {
	before := slog.Default()
	var shown bytes.Buffer
	heard := 0
	end := Listen(func(string) { heard++ }, slog.NewTextHandler(&shown, nil))
	slog.Info("one")
	end()
	if slog.Default() != before || heard != 1 || !strings.Contains(shown.String(), "one") {
		t.Errorf("%d messages were heard, and shown: %s", heard, &shown)
	}
}
