package main

import (
	"fmt"
	"math/rand"

	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// varied repeats the notes with digits and names redrawn until there is enough
// text to measure on.
func varied(s invent.Source, err error) (notesOf, error) {
	if err != nil {
		return notesOf{}, err
	}
	r := rand.New(rand.NewSource(1))
	var out notesOf
	for size, i := 0, 0; size < speedBytes; i++ {
		t := invent.Vary(r, r, s.Notes[i%len(s.Notes)])
		size += len(t)
		out.texts = append(out.texts, t)
	}
	out.about = fmt.Sprintf("The %d example notes, digits and a third of the capitalised words redrawn; %.0f spans of PHI in 1,000 tokens.",
		len(s.Notes), 1e3*s.Density)
	return out, nil
}
