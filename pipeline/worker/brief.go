package worker

import (
	"context"
	"log/slog"
	"strings"
)

// brief shortens what Beam's harness logs: an error comes with the whole plan
// around it. It calls connected when the harness says that it is, which it
// says nowhere else.
type brief struct {
	slog.Handler
	connected func()
}

// Enabled lets all through to Handle.
func (b *brief) Enabled(context.Context, slog.Level) bool { return true }

func (b *brief) Handle(ctx context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "Successfully connected to control") {
		b.connected()
	}
	if !b.Handler.Enabled(ctx, r.Level) || strings.HasPrefix(r.Message, "SerializeHooksToOptions") {
		return nil // hooks are a launcher's concern
	}
	short := slog.NewRecord(r.Time, r.Level, shorten(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		short.AddAttrs(a)
		return true
	})
	return b.Handler.Handle(ctx, short)
}

func (b *brief) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &brief{b.Handler.WithAttrs(attrs), b.connected}
}

func (b *brief) WithGroup(name string) slog.Handler {
	return &brief{b.Handler.WithGroup(name), b.connected}
}

// shorten returns which DoFn failed and what it said.
func shorten(message string) string {
	at := strings.LastIndex(message, "DoFn[")
	if at < 0 {
		return message
	}
	fn, said, ok := strings.Cut(message[at:], "failed:")
	if !ok {
		return message
	}
	name := strings.TrimRight(fn, "] ")
	if i := strings.LastIndexAny(name, " /"); i >= 0 {
		name = name[i+1:]
	}
	return name + " failed: " + strings.TrimSpace(said)
}
