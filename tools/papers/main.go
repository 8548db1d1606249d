// Command papers scores the systems of the papers that this project rests on, in
// one table, with the papers' own figures beside ours. It writes docs/papers.md. By
// default it opens the dev parts alone, of the examples and of the varied notes.
//
// A further system is a row in systems.go; its model, if it is not shipped, is looked
// for below --models.
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
	"regexp"
	"strings"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/tools/annotated"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	slog.SetLogLoggerLevel(slog.LevelWarn)
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "papers:", err)
		os.Exit(1)
	}
}

// settings are the command's flags.
type settings struct {
	out, head, models, spanish string
	trials                     string // file to write
	rows                       *regexp.Regexp
	confirm                    bool
}

func run(ctx context.Context, args []string) error {
	var s settings
	fs := flag.NewFlagSet("papers", flag.ContinueOnError)
	fs.StringVar(&s.out, "out", "docs/papers.md", "file to write")
	fs.StringVar(&s.head, "head", "docs/papers.head.md", "file that goes before the tables")
	fs.StringVar(&s.models, "models", ".cache/papers", "folder of models that were trained and are not shipped")
	fs.StringVar(&s.spanish, "spanish", "../shared/data/meddocan/dev", "MEDDOCAN's dev part; passed over where it is missing")
	fs.StringVar(&s.trials, "experiments", "", "file to write the papers' experiments in small to, in place of the table of systems")
	fs.BoolVar(&s.confirm, "confirm", false, "score the held-out and unseen notes too, once, when all is chosen")
	rows := fs.String("rows", "", "regular expression: of the systems, score those alone whose name it matches, and write them to --out")
	if err := fs.Parse(args); err != nil {
		return err
	}
	var err error
	if s.rows, err = regexp.Compile(*rows); err != nil {
		return fmt.Errorf("--rows: %w", err)
	}
	if s.trials != "" {
		var out bytes.Buffer
		if err := s.experiments(ctx, &out, annotated.Choose); err != nil {
			return err
		}
		return write(s.trials, out.Bytes())
	}
	head, err := os.ReadFile(s.head)
	if err != nil {
		return err
	}
	out := bytes.NewBuffer(head)
	if err := s.write(ctx, out); err != nil {
		return err
	}
	return write(s.out, out.Bytes())
}

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// part is a table: the sets of notes that are scored together.
type part struct {
	title string
	sets  []annotated.Set
}

func (s settings) write(ctx context.Context, out *bytes.Buffer) error {
	parts := []part{{"Notes to choose by", annotated.Choose}}
	if s.confirm {
		parts = append(parts, part{"Held-out notes", []annotated.Set{annotated.HeldOut}},
			part{"Unseen notes, hard to read", []annotated.Set{annotated.Unseen}})
	}
	var missing []string
	speeds := map[string]speed{}
	for _, p := range parts {
		var rows []row
		for _, y := range systems {
			if !s.rows.MatchString(y.name) {
				continue
			}
			models, ok := s.find(y.models)
			if !ok {
				if len(speeds) == 0 {
					missing = append(missing, y.name)
				}
				continue
			}
			scored, speed, err := y.score(ctx, p.sets, models)
			if err != nil {
				return fmt.Errorf("%s: %w", y.name, err)
			}
			if _, known := speeds[y.name]; !known {
				speeds[y.name] = speed
			}
			rows = append(rows, row{y, scored})
			fmt.Fprintf(os.Stderr, "papers: %s: %s\n", p.title, y.name)
		}
		if err := scoreTable(out, p, rows); err != nil {
			return err
		}
		byCategory(out, p, rows)
	}
	costs(out, s, speeds)
	if err := s.meddocan(ctx, out); err != nil {
		return err
	}
	published(out)
	if len(missing) > 0 {
		fmt.Fprintf(os.Stderr, "papers: passed over, as their models are missing: %s\n", strings.Join(missing, ", "))
	}
	return nil
}

// find returns the directories of models, which are shipped or were trained; ok is
// false where one is missing.
func (s settings) find(names []string) (dirs []string, ok bool) {
	for _, name := range names {
		found := ""
		for _, folder := range []string{s.models, "onnx/models"} {
			if _, err := os.Stat(filepath.Join(folder, name, "model.json")); err == nil {
				found = filepath.Join(folder, name)
			}
		}
		if found == "" {
			return nil, false
		}
		dirs = append(dirs, found)
	}
	return dirs, true
}
