// Package canaries plants made-up identifiers in copies of notes and counts how many
// of them the job finds. The copies are thrown away.
package canaries

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

var help = cli.Help{
	Command: "palimpsest canaries",
	About: `
canaries plants made-up identifiers in copies of some of your notes, does the job to
the copies, and tells how many it found, by type. The copies are thrown away; the
counts go to canaries.json below --private, where a gate reads them.

  palimpsest canaries --config job.yaml --notes 200
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "the job's settings; any of them can be a flag here too"},
		{Flags: "--notes N", Text: "how many notes to copy (100); each gets four identifiers"},
		{Flags: "--seed N", Text: "another number draws other notes and makes up others"},
		{Flags: "--json FILE", Text: "write the counts there instead, away from the output"},
	},
	More: `
What is planted comes from the lists that surrogates are drawn from, in sentences
that no model was trained on, in plain notes alone: none in HTML or RTF. Real
identifiers are rarer and stand in odder places: canaries tell that a job finds what
it ought to, such as after a change of model or settings, and not how much is left.
For that, review and estimate.`,
}

// own are the settings that are not the job's.
var own = cli.Group{Title: "What is planted", Flags: []string{"notes", "seed", "json"}}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	options := pipeline.DefaultOptions()
	flags := flag.NewFlagSet("canaries", flag.ContinueOnError)
	options.Register(flags)
	notes := flags.Int("notes", 100, "how many notes to copy; each copy gets four identifiers")
	seed := flags.Uint64("seed", 1, "another number draws other notes and makes up other identifiers")
	file := flags.String("json", "", "write the counts there (default: canaries.json below --private)")
	h := help
	h.Groups = append([]cli.Group{own}, pipeline.Groups()...)
	return h.Main(flags, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		if err := options.ApplyFile(ctx, flags); err != nil {
			return err
		}
		if *notes < 1 {
			return fault.Mark(fault.Settings, errors.New("--notes: write at least 1"))
		}
		cfg, err := pipeline.NewConfig(options)
		if err != nil {
			return fault.Mark(fault.Settings, fmt.Errorf("%w\npalimpsest canaries --help all explains the settings", err))
		}
		if *file != "" && storage.Inside(*file, cfg.Output) {
			return fault.Mark(fault.Settings, fmt.Errorf("--json=%s lies inside the output; the ids of notes in it must not be released", *file))
		}
		slog.SetDefault(slog.New(slog.DiscardHandler))
		return plant(ctx, stdout, cfg, *notes, *seed, *file)
	})
}

func plant(ctx context.Context, stdout io.Writer, cfg transforms.Config, notes int, seed uint64, file string) error {
	cfg, inputs, err := pipeline.PrepareApart(ctx, cfg)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	found, err := transforms.PlantCanaries(ctx, cfg, inputs.Shards, notes, seed)
	if err != nil {
		return err
	}
	if found.All.Planted == 0 {
		return fault.Mark(fault.Refused,
			errors.New("nothing could be planted: the input has no notes in plain text, or the job would hold all of them back"))
	}
	if file == "" {
		file = storage.Join(cfg.Private, transforms.CanariesFile)
		if err := storage.MakePrivate(cfg.Private); err != nil {
			return err
		}
	}
	if err := write(ctx, file, found); err != nil {
		return err
	}
	tell(stdout, found)
	fmt.Fprintf(stdout, "\nWritten to %s, for `canaries: {file: ...}` of a gate.\n", file)
	return nil
}

func write(ctx context.Context, file string, found *gate.CanariesFile) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(found); err != nil {
		return err
	}
	return storage.ReplacePrivateFile(ctx, file, b.Bytes())
}

func tell(out io.Writer, f *gate.CanariesFile) {
	fmt.Fprintf(out, "%d made-up identifiers were planted in copies of %d notes; %d were found whole, %d in part.\n\n", f.All.Planted, f.Notes,
		f.All.Found, f.All.Partly)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "type\tplanted\tfound\tin part\tshare found, 95 % interval")
	line := func(name string, c gate.CanariesByType) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.1f %% (%.1f to %.1f)\n", name, c.Planted, c.Found, c.Partly, 100*c.Share.Point, 100*c.Share.Low,
			100*c.Share.High)
	}
	line("all", f.All)
	for _, c := range f.ByType {
		line(c.Type, c)
	}
	w.Flush()
	if f.NotPlain > 0 {
		fmt.Fprintf(out, "\nNothing was planted in %d notes in HTML, RTF or another format; the counts say nothing of them.\n", f.NotPlain)
	}
	if f.Failed > 0 {
		fmt.Fprintf(out, "\n%d copies the job would hold back in quarantine; they are not counted.\n", f.Failed)
	}
}
