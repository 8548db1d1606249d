package surrogate

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
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
		if p.lists.institutional(s) || (t == phi.City || t == phi.LocationOther) && p.heads[fold(s)] && !p.lists.isTown(fold(s)) &&
			p.stateOf[fold(s)] == "" &&
			p.regionOf[fold(s)] == "" {
			return phi.Organization
		}
	case phi.Patient, phi.Doctor:
		if login.MatchString(s) || p.known().runTogether(s) {
			return phi.Username
		}
		if f := fold(s); p.heads[f] && !strings.Contains(f, " ") && p.lists.classOf(f) == "either en" &&
			p.known().givens[f]+p.known().family[f] == 0 {
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
		if p.isNHS(s) {
			return phi.IDNum
		}
	case phi.Hospital, phi.Organization, phi.Department:
		if p.lists.addressed(s) {
			return phi.Street
		}
		if p.related(s) {
			return phi.Patient
		}
	}
	return t
}

// login is what a user name looks like that was taken for a name: "dtafoya7",
// "rjansari_rx". A single digit may be a letter that a scanner misread.
var login = regexp.MustCompile(`^[a-z]{3,}(?:\d{2,4}|[234679]|_[a-z0-9]+)$`)

// runTogether reports whether what was taken for a name is a user name without digits:
// one word in small letters that is the name of somebody known with an initial, or both
// names in full, and no name of its own.
func (ps *people) runTogether(s string) bool {
	if s != strings.ToLower(s) || strings.ContainsFunc(s, func(r rune) bool { return !isLetter(r) }) {
		return false
	}
	f := fold(s)
	if ps.givens[f]+ps.family[f] > 0 || ps.lists.givenOf[f] != "" || ps.lists.familyOf[f] != "" || ps.lists.family[f] {
		return false
	}
	_, ok := ps.shortForms().joined[f]
	return ok
}

// related reports whether what was taken for an institution is somebody of the
// patient's family: two or three words in capitals that say nothing of what an
// institution is, of which the last is a family name known of the patient.
func (p *Patient) related(s string) bool {
	var words []string
	for _, piece := range cut(s) {
		f := fold(piece.text)
		if piece.kind == digitPiece || piece.kind == gapPiece && strings.TrimSpace(piece.text) != "" {
			return false
		}
		if piece.kind == wordPiece {
			if p.lists.words["generic"][f] || p.lists.words["heads"][f] || openers[f] || p.lists.isTown(f) ||
				piece.text == strings.ToLower(piece.text) {
				return false
			}
			words = append(words, f)
		}
	}
	if len(words) < 2 || len(words) > 3 || p.lists.words["suffix"][words[len(words)-1]] {
		return false
	}
	last := words[len(words)-1]
	return p.known().family[last] > 0 && p.known().family[last] > p.known().givens[last]
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

// isNHS reports whether what was taken for a telephone number is a national health
// number of the United Kingdom: ten digits that begin as those do and not with an area
// code, with its check digit and, where the patient is not known to live there, in its
// form, too.
func (p *Patient) isNHS(s string) bool {
	digits, ok := onlyDigits(s)
	if !ok || len(digits) != 10 || !strings.Contains("34679", digits[:1]) || p.lists.areaOf[digits[:3]] != "" || unlisted[digits[:3]] {
		return false
	}
	form, check := blankedTen.MatchString(s), nhsCheck(digits) == digits[9]
	test := digits[:3] == "999" // kept for tests of the NHS, and nobody's area code
	return form && (check || test) || (form || check) && p.at().country == "uk"
}

// unlisted are codes of the North American plan that are no area's of the lists.
var unlisted = names.Set("900")

// stem returns the words that an institution's name begins with before those that say
// what it is ("dickinson falls" of "Dickinson Falls Hospital"), folded, where they are
// two or three; "" for others. The last of them may say what it is too, as in Falls.
func (l *lists) stem(s string) string {
	var words []string
	head := -1 // the last word that makes an institution of it
	for _, piece := range cut(s) {
		if piece.kind == digitPiece || piece.kind == gapPiece && piece.text != " " && piece.text != "'s " && piece.text != "’s " {
			break
		}
		if piece.kind == wordPiece {
			if f := fold(piece.text); l.words["heads"][f] && head < 0 {
				head = len(words)
			}
			words = append(words, fold(piece.text))
		}
	}
	for head > 2 && (l.words["weak"][words[head-1]] || l.words["generic"][words[head-1]]) {
		head-- // "regional", "medical"
	}
	if head < 2 || head > 3 {
		return ""
	}
	return strings.Join(words[:head], " ")
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
