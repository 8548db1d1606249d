package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
)

// Pool serves Beam's external worker pool: each StartWorker starts one worker
// process of this program, each StopWorker ends one.
//
// A process per worker, rather than all workers in one process as Beam's
// LOOPBACK has it: a worker that dies takes no other with it and is started
// anew with the runner's next attempt; a job's memory (model sessions, caches,
// arenas) goes back to the system when the job ends; and Beam's harness, which
// keeps its logger and options in globals, serves one runner only. Flink asks
// for one worker per task manager and job, so there is still one ONNX session
// per process, shared by all slots.
type Pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer

	listener net.Listener
	server   *grpc.Server
	command  []string // starts a worker; its flags are appended
	allow    []string // hosts and networks of runners, besides this machine
	log      *log.Logger
	out      io.Writer // takes whole lines of workers

	mu      sync.Mutex
	workers map[name]*process // nil once the pool is closed
	gone    []*process        // ended by themselves a moment ago, and not asked to stop yet
}

// name tells the workers of a pool apart. Beam numbers workers within a job, so
// that two jobs have one of the same id each; each job on a task manager has
// its own control endpoint.
type name struct{ id, control string }

// Listen makes a pool that listens at address, such as localhost:50000.
// command is the program and its first arguments that start a worker. Workers
// serve runners on this machine's loopback interface, and those that allow
// names by host, IP address or network (10.0.0.0/8). What the pool and its
// workers have to say goes to out, line by line.
func Listen(address string, command, allow []string, out io.Writer) (*Pool, error) {
	if err := checkHosts(allow); err != nil {
		return nil, fmt.Errorf("worker pool: %w", err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			err = fmt.Errorf("%w; another pool may be running there: stop it or choose another port", err)
		}
		return nil, fmt.Errorf("worker pool: %w", err)
	}
	out = &lines{w: out}
	p := &Pool{
		listener: listener, command: command, allow: allow, out: out, server: grpc.NewServer(),
		log:     log.New(out, "", log.LstdFlags|log.LUTC),
		workers: map[name]*process{},
	}
	fnpb.RegisterBeamFnExternalWorkerPoolServer(p.server, p)
	p.log.Printf("worker pool: listening at %s", p.Address())
	if a, ok := listener.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() {
		p.log.Printf("worker pool: WARNING: %s can be reached from other machines, and whoever reaches it can start workers that read notes "+
			"and the key; the protocol has no passwords, so shut the port to all but the task managers", p.Address())
	}
	return p, nil
}

// Address returns where the pool listens.
func (p *Pool) Address() string { return p.listener.Addr().String() }

// Serve answers runners until ctx ends, then ends all workers. An end by ctx
// is no error.
func (p *Pool) Serve(ctx context.Context) error {
	served := make(chan error, 1)
	go func() { served <- p.server.Serve(p.listener) }()
	var err error
	select {
	case err = <-served:
		err = fmt.Errorf("worker pool: %w", err)
	case <-ctx.Done():
		p.log.Print("worker pool: stopping")
	}
	p.mu.Lock()
	workers := p.workers
	p.workers = nil
	p.mu.Unlock()
	for _, w := range workers {
		w.stop(0)
	}
	p.server.Stop()
	return err
}

// StartWorker starts a worker process.
func (p *Pool) StartWorker(_ context.Context, r *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	if err := p.start(r); err != nil {
		p.log.Printf("worker %s: not started: %v", r.GetWorkerId(), err)
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	return &fnpb.StartWorkerResponse{}, nil
}

func (p *Pool) start(r *fnpb.StartWorkerRequest) error {
	id := r.GetWorkerId()
	if id == "" {
		return errors.New("the request names no worker")
	}
	args := []string{"--id=" + id}
	for _, e := range []struct {
		flag     string
		endpoint *pipepb.ApiServiceDescriptor
		required bool
	}{
		{"control_endpoint", r.GetControlEndpoint(), true},
		{"logging_endpoint", r.GetLoggingEndpoint(), true},
		{"provision_endpoint", r.GetProvisionEndpoint(), false},
	} {
		switch {
		case e.endpoint.GetAuthentication() != nil:
			return fmt.Errorf("the %s asks for authentication, which Beam's Go SDK cannot give", e.flag)
		case e.endpoint.GetUrl() != "":
			if !p.allowed(e.endpoint.GetUrl()) {
				return fmt.Errorf("the %s %s is not on this machine: name its host in --worker_pool_endpoints if workers may serve it", e.flag,
					e.endpoint.GetUrl())
			}
			args = append(args, "--"+e.flag+"="+e.endpoint.GetUrl())
		case e.required:
			return fmt.Errorf("the request names no %s", e.flag)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers == nil {
		return errors.New("the pool is stopping")
	}
	n := name{id, r.GetControlEndpoint().GetUrl()}
	if p.workers[n] != nil {
		return fmt.Errorf("a worker %q of the runner at %s is running already", id, n.control)
	}
	w := &process{pool: p, name: n, args: append(append([]string{}, p.command[1:]...), args...), ended: make(chan struct{}),
		quit: make(chan struct{})}
	if err := w.launch(); err != nil {
		return err
	}
	p.workers[n] = w
	go w.watch()
	return nil
}

// process is one worker and, where it could not connect, those started anew in
// its place.
type process struct {
	pool    *Pool
	name    name
	args    []string
	started time.Time
	end     time.Time // of one that has ended by itself
	spent   bool      // a request to stop was taken to mean it; the pool's lock guards it

	mu        sync.Mutex
	cmd       *exec.Cmd
	stdin     io.Closer
	connected chan struct{} // closed when the worker says so
	silent    chan struct{} // closed when it has nothing more to say

	once  sync.Once
	quit  chan struct{} // closed to say that it must end
	ended chan struct{} // closed when it has ended for good
}

// launch starts the process, whose standard error goes to the pool's log with
// the worker's id before each line.
func (w *process) launch() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.quit:
		return errors.New("stopped before it was started anew")
	default:
	}
	cmd := exec.Command(w.pool.command[0], w.args...)
	stdin, err := cmd.StdinPipe() // kept open: its end tells the worker that the pool is gone
	if err != nil {
		return err
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start a worker: %w", err)
	}
	connected, silent := make(chan struct{}), make(chan struct{})
	w.cmd, w.stdin, w.started, w.connected, w.silent = cmd, stdin, time.Now(), connected, silent
	w.pool.log.Printf("worker %s: started as process %d for %s", w.name.id, cmd.Process.Pid, w.name.control)
	go func() {
		defer close(silent)
		defer stdout.Close()
		scanner := bufio.NewScanner(stdout)
		for once := true; scanner.Scan(); {
			if once && scanner.Text() == connectedLine {
				once = false
				w.pool.log.Printf("worker %s: connected", w.name.id)
				close(connected)
			}
		}
	}()
	go func() {
		defer said.Close()
		scanner := bufio.NewScanner(said)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			fmt.Fprintf(w.pool.out, "worker %s: %s\n", w.name.id, scanner.Text())
		}
		_, _ = io.Copy(io.Discard, said)
	}()
	return nil
}

// watch waits for the process to end. Flink waits without limit for a worker
// that it has asked for, so one that ends before it is connected, for whatever
// reason, is started anew until Flink stops it; one that was connected is not,
// as Flink has seen it go.
func (w *process) watch() {
	defer close(w.ended)
	defer w.forget()
	for pause := time.Second; ; pause = min(2*pause, 30*time.Second) {
		// Not Wait alone: it closes the pipe that the lines are read from.
		state, err := w.cmd.Process.Wait()
		w.stdin.Close()
		if err != nil {
			w.pool.log.Printf("worker %s: %v", w.name.id, err)
			return
		}
		w.pool.log.Printf("worker %s: %s after %.1f s, peak memory %d MiB", w.name.id, state, time.Since(w.started).Seconds(),
			peakMemory(state)>>20)
		<-w.silent
		select {
		case <-w.connected:
			return
		case <-w.quit:
			return
		case <-time.After(pause):
		}
		w.pool.log.Printf("worker %s: trying again, as the job waits for it until it connects", w.name.id)
		if err := w.launch(); err != nil {
			w.pool.log.Printf("worker %s: %v", w.name.id, err)
			return
		}
	}
}

// peakMemory returns the most memory a process had resident, in bytes.
func peakMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}

// lines lets several goroutines write whole lines.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
