// Package estimate tells from a reviewed sample how much a job has left in what
// it released.
package estimate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/estimate"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/storage"
)

var help = cli.Help{
	Command: "palimpsest estimate",
	About: `
estimate tells from the notes that were reviewed how many identifiers are left in
the whole release, and which share was found, with 95 % intervals. It holds for
releases of the same model, version, policy and settings, and refuses others.

  palimpsest estimate --config job.yaml
  palimpsest estimate --config job.yaml --bound 50 --json estimate.json
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "the settings of the job: its output and private part"},
		{Flags: "--bound N", Text: "tell how many more notes it takes until at most N identifiers are left per 1,000 notes"},
		{Flags: "--json FILE", Text: "write the estimate as JSON, too"},
	},
	More: `
The intervals take into account that some notes are drawn more often than others,
that notes of one patient are alike, and what reviewers overlook, as far as the
notes show that they first saw without marks. Reviewers who overlook what the job
overlooks, and for the same reason, cannot know of it.`,
}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var f store.Flags
	flags := flag.NewFlagSet("estimate", flag.ContinueOnError)
	f.Register(flags)
	bound := flags.Float64("bound", 0, "tell how many more notes it takes until at most so many identifiers are left per 1,000 notes, by "+
		"the upper end of the interval")
	file := flags.String("json", "", "write the estimate as JSON, too")
	return help.Main(flags, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		if *bound < 0 || math.IsNaN(*bound) {
			return fault.Mark(fault.Settings, errors.New("--bound: write a number above 0"))
		}
		e, job, err := of(ctx, f, *bound)
		if err != nil {
			return err
		}
		if *file != "" && storage.Inside(*file, job.Output) {
			return fault.Mark(fault.Settings, fmt.Errorf("--json=%s lies inside the output, so it would be released; name another place", *file))
		}
		if *file != "" {
			if err := write(ctx, *file, e); err != nil {
				return err
			}
		}
		tell(stdout, e)
		return nil
	})
}

// Estimate is what --json writes. It holds no text and no ids.
type Estimate struct {
	FormatVersion int    `json:"format_version"`
	Digest        string `json:"configuration_digest"` // of the releases that it holds for
	Settings      string `json:"settings_digest"`      // of others that differ in tonight's tables of known identifiers alone
	Reviewed      string `json:"last_decision"`        // YYYY-MM-DD
	Seed          uint64 `json:"seed"`
	Release       int    `json:"release_notes"` // of the release that the sample was drawn from
	Sample        int    `json:"sample_notes"`
	Open          int    `json:"open_notes"`     // not reviewed yet
	Disputed      int    `json:"disputed_notes"` // two reviewers differ, and nobody has decided
	estimate.Result
	Bound *Bound `json:"bound,omitempty"`
}

// Bound is what a wanted bound takes.
type Bound struct {
	Wanted    float64 `json:"left_per_1000_notes"`
	Reachable bool    `json:"reachable"`  // the estimate itself lies below it
	MoreNotes int     `json:"more_notes"` // 0 if it is reached
}

func of(ctx context.Context, f store.Flags, bound float64) (*Estimate, *store.Job, error) {
	job, folder, err := f.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	r, err := store.Open(ctx, job, folder, nil)
	if err != nil {
		return nil, nil, err
	}
	outcomes, disputed, open, err := r.Outcomes()
	if err != nil {
		return nil, nil, err
	}
	notes := make([]estimate.Note, len(outcomes))
	for i := range outcomes {
		notes[i] = outcomes[i].Estimable()
	}
	if len(notes) < 2 {
		return nil, nil, fault.Mark(fault.Refused, fmt.Errorf("%d notes of the sample in %s are reviewed to the end; it takes two at "+
			"least. Go on with palimpsest review, and end each note with Enter", len(notes), folder))
	}
	e := &Estimate{FormatVersion: 1, Digest: job.Digest(), Seed: r.Sample.Wanted.Seed, Release: r.Sample.Release, Sample: len(r.Sample.Notes),
		Open: open, Disputed: disputed, Result: estimate.Of(notes)}
	if e.Settings, err = settingsDigest(ctx, job.Output); err != nil {
		return nil, nil, err
	}
	if e.Reviewed, err = r.LastDecision(); err != nil {
		return nil, nil, err
	}
	if bound > 0 {
		more, ok := estimate.More(notes, bound)
		e.Bound = &Bound{bound, ok, more}
	}
	return e, job, nil
}

// finite is the most that JSON can say where an interval has no upper end.
const finite = math.MaxFloat64

func write(ctx context.Context, path string, e *Estimate) error {
	bounded := *e
	bounded.ByType = append([]estimate.ByType{}, e.ByType...)
	for i := range bounded.ByType {
		bounded.ByType[i].Left.High = min(bounded.ByType[i].Left.High, finite)
	}
	bounded.All.Left.High = min(bounded.All.Left.High, finite)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&bounded); err != nil {
		return err
	}
	if err := storage.ReplacePrivateFile(ctx, path, b.Bytes()); err != nil {
		return fmt.Errorf("--json: %w", err)
	}
	return nil
}

func tell(w io.Writer, e *Estimate) {
	fmt.Fprintf(w, "%d of %d notes of the sample are reviewed, of %d patients; the release it was drawn from has %d notes.\n", e.Notes,
		e.Sample, e.Patients,
		e.Release)
	if e.Disputed > 0 {
		fmt.Fprintf(w, "\nWARNING: more is left than this says. In %d notes two reviewers differ and nobody has decided; they are left out, "+
			"and notes in which something was missed are often among them. Run palimpsest review --adjudicate, then estimate again. "+
			"A gate and the report refuse this estimate.\n\n", e.Disputed)
	}
	if e.Reviewer == nil {
		fmt.Fprintln(w, "No reviewed note was first shown without marks, so what reviewers overlook is not known and NOT in the intervals.")
	} else {
		fmt.Fprintf(w, "Of %d identifiers in %d notes shown without marks, reviewers marked %d: they find %s. The figures allow for it.\n",
			e.ReviewerShown,
			e.ReviewerNotes, e.ReviewerSeen, percent(*e.Reviewer))
	}
	fmt.Fprintf(w, "\nIdentifiers left per 1,000 notes  %s\nShare that was found (recall)     %s\n\n", count(e.All.Left),
		percent(e.All.Recall))
	fmt.Fprintf(w, "%-16s %6s %6s   %-26s %s\n", "type", "found", "missed", "recall", "left per 1,000 notes")
	for _, t := range e.ByType {
		fmt.Fprintf(w, "%-16s %6d %6d   %-26s %s\n", t.Type, t.Found, t.Missed, percent(t.Recall), count(t.Left))
	}
	if b := e.Bound; b != nil {
		fmt.Fprintln(w)
		switch {
		case !b.Reachable:
			fmt.Fprintf(w, "No number of notes will show that at most %g are left per 1,000 notes: the estimate itself is higher.\n", b.Wanted)
		case b.MoreNotes == 0:
			fmt.Fprintf(w, "The sample shows that at most %g are left per 1,000 notes.\n", b.Wanted)
		default:
			fmt.Fprintf(w, "About %d more notes are needed to show that at most %g are left per 1,000 notes, if they are like those reviewed.\n",
				b.MoreNotes,
				b.Wanted)
		}
	}
}

func percent(i estimate.Interval) string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*i.Point, 100*i.Low, 100*i.High)
}

func count(i estimate.Interval) string {
	if math.IsInf(i.High, 1) {
		return fmt.Sprintf("%.0f (%.0f to unknown)", i.Point, i.Low)
	}
	return fmt.Sprintf("%.0f (%.0f to %.0f)", i.Point, i.Low, i.High)
}
