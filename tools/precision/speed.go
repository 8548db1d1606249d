package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/tools/cputime"
)

// speed measures two models by processor time, which hardly depends on what else the
// machine does: tokeniser and rules apart, one goroutine, all that tagging takes. They take
// turns at the same 64 notes, and each note's fastest of the rounds counts.
func speed(out io.Writer, models [2]model, notes []note, rounds int) error {
	tokens, took, err := turns(models[:], notes, rounds)
	if err != nil {
		return err
	}
	full, small := float64(tokens)/took[0].Seconds(), float64(tokens)/took[1].Seconds()
	_, err = fmt.Fprintf(out, "| | tokens/s of a core |\n|---|--:|\n| %s | %.0f |\n| %s | %.0f (%.2f times) |\n",
		models[0], full, models[1], small,
		small/full)
	return err
}

// turns returns the tokens of the notes and the processor time that each model takes for
// them.
func turns(models []model, notes []note, rounds int) (tokens int, took []time.Duration, err error) {
	var texts []tagger.Text
	for _, n := range notes {
		texts = append(texts, n.text)
		tokens += len(n.text.Tokens)
	}
	took = make([]time.Duration, len(models))
	for chunk := range slices.Chunk(texts, 64) {
		best := make([]time.Duration, len(models))
		for round := range rounds + 1 {
			for i, m := range models {
				before := cputime.Used()
				if _, err := m.tagger.Tag(chunk); err != nil {
					return 0, nil, err
				}
				// The first warms the cache of forms.
				if t := cputime.Used() - before; round == 1 || round > 1 && t < best[i] {
					best[i] = t
				}
			}
		}
		for i := range models {
			took[i] += best[i]
		}
	}
	return tokens, took, nil
}

// byPositions measures one model by the positions of a run.
func (s settings) byPositions(ctx context.Context, out io.Writer) error {
	var models []model
	var numbers []int
	for of := range strings.SplitSeq(s.positions, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(of))
		if err != nil || n < 1 {
			return fmt.Errorf("--positions=%s: give numbers above 0", s.positions)
		}
		m, err := load(ctx, s.full, n)
		if err != nil {
			return err
		}
		models, numbers = append(models, m), append(numbers, n)
	}
	parts := s.parts(models[0].loaded.Language)
	notes, err := parts[0].read(ctx)
	if err != nil {
		return err
	}
	tokens, took, err := turns(models, notes, s.rounds)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| positions in a run of %s | tokens/s of a core |\n|--:|--:|\n", models[0])
	for i, n := range numbers {
		fmt.Fprintf(out, "| %d | %.0f |\n", n, float64(tokens)/took[i].Seconds())
	}
	return nil
}
