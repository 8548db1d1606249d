package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand"
	"os"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize"

	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
)

// The job on Flink, by what its workers wait for: all of them for the slowest at the
// end of each stage. Flink hands out shards in turn before Detect, and by a hash of
// their key before Resolve and Rewrite, so that some workers get more than others
// however even the shards are. Workers have one core.

// stages are those that workers share, in order; Commit is one worker's.
var stages = []string{"Detect", "Resolve", "Rewrite", "Commit"}

// balance is what the workers of one run had to do.
type balance struct {
	of     map[string][]float64 // CPU seconds, by stage and worker
	text   float64              // bytes
	shards int
}

// job is what is to be done, in CPU seconds.
type job struct {
	shards, buckets int
	of              map[string]float64 // by stage, of all workers
}

// readBalance reads what TestBalance of pipeline/flink wrote, by the number of workers.
func readBalance(name string) (map[int]*balance, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all := map[int]*balance{}
	for i, row := range rows {
		if i == 0 {
			continue
		}
		if len(row) != 7 || !slices.Contains(stages, row[2]) {
			return nil, fmt.Errorf("%s: row %d is not one of TestBalance", name, i+1)
		}
		var n [7]float64
		for k := range n {
			if n[k], err = strconv.ParseFloat(row[k], 64); err != nil && k != 2 {
				return nil, fmt.Errorf("%s: row %d, column %d: %w", name, i+1, k+1, err)
			}
		}
		workers, worker := int(n[0]), int(n[1])
		b := all[workers]
		if b == nil {
			b = &balance{map[string][]float64{}, n[5], int(n[6])}
			all[workers] = b
		}
		of := b.of[row[2]]
		of = append(of, make([]float64, max(0, worker+1-len(of)))...)
		of[worker] += n[3]
		b.of[row[2]] = of
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no runs", name)
	}
	return all, nil
}

// fewest returns the run of the fewest workers, which tells what there is to do.
func fewest(runs map[int]*balance) *balance { return runs[slices.Min(slices.Collect(maps.Keys(runs)))] }

// sum returns the CPU seconds of all workers in a stage.
func (b *balance) sum(stage string) (total float64) {
	for _, s := range b.of[stage] {
		total += s
	}
	return total
}

// slowest returns the seconds until all stages are done, on workers of one core each
// that do nothing else.
func (b *balance) slowest() (seconds float64) {
	for _, stage := range stages {
		if len(b.of[stage]) > 0 {
			seconds += slices.Max(b.of[stage])
		}
	}
	return seconds
}

// draws is how often chance is asked where a hash decides.
const draws = 400

// simulate returns the seconds that a job takes with so many workers: in the middle of
// what chance allows, and the bounds that one in twenty lies beyond, on either side.
func simulate(j job, workers int) (middle, low, high float64) {
	r := rand.New(rand.NewSource(int64(workers)))
	largest := func(n int) float64 { // share of n keys that the worker with most of them gets
		count := make([]int, workers)
		for range n {
			count[r.Intn(workers)]++
		}
		return float64(slices.Max(count)) / float64(n)
	}
	inTurn := float64((j.shards+workers-1)/workers) / float64(j.shards)
	all := make([]float64, draws)
	for i := range all {
		all[i] = j.of["Detect"]*inTurn + j.of["Resolve"]*largest(j.buckets) + j.of["Rewrite"]*largest(j.shards) + j.of["Commit"]
	}
	slices.Sort(all)
	return all[draws/2], all[draws/20], all[draws-1-draws/20]
}

// compared writes what was simulated beside what was measured.
func compared(out io.Writer, runs map[int]*balance, buckets int) {
	least := fewest(runs)
	j := job{least.shards, buckets, map[string]float64{}}
	one := 0.0
	for _, stage := range stages {
		j.of[stage] = least.sum(stage)
		one += j.of[stage]
	}
	fmt.Fprintf(out, "| workers | simulated, s (nine of ten times) | measured, s | times as fast, simulated | measured | "+
		"CPU s of all workers |\n"+
		"|--:|--:|--:|--:|--:|--:|\n")
	for _, n := range slices.Sorted(maps.Keys(runs)) {
		middle, low, high := simulate(j, n)
		total := 0.0
		for _, stage := range stages {
			total += runs[n].sum(stage)
		}
		fmt.Fprintf(out, "| %d | %.1f (%.1f to %.1f) | %.1f | %.2f | %.2f | %.1f |\n", n, middle, low, high, runs[n].slowest(), one/middle,
			one/runs[n].slowest(), total)
	}
}

// corpora are those that are foretold, in notes as they were measured.
var corpora = []struct {
	notes   float64
	shardMB float64
	workers []int
}{
	{2_650_000, 64, []int{1, 2, 4, 8, 16}},
	{2_650_000, 8, []int{1, 2, 4, 8, 16}},
	{100_000_000, 64, []int{16, 64, 256}},
}

// byWorkers writes the comparison and what follows from it for larger corpora.
func byWorkers(out io.Writer, name, measured string) error {
	runs, err := readBalance(name)
	if err != nil {
		return err
	}
	f, err := figures.Read(measured)
	if err != nil {
		return err
	}
	s, err := speedOf(f)
	if err != nil {
		return err
	}
	const buckets = 128
	compared(out, runs, buckets)
	least := fewest(runs)
	for _, c := range corpora {
		files := c.notes * s.noteBytes * s.fileBytes
		j := job{int(math.Ceil(files / (c.shardMB * 1e6))), int(max(buckets, c.notes/20_000)), map[string]float64{}}
		// The other stages are those that were measured, by the bytes of text; Detect has the
		// network on top, and the rest of what a note takes.
		j.of["Detect"] = c.notes * s.cpu
		for _, stage := range stages[1:] {
			j.of[stage] = least.sum(stage) / least.text * c.notes * s.noteBytes
			j.of["Detect"] -= j.of[stage]
		}
		fmt.Fprintf(out, "\n%s notes, %s shards of %.0f MB:\n\n", humanize.Comma(int64(c.notes)), humanize.Comma(int64(j.shards)), c.shardMB)
		foretold(out, j, c.workers)
	}
	return nil
}

// foretold writes how long a job takes at more and more workers.
func foretold(out io.Writer, j job, workers []int) {
	one, _, _ := simulate(j, 1)
	fmt.Fprintf(out, "| workers | hours (nine of ten times) | times as fast | of the workers' time in use |\n|--:|--:|--:|--:|\n")
	for _, n := range workers {
		middle, low, high := simulate(j, n)
		fmt.Fprintf(out, "| %d | %.3g (%.3g to %.3g) | %.1f | %.0f %% |\n", n, middle/3600, low/3600, high/3600, one/middle,
			100*one/middle/float64(n))
	}
}
