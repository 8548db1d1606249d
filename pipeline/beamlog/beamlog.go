// Package beamlog listens to what Beam says nowhere but in its log: the id of a
// job, how it fares, whether a worker is connected. All that depends on Beam's
// wording is here.
package beamlog

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// Beam's wording.
const (
	submitted = "Submitted job: "
	job       = "Job["
	state     = "] state: "
	console   = "Console: " // of Dataflow, as is the next
	logs      = "Logs: "
	connected = "Successfully connected to control"
	hooks     = "SerializeHooksToOptions"
)

// Submitted returns the id of a job that was just submitted.
func Submitted(message string) (id string, ok bool) { return strings.CutPrefix(message, submitted) }

// State returns the state of a job, as its job server names it.
func State(message string) (name string, ok bool) {
	_, name, ok = strings.Cut(message, state)
	return name, ok && strings.HasPrefix(message, job)
}

// Address reports whether a message says where Dataflow shows a job or its log.
func Address(message string) bool {
	return strings.HasPrefix(message, console) || strings.HasPrefix(message, logs)
}

// DryRun reports whether a message is the job of Dataflow's dry run, as JSON.
func DryRun(message string) bool { return strings.HasPrefix(message, "{") }

// Connected reports whether a message says that the runner knows of this worker.
func Connected(message string) bool { return strings.HasPrefix(message, connected) }

// Failed takes an error or a message of Beam's, which comes with the whole plan
// around it, apart: which DoFn failed, and what it said.
func Failed(message string) (fn, said string, ok bool) {
	fn, said, ok = strings.Cut(message[max(0, strings.LastIndex(message, "DoFn[")):], "failed:")
	if !ok {
		return "", "", false
	}
	fn = strings.TrimRight(fn, "] ")
	if i := strings.LastIndexAny(fn, " /"); i >= 0 {
		fn = fn[i+1:]
	}
	return fn, strings.TrimSpace(said), true
}

// Brief shortens a message for people; it is empty for what is no concern of
// theirs.
func Brief(message string) string {
	if strings.HasPrefix(message, hooks) { // a launcher's concern
		return ""
	}
	if fn, said, ok := Failed(message); ok && strings.Contains(message, "DoFn[") {
		return fn + " failed: " + said
	}
	return message
}

// Handler is a handler of the log that hears every message, whatever Next shows.
type Handler struct {
	Next  slog.Handler
	Hear  func(message string)
	Short bool // shows messages as Brief has them
}

// Enabled lets all through to Handle.
func (h *Handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (h *Handler) Handle(ctx context.Context, r slog.Record) error {
	h.Hear(r.Message)
	if !h.Next.Enabled(ctx, r.Level) {
		return nil
	}
	if !h.Short {
		return h.Next.Handle(ctx, r)
	}
	short := slog.NewRecord(r.Time, r.Level, Brief(r.Message), r.PC)
	if short.Message == "" && r.Message != "" {
		return nil
	}
	r.Attrs(func(a slog.Attr) bool {
		short.AddAttrs(a)
		return true
	})
	return h.Next.Handle(ctx, short)
}

// WithAttrs implements slog.Handler.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &Handler{h.Next.WithAttrs(attrs), h.Hear, h.Short}
}

// WithGroup implements slog.Handler.
func (h *Handler) WithGroup(name string) slog.Handler {
	return &Handler{h.Next.WithGroup(name), h.Hear, h.Short}
}

// Listen makes hear hear what Beam logs, until the listening ends. Instead of
// Go's own default handler, by which messages would come back here, otherwise shows
// them meanwhile.
func Listen(hear func(message string), otherwise slog.Handler) (end func()) {
	before := slog.Default()
	next := before.Handler()
	if fmt.Sprintf("%T", next) == "*slog.defaultHandler" {
		next = otherwise
	}
	slog.SetDefault(slog.New(&Handler{Next: next, Hear: hear}))
	return func() { slog.SetDefault(before) }
}
