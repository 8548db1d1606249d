package rules

import (
	"syscall"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// The benchmarks tag the example notes, one call per note, with a warm
// matcher: PHI-dense text, one matcher on one core.

// cpu reports MB/s of processor time, all threads and the collector included:
// on a machine shared with other work the clock on the wall says little.
func cpu(b *testing.B, size int, run func()) {
	run() // warm
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var from, to syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &from)
	n := 0
	for b.Loop() {
		run()
		n++
	}
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &to)
	spent := to.Utime.Nano() + to.Stime.Nano() - from.Utime.Nano() - from.Stime.Nano()
	b.ReportMetric(float64(size)*float64(n)*1e3/float64(spent), "MB/cpu-s")
}

func BenchmarkTag(b *testing.B) {
	m := mustNew(b).NewMatcher()
	ns := notes(b)
	tokens := make([][]token.Token, len(ns))
	size := 0
	for i, n := range ns {
		tokens[i] = token.Tokenize(nil, n.text)
		size += len(n.text)
	}
	var spans []phi.Span
	cpu(b, size, func() {
		for i := range ns {
			spans = m.Tag(spans[:0], ns[i].text, tokens[i])
		}
	})
	b.ReportMetric(float64(m.tokens.Stats().States), "states")
}

func BenchmarkTagWithTokens(b *testing.B) {
	m := mustNew(b).NewMatcher()
	ns := notes(b)
	size := 0
	for _, n := range ns {
		size += len(n.text)
	}
	var tokens []token.Token
	var spans []phi.Span
	cpu(b, size, func() {
		for i := range ns {
			tokens = token.Tokenize(tokens[:0], ns[i].text)
			spans = m.Tag(spans[:0], ns[i].text, tokens)
		}
	})
}

// BenchmarkCold is the first reading of the notes by a new matcher.
func BenchmarkCold(b *testing.B) {
	r := mustNew(b)
	ns := notes(b)
	size := 0
	for _, n := range ns {
		size += len(n.text)
	}
	cpu(b, size, func() {
		m := r.NewMatcher()
		for _, n := range ns {
			m.Tag(nil, n.text, token.Tokenize(nil, n.text))
		}
	})
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		mustNew(b)
	}
}

// BenchmarkOrdinary tags ordinary visit notes with few identifiers, tokeniser
// included.
func BenchmarkOrdinary(b *testing.B) {
	texts := carriers(b)
	m := mustNew(b).NewMatcher()
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	var tokens []token.Token
	var spans []phi.Span
	cpu(b, size, func() {
		for _, t := range texts {
			tokens = token.Tokenize(tokens[:0], t)
			spans = m.Tag(spans[:0], t, tokens)
		}
	})
}
