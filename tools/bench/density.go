package main

import (
	"fmt"
	"math/rand"
	"os"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// ordinaryDensity is the PHI of ordinary notes, in spans for each token. Lee et
// al. 2017, table 1, have 60,725 in 2,945,228 tokens of MIMIC's discharge
// summaries (2.1 %) and 28,867 in 984,723 of i2b2 2014 (2.9 %).
const ordinaryDensity = 0.025

// source is notes to draw varied ones from, and their spans of PHI for each
// token.
type source struct {
	notes   []string
	density float64
}

// marks reads marked notes. With a density above 0, a line with PHI stays only
// while the notes are below that density; others give way to lines without
// PHI, drawn from all notes. Which is the same each time.
func marks(dir string, density float64) (source, error) {
	patients, err := marked.ReadDir(os.DirFS(dir), ".")
	if err != nil {
		return source{}, err
	}
	var free []string // lines without PHI
	for _, p := range patients {
		for _, n := range p.Notes {
			eachLine(n, func(line string, spans int) {
				if spans == 0 && strings.TrimSpace(line) != "" {
					free = append(free, line)
				}
			})
		}
	}
	r := rand.New(rand.NewSource(4))
	var out source
	spans, tokens := 0, 0
	for _, p := range patients {
		for _, n := range p.Notes {
			var b strings.Builder
			eachLine(n, func(line string, here int) {
				if density > 0 && here > 0 && float64(spans) > density*float64(tokens) {
					line, here = free[r.Intn(len(free))], 0
				}
				spans += here
				tokens += len(token.Tokenize(nil, line)) + 1
				b.WriteString(line)
				b.WriteByte('\n')
			})
			out.notes = append(out.notes, b.String())
		}
	}
	out.density = float64(spans) / float64(tokens)
	return out, nil
}

// eachLine calls f with each line of a note and how many spans begin there.
func eachLine(n marked.Note, f func(line string, spans int)) {
	at, k := 0, 0
	for line := range strings.SplitSeq(n.Text, "\n") {
		end, here := at+len(line), 0
		for ; k < len(n.Spans) && n.Spans[k].Start <= end; k++ {
			here++
		}
		f(line, here)
		at = end + 1
	}
}

// varied repeats the notes with digits and names redrawn until there is enough
// text to measure on.
func varied(s source, err error) (notesOf, error) {
	if err != nil {
		return notesOf{}, err
	}
	r := rand.New(rand.NewSource(1))
	var out notesOf
	for size, i := 0, 0; size < speedBytes; i++ {
		t := invent.Vary(r, r, s.notes[i%len(s.notes)])
		size += len(t)
		out.texts = append(out.texts, t)
	}
	out.about = fmt.Sprintf("The %d example notes, digits and a third of the capitalised words redrawn; %.0f spans of PHI in 1,000 tokens.",
		len(s.notes), 1e3*s.density)
	return out, nil
}
