package main

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
)

// guarded turns a panic of f into one line and the status of a defect. What was
// thrown is told only where it is the Go runtime's: anything else may quote a note.
// A panic on a goroutine of its own is out of reach.
func guarded(stderr io.Writer, f func() int) (status int) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		what := fmt.Sprintf("panic of type %T", p)
		if e, ok := p.(runtime.Error); ok {
			what = e.Error()
		}
		fmt.Fprintf(stderr, "palimpsest: a defect of the program: %s, %s; please report it with what palimpsest version prints\n", what, origin())
		status = int(fault.Defect)
	}()
	return f()
}

// origin says where the panic that is being recovered was thrown.
func origin() string {
	var at [32]uintptr
	frames := runtime.CallersFrames(at[:runtime.Callers(0, at[:])])
	thrown := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if thrown && !inRuntime {
			return fmt.Sprintf("in %s (%s:%d)", frame.Function, filepath.Base(frame.File), frame.Line)
		}
		thrown = thrown || frame.Function == "runtime.gopanic"
		if !more {
			return "at an unknown place"
		}
	}
}
