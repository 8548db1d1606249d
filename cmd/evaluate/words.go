package evaluate

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"unicode"
)

// words returns the dictionary of common words, nil if there is none.
func words(ctx context.Context, o *options, gold *source) (func(string) bool, error) {
	if o.dictionary == "" {
		return nil, nil
	}
	if o.dictionary == "notes" {
		return wordsOfNotes(ctx, gold)
	}
	f, err := os.Open(o.dictionary)
	if err != nil {
		return nil, fmt.Errorf("--dictionary: %w", err)
	}
	defer f.Close()
	known := map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if w := strings.TrimSpace(lines.Text()); w != "" && !strings.HasPrefix(w, "#") {
			known[strings.ToLower(w)] = true
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--dictionary %s: %w", o.dictionary, err)
	}
	return func(w string) bool { return known[w] }, nil
}

// commonDocuments is in how many documents a word must stand to be common.
const commonDocuments = 3

// wordsOfNotes makes a dictionary of the gold documents, picked or not: words that stand
// in small letters and outside of gold spans in at least three of them.
func wordsOfNotes(ctx context.Context, gold *source) (func(string) bool, error) {
	in := map[string]int{}
	for d, err := range gold.documents(ctx) {
		if err != nil {
			return nil, err
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
