package lexicon

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// Address is what is looked for of a postal address.
type Address struct{ Street, City, ZIP string }

// ParseAddress cuts an address such as "12 Elm Row, Leith EH6 7QQ" or "1719
// Brailer Street, Apt 4, Bellingham, WA 98225" at its commas or line ends. The
// first part is the street; the city is the last part that is neither a state,
// a postcode, a country nor part of a house.
func ParseAddress(address string) (a Address) {
	parts := strings.FieldsFunc(address, func(r rune) bool { return r == ',' || r == '\n' || r == ';' })
	for i, p := range parts {
		words := strings.Fields(p)
		n := len(words)
		// The postcode stands at the end of a part.
		from := n
		for from > 0 && strings.ContainsFunc(words[from-1], unicode.IsDigit) && !strings.ContainsAny(words[from-1], "#") {
			from--
		}
		if i > 0 && from < n {
			if code := strings.Join(words[from:], " "); len(code) >= 5 {
				a.ZIP = code
			}
			words = words[:from]
			if n = len(words); n > 0 && names.StateNames[names.Fold(words[n-1])] && len(words[n-1]) <= 3 {
				words = words[:n-1]
			}
		}
		text := strings.Join(words, " ")
		switch {
		case i == 0:
			a.Street = strings.TrimSpace(p)
		case text == "" || names.StateNames[names.Fold(text)] || names.Countries[names.Fold(text)] ||
			strings.ContainsFunc(text, unicode.IsDigit) || inHouse[names.Fold(strings.Fields(text)[0])]:
		default:
			a.City = text
		}
	}
	return a
}

var inHouse = names.Set("apt apartment unit suite ste flat floor fl room rm lot bldg building po box piso")
