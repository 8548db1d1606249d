package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// maxGateFile bounds a file of thresholds, and those that it names.
const maxGateFile = 16 << 20

// readGate reads the thresholds of --gate and the files that they name, and the
// second reader's model. Mistakes in them are fault.Settings.
func readGate(ctx context.Context, c transforms.Config) (*transforms.Gate, error) {
	if c.GateFile == "" {
		return nil, nil
	}
	raw, err := storage.ReadFile(ctx, c.GateFile, maxGateFile)
	if err != nil {
		return nil, fmt.Errorf("--gate: %w", err)
	}
	t, err := gate.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("--gate=%s: %w", c.GateFile, err)
	}
	g := &transforms.Gate{Thresholds: *t}
	if r := t.SecondReader; r != nil {
		if runsOn(dataflow) && !modelName.MatchString(r.Model) && elsewhere(r.Model) {
			return nil, fmt.Errorf("--gate=%s: second_reader: model %s: "+notInCloud, c.GateFile, r.Model)
		}
		g.ReaderDir = r.Model
		if modelName.MatchString(r.Model) {
			if g.ReaderDir, err = shipped(r.Model); err != nil {
				return nil, fmt.Errorf("--gate=%s: second_reader: %s", c.GateFile, strings.TrimPrefix(err.Error(), "--model="))
			}
		}
		m, err := transforms.LoadModel(ctx, g.ReaderDir)
		if err != nil {
			return nil, fmt.Errorf("--gate=%s: second_reader: %w", c.GateFile, err)
		}
		g.Reader = transforms.ModelIdentity{Name: m.Name, Version: m.Version, Digest: m.Digest}
		if slices.ContainsFunc(c.What.Models(), func(of transforms.ModelIdentity) bool { return of.Digest == m.Digest }) {
			return nil, fmt.Errorf("--gate=%s: second_reader: it is a model that the job itself finds with, and would find nothing more; "+
				"name another one", c.GateFile)
		}
		if runsOn(dataflow) && modelName.MatchString(r.Model) {
			g.ReaderDir = storage.Join(imageModels, r.Model)
		}
	}
	if d := t.Drift; d != nil {
		dir := strings.TrimRight(d.Former, "/")
		former, err := ReadReport(ctx, dir)
		if err != nil {
			return nil, fmt.Errorf("--gate=%s: drift: %s holds no release with a report: %w", c.GateFile, d.Former, err)
		}
		if err := Finished(ctx, dir, false); err != nil {
			return nil, fmt.Errorf("--gate=%s: drift: %s holds no finished release: %w", c.GateFile, d.Former, err)
		}
		g.Former = former.Counted()
	}
	return g, nil
}

// beforehand judges what is known before the job begins: the estimate and the
// canaries. What holds for other settings, and what lies past a threshold, is
// refused before any work. day is that of the release.
func beforehand(ctx context.Context, c transforms.Config, day time.Time) error {
	g := c.Gate
	if g == nil {
		return nil
	}
	g.Before = nil
	of := gate.Settings{Configuration: c.What.Digest(), Settings: c.SettingsDigest()}
	if e := g.Thresholds.Estimate; e != nil {
		raw, err := storage.ReadFile(ctx, e.File, maxGateFile)
		var file *gate.EstimateFile
		if err == nil {
			file, err = gate.ReadEstimate(raw, of)
		}
		var checks []gate.Check
		if err == nil {
			checks, err = e.Judge(file, day)
		}
		if err != nil {
			return fault.Mark(fault.Refused, fmt.Errorf("--gate=%s: estimate %s: %w", c.GateFile, e.File, err))
		}
		g.Before = append(g.Before, checks...)
	}
	if k := g.Thresholds.Canaries; k != nil {
		raw, err := storage.ReadFile(ctx, k.File, maxGateFile)
		var file *gate.CanariesFile
		if err == nil {
			file, err = gate.ReadCanaries(raw, of)
		}
		if err != nil {
			return fault.Mark(fault.Refused, fmt.Errorf("--gate=%s: canaries %s: %w", c.GateFile, k.File, err))
		}
		g.Before = append(g.Before, k.Judge(file))
	}
	v := gate.Judge(&gate.Thresholds{}, gate.Facts{}, g.Before)
	if !v.Passed {
		return fault.Mark(fault.Refused, fmt.Errorf("%w:\n  %s", transforms.ErrGate, strings.Join(v.Refusals(), "\n  ")))
	}
	return nil
}

// gate checks what a gate can know before any work.
func (p *Preparation) gate(ctx context.Context) error {
	if p.Inputs == nil {
		return nil // columns are part of the settings that an estimate holds for
	}
	day, err := releaseDay(p.Config.ReleaseDate)
	if err != nil {
		return err
	}
	return beforehand(ctx, p.Config, day)
}

// releaseDay returns the day of a release: as the user gives it, or today. It
// decides whether an estimate is too old, and nothing that is written.
func releaseDay(given string) (time.Time, error) {
	if given == "" {
		return time.Now(), nil
	}
	day, err := time.Parse(time.DateOnly, given)
	if err != nil {
		err = errors.New("--release_date: write a day as YYYY-MM-DD")
	}
	return day, err
}

// Finished fails unless a release is finished: manifest and report appear before the
// job has read all files again. trials says that a finished trial will do.
func Finished(ctx context.Context, output string, trials bool) error {
	_, err := storage.ReadFile(ctx, storage.Join(output, transforms.SuccessFile), maxReport)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, trial := storage.ReadFile(ctx, storage.Join(output, transforms.TrialFile), maxReport); trial == nil {
		if trials {
			return nil
		}
		return fault.Mark(fault.Refused, errors.New("it is a trial of some notes (--limit); name a release of all of them"))
	}
	return fault.Mark(fault.Refused, fmt.Errorf("it has no %s; wait for the job, or run it again", transforms.SuccessFile))
}

// ReadGateReport reads what a job's gate has found.
func ReadGateReport(ctx context.Context, private string) (*transforms.GateReport, error) {
	name := storage.Join(private, transforms.GateFile)
	raw, err := storage.ReadFile(ctx, name, 1<<30)
	if err != nil {
		return nil, err
	}
	g := &transforms.GateReport{}
	if err := json.Unmarshal(raw, g); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g, nil
}
