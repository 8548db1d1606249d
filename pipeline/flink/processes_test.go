package flink

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// daemon is a process that runs beside the test, and what it has said.
type daemon struct {
	name string
	cmd  *exec.Cmd

	mu     sync.Mutex
	said   bytes.Buffer
	exited chan struct{}
}

// Write takes what the process says.
func (d *daemon) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.said.Write(p)
}

func (d *daemon) log() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.said.String()
}

// spawn starts a process in a group of its own, which is gone when the test
// is over.
func spawn(t *testing.T, name string, env []string, command ...string) *daemon {
	t.Helper()
	d := &daemon{name: name, cmd: exec.Command(command[0], command[1:]...), exited: make(chan struct{})}
	d.cmd.Dir = repository
	d.cmd.Env = append(os.Environ(), env...)
	d.cmd.Stdout, d.cmd.Stderr = d, d
	d.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	d.cmd.WaitDelay = 5 * time.Second
	if err := d.cmd.Start(); err != nil {
		t.Fatal(name, err)
	}
	go func() {
		_ = d.cmd.Wait()
		close(d.exited)
	}()
	t.Cleanup(func() {
		d.signal(syscall.SIGTERM)
		select {
		case <-d.exited:
		case <-time.After(20 * time.Second):
		}
		_ = syscall.Kill(-d.cmd.Process.Pid, syscall.SIGKILL)
		<-d.exited
		if t.Failed() {
			t.Logf("%s said:\n%s", name, d.log())
		}
	})
	return d
}

// signal sends a signal to the process itself.
func (d *daemon) signal(s syscall.Signal) { _ = d.cmd.Process.Signal(s) }

// wait waits until the process has ended and returns its exit code.
func (d *daemon) wait(t *testing.T) int {
	t.Helper()
	for p := newPatience(); ; {
		select {
		case <-d.exited:
			return d.cmd.ProcessState.ExitCode()
		case <-time.After(time.Second):
			if p.over() {
				t.Fatalf("%s does not end, and nothing moves; it said:\n%s", d.name, d.log())
			}
		}
	}
}

// until waits for what must happen while the process runs.
func (d *daemon) until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for p := newPatience(); !p.over(); {
		if happened() {
			return
		}
		select {
		case <-d.exited:
			if happened() {
				return
			}
			t.Fatalf("%s ended before %s:\n%s", d.name, what, d.log())
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("%s: %s does not happen", d.name, what)
}

// repository is the root of the repository, where commands are run.
var repository = func() string {
	root, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return root
}()

// freePort returns a port that nothing listened at a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// command runs a command to its end and returns what it said.
func command(t *testing.T, words ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir = repository
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// flinkJars fetches Flink, or skips the test where Maven does not answer.
func flinkJars(t *testing.T) {
	t.Helper()
	if os.Getenv("PALIMPSEST_FLINK") == "" {
		t.Skip("make test-flink runs this test, on a real Flink")
	}
	out, err := command(t, "infra/flink/fetch.sh")
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 3:
		t.Skipf("SKIPPED: Flink could not be fetched:\n%s", out)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	}
}

// cluster is a Flink session cluster with its job server.
type cluster struct {
	*daemon
	dir      string
	endpoint string
	rest     string // address of Flink's REST interface
}

// startCluster starts a cluster that gives a failed job so many more attempts.
func startCluster(t *testing.T, restarts int) *cluster {
	t.Helper()
	port, rest := freePort(t), freePort(t)
	c := &cluster{dir: t.TempDir(), endpoint: fmt.Sprintf("localhost:%d", port), rest: fmt.Sprintf("localhost:%d", rest)}
	c.daemon = spawn(t, "cluster", []string{
		"SLOTS=4", "RESTARTS=" + strconv.Itoa(restarts), "JOB_PORT=" + strconv.Itoa(port),
		"REST_PORT=" + strconv.Itoa(rest), "SUPERVISE=1", "RPC_PORT=" + strconv.Itoa(freePort(t)),
	}, "infra/flink/cluster.sh", c.dir)
	c.until(t, "it is ready", func() bool { return strings.Contains(c.log(), "\nready\n") })
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		for _, name := range []string{"jobmanager", "taskmanager1", "jobserver"} {
			raw, _ := os.ReadFile(filepath.Join(c.dir, name+".log"))
			t.Logf("the end of %s.log:\n%s", name, raw[max(0, len(raw)-8000):])
		}
	})
	return c
}

// pool is a worker pool.
type pool struct {
	*daemon
	address string
}

// startPool serves workers from the program.
func startPool(t *testing.T, binary string) *pool {
	t.Helper()
	address := fmt.Sprintf("localhost:%d", freePort(t))
	p := &pool{spawn(t, "pool", nil, binary, "--worker_pool", "--worker_pool_address", address), address}
	p.until(t, "it listens", func() bool { return strings.Contains(p.log(), "listening at") })
	return p
}

var startedLine = regexp.MustCompile(`worker \S+: started as process (\d+)`)

// started returns the process ids of the workers started so far.
func (p *pool) started() []int {
	var pids []int
	for _, m := range startedLine.FindAllStringSubmatch(p.log(), -1) {
		pid, _ := strconv.Atoi(m[1])
		pids = append(pids, pid)
	}
	return pids
}

var workerLine = regexp.MustCompile(`worker (\S+): (?:started as process (\d+)|.* after .* peak memory)`)

// running returns the process ids of the workers that have not ended.
func (p *pool) running() []int {
	now := map[string]int{}
	for _, m := range workerLine.FindAllStringSubmatch(p.log(), -1) {
		if pid, err := strconv.Atoi(m[2]); err == nil {
			now[m[1]] = pid
		} else {
			delete(now, m[1])
		}
	}
	return slices.Sorted(maps.Values(now))
}

// killAtWork kills the workers that have begun to work, and tells whether there
// were any. For one that is killed before it takes its data, Beam waits three
// minutes.
func (p *pool) killAtWork(t *testing.T) (killed bool) {
	t.Helper()
	used := descendants()
	for _, pid := range p.running() {
		if used[pid] > time.Second {
			t.Logf("killing worker process %d", pid)
			killed = syscall.Kill(pid, syscall.SIGKILL) == nil || killed
		}
	}
	return killed
}

var peakLine = regexp.MustCompile(`peak memory (\d+) MiB`)

// peak returns the most memory that a worker had resident so far, in MiB.
func (p *pool) peak() int {
	most := 0
	for _, m := range peakLine.FindAllStringSubmatch(p.log(), -1) {
		n, _ := strconv.Atoi(m[1])
		most = max(most, n)
	}
	return most
}

// digests returns the SHA-256 of every file below the directories, by its path.
func digests(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for i, dir := range dirs {
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
			all[fmt.Sprintf("%d/%s", i, rel)] = hex.EncodeToString(h.Sum(nil))
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return all
}
