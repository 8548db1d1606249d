// Package attack runs on a release what somebody would who wants the true dates
// and names back, and prints how far that gets. It prints no text of any note.
package attack

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// settings are the flags, and what the job's file of settings says for them.
type settings struct {
	release    string
	begin, end int // of the extract, in days since 1970-01-01; 0 for unknown
	options    pipeline.Options
	check      bool // guesses, by the key and the input
	json       string
}

var help = cli.Help{
	Command: "palimpsest attack",
	About: `
attack tries to take a release back. From what is released, and what you say an
outsider knows, it guesses by how many days each patient's dates moved, and finds
names that no list of surrogates holds. It prints counts and no text. Finding
nothing proves nothing; --help all says what it does not try.

  palimpsest attack --release scrubbed --extract_begin 2012-01-01
  palimpsest attack --config job.yaml     with input and key: how many guesses are right
`,
	More: `"Known within 30 days" means that the shifts which are left, of all that the
manifest allows, lie within 30 days of their middle. What the order of rows tells
is known up to one number of days, the same for all patients, which one true date
gives away; how exactly, it reckons by guessing from two halves of the rows.
Without the key a guess is only a guess, and many are wrong: an appointment in half
a year looks like a date that did not move.

It knows no other tables, no news, and reads nothing as a person would. Its list of
products is short; "names" are words behind titles and listed given names alone. Of
large releases it takes the order of 200,000 rows.
`,
	Brief: []cli.Setting{
		{Flags: "--release DIR", Text: "the output of the job, with its manifest.json and _SUCCESS"},
		{Flags: "--config FILE", Text: "the job's settings"},
		{Flags: "--extract_begin DAY", Text: "an outsider knows the first day of the notes, YYYY-MM-DD"},
		{Flags: "--extract_end DAY", Text: "and the last"},
		{Flags: "--json FILE", Text: "write the counts there too, for a report"},
	},
}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("attack", flag.ContinueOnError)
	config := fs.String("config", "",
		"YAML file of the job's settings: --release defaults to its output, and guesses are checked by its input and key")
	release := fs.String("release", "", "the output of a job: a directory, gs:// or s3:// prefix that holds manifest.json and _SUCCESS")
	begin := fs.String("extract_begin", "", "first day of the notes, YYYY-MM-DD, if an outsider knows it")
	end := fs.String("extract_end", "", "last day of the notes, YYYY-MM-DD, if an outsider knows it (default: as the manifest says)")
	check := fs.Bool("check", true, "with --config: say which guesses are right; --check=false for an outsider's view")
	to := fs.String("json", "", "file to write the counts to, as JSON")
	return help.Main(fs, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		s := settings{release: *release, json: *to}
		var err error
		if s.options, _, err = pipeline.ReadFile(ctx, *config); err != nil {
			return err
		}
		s.check = *check && *config != ""
		if s.release == "" {
			s.release = s.options.Output
		}
		if s.release == "" {
			return fault.Mark(fault.Settings, errors.New("--release is missing: name the output of a job, or the job's --config"))
		}
		if s.json != "" && storage.Inside(s.json, s.release) {
			return fault.Mark(fault.Settings, fmt.Errorf("--json=%s lies inside the release, so it would go out with it; name "+
				"another place", s.json))
		}
		for _, d := range []struct {
			flag, text string
			to         *int
		}{{"extract_begin", *begin, &s.begin}, {"extract_end", *end, &s.end}} {
			if *d.to, err = dayOf(d.text); err != nil {
				return fault.Mark(fault.Settings, fmt.Errorf("--%s=%s: write a day as YYYY-MM-DD", d.flag, d.text))
			}
		}
		result, err := run(ctx, s)
		if err != nil {
			return err
		}
		result.write(stdout)
		if s.json == "" {
			return nil
		}
		raw, err := json.MarshalIndent(result, "", "  ")
		if err != nil {
			return err
		}
		if err := storage.ReplacePrivateFile(ctx, s.json, append(raw, '\n')); err != nil {
			return fmt.Errorf("--json: %w", err)
		}
		return nil
	})
}

// dayOf reads a day, in days since 1970-01-01; 0 for none.
func dayOf(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	return int(t.Unix() / 86_400), err
}
