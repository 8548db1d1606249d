package lexicon

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// signatures adds the initials by which staff sign and are spoken of: of the
// first name and the last, of all names, and of the halves of a double one.
func (l *Lexicon) signatures(p names.PersonName, e entry) {
	e.need = signature
	all := p.Words()
	if len(all) < 2 {
		return
	}
	first := func(w string) string { return names.Fold(names.Initial(w)) }
	whole, split := "", ""
	for _, w := range all {
		whole += first(w)
		for _, h := range strings.FieldsFunc(w, func(r rune) bool { return r == '-' }) {
			split += first(h)
		}
	}
	for _, s := range []string{first(all[0]) + first(all[len(all)-1]), whole, split} {
		if n := utf8.RuneCountInString(s); n >= 2 && n <= 4 && !names.Abbreviations[s] && !shortWords[s] {
			l.addSpaced(s, e)
		}
	}
}

// shortWords are words and abbreviations of two to four letters that are no
// initials wherever they stand.
var shortWords = names.Set(`am an as at be by do go he hi if in is it me mr ms my no of oh ok on or pa pm so to up us we the and for not
	but was has had her his him she you who are can did see pt pts rn md np pa do ot st sw hr bp ct er ed ne nd na nb nr nk ha sa sc po pr im
	iv id od os ou bd qd mg ml cm mm kg cc la ca ra ms ma va vs wt ht dx hx rx tx fx sx sob abd neg pos cxr ekg ecg mri mra usg dvt tb af dm
	hf mi uti ckd htn cad ich sah gi gu ob ep ir ord icu nad nil prn`)

// twoInitials reports whether a folded word may be somebody's two initials.
func twoInitials(f string) bool {
	return len(f) == 2 && f[0] >= 'a' && f[0] <= 'z' && f[1] >= 'a' && f[1] <= 'z' && !names.Abbreviations[f] && !shortWords[f] &&
		!names.Degrees[f]
}

// callings stand before the initials of who was called or who did something.
var callings = names.Set(`per by sig signed cosign cosigned rang called paged from thanks told asked via w ask rn dr sn typed dict dictated
	entered seen checked given`)

// signed reports whether initials at tokens i to j stand where staff sign or
// are called: alone on their line, at its end behind a sentence or a gap, in
// brackets, beside a slash and other initials, or behind "per" or "d/w".
func signed(text string, tokens []token.Token, i, j int) bool {
	if i != j {
		return false
	}
	prev, next := "\n", "\n"
	if i > 0 {
		prev = tokens[i-1].Text(text)
	}
	k := j + 1
	if k < len(tokens) {
		next = tokens[k].Text(text)
		if next == "." && (k+1 == len(tokens) || tokens[k+1].Class == token.Newline) {
			next = "\n"
		}
	}
	starts := i == 0 || tokens[i-1].Class == token.Newline
	ends := next == "\n" || k < len(tokens) && tokens[k].Class == token.Newline
	short := func(t token.Token) bool { return token.IsLetters(t.Class) && t.End-t.Start <= 4 }
	start := int(tokens[i].Start)
	gap := start > 1 && text[start-1] == ' ' && text[start-2] == ' '
	stop := int(tokens[j].End)
	cell := stop == len(text) || text[stop] == '\t' || text[stop] == '|' || strings.HasPrefix(text[stop:], "  ")
	switch {
	case ends && (starts || gap || strings.Contains(".)]?!,|", prev)):
		return true
	case (ends || cell) && (prev == "|" || gap || start > 0 && text[start-1] == '\t'):
		return true // of a table
	case prev == "(" && next == ")":
		return true
	case prev == "/" && i > 1 && ends && short(tokens[i-2]),
		next == "/" && k+1 < len(tokens) && short(tokens[k+1]) && (starts || gap):
		return true
	}
	return names.Has(callings, prev) && tokens[i].Space
}
