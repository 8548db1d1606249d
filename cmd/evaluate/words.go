package main

import (
	"context"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// commonDocuments is in how many documents a word must stand to be common.
const commonDocuments = 3

// wordsOfNotes makes a dictionary of the documents themselves: words that stand
// in small letters and outside of gold spans in at least three of them.
func wordsOfNotes(ctx context.Context, gold *source, want func(*corpus.Document) bool) (func(string) bool, error) {
	in := map[string]int{}
	for d, err := range gold.documents(ctx) {
		if err != nil {
			return nil, err
		}
		if !want(&d) {
			continue
		}
		text := []byte(d.Text)
		for _, a := range d.Annotations {
			for i := a.Start; i < a.End; i++ {
				text[i] = ' '
			}
		}
		seen := map[string]bool{}
		for _, w := range strings.FieldsFunc(string(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if !seen[w] && w == strings.ToLower(w) {
				seen[w] = true
				in[w]++
			}
		}
	}
	return func(w string) bool { return in[w] >= commonDocuments }, nil
}
