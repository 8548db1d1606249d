package worker

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// The test program stands in for workers and pools, as real processes.
func TestMain(m *testing.M) {
	switch os.Getenv("WORKER_TEST_ROLE") {
	case "waits":
		EndWithParent()
		fmt.Fprintln(os.Stderr, "arguments:", os.Args[1:])
		time.Sleep(time.Hour)
	case "connects":
		EndWithParent()
		fmt.Println(connectedLine)
		time.Sleep(time.Hour)
	case "crashes":
		fmt.Println(connectedLine)
		os.Exit(1)
	case "crashes early":
		os.Exit(2)
	case "cannot connect":
		os.Exit(ExitUnreachable)
	case "pool":
		os.Setenv("WORKER_TEST_ROLE", "waits")
		p, err := Listen("localhost:0", []string{os.Args[0]}, nil, os.Stderr)
		if err != nil {
			panic(err)
		}
		panic(p.Serve(context.Background()))
	}
	os.Exit(m.Run())
}

// said collects what a pool says.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *said) until(t *testing.T, text string) {
	t.Helper()
	for range 600 {
		if strings.Contains(s.String(), text) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the pool never says %q but\n%s", text, s)
}

// serve serves workers of that role and returns a client.
func serve(t *testing.T, role string) (fnpb.BeamFnExternalWorkerPoolClient, *said, context.CancelFunc, <-chan error) {
	t.Helper()
	t.Setenv("WORKER_TEST_ROLE", role)
	log := &said{}
	p, err := Listen("localhost:0", []string{os.Args[0]}, nil, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- p.Serve(ctx) }()
	t.Cleanup(cancel)
	return dial(t, p.Address()), log, cancel, served
}

func dial(t *testing.T, address string) fnpb.BeamFnExternalWorkerPoolClient {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return fnpb.NewBeamFnExternalWorkerPoolClient(conn)
}

func at(url string) *pipepb.ApiServiceDescriptor { return &pipepb.ApiServiceDescriptor{Url: url} }

func request(id string) *fnpb.StartWorkerRequest {
	return &fnpb.StartWorkerRequest{WorkerId: id, ControlEndpoint: at("localhost:1"), LoggingEndpoint: at("127.0.0.1:2"),
		ProvisionEndpoint: at("[::1]:3")}
}

func start(t *testing.T, c fnpb.BeamFnExternalWorkerPoolClient, r *fnpb.StartWorkerRequest) string {
	t.Helper()
	resp, err := c.StartWorker(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return resp.GetError()
}

func stop(t *testing.T, c fnpb.BeamFnExternalWorkerPoolClient, id string) {
	t.Helper()
	resp, err := c.StopWorker(t.Context(), &fnpb.StopWorkerRequest{WorkerId: id})
	if err != nil || resp.GetError() != "" {
		t.Fatal(err, resp.GetError())
	}
}

func TestStartAndStop(t *testing.T) {
	c, log, _, _ := serve(t, "waits")
	if e := start(t, c, request("1-1")); e != "" {
		t.Fatal(e)
	}
	log.until(t, "worker 1-1: arguments: [--id=1-1 --control_endpoint=localhost:1 --logging_endpoint=127.0.0.1:2 "+
		"--provision_endpoint=[::1]:3]")
	if e := start(t, c, request("1-1")); !strings.Contains(e, "running already") {
		t.Errorf("a second worker of one name: %q", e)
	}
	if e := start(t, c, request("1-2")); e != "" {
		t.Error(e)
	}
	stop(t, c, "1-1")
	if !strings.Contains(log.String(), "worker 1-1: signal: killed") {
		t.Errorf("StopWorker returned before the worker was gone:\n%s", log)
	}
	stop(t, c, "1-1") // gone already
	stop(t, c, "never there")
	if e := start(t, c, request("1-1")); e != "" {
		t.Errorf("a name cannot be used again: %s", e)
	}
}

// Two jobs at once have workers of the same ids. Each is stopped with its own
// job, and leaves the other's alone.
func TestTwoJobsAtOnce(t *testing.T) {
	c, log, _, _ := serve(t, "waits")
	var runners [2]net.Listener
	pids := map[string]string{} // by id and control endpoint
	for job := range runners {
		var err error
		if runners[job], err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		defer runners[job].Close()
		for _, id := range []string{"1-1", "2-1"} {
			r := request(id)
			control := runners[job].Addr().String()
			r.ControlEndpoint = at(control)
			if e := start(t, c, r); e != "" {
				t.Fatal(e)
			}
			_, rest, _ := strings.Cut(log.String(), fmt.Sprintf("worker %s: started as process ", id))
			for !strings.Contains(rest[:strings.Index(rest, "\n")], control) {
				_, rest, _ = strings.Cut(rest, fmt.Sprintf("worker %s: started as process ", id))
			}
			pids[id+" "+strconv.Itoa(job)], _, _ = strings.Cut(rest, " ")
			if e := start(t, c, r); !strings.Contains(e, "running already") {
				t.Errorf("a second worker of one name and job: %q", e)
			}
		}
	}
	alive := func(id string, job int) bool {
		stat, err := os.ReadFile("/proc/" + pids[id+" "+strconv.Itoa(job)] + "/stat")
		return err == nil && !strings.Contains(string(stat), ") Z ")
	}
	stop(t, c, "1-1") // whose is not to be seen yet, so neither ends
	if !alive("1-1", 0) || !alive("1-1", 1) {
		t.Error("a worker was stopped whose runner is there")
	}
	runners[0].Close()
	for alive("1-1", 0) {
		time.Sleep(10 * time.Millisecond)
	}
	stop(t, c, "2-1")
	if alive("2-1", 0) {
		t.Error("StopWorker returned before the worker was gone")
	}
	for _, id := range []string{"1-1", "2-1"} {
		if !alive(id, 1) {
			t.Errorf("worker %s of the other job was stopped", id)
		}
		stop(t, c, id)
		if alive(id, 1) {
			t.Errorf("worker %s, alone of its name, was not stopped", id)
		}
	}
}

// Of two requests that wait, each takes a worker of its own: one worker's end does not
// answer both, which would leave the other worker's end to a request of a later job.
func TestEachRequestTakesAWorkerOfItsOwn(t *testing.T) {
	p := &Pool{workers: map[name]*process{}}
	var workers []*process
	for _, control := range []string{"127.0.0.1:1", "127.0.0.1:2"} { // nothing listens there
		w := &process{pool: p, name: name{id: "1-1", control: control}, ended: make(chan struct{}), quit: make(chan struct{})}
		workers = append(workers, w)
	}
	workers[0].forget() // has ended by itself
	close(workers[0].ended)
	p.stopOne(workers)
	if !workers[0].spent || workers[1].spent || len(p.gone) != 0 {
		t.Fatalf("the first request took %v and %v, and %d wait", workers[0].spent, workers[1].spent, len(p.gone))
	}
	workers[1].forget()
	close(workers[1].ended)
	p.stopOne(workers)
	if !workers[1].spent || len(p.gone) != 0 {
		t.Errorf("the second request took no worker of its own; %d wait for one", len(p.gone))
	}
	p.stopOne(workers) // and a third has nothing to wait for
}

// A request to stop that comes after its worker has died is not for another job's
// worker of the same id.
func TestAWorkerThatDiedIsTheOneThatIsMeant(t *testing.T) {
	c, log, _, _ := serve(t, "connects")
	var pids []int
	for _, control := range []string{"localhost:1", "localhost:2"} {
		r := request("1-1")
		r.ControlEndpoint = at(control)
		if e := start(t, c, r); e != "" {
			t.Fatal(e)
		}
		started := strings.Split(log.String(), "started as process ")
		number, _, _ := strings.Cut(started[len(started)-1], " ")
		pid, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	for strings.Count(log.String(), "connected") < 2 {
		time.Sleep(10 * time.Millisecond)
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	log.until(t, "worker 1-1: signal: killed")
	time.Sleep(100 * time.Millisecond) // forgotten just after it is said
	stop(t, c, "1-1")
	if n := strings.Count(log.String(), "worker 1-1: signal: killed"); n != 1 {
		t.Errorf("%d workers ended, want the one that died:\n%s", n, log)
	}
	stop(t, c, "1-1")
	if n := strings.Count(log.String(), "worker 1-1: signal: killed"); n != 2 {
		t.Errorf("the other worker was not stopped by its own request:\n%s", log)
	}
}

func TestEndpointsThatAreAllowed(t *testing.T) {
	p := &Pool{allow: []string{"Runner.example", "10.0.0.0/8", "fd00::/8", "192.0.2.7"}}
	for endpoint, want := range map[string]bool{
		"localhost:1": true, "127.8.0.1:1": true, "[::1]:1": true, "[::ffff:127.0.0.1]:1": true,
		"runner.example:1": true, "10.200.0.1:1": true, "[fd00::1]:1": true, "192.0.2.7:1": true,
		"other.example:1": false, "localhost": false, "192.0.2.8:1": false, "[::]:1": false, "0.0.0.0:1": false, "127.0.0.1.example:1": false,
		":1": false, "": false,
	} {
		if got := p.allowed(endpoint); got != want {
			t.Errorf("%q: allowed %v, want %v", endpoint, got, want)
		}
	}
	for _, host := range []string{"", "10.0.0.0/99", "a:1", "*.example"} {
		if _, err := Listen("localhost:0", []string{"none"}, []string{host}, io.Discard); err == nil {
			t.Errorf("%q was accepted", host)
		}
	}
}

func TestRequestsThatCannotWork(t *testing.T) {
	secure := at("localhost:1")
	secure.Authentication = &pipepb.AuthenticationSpec{Urn: "beam:authentication:oauth2_client_credentials_grant:v1"}
	c, log, _, _ := serve(t, "waits")
	for want, r := range map[string]*fnpb.StartWorkerRequest{
		"names no worker":           {ControlEndpoint: at("localhost:1"), LoggingEndpoint: at("localhost:1")},
		"names no control_endpoint": {WorkerId: "a", LoggingEndpoint: at("localhost:1")},
		"names no logging_endpoint": {WorkerId: "a", ControlEndpoint: at("localhost:1")},
		"control_endpoint runner.example:1 is not on this machine": {WorkerId: "a", ControlEndpoint: at("runner.example:1"),
			LoggingEndpoint: at("localhost:1")},
		"logging_endpoint 10.1.2.3:1 is not on this machine": {WorkerId: "a", ControlEndpoint: at("localhost:1"),
			LoggingEndpoint: at("10.1.2.3:1")},
		"provision_endpoint localhost.evil:1 is not on this machine": {WorkerId: "a", ControlEndpoint: at("localhost:1"),
			LoggingEndpoint: at("localhost:1"), ProvisionEndpoint: at("localhost.evil:1")},
		"asks for authentication": {WorkerId: "a", ControlEndpoint: secure,
			LoggingEndpoint: at("localhost:1")},
	} {
		if e := start(t, c, r); !strings.Contains(e, want) || !strings.Contains(log.String(), want) {
			t.Errorf("error %q, want %q, also in the log:\n%s", e, want, log)
		}
	}
}

// A worker that dies is forgotten, and the pool serves on.
func TestACrashIsSeen(t *testing.T) {
	c, log, _, _ := serve(t, "crashes")
	for range 2 {
		before := strings.Count(log.String(), "worker 1-1: exit status 1")
		if e := start(t, c, request("1-1")); e != "" {
			t.Fatal(e)
		}
		for strings.Count(log.String(), "worker 1-1: exit status 1") == before {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(100 * time.Millisecond) // forgotten just after it is said
	}
	if strings.Contains(log.String(), "trying again") {
		t.Error("a crashed worker was started anew, which the runner has to decide")
	}
}

// Flink waits for ever for a worker that has not connected, so one that ends
// before is started until it is stopped.
func TestAWorkerThatDoesNotConnectIsTriedAgain(t *testing.T) {
	for _, role := range []string{"cannot connect", "crashes early"} {
		t.Run(role, func(t *testing.T) {
			c, log, _, _ := serve(t, role)
			if e := start(t, c, request("1-1")); e != "" {
				t.Fatal(e)
			}
			log.until(t, "trying again")
			stop(t, c, "1-1")
			before := strings.Count(log.String(), "started as process")
			time.Sleep(3 * time.Second)
			if after := strings.Count(log.String(), "started as process"); after != before {
				t.Error("it was started again after it was stopped")
			}
		})
	}
}

func TestAnEndingPoolEndsItsWorkers(t *testing.T) {
	c, log, cancel, served := serve(t, "waits")
	if e := start(t, c, request("1-1")); e != "" {
		t.Fatal(e)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "worker 1-1: signal: killed") {
		t.Errorf("the worker outlives the pool:\n%s", log)
	}
}

// A worker ends by itself when its pool is killed.
func TestWorkersOfAKilledPoolEnd(t *testing.T) {
	log := &said{}
	pool := exec.Command(os.Args[0])
	pool.Env = append(os.Environ(), "WORKER_TEST_ROLE=pool")
	pool.Stderr = log
	if err := pool.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Process.Kill(); _ = pool.Wait() }()
	log.until(t, "listening at ")
	_, rest, _ := strings.Cut(log.String(), "listening at ")
	address, _, _ := strings.Cut(rest, "\n")
	if e := start(t, dial(t, address), request("1-1")); e != "" {
		t.Fatal(e)
	}
	log.until(t, "arguments:") // it is watching its standard input
	_, rest, _ = strings.Cut(log.String(), "started as process ")
	number, _, _ := strings.Cut(rest, " ")
	pid, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	if err := pool.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		// A process that waits to be reaped by someone has ended, too.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	t.Error("the worker lives on")
}

func TestAPortInUseIsSaid(t *testing.T) {
	p, err := Listen("localhost:0", []string{"none"}, nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.listener.Close()
	if _, err := Listen(p.Address(), []string{"none"}, nil, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "another pool may be running") {
		t.Error(err)
	}
}

func TestAnOpenPortIsWarnedOf(t *testing.T) {
	log := &said{}
	p, err := Listen("0.0.0.0:0", []string{"none"}, nil, log)
	if err != nil {
		t.Fatal(err)
	}
	p.listener.Close()
	if !strings.Contains(log.String(), "WARNING") {
		t.Error(log)
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	p, err := Listen("localhost:0", []string{"/no/such/program"}, nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.listener.Close()
	resp, err := p.StartWorker(t.Context(), request("1-1"))
	if err != nil || !strings.Contains(resp.GetError(), "cannot start a worker") {
		t.Error(err, resp.GetError())
	}
}

func TestFromFlags(t *testing.T) {
	for _, test := range []struct {
		args   string
		worker bool
	}{
		{"", false},
		{"--id=1", false},
		{"--provision_endpoint=p:1", false},
		{"--id=1 --provision_endpoint=p:1 --artifact_endpoint=a:1", true},
		{"--id=1 --control_endpoint=c:1 --logging_endpoint=l:1", true},
	} {
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		for _, beams := range []string{"id", "control_endpoint", "logging_endpoint"} {
			fs.String(beams, "", "")
		}
		RegisterFlags(fs)
		if err := fs.Parse(strings.Fields(test.args)); err != nil {
			t.Fatal(err)
		}
		if _, ok := FromFlags(fs); ok != test.worker {
			t.Errorf("%q: a worker's command line: %v", test.args, ok)
		}
	}
}

// A worker says when it cannot reach the runner, in a way that tells the pool
// to try again.
func TestUnreachable(t *testing.T) {
	p, err := Listen("localhost:0", []string{"none"}, nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	nobody := p.Address()
	p.listener.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	for _, f := range []Flags{
		{id: "1", control: nobody, logging: nobody},
		{id: "1", provision: nobody},
	} {
		if err := Run(ctx, f); ExitCode(err) != ExitUnreachable || !strings.Contains(err.Error(), nobody) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if err := Run(ctx, Flags{id: "1"}); ExitCode(err) != 1 {
		t.Errorf("without endpoints: %v", err)
	}
}
