package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

const examples = "../../examples/notes.parquet"

func TestFit(t *testing.T) {
	for _, test := range []struct {
		name   string
		xs, ys []float64
		want   float64
	}{
		{"in proportion", []float64{1, 2, 4, 8}, []float64{3, 6, 12, 24}, 1},
		{"square", []float64{1, 3, 9}, []float64{2, 18, 162}, 2},
		{"flat", []float64{1, 10, 100}, []float64{7, 7, 7}, 0},
		// By hand: logarithms of 1, 2, 4 to the base 2 are 0, 1, 2, and of 1, 8,
		// 16 are 0, 3, 4; the slope is (1*(3-7/3)*0 + 1*(4-7/3) + 1*(7/3)) / 2 = 2.
		{"scattered", []float64{1, 2, 4}, []float64{1, 8, 16}, 2},
	} {
		if k, ok := fit(test.xs, test.ys); !ok || math.Abs(k-test.want) > 1e-9 {
			t.Errorf("%s: %g, %v, want %g", test.name, k, ok, test.want)
		}
	}
	for _, few := range [][]float64{nil, {1, 2}, {5, 5, 5}} {
		if k, ok := fit(few, few); ok {
			t.Errorf("%v: a fit of %g", few, k)
		}
	}
}

// What a run takes anyway, and runs that were given up, say nothing of growth.
func TestGrowth(t *testing.T) {
	points := []point{
		{X: 1, CPU: 10.1, Outcome: "ok"}, // hardly above the base
		{X: 100, CPU: 20, Outcome: "ok"},
		{X: 200, CPU: 30, Outcome: "ok"},
		{X: 400, CPU: 50, Outcome: "ok"},
		{X: 800, CPU: 60, Outcome: "over 15m"},
	}
	if k, ok := growth(points, 10, cpu); !ok || math.Abs(k-1) > 1e-9 {
		t.Errorf("%g, %v, want 1", k, ok)
	}
	if _, ok := lately(points, 10, cpu); ok {
		t.Error("a run that was given up says how cost grows")
	}
	points[4] = point{X: 800, CPU: 170, Outcome: "ok"} // four times what the one before has above the base
	if k, ok := lately(points, 10, cpu); !ok || math.Abs(k-2) > 1e-9 {
		t.Errorf("of late %g, %v, want 2", k, ok)
	}
}

// Every sweep's smallest input holds what its shape says, and the same bytes
// each time.
func TestGenerate(t *testing.T) {
	ctx := context.Background()
	for _, s := range sweeps {
		t.Run(s.name, func(t *testing.T) {
			want := s.shape(s.quick[0])
			if s.name == "patients" {
				want.Notes = 500 // 50,000 take their time
			}
			if s.name == "note-length" {
				want.Bytes = 20_000
			}
			var all [2][]byte
			for i := range all {
				dir := t.TempDir()
				files, text, err := generate(ctx, examples, dir, want)
				if err != nil || files == 0 || text == 0 {
					t.Fatalf("%d bytes, %d of text, %v", files, text, err)
				}
				names, _ := filepath.Glob(dir + "/*.parquet")
				if len(names) != max(want.Files, 1) {
					t.Fatalf("%d files, want %d", len(names), max(want.Files, 1))
				}
				notes := 0
				for _, name := range names {
					raw, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					all[i] = append(all[i], raw...)
					texts, err := invent.Texts(ctx, name)
					if err != nil {
						t.Fatal(err)
					}
					notes += len(texts)
				}
				if notes != want.Notes {
					t.Errorf("%d notes, want %d", notes, want.Notes)
				}
			}
			if !bytes.Equal(all[0], all[1]) {
				t.Error("two runs differ")
			}
		})
	}
}

// A person's notes tell of the same people; a shared id's do not.
func TestNamesOfAShape(t *testing.T) {
	names := func(s shape) map[string]bool {
		dir := t.TempDir()
		if _, _, err := generate(context.Background(), examples, dir, s); err != nil {
			t.Fatal(err)
		}
		texts, err := invent.Texts(context.Background(), filepath.Join(dir, "notes-000000.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		words := map[string]bool{}
		for _, text := range texts {
			for _, tok := range token.Tokenize(nil, text) {
				if tok.Class == token.Title {
					words[tok.Text(text)] = true
				}
			}
		}
		return words
	}
	one := [2]int{len(names(shape{Notes: 200, Patients: 1, OneLife: true})), len(names(shape{Notes: 800, Patients: 1, OneLife: true}))}
	if one[0] != one[1] {
		t.Errorf("a patient's 200 notes know %d capitalised words, 800 know %d", one[0], one[1])
	}
	shared := [2]int{len(names(shape{Notes: 200, Shared: 200})), len(names(shape{Notes: 800, Shared: 800}))}
	if shared[1] < 2*shared[0] {
		t.Errorf("200 notes of anybody know %d capitalised words, 800 know %d", shared[0], shared[1])
	}
}

// The stand-in is a model that ONNX Runtime runs, and finds nothing.
func TestStandIn(t *testing.T) {
	dir := t.TempDir()
	if err := writeStandIn(dir); err != nil {
		t.Fatal(err)
	}
	m, err := bilstmcrf.Load(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := onnx.Initialize(""); err != nil {
		t.Fatal(err)
	}
	g, err := onnx.NewGraphs(m, onnx.Device{Provider: onnx.CPU})
	if err != nil {
		t.Fatal(err)
	}
	const text = "Seen by Dr. Blackwood on 03/14/2019.\n"
	found, err := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{Bias: chain.Bias{Recall: 0.25}}).Tag([]bilstmcrf.Text{{Text: text,
		Tokens: token.Tokenize(nil, text)}})
	if err != nil || len(found) != 1 || len(found[0]) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestResultsAreReadAsTheyWereWritten(t *testing.T) {
	points := []point{
		{X: 0, Notes: 1, CPU: 0.5, PeakMiB: 100, Outcome: "ok"},
		{X: 50, Notes: 50, Text: 1e6, Input: 2e6, Written: 3e6, Spans: 400, Shuffled: 5e5, CPU: 12.25, Wall: 7.5, PeakMiB: 300,
			Outcome: "over 1000 MiB"},
	}
	name := filepath.Join(t.TempDir(), "x.csv")
	if err := writeCSV(name, points); err != nil {
		t.Fatal(err)
	}
	got, err := readCSV(name)
	if err != nil || !reflect.DeepEqual(got, points) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := readCSV(name + "-none"); got != nil || err != nil {
		t.Errorf("a missing file: %v, %v", got, err)
	}
	for _, bad := range []string{"a,b\n", strings.Join(columns, ",") + "\n1,2,3,4,5,6,7,8,9,many,ok\n"} {
		if _, err := parseCSV(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// Sizes that are measured later go to those that were measured.
func TestFurther(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.csv")
	was := []point{{X: 0, Notes: 1, Outcome: "ok"}, {X: 10, Notes: 10, Outcome: "ok"}}
	if err := writeCSV(name, was); err != nil {
		t.Fatal(err)
	}
	points, values, err := further(name, "1000, 0")
	if err != nil || !reflect.DeepEqual(points, was) || !reflect.DeepEqual(values, []int{1000, 0}) {
		t.Errorf("%v, %v, %v", points, values, err)
	}
	for _, bad := range []string{"many", "", "-1"} {
		if _, _, err := further(name, bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestInsert(t *testing.T) {
	const text = "before\n<!-- table a -->\nold\n<!-- end -->\nbetween\n<!-- table b -->\n<!-- end -->\nafter\n"
	got, err := insert([]byte(text), map[string]string{"a": "new\n"})
	if want := strings.Replace(text, "old", "new", 1); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"nothing", "<!-- table a -->\nno end"} {
		if _, err := insert([]byte(bad), map[string]string{"a": ""}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// Plots are well-formed, and what they draw is inside of them.
func TestPlot(t *testing.T) {
	points := []point{{X: 10, CPU: 0.2, PeakMiB: 90}, {X: 1000, CPU: 3, PeakMiB: 91}, {X: 100_000, CPU: 450, PeakMiB: 1800}}
	raw := plot(sweep{axis: `notes & "others" <of them>`}, points)
	d := xml.NewDecoder(bytes.NewReader(raw))
	circles := 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "circle" {
			circles++
		}
	}
	if circles != 2*len(points) || strings.Contains(string(raw), "NaN") || strings.Contains(string(raw), "Inf") {
		t.Errorf("%d circles in\n%s", circles, raw)
	}
	lo, hi := decades([]float64{90, 91})
	if lo > math.Log10(90) || hi < math.Log10(91) || hi-lo < 1 {
		t.Errorf("an axis for 90 and 91 goes from %g to %g", lo, hi)
	}
}

func TestCommandLine(t *testing.T) {
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := command(context.Background(), args, &out, &errs)
		return code, out.String() + errs.String()
	}
	if code, said := run("--help"); code != 0 || !strings.Contains(said, "shared-id") || !strings.Contains(said, "-max_mib") {
		t.Errorf("code %d:\n%s", code, said)
	}
	for _, bad := range [][]string{{"--only", "nothing"}, {"--nonsense"}, {"stray"}} {
		if code, said := run(bad...); code != 2 || said == "" {
			t.Errorf("%v: code %d, %q", bad, code, said)
		}
	}
	if code, said := run("--binary", filepath.Join(t.TempDir(), "none")); code != 1 || !strings.Contains(said, "make build") {
		t.Errorf("code %d, %q", code, said)
	}
}

// The memory of a run is that of its process, not of the one that started it.
func TestWatchSeesTheProcessAlone(t *testing.T) {
	ballast := make([]byte, 256<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1
	}
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	channel := runner{maxMiB: 100}.watch(ctx, cmd.Process, cancel)
	for {
		kib, err := resident(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		if kib > 0 && kib < 50<<10 { // sleep itself, no longer a copy of this process
			break
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cancel()
	if w := <-channel; w.over || ballast[0] != 1 {
		t.Errorf("sleep is said to have taken %d KiB", w.peakKiB)
	}
}
