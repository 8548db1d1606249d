package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
)

// write writes the guide: what was measured, what follows for each engine, and
// what to set.
func write(out io.Writer, markdown bool, c corpus, f *figures.Figures, s speed, p *prices, all []estimate) error {
	about := fmt.Sprintf("%s notes of %.0f bytes, %.1f GB of text in %.1f GB of Parquet.", humanize.Comma(int64(math.Round(c.Notes))),
		c.NoteBytes, c.Notes*c.NoteBytes/1e9, c.Notes*c.NoteBytes*s.fileBytes/1e9)
	measured := [][]string{
		{"measured on", fmt.Sprintf("%s, %d cores", f.Machine.CPU, f.Machine.Cores)},
		{"notes per second and core", fmt.Sprintf("%.0f, of %.0f bytes each", 1/s.cpu, s.noteBytes)},
		{"text per second and core", fmt.Sprintf("%.2f MB", s.noteBytes/s.cpu/1e6)},
		{"of a core's time, the network", fmt.Sprintf("%.0f %%", 100*(1-s.cpuUnneural/s.cpu))},
		{"notes per second and GPU", gpu(c)},
		{"at most, per core that feeds a GPU", fmt.Sprintf("%.0f notes per second", 1/s.cpuUnneural)},
		{"shuffled", fmt.Sprintf("%.0f bytes per note", s.shuffled)},
		{"written", fmt.Sprintf("%.0f bytes per note", s.written)},
		{"memory, one process on Prism", fmt.Sprintf("%d MiB for %s notes", f.Job.PeakMiB, humanize.Comma(int64(f.Job.Notes)))},
	}
	head := []string{"engine", "workers", "--shard_mb", "shards", "core hours", "hours", "GiB a worker", "shuffled GB",
		"machines, " + p.Currency, "other, " + p.Currency, "in all, " + p.Currency}
	var rows [][]string
	for _, e := range all {
		row := []string{e.Engine.Name, fmt.Sprint(e.Workers)}
		if e.Why != "" {
			row = append(row, e.Why)
			for len(row) < len(head) {
				row = append(row, "")
			}
		} else {
			shard := c.ShardMB
			if e.Advice > 0 {
				shard = e.Advice
			}
			memory := fmt.Sprintf("%.1f", e.PeakGiB)
			if e.PeakGiB == 0 {
				memory = "not given"
			}
			row = append(row, fmt.Sprintf("%.0f", shard), fmt.Sprint(e.Shards), fmt.Sprintf("%.1f", e.CoreHours), fmt.Sprintf("%.2f", e.Hours),
				memory,
				fmt.Sprintf("%.2f", e.Shuffled), fmt.Sprintf("%.2f", e.Machines), fmt.Sprintf("%.2f", e.Other), fmt.Sprintf("%.2f", e.cost()))
		}
		rows = append(rows, row)
	}
	const warning = "Prices are the inputs that were given, not claims: check them."
	if !markdown {
		fmt.Fprintf(out, "%s\n\n", about)
		if err := aligned(out, measured); err != nil {
			return err
		}
		fmt.Fprintln(out)
		if err := aligned(out, append([][]string{head}, rows...)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "\n%s\n", warning)
		return err
	}
	fmt.Fprintf(out, "%s\n\n| | |\n|---|---|\n", about)
	for _, r := range measured {
		fmt.Fprintf(out, "| %s |\n", strings.Join(r, " | "))
	}
	fmt.Fprintf(out, "\n| %s |\n|---%s|\n", strings.Join(head, " | "), strings.Repeat("|--:", len(head)-1))
	for _, r := range rows {
		fmt.Fprintf(out, "| %s |\n", strings.Join(r, " | "))
	}
	_, err := fmt.Fprintf(out, "\n%s\n", warning)
	return err
}

func gpu(c corpus) string {
	if c.GPURate <= 0 {
		return "not measured"
	}
	return fmt.Sprintf("%.0f, as given", c.GPURate)
}

func aligned(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(w, strings.TrimRight(strings.Join(r, "\t"), "\t"))
	}
	return w.Flush()
}
