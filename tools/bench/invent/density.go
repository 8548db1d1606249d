package invent

import (
	"math/rand"
	"os"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// OrdinaryDensity is the PHI of ordinary notes, in spans for each token. Lee et
// al. 2017, table 1, have 60,725 in 2,945,228 tokens of MIMIC's discharge
// summaries (2.1 %) and 28,867 in 984,723 of i2b2 2014 (2.9 %).
const OrdinaryDensity = 0.025

// Source is notes to draw varied ones from, and their spans of PHI for each
// token.
type Source struct {
	Notes   []string
	Density float64
}

// Marked reads marked notes. With a density above 0, a line with PHI stays only
// while the notes are below that density; others give way to lines without
// PHI, drawn from all notes. Which is the same each time.
func Marked(dir string, density float64) (Source, error) {
	patients, err := marked.ReadDir(os.DirFS(dir), ".")
	if err != nil {
		return Source{}, err
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
	var out Source
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
			out.Notes = append(out.Notes, b.String())
		}
	}
	out.Density = float64(spans) / float64(tokens)
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
