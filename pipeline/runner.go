package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/palimpsest-deid/palimpsest/pipeline/prism"
)

// defaultRunner is Beam's runner that does all within this process and opens
// no socket.
const defaultRunner = "direct"

// The runners, by Beam's names.
const (
	direct   = "direct"
	onPrism  = "prism"
	portable = "universal" // a job server, such as Flink's
	dataflow = "dataflow"
)

// runner returns the runner that --runner names, or an error for one that
// there is not: Beam itself would end the process without a word.
func runner() (string, error) {
	name := flagValue("runner")
	switch strings.ToLower(name) {
	case "":
		return defaultRunner, nil
	case "direct", "directrunner":
		return direct, nil
	case "prism", "prismrunner":
		return onPrism, nil
	case "flink", "flinkrunner", "portable", "portablerunner", "universal", "spark", "sparkrunner":
		return portable, nil
	case "dataflow", "dataflowrunner":
		return dataflow, nil
	}
	return "", fmt.Errorf("--runner=%s: write direct (in this process, the default), prism, flink, universal or dataflow", name)
}

// runsOn reports whether the job goes to a runner.
func runsOn(name string) bool {
	r, err := runner()
	return err == nil && r == name
}

// onFlink reports whether the job goes to Flink, or may: a job server does not
// say whose it is.
func onFlink() bool {
	switch strings.ToLower(flagValue("runner")) {
	case "flink", "flinkrunner":
		return true
	}
	return flagValue("flink_rest") != ""
}

// InProcess reports whether the job is done by this process alone.
func InProcess() bool { return runsOn(direct) || runsOn(onPrism) }

// checkRunner refuses Beam's settings that the runner would pass over or fall
// over. All that is wrong is said at once.
func checkRunner() error {
	r, err := runner()
	if err != nil {
		return err
	}
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if InProcess() {
		if *jobopts.Async {
			fail("--async: the job is done by this very process, which has to stay; leave it out, and let the shell run the command in the " +
				"background")
		}
		for _, name := range []string{"endpoint", "environment_type", "environment_config"} {
			if v := flagValue(name); v != "" {
				fail("--%s=%s: the job is done by this very process; leave it out, or say where the job is to go, such as --runner=flink", name, v)
			}
		}
	}
	if *jobopts.Async && strings.EqualFold(flagValue("environment_type"), "LOOPBACK") {
		fail("--async: with --environment_type=LOOPBACK this very process does the work, and has to stay; leave --async out")
	}
	if r == onPrism {
		if err := prism.Check(); err != nil {
			errs = append(errs, err)
		}
	}
	if r == onPrism || r == portable {
		if err := checkTemporary(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// checkTemporary makes a file where temporary ones go, as Beam is about to: it
// takes for granted that it can.
func checkTemporary() error {
	remove, err := ownTemporary()
	if err != nil {
		return err
	}
	remove()
	return nil
}

// processes names what a process's number means something in: this machine,
// since it was started, or this container of it.
func processes() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	sum := sha256.Sum256(append(boot, space...))
	return hex.EncodeToString(sum[:4])
}

// ownTemporary makes a folder for the temporary files of this process, which
// Beam leaves behind, until it is removed with all that is in it. Those of
// processes that were killed go first.
func ownTemporary() (remove func(), err error) {
	prefix := "palimpsest-" + processes() + "-"
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, dir := range left {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			os.RemoveAll(dir)
		}
	}
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-*", prefix, os.Getpid()))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "file"), []byte{0}, 0o600)
	}
	before, was := os.LookupEnv("TMPDIR")
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("this runner needs temporary files, and none can be made: %w; set TMPDIR to a folder that you may write to", err)
	}
	return func() {
		if was {
			os.Setenv("TMPDIR", before)
		} else {
			os.Unsetenv("TMPDIR")
		}
		os.RemoveAll(dir)
	}, nil
}
