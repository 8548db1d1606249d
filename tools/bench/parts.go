package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

var model = "onnx/models/en-clinical" // of the flag

func measure(name string, texts []string, pass func(text string, tokens []token.Token) []token.Token) (figure, error) {
	f := figure{name: name, workers: 1}
	var tokens []token.Token
	var err error
	f.seconds, f.cpu, err = timed(func() error {
		for _, t := range texts {
			tokens = pass(t, tokens[:0])
			f.tokens += int64(len(tokens))
			f.bytes += int64(len(t))
		}
		return nil
	})
	return f, err
}

func benchTokenizer(texts []string) (figure, error) {
	return measure("tokeniser", texts, func(text string, tokens []token.Token) []token.Token {
		return token.Tokenize(tokens, text)
	})
}

func benchRules(texts []string) (figure, error) {
	r, err := rules.New("en")
	if err != nil {
		return figure{}, err
	}
	m := r.NewMatcher()
	var spans []phi.Span
	return measure("tokeniser and rules", texts, func(text string, tokens []token.Token) []token.Token {
		tokens = token.Tokenize(tokens, text)
		spans = m.Tag(spans[:0], text, tokens)
		return tokens
	})
}

// benchKernel runs the token graph alone on inputs of the notes' own window
// lengths, sorted and batched as the tagger does. Its speed does not depend on
// the numbers in them.
func benchKernel(ctx context.Context, texts []string, workers int) (figure, error) {
	f := figure{name: figures.Kernel, workers: workers}
	loaded, err := transforms.LoadModel(ctx, model)
	if err != nil {
		return f, err
	}
	m := loaded.Network
	if m == nil {
		return f, fmt.Errorf("model %s: it is a %s, which has no graph to measure", model, loaded.Kind)
	}
	if _, _, err := onnx.Initialize(""); err != nil {
		return f, err
	}
	graphs, err := onnx.NewGraphs(m, onnx.Device{Provider: onnx.CPU})
	if err != nil {
		return f, err
	}
	texts = texts[:min(len(texts), 4000)] // enough for a steady figure
	var lengths []int
	for _, t := range texts {
		f.bytes += int64(len(t))
		tokens := token.Tokenize(nil, t)
		for _, w := range token.Windows(nil, t, tokens, m.Tokenizer.WindowTokens) {
			lengths = append(lengths, w.End-w.Start)
			f.tokens += int64(w.End - w.Start)
		}
	}
	slices.Sort(lengths)
	const positions = 1024
	var batches [][]int32
	for len(lengths) > 0 {
		n := 1
		for m.WindowsPerRun != 1 && n < len(lengths) && (n+1)*lengths[n] <= positions {
			n++
		}
		batch := make([]int32, n)
		for i := range batch {
			batch[i] = int32(lengths[i])
		}
		batches = append(batches, batch)
		lengths = lengths[n:]
	}
	rand.New(rand.NewSource(2)).Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
	work := make(chan []int32)
	errs := make(chan error, workers)
	f.seconds, f.cpu, err = timed(func() error {
		var wait sync.WaitGroup
		for range workers {
			wait.Go(func() {
				x := make([]float32, 2*positions*m.Width())
				for i := range x {
					x[i] = float32(i%17)/17 - 0.5
				}
				out := make([]float32, 2*positions*len(m.Labels))
				for batch := range work {
					steps, n := int(batch[len(batch)-1]), len(batch)
					if err := graphs.Emit(out[:steps*n*len(m.Labels)], x[:steps*n*m.Width()], batch, steps); err != nil {
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

func options(file, out string, workers int) (pipeline.Options, error) {
	const name = "PALIMPSEST_BENCH_KEY"
	if err := os.Setenv(name, strings.Repeat("bench key ", 4)); err != nil {
		return pipeline.Options{}, err
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Output, o.Key, o.Model, o.Workers = []string{file}, out, "env:"+name, model, workers
	o.Private, o.Beside = out+"-private", true
	o.DateColumns, o.ExecutionProvider = []string{"note_date"}, "cpu"
	return o, nil
}

// benchDetect runs the first pass without Beam.
func benchDetect(ctx context.Context, file string, workers int) (figure, error) {
	f := figure{name: "detect", workers: workers, note: "read, tokenise, rules, network, decode"}
	o, err := options(file, file+"-none", workers)
	if err != nil {
		return f, err
	}
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return f, err
	}
	if cfg, _, err = pipeline.Prepare(ctx, cfg); err != nil {
		return f, err
	}
	f.seconds, f.cpu, err = timed(func() error {
		f.tokens, f.bytes, err = transforms.DetectAlone(ctx, cfg)
		return err
	})
	return f, err
}

// benchJob runs the job as its user does, in a process of its own.
func benchJob(file, out string, workers, notes int) (figure, figures.Job, error) {
	f := figure{name: "whole job", workers: workers}
	job := figures.Job{Notes: notes}
	if _, err := options(file, out, workers); err != nil {
		return f, job, err
	}
	if err := exec.Command("go", "build", "-o", "bin/palimpsest", "./cmd/run").Run(); err != nil {
		return f, job, fmt.Errorf("building the job: %w", err)
	}
	cmd := exec.Command("bin/palimpsest", "--input", file, "--output", out, "--private", out+"-private", "--private_beside_output",
		"--key", "env:PALIMPSEST_BENCH_KEY",
		"--model", model, "--date_columns", "note_date", "--workers", fmt.Sprint(workers), "--execution_provider", "cpu")
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", workers))
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	var err error
	if f.seconds, _, err = timed(cmd.Run); err != nil {
		return f, job, fmt.Errorf("the job failed: %w\n%s", err, log.String())
	}
	report, err := pipeline.ReadReport(context.Background(), out)
	if err != nil {
		return f, job, err
	}
	f.tokens, f.bytes = report.Tokens, report.TextBytes
	f.note = fmt.Sprintf("%.0f notes/s", float64(notes)/f.seconds)
	f.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	job.Tokens, job.Seconds, job.CPUSeconds = report.Tokens, f.seconds, f.cpu
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		job.PeakMiB = int(usage.Maxrss / 1024)
		f.note += fmt.Sprintf(", %.0f notes per CPU second, peak %d MiB", float64(notes)/job.CPUSeconds, job.PeakMiB)
	}
	job.ShuffledBytes = figures.Shuffled(log.Bytes())
	job.WrittenBytes, err = figures.SizeOf(out, out+"-private")
	return f, job, err
}
