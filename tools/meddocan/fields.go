package meddocan

import (
	"regexp"
	"strings"
)

// field is a line of the form at the head of a note, "NHC: 368503.".
type field struct {
	label  *regexp.Regexp // what stands before the colon
	typ    string
	digits int // how many the value must hold, at least
}

var formFields = []field{
	{regexp.MustCompile(`(?i)^nombre$`), patient, 0},
	{regexp.MustCompile(`(?i)^apellidos?$`), patient, 0},
	{regexp.MustCompile(`(?i)^nhc$`), record, 3},
	{regexp.MustCompile(`(?i)^cipa?$`), record, 3},
	{regexp.MustCompile(`(?i)^n?(?:ass|ss)$`), insurance, 3},
	{regexp.MustCompile(`(?i)^episodio$`), contact, 3},
	{regexp.MustCompile(`(?i)^domicilio$`), street, 0},
	{regexp.MustCompile(`(?i)^localidad\s?(?:/\s?provincia)?$`), territory, 0},
	{regexp.MustCompile(`(?i)^cp$`), territory, 4},
	{regexp.MustCompile(`(?i)^fecha de (?:nacimiento|ingreso|alta)$`), date, 4},
	{regexp.MustCompile(`(?i)^pa[ií]s(?: de (?:nacimiento|origen))?$`), country, 0},
}

var (
	fieldLine = regexp.MustCompile(`^[\s\x{FEFF}]*([\p{L}][\p{L}/ ]{1,30}?)\s*:\s*(.*)$`)
	ageSex    = regexp.MustCompile(`(?i)^(\d{1,3}(?:\s?\p{L}+)?(?:\s+y\s+\d{1,2}\s?\p{L}+)?)\.?\s+sexo\s*:\s*(\p{L}+)`)
	numberCol = regexp.MustCompile(`(?i)n[ºo°]\.?\s*col[^\n:\d]{0,12}:\s*(\d[\d /-]*\d)`)
	doorDot   = regexp.MustCompile(`(?i)\b(?:der|izq|dcha|izda)\.[\s.]*$`)
	nhcPrefix = regexp.MustCompile(`(?i)^nhc\s?[-/]\s?`)
	parts     = regexp.MustCompile(`[,;(/)]`)
)

// fields reads the form: a line's label tells the type of its value.
func fields(n *note) {
	for start, end := range lines(n.text) {
		m := fieldLine.FindStringSubmatchIndex(n.text[start:end])
		if m == nil {
			continue
		}
		label, from := n.text[start+m[2]:start+m[3]], start+m[4]
		value := strings.TrimRight(n.text[from:start+m[5]], " \t\r.,")
		to := from + len(value)
		if strings.EqualFold(label, "edad") {
			if a := ageSex.FindStringSubmatchIndex(n.text[from:end]); a != nil {
				n.put(from+a[2], from+a[3], age)
				n.put(from+a[4], from+a[5], sex)
			}
			continue
		}
		for _, f := range formFields {
			if !f.label.MatchString(label) || value == "" || digits(value) < f.digits || strings.Contains(value, ":") {
				continue
			}
			if f.typ == country && digits(value) > 0 || f.typ == patient && (digits(value) > 0 || len(value) > 60) {
				continue
			}
			switch {
			case f.typ == street:
				n.putStreet(from, to, end)
			case f.typ == territory && f.digits == 0:
				n.putPlaces(from, to)
			case f.typ == record:
				if p := nhcPrefix.FindString(value); p != "" {
					from += len(p)
				}
				n.put(from, to, record)
			case f.typ == territory && letters(value) > 1: // a town before the postcode
			default:
				n.put(from, to, f.typ)
			}
		}
		if m := numberCol.FindStringSubmatchIndex(n.text[from:end]); m != nil {
			n.put(from+m[2], from+m[3], licence)
		}
	}
}

// putStreet takes the whole line as the street, unless a sentence ends in it or
// the network tells parts of it apart.
func (n *note) putStreet(from, to, end int) {
	if doorDot.MatchString(n.text[from:end]) {
		return // whether the full stop of "5 Izq.." belongs to it, the corpus is not of one mind
	}
	if letters(n.text[from:to]) < 3 || sentence.MatchString(n.text[from:to]) {
		return
	}
	for _, s := range n.over(from, to) {
		if s.Label != street {
			return
		}
	}
	n.put(from, to, street)
}

var sentence = regexp.MustCompile(`[\p{Ll}\d]\. \p{Lu}\p{Ll}`)

// putPlaces takes what lies between commas as one place each, unless the
// network tells more of them apart.
func (n *note) putPlaces(from, to int) {
	at := from
	var spans []Span
	for _, cut := range append(parts.FindAllStringIndex(n.text[from:to], -1), []int{to - from, to - from}) {
		if s := trim(n.text, Span{at, from + cut[0], territory}); letters(n.text[s.Start:s.End]) > 1 && digits(n.text[s.Start:s.End]) == 0 {
			spans = append(spans, s)
		}
		at = from + cut[1]
	}
	for _, s := range spans {
		if over := n.over(s.Start, s.End); len(over) < 2 && (len(over) == 0 || over[0].Label != country) {
			n.put(s.Start, s.End, territory)
		}
	}
}
