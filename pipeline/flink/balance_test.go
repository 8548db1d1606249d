package flink

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What each worker has to do of each stage at 1, 2 and 4 workers of one core, in CPU
// seconds, which neighbours on the machine hardly disturb. PALIMPSEST_FLINK_BALANCE
// names the CSV file that `make workers` compares with tools/sizing's simulation.
func TestBalance(t *testing.T) {
	file := os.Getenv("PALIMPSEST_FLINK_BALANCE")
	if file == "" {
		t.Skip("make workers runs this test")
	}
	flinkJars(t)
	dir := t.TempDir()
	binary, input := filepath.Join(dir, "palimpsest"), filepath.Join(dir, "notes.parquet")
	if out, err := command(t, "go", "build", "-o", binary, "./cmd/run"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	notes := os.Getenv("PALIMPSEST_FLINK_NOTES")
	if notes == "" {
		notes = "16000"
	}
	// The network costs so much a token wherever it runs: the stand-in shows the rest.
	if out, err := command(t, "go", "run", "./tools/scale", "--stand_in", filepath.Join(dir, "model")); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := command(t, "go", "run", "./tools/bench", "--generate", input, "--notes", notes); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("a key of the tests: fifty bytes or so, never to be seen"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := []string{"workers,worker,stage,cpu_seconds,wall_seconds,text_bytes,shards"}
	counts := []int{1, 2, 4}
	if n, err := strconv.Atoi(os.Getenv("PALIMPSEST_FLINK_WORKERS")); err == nil {
		counts = []int{n}
	}
	for _, workers := range counts {
		t.Run(strconv.Itoa(workers), func(t *testing.T) {
			rows = append(rows, balance(t, binary, input, dir, workers)...)
		})
	}
	if err := os.WriteFile(file, []byte(strings.Join(rows, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// look is the CPU time that each worker process had had at a moment.
type look struct {
	at   time.Time
	used map[int]time.Duration
}

// balance runs the job at so many workers and returns rows of the CSV file.
func balance(t *testing.T, binary, input, dir string, workers int) (rows []string) {
	port, rest := freePort(t), freePort(t)
	c := &cluster{dir: t.TempDir(), rest: fmt.Sprintf("localhost:%d", rest)}
	c.daemon = spawn(t, "cluster", []string{"SLOTS=1", "TASK_MANAGERS=" + strconv.Itoa(workers), "JOB_PORT=" + strconv.Itoa(port),
		"REST_PORT=" + strconv.Itoa(rest), "RPC_PORT=" + strconv.Itoa(freePort(t))}, "infra/flink/cluster.sh", c.dir)
	c.until(t, "it is ready", func() bool { return strings.Contains(c.log(), "\nready\n") })
	address := fmt.Sprintf("localhost:%d", freePort(t))
	p := &pool{spawn(t, "pool", []string{"GOMAXPROCS=1"}, binary, "--worker_pool", "--worker_pool_address", address), address}
	p.until(t, "it listens", func() bool { return strings.Contains(p.log(), "listening at") })

	out := filepath.Join(dir, fmt.Sprintf("out-%d", workers))
	job := spawn(t, "job", nil, binary, "--input", input, "--output", out, "--private", out+"-private", "--private_beside_output",
		"--key", "file:"+filepath.Join(dir, "key"), "--onnxruntime", filepath.Join(repository, ".cache/onnxruntime/1.27.0"),
		"--model", filepath.Join(dir, "model"), "--execution_provider", "cpu",
		"--date_columns", "note_date", "--shard_mb", "1", "--workers", "1", "--runner=flink", fmt.Sprintf("--endpoint=localhost:%d", port),
		"--flink_rest="+c.rest, "--environment_type=EXTERNAL", "--environment_config="+address, fmt.Sprintf("--parallelism=%d", workers))
	start := time.Now()
	var looks []look
	for ended := false; !ended; {
		select {
		case <-job.exited:
			ended = true
		case <-time.After(100 * time.Millisecond):
		}
		looks = append(looks, look{time.Now(), descendants()})
	}
	if code := job.wait(t); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, job.log())
	}
	wall := time.Since(start)

	ends := stagesOf(t, c.rest)
	place := places(p.log())
	used := map[string]time.Duration{}
	last := map[int]time.Duration{}
	for _, l := range looks {
		stage := "Commit"
		for _, s := range ends {
			if l.at.Before(s.end) {
				stage = s.name
				break
			}
		}
		for pid, now := range l.used {
			if worker, ok := place[pid]; ok {
				used[fmt.Sprintf("%d,%s", worker, stage)] += now - last[pid]
				last[pid] = now
			}
		}
	}
	raw, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Text   int64 `json:"text_bytes"`
		Shards int   `json:"shards"`
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		t.Fatal(err)
	}
	for key, d := range used {
		rows = append(rows, fmt.Sprintf("%d,%s,%.2f,%.2f,%d,%d", workers, key, d.Seconds(), wall.Seconds(), report.Text, report.Shards))
	}
	slices.Sort(rows)
	t.Log(strings.Join(rows, "\n"))
	return rows
}

var placeLine = regexp.MustCompile(`started as process (\d+) for (\S+)`)

// places returns which task manager's worker a process was, by number.
func places(log string) map[int]int {
	numbers, place := map[string]int{}, map[int]int{}
	for _, m := range placeLine.FindAllStringSubmatch(log, -1) {
		pid, _ := strconv.Atoi(m[1])
		if _, ok := numbers[m[2]]; !ok {
			numbers[m[2]] = len(numbers)
		}
		place[pid] = numbers[m[2]]
	}
	return place
}

// stage is a part of the job behind which all workers wait for the slowest. Rewrite ends
// where Flink gathers files, and Commit is the rest.
type stage struct {
	name  string
	among []string // transforms in the name of the last of Flink's vertices that belongs to it
	end   time.Time
}

// stagesOf asks Flink when the stages ended.
func stagesOf(t *testing.T, rest string) []stage {
	t.Helper()
	get := func(path string, answer any) {
		response, err := http.Get("http://" + rest + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
			t.Fatal(err)
		}
	}
	var all struct {
		Jobs []struct{ ID string }
	}
	get("/jobs", &all)
	var job struct {
		Vertices []struct {
			Name string
			End  int64 `json:"end-time"`
		}
	}
	get("/jobs/"+all.Jobs[0].ID, &job)
	stages := []stage{{name: "Detect", among: []string{"Detect"}}, {name: "Resolve", among: []string{"Resolve", "Rewrite"}},
		{name: "Rewrite", among: []string{"Rewrite", "Gather"}}}
	for i := range stages {
		s := &stages[i]
		for _, v := range job.Vertices {
			// Transforms that are fused stand there in any order, and Detect is no part of what follows it.
			is := strings.Contains(v.Name, "MapPartition at") && (i == 0 || !strings.Contains(v.Name, "transforms.Detect"))
			for _, transform := range s.among {
				is = is && strings.Contains(v.Name, "transforms."+transform)
			}
			if is {
				s.end = time.UnixMilli(v.End)
			}
		}
		if s.end.IsZero() {
			t.Fatalf("Flink has no vertex for %s", s.name)
		}
	}
	return stages
}
