package transforms

import (
	"context"
	"errors"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// A job is stopped or publishes, whichever is first, and the next one knows
// nothing of it.
func TestAJobIsStoppedOrPublishes(t *testing.T) {
	defer BeginJob()
	ctx := t.Context()

	BeginJob()
	inner, done, err := working(ctx)
	if err != nil || inner.Err() != nil {
		t.Fatal(err, inner.Err())
	}
	defer done()
	if first, second := Stop(), Stop(); !first || !second {
		t.Error("a job that works cannot be stopped")
	}
	<-inner.Done()
	if !errors.Is(context.Cause(inner), ErrStopped) {
		t.Errorf("the work was ended by %v", context.Cause(inner))
	}
	if err := beginToPublish(); !errors.Is(err, ErrStopped) {
		t.Errorf("a job that was stopped publishes: %v", err)
	}

	BeginJob()
	if err := beginToPublish(); err != nil {
		t.Error(err)
	}
	if Stop() {
		t.Error("a job that publishes can be stopped")
	}
	if err := beginToPublish(); err != nil {
		t.Errorf("a commit cannot be done again: %v", err)
	}
	inner, done, err = working(ctx)
	if err != nil || inner.Err() != nil {
		t.Errorf("a job that publishes does not go on: %v, %v", err, inner.Err())
	}
	done()

	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := working(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("work goes on in a context that has ended: %v", err)
	}
}

// Once the job is stopped no DoFn does anything: no runner has to look.
func TestNothingIsDoneOnceTheJobIsStopped(t *testing.T) {
	defer BeginJob()
	BeginJob()
	Stop()
	ctx := t.Context()
	cfg := testConfig("/none/*.parquet")
	read := func(*[]byte) bool { t.Error("a group was read"); return false }
	emit := func(int, []byte) { t.Error("something was emitted") }
	for name, f := range map[string]func() error{
		"shards": func() error { return (&shardsFn{cfg}).ProcessElement(ctx, nil, func(schemas.Shard) { emit(0, nil) }) },
		"detect": func() error { return (&detectFn{Config: cfg}).ProcessElement(ctx, schemas.Shard{}, emit, emit, emit) },
		"identifier files": func() error {
			return (&identifierFilesFn{Pattern: "/none/*.parquet"}).ProcessElement(ctx, nil, func(storage.Info) { emit(0, nil) })
		},
		"identifiers": func() error { return (&identifiersFn{}).ProcessElement(ctx, storage.Info{Name: "/none"}, emit) },
		"duplicates":  func() error { return (&duplicatesFn{}).ProcessElement(ctx, 0, read, emit) },
		"resolve":     func() error { return (&resolveFn{}).ProcessElement(ctx, 0, read, read, emit) },
		"rewrite": func() error {
			return (&rewriteFn{Config: cfg}).ProcessElement(ctx, 0, func(*schemas.Shard) bool { return read(nil) }, read, read, read,
				func(schemas.Receipt) { emit(0, nil) }, emit)
		},
		"order": func() error { return (&orderFn{Settings: []string{OrderAuto}}).ProcessElement(ctx, 0, read, emit) },
		"audit": func() error {
			return (&auditFn{cfg}).ProcessElement(ctx, 0, read, func(schemas.Audited) { emit(0, nil) })
		},
		"gather": func() error {
			return (&gatherFn{cfg}).ProcessElement(ctx, "", func(*schemas.Part) bool { return read(nil) }, func(schemas.Gathered) { emit(0, nil) })
		},
		"commit": func() error {
			return (&commitFn{cfg}).ProcessElement(ctx, 0, func(*schemas.Receipt) bool { return read(nil) },
				func(*schemas.Gathered) bool { return read(nil) }, func(*schemas.Audited) bool { return read(nil) }, func(string) { emit(0, nil) })
		},
	} {
		if err := f(); !errors.Is(err, ErrStopped) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
