package table

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/roworder"
)

// scattered is a file that Scatter has made.
type scattered struct {
	run, file int
	bytes.Buffer
	rows int64
}

func scatter(t *testing.T, f *File, place Place, held int64) []*scattered {
	t.Helper()
	var all []*scattered
	err := f.Scatter(t.Context(), place, held, func(run, file int) (io.Writer, error) {
		all = append(all, &scattered{run: run, file: file})
		return all[len(all)-1], nil
	}, func(rows int64) error {
		all[len(all)-1].rows = rows
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// placeOf spreads rows over files by a hash of the patient's id.
func placeOf(f *File, files int) Place {
	c := testColumns(f)
	return Place{Document: c.DocumentID, Patient: c.PatientID, Of: func(patient, document ID) roworder.Key {
		h := fnv.New32()
		_, _ = io.WriteString(h, patient.Text)
		return roworder.Key{File: int(h.Sum32() % uint32(files)), Patient: patient.Text, Document: document.Text}
	}}
}

// joined returns the rows of a file, all columns, as text.
func joinedRows(t *testing.T, b []byte) []string {
	t.Helper()
	leaves := leafRows(t, b)
	var rows []string
	for _, path := range openBytes(t, b).leaves {
		for i, v := range leaves[path.dotted()] {
			if i == len(rows) {
				rows = append(rows, "")
			}
			rows[i] += v + "|"
		}
	}
	return rows
}

// Every table of testdata, with lists, all types and codecs, has the same rows
// after it was scattered and gathered, in the order of their ids, and the same schema
// and metadata; however little memory there is.
func TestScatterAndGatherKeepEveryRow(t *testing.T) {
	for _, name := range testFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			raw := readTestFile(t, name)
			f := openBytes(t, raw)
			if _, err := f.Bind(testColumns(f)); err != nil {
				t.Skip(err)
			}
			want := joinedRows(t, raw)
			slices.Sort(want)
			const files = 3
			place := placeOf(f, files)
			var before [files][]byte
			for _, held := range []int64{1 << 30, 60_000} {
				parts := scatter(t, f, place, held)
				var got []string
				for file := range files {
					var sorted []*File
					rows := int64(0)
					for _, p := range parts {
						if p.file == file {
							sorted, rows = append(sorted, openBytes(t, p.Bytes())), rows+p.rows
						}
					}
					if len(sorted) == 0 {
						continue
					}
					var out bytes.Buffer
					n, err := Gather(context.Background(), sorted, place, 1<<20, &out)
					if err != nil || n != rows {
						t.Fatalf("%d rows of %d: %v", n, rows, err)
					}
					g := openBytes(t, out.Bytes())
					if g.SchemaDigest() != f.SchemaDigest() {
						t.Error("the schema is another")
					}
					if a, b := f.meta.get(fmKeyValues), g.meta.get(fmKeyValues); (a == nil) != (b == nil) ||
						a != nil && !bytes.Equal(appendValue(nil, a), appendValue(nil, b)) {
						t.Error("the metadata are others")
					}
					if n > 0 {
						checkLike(t, f, g)
					}
					checkKeys(t, g, place, file)
					got = append(got, joinedRows(t, out.Bytes())...)
					if before[file] == nil {
						before[file] = out.Bytes()
					} else if !bytes.Equal(before[file], out.Bytes()) {
						t.Errorf("file %d has other bytes when %d bytes of rows are held", file, held)
					}
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Fatalf("%d bytes held: %d rows of %d, or they are others", held, len(got), len(want))
				}
			}
		})
	}
}

// checkLike compares codecs and whether there are bounds.
func checkLike(t *testing.T, f, g *File) {
	t.Helper()
	for i, leaf := range f.leaves {
		a, b := f.chunk(0, leaf).get(ccMetaData), g.chunk(0, g.leaves[i]).get(ccMetaData)
		if a.intOr(cmCodec, -1) != b.intOr(cmCodec, -1) {
			t.Errorf("column %s has codec %d instead of %d", leaf.dotted(), b.intOr(cmCodec, -1), a.intOr(cmCodec, -1))
		}
		if b.get(cmBloomOffset) != nil {
			t.Errorf("column %s has the bloom filter of other rows", leaf.dotted())
		}
	}
}

// checkKeys checks that rows are in the right file, and in order.
func checkKeys(t *testing.T, f *File, place Place, file int) {
	t.Helper()
	s, err := f.scan(place)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var last *wholeRow
	for {
		r, err := s.next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.key.File != file || last != nil && last.key.Compare(r.key) > 0 {
			t.Fatalf("row %+v in file %d, after %+v", r.key, file, last)
		}
		last = r
	}
}

// Rows without order, and files of other columns, are refused.
func TestGatherRefuses(t *testing.T) {
	raw := readTestFile(t, testFiles(t)[0])
	f := openBytes(t, raw)
	place := placeOf(f, 1)
	backwards := place
	n := 0
	backwards.Of = func(_, _ ID) roworder.Key { n++; return roworder.Key{Document: fmt.Sprintf("%09d", 1e6-n)} }
	if _, err := Gather(t.Context(), []*File{f}, backwards, 1<<20, io.Discard); err == nil {
		t.Error("rows in no order were merged")
	}
	for _, name := range testFiles(t) {
		g := openBytes(t, readTestFile(t, name))
		if g.SchemaDigest() == f.SchemaDigest() {
			continue
		}
		if _, err := Gather(t.Context(), []*File{f, g}, place, 1<<20, io.Discard); err == nil {
			t.Errorf("%s was merged with %s", name, testFiles(t)[0])
		}
		return
	}
}

// Files that say otherwise how their dates are to be read are of another form: one file
// made of both would have the settings of the first alone.
func TestSchemaDigestHasSettings(t *testing.T) {
	type row struct {
		ID string `parquet:"note_id"`
	}
	of := func(pairs ...string) string {
		var options []parquet.WriterOption
		for i := 0; i < len(pairs); i += 2 {
			options = append(options, parquet.KeyValueMetadata(pairs[i], pairs[i+1]))
		}
		return openBytes(t, parquetOf(t, []row{{"1"}}, options...)).SchemaDigest()
	}
	const legacy, zone = "org.apache.spark.legacyDateTime", "org.apache.spark.timeZone"
	plain := of()
	if of("somebody", "x") != plain {
		t.Error("what somebody attached counts")
	}
	if of(legacy, "") == plain || of(legacy, "", zone, "UTC") == of(legacy, "", zone, "Europe/Madrid") {
		t.Error("a setting does not count")
	}
	if of(legacy, "", zone, "UTC") != of(zone, "UTC", legacy, "") {
		t.Error("the order of settings counts")
	}
}
