package surrogate

import (
	"strings"
	"unicode"
)

// lookalikes makes words equal that a scanner takes for one another.
var lookalikes = strings.NewReplacer("0", "o", "1", "i", "l", "i", "5", "s", "8", "b", "rn", "m")

// misread finds the words of names that are no names of the lists and look like one word
// that is known beforehand or listed, and is in another name of the patient's: "lrja" and
// "Irja", "Arnundsen" and "Amundsen". They have its surrogate. surfaces are those of the
// parsed names.
func (ps *people) misread(parsed []parsedName, known func(i int) bool) {
	meant := map[string]string{} // shape to the one word; "" for several
	all := map[string]bool{}
	for i, n := range parsed {
		for _, p := range n.parts {
			if runes(p.fold) < 3 {
				continue
			}
			all[p.fold] = true
			if known(i) || ps.lists.named(p.fold) {
				s := lookalikes.Replace(p.fold)
				if old, ok := meant[s]; ok && old != p.fold {
					meant[s] = ""
				} else {
					meant[s] = p.fold
				}
			}
		}
	}
	ps.meant = map[string]string{}
	for w := range all { // the order does not show
		if m := meant[lookalikes.Replace(w)]; m != "" && m != w && !ps.lists.named(w) {
			ps.meant[w] = m
		}
	}
}

// named reports whether a folded word is a name of the lists.
func (l *lists) named(word string) bool {
	return l.givenOf[word] != "" || l.familyOf[word] != "" || l.family[word]
}

// meantBy replaces the words of pieces that were misread by those that were meant, in
// their case.
func (ps *people) meantBy(pieces []piece) {
	for i, p := range pieces {
		if p.kind != wordPiece || len(ps.meant) == 0 {
			continue
		}
		m := ps.meant[fold(p.text)]
		plain := strings.ReplaceAll(p.text, "l", "")
		switch {
		case m == "":
		case plain != "" && capitals(plain) > 1 && plain == strings.ToUpper(plain):
			pieces[i].text = strings.ToUpper(m)
		case unicode.IsUpper(firstRune(p.text)), firstRune(p.text) == 'l' && m[0] == 'i':
			first := string(firstRune(m))
			pieces[i].text = strings.ToUpper(first) + m[len(first):]
		default:
			pieces[i].text = m
		}
	}
}
