// Command copies measures what the cache of windows is worth and what it costs: how
// recall changes where texts are cut by their content (-windows), and how fast the job
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

	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/tools/copies/charts"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	slog.SetLogLoggerLevel(slog.LevelWarn)
	windows := flag.Bool("windows", false, "measure recall over ways of cutting, on dev notes, and write docs/windows.md")
	confirm := flag.Bool("confirm", false, "with --windows: on the held-out and unseen notes, once, when all is chosen")
	reuse := flag.Bool("reuse", false, "print how many tokens windows of other lengths would find again, without running a network")
	shares := flag.String("shares", "0,20,40,50,60,80", "percent of the text that are copied")
	notes := flag.Int("notes", charts.Usual.Notes, "notes of each table of charts")
	pairs := flag.Int("pairs", 3, "runs without and with the cache, in turn, for each table")
	out := flag.String("out", "docs/copies.md", "file to write; the plot goes beside it, with the ending .svg")
	models := flag.String("models", "en-clinical,en-clinical-fast", "models, with commas between them")
	flag.Parse()
	if *windows && *out == "docs/copies.md" {
		*out = "docs/windows.md"
		if *confirm {
			*out = "docs/windows-confirm.md"
		}
	}
	var err error
	if *reuse {
		err = reuseOf(ctx, os.Stdout, *notes)
	} else if *windows {
		sets, cuts := annotated.Choose, candidates
		if *confirm {
			sets, cuts = []annotated.Set{annotated.HeldOut, annotated.Unseen}, chosen
		}
		err = writeCuts(ctx, *out, sets, strings.Split(*models, ","), cuts)
	} else {
		err = speed(ctx, *out, strings.Split(*models, ","), *shares, *notes, *pairs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "copies:", err)
		os.Exit(1)
	}
}

// candidates are the ways of cutting that were chosen from, and chosen is the job's.
var (
	candidates = []cut{byContent(16, 16, 0), byContent(24, 24, 0), byContent(32, 32, 0), byContent(48, 48, 0),
		byContent(8, 48, 0), byContent(16, 48, 0), byContent(16, 64, 0), byContent(24, 96, 0), byContent(16, 64, 16), byContent(16, 64, 32),
		shorter(16, 64, 96), shorter(16, 64, 80), shorter(16, 64, 64)}
	chosen = []cut{byContent(16, 64, 0)}
)
