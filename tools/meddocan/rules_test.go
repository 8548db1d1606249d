package meddocan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// marked reads "[[TYPE:surface]]" marks.
func marked(s string) (string, []Span) {
	var b strings.Builder
	var spans []Span
	at := 0
	for _, m := range regexp.MustCompile(`\[\[([A-Z_]+):(.*?)\]\]`).FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(s[at:m[0]])
		start := b.Len()
		b.WriteString(s[m[4]:m[5]])
		spans = append(spans, Span{start, b.Len(), s[m[2]:m[3]]})
		at = m[1]
	}
	b.WriteString(s[at:])
	return b.String(), spans
}

func mark(text string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		fmt.Fprintf(&b, "%s[[%s:%s]]", text[at:s.Start], s.Label, text[s.Start:s.End])
		at = s.End
	}
	return b.String() + text[at:]
}

// All names and numbers are invented.
func TestApply(t *testing.T) {
	for _, c := range []struct{ name, found, want string }{
		{"nothing", "El tratamiento duró cinco días.\n", "El tratamiento duró cinco días.\n"},
		{"two addresses are two", "E-mail: [[CORREO_ELECTRONICO:uno@correo.example / dos@correo.example]]\n",
			"E-mail: [[CORREO_ELECTRONICO:uno@correo.example]] / [[CORREO_ELECTRONICO:dos@correo.example]]\n"},
		{"telephone and fax", "Remitido por: X. Tfno: [[TERRITORIO:612345678]] / 912345678 Fax: 913456789\n",
			"Remitido por: X. Tfno: [[NUMERO_TELEFONO:612345678]] / [[NUMERO_TELEFONO:912345678]] Fax: [[NUMERO_FAX:913456789]]\n"},
		{"one doctor", "Médico: Aurelio Bando Ruiz NºCol: 28 28 35489.\nRemitido por: Dr. [[NOMBRE_PERSONAL_SANITARIO:Aurelio Bando Ruiz " +
			"Instituto]] Mayor\n",
			"Médico: [[NOMBRE_PERSONAL_SANITARIO:Aurelio Bando Ruiz]] NºCol: 28 28 35489.\nRemitido por: " +
				"Dr. [[NOMBRE_PERSONAL_SANITARIO:Aurelio Bando Ruiz]] Instituto Mayor\n"},
		{"dates", "Desde el [[FECHAS:mes de Marzo]] y el 22-3-09, en 2004 (en 2004 mg no) y en junio del mismo año.\n",
			"Desde el mes de [[FECHAS:Marzo]] y el [[FECHAS:22-3-09]], en [[FECHAS:2004]] (en 2004 mg no) y en [[FECHAS:junio]] del mismo año.\n"},
		{"no dates", "citoqueratinas 5/6/8/18, 45/46/47, Hospital 12 de Octubre\n",
			"citoqueratinas 5/6/8/18, 45/46/47, Hospital 12 de Octubre\n"},
		{"family doctor", "su médico de [[FAMILIARES_SUJETO_ASISTENCIA:familia]] y su madre\n",
			"su médico de familia y su [[FAMILIARES_SUJETO_ASISTENCIA:madre]]\n"},
		{"patient by first name", "Nombre: [[NOMBRE_SUJETO_ASISTENCIA:Marisol]].\nMarisol vive sola. Marisolina no.\n",
			"Nombre: [[NOMBRE_SUJETO_ASISTENCIA:Marisol]].\n[[NOMBRE_SUJETO_ASISTENCIA:Marisol]] vive sola. Marisolina no.\n"},
		{"ages", "de [[EDAD_SUJETO_ASISTENCIA:5 años]] y [[EDAD_SUJETO_ASISTENCIA:7 meses]]; a la edad de 6 años; al cuarto mes de vida; a " +
			"los 3 meses\n",
			"de [[EDAD_SUJETO_ASISTENCIA:5 años y 7 meses]]; a la edad de [[EDAD_SUJETO_ASISTENCIA:6 años]]; al " +
				"[[EDAD_SUJETO_ASISTENCIA:cuarto mes]] de vida; a los 3 meses\n"},
		{"health service", "[[HOSPITAL:Hospital General Servicio Andaluz de Salud]] Sevilla\n",
			"[[HOSPITAL:Hospital General]] [[INSTITUCION:Servicio Andaluz de Salud]] Sevilla\n"},
	} {
		text, found := marked(c.found)
		before := slices.Clone(found)
		if got := mark(text, Apply(text, found)); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		if !slices.Equal(found, before) {
			t.Errorf("%s: Apply changed what it was given", c.name)
		}
	}
}

func TestSteps(t *testing.T) {
	text, found := marked("El [[FECHAS:mes de Marzo]] con su madre\n")
	if got := ApplyUpTo(text, found, 0); !slices.Equal(got, found) {
		t.Errorf("no step changed %v to %v", found, got)
	}
	n := slices.Index(Steps(), "dates") + 1
	if got := mark(text, ApplyUpTo(text, found, n)); got != "El mes de [[FECHAS:Marzo]] con su madre\n" {
		t.Errorf("up to dates: %q", got)
	}
}

// check wants spans in order, apart, within the text and at its code points.
func check(t *testing.T, text string, spans []Span) {
	t.Helper()
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("spans %v of %q", spans, text)
		}
		if !boundary(text, s.Start) || !boundary(text, s.End) {
			t.Fatalf("span %v cuts a code point of %q", s, text)
		}
		at = s.End
	}
}

// boundary reports whether i is between two code points.
func boundary(text string, i int) bool { return i == len(text) || text[i]&0xC0 != 0x80 }

func FuzzApply(f *testing.F) {
	f.Add("Nombre: Ana.\nEdad: 3 años Sexo: M.\nRemitido por: Dr. A. B. C/ Sol, 3 28001 Madrid E-mail: a@b.es", 8, 11)
	f.Add("Médico: Ana Bel NºCol: 28 28 123\n\ufeffDomicilio: Calle 4 izq..\nL’Hospitalet", 3, 30)
	f.Add("Fax: + 34 93 567 22 28; (X®, Yyyy, Zzz) Servicio Vasco de Salud", 0, 64)
	labels := []string{patient, doctor, "CALLE", territory, hospital, date, relative, age}
	f.Fuzz(func(t *testing.T, text string, a, b int) {
		if strings.ToValidUTF8(text, "") != text {
			t.Skip()
		}
		// Two spans from the numbers, where they make any.
		var found []Span
		for i, at := range []int{a, b} {
			start := min(max(at, 0), len(text))
			end := min(start+7+i*20, len(text))
			if boundary(text, start) && boundary(text, end) && start < end && (len(found) == 0 || found[0].End <= start) {
				found = append(found, Span{start, end, labels[(at%8+8)%8]})
			}
		}
		check(t, text, Apply(text, found))
	})
}

func BenchmarkApply(b *testing.B) {
	text := strings.Repeat("Nombre: Aurelia.\nNHC: 4471882.\nVarón de 37 años natural de Francia con fiebre de tres días, que ingresa "+
		"el 3 de mayo de 2010.\nRemitido por: Dr. Bando C/ Sol, 3 28001 Madrid E-mail: a@b.example\n", 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Apply(text, nil)
	}
}
