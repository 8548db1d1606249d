package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

const (
	siteRules = "examples/site-rules.yaml"
	// speedBytes of each kind of notes are read in each of speedRounds rounds,
	// part after part. The fastest round counts: neighbours on the machine only
	// ever add to the time.
	speedBytes  = 2 << 20
	speedRounds = 25
	// networkNotes are those that the network reads before, between and after.
	networkNotes = 150
)

// notesOf is one kind of notes to measure on.
type notesOf struct {
	title string
	texts []string
	about string
}

// part is something done to the i-th text.
type part struct {
	name string
	run  func(i int)
}

// cost is what one part takes of a core, with all that it needs.
type cost struct {
	part  string
	perMB float64 // milliseconds of processor time for 10^6 bytes
}

// measureParts returns what the parts cost on some notes, in rounds, and the
// tokens of a MB.
func measureParts(texts []string) ([]cost, float64, error) {
	data, err := os.ReadFile(siteRules)
	if err != nil {
		return nil, 0, err
	}
	site, err := rules.ParseSite(siteRules, data)
	if err != nil {
		return nil, 0, err
	}
	plain, err := rules.New("en")
	if err != nil {
		return nil, 0, err
	}
	listed, err := rules.New("en", site)
	if err != nil {
		return nil, 0, err
	}
	size, count := 0, 0
	ready := make([][]token.Token, len(texts)) // what the network needs anyway
	for i, t := range texts {
		ready[i] = token.Tokenize(nil, t)
		size += len(t)
		count += len(ready[i])
	}
	var scratch []token.Token
	var spans []phi.Span
	tag := func(r *rules.Rules, l *lexicon.Lexicon, tokenise bool) func(int) {
		var m *rules.Matcher
		if r != nil {
			m = r.NewMatcher()
		}
		return func(i int) {
			text, tokens := texts[i], ready[i]
			if tokenise {
				scratch = token.Tokenize(scratch[:0], text)
				tokens = scratch
			}
			spans = spans[:0]
			if m != nil {
				spans = m.Tag(spans, text, tokens)
			}
			if l != nil {
				spans = l.Sweep(spans, text, tokens)
			}
		}
	}
	few, many := lexicon.NewLexicon(identifiers(20)), lexicon.NewLexicon(identifiers(10_000))
	parts := []part{
		{"tokeniser", tag(nil, nil, true)},
		{"tokeniser, rules", tag(plain, nil, true)},
		{"tokeniser, rules, lists", tag(listed, nil, true)},
		{"tokeniser, rules, lists, sweep of 20 identifiers", tag(listed, few, true)},
		{"tokeniser, rules, lists, sweep of 10,000 identifiers", tag(listed, many, true)},
		{"rules, lists, sweep of 20 identifiers, on tokens that are there", tag(listed, few, false)},
		{"rules, lists, sweep of 10,000 identifiers, on tokens that are there", tag(listed, many, false)},
		{"tokeniser, sweep of 20 identifiers", tag(nil, few, true)},
		{"tokeniser, sweep of 10,000 identifiers", tag(nil, many, true)},
	}
	mb := float64(size) / 1e6
	best := make([]float64, len(parts))
	for round := range speedRounds + 1 {
		for i, p := range parts {
			_, cpu, err := timed(func() error {
				for i := range texts {
					p.run(i)
				}
				return nil
			})
			if err != nil {
				return nil, 0, err
			}
			if round == 1 || round > 1 && cpu < best[i] { // the first warms the automaton
				best[i] = cpu
			}
		}
	}
	out := make([]cost, len(parts))
	for i, p := range parts {
		out[i] = cost{p.name, 1e3 * best[i] / mb}
	}
	return out, float64(count) / mb, nil
}

// kindsOfNotes returns the notes to measure on: the examples as they are, the
// examples at an ordinary density of PHI, and the texts of a folder, if one is
// given.
func kindsOfNotes(folder string) ([]notesOf, error) {
	dense, err := varied(invent.Marked("examples/source", 0))
	if err != nil {
		return nil, err
	}
	ordinary, err := varied(invent.Marked("examples/source", invent.OrdinaryDensity))
	if err != nil {
		return nil, err
	}
	kinds := []notesOf{{"Ordinary notes", ordinary.texts, ordinary.about}, {"Dense notes", dense.texts, dense.about}}
	if folder == "" {
		return kinds, nil
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("--notes_folder=%s: no .txt files there: %v", folder, err)
	}
	var own invent.Source
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		own.Notes = append(own.Notes, string(data))
	}
	v, err := varied(own, nil)
	if err != nil {
		return nil, err
	}
	about := fmt.Sprintf("%d notes of a folder, digits and a third of the capitalised words redrawn.", len(files))
	return append(kinds, notesOf{"Notes of the folder", v.texts, about}), nil
}

// speed measures the parts and writes them as a table to w, and to a Markdown
// file if one is named.
func speed(ctx context.Context, w io.Writer, folder, markdown string) error {
	kinds, err := kindsOfNotes(folder)
	if err != nil {
		return err
	}
	k, err := newKernel(ctx, 1)
	if err != nil {
		return err
	}
	batches, err := k.batches(kinds[0].texts[:min(networkNotes, len(kinds[0].texts))], pipeline.DefaultOptions().BatchKB<<10)
	if err != nil {
		return err
	}
	// Seconds of processor time a token.
	network := math.Inf(1)
	ask := func() error {
		f, err := k.run(figures.Kernel, batches)
		network = min(network, f.cpu/float64(f.tokens))
		return err
	}
	costs, tokens := make([][]cost, len(kinds)), make([]float64, len(kinds))
	for i, k := range kinds {
		for range 2 {
			if err := ask(); err != nil {
				return err
			}
		}
		if costs[i], tokens[i], err = measureParts(k.texts); err != nil {
			return err
		}
	}
	if err := ask(); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Made by `make speed` with %s, one core. Milliseconds of processor time, all threads\nand the collector included, for "+
		"10^6 bytes of text; the fastest of %d rounds in which the\nparts take turns, and of %d of the network, which is its token graph "+
		"alone, as the job\nruns it: %.2f µs a token. Absolute figures are those of the machine and its neighbours;\nthe shares are less so.\n",
		runtime.Version(), speedRounds, 2*len(kinds)+1, network*1e6)
	for i, k := range kinds {
		fmt.Fprintf(&b, "\n## %s\n\n%s %.0f tokens in 10^6 bytes.\n\n| | ms a MB | MB/s a core | share of the network's time "+
			"|\n|---|--:|--:|--:|\n", k.title, k.about, tokens[i])
		whole := 1e3 * network * tokens[i]
		for _, c := range append(costs[i], cost{"the network", whole}) {
			fmt.Fprintf(&b, "| %s | %.1f | %.1f | %.1f %% |\n", c.part, c.perMB, 1e3/c.perMB, 100*c.perMB/whole)
		}
	}
	var lexicons []string
	for _, n := range []int{20, 10_000} {
		surfaces := identifiers(n)
		const builds = 9
		times := make([]float64, builds)
		for i := range times {
			if _, times[i], err = timed(func() error { lexicon.NewLexicon(surfaces); return nil }); err != nil {
				return err
			}
		}
		slices.Sort(times)
		lexicons = append(lexicons, fmt.Sprintf("%.2f ms for %d identifiers", times[builds/2]*1e3, n))
	}
	fmt.Fprintf(&b, "\nBuilding a patient's lexicon, once per shard and patient: %s.\n", strings.Join(lexicons, ", "))
	if _, err := io.WriteString(w, b.String()); err != nil || markdown == "" {
		return err
	}
	return os.WriteFile(markdown, []byte("# Speed of rules, lists and sweep\n\n"+b.String()), 0o644)
}
