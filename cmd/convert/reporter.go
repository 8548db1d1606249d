package convert

import (
	"fmt"
	"io"
	"time"
)

const (
	mostWarnings  = 20
	progressEvery = 5 * time.Second
)

// reporter counts what is done, and tells of it now and then on long work.
type reporter struct {
	w                               io.Writer
	documents, annotations, dropped int
	told                            map[string]bool // warnings
	silent                          int             // warnings beyond the most
	next                            time.Time
}

func newReporter(w io.Writer) *reporter {
	return &reporter{w: w, told: map[string]bool{}, next: time.Now().Add(progressEvery)}
}

// wrote counts one document.
func (r *reporter) wrote(annotations, dropped int) {
	r.documents++
	r.annotations += annotations
	r.dropped += dropped
	if now := time.Now(); !now.Before(r.next) {
		fmt.Fprintf(r.w, "convert: %d documents, %d annotations\n", r.documents, r.annotations)
		r.next = now.Add(progressEvery)
	}
}

// warn prints each message once, up to a bound.
func (r *reporter) warn(message string) {
	switch {
	case r.told[message]:
	case len(r.told) < mostWarnings:
		r.told[message] = true
		fmt.Fprintln(r.w, "convert: warning:", message)
	default:
		r.silent++
	}
}

func (r *reporter) finish() {
	if r.silent > 0 {
		fmt.Fprintf(r.w, "convert: %d more warnings\n", r.silent)
	}
}
