package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// invented makes a folder whose "in" holds some files of notes, each a shard,
// and which everybody may enter.
func invented(t *testing.T) string {
	t.Helper()
	const files, notes = 5, 60
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	texts, err := invent.Texts(t.Context(), "../../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	type note struct {
		NoteID    int64  `parquet:"note_id"`
		PatientID string `parquet:"patient_id"`
		NoteDate  int32  `parquet:"note_date,date"`
		Text      string `parquet:"text,zstd"`
	}
	r := rand.New(rand.NewSource(1))
	for i := range files {
		rows := make([]note, notes)
		for k := range rows {
			id := i*notes + k
			rows[k] = note{int64(id), fmt.Sprint("p", r.Intn(files*notes/8)), int32(14_000 + r.Intn(5000)), invent.Vary(r, r, texts[id%len(texts)])}
		}
		if err := parquet.WriteFile(filepath.Join(dir, "in", fmt.Sprintf("%d.parquet", i)), rows); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// written returns the digests of all files of a run's output and private part.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, root := range []string{"out", "out-private"} {
		err := filepath.WalkDir(filepath.Join(dir, root), func(path string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil
			}
			if err != nil || d.IsDir() || d.Name() == transforms.InputsFile || d.Name() == pipeline.RunFile { // they hold places, and times
				return err
			}
			raw, err := os.ReadFile(path)
			all[strings.TrimPrefix(path, dir)] = fmt.Sprintf("%x", sha256.Sum256(raw))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// nobody returns the variable that makes the program an ordinary user, where it
// would be root and every folder above lets others through.
func nobody(t *testing.T) []string {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for dir := here; dir != "/"; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err != nil || info.Mode()&0o005 != 0o005 {
			return nil
		}
	}
	return []string{userID + "=65534"}
}

// A run on one machine listens on nothing, from Detect to Rewrite, dumps no
// core, can be looked into by nobody else, and leaves nothing in TMPDIR. On
// Prism what listens takes only what comes from this machine. An ordinary user
// gets along with all that. The bytes are the same.
func TestListensOnNothing(t *testing.T) {
	var want map[string]string
	for _, c := range []struct {
		name      string
		args      []string
		listening int
	}{
		{"by default", nil, 0},
		{"direct", []string{"--runner=direct"}, 0},
		{"prism", []string{"--runner=prism"}, 2}, // Prism and the workers that it calls
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := invented(t)
			user := nobody(t)
			w := runWatched(t, dir, nil, user, c.args...)
			if code := w.state.ExitCode(); code != 0 {
				t.Fatalf("exit status %d:\n%s", code, w.said)
			}
			slices.Sort(w.Phases)
			if fmt.Sprint(w.Phases) != "[detect rewrite]" || w.Looks < 10 {
				t.Fatalf("the job was looked at %d times while it was at %v", w.Looks, w.Phases)
			}
			if len(w.Listening) != c.listening {
				t.Errorf("listening: %q", w.Listening)
			}
			for _, l := range w.Listening {
				if !strings.Contains(l, "device=lo") && !strings.Contains(l, "127.0.0.1") && !strings.Contains(l, "::1 ") {
					t.Errorf("%s takes connections from other machines", l)
				}
			}
			if w.Dumpable != 0 || w.Core != 0 {
				t.Errorf("the process is dumpable (%d), up to %d bytes", w.Dumpable, w.Core)
			}
			if len(user) > 0 && w.UID == 0 {
				t.Error("it ran as root")
			}
			if len(w.left) > 0 {
				t.Errorf("left in TMPDIR: %v", w.left)
			}
			if warned := strings.Contains(w.said, "WARNING: while a job runs on Prism, other users of this machine"); warned != (c.listening > 0) {
				t.Errorf("the user is told:\n%s", w.said)
			}
			if strings.Contains(w.said, "level=") || strings.Contains(w.said, "direct runner") || strings.Contains(w.said, "INFO") {
				t.Errorf("Beam's log is shown:\n%s", w.said)
			}
			t.Logf("%d looks, listening: %q", w.Looks, w.Listening)
			got := written(t, dir)
			if want == nil {
				want = got
			}
			if len(got) < 14 || !maps.Equal(got, want) {
				t.Errorf("the files differ from the default runner's:\n%v\n%v", got, want)
			}
		})
	}
}

// Ctrl-C and SIGTERM end the job soon, in either pass, with nothing published,
// a line that says so and what to do, and the status that shells expect. The
// same command then gives the bytes of a run that was left alone.
func TestStoppedBySignal(t *testing.T) {
	undisturbed := invented(t)
	if w := runWatched(t, undisturbed, nil, nil); w.state.ExitCode() != 0 {
		t.Fatal(w.said)
	}
	want := written(t, undisturbed)
	for _, c := range []struct {
		runner, phase string
		signal        syscall.Signal
		name          string
		status        int
	}{
		{"direct", "detect", syscall.SIGINT, "SIGINT", 130},
		{"direct", "rewrite", syscall.SIGTERM, "SIGTERM", 143},
		{"prism", "detect", syscall.SIGTERM, "SIGTERM", 143},
		{"prism", "rewrite", syscall.SIGINT, "SIGINT", 130},
	} {
		t.Run(c.runner+" "+c.phase, func(t *testing.T) {
			dir := invented(t)
			w := runWatched(t, dir, nil, []string{fmt.Sprintf("%s=%s:%d", signalAt, c.phase, c.signal)}, "--runner="+c.runner)
			if code := w.state.ExitCode(); code != c.status {
				t.Fatalf("exit status %d, want %d; it was at %v:\n%s", code, c.status, w.Phases, w.said)
			}
			lines := strings.Split(strings.TrimSpace(w.said), "\n")
			last := lines[len(lines)-1]
			lines = slices.DeleteFunc(lines, func(s string) bool { return strings.HasPrefix(s, "  ") }) // of the table of columns
			if len(lines) > 3 || !strings.HasPrefix(last, "palimpsest: stopped by "+c.name+": nothing was published; run the same command again") {
				t.Errorf("the user is told:\n%s", w.said)
			}
			for name := range written(t, dir) {
				if !strings.Contains(name, "/"+transforms.TemporaryFolder+"/") {
					t.Errorf("%s was published", name)
				}
			}
			if len(w.left) > 0 {
				t.Errorf("left in TMPDIR: %v", w.left)
			}
			if c.phase == "detect" {
				return // nothing is left that a second run could trip over
			}
			if w := runWatched(t, dir, nil, nil, "--runner="+c.runner); w.state.ExitCode() != 0 {
				t.Fatalf("the second run failed:\n%s", w.said)
			}
			if got := written(t, dir); !maps.Equal(got, want) {
				t.Errorf("the second run wrote\n%v\nwant\n%v", got, want)
			}
		})
	}
}

// A program that is made to abort leaves no core, whatever the shell allows.
func TestNoCoreIsDumped(t *testing.T) {
	dir := invented(t)
	w := runWatched(t, dir, []string{"sh", "-c", `ulimit -c unlimited; exec "$@"`, "sh"},
		[]string{"GOTRACEBACK=crash", fmt.Sprintf("%s=detect:%d", signalAt, syscall.SIGABRT)})
	status, ok := w.state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.CoreDump() {
		t.Errorf("%v", w.state)
	}
	if strings.Contains(w.said, testKey) {
		t.Error("the trace holds the key")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.Contains(e.Name(), "core") {
			t.Errorf("%s was written", e.Name())
		}
	}
}

// Where temporary files cannot be made, runners that need them say so before
// any work; the default needs none.
func TestWithoutTemporaryFolder(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
	}{
		{nil, 0},
		{[]string{"--runner=prism"}, 64},
		{[]string{"--runner=flink", "--endpoint=localhost:1", "--environment_type=LOOPBACK"}, 64},
	} {
		dir := invented(t)
		w := runWatched(t, dir, nil, []string{"TMPDIR=" + filepath.Join(dir, "none")}, c.args...)
		if code := w.state.ExitCode(); code != c.code {
			t.Errorf("%v: exit status %d, want %d:\n%s", c.args, code, c.code, w.said)
		}
		if c.code != 0 && (!strings.Contains(w.said, "set TMPDIR to a folder that you may write to") || strings.Count(w.said, "\n") > 1 ||
			len(written(t, dir)) > 0) {
			t.Errorf("%v: the user is told:\n%s", c.args, w.said)
		}
	}
}

// Beam's settings that a runner would pass over are refused, rather than a
// release written that nobody has asked for.
func TestRefusedRunnerSettings(t *testing.T) {
	dir := invented(t)
	for _, c := range []struct {
		args string
		want string
	}{
		{"--async", "--async: the job is done by this very process"},
		{"--endpoint=localhost:1", "--endpoint=localhost:1: the job is done by this very process"},
		{"--runner=prism --environment_type=PROCESS", "--environment_type=PROCESS: the job is done by this very process"},
		{"--runner=samza", "--runner=samza: write direct (in this process, the default), prism, flink"},
	} {
		w := runWatched(t, dir, nil, nil, strings.Fields(c.args)...)
		if w.state.ExitCode() != int(fault.Settings) || !strings.Contains(w.said, c.want) || len(written(t, dir)) > 0 {
			t.Errorf("%s: exit status %d, %d files:\n%s", c.args, w.state.ExitCode(), len(written(t, dir)), w.said)
		}
	}
}

// A dry run says what check does and writes nothing, on either runner of one
// machine.
func TestDryRun(t *testing.T) {
	dir := invented(t)
	for _, args := range [][]string{{"--dry_run"}, {"--dry_run", "--runner=prism"}} {
		w := runWatched(t, dir, nil, nil, args...)
		if code := w.state.ExitCode(); code != 0 || !strings.Contains(w.said, "The job would run; nothing was written.") ||
			!strings.Contains(w.said, "note_date") || !strings.Contains(w.said, "in 20 notes, ") {
			t.Errorf("%v: exit status %d:\n%s", args, code, w.said)
		}
		if left := written(t, dir); len(left) > 0 {
			t.Errorf("%v: it wrote %v", args, left)
		}
	}
	w := runWatched(t, dir, nil, nil, "--dry_run", "--id_columns=none")
	if code := w.state.ExitCode(); code != int(fault.Refused) || !strings.Contains(w.said, `there is no id column "none"`) {
		t.Errorf("exit status %d:\n%s", code, w.said)
	}
}
