package pipeline

import (
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Events writes what a job tells as lines of JSON, for programs that read logs:
// --log=json. What is written to it as text becomes events, a line each. It is safe
// for concurrent use.
type Events struct {
	mu  sync.Mutex
	out io.Writer
}

// NewEvents returns Events that go to out.
func NewEvents(out io.Writer) *Events { return &Events{out: out} }

// Event is one line. Counts are numbers alone; of notes there is nothing in it.
type Event struct {
	Time    string           `json:"time"` // RFC 3339, UTC; filled in
	Level   string           `json:"level"`
	Event   string           `json:"event"`
	Message string           `json:"message,omitempty"`
	Counts  map[string]int64 `json:"counts,omitempty"`

	// Of the last one, whose event is "result".
	ExitStatus *int    `json:"exit_status,omitempty"`
	Seconds    float64 `json:"seconds,omitempty"`
	Output     string  `json:"output,omitempty"`
	Private    string  `json:"private,omitempty"`
}

// Tell writes one event.
func (e *Events) Tell(v Event) {
	v.Time = time.Now().UTC().Format(time.RFC3339Nano)
	raw, err := json.Marshal(v)
	if err != nil {
		return // numbers and strings
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	_, _ = e.out.Write(append(raw, '\n'))
}

// Write implements io.Writer for what is told as text.
func (e *Events) Write(p []byte) (int, error) {
	for _, line := range strings.Split(string(p), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			level := "info"
			if strings.HasPrefix(line, "warning") {
				level = "warning"
			}
			e.Tell(Event{Level: level, Event: "message", Message: line})
		}
	}
	return len(p), nil
}

// progress tells how far the workers of this process are.
func (e *Events) progress(p *transforms.Progress) {
	if p.Shards.Load() == 0 {
		return
	}
	e.Tell(Event{Level: "info", Event: "progress", Counts: map[string]int64{
		"shards": p.Shards.Load(), "shards_detected": p.Detected.Load(), "shards_rewritten": p.Rewritten.Load(),
		"notes": p.Rows.Load(), "notes_detected": p.Notes.Load(), "notes_rewritten": p.Released.Load(), "tokens": p.Tokens.Load(),
		"windows": p.Windows.Load(), "windows_reused": p.Reused.Load(),
	}})
}

// summary tells what a job came to: its warnings. The counts are those of the result.
func (e *Events) summary(cfg transforms.Config, r transforms.Report) {
	for _, w := range Warnings(cfg, r) {
		e.Tell(Event{Level: "warning", Event: "warning", Message: w})
	}
}

// ResultCounts returns the counts of a report that a line of a log has room for.
func ResultCounts(r transforms.Report) map[string]int64 {
	all := map[string]int64{"rows_in": r.RowsIn, "rows_out": r.RowsOut, "rows_quarantined": r.Quarantined, "spans": r.Spans,
		"tokens": r.Tokens}
	if n := r.Nights; n != nil {
		all["added"], all["replaced"], all["removed"], all["unchanged"] = n.Added, n.Replaced, n.Removed, r.Unchanged
		all["withdrawn"], all["differing"], all["may_differ"], all["drift"] = r.Withdrawn, n.Differing, n.MayDiffer, int64(len(n.Drift))
	}
	return all
}
