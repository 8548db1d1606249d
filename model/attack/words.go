package attack

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// A surrogate is drawn from lists, or invented by a model of them, that anybody
// can read. What stands where a name, a phone number or an address stands, is from
// no list and would not be invented, was probably missed.

var (
	titled = regexp.MustCompile(`\b(?:Dr|Drs|Mr|Mrs|Ms|Miss|Prof|Sr|Sra|Dra|Srta|Don|Doña)\.?[ \t]+((?:\p{Lu}[\p{L}'’-]+[ \t]?){1,3})`)
	words  = regexp.MustCompile(`\p{L}[\p{L}'’-]*`)
	part   = regexp.MustCompile(`\p{L}[\p{L}'’]*`)
	// Of the North American plan, where area and exchange begin with 2 to 9.
	phones = regexp.MustCompile(`(?:^|[^\d-])(\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])([2-9]\d{2})[-.](\d{4})(?:$|[^\d-])`)
	mail   = regexp.MustCompile(`[\w.+-]+@([\w-]+(?:\.[\w-]+)+)`)
)

// Token is a part of a text that stands out, from byte Start to End.
type Token struct {
	Kind       string
	Start, End int
}

// Kinds of tokens that stand out.
const (
	NameTokens  = "names from no list, never invented"
	PhoneTokens = "phone numbers that somebody may have"
	MailTokens  = "mail addresses at real domains"
)

// TokenKinds lists them.
func TokenKinds() []string { return []string{NameTokens, PhoneTokens, MailTokens} }

// Vocabulary counts the words of a release that are written in lower case
// somewhere, and so are no names.
type Vocabulary map[string]bool

// Add takes in the words of a text.
func (v Vocabulary) Add(text string) {
	for _, w := range words.FindAllString(text, -1) {
		if first := []rune(w)[0]; unicode.IsLower(first) {
			v[w] = true
		}
	}
}

// common reports whether a word is an ordinary one.
func (v Vocabulary) common(word string) bool { return v[strings.ToLower(word)] }

// StandOut returns the tokens of a text that stand out: names behind a title, or
// behind a listed given name, that are on no list and would not be invented; phone numbers that are not set aside
// for fiction; mail addresses at domains that are not.
func (v Vocabulary) StandOut(text string) (all []Token) {
	known := surrogate.NamesOf("") // whatever the notes' language
	name := func(start, end int) {
		for _, m := range part.FindAllStringIndex(text[start:end], -1) { // Smith-Jones is two
			w := text[start+m[0] : start+m[1]]
			for _, ending := range []string{"'s", "’s", "'", "’"} {
				w = strings.TrimSuffix(w, ending)
			}
			if len([]rune(w)) > 2 && strings.ToUpper(w) != w && !known.Drawn(w) && !known.Seldom(w) && !v.common(w) && !invented(w) {
				all = append(all, Token{NameTokens, start + m[0], start + m[0] + len(w)})
			}
		}
	}
	done := 0
	for _, m := range titled.FindAllStringSubmatchIndex(text, -1) {
		for _, w := range words.FindAllStringIndex(text[m[2]:m[3]], -1) {
			name(m[2]+w[0], m[2]+w[1])
		}
		done = m[3]
	}
	last := []int{0, 0}
	for _, w := range words.FindAllStringIndex(text, -1) {
		before := text[last[0]:last[1]]
		if last[1] > 0 && text[last[1]:w[0]] == " " && unicode.IsUpper([]rune(before)[0]) && known.DrawnGiven(before) && !v.common(before) &&
			unicode.IsUpper([]rune(text[w[0]:w[1]])[0]) && w[0] >= done && !contains(all, w[0]) {
			name(w[0], w[1])
		}
		last = w
	}
	for _, m := range phones.FindAllStringSubmatchIndex(text, -1) {
		if !(text[m[4]:m[5]] == "555" && strings.HasPrefix(text[m[6]:m[7]], "01")) {
			all = append(all, Token{PhoneTokens, m[2], m[7]})
		}
	}
	for _, m := range mail.FindAllStringSubmatchIndex(text, -1) {
		if !reserved(strings.ToLower(text[m[2]:m[3]])) {
			all = append(all, Token{MailTokens, m[0], m[1]})
		}
	}
	return all
}

// invented reports whether a name may be an invented surrogate: a part of a
// compound, or one with its capitals as McKey has them, may be, too.
func invented(w string) bool {
	return surrogate.NamesOf("").InventionOdds(strings.ReplaceAll(w, "’", "'")) > 0
}

func contains(all []Token, start int) bool {
	for _, t := range all {
		if t.Start <= start && start < t.End {
			return true
		}
	}
	return false
}

// reserved reports whether nobody can own a domain (RFC 2606).
func reserved(domain string) bool {
	for _, d := range []string{"example.com", "example.org", "example.net", "example", "invalid", "test"} {
		if domain == d || strings.HasSuffix(domain, "."+d) {
			return true
		}
	}
	return false
}
