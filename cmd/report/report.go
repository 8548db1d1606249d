// Package report writes the page by which a release is signed off: what the job has
// released of it, with what was found out since, for the private part.
package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/cmd/attack"
	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

var help = cli.Help{
	Command: "palimpsest report",
	About: `
report writes the page by which a release is signed off: the release's own report,
with what is left by your estimate, canaries, attack, and the release before. It is a
private page, for a browser or a printer, and goes to the job's private part.

  palimpsest report --config job.yaml --estimate estimate.json --attack attack.json
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "the settings of the job: its output and private part"},
		{Flags: "--estimate FILE", Text: "what the command estimate has written as JSON"},
		{Flags: "--attack FILE", Text: "what the command attack has written as JSON"},
		{Flags: "--canaries FILE", Text: "what the command canaries has written (default: canaries.json of the private part)"},
		{Flags: "--former DIR", Text: "the output of the release before, to compare with"},
		{Flags: "--release_date DAY", Text: "YYYY-MM-DD, which the page bears"},
	},
}

// settings are the flags.
type settings struct {
	config, output, private, to            string
	estimate, attack, canaries, former, on string
}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var s settings
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	for _, f := range []struct {
		to          *string
		name, usage string
	}{
		{&s.config, "config", "YAML file of the job's settings"},
		{&s.output, "output", "the job's output (default: as in --config)"},
		{&s.private, "private", "the job's private part (default: as in --config)"},
		{&s.to, "to", "file to write (default: report.html below --private)"},
		{&s.estimate, "estimate", "what palimpsest estimate --json has written; one of other settings is refused"},
		{&s.attack, "attack", "what palimpsest attack --json has written"},
		{&s.canaries, "canaries",
			"what palimpsest canaries has written; one of other settings is refused (default: canaries.json below --private, " +
				"if it is there)"},
		{&s.former, "former", "the output of the release before"},
		{&s.on, "release_date", "day of the release, YYYY-MM-DD (default: as the job was given it)"},
	} {
		flags.StringVar(f.to, f.name, "", f.usage)
	}
	return help.Main(flags, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		if err := s.complete(ctx); err != nil {
			return fault.Mark(fault.Settings, err)
		}
		page, err := s.page(ctx)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := page.Write(&b); err != nil {
			return err
		}
		if err := storage.ReplacePrivateFile(ctx, s.to, b.Bytes()); err != nil {
			return err
		}
		v := page.Verdict()
		fmt.Fprintln(stdout, cli.Wrap(v.Text+" "+v.Why, 0, 90))
		for _, line := range page.LookAt() {
			fmt.Fprintln(stdout, "-"+cli.Wrap(line, 2, 90)[1:])
		}
		fmt.Fprintf(stdout, "\nThe page is %s; open it in a browser, or print it.\n", s.to)
		return nil
	})
}

// complete fills in what the job's settings say.
func (s *settings) complete(ctx context.Context) error {
	o, inFile, err := pipeline.ReadFile(ctx, s.config)
	if err != nil {
		return err
	}
	if s.output == "" {
		s.output = o.Output
	}
	if s.private == "" && inFile["private"] {
		s.private = o.Private
	}
	s.output, s.private = strings.TrimRight(s.output, "/"), strings.TrimRight(s.private, "/")
	switch {
	case s.output == "":
		return errors.New("--output is missing: name the job's output, or give its settings by --config")
	case s.private == "":
		return errors.New("--private is missing: name the job's private part, or give its settings by --config")
	}
	if !strings.Contains(s.private, "://") {
		if _, err := os.Stat(s.private); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--private=%s is not there; name the private part that the job wrote", s.private)
		}
	}
	if s.to == "" {
		s.to = storage.Join(s.private, transforms.ReportPage)
	}
	if storage.Inside(s.to, s.output) {
		return fmt.Errorf("--to=%s lies inside the output, so what must not be released would be; name another place", s.to)
	}
	if s.on != "" {
		if _, err := time.Parse(time.DateOnly, s.on); err != nil {
			return fmt.Errorf("--release_date=%s: write a day as YYYY-MM-DD", s.on)
		}
	}
	return nil
}

// release reads what a job has said of its release, once that is finished. trials says
// that a trial will do: of one, the page says that it is none.
func release(ctx context.Context, output string, trials bool) (m transforms.Manifest, r transforms.Report, digest string, err error) {
	raw, err := storage.ReadFile(ctx, storage.Join(output, transforms.ManifestFile), 1<<30)
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err == nil {
		r, err = pipeline.ReadReport(ctx, output)
	}
	if err == nil {
		err = pipeline.Finished(ctx, output, trials && m.Trial != "")
	}
	if err != nil {
		err = fault.Mark(fault.Refused, fmt.Errorf("%s holds no finished release: %w", output, err))
	}
	return m, r, fmt.Sprintf("%x", sha256.Sum256(raw)), err
}

func (s *settings) page(ctx context.Context) (*transforms.Page, error) {
	m, r, digest, err := release(ctx, s.output, true)
	if err != nil {
		return nil, err
	}
	p := transforms.NewPage(m, r)
	p.Private, p.Output = true, s.output
	if _, err := storage.ReadFile(ctx, storage.Join(s.private, store.SamplePath), 1<<30); err == nil {
		p.Reviewed = true
	}
	if s.on != "" {
		p.Report.ReleaseDate = s.on
	}
	of := gate.Settings{Configuration: m.ConfigDigest, Settings: m.Configuration.SettingsDigest()}
	if s.estimate != "" {
		raw, err := storage.ReadFile(ctx, s.estimate, 1<<28)
		if err == nil {
			p.Estimate, err = gate.ReadEstimate(raw, of)
		}
		if err != nil {
			return nil, fault.Mark(fault.Refused, fmt.Errorf("--estimate=%s: %w", s.estimate, err))
		}
	}
	if p.Canaries, err = s.readCanaries(ctx, of); err != nil {
		return nil, err
	}
	if s.attack != "" {
		if p.Attack, err = readAttack(ctx, s.attack, digest, r.RowsOut); err != nil {
			return nil, fault.Mark(fault.Refused, fmt.Errorf("--attack=%s: %w", s.attack, err))
		}
	}
	if s.former != "" {
		p.Former = &transforms.FormerPage{Name: strings.TrimRight(s.former, "/")}
		if p.Former.Manifest, p.Former.Report, _, err = release(ctx, p.Former.Name, false); err != nil {
			return nil, err
		}
	}
	if r.Gate != nil {
		g, err := pipeline.ReadGateReport(ctx, s.private)
		if err != nil {
			return nil, fault.Mark(fault.Refused, fmt.Errorf("the release was made with a gate, whose findings are missing: %w", err))
		}
		p.Places = g.Places
		for _, n := range g.Listed {
			p.Found += n
		}
	}
	return p, nil
}

func (s *settings) readCanaries(ctx context.Context, of gate.Settings) (*gate.CanariesFile, error) {
	name := s.canaries
	if name == "" {
		name = storage.Join(s.private, transforms.CanariesFile)
	}
	raw, err := storage.ReadFile(ctx, name, 1<<28)
	if s.canaries == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var c *gate.CanariesFile
	if err == nil {
		c, err = gate.ReadCanaries(raw, of)
	}
	if err != nil {
		err = fault.Mark(fault.Refused, fmt.Errorf("--canaries=%s: %w", name, err))
	}
	return c, err
}

// readAttack reads the counts of an attack on the release of a manifest of that SHA-256,
// or of so many rows: files of earlier versions do not say more of theirs.
func readAttack(ctx context.Context, name, manifest string, notes int64) (*transforms.AttackPage, error) {
	raw, err := storage.ReadFile(ctx, name, 1<<28)
	if err != nil {
		return nil, err
	}
	var a attack.Result
	if err := json.Unmarshal(raw, &a); err != nil || a.Tokens == nil {
		return nil, errors.New("it is nothing that palimpsest attack --json has written")
	}
	switch {
	case a.Manifest == "" && int64(a.Notes) != notes:
		return nil, fmt.Errorf("it is of a release of %d notes, and this one has %d; attack this one", a.Notes, notes)
	case a.Manifest != "" && a.Manifest != manifest:
		return nil, errors.New("it is of another release, with another manifest.json; run palimpsest attack --json on this one")
	}
	p := &transforms.AttackPage{Unnamed: a.Manifest == "", Checked: a.Checked, Patients: a.Patients, Shifts: a.Shifts}
	for _, k := range a.Evidence {
		p.Evidence = append(p.Evidence, transforms.AttackEvidence{Kind: k.Kind, Patients: k.Patients, Exactly: k.Exactly, Within7: k.Within7,
			Within30: k.Within30, Right: k.Right})
	}
	for _, k := range a.Tokens {
		p.Tokens = append(p.Tokens, transforms.AttackTokens{Kind: k.Kind, N: k.N, Notes: k.Notes, Right: k.Right})
	}
	switch o := a.Order; {
	case o == nil:
	case !o.Believed:
		p.Order = "The order of rows tells nothing that this attack can use."
	default:
		p.Order = fmt.Sprintf("The order of rows (%s) tells the shifts of %d patients up to one common number of days, which one true date "+
			"gives away.", o.Model, o.Patients)
	}
	return p, nil
}
