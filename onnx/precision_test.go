package onnx

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
)

const eightBitModel = "testdata/en-cut-int8"

// readModel loads a model directory; change may alter its description.
func readModel(t testing.TB, dir string, change func(description []byte) []byte) (*Model, error) {
	t.Helper()
	return LoadModel(func(name string) ([]byte, error) {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil && name == tagger.DescriptionFile && change != nil {
			raw = change(raw)
		}
		return raw, err
	})
}

func loadEight(t testing.TB) (*Model, Running) {
	t.Helper()
	return loadRunning(t, eightBitModel, 50_000)
}

// loadRunning loads a model directory and makes it ready on the CPU.
func loadRunning(t testing.TB, dir string, positions int) (*Model, Running) {
	t.Helper()
	m, err := readModel(t, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Run(Setup{Device: Device{Provider: CPU}, Positions: positions})
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// readChanged loads a model directory one file of which is changed, and its digest in the
// description with it.
func readChanged(t testing.TB, dir, file string, change func([]byte) []byte) (*Model, error) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	before := sha256.Sum256(raw)
	raw = change(raw)
	after := sha256.Sum256(raw)
	return LoadModel(func(name string) ([]byte, error) {
		if name == file {
			return raw, nil
		}
		of, err := os.ReadFile(filepath.Join(dir, name))
		return bytes.Replace(of, []byte(hex.EncodeToString(before[:])), []byte(hex.EncodeToString(after[:])), 1), err
	})
}

// sourceNotes returns some example notes.
func sourceNotes(t testing.TB, pattern string) []string {
	t.Helper()
	sources, err := filepath.Glob(pattern)
	if err != nil || len(sources) == 0 {
		t.Fatal("no example sources", err)
	}
	var notes []string
	for _, s := range sources {
		raw, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		notes = append(notes, strings.Split(string(raw), "%% note")...)
	}
	return notes
}

// What an 8-bit model finds in a note, to the last bit of its scores, does not
// depend on the notes beside it, on positions or on other goroutines: its inputs are
// rounded by the range of a run, and a run has one window.
func TestEightBitsDoNotDependOnBatches(t *testing.T) {
	m, running := loadEight(t)
	all := texts(sourceNotes(t, "../examples/source/p00[1-4].txt")...)
	sameInAnyBatch(t, m, running, all, 100, bilstmcrf.Options{})
}

// sameInAnyBatch holds what a model finds in notes, at least so many spans, against what it
// finds with each of some options, in another order, twice, and beside other goroutines.
func sameInAnyBatch(t *testing.T, m *Model, running Running, all []bilstmcrf.Text, least int, options ...bilstmcrf.Options) {
	t.Helper()
	want, err := running.Tagger.Tag(all)
	if err != nil {
		t.Fatal(err)
	}
	spans := 0
	for _, of := range want {
		spans += len(of)
	}
	if spans < least {
		t.Fatalf("only %d spans were found, which shows little", spans)
	}
	reversed := make([]bilstmcrf.Text, len(all))
	for i := range all {
		reversed[len(all)-1-i] = all[i]
	}
	for _, o := range options {
		tagger := bilstmcrf.NewTagger(m.Network, running.Graphs, running.Graphs, o)
		for range 2 {
			got, err := tagger.Tag(reversed)
			if err != nil {
				t.Fatal(err)
			}
			for i := range all {
				if !reflect.DeepEqual(got[len(all)-1-i], want[i]) {
					t.Errorf("%d positions, %d bytes of cache: note %d: the spans differ", o.Positions, o.CacheBytes, i)
				}
			}
		}
	}
	var wait sync.WaitGroup
	for i := range all {
		wait.Go(func() {
			if got, err := running.Tagger.Tag(all[i : i+1]); err != nil || !reflect.DeepEqual(got[0], want[i]) {
				t.Errorf("note %d alone, beside other goroutines: the spans differ, or %v", i, err)
			}
		})
	}
	wait.Wait()
}

// With two windows a run the result of one would depend on the other, so the graph
// refuses that.
func TestEightBitsTakeOneWindowARun(t *testing.T) {
	m, running := loadEight(t)
	const steps = 20
	width, labels := m.Network.Width(), len(m.Network.Labels)
	x := make([]float32, 2*steps*width)
	for i := range x {
		x[i] = float32(i%17)/17 - 0.5
	}
	for k := range steps {
		x[2*k*width+width+3] = 9 // of the second window: its range is wider
	}
	out := make([]float32, 2*steps*labels)
	err := running.Graphs.Emit(out, x, []int32{steps, steps}, steps)
	if err == nil || !strings.Contains(err.Error(), "2 windows in a run") {
		t.Fatalf("two windows a run: %v", err)
	}
	alone := make([]float32, steps*labels)
	first := make([]float32, 0, steps*width)
	for k := range steps {
		first = append(first, x[2*k*width:(2*k+1)*width]...)
	}
	if err := running.Graphs.Emit(alone, first, []int32{steps}, steps); err != nil {
		t.Fatal(err)
	}
	both := *running.Graphs
	both.alone = false
	if err := both.Emit(out, x, []int32{steps, steps}, steps); err != nil {
		t.Fatal(err)
	}
	differ := false
	for k := range steps {
		differ = differ || !reflect.DeepEqual(out[2*k*labels:(2*k+1)*labels], alone[k*labels:(k+1)*labels])
	}
	if !differ {
		t.Error("a window's result does not depend on its neighbour: the limit of one window a run is for nothing")
	}
}

// 8-bit weights are for the CPU: auto takes it, cuda says so.
func TestEightBitsAreForTheCPU(t *testing.T) {
	m, _ := loadEight(t)
	if _, err := m.Run(Setup{Device: Device{Provider: CUDA}}); err == nil || !strings.Contains(err.Error(), "--execution_provider=cpu") {
		t.Errorf("cuda: %v", err)
	}
	r, err := m.Run(Setup{Device: Device{Provider: Auto}})
	if err != nil || r.Graphs.Provider() != CPU {
		t.Errorf("auto: %v", err)
	}
}

func TestExecutionIsChecked(t *testing.T) {
	for from, want := range map[string]string{
		`"precision": "int4"`:        `precision is "int4"`,
		`"precision": ""`:            "", // a run of one window is no harm
		`"windows_per_run": 2`:       "windows_per_run is 2",
		`"windows_per_run": 0`:       "would depend on how notes are batched",
		`"input_ranges": "fixed"`:    "", // though it has one window a run
		`"input_ranges": "wide"`:     `input_ranges is "wide"`,
		`"positions_per_run": -1`:    "positions_per_run is -1",
		`"positions_per_run": 2000`:  "",
		`"positions_per_run": 2e300`: "cannot unmarshal",
	} {
		_, err := readModel(t, eightBitModel, func(raw []byte) []byte {
			key, _, _ := strings.Cut(from, ":")
			for _, known := range []string{`"precision": "int8"`, `"windows_per_run": 1`} {
				if strings.HasPrefix(known, key) {
					return bytes.Replace(raw, []byte(known), []byte(from), 1)
				}
			}
			return bytes.Replace(raw, []byte(`"precision"`), []byte(from+`, "precision"`), 1)
		})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", from, err, want)
		}
	}
}

// An embedding of 8 bits that is cut off, or has a scale that is no number, is refused.
func TestEightBitEmbeddingIsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		change func([]byte) []byte
		want   string
	}{
		"cut":     {func(b []byte) []byte { return b[:len(b)-1] }, "embedding.i8: length is no multiple of 104 bytes"},
		"row":     {func(b []byte) []byte { return b[:len(b)-104] }, "the embedding holds"},
		"scale":   {func(b []byte) []byte { return append([]byte{0, 0, 0x80, 0x7f}, b[4:]...) }, "a number is not finite"},
		"product": {func(b []byte) []byte { return append([]byte{0xff, 0xff, 0x7f, 0x7f}, b[4:]...) }, "a number is not finite"},
	} {
		_, err := readChanged(t, eightBitModel, "embedding.i8", c.change)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A probe is the same each time and whatever the settings, and another where the
// graphs round otherwise.
func TestProbe(t *testing.T) {
	m, running := loadEight(t)
	probe := func(m *Model, r Running) string {
		t.Helper()
		digest, err := m.Probe(r)
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	want := probe(m, running)
	t.Log("the 8-bit model's probe here:", want)
	if _, err := running.Tagger.Tag(texts("Seen by Dr. Quillfeather on 3 May.\n")); err != nil {
		t.Fatal(err)
	}
	again, err := m.Run(Setup{Device: Device{Provider: CPU}, Positions: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := probe(m, again); got != want {
		t.Errorf("the second probe is %s, the first %s", got, want)
	}
	full, err := readModel(t, shippedModel, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := full.Run(Setup{Device: Device{Provider: CPU}})
	if err != nil {
		t.Fatal(err)
	}
	if got := probe(full, r); got == want || len(got) != 64 {
		t.Errorf("the model with weights in full has the probe %q", got)
	}
	rounding, err := m.Network.Probe(running.Graphs, roundsOtherwise{running.Graphs})
	if err != nil || rounding == want {
		t.Errorf("a last bit does not show in the probe: %v", err)
	}
}

// roundsOtherwise stands for another processor: one score differs in its last bit.
type roundsOtherwise struct{ *Graphs }

func (g roundsOtherwise) Emit(emissions, x []float32, lengths []int32, steps int) error {
	err := g.Graphs.Emit(emissions, x, lengths, steps)
	emissions[7] *= 1 + 1.0/(1<<23)
	return err
}

// Inputs of 8 bits are rounded before the graph is run, by a scale that must fit; and each
// graph refuses inputs of the other kind.
func TestInputsOfEightBits(t *testing.T) {
	const narrowModel = "models/en-clinical-fast"
	instead := func(from, to string) func([]byte) []byte {
		return func(raw []byte) []byte { return bytes.Replace(raw, []byte(from), []byte(to), 1) }
	}
	for name, c := range map[string]struct {
		file   string
		change func([]byte) []byte
		want   string
	}{
		"bits":   {tagger.DescriptionFile, instead(`"input_bits": 8`, `"input_bits": 4`), `input_bits is 4, want none, or 8`},
		"ranges": {tagger.DescriptionFile, instead(`"input_ranges": "fixed"`, `"windows_per_run": 1`), `8 with input_ranges "fixed"`},
		"short":  {"input_scale.f32", func(b []byte) []byte { return b[:len(b)-4] }, "input_scale.f32: has"},
		"odd":    {"input_scale.f32", func(b []byte) []byte { return b[:len(b)-3] }, "input_scale.f32: length is no multiple of 4 bytes"},
	} {
		if _, err := readChanged(t, narrowModel, c.file, c.change); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	wrong, err := readChanged(t, narrowModel, tagger.DescriptionFile, instead(`"input_bits": 8,`, ``))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wrong.Run(Setup{Device: Device{Provider: CPU}}); err == nil || !strings.Contains(err.Error(), "token.onnx: ") {
		t.Errorf("no bits, as only the graph can tell: %v", err)
	}
	m, r := loadRunning(t, narrowModel, 500)
	if err := r.Graphs.Emit(nil, nil, nil, 0); err == nil || !strings.Contains(err.Error(), "takes 8") {
		t.Errorf("inputs of 32 bits: %v", err)
	}
	_, wide := loadEight(t)
	if err := wide.Graphs.EmitNarrow(nil, nil, nil, 0); err == nil || !strings.Contains(err.Error(), "takes 32") {
		t.Errorf("inputs of 8 bits: %v", err)
	}
	sameInAnyBatch(t, m, r, texts(sourceNotes(t, "../examples/source/p00[1-4].txt")...), 100,
		bilstmcrf.Options{}, bilstmcrf.Options{Positions: 1}, bilstmcrf.Options{CacheBytes: 1 << 20})
	alone := bilstmcrf.NewTagger(m.Network, r.Graphs, onlyWide{r.Graphs}, bilstmcrf.Options{})
	if _, err := alone.Tag(texts("Seen by Dr. Quillfeather.\n")); err == nil || !strings.Contains(err.Error(), "8 bits") {
		t.Errorf("an emitter of 32 bits alone: %v", err)
	}
}

// onlyWide runs graphs with inputs of 32 bits alone.
type onlyWide struct{ bilstmcrf.Emitter }
