package transforms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// newRun returns a run of the job into dir/out with a key, without its lock.
func newRun(dir, key string) Config {
	cfg := Config{Where: Where{Inputs: []string{filepath.Join(dir+"-in", "notes.parquet")}, Output: filepath.Join(dir, "out"),
		Private: filepath.Join(dir, "private")}, What: What{KeyID: key}}
	cfg.RunID = cfg.NewRun()
	return cfg
}

// acquired returns such a run with its lock.
func acquired(t *testing.T, dir, key string) Config {
	t.Helper()
	cfg := newRun(dir, key)
	if err := Acquire(t.Context(), cfg, ""); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// rewritten makes the temporary files of one shard, whose notes are text, and
// returns its receipt.
func rewritten(t *testing.T, cfg Config, text string) []schemas.Receipt {
	t.Helper()
	input := cfg.Inputs[0]
	if _, err := os.Stat(input); err != nil {
		write(t, input, "notes")
	}
	o, err := storage.Open(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	r := schemas.Receipt{Shard: schemas.Shard{Total: 1, Count: 1, Name: "notes.parquet", File: input, Fingerprint: o.Fingerprint()},
		Counts: schemas.NewCounts()}
	for root, folder := range map[string]string{cfg.Output: NotesFolder, cfg.Private: FindingsFolder} {
		sum := sha256.Sum256([]byte(text))
		w := schemas.Written{Released: root == cfg.Output, Temporary: storage.Join(temporary(root, cfg.RunID), "1", folder, r.Shard.Output()),
			Final: storage.Join(root, folder, r.Shard.Output()), Digest: hex.EncodeToString(sum[:]), Bytes: int64(len(text))}
		write(t, w.Temporary, text)
		r.Outputs = append(r.Outputs, w)
	}
	return []schemas.Receipt{r}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := storage.WriteFile(t.Context(), name, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// killed makes the lock that stands look like that of a process which has ended.
func killed(t *testing.T, cfg Config, change func(*Lock)) {
	t.Helper()
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	locks, err := readLocks(t.Context(), cfg.Output)
	if err != nil || len(locks) == 0 {
		t.Fatal(locks, err)
	}
	l := last(locks)
	l.PID = gone.Process.Pid
	if change != nil {
		change(l)
	}
	raw, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	write(t, l.name, string(raw))
}

// Who meets a lock is told who has it, or takes over what is left of a job that
// cannot publish any more.
func TestAcquire(t *testing.T) {
	for _, c := range []struct {
		name   string
		key    string // of the second run
		before func(t *testing.T, first Config)
		want   string // of the refusal; empty where it gets the lock
	}{
		{"at work", "k", nil, "wait for its end, or name another output"},
		{"at work, another key", "other", nil, "wait for its end, or name another output"},
		{"killed", "k", func(t *testing.T, first Config) { killed(t, first, nil) }, ""},
		{"killed, another key", "other", func(t *testing.T, first Config) { killed(t, first, nil) }, "and was killed; run it again as it was"},
		{"of another machine, another key", "other", func(t *testing.T, first Config) {
			killed(t, first, func(l *Lock) { l.Host = "elsewhere" })
		}, "if it was killed, run it again as it was, or remove "},
		{"its number is another process's now", "k", func(t *testing.T, first Config) {
			killed(t, first, func(l *Lock) { l.PID, l.Process = os.Getpid(), "1" })
		}, ""},
		{"of another machine", "k", func(t *testing.T, first Config) {
			killed(t, first, func(l *Lock) { l.Host, l.PID = "elsewhere", os.Getpid() })
		}, ""},
		{"left to its runner", "k", func(t *testing.T, first Config) {
			killed(t, first, func(l *Lock) { l.State = Detached })
		}, "was left to its runner"},
		{"cancelled", "other", func(t *testing.T, first Config) {
			if err := Cancel(t.Context(), first); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"given up", "other", func(t *testing.T, first Config) {
			if err := GiveUp(t.Context(), first); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"unreadable", "k", func(t *testing.T, first Config) { write(t, lockFile(first.Output, 1), "") }, "has left a lock that cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			first := acquired(t, dir, "k")
			if c.before != nil {
				c.before(t, first)
			}
			second := newRun(dir, c.key)
			for name, err := range map[string]error{"a look": CheckLock(t.Context(), second), "the lock": Acquire(t.Context(), second, "")} {
				if c.want == "" && err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if c.want != "" && (fault.Of(err) != fault.Locked || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
					t.Errorf("%s: %v", name, err)
				}
			}
			owner := first
			if c.want == "" {
				owner = second
			}
			for _, run := range []Config{first, second} {
				if err := own(t.Context(), run); (err == nil) != (run.RunID == owner.RunID && c.name != "unreadable") {
					t.Errorf("a step of the run with key %s: %v", run.KeyID, err)
				}
			}
			if err := GiveUp(t.Context(), owner); err != nil {
				t.Fatal(err)
			}
			if c.name == "unreadable" || c.name == "left to its runner" || strings.Contains(c.name, "another key") {
				return // the first's lock is still there, as it should
			}
			if left := filesBelow(t, dir); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// Of many runs at once one gets the lock, also where it is taken over.
func TestOneGetsTheLock(t *testing.T) {
	for _, over := range []bool{false, true} {
		dir := t.TempDir()
		if over {
			killed(t, acquired(t, dir, "k"), nil)
		}
		const many = 16
		errs := make(chan error, many)
		runs := make([]Config, many)
		for i := range runs {
			runs[i] = newRun(dir, "k")
			go func() { errs <- Acquire(context.Background(), runs[i], "") }()
		}
		won := 0
		for range many {
			if err := <-errs; err == nil {
				won++
			} else if fault.Of(err) != fault.Locked {
				t.Error(err)
			}
		}
		owners := 0
		for _, run := range runs {
			if own(t.Context(), run) == nil {
				owners++
			}
		}
		if won != 1 || owners != 1 {
			t.Errorf("taken over %v: %d have the lock, %d were told so", over, owners, won)
		}
	}
}

// A run that has lost its lock, or was cancelled, publishes nothing, and leaves
// the next one's files and anybody else's alone.
func TestCommitOfALostRun(t *testing.T) {
	defer BeginJob()
	BeginJob()
	dir := t.TempDir()
	old := acquired(t, dir, "k")
	receipts := rewritten(t, old, "old")
	foreign := storage.Join(old.Output, TemporaryFolder, "0", "part-00000")
	write(t, foreign, "of Spark")
	killed(t, old, nil)
	fresh := acquired(t, dir, "k")
	theirs := rewritten(t, fresh, "new")
	if _, err := commit(t.Context(), old, receipts, nil, nil, nil); !errors.Is(err, ErrLocked) || fault.Of(err) != fault.Locked {
		t.Fatalf("the old run commits: %v", err)
	}
	if err := GiveUp(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if _, err := commit(t.Context(), fresh, theirs, nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	want := filesBelow(t, dir)
	if _, err := commit(t.Context(), old, receipts, nil, nil, nil); !errors.Is(err, ErrLocked) {
		t.Errorf("the old run commits over a release: %v", err)
	}
	if _, err := commit(t.Context(), fresh, theirs, nil, nil, nil); err != nil {
		t.Errorf("a commit cannot be done again: %v", err)
	}
	got := filesBelow(t, dir)
	names := slices.Sorted(maps.Keys(got))
	if fmt.Sprint(names) != "[/out/_SUCCESS /out/_temporary/0/part-00000 /out/manifest.json "+
		"/out/notes/notes.parquet-00000-of-00001.parquet /out/report.html"+
		" /out/report.json /private/findings/notes.parquet-00000-of-00001.parquet /private/inputs.json]" || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", names)
	}
	if raw, _ := os.ReadFile(theirs[0].Outputs[0].Final); string(raw) != "new" {
		t.Errorf("published: %q", raw)
	}

	dir = t.TempDir()
	cfg := acquired(t, dir, "k")
	receipts = rewritten(t, cfg, "x")
	if err := Cancel(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := commit(t.Context(), cfg, receipts, nil, nil, nil); !errors.Is(err, ErrLocked) ||
		!strings.Contains(err.Error(), "it was cancelled") {
		t.Errorf("a cancelled run commits: %v", err)
	}
	if _, err := os.Stat(receipts[0].Outputs[0].Final); err == nil {
		t.Error("a cancelled run has published")
	}
}

// Nothing that is there is overwritten, and what is not of this run stops it.
func TestCommitMeetsForeignFiles(t *testing.T) {
	defer BeginJob()
	for _, name := range []string{"out/_SUCCESS", "out/manifest.json", "out/notes/notes.parquet-00000-of-00001.parquet",
		"out/notes/more.parquet",
		"private/_publishing.json", "private/inputs.json"} {
		t.Run(name, func(t *testing.T) {
			BeginJob()
			dir := t.TempDir()
			cfg := acquired(t, dir, "k")
			receipts := rewritten(t, cfg, "mine")
			const theirs = `{"run": "0123456789abcdef-0123456789abcdef"}`
			write(t, filepath.Join(dir, name), theirs)
			if _, err := commit(t.Context(), cfg, receipts, nil, nil, nil); !errors.Is(err, ErrLocked) || fault.Of(err) != fault.Locked {
				t.Fatalf("the commit ends with %v", err)
			}
			if raw, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(raw) != theirs {
				t.Errorf("it is %q now, %v", raw, err)
			}
			if _, err := os.Stat(filepath.Join(cfg.Output, SuccessFile)); err == nil && name != "out/_SUCCESS" {
				t.Error("there is a _SUCCESS")
			}
		})
	}
}

// A commit that was stopped anywhere is done again, by the same run or by the
// next, and leaves what an undisturbed one does.
func TestCommitIsDoneAgain(t *testing.T) {
	defer BeginJob()
	for _, next := range []bool{false, true} {
		for _, stop := range []string{"out/manifest.json", "out/report.html", "private/inputs.json", "out/notes", "private/_publishing.json"} {
			t.Run(fmt.Sprint(stop, next), func(t *testing.T) {
				BeginJob()
				dir := t.TempDir()
				cfg := acquired(t, dir, "k")
				receipts := rewritten(t, cfg, "mine")
				if err := os.MkdirAll(filepath.Join(dir, stop), 0o700); err != nil { // in the way of the rename
					t.Fatal(err)
				}
				inTheWay := filepath.Join(dir, stop, "x")
				if stop == "out/notes" {
					inTheWay = receipts[0].Outputs[0].Final
					if receipts[0].Outputs[1].Released {
						inTheWay = receipts[0].Outputs[1].Final
					}
				}
				if err := os.MkdirAll(inTheWay, 0o700); err != nil {
					t.Fatal(err)
				}
				if _, err := commit(t.Context(), cfg, receipts, nil, nil, nil); err == nil {
					t.Fatal("the commit succeeded")
				}
				if err := os.RemoveAll(filepath.Join(dir, stop)); err != nil && stop != "out/notes" {
					t.Fatal(err)
				}
				if next {
					killed(t, cfg, nil)
					cfg = acquired(t, dir, "k")
					receipts = rewritten(t, cfg, "mine, by another cut")
				}
				if _, err := commit(t.Context(), cfg, receipts, nil, nil, nil); err != nil {
					t.Fatal(err)
				}
				if got := filesBelow(t, dir); len(got) != 7 {
					t.Errorf("%v", got)
				}
				if _, err := os.Stat(filepath.Join(cfg.Output, TemporaryFolder)); err == nil {
					t.Error("_temporary is still there")
				}
			})
		}
	}
}
