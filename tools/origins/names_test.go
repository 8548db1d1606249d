package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// parts returns a name's folded parts, and the whole without what divides them.
func parts(name string) []string {
	all := strings.FieldsFunc(names.Fold(name), func(r rune) bool { return strings.ContainsRune("-'’ ", r) })
	return append(all, strings.Join(all, ""))
}

func add(to map[string]bool, words ...string) {
	for _, w := range words {
		for _, p := range parts(strings.TrimPrefix(w, "~")) {
			to[p] = true
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// listed are the names of the lists that the job and the trainer have in this
// repository, and those in the notes that models are trained on and in the carriers.
// The trainer's larger lists, Faker's and the census's, are not here:
// model/training/tests/test_origins.py looks there.
func listed(t *testing.T) map[string]bool {
	all := map[string]bool{}
	for _, list := range []string{"given", "family", "either", "es-names", "known-given", "known-family"} {
		for line := range strings.Lines(readFile(t, "model/surrogate/lists/"+list+".txt")) {
			if _, rest, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
				add(all, strings.Fields(rest)...)
			}
		}
	}
	for _, list := range []string{"first_names", "surnames", "word_names"} {
		for line := range strings.Lines(readFile(t, "model/training/text/"+list+".txt")) {
			line = strings.TrimPrefix(strings.TrimPrefix(line, "first: "), "last: ")
			if line[0] != '#' {
				for n := range strings.SplitSeq(line, ",") {
					add(all, strings.Fields(n)...)
				}
			}
		}
	}
	names.Diminutives(func(name string, of []string) { add(all, append(of, name)...) })
	for _, set := range []map[string]bool{names.Common, names.Eponyms, names.Tongues} {
		for w := range set {
			all[w] = true
		}
	}
	marks := regexp.MustCompile(`\[\[(?:PATIENT|DOCTOR):([^\]]*)\]\]`)
	word := regexp.MustCompile(`[\pL\pM]{2,}(?:['’-][\pL\pM]+)*`)
	for _, glob := range []string{"examples/source/*.txt", "model/training/notes/*.txt", "model/training/numbers/*.txt",
		"model/training/confounders/*.txt", "model/training/hard/*.txt", "model/training/contrasts/*.txt", "model/training/styles/*.txt",
		"model/training/text/templates.txt"} {
		files, err := filepath.Glob(filepath.Join("../..", glob))
		if err != nil || len(files) == 0 {
			t.Fatal(glob, err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range marks.FindAllStringSubmatch(string(raw), -1) {
				for _, w := range word.FindAllString(m[1], -1) {
					if len(w) > 3 || w != strings.ToUpper(w) { // GI are initials
						add(all, w)
					}
				}
			}
		}
	}
	return all
}

// A name in two lists, or in a list that the job or the trainer knows, would tell
// of memory and not of names.
func TestListsAreDisjoint(t *testing.T) {
	all, err := origins()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 16 || !slices.ContainsFunc(all, func(o origin) bool { return o.id == words }) {
		t.Errorf("%d origins, words among them", len(all))
	}
	known := listed(t)
	if len(known) < 40000 {
		t.Fatalf("only %d names are listed elsewhere", len(known))
	}
	of := map[string]string{}
	for _, o := range all {
		for k, list := range o.names {
			if len(list) < 25 || k == family && len(list) < 50 {
				t.Errorf("%s: %d names of list %s", o.id, len(list), listNames[k])
			}
			for _, n := range list {
				for _, p := range parts(n) {
					if known[p] {
						t.Errorf("%s: %s stands elsewhere", o.id, n)
					}
				}
				whole := parts(n)[len(parts(n))-1]
				if other := of[whole]; other != "" {
					t.Errorf("%s: %s stands in %s too", o.id, n, other)
				}
				of[whole] = o.id
				if !wordPattern.MatchString(n) || wordPattern.FindString(n) != n {
					t.Errorf("%s: %s is not one word", o.id, n)
				}
			}
		}
	}
}

func TestListsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"# X. y\nfemale: A\nmale: B\n":             "family",
		"female: A\nmale: B\nlast: C\nfamily: D\n": "last",
	} {
		if _, err := parseOrigin("x", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestBare(t *testing.T) {
	for name, want := range map[string]string{"Łucja": "Lucja", "Þórdís": "Thordis", "İlhan": "Ilhan",
		"Ní-Óg": "Ni-Og", "O'Shea": "O'Shea", "Weiß": "Weiss"} {
		if got := bare(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
