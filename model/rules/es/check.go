package es

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// notNamesES are words that end the name before them, or are none, in lower
// case.
var notNamesES = pattern.Words(`hospital clínica clinica servicio serv unidad departamento dpto sección seccion centro calle c avda
	avenida av plaza paseo carretera ctra fundación fundacion complejo instituto universidad facultad correo email e-mail mail tel
	teléfono telefono tfno tlf fax médico medico especialista adjunto residente jefe jefa urgencias uci consulta consultas cirugía
	cirugia medicina oncología oncologia urología urologia cardiología cardiologia pediatría pediatria ginecología ginecologia
	oftalmología oftalmologia neurología neurologia dermatología dermatologia nefrología nefrologia hematología hematologia
	traumatología traumatologia digestivo anestesia anestesiología radiología radiodiagnóstico psiquiatría psiquiatria endocrinología
	endocrinologia anatomía patología nº ncol nºcol col colegiado n se el la los las un una su no al del en con por para que paciente
	varón varon mujer hombre edad sexo fecha informe residencia sanatorio ambulatorio policlínica policlinica gerencia área area
	distrito apartado ctr pol polígono poligono urb urbanización cea equipo corporació corporación consorcio bifurcación rambla carrer
	gran avinguda colegio dirección direccion asistencia e cp apdo españa laboratorio hosp htal rúa ronda camino laboratoris grupo
	escuela historia motivo antecedentes diagnóstico respecto exploración ante tras durante acude presenta refiere guardia sin ni hay ha
	es fue`)

// checkMedico cuts a name at the first word that names a place or a service.
func checkMedico(text string, c *pattern.Candidate) bool {
	end, n, long := c.Start, 0, 0
	for i := c.Start; i < c.End; {
		j := i
		for j < c.End && text[j] != ' ' && text[j] != '\t' {
			j++
		}
		w := text[i:j]
		b := strings.ToLower(strings.TrimRight(w, ".,"))
		if notNamesES[b] && !(len(b) <= 3 && n > 0 && j < c.End && b != "col" && b != "nº" && b != "se" && b != "cp" && b != "no" &&
			b != "que" && b != "uci" && b != "tel" && b != "fax" && b != "en" && b != "con" && b != "por") || strings.Contains(w, "@") {
			break
		}
		if pattern.Capital(w) {
			n++
			end = j
			if len(b) > 1 {
				long++
			}
		}
		if strings.HasSuffix(w, ".") && len(b) > 2 && !pattern.Initials(w) && b != "mª" {
			break // the end of the sentence
		}
		for i = j; i < c.End && (text[i] == ' ' || text[i] == '\t'); i++ {
		}
	}
	c.Start, c.End = pattern.Trim(text, c.Start, end)
	return long > 0 && c.End-c.Start > 2 && !(strings.HasPrefix(text[c.From:], "D. ") &&
		(strings.HasSuffix(strings.ToLower(text[max(0, c.From-9):c.From]), "vitamina ") || n < 2))
}

// checkLineValue cuts a value at the first full stop that ends it, or where
// the next label of the line begins.
func checkLineValue(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	for _, stop := range [...]string{"..", "  "} {
		if i := strings.Index(s, stop); i > 0 {
			s = s[:i]
		}
	}
	// A following label on the same line was cut at its colon: drop its word.
	if pattern.ByteAt(text, c.Start+len(s)) == ':' {
		if i := strings.LastIndexAny(s, " .\t"); i > 0 {
			s = strings.TrimRight(s[:i], " .\t")
			if j := strings.LastIndexAny(s, ".\t"); j > 0 && len(s)-j < 24 && !pattern.Initials(s[strings.LastIndexAny(s[:j], " ")+1:j+1]) {
				s = s[:j]
			}
		}
	}
	c.End = c.Start + len(strings.TrimRight(s, " .,;-\t\r"))
	return c.End-c.Start > 1
}

// checkLetterDigits wants four digits, and neither a date nor a measure.
func checkLetterDigits(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if pattern.CountDigits(s) < 4 || pattern.Datelike(s) || pattern.UnitAfter(text, c.End) {
		return false
	}
	switch pattern.NextWord(text, c.End) {
	case "días", "meses", "años", "semanas", "horas", "copias":
		return false
	}
	return true
}

// checkDNI checks the letter of a Spanish identity number: the number modulo 23.
func checkDNI(text string, c *pattern.Candidate) bool {
	const table = "TRWAGMYFPDXBNJZSQVHLCKE"
	s := strings.ToUpper(c.Text(text))
	v := 0
	switch s[0] {
	case 'Y':
		v = 1
	case 'Z':
		v = 2
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if pattern.Digit(s[i]) {
			v = 10*v + int(s[i]-'0')
			n++
		}
	}
	return n >= 7 && table[v%23] == s[len(s)-1] && !pattern.InNumber(text, c.Start, c.End)
}

// checkTelES wants the nine digits of a Spanish number, or more with a prefix
// of a country or behind a label.
func checkTelES(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	n := pattern.CountDigits(s)
	if n < 7 || n > 13 || pattern.InNumber(text, c.Start, c.End) || pattern.UnitAfter(text, c.End) {
		return false
	}
	if c.From == c.Start && n != 9 && !strings.HasPrefix(s, "+") && !strings.HasPrefix(s, "00") && s[0] != '(' {
		return false
	}
	if i := pattern.SkipBlanks(text, c.End); c.From == c.Start && i > c.End && pattern.Digit(pattern.ByteAt(text, i)) &&
		pattern.Digit(pattern.ByteAt(text, i+2)) {
		return false // a longer row of numbers
	}
	v, l, k := pattern.Numbers(s)
	return !(k == 3 && pattern.ValidDate(v[0], v[1], v[2], l[0], l[1], l[2]))
}

// checkFechaMes wants a day that there is.
func checkFechaMes(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if pattern.Digit(s[0]) {
		v := pattern.Atoi(s)
		return v >= 1 && v <= 31 && !strings.Contains(strings.ToLower(text[max(0, c.Start-24):c.Start]), "hospital")
	}
	return true
}

// checkNoCapitalAfter rejects a name or a street: "en Mayo Clinic".
func checkNoCapitalAfter(text string, c *pattern.Candidate) bool {
	return !(c.End < len(text) && text[c.End] == ' ' && pattern.Capital(text[c.End+1:]) && pattern.Capital(c.Text(text)))
}

// checkYearES is a year and no measure, norm or reference.
func checkYearES(text string, c *pattern.Candidate) bool {
	if pattern.InNumber(text, c.Start, c.End) || pattern.UnitAfter(text, c.End) || pattern.ByteAt(text, c.End) == '%' {
		return false
	}
	switch pattern.NextWord(text, c.End) {
	case "ui", "cc", "células", "copias", "leucocitos", "euros", "casos", "pacientes", "kcal", "gramos", "cel", "por", "x":
		return false
	}
	v := pattern.Atoi(c.Text(text))
	label := strings.ToLower(text[c.From:c.Start])
	if strings.HasPrefix(label, "de ") || strings.HasPrefix(label, "del ") {
		switch w := pattern.PrevWord(text, c.From, " "); {
		case calendarES[w]:
			return true
		default:
			return v != 2000 && !strings.HasSuffix(w, "ón") && w != "tnm" && w != "criterios"
		}
	}
	return v != 2000 || strings.Contains(label, "año")
}

var calendarES = pattern.Words(`enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre`)

// checkEdad rejects how long something has lasted: "dolor de 3 meses".
func checkEdad(text string, c *pattern.Candidate) bool {
	between := strings.ToLower(text[c.From:c.Start])
	for _, w := range [...]string{" con ", "cuadro", "dolor", "historia", "evolución", "fiebre", "tos", "clínica", "lesión", "tumor",
		"masa"} {
		if strings.Contains(between, w) {
			return false
		}
	}
	if strings.Contains(strings.ToLower(c.Text(text)), "semana") &&
		(strings.Contains(between, "gesta") || strings.Contains(between, "embaraz")) {
		return false
	}
	return !lastingES(text, c.End)
}

// lastingES reports whether what follows makes a span of time of a duration.
func lastingES(text string, end int) bool {
	rest := strings.ToLower(text[end:min(len(text), end+32)])
	for _, w := range [...]string{" de evolución", " de evolucion", " de duración", " de tratamiento", " de seguimiento", " antes",
		" después", " tras", " de la ", " de su ", " del ", " de ingreso", " de inicio", " postop", " de haber"} {
		if strings.HasPrefix(rest, w) {
			return true
		}
	}
	return false
}

// checkEdadALos wants years of life: "a los 54 años", and not "a los 3 días".
func checkEdadALos(text string, c *pattern.Candidate) bool {
	s := strings.ToLower(c.Text(text))
	label := strings.ToLower(text[c.From:c.Start])
	if lastingES(text, c.End) {
		return false
	}
	years := strings.Contains(s, "año")
	v := pattern.Atoi(s)
	if strings.Contains(label, "edad") {
		return true
	}
	if !years {
		return false
	}
	if strings.HasPrefix(label, "con") || strings.HasPrefix(label, "a los") {
		return v >= 12
	}
	return v == 0 || v >= 3
}

// checkCalle wants a way that is no route of a drug and no figure of speech:
// a name with a capital, and a number unless the way has a capital too.
func checkCalle(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	low := strings.ToLower(s)
	for _, p := range [...]string{"vía ", "via ", "vía a", "partida", "camino ", "barrio ", "residencia", "paraje", "p.", "c. ", "pol. ",
		"av. ", "cuesta", "pl. "} {
		if strings.HasPrefix(low, p) && pattern.CountDigits(s) == 0 {
			return false
		}
	}
	if !pattern.Capital(s) && !strings.HasPrefix(low, "c/") && pattern.CountDigits(s) == 0 {
		return false
	}
	// The postcode and the town behind are other spans.
	if i := postcodeAt(text, c.Start, c.End); i > 0 {
		c.End = i
		s = c.Text(text)
	}
	for _, stop := range [...]string{" Hospital ", " Servicio ", " Email", " E-mail", " Correo", " Tel", " Fax"} {
		if i := strings.Index(s, stop); i > 4 && !strings.HasPrefix(low, "plaza del") {
			c.End = min(c.End, c.Start+i)
		}
	}
	c.Start, c.End = pattern.Trim(text, c.Start, c.End)
	return c.End-c.Start > 5
}

// postcodeAt returns where ", 28015" or " E-28015" begins between start and
// end, or runs over end; 0 where there is none.
func postcodeAt(text string, start, end int) int {
	for i := start + 4; i < end; i++ {
		if !pattern.Digit(text[i]) || pattern.Digit(text[i-1]) {
			continue
		}
		j := i
		for j < len(text) && j < i+6 && pattern.Digit(text[j]) {
			j++
		}
		if j-i != 5 {
			continue
		}
		for i > start && strings.IndexByte(" ,-E", text[i-1]) >= 0 {
			i--
		}
		return i
	}
	return 0
}

// checkCPLugar rejects counts before a word with a capital.
func checkCPLugar(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if strings.HasSuffix(s, "000") && pattern.PrevWord(text, c.Start, " ,.") != "" &&
		!strings.Contains(text[max(0, c.Start-6):c.Start], "s/n") {
		w := pattern.PrevWord(text, c.Start, " ,.")
		if bloodES[w] || w == "de" {
			return false
		}
	}
	return !pattern.InNumber(text, c.Start, c.End) && !pattern.UnitAfter(text, c.End) &&
		!bloodES[pattern.PrevWord(text, c.Start, " ,.:(")] && !bloodES[pattern.NextWord(text, c.End)]
}

var bloodES = pattern.Words(`leucocitos plaquetas hematíes hematies linfocitos neutrófilos neutrofilos hb ui colonias ufc copias células
	celulas dosis mg ml unidades leucocitosis recuento`)

// checkLugar is checkCPLugar for the place behind.
func checkLugar(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	for _, stop := range [...]string{" España", " Email", " E-mail", " Correo", " Tel", " Fax", " Tfno"} {
		if i := strings.Index(s, stop); i > 0 {
			c.End = c.Start + i
			s = c.Text(text)
		}
	}
	w, _ := pattern.FirstWord(s)
	return !bloodES[strings.ToLower(w)] && !bloodES[pattern.PrevWord(text, c.From, " ,.:(")] && len(s) > 2 &&
		!notNamesES[strings.ToLower(w)]
}

// checkProvincia rejects what is named after a place.
func checkProvincia(text string, c *pattern.Candidate) bool {
	before := strings.ToLower(text[max(0, c.Start-48):c.Start])
	if i := strings.LastIndexAny(before, ".,;:\n()"); i >= 0 {
		before = before[i+1:]
	}
	for _, w := range [...]string{"hospital", "universidad", "universitario", "complejo", "clínica", "calle", "carretera", "ctra",
		"avenida", "avda", "av.", "plaza", "paseo", "clasificación", "criterios", "escala", "c/", "centro", "virgen", "servicio",
		"instituto", "colegio", "test"} {
		if strings.Contains(before, w) && (strings.HasSuffix(before, " de ") ||
			strings.Contains("calle carretera ctra avenida avda av. plaza paseo c/", w)) {
			return pattern.CountDigits(before) > 3
		}
	}
	return true
}

// checkHospitalES cuts the name of an institution before the address and
// rejects departments.
func checkHospitalES(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	for _, stop := range [...]string{" Servicio", " Calle", " C/", " Avda", " Avenida", " Av.", " Plaza", " Paseo", " Carretera", " Ctra",
		" Email", " E-mail", " Correo", " Tel", " Fax", " Unidad", " Departamento", " Sección", " Gran Vía", " España", " Edificio",
		" Urgencias", " Pso", " Pº", " Paraje", " Glorieta", " Finca", " Rambla", " Ronda"} {
		if i := strings.Index(s, stop); i > 8 {
			s = s[:i]
		}
	}
	for i := 4; i+1 < len(s); i++ {
		if s[i] == '.' && pattern.Capital(s[i+1:]) && !pattern.Initials(s[strings.LastIndexByte(s[:i], ' ')+1:i]) {
			s = s[:i] // the next sentence, without a blank
		}
	}
	s = strings.TrimSuffix(strings.TrimRight(s, " .,;-"), " C")
	c.End = c.Start + len(strings.TrimRight(s, " .,;-"))
	s = c.Text(text)
	low := strings.ToLower(s)
	for _, w := range [...]string{"clínica y ", "clínica de heridas", "hospital de día", "clínica habitual", "clínica actual",
		"clínica del paciente", "colegio de médicos"} {
		if strings.HasPrefix(low, w) {
			return false
		}
	}
	if strings.HasPrefix(low, "clínica") {
		switch pattern.PrevWord(text, c.Start, " ") {
		case "historia", "la", "exploración", "práctica", "sospecha", "evolución", "farmacología":
			return strings.Count(s, " ") > 1
		}
	}
	return strings.IndexByte(s, ' ') > 0 && !pattern.Header(text, c.Start, c.End)
}
