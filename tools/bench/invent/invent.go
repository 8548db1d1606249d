// Package invent makes notes for measuring: the examples' notes with other
// digits and names, since repeating the same words would flatter every cache.
// The same seeds give the same notes.
package invent

import (
	"context"
	"fmt"
	"math/rand"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Texts returns the texts of a table with the columns note_id and text. A
// table without notes is an error.
func Texts(ctx context.Context, name string) ([]string, error) {
	var texts []string
	err := table.WithFile(ctx, name, func(file *table.File) error {
		b, err := file.Bind(table.Columns{DocumentID: "note_id", Text: []string{"text"}})
		if err != nil {
			return err
		}
		return b.ReadAllNotes(ctx, func(batch []table.Note) error {
			for _, n := range batch {
				texts = append(texts, n.Texts[0].Value)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s holds no notes", name)
	}
	return texts, nil
}

// Vary redraws every digit of a text, and a third of its capitalised words.
// Words are drawn from names and digits from digits; they may be one source.
func Vary(names, digits *rand.Rand, text string) string {
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, t := range token.Tokenize(nil, text) {
		b.WriteString(text[at:t.Start])
		form := t.Text(text)
		switch {
		case t.Class == token.Digits:
			for range form {
				b.WriteByte(byte('0' + digits.Intn(10)))
			}
		case t.Class == token.Title && len(form) > 3 && names.Intn(3) == 0:
			b.WriteString(Name(names))
		default:
			b.WriteString(form)
		}
		at = int(t.End)
	}
	b.WriteString(text[at:])
	return b.String()
}

// Name returns a pronounceable capitalised word.
func Name(r *rand.Rand) string {
	const onsets, vowels = "bcdfghjklmnprstvwz", "aeiou"
	var b strings.Builder
	for i := range 2 + r.Intn(2) {
		c := onsets[r.Intn(len(onsets))]
		if i == 0 {
			c -= 'a' - 'A'
		}
		b.WriteByte(c)
		b.WriteByte(vowels[r.Intn(len(vowels))])
	}
	return b.String()
}
