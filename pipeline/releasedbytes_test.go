package pipeline

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Of each original identifier no byte is released: not in values, dictionaries,
// statistics, page indexes, bloom filters, free metadata, reports or names of
// files. The tables are written by several writers, without compression, so
// that what is looked for would be seen as it is.
func TestNoByteOfAnIdentifierIsReleased(t *testing.T) {
	for _, writer := range writers {
		for _, order := range []string{transforms.OrderKeep, transforms.OrderAuto} {
			t.Run(writer+" "+order, func(t *testing.T) {
				dir, input := t.TempDir(), ofWriters[writer].path
				if input == "" {
					t.Skip(ofWriters[writer].why)
				}
				o := exampleOptions(dir)
				o.Input, o.RowOrder = []string{input}, order
				o.Model = "../onnx/models/en-clinical-fast"
				cfg, report, _ := run(t, o, nil)
				if report.RowsOut != report.RowsIn {
					t.Fatalf("%d of %d rows are released: %v", report.RowsOut, report.RowsIn, report.Reasons)
				}
				raw, err := os.ReadFile(input)
				if err != nil {
					t.Fatal(err)
				}
				secrets := identifierBytes(t)
				there := 0
				for _, s := range secrets {
					if bytes.Contains(raw, s) {
						there++
					}
				}
				if there < 250 { // the search would find nothing at all
					t.Fatalf("only %d of %d identifiers are in the bytes of the input", there, len(secrets))
				}
				err = filepath.WalkDir(cfg.Output, func(path string, d fs.DirEntry, err error) error {
					if err != nil || d.IsDir() {
						return err
					}
					raw, err := os.ReadFile(path)
					raw = append(raw, path[len(cfg.Output):]...)
					for what, s := range secrets {
						if bytes.Contains(raw, s) {
							t.Errorf("%s: %s", filepath.Base(path), what)
						}
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// writers are libraries of Python that write Parquet.
var writers = []string{"pyarrow", "duckdb", "polars"}

// rewritten is the example notes as another writer has them.
type rewritten struct{ path, why string }

// ofWriters has them by writer.
var ofWriters map[string]rewritten

// rewriteExamples writes the example notes by each writer, if it is there, or says why
// not.
func rewriteExamples(folder string) map[string]rewritten {
	python := os.Getenv("PALIMPSEST_PYTHON")
	if python == "" {
		python = "python3"
	}
	all := map[string]rewritten{}
	for _, writer := range writers {
		input := filepath.Join(folder, writer+".parquet")
		if out, err := exec.Command(python, "-c", "import pyarrow, "+writer).CombinedOutput(); err != nil {
			why := fmt.Sprintf("no writer: %s cannot import %s (%v %s); set PALIMPSEST_PYTHON to one that can", python, writer, err,
				bytes.TrimSpace(out))
			all[writer] = rewritten{why: why}
		} else if out, err := exec.Command(python, "testdata/rewrite.py", writer, exampleNotes, input).CombinedOutput(); err != nil {
			panic(fmt.Sprintf("%v %s", err, out))
		} else {
			all[writer] = rewritten{path: input}
		}
	}
	return all
}

// fiction matches telephone numbers that are set aside for fiction: the invented
// notes have them, and surrogates of other patients are drawn from them.
var fiction = regexp.MustCompile(`555[- ]01|^0491 570|^01632 960`)

// identifierBytes returns how identifiers of the examples may stand in a file, by
// what they are: ids as text and as integers, and those known identifiers that
// nothing else is spelt like: numbers, mail, names in full.
func identifierBytes(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, row := range readParquet[exampleRow](t, exampleNotes) {
		all[fmt.Sprintf("the document id of row %d, as an integer", len(all))] = binary.LittleEndian.AppendUint64(nil, uint64(row.NoteID))
		all[fmt.Sprintf("the document id of row %d", len(all))] = fmt.Append(nil, row.NoteID)
		if row.PatientID != nil {
			all["the patient id "+*row.PatientID] = []byte(*row.PatientID)
		}
	}
	for _, p := range knownOf(t) {
		p.Each(func(typ phi.Type, value string) {
			name := typ == phi.Patient || typ == phi.Doctor || typ == phi.Street
			number := typ == phi.MedicalRecord || typ == phi.Phone || typ == phi.SSN || typ == phi.Email
			if len(value) >= 6 && !fiction.MatchString(value) && (number || name && strings.Contains(value, " ")) {
				all[typ.String()+" "+value] = []byte(value)
			}
		})
	}
	return all
}
