package corpus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// meddocan returns the folder of the MEDDOCAN corpus, or skips the test.
func meddocan(t *testing.T) string {
	t.Helper()
	data := os.Getenv("DATA") // as the Makefile names it
	if data == "" {
		data = "../../../shared/data"
	}
	folder := filepath.Join(data, "meddocan")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no MEDDOCAN corpus: there is no folder %s; set DATA to the folder that holds meddocan/train and meddocan/dev", folder)
	}
	return folder
}

// TestMeddocan reads the MEDDOCAN corpus: every annotation's quoted text is
// what stands at its offsets (reading checks it), the counts are the published
// ones, and brat through Parquet and through XML gives the same files.
func TestMeddocan(t *testing.T) {
	folder := meddocan(t)
	for split, want := range map[string]struct {
		documents, marks int // texts that begin with a byte-order mark
		types            map[string]int
	}{
		"train": {500, 15, map[string]int{
			"TERRITORIO": 1875, "FECHAS": 1231, "EDAD_SUJETO_ASISTENCIA": 1035, "NOMBRE_SUJETO_ASISTENCIA": 1009,
			"NOMBRE_PERSONAL_SANITARIO": 1000, "SEXO_SUJETO_ASISTENCIA": 925, "CALLE": 862, "PAIS": 713, "ID_SUJETO_ASISTENCIA": 567,
			"ID_TITULACION_PERSONAL_SANITARIO": 471, "CORREO_ELECTRONICO": 469, "ID_ASEGURAMIENTO": 391, "HOSPITAL": 255,
			"FAMILIARES_SUJETO_ASISTENCIA": 243, "INSTITUCION": 98, "ID_CONTACTO_ASISTENCIAL": 77, "NUMERO_TELEFONO": 58,
			"PROFESION": 24, "NUMERO_FAX": 15, "OTROS_SUJETO_ASISTENCIA": 9, "CENTRO_SALUD": 6,
		}},
		"dev": {250, 7, map[string]int{
			"TERRITORIO": 987, "FECHAS": 724, "EDAD_SUJETO_ASISTENCIA": 521, "NOMBRE_SUJETO_ASISTENCIA": 503,
			"NOMBRE_PERSONAL_SANITARIO": 497, "SEXO_SUJETO_ASISTENCIA": 455, "CALLE": 434, "PAIS": 347, "ID_SUJETO_ASISTENCIA": 292,
			"ID_TITULACION_PERSONAL_SANITARIO": 226, "CORREO_ELECTRONICO": 241, "ID_ASEGURAMIENTO": 194, "HOSPITAL": 140,
			"FAMILIARES_SUJETO_ASISTENCIA": 92, "INSTITUCION": 72, "ID_CONTACTO_ASISTENCIAL": 32, "NUMERO_TELEFONO": 25,
			"PROFESION": 4, "NUMERO_FAX": 6, "OTROS_SUJETO_ASISTENCIA": 6, "CENTRO_SALUD": 2, "ID_EMPLEO_PERSONAL_SANITARIO": 1,
		}},
	} {
		t.Run(split, func(t *testing.T) {
			original := filepath.Join(folder, split)
			documents := read(t, Brat, original, ReadOptions{Warn: func(s string) { t.Error(s) }})
			marks, types := 0, map[string]int{}
			for _, d := range documents {
				if strings.HasPrefix(d.Text, "\ufeff") {
					marks++
				}
				for _, a := range d.Annotations {
					types[a.Label]++
				}
			}
			if len(documents) != want.documents || marks != want.marks {
				t.Errorf("%d documents, %d with a byte-order mark; want %d and %d", len(documents), marks, want.documents, want.marks)
			}
			for label, n := range want.types {
				if types[label] != n {
					t.Errorf("%d of %s, want %d", types[label], label, n)
				}
			}
			if len(types) != len(want.types) {
				t.Errorf("%d types, want %d", len(types), len(want.types))
			}
			formats := []string{Parquet}
			if split == "dev" { // one part will do: it is the slower one
				formats = append(formats, I2B2)
			}
			for _, through := range formats {
				// From iterator to writer, as cmd/convert does it.
				middle := write(t, through, documents, WriteOptions{})
				back := t.TempDir()
				w, err := NewWriter(context.Background(), Brat, back, WriteOptions{})
				if err != nil {
					t.Fatal(err)
				}
				for d, err := range Read(context.Background(), through, middle, ReadOptions{}) {
					if err != nil {
						t.Fatal(err)
					}
					if err := w.Write(d); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				got, wanted := files(t, back), files(t, original)
				if len(got) != len(wanted) {
					t.Errorf("through %s: %d files, want %d", through, len(got), len(wanted))
				}
				for name, data := range wanted {
					if through == I2B2 && strings.HasSuffix(name, ".ann") {
						continue // XML numbers annotations anew
					}
					if got[name] != data {
						t.Errorf("through %s: %s is not the same", through, name)
					}
				}
				if through == I2B2 && essence(read(t, Brat, back, ReadOptions{})) != essence(documents) {
					t.Errorf("through %s: the annotations are not the same", through)
				}
			}
		})
	}
}
