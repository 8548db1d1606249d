package transforms

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// One output, one job. Who works on an output says so in a lock below it, in
// _temporary: there every job with that output meets it, whatever its private
// part, and whatever reads tables passes over the folder. Locks are numbered
// files, each made by a rename that fails where the name is taken, so that of
// two jobs at once one gets it, on local disks and in Cloud Storage alike. None
// is ever changed: who takes over makes the next number, as does who cancels,
// and the highest holds. Every step of a job that writes looks whether that is
// its own, and stops where it is another's, cancelled, or gone.

// ErrLocked is what a job's step ends with that may not go on.
var ErrLocked = errors.New("the output is another job's")

// Lock says which run works on an output.
type Lock struct {
	Run      string    `json:"run"`
	State    string    `json:"state,omitempty"` // Cancelled, Detached or empty
	Host     string    `json:"host"`            // of the launcher, as are the following
	PID      int       `json:"pid"`
	Process  string    `json:"process_start,omitempty"` // in ticks since the host started: tells it from a later process of its number
	Started  time.Time `json:"started"`
	KeyID    string    `json:"key_id"`
	Settings string    `json:"settings_sha256"`

	name string // of the file
}

// States of a lock.
const (
	Cancelled = "cancelled" // the job's steps do nothing any more, and anybody may take over
	Detached  = "detached"  // the launcher has left the job to its runner, so its end says nothing
)

// maxLock bounds a lock's file in bytes.
const maxLock = 64 << 10

// NewRun names a run of the job for its lock and temporary files; no result
// depends on it.
func (c Config) NewRun() string { return c.Digest()[:16] + "-" + newAttempt() }

// family is what names of runs of one job begin with.
func family(run string) string { return strings.TrimRight(run, "0123456789abcdef") }

// Acquire makes the lock of cfg's run, before any work, or says who has it. The
// lock of a job that was killed goes to a run of the same job alone: of
// anything else it cannot be told whether it still works somewhere.
func Acquire(ctx context.Context, cfg Config, state string) error {
	if err := checkLinks(cfg); err != nil { // the lock itself would go through one
		return err
	}
	host, _ := os.Hostname()
	own := Lock{
		Run: cfg.RunID, State: state, Host: host, PID: os.Getpid(), Process: processStart(os.Getpid()),
		Started: time.Now().UTC().Truncate(time.Second), KeyID: cfg.KeyID, Settings: cfg.Digest(),
	}
	var missing error
	for range 10 {
		locks, err := readLocks(ctx, cfg.Output)
		if err != nil {
			return err
		}
		if held := last(locks); held != nil && held.Run == cfg.RunID {
			return nil
		}
		if err := refusal(cfg, own, locks); err != nil {
			return err
		}
		switch err := appendLock(ctx, cfg, own, locks); {
		case errors.Is(err, fs.ErrExist):
			continue // another was faster
		case errors.Is(err, fs.ErrNotExist):
			missing = err // another removes the folder as it leaves
			continue
		case err != nil:
			return err
		}
		// What it follows may have gone meanwhile, and somebody begun anew.
		now, err := readLocks(ctx, cfg.Output)
		if err != nil {
			return err
		}
		if n := len(now) - 1; n == len(locks) && now[n].Run == cfg.RunID && slices.EqualFunc(now[:n], locks, sameLock) {
			return nil
		}
		if err := removeLocks(ctx, now, cfg.RunID, false); err != nil {
			return err
		}
	}
	if missing != nil {
		return missing
	}
	return fault.Mark(fault.Locked, fmt.Errorf("%s: several jobs are after it at once; run one of them", cfg.Output))
}

func sameLock(a, b Lock) bool { return a.name == b.name && a.Run == b.Run }

// CheckLock says who works on the output, if that is somebody whose lock this
// job could not take over, and makes none itself.
func CheckLock(ctx context.Context, cfg Config) error {
	locks, err := readLocks(ctx, cfg.Output)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	return refusal(cfg, Lock{Host: host, Settings: cfg.Digest()}, locks)
}

// refusal is the error of a job that meets the locks of others.
func refusal(cfg Config, by Lock, locks []Lock) error {
	if held := last(locks); held != nil {
		if why := held.refuses(by); why != "" {
			return fault.Mark(fault.Locked, fmt.Errorf("%s: %s", cfg.Output, why))
		}
	}
	return nil
}

// refuses says why a lock is not to be taken over, or nothing.
func (l *Lock) refuses(by Lock) string {
	who := fmt.Sprintf("another job has been at work on it since %s, started on %s as process %d, with the key %s",
		l.Started.Format(time.RFC3339), l.Host, l.PID, l.KeyID)
	remove := "remove " + storage.Dir(l.name)
	switch {
	case l.State == Cancelled:
		return ""
	case l.Run == "":
		return "another job has just begun, or has left a lock that cannot be read; try again, and if it still is there " + remove
	case l.Host == by.Host && l.alive():
		return who + "; wait for its end, or name another output"
	case l.State == Detached:
		return who + ", and was left to its runner; wait for its end, or name another output; if the runner says that it is over, " + remove
	case l.Settings != by.Settings && l.Host == by.Host:
		return who + " and other settings, and was killed; run it again as it was, or name another output; " +
			"if nothing of it is at work on Flink or Dataflow either, you may " + remove
	case l.Settings != by.Settings:
		return who + " and other settings; wait for its end, or name another output; if it was killed, run it again as it was, or " + remove
	}
	return ""
}

// alive tells whether the process that made a lock on this host still runs.
func (l *Lock) alive() bool {
	if err := syscall.Kill(l.PID, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return false
	}
	start := processStart(l.PID)
	return start == "" || l.Process == "" || start == l.Process
}

// processStart returns when a process started, as the kernel counts, or nothing
// where that cannot be known.
func processStart(pid int) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	const field = 22 - 3 // of those behind the name, which is in parentheses and may hold spaces
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	if len(fields) <= field {
		return ""
	}
	return fields[field]
}

// own fails unless the run still has its lock.
func own(ctx context.Context, cfg Config) error {
	locks, err := readLocks(ctx, cfg.Output)
	if err != nil {
		return err
	}
	var why string
	switch l := last(locks); {
	case l == nil:
		why = "its lock is gone"
	case l.Run != cfg.RunID:
		why = "another run has taken over"
	case l.State == Cancelled:
		why = "it was cancelled"
	default:
		return nil
	}
	return fault.Mark(fault.Locked, fmt.Errorf("%w: this run of the job works on %s no longer: %s", ErrLocked, cfg.Output, why))
}

// holding is working, for steps that must not go on without the lock.
func holding(ctx context.Context, cfg Config) (_ context.Context, done func(), _ error) {
	ctx, done, err := working(ctx)
	if err != nil {
		return ctx, done, err
	}
	if err := own(ctx, cfg); err != nil {
		done()
		return ctx, func() {}, err
	}
	return ctx, done, nil
}

// Cancel makes every step of the run stop, wherever it is done, from its next
// look at the lock on. It does nothing to a run that has its lock no longer.
func Cancel(ctx context.Context, cfg Config) error {
	for {
		locks, err := readLocks(ctx, cfg.Output)
		if err != nil {
			return err
		}
		l := last(locks)
		if l == nil || l.Run != cfg.RunID || l.State == Cancelled {
			return nil
		}
		cancelled := *l
		cancelled.State = Cancelled
		if err := appendLock(ctx, cfg, cancelled, locks); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// GiveUp ends a run that does nothing any more: what it left unfinished goes, and
// its lock. As long as it has that, what it took over goes too.
func GiveUp(ctx context.Context, cfg Config) error {
	runs := []string{cfg.RunID}
	switch err := own(ctx, cfg); {
	case errors.Is(err, ErrLocked):
	case err != nil:
		return err
	default:
		if runs, err = replaced(ctx, cfg); err != nil {
			return err
		}
		if err := forgetPublishing(ctx, cfg); err != nil {
			return err
		}
	}
	return errors.Join(removeRuns(ctx, cfg, runs), release(ctx, cfg))
}

// TidyFinished removes what a run left that was killed between _SUCCESS and its
// end: its lock, temporary files and the list of what it published. It takes over
// the lock to do so, where it may.
func TidyFinished(ctx context.Context, cfg Config) error {
	locks, err := readLocks(ctx, cfg.Output)
	if err != nil || len(locks) == 0 {
		return err
	}
	if done, err := exists(ctx, storage.Join(cfg.Output, cfg.LastFile())); err != nil || !done {
		return err
	}
	cfg.RunID = cfg.NewRun()
	if err := Acquire(ctx, cfg, ""); err != nil {
		return err
	}
	return GiveUp(ctx, cfg)
}

// release removes the run's lock and those that it has taken over, unless it
// has been taken over itself.
func release(ctx context.Context, cfg Config) error {
	locks, err := readLocks(ctx, cfg.Output)
	if err != nil {
		return err
	}
	if l := last(locks); l != nil && l.Run == cfg.RunID {
		err = removeLocks(ctx, locks, cfg.RunID, true)
	}
	storage.Prune(storage.Join(cfg.Output, TemporaryFolder), cfg.Output)
	return err
}

// removeLocks removes a run's locks, or all, the oldest first: as long as any is
// left, it is the one that held.
func removeLocks(ctx context.Context, locks []Lock, run string, all bool) error {
	for _, l := range locks {
		if all || l.Run == run {
			if err := storage.Remove(ctx, l.name); err != nil {
				return err
			}
		}
	}
	return nil
}

// replaced returns the runs whose leavings are this one's to remove while it has
// the lock: those whose locks it has taken over, and all of the same job.
func replaced(ctx context.Context, cfg Config) ([]string, error) {
	locks, err := readLocks(ctx, cfg.Output)
	runs := []string{family(cfg.RunID)}
	for _, l := range locks {
		if l.Run != "" && l.Run != cfg.RunID {
			runs = append(runs, l.Run)
		}
	}
	return runs, err
}

// lockFile returns the name of the n-th lock of an output.
func lockFile(output string, n int) string {
	return storage.Join(output, TemporaryFolder, fmt.Sprintf("_lock-%06d.json", n))
}

// readLocks returns an output's locks in their order. One that cannot be read
// has no run.
func readLocks(ctx context.Context, output string) ([]Lock, error) {
	infos, err := storage.Glob(ctx, storage.Literal(storage.Join(output, TemporaryFolder))+"/_lock-*.json")
	if err != nil {
		return nil, err
	}
	var locks []Lock
	for _, info := range infos {
		l := Lock{name: info.Name}
		raw, err := readLock(ctx, info)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, storage.ErrChanged) {
			continue // just removed
		}
		if err != nil {
			return nil, err
		}
		if json.Unmarshal(raw, &l) != nil {
			l = Lock{name: info.Name}
		}
		locks = append(locks, l)
	}
	slices.SortFunc(locks, func(a, b Lock) int { return cmp.Compare(a.name, b.name) })
	return locks, nil
}

// lockFiles keeps what was read of locks, by file and version: they are looked at
// with every shard, and none is ever changed.
var lockFiles sync.Map // storage.Info to []byte

func readLock(ctx context.Context, info storage.Info) ([]byte, error) {
	if raw, ok := lockFiles.Load(info); ok {
		return raw.([]byte), nil
	}
	raw, err := storage.ReadVersion(ctx, info, maxLock)
	if err == nil {
		lockFiles.Store(info, raw)
	}
	return raw, err
}

func last(locks []Lock) *Lock {
	if len(locks) == 0 {
		return nil
	}
	return &locks[len(locks)-1]
}

// appendLock makes the lock that follows the ones there are, or fails with
// fs.ErrExist.
func appendLock(ctx context.Context, cfg Config, l Lock, after []Lock) error {
	n := 1
	if before := last(after); before != nil {
		if _, err := fmt.Sscanf(storage.Base(before.name), "_lock-%d.json", &n); err != nil {
			return fmt.Errorf("%s is no lock: %w", before.name, err)
		}
		n++
	}
	raw, err := indented(l)
	if err != nil {
		return err
	}
	unfinished := storage.Join(temporary(cfg.Output, cfg.RunID), newAttempt()+".json")
	if err := storage.NoLinks(cfg.Output, unfinished); err != nil {
		return err
	}
	if err := storage.WriteFile(ctx, unfinished, raw); err != nil {
		return err
	}
	err = storage.Rename(ctx, unfinished, lockFile(cfg.Output, n))
	if err != nil {
		err = errors.Join(err, storage.Remove(ctx, unfinished))
	}
	storage.Prune(storage.Dir(unfinished), storage.Join(cfg.Output, TemporaryFolder))
	return err
}
