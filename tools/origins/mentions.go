package main

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// role says which list a word's stand-in is drawn from.
type role int

const (
	given role = iota
	surname
)

// The forms of a mention.
const (
	full        = iota // given name and family name, in either order
	initialed          // an initial and a name
	familyAlone        //
	givenAlone         //
	forms
)

var formNames = [forms]string{"full", "initial and name", "family name alone", "given name alone"}

// part is a word of a mention that is redrawn, in bytes of the note.
type part struct {
	start, end int
	role       role
}

// parsed is a mention of a person, and the words in it that are redrawn.
type parsed struct {
	parts []part
	form  int
}

var wordPattern = regexp.MustCompile(`[\pL\pM]+(?:['’-][\pL\pM]+)*\.?`)

// parse finds the words of a mention that are names. known tells the role of words
// that stand in full names of the same patient's notes; a nil one is no help.
// Initials, titles, degrees and particles stay. A mention that is spelled out,
// mistyped with digits or other signs, or cut off by a line's end has no words to redraw.
func parse(text string, start, end int, known func(folded string) (role, bool)) parsed {
	surface := text[start:end]
	if strings.HasSuffix(surface, "-") || strings.ContainsFunc(surface, odd) {
		return parsed{}
	}
	comma := strings.IndexByte(surface, ',')
	var words []part
	initials, before, last := 0, false, false
	stop := false
	for i, at := range wordPattern.FindAllStringIndex(surface, -1) {
		w := surface[at[0]:at[1]]
		bareWord := strings.TrimSuffix(w, ".")
		folded := names.Fold(bareWord)
		switch {
		case utf8.RuneCountInString(bareWord) == 1:
			initials++
			last, stop = true, strings.HasSuffix(w, ".")
			before = before || len(words) == 0
			continue
		case i == 0 && names.Titles[folded], names.Idle[folded], i > 0 && names.IsDegree(folded) && bareWord == strings.ToUpper(bareWord):
			continue
		}
		last = false
		words = append(words, part{start: start + at[0], end: start + at[0] + len(bareWord)})
	}
	if len(words) == 0 || initials > 2 || len(words) == 1 && initials == 0 && short(text[words[0].start:words[0].end]) {
		return parsed{}
	}
	for k := range words {
		words[k].role = given
	}
	switch {
	case comma >= 0:
		for k := range words {
			if words[k].start < start+comma {
				words[k].role = surname
			}
		}
	case len(words) > 1:
		words[len(words)-1].role = surname
	case before, last && !stop: // "J. Fox", "FOX J"; "Ann F." is a given name
		words[0].role = surname
	case initials == 0:
		words[0].role = alone(text, words[0], known)
	}
	p := parsed{parts: words}
	switch hasGiven, hasFamily := has(words, given), has(words, surname); {
	case hasGiven && hasFamily:
		p.form = full
	case initials > 0:
		p.form = initialed
	case hasFamily:
		p.form = familyAlone
	default:
		p.form = givenAlone
	}
	return p
}

// odd reports whether a character is none of those that names are written with.
func odd(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) && !strings.ContainsRune(" .,'’-\"()", r)
}

// short reports whether a word that stands alone is a person's initials.
func short(w string) bool {
	return utf8.RuneCountInString(w) <= 3 && (w == strings.ToUpper(w) || w == strings.ToLower(w))
}

func has(words []part, r role) bool {
	for _, w := range words {
		if w.role == r {
			return true
		}
	}
	return false
}

var titled = regexp.MustCompile(`(?i)\b(?:mr|mrs|ms|miss|dr|drs|prof|professor|doctor)\.? *$`)

// alone is the role of a word that is a mention by itself: that which it has in
// full names, else by a title in front of it.
func alone(text string, w part, known func(string) (role, bool)) role {
	if titled.MatchString(text[max(0, w.start-12):w.start]) {
		return surname
	}
	if known != nil {
		if r, ok := known(names.Fold(text[w.start:w.end])); ok {
			return r
		}
	}
	return given
}
