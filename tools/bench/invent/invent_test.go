package invent

import (
	"context"
	"math/rand"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	texts, err := Texts(context.Background(), "../../../examples/notes.parquet")
	if err != nil || len(texts) != 278 {
		t.Fatalf("%d notes, %v", len(texts), err)
	}
	if texts[0] == texts[1] || len(texts[0]) < 100 {
		t.Errorf("the first notes are of %d and %d bytes", len(texts[0]), len(texts[1]))
	}
}

func TestVaryKeepsTheShape(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	got := Vary(r, r, "MRN 00481-2237, seen\n by Dr. Blackwood")
	if len(strings.Fields(got)) != 6 || !strings.HasPrefix(got, "MRN ") || strings.Contains(got, "00481") ||
		!strings.Contains(got, ", seen\n by ") {
		t.Errorf("%q", got)
	}
}

// One seed for the names and another for the digits: a patient's notes tell
// other days of the same people.
func TestVaryDrawsNamesAndDigitsApart(t *testing.T) {
	const text = "Mary Blackwood and Peter Longfellow met Susan Oyelaran on 11/12/2013 and 04/05/2016"
	draw := func(names, digits int64) string {
		return Vary(rand.New(rand.NewSource(names)), rand.New(rand.NewSource(digits)), text)
	}
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '#'
			}
			return r
		}, s)
	}
	if first, again := draw(1, 1), draw(1, 1); first != again {
		t.Error("two draws of the same seeds differ")
	}
	if draw(1, 1) == draw(1, 2) || letters(draw(1, 1)) != letters(draw(1, 2)) {
		t.Error("other digits should change the digits alone")
	}
	if letters(draw(1, 1)) == letters(draw(2, 1)) {
		t.Error("another seed of names left them as they were")
	}
}
