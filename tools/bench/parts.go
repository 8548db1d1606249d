package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
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

func options(file, out string, workers int) (pipeline.Options, error) {
	const name = "PALIMPSEST_BENCH_KEY"
	if err := os.Setenv(name, strings.Repeat("bench key ", 4)); err != nil {
		return pipeline.Options{}, err
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Output, o.Key, o.Model, o.Workers = []string{file}, out, "env:"+name, model, workers
	o.Private, o.Beside = out+"-private", true
	o.DateColumns, o.ExecutionProvider = []string{"note_date"}, "cpu"
	o.WindowMB = 0 // or windows that are alike by chance would cost nothing
	return o, nil
}

// jobBinary is the program that is measured.
const jobBinary = "bin/palimpsest"

// benchJob runs the job as its user does, in a process of its own.
func benchJob(program, file, out string, workers, notes int) (figure, figures.Job, error) {
	f := figure{name: "whole job", workers: workers}
	job := figures.Job{Notes: notes}
	if _, err := options(file, out, workers); err != nil {
		return f, job, err
	}
	for _, dir := range []string{out, out + "-private"} {
		if err := os.RemoveAll(dir); err != nil {
			return f, job, err
		}
	}
	cmd := exec.Command(program, "--input", file, "--output", out, "--private", out+"-private", "--private_beside_output",
		"--key", "env:PALIMPSEST_BENCH_KEY", "--model", model, "--date_columns", "note_date", "--workers", fmt.Sprint(workers),
		"--execution_provider", "cpu", "--window_cache_mb", "0")
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
