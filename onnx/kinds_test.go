package onnx

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// loadWithTypes loads the shipped model as if its model.json had these types.
func loadWithTypes(types string) (*bilstmcrf.Model, error) {
	return bilstmcrf.Load(func(name string) ([]byte, error) {
		raw, err := os.ReadFile(filepath.Join(shippedModel, name))
		if err == nil && name == bilstmcrf.DescriptionFile {
			raw = bytes.Replace(raw, []byte(`"label_scheme"`), []byte(`"types": `+types+`, "label_scheme"`), 1)
		}
		return raw, err
	})
}

// A model of another annotation scheme keeps its own types, and says which of
// the job's they are.
func TestModelsOwnTypes(t *testing.T) {
	if _, _, err := Initialize(""); err != nil {
		t.Fatal(err)
	}
	m, err := loadWithTypes(`{"DATE": "", "DOCTOR": "PATIENT"}`)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGraphs(m, Device{Provider: CPU})
	if err != nil {
		t.Fatal(err)
	}
	const note = "Seen by Dr. Margaret Oyelaran on 03/14/2019.\n"
	tagger := bilstmcrf.NewTagger(m, g, g, bilstmcrf.Options{})
	kinds, err := tagger.TagKinds(texts(note))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]phi.Type{}
	for _, f := range kinds[0] {
		got[f.Kind] = f.Type
	}
	if len(got) != 2 || got["DOCTOR"] != phi.Patient || got["DATE"] != phi.None {
		t.Errorf("found %v", got)
	}
	spans, err := tagger.Tag(texts(note))
	if err != nil {
		t.Fatal(err)
	}
	if len(spans[0]) != 1 || spans[0][0].Type != phi.Patient {
		t.Errorf("spans are %v, want the patient's alone", spans[0])
	}
	if _, err := loadWithTypes(`{"DATE": "SHOE"}`); err == nil || !strings.Contains(err.Error(), "SHOE") {
		t.Errorf("an unknown type: %v", err)
	}
}
