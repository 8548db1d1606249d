package main

import (
	"context"
	"fmt"
	"io"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
	"github.com/palimpsest-deid/palimpsest/tools/copies/charts"
)

// reuseOf writes how many tokens lie in windows seen before, by way of cutting, where
// lines are edited and where they are copied as they were. No network runs.
func reuseOf(ctx context.Context, w io.Writer, notes int) error {
	sources, err := invent.Texts(ctx, "examples/notes.parquet")
	if err != nil {
		return err
	}
	shape := charts.Usual
	shape.Notes, shape.Share = notes, 0.5
	usual := charts.Make(1, sources, shape)
	shape.Edited = 0
	unedited := charts.Make(1, sources, shape)
	fmt.Fprint(w, "| windows | mean length | tokens seen before | where no line is edited |\n|---|--:|--:|--:|\n")
	now := bilstmcrf.DefaultCutting(128)
	cuttings := []token.Cutting{now}
	for _, most := range []int{96, 80, 64} {
		c := now
		c.Most = most
		cuttings = append(cuttings, c)
	}
	for _, c := range append(cuttings, token.Cutting{Least: 16, Inner: 16, Most: 128}, token.Cutting{Least: 16, Inner: 16, Most: 64}) {
		share, mean := reusable(usual, c)
		clean, _ := reusable(unedited, c)
		fmt.Fprintf(w, "| sections from %d, lines from %d, %d at most | %.0f | %.0f %% | %.0f %% |\n", c.Least, c.Inner, c.Most, mean, 100*share,
			100*clean)
	}
	return nil
}

// reusable returns the share of tokens in windows that were there before, and the mean
// length of windows.
func reusable(notes []charts.Note, cutting token.Cutting) (share, mean float64) {
	seen := map[string]bool{}
	all, again, count := 0, 0, 0
	var windows []token.Window
	for _, n := range notes {
		tokens := token.Tokenize(nil, n.Text)
		windows = cutting.Windows(windows[:0], n.Text, tokens)
		for _, w := range windows {
			text := n.Text[tokens[w.Start].Start:tokens[w.End-1].End]
			all += w.End - w.Start
			if seen[text] {
				again += w.End - w.Start
			}
			seen[text] = true
		}
		count += len(windows)
	}
	return float64(again) / float64(all), float64(all) / float64(count)
}
