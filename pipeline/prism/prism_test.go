package prism

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/palimpsest-deid/palimpsest/pipeline/sockets"
)

// Starting Prism cannot be undone, so each test does it in a process of its
// own: this test's program, told by a variable what to do.
const role = "PALIMPSEST_TEST_ROLE"

var roles = map[string]func(ctx context.Context) error{
	"serve":   serve,
	"submit":  submit,
	"dial":    dial,
	"refused": refused,
}

func TestMain(m *testing.M) {
	run, ok := roles[os.Getenv(role)]
	if !ok {
		os.Exit(m.Run())
	}
	beam.Init()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// as returns a command that is this test's program in a role, perhaps behind
// other words of a command line.
func as(t *testing.T, name string, before []string, environ ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	words := append(append([]string{}, before...), self)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(append(os.Environ(), role+"="+name), environ...)
	return cmd
}

// serve starts Prism, and beside it a socket that anybody may connect to, says
// where both are and which sockets of the process listen, and waits until
// nobody listens to it any more.
func serve(ctx context.Context) error {
	endpoint, err := Start(ctx)
	if err != nil {
		return err
	}
	if again, err := Start(ctx); err != nil || again != endpoint {
		return fmt.Errorf("a second start gives %q, %v", again, err)
	}
	own, err := sockets.Own()
	if err != nil {
		return err
	}
	said := served{Prism: endpoint}
	for _, s := range own {
		if s.Listening {
			device, err := unix.GetsockoptString(s.FD, unix.SOL_SOCKET, unix.SO_BINDTODEVICE)
			if err != nil {
				return err
			}
			said.Listening = append(said.Listening, fmt.Sprintf("%s on %s", s.Local.Addr(), device))
		}
	}
	control, err := net.Listen("tcp", ":0")
	if err != nil {
		return err
	}
	said.Control = control.Addr().String()
	if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

type served struct {
	Prism, Control string
	Listening      []string
}

// startServing starts a process in the role of serve.
func startServing(t *testing.T, before ...string) served {
	t.Helper()
	cmd := as(t, "serve", before)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	var said served
	if err := json.NewDecoder(stdout).Decode(&said); err != nil {
		t.Fatal(err)
	}
	return said
}

// Prism's is the only socket that listens, and takes only what comes through
// the loopback device.
func TestSocketIsBoundToTheLoopbackDevice(t *testing.T) {
	skipWithoutPrism(t)
	said := startServing(t)
	if fmt.Sprint(said.Listening) != "[:: on lo]" && fmt.Sprint(said.Listening) != "[0.0.0.0 on lo]" {
		t.Errorf("listening: %v", said.Listening)
	}
}

func skipWithoutPrism(t *testing.T) {
	t.Helper()
	if err := Check(); err != nil {
		t.Skip(err)
	}
}

// dial connects to the addresses of its standard input, one per line, and says
// of each whether it could.
func dial(context.Context) error {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		conn, err := net.DialTimeout("tcp", lines.Text(), time.Minute)
		if err == nil {
			conn.Close()
		}
		fmt.Println(err == nil)
	}
	return nil
}

// Another machine, here another network namespace at the end of a cable,
// reaches any socket of this one but Prism's.
func TestOtherMachinesCannotConnect(t *testing.T) {
	skipWithoutPrism(t)
	if os.Getuid() != 0 {
		t.Skip("only root can make network namespaces")
	}
	ip := func(args ...string) error {
		if out, err := exec.CommandContext(t.Context(), "ip", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	ours, theirs := fmt.Sprintf("palimpsest-%d-a", os.Getpid()), fmt.Sprintf("palimpsest-%d-b", os.Getpid())
	for _, name := range []string{ours, theirs} {
		if err := ip("netns", "add", name); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "delete", name).Run() })
		if err := ip("-n", name, "link", "set", "lo", "up"); err != nil {
			t.Skip(err)
		}
	}
	if err := ip("-n", ours, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", theirs); err != nil {
		t.Skip(err)
	}
	for name, address := range map[string]string{ours: "198.51.100.1", theirs: "198.51.100.2"} {
		if err := ip("-n", name, "address", "add", address+"/24", "dev", "cable"); err != nil {
			t.Fatal(err)
		}
		if err := ip("-n", name, "link", "set", "cable", "up"); err != nil {
			t.Fatal(err)
		}
	}
	said := startServing(t, "ip", "netns", "exec", ours)
	at := func(host, address string) string {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			t.Fatal(err)
		}
		return net.JoinHostPort(host, port) + "\n"
	}
	from := func(namespace string, addresses ...string) string {
		cmd := as(t, "dial", []string{"ip", "netns", "exec", namespace})
		cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(addresses, "")), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(out)), " ")
	}
	if got := from(ours, at("127.0.0.1", said.Control), at("127.0.0.1", said.Prism), at("::1", said.Prism)); got != "true true true" {
		t.Errorf("on the machine itself, another socket, Prism and Prism by IPv6 are reached: %s", got)
	}
	if got := from(theirs, at("198.51.100.1", said.Control), at("198.51.100.1", said.Prism)); got != "true false" {
		t.Errorf("from another machine, another socket and Prism are reached: %s", got)
	}
}

func init() { register.Function1x1(nothing) }

func nothing(b []byte) []byte { return b }

// submit submits a job whose environment is named by variables, as somebody
// else on the machine could, to a Prism that is shut to it or not, and says
// what came of it: how the job ended, or that its program could not be started.
func submit(ctx context.Context) error {
	failed := make(chan string, 100)
	slog.SetDefault(slog.New(&watching{slog.DiscardHandler, failed}))
	start := Start
	if os.Getenv("NOT_SHUT") != "" {
		start = open
	}
	endpoint, err := start(ctx)
	if err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo(s, nothing, beam.Impulse(s))
	edges, _, err := p.Build()
	if err != nil {
		return err
	}
	environment, err := graphx.CreateEnvironment(ctx, os.Getenv("URN"), func(context.Context) string { return os.Getenv("ENVIRONMENT") })
	if err != nil {
		return err
	}
	graph, err := graphx.Marshal(edges, &graphx.Options{Environment: environment})
	if err != nil {
		return err
	}
	conn, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	jobs := jobpb.NewJobServiceClient(conn)
	prepared, err := jobs.Prepare(ctx, &jobpb.PrepareJobRequest{Pipeline: graph, JobName: "theirs"})
	if err != nil {
		return err
	}
	job, err := jobs.Run(ctx, &jobpb.RunJobRequest{PreparationId: prepared.GetPreparationId()})
	if err != nil {
		return err
	}
	states, err := jobs.GetStateStream(ctx, &jobpb.GetJobStateRequest{JobId: job.GetJobId()})
	if err != nil {
		return err
	}
	go func() {
		for {
			state, err := states.Recv()
			if err != nil {
				return
			}
			if state.GetState() == jobpb.JobState_FAILED || state.GetState() == jobpb.JobState_DONE {
				failed <- state.GetState().String()
				return
			}
		}
	}()
	for {
		select {
		case said := <-failed:
			fmt.Println(said)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
			if _, err := os.Stat(os.Getenv("MARKER")); err == nil {
				fmt.Println("the program ran")
				return nil
			}
		}
	}
}

// watching is a log that tells of programs that could not be started.
type watching struct {
	slog.Handler
	failed chan string
}

func (w *watching) Enabled(context.Context, slog.Level) bool { return true }
func (w *watching) WithAttrs([]slog.Attr) slog.Handler       { return w }
func (w *watching) WithGroup(string) slog.Handler            { return w }
func (w *watching) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if r.Message == "process failed to start" && a.Key == "error" {
			w.failed <- fmt.Sprint(r.Message, ": ", a.Value)
		}
		return true
	})
	return nil
}

// A job that somebody else submits starts no program. Without what Start does
// beyond opening Prism, it would.
func TestForeignJobsStartNoProgram(t *testing.T) {
	skipWithoutPrism(t)
	for _, c := range []struct{ name, open, want string }{
		{"shut", "", "process failed to start: fork/exec"},
		{"not shut", "NOT_SHUT=1", "the program ran"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			script, marker := filepath.Join(dir, "script"), filepath.Join(dir, "marker")
			if err := os.WriteFile(script, []byte("#!/bin/sh\n: > "+marker+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			out := submitted(t, "URN=beam:env:process:v1", `ENVIRONMENT={"command": "`+script+`"}`, "MARKER="+marker, c.open)
			if !strings.HasPrefix(out, c.want) {
				t.Errorf("%s, want %s", out, c.want)
			}
			if _, err := os.Stat(marker); (err == nil) != (c.open != "") {
				t.Errorf("the program's file is there: %v", err)
			}
		})
	}
}

func submitted(t *testing.T, environ ...string) string {
	t.Helper()
	cmd := as(t, "submit", nil, environ...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	return string(out)
}

// Nor does it reach Docker.
func TestForeignJobsStartNoContainer(t *testing.T) {
	skipWithoutPrism(t)
	for _, c := range []struct {
		name, open string
		asked      bool
	}{{"shut", "", false}, {"not shut", "NOT_SHUT=1", true}} {
		t.Run(c.name, func(t *testing.T) {
			socket := filepath.Join(t.TempDir(), "docker.sock")
			l, err := net.Listen("unix", socket)
			if err != nil {
				t.Fatal(err)
			}
			asked := make(chan string, 1000)
			docker := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- r.Method + " " + r.URL.Path
				http.Error(w, `{"message": "this is no Docker"}`, http.StatusInternalServerError)
			})}
			go func() { _ = docker.Serve(l) }()
			defer docker.Close()
			out := submitted(t, "URN=beam:env:docker:v1", "ENVIRONMENT=an-image", "DOCKER_HOST=unix://"+socket, "MARKER=/none", c.open)
			if out != "FAILED\n" {
				t.Errorf("the job is %s", out)
			}
			if (len(asked) > 0) != c.asked {
				t.Errorf("Docker was asked %d times", len(asked))
			}
		})
	}
}

// refused starts Prism where the kernel lets nobody bind a socket to a device,
// as older ones do not let ordinary users.
func refused(ctx context.Context) error {
	const argument = 16 // offset of the first argument in struct seccomp_data
	err := install([]unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_SETSOCKOPT, Jf: 3},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: argument + 2*8},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SO_BINDTODEVICE, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	})
	if err != nil {
		return err
	}
	for _, start := range []func(context.Context) (string, error){Start, open} {
		_, err := start(ctx)
		fmt.Println(err)
	}
	own, err := sockets.Own()
	for _, s := range own {
		if s.Listening {
			fmt.Println(s)
		}
	}
	return err
}

// Where a socket cannot be bound to a device, Prism is refused before it opens
// one, with a message that says what to do instead; and if only Prism's own
// could not, it is closed.
func TestPrismIsRefusedWhereItCannotBeShut(t *testing.T) {
	cmd := as(t, "refused", nil)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "would be open to the network") || !strings.Contains(lines[0], "leave --runner out") ||
		!strings.Contains(lines[1], "cannot be bound to the loopback device") {
		t.Errorf("two refusals and no socket that listens are wanted:\n%s", out)
	}
}

// Who has connected by the loopback device while Prism started is this machine's
// user; by another address it may be anybody.
func TestConnectionsFromElsewhereAreSeen(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	connect := func(host string) net.Conn {
		conn, err := net.Dial("tcp", net.JoinHostPort(host, fmt.Sprint(port)))
		if err != nil {
			t.Skip(err)
		}
		return conn
	}
	near := connect("127.0.0.1")
	defer near.Close()
	if err := nobodyElse(uint16(port)); err != nil {
		t.Errorf("a connection by the loopback device: %v", err)
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok && network.IP.IsGlobalUnicast() {
			far := connect(network.IP.String()) // of this machine, but not its loopback address
			defer far.Close()
			if err := nobodyElse(uint16(port)); err == nil {
				t.Errorf("a connection to %s was not seen", network.IP)
			}
			return
		}
	}
	t.Skip("this machine has no address but the loopback device's")
}
