package meddocan

import (
	"regexp"
	"slices"
	"strings"
)

var (
	given = regexp.MustCompile(`(?m)^[\s\x{FEFF}]*Nombre:[ \t]*([^\n:]*?)[\s.]*$`)
	way   = regexp.MustCompile(`(?:^|[\s,.(])((?:C/|c/|Calle|CALLE|calle|Avda|Avenida|AVDA|Avd|Av|Paseo|Pº|Plaza|Pza|Plza|Carretera|Ctra|` +
		`Carrer|Rambla|Ronda|Camino|Traves[ií]a|Apartado de [Cc]orreos|Glorieta|Gran V[ií]a|Rua|Rúa|Passeig|Avinguda|Pol[ií]gono|Urb)\b\.?)`)
	title      = regexp.MustCompile(`^(?:(?:Dra?|Dr[ªa]|Prof|Profa|D|Dª|Dña|Don|Doña|Sra?)\b[.:ªa]*\s*)+`)
	headDoctor = regexp.MustCompile(`(?mi)^\W*m[eé]dic[oa]\s*:\s*([^\n:]*?)[\s.,]*(?:n[ºo°]\.?\s*col|$)`)
)

// doctors takes the name on the line "Médico:" for the author's further down,
// and the other way round: the two are one person, and where one of them has no
// name behind it that confuses the network, both are clear.
func doctors(n *note) {
	var names []string
	for _, s := range n.spans {
		of := n.text[s.Start:s.End]
		if s.Label == doctor && strings.Count(of, " ") > 0 && digits(of) == 0 {
			names = append(names, of)
		}
	}
	m := headDoctor.FindStringSubmatchIndex(n.text)
	if m == nil {
		return
	}
	head := trim(n.text, Span{m[2], m[3], doctor})
	head.Start += len(title.FindString(n.text[head.Start:head.End]))
	name := n.text[head.Start:head.End]
	for _, other := range names {
		// "Josep Rubio Palau Paseo" on one line, "Josep Rubio Palau" on the other.
		if len(other) > 8 && len(other) < len(name) && strings.HasPrefix(name, other+" ") && way.MatchString(name[len(other):]) {
			name = other
			head.End = head.Start + len(name)
		}
	}
	if strings.Count(name, " ") == 0 || digits(name) > 0 || len(name) > 60 || strings.ToLower(name) == name || specialty.MatchString(name) {
		return
	}
	for at := 0; ; {
		i := strings.Index(n.text[at:], name)
		if i < 0 {
			return
		}
		start := at + i
		at = start + len(name)
		if over := n.over(start, at); !whole(n.text, start, at) || len(over) == 1 && over[0].Label == doctor && over[0].Start <= start &&
			at <= over[0].End && start != head.Start && strings.Count(n.text[over[0].Start:start], " ") > 0 {
			continue // part of a longer name
		}
		n.put(start, at, doctor)
	}
}

var specialty = regexp.MustCompile(`(?i)cirug[ií]a|medicina|urolog|oftalmolog|servicio|pediatr|oncolog|neurolog`)

// people finds the patient's first name further down, and relatives and sexes
// in words that the corpus always marks.
func people(n *note) {
	if m := given.FindStringSubmatchIndex(n.text); m != nil {
		if name := n.text[m[2]:m[3]]; len(name) >= 4 && digits(name) == 0 {
			for at := m[1]; ; {
				i := strings.Index(n.text[at:], name)
				if i < 0 {
					break
				}
				start := at + i
				at = start + len(name)
				if whole(n.text, start, at) {
					n.add(start, at, patient)
				}
			}
		}
	}
	n.spans = slices.DeleteFunc(n.spans, func(s Span) bool {
		return s.Label == relative && strings.EqualFold(n.text[s.Start:s.End], "familia") && familyDoctor.MatchString(n.text[:s.Start])
	})
	for _, form := range origins {
		for _, m := range form.FindAllStringSubmatchIndex(n.text, -1) {
			n.add(m[2], m[3], record)
		}
	}
	for _, m := range jobs.FindAllStringSubmatchIndex(n.text, -1) {
		n.add(m[2], m[3], job)
	}
	for _, w := range kin {
		for _, m := range w.expr.FindAllStringIndex(n.text, -1) {
			if whole(n.text, m[0], m[1]) {
				n.add(m[0], m[1], w.label)
			}
		}
	}
}

var familyDoctor = regexp.MustCompile(`(?i)(?:m[eé]dic[oa]|centro|medicina) de $`)

// origins tell where somebody comes from, as adjectives; the corpus marks them
// as what identifies the patient.
var origins = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:varón|mujer|paciente|hombre|niñ[oa]|origen|procedencia|ascendencia) (` + adjective + `)\b`),
	regexp.MustCompile(`(?i)\b(raza (?:blanca|negra|caucásica|mestiza|gitana|árabe|asiática))\b`),
	regexp.MustCompile(`(?i)\b((?:hetero|homo|bi)sexual)\b`),
}

const adjective = `(?:ecuatorian|bolivian|peruan|colombian|subsaharian|vietnamit|afgan|ruman|chin|cuban|dominican|argentin|mexican|` +
	`african|asiátic|latinoamerican|sudamerican)[oa]|marroqu(?:í|ies)|magreb(?:í|ies)|senegalés|senegalesa|brasileñ[oa]|negr[oa]|blanc[oa]`

// jobs stand behind a patient's age, or are said to be one.
var jobs = regexp.MustCompile(`(?i)(?:años(?: de edad)?,?|de profesión|trabaja (?:como|de)) (?:de profesión )?(ama de casa|carpintero|` +
	`albañil|agricultora?|ganadero|militar|soldadora?|auxiliar de enfermería|azafata|dependienta|camarer[oa]|cociner[oa]|camionero|` +
	`administrativ[oa]|profesora?|maestr[oa]|abogad[oa]|ingenier[oa]|peluquer[oa]|pescador|marinero|electricista|mecánico|funcionari[oa]|` +
	`veterinari[oa])\b`)

// kin are words that MEDDOCAN train marks nine times in ten.
var kin = []struct {
	expr  *regexp.Regexp
	label string
}{
	{regexp.MustCompile(`(?i)(?:(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|\d) )?(?:padres?|madre|espos[oa]|hermanos|sobrin[oa]s?|` +
		`hijos|hijas|marido|cuñad[oa]s?|abuel[oa]s?|ti[oa]s?|tí[oa]s?|niet[oa]s?|bisabuel[oa]s?)(?: (?:matern[oa]s?|patern[oa]s?))?`), relative},
	{regexp.MustCompile(`(?i)(?:herman[oa]|hij[oa]|prim[oa])(?: (?:mayor|menor|gemel[oa]|matern[oa]|patern[oa]|varón))?`), relative},
	{regexp.MustCompile(`(?i)niñ[oa]|varón|mujer|hombre`), sex},
	{regexp.MustCompile(`(?i)lactante`), record},
}
