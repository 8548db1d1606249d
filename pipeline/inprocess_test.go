package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// prepared returns the configuration of a job over the examples, with several
// shards.
func prepared(t *testing.T) transforms.Config {
	t.Helper()
	cfg, err := NewConfig(exampleOptions(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	cfg.ShardBytes = 1
	if cfg, _, err = Prepare(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// while calls look again and again until the function that it returns is called.
func while(look func()) (end func()) {
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Microsecond):
				look()
			}
		}
	}()
	return func() { close(stop); <-ended }
}

// While the job works, the user is told which pass it is in and how many shards
// are done.
func TestProgressIsShown(t *testing.T) {
	cfg := prepared(t)
	seen := map[string]bool{}
	end := while(func() {
		seen[describeProgress(transforms.ProcessProgress(), time.Second)] = true
	})
	var out lockedBuffer
	err := Run(t.Context(), cfg, &out)
	end()
	if err != nil {
		t.Fatal(err)
	}
	shards := transforms.ProcessProgress().Shards.Load()
	for _, pass := range []string{"detect", "rewrite"} {
		found := false
		for line := range seen {
			m := regexp.MustCompile(`^` + pass + `: (\d+) of (\d+) shards, \d+ of 278 notes`).FindStringSubmatch(line)
			found = found || m != nil && m[1] != "0" && m[1] != m[2] && m[2] == fmt.Sprint(shards)
		}
		if !found {
			t.Errorf("no line tells of some, not all, of %d shards in %s: %v", shards, pass, seen)
		}
	}
}

// A job that is told to stop while it publishes comes to its end: half of a
// release is worse than a moment's wait.
func TestStoppedWhilePublishing(t *testing.T) {
	for range 10 {
		cfg := prepared(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		end := while(func() {
			if _, err := os.Stat(filepath.Join(cfg.Private, transforms.PublishingFile)); err == nil {
				cancel(errors.New("stopped by the test"))
			}
		})
		var out bytes.Buffer
		err := Run(ctx, cfg, &out)
		end()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "278") {
			t.Errorf("the summary is missing:\n%s", out.String())
		}
		if _, err := os.Stat(filepath.Join(cfg.Output, transforms.SuccessFile)); err != nil {
			t.Error(err)
		}
		if ctx.Err() != nil {
			return
		}
	}
	t.Skip("no run was stopped in time")
}

// A job that was stopped before it published anything says why, and that.
func TestStoppedBeforePublishing(t *testing.T) {
	onEachRunner(t, func(t *testing.T) {
		cfg := prepared(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("stopped by the test"))
		err := Run(ctx, cfg, &bytes.Buffer{})
		if !errors.Is(err, ErrStopped) || !strings.HasPrefix(fmt.Sprint(err),
			"stopped by the test: nothing was published; run the same command again") {
			t.Errorf("%v", err)
		}
		if names := digests(t, filepath.Dir(cfg.Output)); len(names) > 0 {
			t.Errorf("there are files: %v", names)
		}
	})
}

// A runner that cannot be started leaves the output to the next run: nothing of the job,
// its lock among it, is there.
func TestARunnerThatCannotBeStarted(t *testing.T) {
	for _, name := range []string{onPrism, portable} {
		onRunner(t, name, func(t *testing.T) {
			cfg := prepared(t)
			t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
			if err := Run(t.Context(), cfg, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "set TMPDIR to a folder") {
				t.Errorf("%v", err)
			}
			if names := digests(t, filepath.Dir(cfg.Output)); len(names) > 0 {
				t.Errorf("there are files: %v", names)
			}
		})
	}
}
