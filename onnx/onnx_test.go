package onnx

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

const shippedModel = "models/en-clinical-accurate"

func loadModel(t testing.TB) *bilstmcrf.Model {
	t.Helper()
	m, err := bilstmcrf.Load(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(shippedModel, name)) })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func loadGraphs(t testing.TB) (*bilstmcrf.Model, *Graphs) {
	t.Helper()
	if _, _, err := Initialize(""); err != nil {
		t.Fatal(err)
	}
	m := loadModel(t)
	g, err := NewGraphs(m, Device{Provider: CPU})
	if err != nil {
		t.Fatal(err)
	}
	return m, g
}

func texts(notes ...string) []bilstmcrf.Text {
	var out []bilstmcrf.Text
	for _, n := range notes {
		out = append(out, bilstmcrf.Text{Text: n, Tokens: token.Tokenize(nil, n)})
	}
	return out
}

func TestTaggerFindsNamesAndDates(t *testing.T) {
	m, g := loadGraphs(t)
	const note = "DISCHARGE SUMMARY\nPatient: Margaret Oyelaran\nMRN: 00481-2237\nAdmitted: 03/14/2019\n\nMrs. Oyelaran was seen by Dr. " +
		"Blackwood in Boston.\n"
	spans, err := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{}).Tag(texts(note))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, s := range spans[0] {
		found[note[s.Start:s.End]] = s.Type.String()
		if s.Score <= 0 || s.Score > 1 {
			t.Errorf("%v has score %g", s.Type, s.Score)
		}
	}
	for surface, typ := range map[string]string{"Margaret Oyelaran": "PATIENT", "03/14/2019": "DATE", "Blackwood": "DOCTOR"} {
		if found[surface] != typ {
			t.Errorf("%q is %q, want %q; found %v", surface, found[surface], typ, found)
		}
	}
}

// What is found in a note, to the last bit of its scores, does not depend on
// which notes share its batches, on the size of batches or on what other
// goroutines do.
func TestTaggingDoesNotDependOnBatches(t *testing.T) {
	m, g := loadGraphs(t)
	notes := sourceNotes(t, "../examples/source/p00*.txt")
	// Texts of many lengths, so that batches mix.
	r := rand.New(rand.NewSource(5))
	for i := range notes {
		if i%3 == 0 {
			notes[i] = notes[i][:strings.LastIndexByte(notes[i][:1+r.Intn(len(notes[i])-1)], '\n')+1]
		}
	}
	all := texts(notes...)
	want, err := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{}).Tag(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, positions := range []int{1, 200, 1600, 50_000} {
		got, err := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{Positions: positions}).Tag(all)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("with %d positions a run, the spans differ", positions)
		}
	}
	shared := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{})
	var wait sync.WaitGroup
	for i := range all {
		wait.Go(func() {
			got, err := shared.Tag(all[i : i+1])
			if err != nil {
				t.Error(err)
			} else if !reflect.DeepEqual(got[0], want[i]) {
				t.Errorf("note %d alone: the spans differ", i)
			}
		})
	}
	wait.Wait()
}

// What is remembered of windows changes no span, to the last bit, however much fits,
// in whatever batches and by whichever goroutine it was found; and copies are found.
func TestRememberedWindowsAreTheComputedOnes(t *testing.T) {
	m, g := loadGraphs(t)
	notes := sourceNotes(t, "../examples/source/p00*.txt")
	notes = notes[:min(len(notes), 12)]
	for i := range 6 { // notes that hold others, between words of their own
		notes = append(notes, fmt.Sprintf("Carried forward, visit %d.\n\n%s\nSeen by Dr. Okonkwo on %d/3.\n", i, notes[i], i+1))
	}
	all := texts(notes...)
	for _, doubt := range []float32{0, 3} {
		want, err := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{Bias: chain.Bias{Recall: 0.25, Doubt: doubt, Odds: true}}).TagKinds(all)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int64{1 << 14, 64 << 20} {
			var windows, reused atomic.Int64
			tagger := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{Bias: chain.Bias{Recall: 0.25, Doubt: doubt, Odds: true}, CacheBytes: size,
				Count: func(w, r int) { windows.Add(int64(w)); reused.Add(int64(r)) }})
			var wait sync.WaitGroup
			for worker := range 4 {
				wait.Go(func() {
					for from := 0; from < len(all); from += 1 + worker {
						to := min(from+1+worker, len(all))
						got, err := tagger.TagKinds(all[from:to])
						if err != nil {
							t.Error(err)
						} else if !reflect.DeepEqual(got, want[from:to]) {
							t.Errorf("with a cache of %d bytes the spans of notes %d to %d differ", size, from, to)
						}
					}
				})
			}
			wait.Wait()
			windows.Store(0)
			reused.Store(0)
			got, err := tagger.TagKinds(all)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("with a cache of %d bytes the spans differ (%v)", size, err)
			}
			if size == 64<<20 && (windows.Load() == 0 || reused.Load() < windows.Load()) {
				t.Errorf("%d of %d windows were reused of notes that had all been read", reused.Load(), windows.Load())
			}
		}
	}
}

func TestLoadRefusesAWrongDigest(t *testing.T) {
	_, err := bilstmcrf.Load(func(name string) ([]byte, error) {
		raw, err := os.ReadFile(filepath.Join(shippedModel, name))
		if name == "embedding.f32" && len(raw) > 0 {
			raw[len(raw)/2] ^= 1
		}
		return raw, err
	})
	if err == nil || !strings.Contains(err.Error(), "embedding.f32: SHA-256 is") {
		t.Errorf("a changed embedding was loaded: %v", err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	lib := filepath.Join(dir, "libonnxruntime.so")
	if err := os.WriteFile(lib, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(LibraryEnv, "")
	for _, path := range []string{dir, lib} {
		if got, err := Find(path); err != nil || got != lib {
			t.Errorf("Find(%s) = %s, %v", path, got, err)
		}
	}
	t.Setenv(LibraryEnv, lib)
	if got, err := Find(""); err != nil || got != lib {
		t.Errorf("by %s: %s, %v", LibraryEnv, got, err)
	}
	versions := filepath.Join(t.TempDir(), "rt[1]")
	if err := os.Mkdir(versions, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"1.9.1", "1.27.0", "1.27.0.bak", "1.3"} {
		if err := os.WriteFile(filepath.Join(versions, "libonnxruntime.so."+v), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Find(versions); err != nil || !strings.HasPrefix(filepath.Base(got), "libonnxruntime.so.1.27.0") {
		t.Errorf("of 1.9.1 and 1.27.0: %s, %v", got, err)
	}
	empty := t.TempDir()
	for _, path := range []string{empty, filepath.Join(empty, "none.so")} {
		if _, err := Find(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "1.24") {
			t.Errorf("Find(%s): the error %v does not name the path and what is needed", path, err)
		}
	}
}

// What Initialize refuses, seen from a process of its own, since a process
// loads one library only.
func TestInitializeRefuses(t *testing.T) {
	if path := os.Getenv("TEST_INITIALIZE"); path != "" {
		_, _, err := Initialize(path)
		fmt.Printf("error: %v\n", err)
		return
	}
	dir := t.TempDir()
	noLibrary := filepath.Join(dir, "libonnxruntime.so")
	if err := os.WriteFile(noLibrary, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string][]string{noLibrary: {noLibrary, "cannot be used", "1.24 or newer"}}
	if cc, err := exec.LookPath("cc"); err == nil {
		old := filepath.Join(dir, "old.so")
		build := exec.Command(cc, "-shared", "-fPIC", "-o", old, "testdata/old.c")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		cases[old] = []string{old, "version 1.20.1", "1.24 or newer"}
	}
	for path, want := range cases {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestInitializeRefuses$")
		cmd.Env = append(os.Environ(), "TEST_INITIALIZE="+path)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, w := range want {
			if !strings.Contains(string(out), w) {
				t.Errorf("%s: %q is not in %s", path, w, out)
			}
		}
	}
}

func TestProviders(t *testing.T) {
	m, _ := loadGraphs(t)
	// The fetched library has no CUDA: cuda must fail and say what it takes,
	// auto must take the CPU.
	if _, err := NewGraphs(m, Device{Provider: CUDA}); err == nil {
		t.Skip("this library runs CUDA")
	} else if !strings.Contains(err.Error(), "libonnxruntime_providers_cuda.so") || !strings.Contains(err.Error(), "execution provider cuda") {
		t.Errorf("cuda: the error does not say what is needed: %v", err)
	}
	g, err := NewGraphs(m, Device{Provider: Auto})
	if err != nil || g.Provider() != CPU {
		t.Errorf("auto: %v, %v", g, err)
	}
}

// Auto says why it took the CPU where a build for GPUs was put, and says
// nothing where none was. In a process of its own, as that loads one library.
func TestAutoSaysThatItFellBack(t *testing.T) {
	if path := os.Getenv("TEST_FALLBACK"); path != "" {
		if _, _, err := Initialize(path); err != nil {
			t.Fatal(err)
		}
		for _, d := range []Device{{Provider: Auto}, {Provider: Auto, CUDA: 1, MemoryMB: 100}, {Provider: CPU}} {
			g, err := NewGraphs(loadModel(t), d)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("%s on %s: %q\n", d.Provider, g.Provider(), g.Fallback())
		}
		return
	}
	library, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	for _, gpu := range []string{"/dev/nvidiactl", "/dev/dxg"} {
		if _, err := os.Stat(gpu); err == nil {
			t.Skip("this machine has a GPU")
		}
	}
	for _, build := range []string{"cpu", "gpu"} {
		dir := t.TempDir()
		if err := os.Symlink(library, filepath.Join(dir, "libonnxruntime.so")); err != nil {
			t.Fatal(err)
		}
		want := []string{`auto on cpu: ""`, `cpu on cpu: ""`}
		if build == "gpu" {
			if err := os.WriteFile(filepath.Join(dir, "libonnxruntime_providers_cuda.so"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			want = []string{`auto on cpu: "execution provider cuda: `, `cpu on cpu: ""`}
		}
		cmd := exec.Command(os.Args[0], "-test.run", "^TestAutoSaysThatItFellBack$")
		cmd.Env = append(os.Environ(), "TEST_FALLBACK="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, w := range want {
			if !strings.Contains(string(out), w) {
				t.Errorf("%s build: %q is not in %s", build, w, out)
			}
		}
	}
}

func TestGraphsAreChecked(t *testing.T) {
	m, g := loadGraphs(t)
	if err := g.Emit(make([]float32, 3), make([]float32, 5), []int32{1}, 1); err == nil {
		t.Error("wrong sizes reached the runtime")
	}
	if err := g.EncodeChars(make([]float32, m.Dimensions.Char), []int32{1}, []int32{2}, 1); err == nil {
		t.Error("a length beyond the steps reached the runtime")
	}
	swapped := *m
	swapped.CharGraph = m.TokenGraph
	if _, err := NewGraphs(&swapped, Device{Provider: CPU}); err == nil || !strings.Contains(err.Error(), "char.onnx: input") {
		t.Errorf("a wrong graph was accepted: %v", err)
	}
	more := *m
	more.Labels = append(slices.Clone(m.Labels), "S-MORE")
	if _, err := NewGraphs(&more, Device{Provider: CPU}); err == nil || !strings.Contains(err.Error(), "token.onnx: output") {
		t.Errorf("a graph that runs already was accepted for a model of other labels: %v", err)
	}
}

func BenchmarkTag(b *testing.B) {
	m, g := loadGraphs(b)
	raw, err := os.ReadFile("../examples/source/p001.txt")
	if err != nil {
		b.Fatal(err)
	}
	var notes []string
	for range 20 {
		notes = append(notes, strings.Split(string(raw), "%% note")...)
	}
	all := texts(notes...)
	tokens := 0
	for _, x := range all {
		tokens += len(x.Tokens)
	}
	tagger := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{})
	for b.Loop() {
		if _, err := tagger.Tag(all); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(tokens*b.N)/b.Elapsed().Seconds(), "tokens/s")
}
