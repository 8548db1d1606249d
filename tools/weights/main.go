// Command weights writes the table of weights of a linear model (package linear). It
// reads lines on standard input, the name of a feature, the number of a label and a
// weight with tabs between them, and writes the table on standard output. With -holds
// FILE it reads names of features alone and writes those that the table in FILE has.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/linear"
)

func main() {
	table := flag.String("holds", "", "table in which features are looked for")
	flag.Parse()
	do := run
	if *table != "" {
		do = func(in io.Reader, out io.Writer) error { return holds(*table, in, out) }
	}
	if err := do(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "weights:", err)
		os.Exit(1)
	}
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
