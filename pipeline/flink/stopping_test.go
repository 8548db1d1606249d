package flink

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ask decodes what Flink's REST interface says.
func (c *cluster) ask(path string, into any) error {
	answer, err := http.Get("http://" + c.rest + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return json.NewDecoder(answer.Body).Decode(into)
}

// state returns what Flink says of a job, or why it does not answer.
func (c *cluster) state(id string) string {
	var job struct{ State string }
	if err := c.ask("/jobs/"+id, &job); err != nil {
		return err.Error()
	}
	return job.State
}

// attempts returns for each stage of a job how often its tasks were begun again.
func (c *cluster) attempts(t *testing.T, id string) map[string]int {
	t.Helper()
	var job struct{ Vertices []struct{ ID, Name string } }
	if err := c.ask("/jobs/"+id, &job); err != nil {
		t.Fatal(err)
	}
	again := map[string]int{}
	for _, v := range job.Vertices {
		var stage struct{ Subtasks []struct{ Attempt int } }
		if err := c.ask("/jobs/"+id+"/vertices/"+v.ID, &stage); err != nil {
			t.Fatal(err)
		}
		for _, s := range stage.Subtasks {
			again[v.Name] += s.Attempt
		}
	}
	return again
}

var flinkID = regexp.MustCompile(`Flink's job ID is ([0-9a-f]{32}):`)

// flinkJob returns the id that the launcher shows of Flink's job, once it does.
func flinkJob(t *testing.T, job *daemon) (id string) {
	t.Helper()
	job.until(t, "it tells Flink's job ID", func() bool {
		if m := flinkID.FindStringSubmatch(job.log()); m != nil {
			id = m[1]
		}
		return id != ""
	})
	return id
}

// unpublished fails if anything of an output is to be seen outside _temporary.
func (s *site) unpublished(t *testing.T, output string) {
	t.Helper()
	for name := range s.written(t, output) {
		if !strings.Contains(name, "/_temporary/") { // its lock is there, and says that it is cancelled
			t.Errorf("%s was published", name)
		}
	}
}

// interrupted sends launchers what Ctrl-C does: to one whose job is at work in
// Flink, and to one whose job Flink does not have yet. Flink itself must say that
// they are cancelled, and they must publish nothing, also while another job runs
// to its end in the same cluster.
func (s *site) interrupted(t *testing.T, settings []string, want map[string]string) {
	before := len(s.pool.started())
	work := s.job(t, "interrupted", settings...)
	id := flinkJob(t, work)
	work.until(t, "a worker starts", func() bool { return len(s.pool.started()) > before })
	work.signal(syscall.SIGINT)
	early := s.job(t, "interrupted-early", settings...)
	early.until(t, "it is submitted", func() bool { return strings.Contains(early.log(), "submitted to") })
	early.signal(syscall.SIGINT)
	for _, job := range []*daemon{work, early} {
		if code := job.wait(t); code != 130 || !strings.Contains(job.log(), "the job will not complete its output") {
			t.Errorf("exit code %d:\n%s", code, job.log())
		}
	}
	if !strings.Contains(work.log(), "Flink says that its job "+id+" is CANCELED") || s.cluster.state(id) != "CANCELED" {
		t.Errorf("Flink says %s; the launcher said:\n%s", s.cluster.state(id), work.log())
	}
	// Flink forgets a worker that is still connecting when its job is cancelled, and
	// never asks for its end: docs/flink.md.
	s.pool.until(t, "the jobs' workers end", func() bool {
		return strings.Count(s.pool.log(), "peak memory") >= len(s.pool.started())-1
	})
	s.unpublished(t, "interrupted")
	s.unpublished(t, "interrupted-early")
	same(t, s.run(t, "after-interrupted", settings...), want)
	s.unpublished(t, "interrupted")
	s.unpublished(t, "interrupted-early")
	same(t, s.run(t, "interrupted", settings...), want)
}

// killedEarly kills the workers while notes are tagged.
func (s *site) killedEarly(t *testing.T, settings []string, want map[string]string) {
	job := s.job(t, "killed-early", settings...)
	job.until(t, "a worker is at work", func() bool { return s.pool.killAtWork(t) })
	if len(s.unfinished(t, "killed-early")) > 0 {
		t.Error("the second pass had begun")
	}
	if code := job.wait(t); code != 0 {
		t.Fatalf("the job did not recover:\n%s", job.log())
	}
	same(t, s.written(t, "killed-early"), want)
}

// killedForced kills the workers while notes are tagged, where each stage hands
// on what it has made when it is done. Only the stage that tags is done again.
func (s *site) killedForced(t *testing.T, settings []string, want map[string]string) {
	job := s.job(t, "killed-forced", append(settings, "--execution_mode_for_batch=BATCH_FORCED")...)
	id := flinkJob(t, job)
	job.until(t, "a worker is at work", func() bool { return s.pool.killAtWork(t) })
	if code := job.wait(t); code != 0 {
		t.Fatalf("the job did not recover:\n%s", job.log())
	}
	tagging := 0
	for stage, again := range s.cluster.attempts(t, id) {
		switch {
		case strings.Contains(stage, "Detect"):
			tagging += again
		case again > 0:
			t.Errorf("%d tasks were done again of %s", again, stage)
		}
	}
	if tagging == 0 {
		t.Error("the stage that tags was not done again")
	}
	same(t, s.written(t, "killed-forced"), want)
}

// twoAtOnce runs two jobs side by side, into outputs of their own.
func (s *site) twoAtOnce(t *testing.T, settings []string, want map[string]string) {
	jobs := map[string]*daemon{}
	for _, output := range []string{"beside-1", "beside-2"} {
		jobs[output] = s.job(t, output, settings...)
	}
	for output, job := range jobs {
		if code := job.wait(t); code != 0 {
			t.Fatalf("%s: exit code %d:\n%s", output, code, job.log())
		}
		same(t, s.written(t, output), want)
	}
}

var managerLine = regexp.MustCompile(`jobmanager is process (\d+)`)

// managerKilled kills the job manager, with all that it knows, while the job is
// at work. It is started again. The job is lost, and its launcher must say so; the
// same command then does it, to the same bytes.
func (s *site) managerKilled(t *testing.T, settings []string, want map[string]string) {
	connected := strings.Count(s.pool.log(), ": connected")
	job := s.job(t, "manager-killed", settings...)
	job.until(t, "a worker is connected", func() bool { return strings.Count(s.pool.log(), ": connected") > connected })
	managers := func() [][]string { return managerLine.FindAllStringSubmatch(s.cluster.log(), -1) }
	before := managers()
	pid, err := strconv.Atoi(before[len(before)-1][1])
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	s.cluster.until(t, "a new job manager starts", func() bool { return len(managers()) > len(before) })
	s.cluster.until(t, "the task manager is back", func() bool {
		raw, err := os.ReadFile(filepath.Join(s.cluster.dir, "jobmanager.log"))
		return err == nil && strings.Contains(string(raw), "Registering TaskManager with ResourceID")
	})
	began := time.Now()
	if code := job.wait(t); code == 0 {
		t.Error("the launcher says that a lost job has ended well")
	}
	t.Logf("the launcher, %s later:\n%s", time.Since(began).Round(time.Second), job.log())
	s.unpublished(t, "manager-killed")
	same(t, s.run(t, "manager-killed", settings...), want)
}
