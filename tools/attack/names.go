package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	model "github.com/palimpsest-deid/palimpsest/model/attack"
	known "github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

var nameWord = regexp.MustCompile(`\p{Lu}\p{Ll}{2,}`)

// missRates are the shares of names that are taken to be missed.
var missRates = []float64{0.001, 0.01, 0.05}

// names prints which share of the names of annotated notes would stand out if they
// were missed, beside the surrogates of the others: of the examples without their
// test part and of the dev part of the varied notes; and of MEDDOCAN's, where dir
// holds them.
func names(dir string) error {
	ctx := context.Background()
	english, err := exampleNames(ctx)
	if err != nil {
		return err
	}
	spanish, err := meddocanNames(ctx, dir)
	if err != nil {
		return err
	}
	for _, set := range []struct {
		of       map[string]map[string]bool
		language string
		head     string
	}{
		{english, "en", "\n## Names that were missed\n\n%d names of patients, relatives and doctors from annotated notes. " +
			"Each in turn is taken to be missed, and stands among the %d surrogates that the others get under five keys. " +
			"The adversary has this repository, and knows of each name whether it is on a list that surrogates are drawn from, " +
			"whether it is on any list, and how often it would be invented. " +
			"A name is singled out if it is more likely a missed name than a surrogate.\n\n"},
		{spanish, "es", "\nThe same for %d names of patients and doctors in MEDDOCAN's development set, beside %d surrogates; " +
			"the adversary knows that " +
			"the notes are Spanish.\n\n"},
	} {
		if len(set.of) == 0 {
			continue
		}
		missed, surrogates, err := namesAndSurrogates(set.of, set.language, 5)
		if err != nil {
			return err
		}
		known := surrogate.NamesOf(set.language)
		listed := 0
		for _, n := range missed {
			if known.Drawn(n) {
				listed++
			}
		}
		fmt.Printf(set.head+"| share of names missed | singled out, if all surrogates came from lists | singled out now |\n|---|--:|--:|\n",
			len(missed), len(surrogates))
		for _, rate := range missRates {
			fmt.Printf("| %.1f %% | %.1f %% | %.1f %% |\n", 100*rate, 100*float64(len(missed)-listed)/float64(len(missed)),
				100*model.SingledOut(missed, surrogates, known, rate))
		}
	}
	return nil
}

// exampleNames returns the marked names of the examples by patient.
func exampleNames(ctx context.Context) (map[string]map[string]bool, error) {
	of := map[string]map[string]bool{} // surfaces by patient
	for _, set := range []struct {
		folder string
		parts  []string
	}{{"examples", []string{"train", "dev"}}, {filepath.Join("examples", "varied"), []string{"dev"}}} {
		raw, err := os.ReadFile(filepath.Join(set.folder, "split.json"))
		if err != nil {
			return nil, err
		}
		var split map[string][]string
		if err := json.Unmarshal(raw, &split); err != nil {
			return nil, err
		}
		var patients []string
		for _, p := range set.parts {
			patients = append(patients, split[p]...)
		}
		for d, err := range corpus.Read(ctx, corpus.Parquet, set.folder, corpus.ReadOptions{}) {
			if err != nil {
				return nil, err
			}
			if slices.Contains(patients, d.Patient) {
				addNames(of, d.Patient, d, "PATIENT", "DOCTOR")
			}
		}
	}
	return of, nil
}

// meddocanNames returns the marked names of a part of MEDDOCAN by document, none
// where the folder is not there.
func meddocanNames(ctx context.Context, dir string) (map[string]map[string]bool, error) {
	if _, err := os.Stat(dir); dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	of := map[string]map[string]bool{}
	for d, err := range corpus.Read(ctx, corpus.Brat, dir, corpus.ReadOptions{}) {
		if err != nil {
			return nil, err
		}
		addNames(of, d.ID, d, "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO")
	}
	return of, nil
}

func addNames(of map[string]map[string]bool, patient string, d corpus.Document, labels ...string) {
	for _, a := range d.Annotations {
		if slices.Contains(labels, a.Label) {
			if of[patient] == nil {
				of[patient] = map[string]bool{}
			}
			of[patient][d.Text[a.Start:a.End]] = true
		}
	}
}

// namesAndSurrogates returns the distinct words of names of each patient, and
// what stands for them under some keys.
func namesAndSurrogates(of map[string]map[string]bool, language string, keys int) (words, surrogates []string, err error) {
	nameWords := func(s string) (all []string) {
		for _, w := range nameWord.FindAllString(s, -1) {
			if f := strings.ToLower(w); !known.Titles[f] && !known.Degrees[f] && !known.Letters[f] {
				all = append(all, w)
			}
		}
		return all
	}
	for _, patient := range slices.Sorted(maps.Keys(of)) {
		mine := map[string]bool{}
		for _, s := range slices.Sorted(maps.Keys(of[patient])) {
			for _, w := range nameWords(s) {
				mine[w] = true
			}
		}
		words = slices.AppendSeq(words, maps.Keys(mine))
		for k := range keys {
			ring, err := surrogate.NewKeyring([]byte(strings.Repeat(fmt.Sprintf("names %d ", k), 8)), 0)
			if err != nil {
				return nil, nil, err
			}
			p := surrogate.NewPatient(ring, patient, surrogate.Options{Language: language})
			for s := range of[patient] {
				p.Observe(phi.Patient, s)
			}
			made := map[string]bool{}
			for s := range of[patient] {
				out, _ := p.Replace(surrogate.Mention{Type: phi.Patient, Surface: s})
				for _, w := range nameWords(out) {
					made[w] = true
				}
			}
			surrogates = slices.AppendSeq(surrogates, maps.Keys(made))
		}
	}
	slices.Sort(words)
	slices.Sort(surrogates)
	return words, surrogates, nil
}
