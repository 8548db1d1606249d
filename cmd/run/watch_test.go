package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/pipeline/sockets"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// A program under test watches itself while it works, since nobody else may
// look into it. It writes what it saw to the file that watchFile names, and
// sends itself the signal of signalAt, such as "detect:2", when it comes there.
const (
	watchFile = "PALIMPSEST_TEST_WATCH"
	signalAt  = "PALIMPSEST_TEST_SIGNAL"
	userID    = "PALIMPSEST_TEST_USER" // become this user first
)

// seen is what a program saw of itself.
type seen struct {
	Looks     int      // at its sockets, while the job was at work in Detect or Rewrite
	Phases    []string // "detect" and "rewrite", once each
	Listening []string // sockets, with the device that they are bound to
	Dumpable  int
	Core      uint64 // most bytes of a core dump
	UID       int
}

// watchMain runs main while it is watched.
func watchMain(main func()) {
	if id := os.Getenv(userID); id != "" {
		var n int
		if _, err := fmt.Sscan(id, &n); err != nil {
			panic(err)
		}
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(n), syscall.Setuid(n)); err != nil {
			panic(err)
		}
	}
	if name := os.Getenv(watchFile); name != "" {
		go watch(name)
	}
	main()
}

// phase returns what the job of this process is at.
func phase() string {
	p := transforms.ProcessProgress()
	switch shards := p.Shards.Load(); {
	case shards == 0:
		return ""
	case p.Released.Load() > 0 && p.Rewritten.Load() < shards:
		return "rewrite"
	case p.Notes.Load() > 0 && p.Detected.Load() < shards:
		return "detect"
	case p.Detected.Load() < shards:
		return "begun" // and nothing is tagged yet
	}
	return ""
}

// watch goes on until the process ends. What it has seen is in the file at any
// time.
func watch(name string) {
	var s seen
	at, number, _ := strings.Cut(os.Getenv(signalAt), ":")
	for ; ; time.Sleep(2 * time.Millisecond) {
		now := phase()
		if now == "" || now == "begun" && at != "begun" {
			continue
		}
		own, err := sockets.Own()
		if err != nil {
			s.Listening = append(s.Listening, err.Error())
		}
		s.Looks++
		changed := false
		for _, o := range own {
			if !o.Listening {
				continue
			}
			device, _ := unix.GetsockoptString(o.FD, unix.SOL_SOCKET, unix.SO_BINDTODEVICE)
			if line := fmt.Sprintf("%s %s device=%s", o.Kind, o.Local.Addr(), device); !slices.Contains(s.Listening, line) {
				s.Listening, changed = append(s.Listening, line), true
			}
		}
		if !slices.Contains(s.Phases, now) {
			s.Phases, changed = append(s.Phases, now), true
			s.UID = os.Getuid()
			s.Dumpable, _ = unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
			var core unix.Rlimit
			_ = unix.Getrlimit(unix.RLIMIT_CORE, &core)
			s.Core = core.Max
		}
		if changed || s.Looks%10 == 0 {
			raw, _ := json.Marshal(s)
			_ = os.WriteFile(name+".new", raw, 0o600)
			_ = os.Rename(name+".new", name)
		}
		if now == at || now == "detect" && at == "begun" {
			var n int
			_, _ = fmt.Sscan(number, &n)
			at = ""
			_ = syscall.Kill(os.Getpid(), syscall.Signal(n))
		}
	}
}

// watched is a run of the program that has watched itself.
type watched struct {
	seen
	said  string // on standard error
	state *os.ProcessState
	left  []string // in TMPDIR
}

// runWatched runs the program over generated notes, into dir/out, with a TMPDIR
// of its own. A command that before names starts it.
func runWatched(t *testing.T, dir string, before, environ []string, args ...string) watched {
	t.Helper()
	return runAs(t, dir, "", before, environ, args...)
}

// runBeside is runWatched beside others over the same notes, each of a name of
// its own.
func runBeside(t *testing.T, dir, name string, environ []string, args ...string) watched {
	t.Helper()
	return runAs(t, dir, name, nil, environ, args...)
}

func runAs(t *testing.T, dir, name string, before, environ []string, args ...string) watched {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	model, err := filepath.Abs("../../onnx/models/en-clinical-fast")
	if err != nil {
		t.Fatal(err)
	}
	library, err := onnx.Find("")
	if err != nil {
		t.Fatal(err)
	}
	temporary, file := filepath.Join(dir, "tmp"+name), filepath.Join(dir, "seen"+name+".json")
	if err := errors.Join(os.MkdirAll(temporary, 0o777), os.Chmod(temporary, 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	words := append(append(slices.Clone(before), self), "--input="+filepath.Join(dir, "in"), "--output="+filepath.Join(dir, "out"),
		"--private="+filepath.Join(dir, "out-private"), "--private_beside_output",
		"--model="+model, "--key=env:PALIMPSEST_TEST_KEY", "--execution_provider=cpu", "--date_columns=note_date")
	cmd := exec.CommandContext(t.Context(), words[0], append(words[1:], args...)...)
	cmd.Env = append(append(os.Environ(), runMain+"=1", "PALIMPSEST_TEST_KEY="+testKey, watchFile+"="+file, "TMPDIR="+temporary,
		onnx.LibraryEnv+"="+library), environ...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	w := watched{said: said.String(), state: cmd.ProcessState}
	if raw, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(raw, &w.seen); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(temporary)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		w.left = append(w.left, e.Name())
	}
	return w
}
