package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// Beam's job server neither tells which of Flink's jobs is ours nor cancels it
// there: a batch job's submission comes back when the job is over, and until
// then there is nothing that it could cancel. Flink's own REST interface knows.

// flinkREST is Flink's REST interface at a base address, such as
// http://localhost:8081.
type flinkREST struct{ base string }

// flinkAddress returns where Flink's REST interface is to be looked for: where
// --flink_rest says, else at its usual port on the job server's host.
func flinkAddress() string {
	address := strings.TrimRight(flagValue("flink_rest"), "/")
	if address == "" {
		host, _, err := net.SplitHostPort(*jobopts.Endpoint)
		if err != nil || host == "" {
			host = "localhost"
		}
		address = net.JoinHostPort(host, "8081")
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	return address
}

// flinkJob is what Flink says of a job.
type flinkJob struct {
	ID      string         `json:"jid"`
	Name    string         `json:"name"`
	State   string         `json:"state"`
	Started int64          `json:"start-time"` // milliseconds since 1970
	Tasks   map[string]int `json:"tasks"`      // by their state, in small letters; and total
}

// over tells whether nothing of the job is at work any more.
func (j flinkJob) over() bool {
	switch j.State {
	case "FINISHED", "CANCELED", "FAILED":
		return true
	}
	return false
}

// progress says how much of the job is done.
func (j flinkJob) progress() string {
	return fmt.Sprintf("Flink: %s, %d of %d tasks are done, %d at work",
		strings.ToLower(j.State), j.Tasks["finished"], j.Tasks["total"], j.Tasks["running"]+j.Tasks["initializing"])
}

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 16 << 20

func (f flinkREST) ask(ctx context.Context, method, path string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, f.base+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s answers %s", f.base, response.Status)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(answer)
}

// flinkName returns what Beam's job server begins Flink's names of jobs with:
// behind it are its user, the time and a number.
func flinkName(job string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '0'
	}, strings.ToLower(job)) + "-"
}

// jobs returns all of Flink's jobs that were submitted under a name.
func (f flinkREST) jobs(ctx context.Context, name string) ([]flinkJob, error) {
	var all struct{ Jobs []flinkJob }
	if err := f.ask(ctx, http.MethodGet, "/jobs/overview", &all); err != nil {
		return nil, err
	}
	var named []flinkJob
	for _, j := range all.Jobs {
		if strings.HasPrefix(j.Name, flinkName(name)) {
			named = append(named, j)
		}
	}
	return named, nil
}

// cancel asks Flink to cancel a job. That it is cancelled, its state says later.
func (f flinkREST) cancel(ctx context.Context, id string) error {
	return f.ask(ctx, http.MethodPatch, "/jobs/"+url.PathEscape(id)+"?mode=cancel", nil)
}

// flinkWatch follows the job through Flink's REST interface, as far as that
// answers. It decides nothing.
type flinkWatch struct {
	rest   flinkREST
	name   string
	out    io.Writer
	before map[string]bool // jobs of that name that were there already
	end    context.CancelFunc
	wait   sync.WaitGroup

	mu  sync.Mutex
	job flinkJob // as it was last seen; zero before
}

const (
	flinkLook     = time.Second
	flinkProgress = 15 * time.Second // between lines of progress
)

// watchFlink begins to follow the job called name, which is about to be
// submitted. The caller must call stop.
func watchFlink(ctx context.Context, name string, out io.Writer) *flinkWatch {
	ctx, cancel := context.WithCancel(ctx)
	w := &flinkWatch{rest: flinkREST{flinkAddress()}, name: name, out: out, before: map[string]bool{}, end: cancel}
	if there, err := w.rest.jobs(ctx, name); err == nil {
		for _, j := range there {
			w.before[j.ID] = true
		}
	}
	w.wait.Add(1)
	go func() {
		defer w.wait.Done()
		tick := time.NewTicker(flinkLook)
		defer tick.Stop()
		var said string
		var last time.Time
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			j, err := w.look(ctx)
			if err != nil || j.ID == "" {
				continue
			}
			if line := j.progress(); line != said && time.Since(last) >= flinkProgress {
				fmt.Fprintln(out, line)
				said, last = line, time.Now()
			}
		}
	}()
	return w
}

func (w *flinkWatch) stop() {
	w.end()
	w.wait.Wait()
}

// look asks Flink for the job; a job without an id says that Flink has none yet.
func (w *flinkWatch) look(ctx context.Context) (flinkJob, error) {
	there, err := w.rest.jobs(ctx, w.name)
	if err != nil {
		return flinkJob{}, err
	}
	var newest flinkJob
	for _, j := range there {
		if !w.before[j.ID] && j.Started >= newest.Started {
			newest = j
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if newest.ID != "" && newest.ID != w.job.ID {
		fmt.Fprintf(w.out, "Flink's job ID is %s: %s/#/job/running/%s\n", newest.ID, w.rest.base, newest.ID)
	}
	if newest.ID != "" {
		w.job = newest
	}
	return newest, nil
}

// How long a job that is to be cancelled may take to appear in Flink, and to be
// gone. A job server that was asked to cancel may still be submitting it.
const (
	flinkAppears = 20 * time.Second
	flinkStops   = time.Minute
)

// cancel asks Flink to cancel the job and returns what is then known of it, to
// be told to the user. submitted says that the job server has the job.
func (w *flinkWatch) cancel(ctx context.Context, submitted bool) string {
	w.stop()
	start, asked := time.Now(), ""
	for {
		j, err := w.look(ctx)
		switch {
		case err != nil && asked == "":
			return fmt.Sprintf("Flink does not answer at %s (--flink_rest), so it may show the job at work until then", w.rest.base)
		case err != nil:
			return fmt.Sprintf("Flink was asked to cancel its job %s and then answered no more", asked)
		case j.over():
			return fmt.Sprintf("Flink says that its job %s is %s", j.ID, j.State)
		case j.ID == "" && (!submitted || time.Since(start) > flinkAppears):
			return fmt.Sprintf("Flink at %s has not begun it; should it begin, its first step stops", w.rest.base)
		case j.ID != "" && asked != j.ID:
			if err := w.rest.cancel(ctx, j.ID); err != nil {
				return fmt.Sprintf("Flink did not take the request to cancel its job %s (%v)", j.ID, err)
			}
			asked, start = j.ID, time.Now()
		case asked != "" && time.Since(start) > flinkStops:
			return fmt.Sprintf("Flink was asked to cancel its job %s, which is %s still", j.ID, j.State)
		}
		time.Sleep(flinkLook / 4)
	}
}
