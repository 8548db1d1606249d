package score

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// note draws a note of about 2,900 bytes with twenty gold spans, and a system
// that errs on one in ten.
func note(r *rand.Rand, id int) Document {
	d := Document{ID: fmt.Sprintf("note-%07d", id)}
	var b strings.Builder
	for range 20 {
		for range 20 {
			b.WriteString(vocabulary[r.IntN(len(vocabulary))])
			b.WriteByte(' ')
		}
		start := b.Len()
		b.WriteString("Ann Lee-Smith")
		t := phi.Types()[r.IntN(12)]
		a := Annotation{Start: start, End: b.Len(), Category: t.Category(), Label: t.String(), Score: r.Float32()}
		d.Gold = append(d.Gold, a)
		switch r.IntN(30) {
		case 0:
		case 1:
			a.Label = "DATE"
			a.Category = "DATE"
			d.System = append(d.System, a)
		case 2:
			a.End -= 6
			d.System = append(d.System, a)
		default:
			d.System = append(d.System, a)
		}
		b.WriteByte(' ')
	}
	d.Text = b.String()
	return d
}

// notes draws 1,000 notes, to be scored again under other ids.
func notes() []Document {
	r := rand.New(rand.NewPCG(1, 2))
	var list []Document
	for i := range 1000 {
		list = append(list, note(r, i))
	}
	return list
}

// BenchmarkMillionSpans scores 25,000 notes of twenty gold spans and as many
// of the system: a million spans, every measure, no intervals. live-B/note is
// the heap that one note leaves behind.
func BenchmarkMillionSpans(b *testing.B) {
	list := notes()
	bytes := 0
	for _, d := range list {
		bytes += len(d.Text)
	}
	b.SetBytes(int64(25 * bytes))
	b.ResetTimer()
	for range b.N {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := New(Options{})
		spans := 0
		for i := range 25000 {
			d := list[i%len(list)]
			d.ID = fmt.Sprintf("note-%07d", i)
			if _, err := s.Add(d); err != nil {
				b.Fatal(err)
			}
			spans += len(d.Gold) + len(d.System)
		}
		r := s.Result()
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/25000, "live-B/note")
		b.ReportMetric(float64(spans), "spans/op")
		if r.Documents != 25000 {
			b.Fatal(r.Documents)
		}
		runtime.KeepAlive(s)
	}
}

// BenchmarkIntervals draws 1,000 resamples of those 25,000 notes.
func BenchmarkIntervals(b *testing.B) {
	list := notes()
	s := New(Options{Resamples: 1000, Seed: 1})
	for i := range 25000 {
		d := list[i%len(list)]
		d.ID = fmt.Sprintf("note-%07d", i)
		if _, err := s.Add(d); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for range b.N {
		s.drawn = nil
		s.Result()
	}
}

// BenchmarkCompare shuffles 514 notes, the size of the i2b2 2014 test set,
// 9,999 times.
func BenchmarkCompare(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y := New(Options{}), New(Options{})
	for i := range 514 {
		d := note(r, i)
		if _, err := x.Add(d); err != nil {
			b.Fatal(err)
		}
		d.System = d.System[1:]
		if _, err := y.Add(d); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for range b.N {
		if _, err := Compare(x, y, Shuffles, 1); err != nil {
			b.Fatal(err)
		}
	}
}
