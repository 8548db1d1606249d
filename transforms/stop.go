package transforms

import (
	"context"
	"errors"
	"sync"
)

// ErrStopped ends the work of a job that was told to stop.
var ErrStopped = errors.New("the job was stopped")

// running is the one job of this process, where the launcher is the worker too.
// It is either stopped or publishes, never both: whoever comes first decides.
// The contexts that runners hand to DoFns cannot say that, and on Prism they
// end together with the connections that the job's end is told through. In
// other workers nothing is ever stopped here, and the runner's context alone
// ends the work.
var running = newJobState()

type jobState struct {
	mu         sync.Mutex
	ctx        context.Context // ends when the job is stopped
	stop       context.CancelFunc
	publishing bool
}

func newJobState() *jobState {
	j := &jobState{}
	j.ctx, j.stop = context.WithCancel(context.Background())
	return j
}

// BeginJob forgets the job before, and its progress. Jobs of one process follow
// one another.
func BeginJob() {
	fresh := newJobState()
	running.mu.Lock()
	defer running.mu.Unlock()
	running.stop()
	running.ctx, running.stop, running.publishing = fresh.ctx, fresh.stop, false
	progress.begin(nil)
}

// Stop ends the work of this process's job, so that it publishes nothing, and
// reports whether it could: not once the job has begun to publish.
func Stop() bool {
	running.mu.Lock()
	defer running.mu.Unlock()
	if running.publishing {
		return false
	}
	running.stop()
	return true
}

// beginToPublish says that from now on the job cannot be stopped, or fails
// because it has been. It may be said again, as a commit may be done again.
func beginToPublish() error {
	running.mu.Lock()
	defer running.mu.Unlock()
	if running.ctx.Err() != nil {
		return ErrStopped
	}
	running.publishing = true
	return nil
}

// working returns ctx, ended also when the job is stopped, or an error if that
// has happened already. Every DoFn begins with it: the direct runner looks at
// no context. done must be called.
func working(ctx context.Context) (_ context.Context, done func(), _ error) {
	running.mu.Lock()
	stopped := running.ctx
	running.mu.Unlock()
	if stopped.Err() != nil {
		return ctx, func() {}, ErrStopped
	}
	if err := ctx.Err(); err != nil {
		return ctx, func() {}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	unlink := context.AfterFunc(stopped, func() { cancel(ErrStopped) })
	return ctx, func() { unlink(); cancel(nil) }, nil
}
