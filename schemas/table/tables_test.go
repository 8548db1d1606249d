package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
)

// The file's "email" has no type, as pandas writes where all is null.
func TestReadIdentifiers(t *testing.T) {
	b := readTestFile(t, "testdata/identifiers.parquet")
	var got []lexicon.Identifiers
	err := readIdentifiers(b, IdentifierColumns{"ignored": "-"}, func(p lexicon.Identifiers) error {
		got = append(got, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []lexicon.Identifiers{
		{PatientID: "1", Names: []string{"Ada Quill", "Ada Quill"}, BirthDate: "1950-02-03", MRNs: []string{"17"},
			Phones: []string{"555-0100", "555-0101"}, Addresses: []string{"1 Elm St"}, Relatives: []string{"Eve"}},
		{PatientID: "2", Names: []string{"Cy Marsh"}},
		{PatientID: "3", Names: []string{"Reed"}, BirthDate: "1899-12-31", MRNs: []string{"19"}, Relatives: []string{"Flo", "Gus"}},
		{PatientID: "4", Names: []string{"Bo Lind"}, BirthDate: "2020-02-29", MRNs: []string{"20"}, Addresses: []string{"2 Oak St"},
			Doctors: []string{"Dr. Hale"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestReadIdentifiersSemicolons(t *testing.T) {
	type row struct {
		ID        string `parquet:"id"`
		Relatives string `parquet:"relatives"`
		Doctors   string `parquet:"doctors"`
	}
	b := parquetOf(t, []row{{"1", "Bo Brandt; Cy Lund;", " ; "}, {"2", "Hale, Eve", "Dr. Fox;Dr. Roe"}})
	var got []lexicon.Identifiers
	err := readIdentifiers(b, IdentifierColumns{"id": "patient_id"}, func(p lexicon.Identifiers) error {
		got = append(got, p)
		return nil
	})
	want := []lexicon.Identifiers{{PatientID: "1", Relatives: []string{"Bo Brandt", "Cy Lund"}},
		{PatientID: "2", Relatives: []string{"Hale, Eve"}, Doctors: []string{"Dr. Fox", "Dr. Roe"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
}

func TestReadIdentifiersErrors(t *testing.T) {
	type row struct {
		ID    *string `parquet:"id"`
		Name  float64 `parquet:"name"`
		Plain string  `parquet:"mrn"`
	}
	type good struct {
		ID string `parquet:"id"`
	}
	type mistyped struct {
		Row    string  `parquet:"Row"`
		Name   string  `parquet:"FULL_NAME"`
		Birth  string  `parquet:"brith_date"`
		MRN    string  `parquet:"MRN"`
		Weight float64 `parquet:"weight"`
	}
	one := ""
	for _, test := range []struct {
		file []byte
		is   string
		want string
	}{
		{parquetOf(t, []row{{}}), "patient_id=id",
			`the column "name" has type required DOUBLE; needed is a string or an integer, or a list of these`},
		{parquetOf(t, []good{{"1"}}), "patient_id=pid,id=-", `there is no patient id column "pid"; the columns are: id`},
		{parquetOf(t, []good{{"1"}, {one}}), "patient_id=id", "row group 0, column \"id\", row 1 of the group: the patient id is null or empty"},
		{parquetOf(t, []good{{"1"}}), "patient_id=-,id=-", "no column has the role patient_id; the columns are: id"},
		{parquetOf(t, []good{{"1"}}), "id=-", `there is no patient id column "patient_id"; the columns are: id`},
		{parquetOf(t, []mistyped{{}}), "patient_id=Row",
			`"FULL_NAME" (did you mean name?), "brith_date" (did you mean birth_date?), "MRN" (did you mean mrn?), "weight". ` +
				"Give each a role, or leave it out by COLUMN=-, such as --identifier_columns name=FULL_NAME,birth_date=brith_date,mrn=MRN,weight=-; " +
				"the roles are patient_id, name"},
		{parquetOf(t, []mistyped{{}}), "patient_id=Row,name=FULL_NAME,brith_date=-,weight=-", `nothing says what these columns hold: "MRN" (did`},
	} {
		columns, err := ParseIdentifierColumns(strings.Split(test.is, ","))
		if err != nil {
			t.Fatal(err)
		}
		err = readIdentifiers(test.file, columns, func(lexicon.Identifiers) error { return nil })
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "c.parquet: ") {
			t.Errorf("%v; want %q", err, test.want)
		}
	}
	stop := errors.New("stop")
	b := parquetOf(t, []good{{"1"}})
	if err := readIdentifiers(b, IdentifierColumns{"id": "patient_id"}, func(lexicon.Identifiers) error { return stop }); err != stop {
		t.Error(err)
	}
}

// Columns may be called anything, several may hold one thing, and some nothing.
func TestIdentifierColumns(t *testing.T) {
	type row struct {
		Key   int64    `parquet:"pat_key"`
		Name  string   `parquet:"FULL_NAME"`
		Maid  *string  `parquet:"maiden"`
		Other string   `parquet:"name"` // of something else
		Home  string   `parquet:"home"`
		Cells []string `parquet:"cells,list"`
		Born  int32    `parquet:"dob,date"`
	}
	maiden := "Ada Reed"
	b := parquetOf(t, []row{{7, "Ada Quill", &maiden, "Ward 3", "555-0100", []string{"555-0101", "555-0102"}, 3}})
	columns, err := ParseIdentifierColumns([]string{"patient_id=pat_key", "name=FULL_NAME", " name = maiden", "name=-", "phone=home",
		"phone=cells", "birth_date=dob"})
	if err != nil {
		t.Fatal(err)
	}
	var got []lexicon.Identifiers
	err = readIdentifiers(b, columns, func(p lexicon.Identifiers) error { got = append(got, p); return nil })
	want := []lexicon.Identifiers{{PatientID: "7", Names: []string{"Ada Quill", "Ada Reed"}, BirthDate: "1970-01-04",
		Phones: []string{"555-0101", "555-0102", "555-0100"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}

	for pairs, want := range map[string]string{
		"name":                       "write ROLE=COLUMN",
		"=x":                         "write ROLE=COLUMN",
		"name=":                      "write ROLE=COLUMN",
		"nmae=x":                     `there is no role "nmae"; did you mean name?`,
		"weight=x":                   `there is no role "weight"; the roles are patient_id, name`,
		"mrn=x,ssn=x":                `the column "x" stands there twice`,
		"x=-,mrn=x":                  `the column "x" stands there twice`,
		"birth_date=a,birth_date=b":  `birth_date has the column "a" already`,
		"patient_id=a,patient_id=bc": `patient_id has the column "a" already`,
	} {
		if _, err := ParseIdentifierColumns(strings.Split(pairs, ",")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", pairs, err, want)
		}
	}
	if c, err := ParseIdentifierColumns(nil); c != nil || err != nil {
		t.Error(c, err)
	}
}

// readIdentifiers reads a table as the job does.
func readIdentifiers(file []byte, columns IdentifierColumns, yield func(lexicon.Identifiers) error) error {
	t, err := OpenIdentifiers(bytes.NewReader(file), int64(len(file)), "c.parquet", columns)
	if err != nil {
		return err
	}
	return t.Each(context.Background(), yield)
}

// parquetOf writes rows with parquet-go.
func parquetOf[T any](t testing.TB, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFindings(t *testing.T) {
	var all []Finding
	for i := range 5000 {
		all = append(all, Finding{
			DocumentID: fmt.Sprint("d", i/10), TextColumn: "text", Start: int64(i), End: int64(i + 3),
			OutputStart: int64(i), OutputEnd: math.MaxInt64, Type: "DATE", Source: "rules", Score: 0.5,
			Element: fmt.Sprint(i % 3), Action: "shift",
		})
	}
	write := func(step int) []byte {
		var b bytes.Buffer
		w := NewFindingsWriter(&b)
		for part := range slices.Chunk(all, step) {
			if err := w.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	b := write(len(all))
	if !bytes.Equal(b, write(1)) || !bytes.Equal(b, write(97)) {
		t.Error("the bytes depend on how findings are batched")
	}
	got, err := parquet.Read[Finding](bytes.NewReader(b), int64(len(b)))
	if err != nil || !slices.Equal(got, all) {
		t.Errorf("%d findings come back, %v", len(got), err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "f.parquet"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]int{folder: 1, filepath.Join(folder, "none"): 0} {
		got = nil
		files, err := ReadFindings(t.Context(), pattern, func(f Finding) error { got = append(got, f); return nil })
		if err != nil || files != want || want == 1 && !slices.Equal(got, all) {
			t.Errorf("ReadFindings(%s) returns %d findings of %d files, %v", pattern, len(got), files, err)
		}
	}
	want := []string{"document_id", "text_column", "element", "start", "end", "output_start", "output_end", "type", "source", "score",
		"action"}
	if names := openBytes(t, b).ColumnNames(); !slices.Equal(names, want) {
		t.Errorf("columns are %v", names)
	}
	var empty bytes.Buffer
	if err := NewFindingsWriter(&empty).Close(); err != nil {
		t.Fatal(err)
	}
	openBytes(t, empty.Bytes())
}

// Hudi keeps real record keys in the footer.
func TestRecordKeysRemoved(t *testing.T) {
	b := withFooter(t, readTestFile(t, "testdata/spark_like.parquet"), func(v value) value {
		kv := append(slices.Clone(v.items(fmKeyValues)), structValue(field{kvKey, stringValue("hoodie_min_record_key")},
			field{kvValue, stringValue("n0000")}))
		return v.with(fmKeyValues, listValue(tStruct, kv))
	})
	f := openBytes(t, b)
	binding, err := f.Bind(testColumns(f))
	if err != nil {
		t.Fatal(err)
	}
	out := openBytes(t, rewrite(t, binding, func(int64, *Row) {}).out)
	keys := ""
	for _, kv := range out.meta.items(fmKeyValues) {
		keys += kv.str(kvKey) + " "
	}
	if strings.Contains(keys, "hoodie") || !strings.Contains(keys, "org.apache.spark.version") {
		t.Errorf("keys are %s", keys)
	}
}

// Row groups may differ in codec, which few readers expect.
func TestCodecPerRowGroup(t *testing.T) {
	type row struct {
		NoteID string   `parquet:"note_id"`
		Text   string   `parquet:"text"`
		Tags   []string `parquet:"tags"`
	}
	rows := []row{{"a", "one", nil}, {"b", "two", []string{"x", ""}}, {"c", "three", []string{"y"}}}
	first := parquetOf(t, rows, parquet.Compression(&parquet.Zstd))
	second := parquetOf(t, rows, parquet.Compression(&parquet.Snappy))
	// Splice the row group of the second file behind that of the first.
	f1, f2 := openBytes(t, first), openBytes(t, second)
	end := func(b []byte) int {
		f := openBytes(t, b)
		last := 0
		for _, l := range f.leaves {
			s, n := extent(f.chunk(0, l).get(ccMetaData))
			last = max(last, int(s+n))
		}
		return last
	}
	e1, e2 := end(first), end(second)
	b := append(bytes.Clone(first[:e1]), second[4:e2]...)
	group := f2.groups[0]
	columns := slices.Clone(group.items(rgColumns))
	for i := range columns {
		columns[i] = columns[i].with(ccMetaData, shiftOffsets(*columns[i].get(ccMetaData), int64(e1-4))).
			without(ccOffsetIndexOffset, ccOffsetIndexLength, ccColumnIndexOffset, ccColumnIndexLength)
		f1.groups[0].items(rgColumns)[i] = f1.groups[0].items(rgColumns)[i].
			without(ccOffsetIndexOffset, ccOffsetIndexLength, ccColumnIndexOffset, ccColumnIndexLength)
	}
	footer := f1.meta.with(fmRowGroups, listValue(tStruct, []value{f1.groups[0],
		group.with(rgColumns, listValue(tStruct, columns))})).with(fmNumRows, i64Value(6))
	n := len(b)
	b = appendValue(b, &footer)
	b = append(b, byte(len(b)-n), byte((len(b)-n)>>8), 0, 0, 'P', 'A', 'R', '1')
	f := openBytes(t, b)
	binding, err := f.Bind(Columns{DocumentID: "note_id", Text: []string{"text"}})
	if err != nil {
		t.Fatal(err)
	}
	got := rewrite(t, binding, func(row int64, r *Row) {
		if row == 1 || row == 4 {
			r.Quarantine("second")
		}
	})
	notes := allNotes(t, openBytes(t, got.out), Columns{DocumentID: "note_id", Text: []string{"text"}})
	ids := ""
	for _, x := range notes {
		ids += x.DocumentID.Text + x.Texts[0].Value
	}
	if ids != "aonecthreeaonecthree" {
		t.Errorf("the output holds %q", ids)
	}
}

// Large texts: a batch holds one, invalid UTF-8 and empty texts pass.
func TestLargeTexts(t *testing.T) {
	type row struct {
		NoteID string  `parquet:"note_id"`
		Text   *string `parquet:"text,snappy"`
	}
	texts := []string{strings.Repeat("long note ", 2<<20), "", "\xff\xfe bad", strings.Repeat("x", 9<<20), "end"}
	rows := []row{}
	for i := range texts {
		rows = append(rows, row{fmt.Sprint(i), &texts[i]})
	}
	b := parquetOf(t, rows)
	f := openBytes(t, b)
	binding, err := f.Bind(Columns{DocumentID: "note_id", Text: []string{"text"}})
	if err != nil {
		t.Fatal(err)
	}
	batches := 0
	if err := binding.ReadNotes(context.Background(), 0, func(batch []Note) error {
		batches++
		for _, n := range batch {
			if n.Texts[0].Value != texts[n.Row] {
				t.Errorf("text %d differs", n.Row)
			}
		}
		return nil
	}); err != nil || batches != 3 {
		t.Errorf("%d batches, %v", batches, err)
	}
	got := rewrite(t, binding, func(row int64, r *Row) {
		if err := r.SetText(0, r.Texts[0].Value+"!"); err != nil {
			t.Error(err)
		}
	})
	if len(got.out) > 2<<20 {
		t.Errorf("the output has %d bytes: texts in its statistics?", len(got.out))
	}
	for i, n := range allNotes(t, openBytes(t, got.out), Columns{DocumentID: "note_id", Text: []string{"text"}}) {
		if n.Texts[0].Value != texts[i]+"!" {
			t.Errorf("text %d differs", i)
		}
	}
}

// benchFile is about the size of a row group of notes: 5,000 of 3 KB.
func benchFile(b *testing.B) ([]byte, int64) {
	type row struct {
		NoteID  string   `parquet:"note_id"`
		Patient int64    `parquet:"patient_id"`
		Text    string   `parquet:"text"`
		Day     int32    `parquet:"day,date"`
		Score   float64  `parquet:"score"`
		Tags    []string `parquet:"tags,list"`
	}
	words := strings.Fields("Patient seen in clinic today with stable symptoms and no new complaints since the last visit blood pressure " +
		"was measured twice")
	rows := make([]row, 5000)
	total, x := int64(0), uint32(1)
	for i := range rows {
		var s strings.Builder
		for s.Len() < 3000 {
			x = x*1664525 + 1013904223
			s.WriteString(words[int(x>>16)%len(words)])
			fmt.Fprint(&s, " ", x>>24, " ")
		}
		rows[i] = row{fmt.Sprint("note", i), int64(i / 5), s.String(), int32(i), float64(i), []string{"a", "b"}}
		total += int64(s.Len())
	}
	return parquetOf(b, rows, parquet.Compression(&parquet.Zstd)), total
}

func BenchmarkReadNotes(b *testing.B) {
	file, n := benchFile(b)
	f := openBytes(b, file)
	binding, err := f.Bind(Columns{DocumentID: "note_id", PatientID: "patient_id", Text: []string{"text"}})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(n)
	b.ReportAllocs()
	for b.Loop() {
		if err := binding.ReadNotes(context.Background(), 0, func([]Note) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRewrite(b *testing.B) {
	file, n := benchFile(b)
	f := openBytes(b, file)
	binding, err := f.Bind(Columns{DocumentID: "note_id", PatientID: "patient_id", Text: []string{"text"}, Dates: []string{"day"}})
	if err != nil {
		b.Fatal(err)
	}
	for name, every := range map[string]int64{"clean": 1 << 40, "quarantined": 100} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(n)
			b.ReportAllocs()
			for b.Loop() {
				rewrite(b, binding, func(row int64, r *Row) {
					if row%every == every-1 {
						r.Quarantine("bench")
					}
				})
			}
		})
	}
}

// A bloom filter is copied with its chunk, and gone where values changed: it
// would tell who knows a real id that it was there.
func TestBloomFilters(t *testing.T) {
	type row struct {
		NoteID string `parquet:"note_id"`
		Text   string `parquet:"text"`
		Code   string `parquet:"code,dict"`
	}
	var rows []row
	for i := range 100 {
		rows = append(rows, row{fmt.Sprint("n", i), fmt.Sprint("text ", i), fmt.Sprint("c", i%10)})
	}
	b := parquetOf(t, rows, parquet.MaxRowsPerRowGroup(50), parquet.BloomFilters(
		parquet.SplitBlockFilter(10, "note_id"), parquet.SplitBlockFilter(10, "text"), parquet.SplitBlockFilter(10, "code")))
	f := openBytes(t, b)
	binding, err := f.Bind(Columns{DocumentID: "note_id", Text: []string{"text"}})
	if err != nil {
		t.Fatal(err)
	}
	got := rewrite(t, binding, func(row int64, r *Row) {
		editAll(t, binding, r)
		if row == 70 {
			r.Quarantine("second group")
		}
	})
	out, err := parquet.OpenFile(bytes.NewReader(got.out), int64(len(got.out)))
	if err != nil {
		t.Fatal(err)
	}
	for g, group := range out.RowGroups() {
		for i, chunk := range group.ColumnChunks() {
			filter := chunk.BloomFilter()
			if want := g == 0 && i == 2; (filter != nil) != want {
				t.Errorf("row group %d, column %d: bloom filter %t", g, i, filter != nil)
			}
			if filter == nil {
				continue
			}
			for code, want := range map[string]bool{"c3": true, "n3": false, "c33": false} {
				if ok, err := filter.Check(parquet.ValueOf(code)); err != nil || ok != want {
					t.Errorf("%s: %t, %v", code, ok, err)
				}
			}
		}
	}
	// The input is as the test assumes.
	in, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil || len(in.RowGroups()) != 2 || in.RowGroups()[1].ColumnChunks()[0].BloomFilter() == nil {
		t.Fatal("the input has no bloom filters", err)
	}
}
