package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// meddocanTypes maps the types of MEDDOCAN to those of i2b2 2014. What has no
// counterpart (sex, relatives, other) is left to the network.
var meddocanTypes = map[string]phi.Type{
	"NOMBRE_SUJETO_ASISTENCIA": phi.Patient, "NOMBRE_PERSONAL_SANITARIO": phi.Doctor, "EDAD_SUJETO_ASISTENCIA": phi.Age, "FECHAS": phi.Date,
	"CALLE": phi.Street, "TERRITORIO": phi.City, "PAIS": phi.Country, "HOSPITAL": phi.Hospital, "CENTRO_SALUD": phi.Hospital,
	"INSTITUCION":          phi.Organization,
	"ID_SUJETO_ASISTENCIA": phi.MedicalRecord, "ID_ASEGURAMIENTO": phi.HealthPlan, "ID_TITULACION_PERSONAL_SANITARIO": phi.License,
	"ID_CONTACTO_ASISTENCIAL":      phi.Account,
	"ID_EMPLEO_PERSONAL_SANITARIO": phi.IDNum, "NUMERO_TELEFONO": phi.Phone, "NUMERO_FAX": phi.Fax, "CORREO_ELECTRONICO": phi.Email,
	"URL_WEB":             phi.URL,
	"DIREC_PROT_INTERNET": phi.IPAddress, "IDENTIF_VEHICULOS_NRSERIE_PLACAS": phi.Vehicle, "IDENTIF_DISPOSITIVOS_NRSERIE": phi.Device,
	"PROFESION":              phi.Profession,
	"SEXO_SUJETO_ASISTENCIA": phi.Other, "FAMILIARES_SUJETO_ASISTENCIA": phi.Other, "OTROS_SUJETO_ASISTENCIA": phi.Other,
	"IDENTIF_BIOMETRICOS": phi.BioID, "OTRO_NUMERO_IDENTIF": phi.IDNum,
}

// meddocan reads a part of the corpus, where it is at hand.
func meddocan(t testing.TB, part string) []note {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared", "data", "meddocan")
	if dir := os.Getenv("PALIMPSEST_MEDDOCAN"); dir != "" {
		root = dir
	}
	files, _ := filepath.Glob(filepath.Join(root, part, "*.ann"))
	if len(files) == 0 {
		t.Skip("no MEDDOCAN; set PALIMPSEST_MEDDOCAN to its folder")
	}
	sort.Strings(files)
	var out []note
	for _, file := range files {
		raw, err := os.ReadFile(strings.TrimSuffix(file, ".ann") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		marks, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		var at []int // code point -> byte
		for i := range text {
			at = append(at, i)
		}
		at = append(at, len(text))
		n := note{file: filepath.Base(file), text: text}
		for _, line := range strings.Split(string(marks), "\n") {
			fields := strings.Split(line, "\t")
			if len(fields) < 3 || fields[0][0] != 'T' {
				continue
			}
			var name string
			var start, end int
			if _, err := fmt.Sscanf(fields[1], "%s %d %d", &name, &start, &end); err != nil {
				t.Fatal(err)
			}
			typ := meddocanTypes[name]
			if typ == phi.None {
				t.Fatalf("%s: type %s", file, name)
			}
			s := phi.Span{Start: at[start], End: at[end], Type: typ}
			if name == "TERRITORIO" && pattern.CountDigits(text[s.Start:s.End]) >= 4 {
				s.Type = phi.ZIP
			}
			n.spans = append(n.spans, s)
		}
		out = append(out, n)
	}
	return out
}

// TestMEDDOCAN prints scores on the part that the Spanish rules were written
// on and on the part that they were not, and holds floors on the latter.
func TestMEDDOCAN(t *testing.T) {
	r, err := New("es")
	if err != nil {
		t.Fatal(err)
	}
	m := r.NewMatcher()
	for _, part := range []string{"train", "dev"} {
		tallies := score(meddocan(t, part), m)
		logTallies(t, part, tallies)
		if part == "train" {
			continue
		}
		for _, f := range []struct {
			typ               phi.Type
			recall, precision float64
		}{
			{phi.Email, 99, 99}, {phi.Phone, 85, 90}, {phi.Date, 90, 95}, {phi.MedicalRecord, 90, 95}, {phi.HealthPlan, 95, 95},
			{phi.License, 95, 95}, {phi.Age, 90, 90}, {phi.ZIP, 95, 95}, {phi.Street, 80, 95},
		} {
			x := tallies[f.typ]
			if r, p := percent(x.found, x.gold), percent(x.right, x.predicted); r < f.recall || p < f.precision {
				t.Errorf("%s: recall %.1f, precision %.1f; the floors are %.0f and %.0f", f.typ, r, p, f.recall, f.precision)
			}
		}
	}
}
