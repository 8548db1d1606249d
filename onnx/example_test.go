package onnx_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/onnx"
)

// What a shipped model finds, alone, in a text.
func Example() {
	const folder = "models/en-clinical-accurate"
	model, err := bilstmcrf.Load(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) })
	if err != nil {
		log.Fatal(err)
	}
	if _, _, err := onnx.Initialize(""); err != nil { // looks for libonnxruntime.so in the usual places
		log.Fatal(err)
	}
	graphs, err := onnx.NewGraphs(model, onnx.Device{Provider: onnx.CPU})
	if err != nil {
		log.Fatal(err)
	}
	detector := &deid.Detector{Network: bilstmcrf.NewTagger(model, graphs, graphs, bilstmcrf.Options{})}
	notes := []deid.Note{{Document: "n1"}}
	if _, err := detector.Detect(notes, [][]string{{"Rosalind Obuya was seen by Dr. Tjaden in Tripoli on 3 April."}}); err != nil {
		log.Fatal(err)
	}
	for _, f := range notes[0].Spans {
		fmt.Println(f.Type, f.Surface)
	}
	// Output:
	// PATIENT Rosalind Obuya
	// DOCTOR Tjaden
	// CITY Tripoli
	// DATE 3 April
}
