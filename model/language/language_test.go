package language

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notes reads invented notes of a language.
func notes(t *testing.T, code string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", code+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(raw), "%%\n")
}

// judge returns the language of texts together, and of how many of them it is the
// language of each alone.
func judge(texts []string) (majority string, right int) {
	var all Sample
	for _, text := range texts {
		all.Add(text)
	}
	majority = all.Majority()
	for _, text := range texts {
		var one Sample
		one.Add(text)
		if shares, _ := one.Shares(); len(shares) > 0 && shares[0].Language == majority {
			right++
		}
	}
	return majority, right
}

// Invented notes of every known language are told apart, in capitals and without
// accents, too.
func TestInventedNotes(t *testing.T) {
	for _, code := range codes {
		if code == "en" {
			continue // TestExamples
		}
		texts := notes(t, code)
		if got, right := judge(texts); got != code || right < len(texts) {
			t.Errorf("%s: taken for %q; %d of %d notes alone", code, got, right, len(texts))
		}
		plain := make([]string, len(texts))
		for i := range texts {
			plain[i] = strings.ToUpper(fold(texts[i]))
		}
		if got, right := judge(plain); got != code || right < len(texts)-1 {
			t.Errorf("%s in plain capitals: taken for %q; %d of %d notes alone", code, got, right, len(texts))
		}
	}
}

// What is in another language is in none of the known ones, and another script is
// told.
func TestUnknownLanguages(t *testing.T) {
	for code, want := range map[string]string{"sv": "", "el": Other} {
		if got, _ := judge(notes(t, code)); got != want {
			t.Errorf("%s: taken for %q, want %q", code, got, want)
		}
	}
}

// Too few words say nothing, and notes of a few words are judged together.
func TestFewWords(t *testing.T) {
	var s Sample
	s.Add("The patient was seen in the clinic today and is doing well.")
	if got := s.Majority(); got != "" {
		t.Errorf("12 words are taken for %q", got)
	}
	for range 5 {
		s.Add("The wound is dry and there is no fever.")
	}
	if got := s.Majority(); got != "en" {
		t.Errorf("57 words in short notes are taken for %q", got)
	}
	s.Add("\xff\xfe 12/3/14 ... \uFFFD\uFFFD")
	if shares, words := s.Shares(); words != 57 || len(shares) != 1 || shares[0] != (Share{"en", 1}) {
		t.Errorf("%v of %d words", shares, words)
	}
}

// Of two languages the shares are told, and neither is the majority at a half.
func TestMixedCorpora(t *testing.T) {
	var s Sample
	german, dutch := notes(t, "de"), notes(t, "nl")
	for i := range german {
		s.Add(german[i])
		s.Add(dutch[i])
	}
	shares, _ := s.Shares()
	slices.SortFunc(shares, func(a, b Share) int { return strings.Compare(a.Language, b.Language) })
	if len(shares) != 2 || shares[0].Language != "de" || shares[0].Words < 0.4 || shares[0].Words+shares[1].Words < 0.999 {
		t.Errorf("the shares are %v", shares)
	}
	s.Add(strings.Join(german, " "))
	if got := s.Majority(); got != "de" {
		t.Errorf("mostly German notes are taken for %q", got)
	}
}

// marks are what the sources of the examples have around PHI.
var marks = regexp.MustCompile(`\[\[[A-Z_]+:|\]\]`)

// The examples, clipped ones among them, are English, all in all and fifty by
// fifty, and hardly one is taken for another language.
func TestExamples(t *testing.T) {
	for _, folder := range []string{"", "heldout", "unseen", "varied"} {
		files, err := filepath.Glob(filepath.Join("../../examples", folder, "source", "*.txt"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, files, err)
		}
		var texts []string
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, note := range strings.Split(string(raw), "%% note")[1:] {
				_, text, _ := strings.Cut(note, "%%\n")
				texts = append(texts, marks.ReplaceAllString(text, ""))
			}
		}
		for at := 0; at+50 <= len(texts); at += 50 {
			if got, _ := judge(texts[at : at+50]); got != "en" {
				t.Errorf("%s: notes %d to %d are taken for %q", folder, at, at+50, got)
			}
		}
		var other int
		for _, text := range texts {
			var p profile
			if p.add(text); p.language() != "en" && p.language() != "" {
				other++
			}
		}
		_, right := judge(texts)
		t.Logf("%s: %d notes, %d of them English by themselves, %d in another language", folder, len(texts), right, other)
		if right < len(texts)*8/10 || other > len(texts)/100 {
			t.Errorf("%s: of %d notes %d are English by themselves and %d in another language", folder, len(texts), right, other)
		}
	}
}

// MEDDOCAN is Spanish.
func TestMEDDOCAN(t *testing.T) {
	files, err := filepath.Glob("../../../shared/data/meddocan/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the corpus is not there")
	}
	var texts []string
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(raw))
	}
	got, right := judge(texts)
	t.Logf("%d notes, %d of them alone", len(texts), right)
	if got != "es" || right < len(texts)*99/100 {
		t.Errorf("taken for %q; %d of %d notes alone", got, right, len(texts))
	}
}
