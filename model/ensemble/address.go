package ensemble

import (
	"strings"
	"unicode"
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
			if n = len(words); n > 0 && stateNames[fold(words[n-1])] && len(words[n-1]) <= 3 {
				words = words[:n-1]
			}
		}
		text := strings.Join(words, " ")
		switch {
		case i == 0:
			a.Street = strings.TrimSpace(p)
		case text == "" || stateNames[fold(text)] || countries[fold(text)] || strings.ContainsFunc(text, unicode.IsDigit) || inHouse[fold(strings.Fields(text)[0])]:
		default:
			a.City = text
		}
	}
	return a
}

var countries = setOf(`USA, US, United States, UK, United Kingdom, England, Scotland, Wales, Ireland, Northern Ireland, Canada,
	Australia, New Zealand, Spain, España, Mexico, México, Argentina, Chile, Colombia, Finland, Sweden, Norway,
	Denmark, Iceland, France, Germany, Italy, Portugal, Poland, Greece, Turkey, Iran, Iraq, Israel, Egypt, Nigeria, Ghana,
	Kenya, Ethiopia, India, Pakistan, Bangladesh, Nepal, China, Japan, Korea, Vietnam, Philippines, Brazil, Peru, Ecuador,
	Guatemala, Honduras, El Salvador, Nicaragua, Cuba, Haiti, Jamaica, Ukraine, Russia, Netherlands, Belgium, Switzerland`)

var inHouse = set("apt apartment unit suite ste flat floor fl room rm lot bldg building po box piso")
