// Package flink tests the job on a real Flink: a session cluster with Beam's
// job server, each a process of its own, and workers of the program as it is
// built. `make test-flink` runs it.
package flink

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// site is what the tests share: the program, a key, a place for outputs, and
// Flink.
type site struct {
	*testing.T
	binary, dir string
	cluster     *cluster
	pool        *pool
}

func newSite(t *testing.T) *site {
	t.Helper()
	flinkJars(t)
	s := &site{T: t, dir: t.TempDir()}
	s.binary = filepath.Join(s.dir, "palimpsest")
	if out, err := command(t, "go", "build", "-o", s.binary, "./cmd/run"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(s.file("key"), []byte("a key of the tests: fifty bytes or so, never to be seen"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.cluster = startCluster(t, 2)
	for _, line := range strings.Split(s.cluster.log(), "\n") {
		if strings.Contains(line, "Version:") {
			t.Log(line)
		}
	}
	s.pool = startPool(t, s.binary)
	return s
}

func (s *site) file(name string) string { return filepath.Join(s.dir, name) }

// job starts the job with an output of that name.
func (s *site) job(t *testing.T, output string, settings ...string) *daemon {
	t.Helper()
	library := os.Getenv("PALIMPSEST_ONNXRUNTIME")
	if library == "" {
		library = filepath.Join(repository, ".cache/onnxruntime/1.27.0")
	}
	return spawn(t, "job "+output, nil, append([]string{s.binary,
		"--output", s.file(output), "--private", s.file(output + "-private"), "--private_beside_output", "--key", "file:" + s.file("key"),
		"--onnxruntime", library,
		"--model", filepath.Join(repository, "onnx/models/en-clinical"), "--execution_provider", "cpu"}, settings...)...)
}

// run runs the job to its end, which must be a good one, and returns the
// digests of all that it has written.
func (s *site) run(t *testing.T, output string, settings ...string) map[string]string {
	t.Helper()
	job := s.job(t, output, settings...)
	if code := job.wait(t); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, job.log())
	}
	s.checkReport(t, output, job.log())
	return s.written(t, output)
}

func (s *site) written(t *testing.T, output string) map[string]string {
	t.Helper()
	return digests(t, s.file(output), s.file(output+"-private"))
}

// checkReport checks that the summary at the end of a job has the counts of
// the report in its output.
func (s *site) checkReport(t *testing.T, output, log string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.file(output), "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		RowsIn json.Number `json:"rows_in"`
		Spans  json.Number `json:"spans"`
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string]string{"notes in": report.RowsIn.String(), "spans found": report.Spans.String()} {
		if want == "" || !regexp.MustCompile(label+` +`+want+`\b`).MatchString(strings.ReplaceAll(log, ",", "")) {
			t.Errorf("the summary does not say %q is %s:\n%s", label, want, log)
		}
	}
}

// flink returns the settings of a run on Flink.
func (s *site) flink(environment, config, parallelism string) []string {
	settings := []string{"--runner=flink", "--endpoint=" + s.cluster.endpoint, "--flink_rest=" + s.cluster.rest,
		"--environment_type=" + environment, "--parallelism=" + parallelism}
	if config != "" {
		settings = append(settings, "--environment_config="+config)
	}
	return settings
}

func (s *site) external(parallelism string) []string {
	return s.flink("EXTERNAL", s.pool.address, parallelism)
}

// same compares digests and names the files that differ. When and where a run was is
// another each time.
func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) < 5 {
		t.Fatalf("only %d files to compare with", len(want))
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch digest, ok := got[name]; {
		case !ok:
			t.Errorf("%s is missing", name)
		case digest != want[name] && filepath.Base(name) != "run.json":
			t.Errorf("%s differs", name)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s should not be there", name)
		}
	}
	if !t.Failed() {
		t.Logf("%d files, all of the same digests", len(want))
	}
}

var exampleSettings = []string{"--input", "examples/notes.parquet", "--identifiers", "examples/identifiers.parquet",
	"--date_columns", "note_date,written_at,admitted_at", "--id_columns", "encounter_id", "--other_columns", "keep", "--accept_columns",
	"orders.list.element.code"}

// The job writes the same bytes on Flink as on Prism, whatever starts the
// workers, at two parallelisms, and after losing a worker half way.
func TestFlink(t *testing.T) {
	s := newSite(t)

	t.Run("examples", func(t *testing.T) {
		want := s.run(t, "prism", append(exampleSettings, "--runner=prism")...)
		for _, e := range []struct{ name, environment, config, parallelism string }{
			{"external-2", "EXTERNAL", s.pool.address, "2"},
			{"loopback-4", "LOOPBACK", "", "4"},
			{"process-2", "PROCESS", `{"command":"` + s.binary + `"}`, "2"},
		} {
			t.Run(e.name, func(t *testing.T) {
				got := s.run(t, e.name, append(exampleSettings, s.flink(e.environment, e.config, e.parallelism)...)...)
				same(t, got, want)
			})
		}
	})

	// A network and a feature CRF beside it, as --model joins them.
	t.Run("network and CRF", func(t *testing.T) {
		models := filepath.Join(repository, "onnx/models/en-clinical-fast") + "," + filepath.Join(repository, "onnx/models/en-crf")
		settings := append(slices.Clone(exampleSettings), "--model="+models,
			"--accept_columns=orders.list.element.code,note_title,scores.key_value.key")
		want := s.run(t, "both-in-process", settings...)
		same(t, s.run(t, "both-on-flink", append(settings, s.flink("EXTERNAL", s.pool.address, "2")...)...), want)
	})

	t.Run("nights", s.nights)

	t.Run("generated", func(t *testing.T) {
		notes := os.Getenv("PALIMPSEST_FLINK_NOTES")
		if notes == "" {
			notes = "4000"
		}
		input := s.file("generated.parquet")
		if out, err := command(t, "go", "run", "./tools/bench", "--generate", input, "--notes", notes); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		// Small shards, so that there is something to spread over workers, and
		// to lose.
		settings := []string{"--input", input, "--date_columns", "note_date", "--shard_mb", "1"}
		want := s.run(t, "generated-prism", append(settings, "--runner=prism")...)

		t.Run("external-2", func(t *testing.T) {
			same(t, s.run(t, "generated-2", append(settings, s.external("2")...)...), want)
		})
		t.Run("worker killed half way, parallelism 4", func(t *testing.T) {
			s.killed(t, append(settings, s.external("4")...), want)
		})
		t.Run("workers killed until the job fails, and a re-run", func(t *testing.T) {
			s.givenUp(t, append(settings, s.external("2")...), want)
		})
		t.Run("worker killed in the first pass", func(t *testing.T) {
			s.killedEarly(t, append(settings, s.external("2")...), want)
		})
		t.Run("worker killed in the first pass, stages apart", func(t *testing.T) {
			s.killedForced(t, append(settings, s.external("2")...), want)
		})
		t.Run("two at once", func(t *testing.T) {
			s.twoAtOnce(t, append(settings, s.external("2")...), want)
		})
		t.Run("interrupted", func(t *testing.T) {
			s.interrupted(t, append(settings, s.external("2")...), want)
		})
		t.Run("job manager killed", func(t *testing.T) {
			s.managerKilled(t, append(settings, s.external("2")...), want)
		})
		t.Logf("peak memory of a worker: %d MiB", s.pool.peak())
	})

	t.Run("one bundle", func(t *testing.T) {
		s.oneBundle(t)
	})
}

// killed kills the worker when the first rewritten file is there. Flink starts
// the job anew on another worker.
func (s *site) killed(t *testing.T, settings []string, want map[string]string) {
	const output = "killed"
	job := s.job(t, output, settings...)
	job.until(t, "a shard is rewritten", func() bool { return len(s.unfinished(t, output)) > 0 })
	pids := s.pool.running()
	for _, pid := range pids {
		t.Logf("killing worker process %d; so far there are %d unfinished files", pid, len(s.unfinished(t, output)))
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if _, err := os.Stat(filepath.Join(s.file(output), "_SUCCESS")); err == nil {
		t.Fatal("there is a _SUCCESS already: the worker was killed too late to show anything")
	}
	if code := job.wait(t); code != 0 {
		t.Fatalf("the job did not recover:\n%s", job.log())
	}
	if n := strings.Count(s.pool.log(), "signal: killed"); n == 0 {
		t.Error("no worker was killed")
	}
	t.Logf("the job recovered; the pool said:\n%s", s.pool.log())
	same(t, s.written(t, output), want)
}

// givenUp kills every worker that has begun to work, until Flink gives the job
// up. Then nothing may be published, and a re-run to the same place must succeed.
func (s *site) givenUp(t *testing.T, settings []string, want map[string]string) {
	const output = "given-up"
	job := s.job(t, output, settings...)
	waits := newPatience()
	for ended := false; !ended; {
		select {
		case <-job.exited:
			ended = true
		case <-time.After(20 * time.Millisecond):
			if waits.over() {
				t.Fatalf("the job goes on; it said:\n%s", job.log())
			}
		}
		s.pool.killAtWork(t)
	}
	if code := job.wait(t); code != 1 {
		t.Fatalf("exit code %d, want 1:\n%s", code, job.log())
	}
	t.Logf("the job said:\n%s", job.log())
	for name := range s.written(t, output) {
		if !strings.Contains(name, "/_temporary/") {
			t.Errorf("%s was published by a job that failed", name)
		}
	}
	same(t, s.run(t, output, settings...), want)
}

// unfinished lists the temporary files of released notes.
func (s *site) unfinished(t *testing.T, output string) []string {
	t.Helper()
	var names []string
	for name := range listing(s.file(output)) {
		if strings.Contains(name, "_temporary") && strings.HasSuffix(name, ".parquet") {
			names = append(names, name)
		}
	}
	return names
}

// listing lists files that may vanish while they are listed.
func listing(dir string) map[string]bool {
	all := map[string]bool{}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all[path] = true
		}
		return nil
	})
	return all
}

// oneBundle runs the generated notes as shards of one bundle: at parallelism 1
// Beam's batch translation gives a stage its whole input in one bundle. What a
// worker holds must not grow with it.
func (s *site) oneBundle(t *testing.T) {
	input := s.file("generated.parquet")
	fresh := startPool(t, s.binary)
	settings := append([]string{"--input", input, "--date_columns", "note_date", "--shard_mb", "1"},
		s.flink("EXTERNAL", fresh.address, "1")...)
	s.run(t, "one-bundle", settings...)
	fresh.until(t, "the worker ends", func() bool { return fresh.peak() > 0 })
	t.Logf("peak memory of a worker that was given all in one bundle: %d MiB", fresh.peak())
	const bound = 2048
	if fresh.peak() > bound {
		t.Errorf("a worker took %d MiB, more than %d", fresh.peak(), bound)
	}
}
