package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// known is a row of a generated table of known identifiers.
type known struct {
	PatientID string   `parquet:"patient_id"`
	Name      string   `parquet:"name"`
	MRN       string   `parquet:"mrn"`
	Phone     string   `parquet:"phone"`
	Relatives []string `parquet:"relatives,list"`
}

// writeKnown writes the table of known identifiers of a shape.
func writeKnown(name string, s shape) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewSource(3))
	i := 0
	err = fill(parquet.NewGenericWriter[known](buffered, parquet.MaxRowsPerRowGroup(10_000)), s.Known, func() known {
		k := known{PatientID: fmt.Sprintf("p%07d", i), Name: invent.Name(r) + " " + invent.Name(r), MRN: fmt.Sprintf("%08d", r.Intn(1e8)),
			Phone: fmt.Sprintf("617-555-%04d", r.Intn(1e4))}
		for range s.Each - 1 {
			k.Relatives = append(k.Relatives, invent.Name(r)+" "+invent.Name(r))
		}
		i++
		return k
	})
	if err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return f.Close()
}
