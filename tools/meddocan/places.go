package meddocan

import (
	"regexp"
	"slices"
	"strings"
)

var (
	healthService = regexp.MustCompile(`Servicio (?:Andaluz|Vasco|Murciano|Canario|Madrileño|Gallego|Galego|Navarro|Extremeño|Riojano|` +
		`Castellano[- ]?Leon[eé]s|C[aá]ntabro|Aragon[eé]s|Valenciano|Balear) de (?:la )?Salud`)
	locality = regexp.MustCompile(`(?m)^[\s\x{FEFF}]*Localidad[^:\n]*:\s*([^\n,;(/.]*[^\n,;(/.\s])`)
)

// inName reports whether what stands before a town makes it part of a name:
// "Hospital de Getafe".
func inName(before string) bool {
	before = strings.TrimRight(before, " ")
	for _, link := range [...]string{" del", " de", " la", " de la", " el"} {
		if strings.HasSuffix(before, link) {
			return true
		}
	}
	return false
}

// places gives health services their own span, and takes the town of the
// patient from the end of a hospital that is not named after it.
func places(n *note) {
	for _, m := range healthService.FindAllStringIndex(n.text, -1) {
		n.put(m[0], m[1], company)
	}
	m := locality.FindStringSubmatchIndex(n.text)
	if m == nil {
		return
	}
	town := " " + n.text[m[2]:m[3]]
	for i := 0; i < len(n.spans); i++ {
		s := n.spans[i]
		if s.Label != hospital && s.Label != company || !strings.HasSuffix(n.text[s.Start:s.End], town) {
			continue
		}
		cut := s.End - len(town)
		if inName(n.text[s.Start:cut]) || cut-s.Start < 12 {
			continue
		}
		n.spans[i] = trim(n.text, Span{s.Start, cut, s.Label})
		n.insert(Span{cut + 1, s.End, territory})
		i++
	}
	for _, s := range slices.Clone(n.spans) {
		if a := abbreviation.FindStringSubmatchIndex(n.text[s.End:]); a != nil && (s.Label == hospital || s.Label == company) {
			n.put(s.End+a[2], s.End+a[3], s.Label)
		}
	}
}

// abbreviation is that of the institution before it: "(CHUVI)".
var abbreviation = regexp.MustCompile(`^ ?\(([A-Z]{4,8})\)`)
