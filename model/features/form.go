package features

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/spanish"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// form is what a token's letters tell by themselves.
type form struct {
	word    *part   // folded; numbers that could be somebody's are zeros
	stem    *part   // nil where it is the word
	shape   *part   // "Xx", "d4", "X.": runs of one kind once, digits counted
	long    *part   // "Xxxxx", at most eight
	class   *part   // token.Class
	length  *part   // in code points, "9+"
	affixes []*part // prefixes and suffixes of two to four letters, in the order of the templates; nil where the word is no longer
	lists   []*part // the public lists that hold the word
	listed  *part   // all of them in one
	title   bool    // of a person, before a name
	name    bool    // on a list of names
	letters bool
	capital bool
}

// The most bytes of a token that are looked at; a longer one is a run of garbage.
const maxForm = 64

func (x *Extractor) formOf(s string, class token.Class) *form {
	if class == token.Newline {
		if strings.Count(s, "\n") > 1 {
			return x.paragraph
		}
		return x.line
	}
	if len(s) > maxForm {
		cut := maxForm
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
		key := s + "\x00" + string(rune('0'+class)) // what was cut off tells the class, too
		f, ok := x.forms[key]
		if !ok {
			f = x.newForm(strings.Clone(s), class)
			x.forms[key] = f
		}
		return f
	}
	if f, ok := x.forms[s]; ok {
		return f
	}
	s = strings.Clone(s) // a part of the text would keep the whole of it in memory
	f := x.newForm(s, class)
	x.forms[s] = f
	return f
}

func (x *Extractor) newForm(s string, class token.Class) *form {
	w := names.Fold(s)
	f := &form{class: x.part(strconv.Itoa(int(class))), letters: class < token.Digits}
	switch {
	case class == token.Digits:
		f.word = x.part(number(s))
		f.shape = x.part("d" + strconv.Itoa(min(utf8.RuneCountInString(s), 12)))
	case class == token.Symbol:
		r, _ := utf8.DecodeRuneInString(s)
		if !unicode.IsGraphic(r) || r == utf8.RuneError {
			w = "<c>"
		}
		f.word = x.part(w)
		f.shape = f.word
	default:
		f.word = x.part(w)
		f.shape = x.part(shape(s, 1))
		if st := x.stem(w); st != w {
			f.stem = x.part(st)
		}
	}
	f.long = x.part(shape(s, 8))
	n := utf8.RuneCountInString(w)
	f.length = x.part(strconv.Itoa(min(n, 9)))
	if f.letters {
		f.affixes = x.affixes(w, n)
		f.capital = class != token.Lower
		f.title = names.Titles[w] || names.Ranks[w]
	}
	f.lists, f.listed = x.listsOf(w, f.letters)
	for _, l := range f.lists {
		f.name = f.name || l.text == "given" || l.text == "family"
	}
	return f
}

// number keeps what says nothing of anybody: up to two digits, and years.
func number(digits string) string {
	if n := len(digits); n <= 2 || n == 4 && ("1900" <= digits && digits < "2100") {
		return digits
	}
	return strings.Repeat("0", min(len(digits), 12))
}

// shape writes X for capitals, x for small letters and d for digits, each run of
// one kind at most so many times.
func shape(s string, most int) string {
	var b strings.Builder
	last, run := byte(0), 0
	for _, r := range s {
		k := byte('s')
		switch {
		case unicode.IsUpper(r):
			k = 'X'
		case unicode.IsLetter(r):
			k = 'x'
		case unicode.IsDigit(r):
			k = 'd'
		}
		if k != last {
			last, run = k, 0
		}
		if run++; run <= most {
			b.WriteByte(k)
		}
	}
	return b.String()
}

func (x *Extractor) stem(w string) string {
	switch x.language {
	case "en":
		return english.Stem(w, false)
	case "es":
		return spanish.Stem(w, false)
	}
	return w
}

// affixes returns prefixes and suffixes, shorter than the word by two letters at
// least: an affix must not tell the word.
func (x *Extractor) affixes(w string, n int) []*part {
	const sizes = maxAffix - minAffix + 1
	out := make([]*part, 2*sizes)
	start, end := 0, len(w)
	for size := 1; size <= maxAffix && size+2 <= n; size++ {
		_, first := utf8.DecodeRuneInString(w[start:])
		_, last := utf8.DecodeLastRuneInString(w[:end])
		start, end = start+first, end-last
		if size >= minAffix {
			out[size-minAffix], out[sizes+size-minAffix] = x.part(w[:start]), x.part(w[end:])
		}
	}
	return out
}

// neighbours is the suffix of three letters among the affixes.
const neighbours = maxAffix - minAffix + 1 + 3 - minAffix
