// Package weights writes the table of weights of a linear model (package linear), for
// training. It reads lines on standard input, the name of a feature, the number of a
// label and a weight with tabs between them, and writes the table on standard output.
// With --holds DIR it reads names of features alone and writes those that the model in
// DIR has.
//
// With --vectors it writes the support vectors of a machine with a kernel: the first line
// is what each vector counts, every other one the name of a feature and the numbers of
// the vectors that have it.
package weights

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/linear"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
)

var help = cli.Help{
	Command: "palimpsest weights",
	About: `
weights writes the table of a feature CRF or a token SVM. It is for training, which
reads what it writes: lines on standard input with the name of a feature, the number
of a label and a weight, and tabs between them, give the table on standard output.

  palimpsest weights < weights.tsv > weights.bin`,
	Brief: []cli.Setting{
		{Flags: "--vectors", Text: "write the support vectors of a machine with a kernel"},
		{Flags: "--holds DIR", Text: "read names of features, and write those that this model has"},
	},
}

// Main runs the command and returns its exit status.
func Main(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("weights", flag.ContinueOnError)
	model := flags.String("holds", "", "read names of features, and write those that the model in this directory has")
	kernel := flags.Bool("vectors", false, "write the support vectors of a machine with a kernel")
	return help.Main(flags, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		do := run
		if *kernel {
			do = vectors
		}
		if *model != "" {
			do = func(in io.Reader, out io.Writer) error { return holds(*model, in, out) }
		}
		if err := do(stdin, stdout); err != nil {
			return fault.Mark(fault.Refused, err)
		}
		return nil
	})
}

func run(in io.Reader, out io.Writer) error {
	var weights []linear.Weight
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		if len(parts) != 3 {
			return fmt.Errorf("line %d: want a feature, a label and a weight", len(weights)+1)
		}
		label, err := strconv.Atoi(parts[1])
		if err != nil {
			return fmt.Errorf("line %d: the label is no number", len(weights)+1)
		}
		value, err := strconv.ParseFloat(parts[2], 64)
		if err != nil {
			return fmt.Errorf("line %d: the weight is no number", len(weights)+1)
		}
		weights = append(weights, linear.Weight{Feature: features.Hash(parts[0]), Label: label, Value: value})
	}
	if err := lines.Err(); err != nil {
		return err
	}
	table, err := linear.Encode(weights)
	if err != nil {
		return err
	}
	_, err = out.Write(table)
	return err
}

// holds writes the names, of those that it reads, of the features that a model has.
func holds(dir string, in io.Reader, out io.Writer) error {
	d, err := tagger.ReadDirectory(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
	if err != nil {
		return err
	}
	model, err := linear.Load(d)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if name := lines.Text(); model.Holds(name) {
			if _, err := fmt.Fprintln(out, name); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// vectors writes support vectors.
func vectors(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	var times []float64
	var of []linear.Shared
	for n := 1; lines.Scan(); n++ {
		parts := strings.Split(lines.Text(), "\t")
		if n == 1 {
			for _, part := range parts {
				x, err := strconv.ParseFloat(part, 64)
				if err != nil {
					return fmt.Errorf("line %d: want a number for each vector", n)
				}
				times = append(times, x)
			}
			continue
		}
		shared := linear.Shared{Feature: features.Hash(parts[0])}
		for _, part := range parts[1:] {
			v, err := strconv.Atoi(part)
			if err != nil {
				return fmt.Errorf("line %d: want numbers of vectors behind the feature", n)
			}
			shared.Vectors = append(shared.Vectors, v)
		}
		of = append(of, shared)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	file, err := linear.EncodeVectors(of, times)
	if err != nil {
		return err
	}
	_, err = out.Write(file)
	return err
}
