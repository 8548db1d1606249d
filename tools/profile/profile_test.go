package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// profiled is a CPU profile of a job's three ways: most of the time in ONNX Runtime,
// some in Go, a little elsewhere.
func profiled() *profile.Profile {
	of := func(id uint64, name string) (*profile.Function, *profile.Location) {
		f := &profile.Function{ID: id, Name: name, Filename: "/home/somebody/src/" + name + ".go", StartLine: 7}
		return f, &profile.Location{ID: id, Address: 0x1000 * id, Line: []profile.Line{{Function: f, Line: 9}}}
	}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7}
	names := []string{"main.main", "github.com/palimpsest-deid/palimpsest/model/bilstmcrf.(*Tagger).run", "runtime.cgocall", "other.small"}
	for i, n := range names {
		f, l := of(uint64(i+1), n)
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
	}
	sample := func(n int64, at ...int) {
		s := &profile.Sample{Value: []int64{n, n * 1e7}, Label: map[string][]string{"host": {"here"}}}
		for _, i := range at {
			s.Location = append(s.Location, p.Location[i])
		}
		p.Sample = append(p.Sample, s)
	}
	sample(700, 2, 1, 0)
	sample(299, 1, 0)
	sample(1, 3, 0)
	return p
}

// The compiler's profile has the Go functions with their lines, and says nothing of
// the machine, of C and of paths.
func TestForCompiler(t *testing.T) {
	raw, err := forCompiler(profiled())
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Sample) != 2 || p.Sample[0].Value[0]+p.Sample[1].Value[0] != 300 {
		t.Errorf("samples: %v", p.Sample)
	}
	for _, f := range p.Function {
		if strings.Contains(f.Filename, "/home") || f.Name == "runtime.cgocall" || f.StartLine != 7 {
			t.Errorf("function %+v", f)
		}
	}
	for _, s := range p.Sample {
		if len(s.Label) > 0 || len(s.Location[0].Line) != 1 || s.Location[0].Line[0].Line != 9 {
			t.Errorf("sample %+v", s)
		}
	}
}

// The flame graph is well-formed, names what took time with its share, and leaves
// out what took next to none.
func TestFlame(t *testing.T) {
	raw := draw("A & <b>", stacks(profiled()))
	d := xml.NewDecoder(bytes.NewReader(raw))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"A &amp; &lt;b&gt;", "ONNX Runtime (runtime.cgocall), 70.0 %", "model/bilstmcrf.(*Tagger).run, 99.9 %"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if strings.Contains(string(raw), "small") {
		t.Error("it shows what took a thousandth")
	}
}

// A core counts as idle when fewer threads than cores had something to do.
func TestIdle(t *testing.T) {
	b := busy{looks: 10, threads: []int{1, 3, 4, 2}} // by 0, 1, 2 and 3 threads
	if got := b.idle(2); got != 5.0/20 {
		t.Errorf("%g of two cores, want a quarter", got)
	}
	if got := (&busy{}).idle(2); got != 0 {
		t.Errorf("without a look %g", got)
	}
}
