// Package weights writes the table of weights of a linear model (package linear), for
// training. It reads lines on standard input, the name of a feature, the number of a
// label and a weight with tabs between them, and writes the table on standard output.
// With --holds FILE it reads names of features alone and writes those that the table
// in FILE has.
package weights

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/linear"
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
		{Flags: "--holds FILE", Text: "read names of features, and write those that this table has"},
	},
}

// Main runs the command and returns its exit status.
func Main(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("weights", flag.ContinueOnError)
	table := flags.String("holds", "", "read names of features, and write those that this table has")
	return help.Main(flags, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		do := run
		if *table != "" {
			do = func(in io.Reader, out io.Writer) error { return holds(*table, in, out) }
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

// holds writes the names, of those that it reads, of the features that a table has.
func holds(path string, in io.Reader, out io.Writer) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	table, err := linear.Decode(raw)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if name := lines.Text(); table.Has(features.Hash(name)) {
			if _, err := fmt.Fprintln(out, name); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}
