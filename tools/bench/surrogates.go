package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// rounds is how often the examples are rewritten, each time as other patients.
const rounds = 20

// benchSurrogates replaces every mark of the examples, as the second pass does
// once spans are known: planning each patient, drawing surrogates, rewriting,
// and checking what was rewritten. The notes are as dense in PHI as notes get.
func benchSurrogates(dir string) (figure, error) {
	f := figure{name: "surrogates and rewriting", workers: 1}
	patients, err := marked.ReadDir(os.DirFS(dir), ".")
	if err != nil {
		return f, err
	}
	keys, err := surrogate.NewKeyring([]byte(strings.Repeat("bench key ", 4)), 0)
	if err != nil {
		return f, err
	}
	spans := 0
	for _, p := range patients {
		for _, n := range p.Notes {
			f.tokens += int64(len(token.Tokenize(nil, n.Text)) * rounds)
			f.bytes += int64(len(n.Text) * rounds)
			spans += len(n.Spans) * rounds
		}
	}
	f.seconds, f.cpu, err = timed(func() error {
		for round := range rounds {
			for _, p := range patients {
				if err := rewriteMarked(keys, p, fmt.Sprint(p.ID, " ", round)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	f.note = fmt.Sprintf("%.1f µs a span", f.seconds*1e6/float64(spans))
	return f, err
}

func rewriteMarked(keys *surrogate.Keyring, p marked.Patient, id string) error {
	planner := surrogate.NewPatient(keys, id, surrogate.Options{})
	planner.Know(append([]string{p.Name}, p.Relatives...))
	planner.Observe(phi.City, p.Address)
	for _, n := range p.Notes {
		for _, s := range n.Spans {
			planner.Observe(s.Type, n.Text[s.Start:s.End])
		}
		y, m, d := n.Written.Date()
		planner.Written(dates.DaysFromCivil(y, int(m), d))
	}
	for i, n := range p.Notes {
		y, m, d := n.Written.Date()
		ref := dates.Reference{NoteDay: dates.DaysFromCivil(y, int(m), d), HasNoteDay: true}
		replaced := make([]surrogate.Replacement, len(n.Spans))
		for j, s := range n.Spans {
			replaced[j].Span = phi.Span{Start: s.Start, End: s.End, Type: s.Type}
			replaced[j].New, replaced[j].Outcome = planner.Replace(surrogate.Mention{Type: s.Type, Surface: n.Text[s.Start:s.End],
				Document: fmt.Sprint(i), Ref: ref})
		}
		out := deid.Apply(n.Text, replaced)
		if err := audit.Check(n.Text, out, replaced); err != nil {
			return err
		}
	}
	return nil
}
