package main

import (
	"bytes"
	"strings"

	"github.com/google/pprof/profile"
)

// forCompiler returns what the compiler reads of a CPU profile, and no more, so
// that the file is small and names no machine: stacks of functions with their
// lines, without addresses, and without the time in ONNX Runtime, which Go does not
// compile. Stacks that are alike are one.
func forCompiler(p *profile.Profile) ([]byte, error) {
	p = p.Copy()
	kept := p.Sample[:0]
	for _, s := range p.Sample {
		if len(s.Location) == 0 || leaf(s) == "runtime.cgocall" {
			continue
		}
		s.Label, s.NumLabel, s.NumUnit = nil, nil, nil
		kept = append(kept, s)
	}
	p.Sample = kept
	p.Mapping, p.Comments = nil, nil
	p.TimeNanos, p.DurationNanos = 0, 0
	for _, l := range p.Location {
		l.Mapping, l.Address = nil, 0
	}
	for _, f := range p.Function {
		f.Filename = f.Filename[strings.LastIndexByte(f.Filename, '/')+1:]
	}
	p, err := profile.Merge([]*profile.Profile{p})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := p.Compact().Write(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// leaf returns the function that a sample was taken in.
func leaf(s *profile.Sample) string {
	lines := s.Location[0].Line
	if len(lines) == 0 {
		return ""
	}
	return lines[0].Function.Name
}
