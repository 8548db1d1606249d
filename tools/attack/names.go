package main

import (
	"context"
	"encoding/json"
	"fmt"
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
// test part and of the dev part of the varied notes.
func names() error {
	missed, surrogates, err := namesAndSurrogates(context.Background(), 5)
	if err != nil {
		return err
	}
	listed := 0
	for _, n := range missed {
		if surrogate.Drawn(n) {
			listed++
		}
	}
	fmt.Printf("\n## Names that were missed\n\n%d names of patients, relatives and doctors of annotated notes, each taken to be missed, "+
		"beside the %d surrogates that the others get under five keys. An adversary has this repository and sees of each name whether "+
		"surrogates are drawn from a list that has it, whether a list has it at all, and how often it would be invented. "+
		"Singled out are names that are missed ones more likely than not.\n\n"+
		"| of the names, missed | singled out while all surrogates were from lists | now |\n|---|--:|--:|\n",
		len(missed), len(surrogates))
	for _, rate := range missRates {
		fmt.Printf("| %.1f %% | %.1f %% | %.1f %% |\n", 100*rate, 100*float64(len(missed)-listed)/float64(len(missed)),
			100*model.SingledOut(missed, surrogates, rate))
	}
	return nil
}

// namesAndSurrogates returns the distinct words of names of each patient, and
// what stands for them under some keys.
func namesAndSurrogates(ctx context.Context, keys int) (words, surrogates []string, err error) {
	of := map[string]map[string]bool{} // surfaces by patient
	for _, set := range []struct {
		folder string
		parts  []string
	}{{"examples", []string{"train", "dev"}}, {filepath.Join("examples", "varied"), []string{"dev"}}} {
		raw, err := os.ReadFile(filepath.Join(set.folder, "split.json"))
		if err != nil {
			return nil, nil, err
		}
		var split map[string][]string
		if err := json.Unmarshal(raw, &split); err != nil {
			return nil, nil, err
		}
		var patients []string
		for _, p := range set.parts {
			patients = append(patients, split[p]...)
		}
		for d, err := range corpus.Read(ctx, corpus.Parquet, set.folder, corpus.ReadOptions{}) {
			if err != nil {
				return nil, nil, err
			}
			if !slices.Contains(patients, d.Patient) {
				continue
			}
			text := []rune(d.Text)
			for _, a := range d.Annotations {
				if a.Label == "PATIENT" || a.Label == "DOCTOR" {
					if of[d.Patient] == nil {
						of[d.Patient] = map[string]bool{}
					}
					of[d.Patient][string(text[a.Start:a.End])] = true
				}
			}
		}
	}
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
			p := surrogate.NewPatient(ring, patient, surrogate.Options{})
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
