package surrogate

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// kindOf returns the type whose surrogate a mention gets: that which a tagger
// gave it, unless the surface itself says otherwise ("Guthrie Prairie Schools"
// is no town), or is what an institution of the patient's notes is called for
// short ("Raithmuir").
func (p *Patient) kindOf(t phi.Type, s string) phi.Type {
	switch t {
	case phi.City, phi.State, phi.Country, phi.LocationOther:
		if digits, ok := onlyDigits(s[labelEnd(s):]); p.spanish() && ok && digits != "" {
			return phi.ZIP
		}
		if p.lists.institutional(s) || t == phi.City && p.heads[fold(s)] && !p.lists.isTown(fold(s)) && p.stateOf[fold(s)] == "" &&
			p.regionOf[fold(s)] == "" {
			return phi.Organization
		}
	case phi.Patient, phi.Doctor:
		if f := fold(s); p.heads[f] && p.lists.classOf(f) == "either en" && p.known().givens[f]+p.known().family[f] == 0 {
			return phi.Organization // part of no full name
		}
		last := fold(lastOf(s)) // "Ann Church" is somebody
		if !strings.Contains(s, ",") && p.lists.institutional(s) && p.lists.givenOf[last] == "" && p.lists.familyOf[last] == "" {
			return phi.Organization
		}
	case phi.Street:
		if !strings.ContainsAny(s, "0123456789") && p.lists.institutional(s) {
			return phi.Organization
		}
	case phi.Phone, phi.Fax:
		if p.lists.national(s) {
			return phi.IDNum
		}
	case phi.Hospital, phi.Organization:
		if p.lists.addressed(s) {
			return phi.Street
		}
	}
	return t
}

// institutional reports whether a phrase of several words ends in one that makes
// an institution of it, and is no town.
func (l *lists) institutional(s string) bool {
	last, words := "", 0
	for _, piece := range cut(s) {
		if piece.kind == wordPiece {
			last = fold(piece.text)
			words++
		}
	}
	if words < 2 || !l.words["heads"][last] {
		return false
	}
	return !l.isTown(fold(s))
}

// addressed reports whether a phrase is a house number, a name and a kind of
// street.
func (l *lists) addressed(s string) bool {
	pieces := cut(s)
	if len(pieces) < 5 || pieces[0].kind != digitPiece || len(pieces[0].text) > 5 {
		return false
	}
	for _, piece := range pieces {
		if l.words["heads"][fold(piece.text)] {
			return false
		}
	}
	switch fold(pieces[len(pieces)-1].text) {
	case "street", "st", "avenue", "ave", "road", "rd", "drive", "dr", "lane", "ln", "boulevard", "blvd", "terrace", "crescent":
		return true
	}
	return false
}

// blankedTen is ten digits as NHS numbers are written.
var blankedTen = regexp.MustCompile(`^[1-9][0-9]{2} [0-9]{3} [0-9]{4}$`)

// isPhrase reports whether what was taken for a number is words: letters in lower
// case alone, but for the first.
func isPhrase(t phi.Type, s string) bool {
	if t.Category() != "ID" || strings.ContainsAny(s, "0123456789") {
		return false
	}
	for _, piece := range cut(s) {
		if piece.kind == wordPiece && runes(piece.text) > 3 && capitals(piece.text) < 2 && strings.ContainsAny(fold(piece.text), "aeiou") {
			return true
		}
	}
	return false
}

// national reports whether what was taken for a telephone number is a national
// health number of the United Kingdom: ten digits whose first three are no area
// code, with its check digit or in its form.
func (l *lists) national(s string) bool {
	digits, ok := onlyDigits(s)
	return ok && len(digits) == 10 && digits[0] != '0' && l.areaOf[digits[:3]] == "" &&
		(nhsCheck(digits) == digits[9] || blankedTen.MatchString(s))
}

// headWord returns the word by which an institution is called for short, folded,
// where it is one, "" for others.
func (p *Patient) headWord(s string) string {
	for _, piece := range cut(s) {
		f := fold(piece.text)
		if piece.kind != wordPiece {
			continue
		}
		if p.lists.words["generic"][f] || openers[f] || runes(f) < 4 {
			return ""
		}
		return f
	}
	return ""
}
