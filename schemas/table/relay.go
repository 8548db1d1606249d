package table

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// relay has each batch that next returns edited and then written, in order; none is
// the end. While one batch is edited, the next is read and the one before is written.
// It returns the first error, and only when nothing runs any more.
func relay(ctx context.Context, next func() ([]*Row, error), edit, write func([]*Row) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	read, edited := make(chan []*Row), make(chan []*Row)
	written := make(chan struct{})
	go func() {
		defer close(read)
		stopAt(stop, func() error {
			for ctx.Err() == nil {
				batch, err := next()
				if err != nil || len(batch) == 0 {
					return err
				}
				select {
				case read <- batch:
				case <-ctx.Done():
				}
			}
			return nil
		})
	}()
	go func() {
		defer close(written)
		stopAt(stop, func() error {
			for batch := range edited {
				if err := write(batch); err != nil {
					return err
				}
			}
			return nil
		})
	}()
	stopAt(stop, func() error {
		defer close(edited)
		for batch := range read {
			if ctx.Err() != nil {
				return nil
			}
			if err := edit(batch); err != nil {
				return err
			}
			select {
			case edited <- batch:
			case <-ctx.Done():
				return nil
			}
		}
		return nil
	})
	for range read { // until the reader has ended
	}
	<-written
	return context.Cause(ctx)
}

// stopAt runs a stage. Its error stops the others, and so does its panic, which would
// otherwise end the process.
func stopAt(stop context.CancelCauseFunc, stage func() error) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(runtime.Error); !ok {
				p = fmt.Sprintf("%T", p) // what it says may quote a row
			}
			stop(fmt.Errorf("table: panic: %v\n%s", p, debug.Stack()))
		}
	}()
	if err := stage(); err != nil {
		stop(err)
	}
}
