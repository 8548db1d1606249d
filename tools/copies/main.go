// Command copies measures what the cache of windows is worth and what it costs: how
// recall changes where texts are cut by their content (windows), and how fast the job
// is on charts of which so much is copied text (the default, which writes
// docs/copies.md and docs/copies.svg).
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	slog.SetLogLoggerLevel(slog.LevelWarn)
	windows := flag.Bool("windows", false, "measure recall over ways of cutting, on dev notes, and print a table")
	confirm := flag.Bool("confirm", false, "with --windows: on the held-out and unseen notes, once, when all is chosen")
	models := flag.String("models", "en-clinical,en-clinical-fast", "models, with commas between them")
	flag.Parse()
	var err error
	if *windows {
		sets, cuts := toChoose, candidates
		if *confirm {
			sets, cuts = toConfirm, chosen
		}
		err = compareCuts(ctx, os.Stdout, sets, strings.Split(*models, ","), cuts)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "copies:", err)
		os.Exit(1)
	}
}

// candidates are the ways of cutting that were chosen from, and chosen is the job's.
var (
	candidates = []cut{byContent(16, 0), byContent(24, 0), byContent(32, 0), byContent(48, 0), byContent(64, 0),
		byContent(16, 16), byContent(32, 8), byContent(32, 16), byContent(32, 32), byContent(48, 16)}
	chosen = []cut{byContent(32, 0)}
)
