package main

import (
	"context"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
)

// mention is an annotated name of a carrier, whose words are redrawn.
type mention struct {
	parsed
	gold   int // index of its annotation
	doctor bool
	people []int // of each part: index into the patient's people
}

// person is a word that names somebody in a patient's notes: the same word of the
// same role has the same stand-in in all of them.
type person struct {
	role role
	list int    // of an origin: family, or a given name's sex
	key  string // the word, folded
}

// carrier is a note whose names are redrawn.
type carrier struct {
	id      string
	patient int
	note    annotated.Note
	found   []mention
}

// patient is whose notes they are. The job looks for a name in all notes of one.
type patient struct {
	id     string
	people []person
}

// readCarriers returns the notes that things are chosen on, by set and document.
func readCarriers(ctx context.Context) ([]carrier, []patient, error) {
	sexes, err := readSexes()
	if err != nil {
		return nil, nil, err
	}
	var all []carrier
	var patients []patient
	for _, set := range annotated.Choose {
		notes, _, err := set.Read(ctx)
		if err != nil {
			return nil, nil, err
		}
		of := map[string][]carrier{}
		for _, id := range slices.Sorted(maps.Keys(notes)) {
			n := notes[id]
			n.Gold = slices.Clone(n.Gold)
			slices.SortStableFunc(n.Gold, func(a, b score.Annotation) int { return a.Start - b.Start })
			of[n.Patient] = append(of[n.Patient], carrier{id: set.Name + "/" + id, note: n})
		}
		for _, id := range slices.Sorted(maps.Keys(of)) {
			people := findPeople(of[id], sexes)
			for _, c := range of[id] {
				c.patient = len(patients)
				all = append(all, c)
			}
			patients = append(patients, patient{set.Name + "/" + id, people})
		}
	}
	return all, patients, nil
}

// findPeople parses the names in a patient's notes, whose annotations are in order,
// and returns whom they name.
func findPeople(all []carrier, sexes map[string]int) []person {
	seen := map[string]map[role]int{} // roles of words in full names, how often
	each := func(f func(c *carrier, a int, text string, gold score.Annotation)) {
		for i := range all {
			for a, g := range all[i].note.Gold {
				if g.Label == "PATIENT" || g.Label == "DOCTOR" {
					f(&all[i], a, all[i].note.Text, g)
				}
			}
		}
	}
	each(func(_ *carrier, _ int, text string, g score.Annotation) {
		p := parse(text, g.Start, g.End, nil)
		if p.form != full && p.form != initialed {
			return
		}
		for _, w := range p.parts {
			key := names.Fold(text[w.start:w.end])
			if seen[key] == nil {
				seen[key] = map[role]int{}
			}
			seen[key][w.role]++
		}
	})
	known := func(folded string) (role, bool) {
		r := seen[folded]
		if len(r) > 0 && r[surname] >= r[given] {
			return surname, true
		}
		_, isGiven := sexes[folded]
		return given, len(r) > 0 || isGiven
	}
	var people []person
	index := map[person]int{}
	each(func(c *carrier, a int, text string, g score.Annotation) {
		m := mention{parsed: parse(text, g.Start, g.End, known), gold: a, doctor: g.Label == "DOCTOR"}
		for _, w := range m.parts {
			who := person{role: w.role, list: family, key: names.Fold(text[w.start:w.end])}
			if w.role == given {
				who.list = sexOf(who.key, text[:g.Start], sexes)
			}
			k, ok := index[who]
			for s := range lists { // whoever was met first says the sex
				if !ok && w.role == given {
					k, ok = index[person{given, s, who.key}]
				}
			}
			if !ok {
				k = len(people)
				index[who], people = k, append(people, who)
			}
			m.people = append(m.people, k)
		}
		if len(m.parts) > 0 {
			c.found = append(c.found, m)
		}
	})
	return people
}

var (
	ofWoman = regexp.MustCompile(`(?i)\b(?:mrs|ms|miss)\.? *$`)
	ofMan   = regexp.MustCompile(`(?i)\bmr\.? *$`)
)

// sexOf is the list that a given name's stand-ins are drawn from: by the title in
// front of it, by the lists of surrogates, else by chance, always the same one.
func sexOf(folded, before string, sexes map[string]int) int {
	before = before[max(0, len(before)-8):]
	if ofWoman.MatchString(before) {
		return female
	}
	if ofMan.MatchString(before) {
		return male
	}
	if s, ok := sexes[folded]; ok {
		return s
	}
	return int(hash("sex", folded) % 2)
}

// readSexes reads the sex of given names off the lists of surrogates.
func readSexes() (map[string]int, error) {
	sexes := map[string]int{}
	for _, file := range []string{"model/surrogate/lists/known-given.txt", "model/surrogate/lists/given.txt"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(raw)) {
			sex := slices.Index([]string{"f ", "m "}, line[:min(2, len(line))])
			_, list, ok := strings.Cut(line, ":")
			if !ok || sex < 0 {
				continue
			}
			for _, n := range strings.Fields(list) {
				sexes[names.Fold(strings.TrimPrefix(n, "~"))] = sex
			}
		}
	}
	return sexes, nil
}
