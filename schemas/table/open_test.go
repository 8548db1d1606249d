package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// withFooter returns the file with its footer edited.
func withFooter(t testing.TB, b []byte, edit func(value) value) []byte {
	t.Helper()
	n := int(binary.LittleEndian.Uint32(b[len(b)-8:]))
	start := len(b) - 8 - n
	v, _, err := parseStruct(b[start : len(b)-8])
	if err != nil {
		t.Fatal(err)
	}
	v = edit(v)
	out := appendValue(bytes.Clone(b[:start]), &v)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(out)-start))
	return append(out, "PAR1"...)
}

// withChunks returns the file with every column chunk edited.
func withChunks(t testing.TB, b []byte, edit func(chunk value) value) []byte {
	return withFooter(t, b, func(v value) value {
		groups := v.items(fmRowGroups)
		for i := range groups {
			columns := groups[i].items(rgColumns)
			for j := range columns {
				columns[j] = edit(columns[j])
			}
		}
		return v
	})
}

func TestOpenErrors(t *testing.T) {
	good := readTestFile(t, "testdata/arrow_snappy_v1.parquet")
	chunkMeta := func(id int16, x value) []byte {
		return withChunks(t, good, func(c value) value { return c.with(ccMetaData, c.get(ccMetaData).with(id, x)) })
	}
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "not a Parquet file: it has only 0 bytes"},
		{"text", []byte("document_id,text\n1,hello\n"), "does not begin with PAR1"},
		{"truncated", good[:len(good)/2], "truncated"},
		{"cut in the footer", good[:len(good)-1], "truncated"},
		{"encrypted footer", append([]byte("PARE"), good[4:]...), "encrypted"},
		{"encrypted", withFooter(t, good, func(v value) value { return v.with(fmEncryption, structValue()) }), "encrypted"},
		{"encrypted column", withChunks(t, good, func(c value) value { return c.with(ccCrypto, structValue()) }),
			`column "note_id": the column is encrypted`},
		{"footer length", func() []byte {
			b := bytes.Clone(good)
			binary.LittleEndian.PutUint32(b[len(b)-8:], 1<<31)
			return b
		}(), "its length exceeds the file"},
		{"footer bytes", func() []byte {
			b := bytes.Clone(good)
			b[len(b)-9] = 0xff
			return b
		}(), "footer is damaged"},
		{"data cut out", chunkMeta(cmTotalCompressed, i64Value(1<<40)), "lies outside of the file"},
		{"other file", withChunks(t, good, func(c value) value { return c.with(ccFilePath, stringValue("elsewhere")) }), "in another file"},
		{"other type", chunkMeta(cmType, i32Value(int64(physFixed))), "another type than the schema"},
		{"too few values", chunkMeta(cmNumValues, i64Value(1)), "another number of values"},
		{"negative size", chunkMeta(cmTotalCompressed, i64Value(-1)), "outside of the file"},
		{"no schema", withFooter(t, good, func(v value) value { return v.without(fmSchema) }), "no schema"},
		{"schema too long", withFooter(t, good, func(v value) value {
			s := v.items(fmSchema)
			return v.with(fmSchema, listValue(tStruct, append(s[:len(s):len(s)], s[len(s)-1])))
		}), "more elements"},
		{"no columns in a group", withFooter(t, good, func(v value) value {
			v.items(fmRowGroups)[1] = v.items(fmRowGroups)[1].with(rgColumns, listValue(tStruct, nil))
			return v
		}), "row group 1: the footer is damaged: 0 column chunks"},
	}
	for _, test := range tests {
		_, err := Open(bytes.NewReader(test.file), int64(len(test.file)), "dir/x.parquet")
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "dir/x.parquet: ") {
			t.Errorf("%s: %v; want %q", test.name, err, test.want)
		}
	}
}

func TestBindErrors(t *testing.T) {
	f := openBytes(t, readTestFile(t, "testdata/arrow_types_v1.parquet"))
	base := Columns{DocumentID: "note_id", Text: []string{"text"}}
	tests := []struct {
		edit func(c *Columns)
		want string
	}{
		{func(c *Columns) { c.DocumentID = "" }, "no document id column is configured; name one of: account, addendum"},
		{func(c *Columns) { c.Text = nil }, "no text column is configured"},
		{func(c *Columns) { c.Text = []string{"txt"} }, `there is no text column "txt"; the columns are: account`},
		{func(c *Columns) { c.Text = []string{"who"} }, `the text column "who" is a list, map or struct`},
		{func(c *Columns) { c.Text = []string{"f64"} }, `has type optional DOUBLE; needed is a string`},
		{func(c *Columns) { c.PatientID = "dec9" }, "has type optional FIXED_LEN_BYTE_ARRAY (DECIMAL); needed is a string or an integer"},
		{func(c *Columns) { c.PatientID = "day" }, "has type optional INT32 (DATE); needed is a string or an integer"},
		{func(c *Columns) { c.Dates = []string{"visit"} }, "needed is DATE, TIMESTAMP"},
		{func(c *Columns) { c.Dates = []string{"t_us"} }, "needed is DATE, TIMESTAMP"},
		{func(c *Columns) { c.IDs = []string{"patient_id"}; c.PatientID = "patient_id" }, `"patient_id" is configured twice`},
		{func(c *Columns) { c.NoteDate = "text" }, `"text" is configured twice`},
		{func(c *Columns) { c.Drop = []string{"nix"} }, `there is no dropped column "nix"`},
		{func(c *Columns) { c.Drop = []string{"text"} }, "has another role"},
		{func(c *Columns) { c.Drop = []string{"labs.key_value.value"} }, `drop "labs" as a whole`},
		{func(c *Columns) { c.Drop = []string{"who.name", "who.seen"} }, `every field of column "who"`},
	}
	for _, test := range tests {
		c := base
		test.edit(&c)
		_, err := f.Bind(c)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "test.parquet: ") {
			t.Errorf("%+v: %v; want %q", c, err, test.want)
		}
	}
	// A field of a struct will do.
	c := base
	c.Text = []string{"text", "who.name"}
	if _, err := f.Bind(c); err != nil {
		t.Error(err)
	}
}

func TestCodecErrors(t *testing.T) {
	good := readTestFile(t, "testdata/arrow_snappy_v1.parquet")
	for codec, want := range map[int64]string{codecLZ4: "LZ4_RAW", codecLZO: "LZO is not supported", 99: "codec number 99"} {
		f := openBytes(t, withChunks(t, good, func(c value) value {
			return c.with(ccMetaData, c.get(ccMetaData).with(cmCodec, i32Value(codec)))
		}))
		if _, err := f.Bind(testColumns(f)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("codec %d: %v", codec, err)
		}
	}
}

// Damage inside of pages is an error that tells where, and never a wrong note.
func TestDamagedPages(t *testing.T) {
	good := readTestFile(t, "testdata/arrow_types_v1.parquet") // has checksums
	f := openBytes(t, good)
	start, length := extent(f.chunk(0, f.root.children[2]).get(ccMetaData))
	want := allNotes(t, f, testColumns(f))[:15]
	for i := start; i < start+length; i++ {
		b := bytes.Clone(good)
		b[i] ^= 0x10
		f := openBytes(t, b)
		binding, err := f.Bind(testColumns(f))
		if err != nil {
			t.Fatal(err)
		}
		var got []Note
		err = binding.ReadNotes(context.Background(), 0, func(batch []Note) error {
			got = append(got, batch...)
			return nil
		})
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("byte %d: other notes, and no error", i)
		}
		if err != nil && !strings.HasPrefix(err.Error(), `test.parquet: row group 0, column "text"`) {
			t.Errorf("byte %d: %v", i, err)
		}
		if err != nil && (strings.Contains(err.Error(), "Vane") || strings.Contains(err.Error(), "Mrs")) {
			t.Errorf("byte %d: the error holds text", i)
		}
	}
}

func TestYieldError(t *testing.T) {
	f := openBytes(t, readTestFile(t, "testdata/arrow_snappy_v1.parquet"))
	b, err := f.Bind(testColumns(f))
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	if err := b.ReadNotes(context.Background(), 0, func([]Note) error { return stop }); err != stop {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := b.ReadNotes(ctx, 0, func([]Note) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := b.ReadNotes(context.Background(), -1, func([]Note) error { return nil }); err == nil {
		t.Error("row group -1 was read")
	}
}

// Any bytes: no panic, no hang, and whatever can be read can be rewritten.
// The seeds are small, one for each way to write a page: what changes in a
// large file is mostly text.
func FuzzOpen(f *testing.F) {
	for _, b := range smallFiles() {
		f.Add(b)
	}
	for _, name := range []string{"arrow_empty", "arrow_no_groups", "arrow_required"} {
		f.Add(readTestFile(f, "testdata/"+name+".parquet"))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<17 {
			return
		}
		file, err := Open(bytes.NewReader(b), int64(len(b)), "fuzz.parquet")
		if err != nil {
			return
		}
		// A footer of a few bytes can claim any number of null rows.
		if file.Rows() > 1<<14 {
			return
		}
		binding, err := file.Bind(testColumns(file))
		if err != nil {
			return
		}
		var out, quarantine bytes.Buffer
		w, err := binding.NewRewriter(&out, &quarantine)
		if err != nil {
			return
		}
		for g := range file.RowGroups() {
			_ = binding.ReadNotes(context.Background(), g, func([]Note) error { return nil })
			_, err = w.RowGroup(context.Background(), g, func(rows []*Row) error {
				rows[0].Quarantine("first")
				return nil
			})
			if err != nil {
				return
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(bytes.NewReader(out.Bytes()), int64(out.Len()), "out.parquet"); err != nil {
			t.Fatalf("the output cannot be opened: %v", err)
		}
	})
}

// FuzzPages damages a file's pages and leaves the footer, which mutation of
// the whole would soon break.
func FuzzPages(f *testing.F) {
	var files [][]byte
	for _, name := range testFiles(f) {
		files = append(files, readTestFile(f, name))
	}
	f.Add(byte(0), []byte{10, 1, 20, 2})
	f.Add(byte(5), []byte{0, 200, 3, 255, 9, 1})
	f.Fuzz(func(t *testing.T, which byte, changes []byte) {
		b := bytes.Clone(files[int(which)%len(files)])
		end := len(b) - 8 - int(binary.LittleEndian.Uint32(b[len(b)-8:]))
		at := 4
		for i := 0; i+1 < len(changes) && at < end; i += 2 {
			at += int(changes[i])*7 + i
			if at < end {
				b[at] ^= changes[i+1]
			}
		}
		file, err := Open(bytes.NewReader(b), int64(len(b)), "fuzz.parquet")
		if err != nil {
			t.Fatal(err)
		}
		binding, err := file.Bind(testColumns(file))
		if err != nil {
			t.Fatal(err)
		}
		w, err := binding.NewRewriter(&bytes.Buffer{}, &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		for g := range file.RowGroups() {
			_ = binding.ReadNotes(context.Background(), g, func([]Note) error { return nil })
			_, err = w.RowGroup(context.Background(), g, func(rows []*Row) error {
				rows[0].Quarantine("first")
				return nil
			})
			if err != nil {
				return
			}
		}
	})
}
