package main

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// lists is what the lists of surrogates hold, read from their files and not by
// model/surrogate, which is what is measured.
type lists struct {
	given   map[string]string // folded, to "sex origin"
	family  map[string]bool
	usCity  map[string]bool
	isles   map[string]bool // cities and counties of the United Kingdom and Ireland
	farCity map[string]bool // cities of Canada and Australia
	generic map[string]bool // words that say what an institution is
	jobs    map[string]bool // last words of occupations
	drawn   map[string]bool // occupations that are drawn
}

const listDir = "model/surrogate/lists/"

func readLists() (*lists, error) {
	l := &lists{map[string]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{},
		map[string]bool{}, map[string]bool{}}
	return l, eachLine(l.enter)
}

// eachLine calls f with each line "head: rest" of the lists.
func eachLine(f func(file, head, rest string)) error {
	for _, file := range []string{"either.txt", "given.txt", "family.txt", "es-names.txt", "us-places.txt", "places.txt", "regions.txt",
		"es-towns.txt", "generic.txt", "occupations.txt"} {
		raw, err := os.ReadFile(listDir + file)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(raw)) {
			if head, rest, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
				f(file, head, rest)
			}
		}
	}
	return nil
}

func (l *lists) enter(file, head, rest string) {
	items := strings.Split(rest, ", ")
	switch {
	case file == "given.txt" || file == "either.txt":
		if file == "either.txt" {
			head = "u " + head
		}
		for _, n := range strings.Fields(rest) {
			if f := plain(strings.TrimPrefix(n, "~")); l.given[f] == "" {
				l.given[f] = head
			}
		}
	case file == "family.txt":
		for _, n := range strings.Fields(rest) {
			l.family[plain(strings.TrimPrefix(n, "~"))] = true
		}
	case file == "us-places.txt" && strings.HasSuffix(head, " cities"):
		for _, item := range items {
			city, _, _ := strings.Cut(item, "=")
			l.usCity[plain(city)] = true
		}
	case file == "regions.txt" && !strings.HasPrefix(head, "es") || head == "state uk" || head == "state ie":
		for _, item := range items {
			town, _, _ := strings.Cut(item, "=")
			l.isles[plain(town)] = true
		}
	case file == "places.txt" && strings.HasPrefix(head, "city "):
		for _, city := range items {
			l.farCity[plain(city)] = true
		}
	case head == "generic":
		for _, w := range strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' }) {
			l.generic[w] = true
		}
	case head == "profession" || file == "occupations.txt":
		for _, item := range items {
			l.jobs[lastWord(item)] = true
			if head == "profession" {
				l.drawn[item] = true
			}
		}
	}
}

// plain folds a word as it is compared: no case, diacritics, apostrophes.
func plain(s string) string {
	return strings.NewReplacer("'", "", "\u2019", "", ".", "").Replace(names.Fold(s))
}

func lastWord(s string) string {
	f := strings.Fields(plain(s))
	if len(f) == 0 {
		return ""
	}
	return strings.TrimSuffix(f[len(f)-1], "s")
}

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
