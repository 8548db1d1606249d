package main

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os/exec"
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// The parts that take turns: all read the same windows of the same notes.
const (
	kernelPart = iota // on the batches that the job forms
	idealPart         // on the same windows, those of all notes sorted by length
	detectPart
	jobPart
	numParts
)

// turns are what each part took in each round.
type turns struct {
	rounds [][numParts]figure
	total  [numParts]figure
	job    figures.Job // of the round with the median of CPU seconds
}

// takeTurns measures the network alone, the first pass and the whole job, each in
// every round, as a machine with neighbours changes its speed within minutes. No
// window is remembered, so each computes all tokens.
func takeTurns(ctx context.Context, texts []string, file, out string, workers, rounds int) (*turns, error) {
	o, err := options(file, file+"-none", workers)
	if err != nil {
		return nil, err
	}
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return nil, err
	}
	if cfg, _, err = pipeline.Prepare(ctx, cfg); err != nil {
		return nil, err
	}
	// So that no round loads the model.
	if _, err := transforms.NewStudyOfTexts(ctx, cfg, []string{"1"}, []string{"The model is loaded."}); err != nil {
		return nil, err
	}
	k, err := newKernel(ctx, workers)
	if err != nil {
		return nil, err
	}
	batches, err := k.batches(texts, cfg.BatchBytes)
	if err != nil {
		return nil, err
	}
	ideal := k.ideal(batches)
	if err := exec.Command("go", "build", "-o", jobBinary, "./cmd/run").Run(); err != nil {
		return nil, fmt.Errorf("building the job: %w", err)
	}
	t := &turns{}
	var jobs []figures.Job
	for range rounds {
		var r [numParts]figure
		if r[kernelPart], err = k.run(figures.Kernel, batches); err != nil {
			return nil, err
		}
		if r[idealPart], err = k.run("the same, windows of all notes sorted", ideal); err != nil {
			return nil, err
		}
		r[detectPart] = figure{name: "detect", workers: workers, note: "read, tokenise, rules, network, decode"}
		d := &r[detectPart]
		d.seconds, d.cpu, err = timed(func() error {
			d.tokens, d.bytes, err = transforms.DetectAlone(ctx, cfg)
			return err
		})
		if err != nil {
			return nil, err
		}
		var job figures.Job
		if r[jobPart], job, err = benchJob(jobBinary, file, out, workers, len(texts)); err != nil {
			return nil, err
		}
		for i := range r {
			r[i].bytes = d.bytes
			if r[i].tokens != d.tokens {
				return nil, fmt.Errorf("%s computed %d tokens, and %s %d", r[i].name, r[i].tokens, d.name, d.tokens)
			}
		}
		t.rounds, jobs = append(t.rounds, r), append(jobs, job)
	}
	for i := range t.total {
		t.total[i] = t.rounds[0][i]
		for _, r := range t.rounds[1:] {
			f := &t.total[i]
			f.seconds, f.cpu, f.tokens, f.bytes = f.seconds+r[i].seconds, f.cpu+r[i].cpu, f.tokens+r[i].tokens, f.bytes+r[i].bytes
		}
	}
	slices.SortFunc(jobs, func(a, b figures.Job) int { return int(1e3 * (a.CPUSeconds - b.CPUSeconds)) })
	t.job = jobs[len(jobs)/2]
	return t, nil
}

// print writes how fast detect and job are relative to the kernel, by the clock and by
// processor time: the median of the rounds, and the least and the greatest.
func (t *turns) print(out io.Writer) {
	seconds := func(f figure) float64 { return f.seconds }
	cpu := func(f figure) float64 { return f.cpu }
	fmt.Fprintf(out, "\nspeed relative to another part, median of %d rounds (least to greatest)\n", len(t.rounds))
	for _, part := range []int{detectPart, jobPart} {
		for _, of := range []int{kernelPart, idealPart} {
			fmt.Fprintf(out, "  %s of %s: %s by processor time, %s by the clock\n", t.total[part].name, t.total[of].name,
				t.ratio(part, of, cpu), t.ratio(part, of, seconds))
		}
	}
}

func (t *turns) ratio(part, of int, cost func(figure) float64) string {
	var all []float64
	for _, r := range t.rounds {
		all = append(all, cost(r[of])/cost(r[part]))
	}
	slices.Sort(all)
	return fmt.Sprintf("%.2f (%.2f to %.2f)", (all[(len(all)-1)/2]+all[len(all)/2])/2, all[0], all[len(all)-1])
}

// kernel is the token graph alone.
type kernel struct {
	model   *bilstmcrf.Model
	graphs  *onnx.Graphs
	workers int
}

func newKernel(ctx context.Context, workers int) (*kernel, error) {
	loaded, err := transforms.LoadModel(ctx, model)
	if err != nil {
		return nil, err
	}
	if loaded.Network == nil {
		return nil, fmt.Errorf("model %s: it is a %s, which has no graph to measure", model, loaded.Kind)
	}
	if _, _, err := onnx.Initialize(""); err != nil {
		return nil, err
	}
	graphs, err := onnx.NewGraphs(loaded.Network, onnx.Device{Provider: onnx.CPU})
	if err != nil {
		return nil, err
	}
	return &kernel{loaded.Network, graphs, workers}, nil
}

// shapes takes down the lengths of the windows in each run of the graph, and computes
// nothing.
type shapes struct {
	batches [][]int32
}

func (s *shapes) EncodeChars(vectors []float32, _, _ []int32, _ int) error {
	clear(vectors)
	return nil
}

func (s *shapes) Emit(emissions, _ []float32, lengths []int32, _ int) error {
	clear(emissions)
	s.batches = append(s.batches, slices.Clone(lengths))
	return nil
}

func (s *shapes) EmitNarrow(emissions []float32, _ []uint8, lengths []int32, steps int) error {
	return s.Emit(emissions, nil, lengths, steps)
}

// batches returns what the job's tagger gives the graph to compute, of notes that it
// takes so many bytes of at once.
func (k *kernel) batches(texts []string, bytes int) ([][]int32, error) {
	var s shapes
	tagger := bilstmcrf.NewTagger(k.model, &s, &s, bilstmcrf.Options{})
	var batch []bilstmcrf.Text
	size := 0
	for i, t := range texts {
		batch = append(batch, bilstmcrf.Text{Text: t, Tokens: token.Tokenize(nil, t)})
		size += len(t)
		if size >= bytes || (i+1)%rowsPerGroup == 0 || i == len(texts)-1 {
			if _, err := tagger.TagKinds(batch); err != nil {
				return nil, err
			}
			batch, size = nil, 0
		}
	}
	return s.batches, nil
}

// ideal returns the same windows in batches with the least padding, of as many
// positions as the job's may have.
func (k *kernel) ideal(batches [][]int32) [][]int32 {
	lengths := slices.Concat(batches...)
	slices.Sort(lengths)
	var all [][]int32
	for len(lengths) > 0 {
		n := 1
		for k.model.WindowsPerRun != 1 && n < len(lengths) && (n+1)*int(lengths[n]) <= bilstmcrf.DefaultPositions {
			n++
		}
		all = append(all, lengths[:n])
		lengths = lengths[n:]
	}
	rand.New(rand.NewSource(2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// run runs the graph on batches of windows of these lengths, the longest of a batch
// last. Its speed does not depend on the numbers in them.
func (k *kernel) run(name string, batches [][]int32) (figure, error) {
	f := figure{name: name, workers: k.workers}
	most := 0
	for _, b := range batches {
		most = max(most, len(b)*int(b[len(b)-1]))
		for _, n := range b {
			f.tokens += int64(n)
		}
	}
	width, labels := k.model.Width(), len(k.model.Labels)
	work := make(chan []int32)
	errs := make(chan error, k.workers)
	var err error
	f.seconds, f.cpu, err = timed(func() error {
		var wait sync.WaitGroup
		for range k.workers {
			wait.Go(func() {
				emit := k.emitter(most * width)
				out := make([]float32, most*labels)
				for b := range work {
					steps, n := int(b[len(b)-1]), len(b)
					if err := emit(out[:steps*n*labels], steps*n*width, b, steps); err != nil {
						select {
						case errs <- err:
						default:
						}
					}
				}
			})
		}
		for _, b := range batches {
			work <- b
		}
		close(work)
		wait.Wait()
		close(errs)
		return <-errs
	})
	return f, err
}

// emitter returns what runs the graph on the first of so many numbers, of the width that it takes.
func (k *kernel) emitter(most int) func(out []float32, numbers int, lengths []int32, steps int) error {
	if k.model.InputBits == 8 {
		return filled(most, func(i int) uint8 { return uint8(i % 17 * 15) }, k.graphs.EmitNarrow)
	}
	return filled(most, func(i int) float32 { return float32(i%17)/17 - 0.5 }, k.graphs.Emit)
}

func filled[T any](most int, number func(i int) T, emit func(out []float32, x []T, lengths []int32, steps int) error) func(
	out []float32, numbers int, lengths []int32, steps int) error {
	x := make([]T, most)
	for i := range x {
		x[i] = number(i)
	}
	return func(out []float32, numbers int, lengths []int32, steps int) error {
		return emit(out, x[:numbers], lengths, steps)
	}
}
