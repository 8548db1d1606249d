package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Spelling is a word that a text spells letter by letter, as names are in dictation:
// "K U H L M A N N", "W-E-B-E-R".
type Spelling struct {
	Start, End int    // bytes
	Word       string // its letters, joined
	Between    string // what stands between each two of them
}

const (
	leastSpelt  = 3  // letters
	mostSpelt   = 40 // letters; more are none of a name
	widestSpelt = 3  // bytes between two of them: " - "
)

// Spellings returns the words that text spells, in order: at least three letters of one
// case, or of which the first alone is a capital, with the same blanks, commas or hyphens
// between each two. Nothing says whether they are a name, an abbreviation or a heading.
func Spellings(text string) (all []Spelling) {
	for i := 0; i < len(text); {
		n := wordAt(text, i)
		if n > 0 && loneLetter(text[i:i+n]) {
			s := spelling(text, i, n)
			if utf8.RuneCountInString(s.Word) >= leastSpelt {
				if strings.Trim(Fold(s.Word), Fold(s.Word[:n])) != "" { // no row of crosses
					all = append(all, s)
				}
				i = s.End
				continue
			}
		}
		i += max(n, 1)
	}
	return all
}

// spelling returns what is spelt from byte i on, where a letter of n bytes stands.
func spelling(text string, i, n int) Spelling {
	s := Spelling{Start: i, End: i + n, Word: text[i : i+n]}
	upper := isUpper(s.Word)
	for count := 1; ; count++ {
		next := s.End
		for next < len(text) && next-s.End <= widestSpelt && strings.IndexByte(" ,-", text[next]) >= 0 {
			next++
		}
		n := 0
		if next > s.End && next-s.End <= widestSpelt {
			n = wordAt(text, next)
		}
		if n == 0 || !loneLetter(text[next:next+n]) || count > 1 && text[s.End:next] != s.Between || count == mostSpelt {
			return s
		}
		letter := text[next : next+n]
		if count > 1 && isUpper(letter) != upper || count == 1 && isUpper(letter) && !upper {
			return s
		}
		upper = isUpper(letter)
		s.Between = text[s.End:next]
		s.Word += letter
		s.End = next + n
	}
}

// JoinSpelled returns a name with the words joined that it spells by four letters and more,
// which are hardly anybody's initials.
func JoinSpelled(name string) string {
	var b strings.Builder
	from := 0
	for _, s := range Spellings(name) {
		if utf8.RuneCountInString(s.Word) > leastSpelt {
			b.WriteString(name[from:s.Start] + s.Word)
			from = s.End
		}
	}
	if from == 0 {
		return name
	}
	return b.String() + name[from:]
}

// wordAt returns how many bytes of letters, digits and what is not ASCII stand at i, and
// of apostrophes among them.
func wordAt(text string, i int) (n int) {
	for ; i+n < len(text); n++ {
		c := text[i+n]
		if c < utf8.RuneSelf && !(c >= '0' && c <= '9' || Lowered[c] >= 'a' && Lowered[c] <= 'z' || n > 0 && c == '\'') {
			break
		}
	}
	return n
}

// loneLetter reports whether a word is one letter.
func loneLetter(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && unicode.IsLetter(r)
}

func isUpper(letter string) bool { return letter != strings.ToLower(letter) }
