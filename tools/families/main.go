// Command families measures every family of rules, every guard and every small
// step by itself: what leaving it out changes, on annotated notes that nothing
// was trained on. It writes docs/families.md; see there. By default it opens
// the dev parts alone: those of the examples and of the varied notes.
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
	"slices"
	"strings"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/tools/annotated"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	slog.SetLogLoggerLevel(slog.LevelWarn)
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "families:", err)
		os.Exit(1)
	}
}

// settings are the command's flags.
type settings struct {
	out, head     string
	confirm       bool
	weak, spanish string
	drop          string
	only          regexp.Regexp
}

func run(ctx context.Context, args []string) error {
	var s settings
	fs := flag.NewFlagSet("families", flag.ContinueOnError)
	fs.StringVar(&s.out, "out", "docs/families.md", "file to write")
	fs.StringVar(&s.head, "head", "docs/families.head.md", "file that goes before the tables")
	fs.BoolVar(&s.confirm, "confirm", false, "measure on the held-out and unseen notes, once, when all is chosen; "+
		"without what only helps to choose: robustness, Spanish and the rules one by one")
	fs.StringVar(&s.weak, "weak", ".cache/models/en-clinical-0.2.0", "directory of a weaker model; passed over where it is missing")
	fs.StringVar(&s.spanish, "spanish", "../shared/data/meddocan/dev", "MEDDOCAN's dev part; passed over where it is missing")
	fs.StringVar(&s.drop, "drop", "",
		"names of rows, separated by commas, to be measured at once; several such lists are separated by semicolons")
	fs.TextVar(&s.only, "only", regexp.MustCompile(""),
		"expression that the names of rows have to match, to measure a few; give another --out")
	if err := fs.Parse(args); err != nil {
		return err
	}
	var out bytes.Buffer
	if !s.confirm {
		head, err := os.ReadFile(s.head)
		if err != nil {
			return err
		}
		out.Write(head)
	} else {
		fmt.Fprint(&out, "# Families of rules, guards and steps: held-out and unseen notes\n\nMade by `make families-confirm`; see "+
			"families.md for what the columns mean.\n")
	}
	if err := s.write(ctx, &out); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(s.out, out.Bytes(), 0o644)
}

func (s settings) write(ctx context.Context, out *bytes.Buffer) error {
	sets := annotated.Choose
	if s.confirm {
		sets = []annotated.Set{annotated.HeldOut, annotated.Unseen}
	}
	plain, err := open(ctx, sets, "en-clinical")
	if err != nil {
		return err
	}
	all := rows()
	for k, list := range strings.FieldsFunc(s.drop, func(r rune) bool { return r == ';' }) {
		r, err := combined(fmt.Sprintf("proposal %d", k+1), strings.Split(list, ","), all)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	all = s.wanted(all)
	if err := plain.tables(out, all); err != nil || s.confirm {
		return err
	}
	plain.additions(out)
	if err := s.robustness(ctx, out, sets, plain, all); err != nil {
		return err
	}
	return s.meddocan(ctx, out)
}

// wanted keeps the rows whose names match --only.
func (s settings) wanted(all []row) []row {
	return slices.DeleteFunc(all, func(r row) bool { return !s.only.MatchString(r.name) })
}

// robustness measures the rows marked so on notes in lower case, on scanned
// ones, and behind a weaker network.
func (s settings) robustness(ctx context.Context, out *bytes.Buffer, sets []annotated.Set, plain *corpora, all []row) error {
	lowered, err := plain.altered(lower)
	if err != nil {
		return err
	}
	worn, err := plain.altered(wear)
	if err != nil {
		return err
	}
	styles := []style{{"In lower case", lowered}, {"As scanned", worn}}
	if _, err := os.Stat(s.weak); err == nil {
		weak, err := open(ctx, sets, s.weak)
		if err != nil {
			return err
		}
		styles = append(styles, style{"Read by en-clinical 0.2.0", weak})
	} else {
		fmt.Fprintf(os.Stderr, "families: there is no model in %s, so a weaker network is passed over\n", s.weak)
	}
	return robustness(out, styles, all)
}
