package main

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	annotated "github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// reader tells Spanish from English names by three letters at a time. It has learnt
// from neither the lists of surrogates nor the notes that are measured, but from the
// names of MEDDOCAN's training set and of the census of the United States of 1990.
type reader struct{ spanish, english letters }

// letters is how often three letters follow one another.
type letters struct {
	of  map[string]float64
	two map[string]float64
}

// edges marks the beginning and the end of a word.
func edges(word string) []rune { return []rune("^^" + word + "$") }

func (l letters) add(word string) {
	w := edges(word)
	for i := 2; i < len(w); i++ {
		l.of[string(w[i-2:i+1])]++
		l.two[string(w[i-2:i])]++
	}
}

// logOdds returns the logarithm of how often the letters give a word.
func (l letters) logOdds(word string) (p float64) {
	w := edges(word)
	for i := 2; i < len(w); i++ {
		p += math.Log((l.of[string(w[i-2:i+1])] + 0.1) / (l.two[string(w[i-2:i])] + 3))
	}
	return p
}

// readsSpanish reports whether a folded name is rather a Spanish than an English one.
func (r *reader) readsSpanish(word string) bool {
	return r.spanish.logOdds(word) > r.english.logOdds(word)
}

// newReader learns from the data beside MEDDOCAN's part in dir; nil where it is not there.
func newReader(ctx context.Context, dir string) (*reader, error) {
	train, lexicons := filepath.Join(dir, "..", "train"), filepath.Join(dir, "..", "..", "lexicons")
	for _, d := range []string{train, lexicons} {
		if _, err := os.Stat(d); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	r := &reader{letters{map[string]float64{}, map[string]float64{}}, letters{map[string]float64{}, map[string]float64{}}}
	known := map[string]bool{}
	for doc, err := range annotated.Read(ctx, annotated.Brat, train, annotated.ReadOptions{}) {
		if err != nil {
			return nil, err
		}
		for _, a := range doc.Annotations {
			if a.Label != "NOMBRE_SUJETO_ASISTENCIA" && a.Label != "NOMBRE_PERSONAL_SANITARIO" {
				continue
			}
			for _, w := range wordForm.FindAllString(doc.Text[a.Start:a.End], -1) {
				if f := plain(w); len(f) > 2 && !known[f] {
					known[f] = true
					r.spanish.add(f)
				}
			}
		}
	}
	for _, name := range []string{"census1990_last.txt", "census1990_female.txt", "census1990_male.txt"} {
		f, err := os.Open(filepath.Join(lexicons, name))
		if err != nil {
			return nil, err
		}
		scan := bufio.NewScanner(f)
		for n := 0; scan.Scan() && n < 2000; n++ { // the most frequent ones
			if fields := strings.Fields(scan.Text()); len(fields) > 0 && !known[strings.ToLower(fields[0])] {
				r.english.add(strings.ToLower(fields[0]))
			}
		}
		f.Close()
		if scan.Err() != nil {
			return nil, scan.Err()
		}
	}
	return r, nil
}
