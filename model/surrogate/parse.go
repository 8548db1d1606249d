package surrogate

import (
	"slices"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// parse cuts a name into its parts and gives each a role.
func (ps *people) parse(s string, doctor bool) parsedName {
	n := parsedName{pieces: ps.lists.scanned(ps.spelled(s))}
	ps.meantBy(n.pieces)
	comma := -1 // parts before the comma of "Smith, John"
	words := 0
	for _, p := range n.pieces {
		if p.kind == wordPiece {
			words++
		}
	}
	particle := -1 // parts before the first particle
	for i, p := range n.pieces {
		if p.kind != wordPiece {
			if strings.Contains(p.text, ",") && comma < 0 && len(n.parts) > 0 {
				comma = len(n.parts)
			}
			continue
		}
		f := fold(p.text)
		last := n.lastWord(i)
		switch {
		case ps.spanish && spanishTitles[f] && !last && len(n.parts) == 0:
			continue
		case ps.spanish && spanishParticles[f] && !last && words > 1:
			if particle < 0 && len(n.parts) > 0 {
				particle = len(n.parts)
			}
			continue
		case (names.Titles[f] || names.Ranks[f] && !ps.known[f]) && !last && len(n.parts) == 0:
			continue
		case names.IsDegree(f) && len(n.parts) > 0 && n.degreesFrom(i) && (comma >= 0 || !mayBeInitials(f) || last && len(n.parts) > 1 &&
			!allUpper(n.pieces)) &&
			(p.text == strings.ToUpper(p.text) || f == "jr" || f == "sr" || f == "phd"):
			continue
		case names.Letters[f] && len(f) > 2 && len(n.parts) > 0 && capitals(p.text) >= 2 && !ps.known[f]:
			continue // MRCPsych, FRACS
		case names.Particles[f] && !last && words > 1 && p.text == strings.ToLower(p.text) && (len(n.parts) > 0 || n.leading(i)):
			// In capitals it may be a name of its own, as it may where all is in
			// lower case: Van Tran, Al Rossi, El-Sayed, le thi hoa.
			if particle < 0 {
				particle = len(n.parts)
			}
			continue
		}
		joined := i > 0 && len(n.parts) > 0 && n.parts[len(n.parts)-1].piece == i-2 && n.pieces[i-1].text == "-"
		n.parts = append(n.parts, part{piece: i, text: p.text, fold: f, initial: runes(f) == 1, joined: joined})
	}
	if len(n.parts) == 0 {
		for i, p := range n.pieces { // nothing but a title or particle: then that is the name
			if p.kind == wordPiece {
				f := fold(p.text)
				n.parts = append(n.parts, part{piece: i, text: p.text, fold: f, initial: runes(f) == 1})
			}
		}
	}
	if comma == len(n.parts) || comma == 0 {
		comma = -1
	}
	n.explode(ps)
	n.roles(ps, doctor, comma, particle)
	if !ps.spanish {
		n.joinSyllables(ps)
	}
	return n
}

// capitals counts the capital letters of a word.
func capitals(s string) (n int) {
	for _, r := range s {
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n
}

// mayBeInitials reports whether a degree of two letters is as often somebody's
// initials where no comma stands before it.
func mayBeInitials(degree string) bool {
	switch degree {
	case "md", "rn", "np", "jr", "sr", "ii", "iv":
		return false
	}
	return len(degree) == 2
}

// degreesFrom reports whether all words from piece i on stand behind names, as
// the PA of "Moua, Pa Nhia" does not.
func (n *parsedName) degreesFrom(i int) bool {
	for _, p := range n.pieces[i:] {
		if f := fold(p.text); p.kind == wordPiece && !names.IsDegree(f) && !names.Letters[f] && runes(f) > 1 {
			return false
		}
	}
	return true
}

// leading reports whether a particle in lower case, piece i, that no name stands
// before is one: behind a title or a particle, or before another one or a capital.
func (n *parsedName) leading(i int) bool {
	for _, p := range n.pieces[:i] {
		if p.kind == wordPiece {
			return true
		}
	}
	for _, p := range n.pieces[i+1:] {
		if p.kind == wordPiece {
			return names.Particles[fold(p.text)] || p.text != strings.ToLower(p.text)
		}
	}
	return false
}

// lastWord reports whether no word follows piece i.
func (n *parsedName) lastWord(i int) bool {
	for _, p := range n.pieces[i+1:] {
		if p.kind == wordPiece {
			return false
		}
	}
	return true
}

// explode cuts run-together initials ("JS", "Smith JA") into letters.
func (n *parsedName) explode(ps *people) {
	for i := 0; i < len(n.parts); i++ {
		p := n.parts[i]
		length := runes(p.text)
		if length < 2 || length > 3 || len(n.parts) > 2 || p.joined || n.pieces[p.piece].apart != "" ||
			len(p.fold) != len(p.text) || !ascii(p.text) ||
			p.text != strings.ToUpper(p.text) && p.text != p.fold || !ps.initials(p.fold, len(n.parts) == 1) {
			continue
		}
		letters := make([]piece, 0, length)
		parts := make([]part, 0, length)
		for j := range p.text {
			letters = append(letters, piece{kind: wordPiece, text: p.text[j : j+1]})
			parts = append(parts, part{piece: p.piece + j, text: p.text[j : j+1], fold: p.fold[j : j+1], initial: true})
		}
		n.pieces = slices.Replace(n.pieces, p.piece, p.piece+1, letters...)
		n.parts = slices.Replace(n.parts, i, i+1, parts...)
		for k := i + length; k < len(n.parts); k++ {
			n.parts[k].piece += length - 1
		}
		return
	}
}

// initials reports whether two or three capitals are initials and not a short
// name such as LEE or ED.
func (ps *people) initials(letters string, alone bool) bool {
	if alone && len(ps.match(letters)) > 0 {
		return true
	}
	if ps.givens[letters]+ps.family[letters] > 0 {
		return false
	}
	if _, ok := ps.lists.givenOf[letters]; ok || len(ps.lists.pet[letters]) > 0 {
		return false
	}
	if _, ok := ps.lists.familyOf[letters]; ok {
		return false
	}
	return true
}

// match returns the persons with those initials, the first letter a given and
// the last a family name's.
func (ps *people) match(letters string) []person {
	var out []person
	for _, p := range ps.persons {
		if startsWith(p.givens[0], rune(letters[0])) && startsWith(p.families[len(p.families)-1], rune(letters[len(letters)-1])) {
			out = append(out, p)
		}
	}
	return out
}

func startsWith(s string, r rune) bool { return s != "" && firstRune(s) == r }

// roles tells given from family names by their places.
func (n *parsedName) roles(ps *people, doctor bool, comma, particle int) {
	parts := n.parts
	if len(parts) == 0 {
		return
	}
	if comma >= len(parts) {
		comma = -1
	}
	// The parts of one hyphenated name have one role: find where the last begins.
	group := len(parts) - 1
	for group > 0 && parts[group].joined {
		group--
	}
	switch {
	case comma > 0:
		for i := range parts {
			parts[i].family = i < comma
		}
	case group == 0:
		if !parts[0].initial { // one name, hyphenated or not
			family := !ps.isGiven(parts[0].fold, doctor)
			for i := range parts {
				parts[i].family, parts[i].loose = family, len(parts) == 1
			}
			if len(parts) > 1 && family {
				return
			}
			for i := range parts {
				parts[i].loose = true
			}
			return
		}
		parts[len(parts)-1].family = len(parts) > 1
	case particle >= 0:
		for i := range parts {
			parts[i].family = i >= particle
		}
	case parts[len(parts)-1].initial && !parts[0].initial:
		// Smith J or John S.
		first := 1
		for first < len(parts) && parts[first].joined {
			first++
		}
		given := ps.isGiven(parts[0].fold, true)
		for i := range parts {
			if given {
				parts[i].family = i == len(parts)-1
			} else {
				parts[i].family = i < first
			}
			parts[i].loose = true
		}
	default:
		for i := range parts {
			p := &parts[i]
			p.family = i >= group
			if i > 0 && i < group && !p.initial && ps.family[p.fold] > ps.givens[p.fold] {
				p.family = true
			}
			p.loose = i > 0 && i < group
		}
	}
}
