package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

const model = "../../onnx/models/es-meddocan"

// An invented note, with a character of three bytes before its names.
const text = "\ufeffDatos del paciente.\nNombre: Aurelia.\nApellidos: Bando Ruiz.\nNHC: 4471882.\nFecha de Ingreso: 12/12/2016.\n" +
	"Informe clínico del paciente: Mujer de 70 años natural de Marruecos, con tos. El 22-3-09 fue operada.\n" +
	"Remitido por: Dra. Luz Serna Vidal. Hospital de Getafe. Carretera de Toledo, km 12. 28905 Getafe. E-mail: luz@correo.example\n"

func input(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{"n1.txt": text, "n1.ann": "", "n2.txt": "Sin datos.\n", "n2.ann": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tagged runs the command and returns "LABEL surface" of what it wrote.
func tagged(t *testing.T, args ...string) []string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	if err := run(context.Background(), append(args, "--output", out), new(bytes.Buffer), new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	var found []string
	documents := 0
	for d, err := range corpus.Read(context.Background(), corpus.Brat, out, corpus.ReadOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		documents++
		for _, a := range d.Annotations {
			found = append(found, a.Label+" "+d.Text[a.Start:a.End])
		}
	}
	if documents != 2 {
		t.Fatalf("%d documents came out of 2", documents)
	}
	return found
}

func TestTag(t *testing.T) {
	in := input(t)
	all := strings.Join(tagged(t, "--model", model, "--input", in), "\n")
	for _, want := range []string{
		"NOMBRE_SUJETO_ASISTENCIA Aurelia", "NOMBRE_SUJETO_ASISTENCIA Bando Ruiz", "ID_SUJETO_ASISTENCIA 4471882", "FECHAS 12/12/2016",
		"FECHAS 22-3-09", "SEXO_SUJETO_ASISTENCIA Mujer",
		"EDAD_SUJETO_ASISTENCIA 70 años", "PAIS Marruecos", "NOMBRE_PERSONAL_SANITARIO Luz Serna Vidal", "TERRITORIO 28905",
		"CORREO_ELECTRONICO luz@correo.example",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%s was not found; found were\n%s", want, all)
		}
	}
}

// What a folder gives in place of the network is what comes out without rules.
func TestFoundInPlaceOfTheNetwork(t *testing.T) {
	in := input(t)
	given := t.TempDir()
	for name, data := range map[string]string{"n1.txt": text, "n1.ann": "T1\tFECHAS 11 19\tpaciente\n", "n2.txt": "Sin datos.\n",
		"n2.ann": ""} {
		if err := os.WriteFile(filepath.Join(given, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := tagged(t, "--found", given, "--rules", "none", "--input", in); len(got) != 1 || !strings.HasPrefix(got[0], "FECHAS ") {
		t.Errorf("found %q", got)
	}
	if got := tagged(t, "--found", given, "--rules", "meddocan:dates", "--input", in); len(got) < 4 || len(got) > 6 {
		t.Errorf("with the rules up to dates: %q", got)
	}
}

// A model with other labels is left alone.
func TestOtherLabels(t *testing.T) {
	found := tagged(t, "--model", "../../onnx/models/en-clinical", "--input", input(t))
	for _, f := range found {
		if strings.HasPrefix(f, "NOMBRE_") || strings.HasPrefix(f, "FECHAS ") {
			t.Errorf("a rule spoke: %q", f)
		}
	}
	if len(found) == 0 {
		t.Error("the English model found nothing at all")
	}
}

func TestRefusals(t *testing.T) {
	in := input(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--input", in}, "--output"},
		{[]string{"--input", in, "--output", t.TempDir(), "--rules", "meddocan:shoes"}, "people"},
		{[]string{"--input", in, "--output", t.TempDir(), "--model", in}, "not a model directory"},
		{[]string{"--input", in, "--output", t.TempDir(), "--found", t.TempDir(), "--rules", "none"}, ".txt"},
		{[]string{"--input", in, "--output", in, "--model", model}, "not empty"},
	} {
		err := run(context.Background(), c.args, new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want an error with %q", c.args, err, c.want)
		}
	}
}
