package onnx

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// contextualModel reads small language models beside its tokens. Its card says how it
// was made.
const contextualModel = "testdata/en-tiny-contextual"

// encoderModel reads a small encoder of word pieces in their place.
const encoderModel = "testdata/en-tiny-encoder"

func loadContextual(t testing.TB, path string) (*Model, Running) {
	t.Helper()
	m, err := readModel(t, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Run(Setup{Device: Device{Provider: CPU}})
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// What is found, to the last bit of its scores, does not depend on the notes beside, on
// positions, on what is remembered of windows, or on other goroutines.
func TestContextsDoNotDependOnBatches(t *testing.T) {
	for _, path := range []string{contextualModel, encoderModel} {
		m, running := loadContextual(t, path)
		all := texts(sourceNotes(t, "../examples/source/p00[1-3].txt")...)
		sameInAnyBatch(t, m, running, all, 50, bilstmcrf.Options{Positions: 1}, bilstmcrf.Options{Positions: 300},
			bilstmcrf.Options{Positions: 50_000}, bilstmcrf.Options{CacheBytes: 1 << 20})
	}
}

// Training's own reader of the directory found these spans, in notes whose characters have
// one to four bytes; the job finds the same, so both read the same characters at the same places.
func TestContextsAreTrainings(t *testing.T) {
	byPlace := func(dst []token.Window, text string, tokens []token.Token) []token.Window {
		return token.Windows(dst, text, tokens, 128) // as tokenize does
	}
	testTrainings(t, contextualModel, "testdata/contextual-spans.json", byPlace)
}

// The same of an encoder, whose windows are those that the job cuts for it.
func TestEncoderIsTrainings(t *testing.T) {
	testTrainings(t, encoderModel, "testdata/encoder-spans.json", nil)
}

func testTrainings(t *testing.T, model, told string, cut func([]token.Window, string, []token.Token) []token.Window) {
	m, running := loadContextual(t, model)
	raw, err := os.ReadFile(told)
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text  string
		Spans []struct {
			Start, End int // code points
			Type       string
		}
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	var given []bilstmcrf.Text
	for _, c := range cases {
		given = append(given, texts(c.Text)...)
	}
	tagger := bilstmcrf.NewTagger(m.Network, running.Graphs, running.Graphs, bilstmcrf.Options{Cut: cut})
	found, err := tagger.TagKinds(given)
	if err != nil {
		t.Fatal(err)
	}
	spans := 0
	for i, c := range cases {
		var got, want []string
		for _, f := range found[i] {
			got = append(got, f.Kind+" "+c.Text[f.Start:f.End])
		}
		runes := []rune(c.Text)
		for _, s := range c.Spans {
			want = append(want, s.Type+" "+string(runes[s.Start:s.End]))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("note %d: found %q, training's reader found %q", i, got, want)
		}
		spans += len(want)
	}
	if spans < 20 {
		t.Errorf("%d spans show little", spans)
	}
}

// The probe, which workers are compared by, runs the language models too.
func TestProbeOfContexts(t *testing.T) {
	m, running := loadContextual(t, contextualModel)
	one, err := m.Probe(running)
	if err != nil || len(one) != 64 {
		t.Fatalf("probe is %q, %v", one, err)
	}
	if _, err := m.Network.Probe(bare{running.Graphs}, running.Graphs); err == nil || !strings.Contains(err.Error(), "language models") {
		t.Errorf("without an encoder: %v", err)
	}
}

// bare hides that Graphs runs a context graph.
type bare struct{ bilstmcrf.CharEncoder }

func TestContextualDirectoryIsChecked(t *testing.T) {
	replaced := func(old, new string) func([]byte) []byte {
		return func(raw []byte) []byte {
			if !bytes.Contains(raw, []byte(old)) {
				t.Fatalf("model.json has no %s", old)
			}
			return bytes.Replace(raw, []byte(old), []byte(new), 1)
		}
	}
	for want, change := range map[string]func([]byte) []byte{
		"dimensions.context is 33":        replaced(`"context": 32`, `"context": 33`),
		"lists no digest of context.txt":  replaced(`"context.txt"`, `"context.old"`),
		"lists no digest of context.onnx": replaced(`"context.onnx"`, `"context.old"`),
		"token.onnx: input":               replaced(`"context": 32`, `"context": 34`),
	} {
		m, err := readModel(t, contextualModel, change)
		if err == nil {
			_, err = m.Run(Setup{Device: Device{Provider: CPU, MemoryMB: 1}}) // not the sessions of other tests
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	for want, change := range map[string]func([]byte) []byte{
		"tokenizer.pieces is 100":     replaced(`"pieces": 300`, `"pieces": 100`),
		"tokenizer.least_tokens is":   replaced(`"least_tokens": 60`, `"least_tokens": 121`),
		"tokenizer.pieces is 0, want": replaced(`"pieces": 300`, `"pieces": 0`),
	} {
		if _, err := readModel(t, encoderModel, change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	m, running := loadContextual(t, contextualModel)
	other := *m.Network
	other.Dimensions.Context = 34
	_, err := openContext(&other, Device{Provider: CPU, MemoryMB: 2})
	if err == nil || !strings.Contains(err.Error(), "context.onnx: output") {
		t.Errorf("a graph of another width: %v", err)
	}
	g := running.Graphs
	vectors := make([]float32, g.contexts)
	for name, err := range map[string]error{
		"a place beyond the states": g.EncodeContext(vectors, []int32{1, 1}, []int32{2}, []int32{0, 4}, 2, 1),
		"a negative place":          g.EncodeContext(vectors, []int32{1, 1}, []int32{2}, []int32{-1, 2}, 2, 1),
		"too long":                  g.EncodeContext(vectors, []int32{1, 1}, []int32{3}, []int32{0, 2}, 2, 1),
		"too few outputs":           g.EncodeContext(vectors[1:], []int32{1, 1}, []int32{2}, []int32{0, 2}, 2, 1),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := g.EncodeContext(vectors, []int32{1, 1}, []int32{2}, []int32{1, 2}, 2, 1); err != nil {
		t.Error(err)
	}
}
