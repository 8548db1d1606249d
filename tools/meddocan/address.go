package meddocan

import (
	"regexp"
	"slices"
	"strings"
)

var (
	way = regexp.MustCompile(`(?:^|[\s,.(])((?:C/|c/|Calle|CALLE|calle|Avda|Avenida|AVDA|Avd|Av|Paseo|Pº|Plaza|Pza|Plza|Carretera|Ctra|` +
		`Carrer|Rambla|Ronda|Camino|Traves[ií]a|Apartado de [Cc]orreos|Glorieta|Gran V[ií]a|Rua|Rúa|Passeig|Avinguda|Pol[ií]gono|Urb)\b\.?)`)
	// A postcode of Spain as addresses write it, with or without the letter of the country.
	postcode      = regexp.MustCompile(`\b(?:E ?[-–]? ?)?(?:0[1-9]|[1-4]\d|5[0-2])\d{3}\b`)
	codeLabel     = regexp.MustCompile(`(?i)^(?:c[oó]digo postal|c\.? ?p\.?)[\s:.]*`)
	codeBehind    = regexp.MustCompile(`(?i)[\s,.-]+(?:c[oó]digo postal|c\. ?p\.?|c\.? ?p\.)$`)
	stateBehind   = regexp.MustCompile(`[\s,.-]+E$`)
	stateCode     = regexp.MustCompile(`^E ?[-–]? ?\d{5}\b`)
	floorBehind   = regexp.MustCompile(`[\s,.]+(?:\d{1,2}ª? ?planta|Planta \d+|Ctra|Avda|Servicio de .*|Edificio .*)$`)
	healthService = regexp.MustCompile(`Servicio (?:Andaluz|Vasco|Murciano|Canario|Madrileño|Gallego|Galego|Navarro|Extremeño|Riojano|` +
		`Castellano[- ]?Leon[eé]s|C[aá]ntabro|Aragon[eé]s|Valenciano|Balear) de (?:la )?Salud`)
	locality   = regexp.MustCompile(`(?m)^[\s\x{FEFF}]*Localidad[^:\n]*:\s*([^\n,;(/.]*[^\n,;(/.\s])`)
	numbered   = regexp.MustCompile(`\d|s/n|S/N`)
	title      = regexp.MustCompile(`^(?:(?:Dra?|Dr[ªa]|Prof|Profa|D|Dª|Dña|Don|Doña|Sra?)\b[.:ªa]*\s*)+`)
	behindName = regexp.MustCompile(`[\s,.]+(?:(?:Instituto|Servicio|Unidad|Hospital|Departamento|Correo|Email|E-mail|e-mail|Centro|` +
		`Cl[ií]nica|Secci[oó]n|Fundaci[oó]n|Complejo)\b.*|\d[\d ]*)$`)
	learned = regexp.MustCompile(`^(?:Universidad|Facultad|Fundaci[oó]n?|Instituto|Institut|Escuela|Colegio)\b`)
)

// trimEnds takes from spans what their kind never holds: titles before names,
// labels before postcodes, the letter of the country behind streets.
func trimEnds(n *note) {
	for i, s := range n.spans {
		of := n.text[s.Start:s.End]
		switch s.Label {
		case doctor, patient:
			if m := title.FindString(of); m != "" && len(m) < len(of) {
				s.Start += len(m)
				of = of[len(m):]
			}
			if m := behindName.FindStringIndex(of); m != nil && m[0] > 3 {
				s.End = s.Start + m[0]
			}
		case territory:
			if m := codeLabel.FindString(of); m != "" && len(m) < len(of) {
				s.Start += len(m)
			}
			if t := trim(n.text, s); t.End > t.Start {
				s.Start = t.Start
			}
			// "L'Hospitalet": the article is part of the name.
			for _, article := range [...]string{"L'", "L’"} {
				if strings.HasSuffix(n.text[:s.Start], article) {
					s.Start -= len(article)
				}
			}
		case hospital, company, centre:
			if m := floorBehind.FindStringIndex(of); m != nil && m[0] > 8 {
				s.End = s.Start + m[0]
			}
		case street:
			of = strings.TrimRight(of, ";,")
			s.End = s.Start + len(of)
			if strings.HasSuffix(of, " C") && strings.HasPrefix(n.text[s.End:], ".P") || strings.HasSuffix(of, " C.P") {
				of = of[:strings.LastIndexByte(of, ' ')]
				s.End = s.Start + len(of)
			}
			if m := codeBehind.FindStringIndex(of); m != nil {
				s.End = s.Start + m[0]
			}
			if m := stateBehind.FindStringIndex(of); m != nil && stateCode.MatchString(n.text[s.End-1:]) {
				s.End = s.Start + m[0]
			}
		}
		n.spans[i] = s
	}
}

// splitAddresses lets a street begin at its kind of way ("Avda."), where the
// network let it begin too late, within a name or a hospital, or too early,
// with an institution.
func splitAddresses(n *note) {
	for i := 0; i < len(n.spans); i++ {
		s := n.spans[i]
		m := way.FindStringSubmatchIndex(n.text[s.Start:s.End])
		if m == nil || m[2] == 0 {
			continue
		}
		at := s.Start + m[2]
		switch s.Label {
		case doctor, hospital, company, centre:
			// "Hospital de Getafe Carretera Toledo" 28905
			if s.Label != doctor && postcode.MatchString(n.text[s.End:min(len(n.text), s.End+12)]) &&
				(i+1 == len(n.spans) || n.spans[i+1].Label != street) && at-s.Start > 10 && !inName(n.text[s.Start:at]) {
				n.spans[i] = trim(n.text, Span{s.Start, at, s.Label})
				n.insert(Span{at, s.End, street})
				i++
				continue
			}
			if i+1 == len(n.spans) || n.spans[i+1].Label != street || n.spans[i+1].Start > s.End+2 {
				continue
			}
			if inName(n.text[s.Start:at]) {
				continue
			}
			n.spans[i+1].Start = at
			n.spans[i] = trim(n.text, Span{s.Start, at, s.Label})
		case street:
			head := trim(n.text, Span{s.Start, at, company})
			before := n.text[head.Start:head.End]
			switch {
			case learned.MatchString(before):
				n.spans[i].Start = at
				n.insert(head)
				i++
			case !way.MatchString(before) && strings.Count(before, " ") > 1 && numbered.MatchString(n.text[at:s.End]) &&
				!kindOfWay.MatchString(before):
				n.spans[i].Start = at
			}
		}
	}
}

// inName reports whether what stands before a kind of way makes it part of a
// name: "Hospital Virgen del Camino".
func inName(before string) bool {
	before = strings.TrimRight(before, " ")
	for _, link := range [...]string{" del", " de", " la", " de la", " el"} {
		if strings.HasSuffix(before, link) {
			return true
		}
	}
	return false
}

var kindOfWay = regexp.MustCompile(`(?i)^(?:apartado|urb|crt|col\.|bulevar|barrio|pol)`)

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

// addresses finds postcodes on lines that say who is to be reached.
func addresses(n *note) {
	for start, end := range lines(n.text) {
		if !reach.MatchString(n.text[start:end]) {
			continue
		}
		for _, m := range postcode.FindAllStringIndex(n.text[start:end], -1) {
			from, to := start+m[0], start+m[1]
			if !whole(n.text, from, to) || strings.ContainsAny(n.text[max(0, from-1):from], "-/+") {
				continue
			}
			if over := n.over(from, to); len(over) > 0 && (over[0].Label == phone || over[0].Label == fax || over[0].Label == email) {
				continue
			}
			rest := strings.TrimLeft(n.text[to:end], " .,-(")
			if rest == "" || rest[0] < 'A' || rest[0] > 'Z' {
				continue
			}
			n.put(from, to, territory)
		}
	}
}

// reach marks the line that names the author and where to reach them.
var reach = regexp.MustCompile(`(?i)^\W*(?:remitido por|respons?able cl[ií]nico|correspondencia|dirigid[oa])\b`)
