// Command origins measures how many names are found, by where the names are from:
// the notes that things are chosen on, their people renamed by lists of 16 origins,
// the same notes for each. It writes docs/origins.md; see there.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	slog.SetLogLoggerLevel(slog.LevelWarn)
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "origins:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("origins", flag.ContinueOnError)
	out := fs.String("out", "docs/origins.md", "file to write")
	head := fs.String("head", "docs/origins.head.md", "file that goes before the tables")
	models := fs.String("models", "en-clinical", "models to measure, with blanks between; all tables are of the first. "+
		"Several with commas between are united, as the job does")
	draws := fs.Int("draws", 4, "how many times the notes are gone through for each origin, each time with other names")
	misses := fs.String("misses", "", "file that gets what the first model missed, line by line; none if it is empty")
	if err := fs.Parse(args); err != nil {
		return err
	}
	m, err := newMeasure(ctx, *draws)
	if err != nil {
		return err
	}
	if strings.TrimSpace(*models) == "" {
		return errors.New("--models names no model; give one or more")
	}
	var results []*result
	for _, model := range strings.Fields(*models) {
		r, err := m.run(ctx, model)
		if err != nil {
			return fmt.Errorf("%s: %w", model, err)
		}
		results = append(results, r)
		if err := m.write(*out, *head, results); err != nil {
			return err
		}
	}
	if *misses != "" {
		return m.writeMisses(*misses, results[0])
	}
	return nil
}

// write writes the page of the models measured so far.
func (m *measure) write(out, head string, results []*result) error {
	text, err := os.ReadFile(head)
	if err != nil {
		return err
	}
	page := bytes.NewBuffer(text)
	m.page(page, results)
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, page.Bytes(), 0o644)
}

// measure is what every model is measured on.
type measure struct {
	origins  []origin
	carriers []carrier
	patients []patient
	draws    int
}

func newMeasure(ctx context.Context, draws int) (*measure, error) {
	if draws < 1 {
		return nil, fmt.Errorf("--draws is %d; give 1 or more", draws)
	}
	all, err := origins()
	if err != nil {
		return nil, err
	}
	m := &measure{origins: all, draws: draws}
	m.carriers, m.patients, err = readCarriers(ctx)
	return m, err
}

// result is what a model found: of each origin's names, and of those that stand in
// the notes as they were written.
type result struct {
	model   string
	tallies []*tally
	written *tally
	all     spread // of all origins
	plain   spread // of those whose names are no words
}

func (m *measure) run(ctx context.Context, model string) (*result, error) {
	cfg, err := annotated.Configuration(ctx, model, "unused.parquet", "", annotated.OnCPU)
	if err != nil {
		return nil, err
	}
	r := &result{model: model, written: newTally()}
	if err := m.tag(ctx, cfg, r.written, func(c carrier, p patient) redrawn { return c.asWritten(p) }); err != nil {
		return nil, err
	}
	for _, o := range m.origins {
		t := newTally()
		for d := range m.draws {
			draw := fmt.Sprint(d)
			if err := m.tag(ctx, cfg, t, func(c carrier, p patient) redrawn { return o.redraw(c, p, draw) }); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(os.Stderr, "origins: %s, %s: %.2f %% of %d words in %d mentions\n", model, o.id, t.words.percent(), t.words.all, t.mentions)
		r.tallies = append(r.tallies, t)
	}
	r.all = m.spread(r, func(origin) bool { return true })
	r.plain = m.spread(r, func(o origin) bool { return o.id != words })
	return r, nil
}

// spread is the range over the origins that want accepts.
func (m *measure) spread(r *result, want func(origin) bool) spread {
	var units [][]unit
	var sizes [][lists]int
	for k, t := range r.tallies {
		if !want(m.origins[k]) {
			continue
		}
		var size [lists]int
		for l, names := range m.origins[k].names {
			size[l] = len(names)
		}
		units, sizes = append(units, t.sorted()), append(sizes, size)
	}
	return spreadOf(units, len(m.patients), sizes, hash("origins"), resamples)
}

// tag runs the job's taggers and steps over all carriers as write writes them, as
// they are and in small letters. No name is known to the job beforehand.
func (m *measure) tag(ctx context.Context, cfg transforms.Config, t *tally, write func(carrier, patient) redrawn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	notes := make([]redrawn, len(m.carriers))
	ids, people, texts := make([]string, len(notes)), make([]string, len(notes)), make([]string, len(notes))
	at := map[string]int{}
	for i, c := range m.carriers {
		notes[i] = write(c, m.patients[c.patient])
		ids[i], people[i], texts[i] = c.id, m.patients[c.patient].id, notes[i].text
		at[c.id] = i
	}
	study, err := transforms.NewStudyOfPatients(ctx, cfg, ids, people, texts)
	if err != nil {
		return err
	}
	setting := deid.Setting{Steps: deid.AllSteps()}
	seen := 0
	for _, s := range study.Run(setting, nil) {
		i := at[s.Document]
		t.add(m.carriers[i], notes[i], s.Spans)
		seen++
	}
	small, err := study.Altered(lower)
	if err != nil {
		return err
	}
	for _, s := range small.Run(setting, nil) {
		i := at[s.Document]
		t.addLower(notes[i], s.Spans)
		seen++
	}
	if seen != 2*len(notes) {
		return fmt.Errorf("%d of %d notes were tagged", seen, 2*len(notes))
	}
	return nil
}

func (m *measure) writeMisses(path string, r *result) error {
	var b strings.Builder
	for k, t := range r.tallies {
		for _, line := range t.missed {
			fmt.Fprintf(&b, "%s\t%s\n", m.origins[k].id, line)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
