// Package schedule tests the script that a scheduler runs each night.
package schedule

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// site is a folder with settings and a stand-in for the program, which writes
// down what it was given and then does what a case says.
type site struct {
	*testing.T
	dir string
}

func newSite(t *testing.T, does string) site {
	t.Helper()
	s := site{t, t.TempDir()}
	s.write("program", "#!/bin/sh\nprintf '%s\\n' \"$@\" >>"+s.path("given")+"\nout=$6\nmkdir -p \"$4\"\n"+does+"\n", 0o755)
	s.write("settings", "PALIMPSEST="+s.path("program")+"\nCONFIG=config.yaml\nNOTES="+s.path("notes")+
		"\nRELEASED="+s.path("released")+"\nPRIVATE="+s.path("private")+"\nLOCK="+s.path("lock")+"\n", 0o644)
	return s
}

func (s site) path(name string) string { return filepath.Join(s.dir, name) }

func (s site) write(name, content string, mode os.FileMode) {
	s.Helper()
	if err := os.WriteFile(s.path(name), []byte(content), mode); err != nil {
		s.Fatal(err)
	}
}

// settings adds lines to the settings; the last of a name holds.
func (s site) settings(lines string) {
	s.Helper()
	before, err := os.ReadFile(s.path("settings"))
	if err != nil {
		s.Fatal(err)
	}
	s.write("settings", string(before)+lines, 0o644)
}

func (s site) run(args ...string) (string, int) {
	s.Helper()
	cmd := exec.CommandContext(s.Context(), "./nightly.sh", args...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// succeed is a program that completes its output, which is its sixth argument.
const succeed = `mkdir -p "$out" && : >"$out/_SUCCESS"`

func TestNight(t *testing.T) {
	s := newSite(t, succeed)
	if out, code := s.run(s.path("settings"), "2026-01-31"); code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	given, err := os.ReadFile(s.path("given"))
	if err != nil {
		t.Fatal(err)
	}
	want := "--config\nconfig.yaml\n--input\n" + s.path("notes") + "/2026-01-31/*.parquet\n--output\n" +
		s.path("released") + "/2026-01-31\n--private\n" + s.path("private") + "/2026-01-31\n"
	if string(given) != want {
		t.Errorf("the program was given\n%s, want\n%s", given, want)
	}
	// A night that is done is not done again.
	if out, code := s.run(s.path("settings"), "2026-01-31"); code != 0 || !strings.Contains(out, "done already") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if again, _ := os.ReadFile(s.path("given")); string(again) != want {
		t.Errorf("the program was run again:\n%s", again)
	}
	// Without a date it is yesterday's.
	if out, code := s.run(s.path("settings")); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// Unless it is named, the lock lies with the private parts, where nobody else can make
// it first, and what lies in its place is not emptied.
func TestTheLocksPlace(t *testing.T) {
	s := newSite(t, succeed)
	s.settings("LOCK=\n")
	if out, code := s.run(s.path("settings"), "2026-01-31"); code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	for name, want := range map[string]os.FileMode{"private": 0o700, "private/.nightly.lock": 0o600} {
		if info, err := os.Stat(s.path(name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", name, info, err, want)
		}
	}
	s.write("private/.nightly.lock", "kept", 0o600)
	lock, err := os.Open(s.path("private/.nightly.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if out, code := s.run(s.path("settings"), "2026-01-30"); code != 75 || !strings.Contains(out, "another run") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if data, err := os.ReadFile(s.path("private/.nightly.lock")); string(data) != "kept" {
		t.Errorf("the lock's file is %q (%v)", data, err)
	}
}

// With a state the program names the night's folders itself, and may be given the whole
// table.
func TestNightWithAState(t *testing.T) {
	s := newSite(t, `mkdir -p "$out/${12}" && : >"$out/${12}/_SUCCESS"`)
	s.settings("STATE=" + s.path("state") + "\nINPUT=" + s.path("all") + "/*.parquet\n")
	if out, code := s.run(s.path("settings"), "2026-01-31"); code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	given, err := os.ReadFile(s.path("given"))
	if err != nil {
		t.Fatal(err)
	}
	want := "--config\nconfig.yaml\n--input\n" + s.path("all") + "/*.parquet\n--output\n" + s.path("released") + "\n--private\n" +
		s.path("private") + "\n--state\n" + s.path("state") + "\n--night\n2026-01-31\n"
	if string(given) != want {
		t.Errorf("the program was given\n%s, want\n%s", given, want)
	}
	if out, code := s.run(s.path("settings"), "2026-01-31"); code != 0 || !strings.Contains(out, "done already") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

func TestNightsThatFail(t *testing.T) {
	for _, c := range []struct {
		name, does string
		args       []string
		code       int
		want       string
	}{
		{"the program fails", "exit 3", []string{"2026-01-31"}, 3, ""},
		{"nothing was completed", ":", []string{"2026-01-31"}, 1, "no _SUCCESS"},
		{"no date", succeed, []string{"yesterday"}, 64, "YYYY-MM-DD"},
		{"a date with a path", succeed, []string{"../01/31/01"}, 64, "YYYY-MM-DD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, c.does)
			out, code := s.run(append([]string{s.path("settings")}, c.args...)...)
			if code != c.code || !strings.Contains(out, c.want) {
				t.Errorf("exit code %d, want %d and %q: %s", code, c.code, c.want, out)
			}
		})
	}
	t.Run("no settings", func(t *testing.T) {
		s := newSite(t, succeed)
		if out, code := s.run(s.path("none")); code != 64 || !strings.Contains(out, "settings") {
			t.Errorf("exit code %d: %s", code, out)
		}
		s.write("settings", "CONFIG=config.yaml\n", 0o644)
		if out, code := s.run(s.path("settings"), "2026-01-31"); code != 64 || !strings.Contains(out, "NOTES is not set") {
			t.Errorf("exit code %d: %s", code, out)
		}
	})
	// Without a place for the lock there is no night: two of them would meet.
	for name, settings := range map[string]string{
		"a lock in no folder":                "LOCK=none/such/lock\n",
		"a lock in a bucket":                 "LOCK=\nPRIVATE=gs://bucket/private\n",
		"a private part that cannot be made": "LOCK=\nPRIVATE=program\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, succeed)
			s.settings(strings.ReplaceAll(strings.ReplaceAll(settings, "=none", "="+s.path("none")), "=program", "="+s.path("program")))
			if out, code := s.run(s.path("settings"), "2026-01-31"); code != 64 || !strings.Contains(out, "LOCK") {
				t.Errorf("exit code %d: %s", code, out)
			}
			if _, err := os.Stat(s.path("given")); err == nil {
				t.Error("the program was run")
			}
		})
	}
	t.Run("another run", func(t *testing.T) {
		s := newSite(t, succeed)
		lock, err := os.Create(s.path("lock"))
		if err != nil {
			t.Fatal(err)
		}
		defer lock.Close()
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		if out, code := s.run(s.path("settings"), "2026-01-31"); code != 75 || !strings.Contains(out, "another run") {
			t.Errorf("exit code %d: %s", code, out)
		}
		if _, err := os.Stat(s.path("given")); err == nil {
			t.Error("the program was run")
		}
	})
}
