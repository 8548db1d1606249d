package main

import "testing"

// BenchmarkSurrogates gives the cost of surrogates and rewriting per token.
func BenchmarkSurrogates(b *testing.B) {
	for b.Loop() {
		f, err := benchSurrogates("../../examples/source")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(f.seconds*1e9/float64(f.tokens), "ns/token")
	}
}
