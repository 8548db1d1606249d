// Command precision compares a model with a smaller one, such as was made of it with 8-bit
// weights: speed, pair by pair in one run, what changes in what they find, and what
// that costs, with significance. It writes Markdown, for docs/performance.md and the
// model's card. By default it opens the dev parts of the example notes alone.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	slog.SetLogLoggerLevel(slog.LevelWarn)
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "precision:", err)
		os.Exit(1)
	}
}

// settings are the command's flags.
type settings struct {
	full, small, spanish, positions string
	confirm, job                    bool
	rounds                          int
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	fs := flag.NewFlagSet("precision", flag.ContinueOnError)
	fs.StringVar(&s.full, "full", "onnx/models/en-clinical-accurate", "directory of the model")
	fs.StringVar(&s.small, "small", "", "directory of the one made of it (default: the same name and -int8)")
	fs.StringVar(&s.spanish, "spanish", "../shared/data/meddocan/dev", "MEDDOCAN's dev part, for a Spanish model")
	fs.BoolVar(&s.confirm, "confirm", false, "score the held-out and unseen notes, once, when all is chosen, and measure no speed")
	fs.BoolVar(&s.job, "job", true, "score the whole job too, with rules and known identifiers")
	fs.IntVar(&s.rounds, "rounds", 7, "rounds in which the two models take turns; 0 to measure no speed")
	fs.StringVar(&s.positions, "positions", "", "measure only the model's speed by positions in a run: numbers with commas between them")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if s.small == "" {
		s.small = s.full + "-int8"
	}
	if s.positions != "" {
		return s.byPositions(ctx, out)
	}
	var models [2]model
	for i, dir := range []string{s.full, s.small} {
		var err error
		if models[i], err = load(ctx, dir, 0); err != nil {
			return err
		}
	}
	for _, p := range s.parts(models[0].loaded.Language) {
		notes, err := p.read(ctx)
		if err != nil {
			return err
		}
		if s.rounds > 0 && !s.confirm {
			if err := speed(out, models, notes, s.rounds); err != nil {
				return err
			}
		}
		if err := changed(out, models, notes); err != nil {
			return err
		}
		if err := s.scores(ctx, out, p, models, notes); err != nil {
			return err
		}
	}
	return nil
}

// model is one of the two that are compared.
type model struct {
	dir    string
	loaded *onnx.Model
	tagger tagger.Tagger
}

func (m model) String() string { return m.loaded.Name }

// load makes a model ready on the CPU, without a bias, as cards are scored.
func load(ctx context.Context, dir string, positions int) (model, error) {
	m, err := transforms.LoadModel(ctx, dir)
	if err != nil {
		return model{}, err
	}
	running, err := m.Run(onnx.Setup{Device: onnx.Device{Provider: onnx.CPU}, Positions: positions})
	if err != nil {
		return model{}, fmt.Errorf("model %s: %w", dir, err)
	}
	return model{dir, m, running.Tagger}, nil
}
