package worker

import (
	"context"
	"errors"
	"net"
	"slices"
	"syscall"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
)

// StopWorker ends a worker process. One that is gone already is stopped. The
// request has an id only: where workers of several jobs or task managers have it,
// the one is meant that has just ended by itself, or whose runner has hung up.
func (p *Pool) StopWorker(_ context.Context, r *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	var same []*process
	p.mu.Lock()
	for _, w := range slices.Clone(p.gone) {
		if w.name.id == r.GetWorkerId() && p.spend(w) && time.Since(w.end) < claimTime {
			p.mu.Unlock()
			return &fnpb.StopWorkerResponse{}, nil
		}
	}
	for n, w := range p.workers {
		if n.id == r.GetWorkerId() && !w.spent {
			same = append(same, w)
		}
	}
	alone := len(same) == 1 && p.spend(same[0])
	p.mu.Unlock()
	if alone {
		same[0].stop(stopGrace)
		return &fnpb.StopWorkerResponse{}, nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.stopOne(same)
	}()
	select {
	case <-done:
	case <-time.After(stopGrace): // it goes on
	}
	return &fnpb.StopWorkerResponse{}, nil
}

// stopOne returns once one of the workers has ended that no other request has taken:
// by itself, as a worker does when its runner hangs up, or stopped here because
// nothing listens at its control endpoint any more.
func (p *Pool) stopOne(workers []*process) {
	for {
		left := 0
		for _, w := range workers {
			over := false
			select {
			case <-w.ended:
				over = true
			default:
				over = w.abandoned()
			}
			p.mu.Lock()
			mine := over && p.spend(w)
			if !w.spent {
				left++
			}
			p.mu.Unlock()
			if mine {
				w.stop(0)
				return
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(stopGrace / 10)
	}
}

// claimTime is how long a runner may take to ask for the end of a worker that has
// ended by itself. One that is gone, too, never asks.
const claimTime = time.Minute

// spend takes w as the worker that a request to stop means. Each worker is taken once,
// or two requests would mean one, and another worker's end be put down to a request
// that is still to come. The caller holds the pool's lock.
func (p *Pool) spend(w *process) bool {
	if w.spent {
		return false
	}
	w.spent = true
	p.gone = slices.DeleteFunc(p.gone, func(g *process) bool { return g == w })
	return true
}

// abandoned tells whether nothing listens at the worker's control endpoint.
func (w *process) abandoned() bool {
	conn, err := net.DialTimeout("tcp", w.name.control, time.Second)
	if err == nil {
		conn.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// stopGrace is how long a worker has to end by itself once it is asked to
// stop: usually the runner has hung up just before.
const stopGrace = 2 * time.Second

// forget removes w from the pool.
func (w *process) forget() {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	if w.pool.workers[w.name] == w {
		delete(w.pool.workers, w.name)
	}
	if !w.spent {
		w.end = time.Now()
		w.pool.gone = append(slices.DeleteFunc(w.pool.gone, func(g *process) bool { return time.Since(g.end) > claimTime }), w)
	}
}

// stop ends the process, by force where it has not ended after grace, and
// waits until it is gone.
func (w *process) stop(grace time.Duration) {
	w.once.Do(func() { close(w.quit) })
	select {
	case <-w.ended:
		return
	default:
	}
	select {
	case <-w.ended:
		return
	case <-time.After(grace):
	}
	w.mu.Lock()
	_ = w.cmd.Process.Kill()
	w.mu.Unlock()
	<-w.ended
}
