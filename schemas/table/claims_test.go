package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// craftedPage returns a data page of version 1.
func craftedPage(values, encoding int64, size int, body []byte) []byte {
	h := structValue(
		field{phType, i32Value(pageData)},
		field{phUncompressed, i32Value(int64(size))},
		field{phCompressed, i32Value(int64(len(body)))},
		field{phDataV1, structValue(field{dpNumValues, i32Value(values)}, field{dpEncoding, i32Value(encoding)},
			field{dpDefEncoding, i32Value(encRLE)}, field{dpRepEncoding, i32Value(encRLE)})},
	)
	return append(appendValue(nil, &h), body...)
}

func craftedPageV2(values, encoding int64, levels int, body []byte) []byte {
	h := structValue(
		field{phType, i32Value(pageDataV2)},
		field{phUncompressed, i32Value(int64(len(body)))},
		field{phCompressed, i32Value(int64(len(body)))},
		field{phDataV2, structValue(field{d2NumValues, i32Value(values)}, field{d2NumNulls, i32Value(0)},
			field{d2NumRows, i32Value(values)}, field{d2Encoding, i32Value(encoding)},
			field{d2DefLength, i32Value(int64(levels))}, field{d2RepLength, i32Value(0)})},
	)
	return append(appendValue(nil, &h), body...)
}

func craftedDictionary(values int64, body []byte) []byte {
	h := structValue(
		field{phType, i32Value(pageDictionary)},
		field{phUncompressed, i32Value(int64(len(body)))},
		field{phCompressed, i32Value(int64(len(body)))},
		field{phDictionary, structValue(field{diNumValues, i32Value(values)}, field{diEncoding, i32Value(encPlain)})},
	)
	return append(appendValue(nil, &h), body...)
}

// crafted returns a file of three notes with one more column, "x".
func crafted(rows int64, phys, repetition int, length, codec int64, pages ...[]byte) []byte {
	element := structValue(field{seType, i32Value(int64(phys))}, field{seTypeLength, i32Value(length)},
		field{seRepetition, i32Value(int64(repetition))}, field{seName, stringValue("x")})
	elements := []value{structValue(field{seName, stringValue("r")}, field{seNumChildren, i32Value(3)})}
	for _, name := range []string{"note_id", "text"} {
		elements = append(elements, structValue(field{seType, i32Value(int64(physByteArray))}, field{seRepetition, i32Value(int64(repRequired))},
			field{seName, stringValue(name)}, field{seConverted, i32Value(int64(convUTF8))}))
	}
	elements = append(elements, element)
	b := []byte("PAR1")
	var chunks []value
	add := func(name string, phys int, codec int64, pages ...[]byte) {
		start := len(b)
		for _, p := range pages {
			b = append(b, p...)
		}
		size := int64(len(b) - start)
		chunks = append(chunks, structValue(field{ccFileOffset, i64Value(0)}, field{ccMetaData, structValue(
			field{cmType, i32Value(int64(phys))},
			field{cmEncodings, listValue(tI32, []value{i32Value(encRLEDictionary)})},
			field{cmPath, listValue(tBinary, []value{stringValue(name)})},
			field{cmCodec, i32Value(codec)},
			field{cmNumValues, i64Value(rows)},
			field{cmTotalUncompressed, i64Value(size)},
			field{cmTotalCompressed, i64Value(size)},
			field{cmDataPageOffset, i64Value(int64(start))},
		)}))
	}
	words := []byte("\x01\x00\x00\x00a\x01\x00\x00\x00b\x01\x00\x00\x00c")
	add("note_id", physByteArray, codecUncompressed, craftedPage(3, encPlain, len(words), words))
	add("text", physByteArray, codecUncompressed, craftedPage(3, encPlain, len(words), words))
	add("x", phys, codec, pages...)
	group := structValue(field{rgColumns, listValue(tStruct, chunks)}, field{rgTotalByteSize, i64Value(int64(len(b)))},
		field{rgNumRows, i64Value(rows)})
	footer := structValue(field{fmVersion, i32Value(1)}, field{fmSchema, listValue(tStruct, elements)},
		field{fmNumRows, i64Value(rows)}, field{fmRowGroups, listValue(tStruct, []value{group})})
	at := len(b)
	b = appendValue(b, &footer)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)-at))
	return append(b, "PAR1"...)
}

// smallFiles returns a file of three rows for each encoding, version of page
// and way to have levels.
func smallFiles() [][]byte {
	plain := []byte("\x01\x00\x00\x00a\x01\x00\x00\x00b\x01\x00\x00\x00c")
	deltas := append(uvarints(128, 4, 3, 2, 2), 0, 0, 0, 0) // 1, 2, 3
	lengths := append(append(uvarints(128, 4, 3, 2, 0), 0, 0, 0, 0), "abc"...)
	prefixes := append(append(uvarints(128, 4, 3, 0, 0), 0, 0, 0, 0), lengths...)
	levels := withLength([]byte{3, 5}) // a bit-packed 1, 0, 1
	dictionary := craftedDictionary(2, plain[:10])
	both := func(encoding int64, body []byte) [][]byte {
		return [][]byte{craftedPage(3, encoding, len(body), body), craftedPageV2(3, encoding, 0, body)}
	}
	var files [][]byte
	add := func(phys, repetition int, length int64, pages [][]byte, before ...[]byte) {
		for _, p := range pages {
			files = append(files, crafted(3, phys, repetition, length, codecUncompressed, append(before[:len(before):len(before)], p)...))
		}
	}
	add(physByteArray, repRequired, 0, both(encPlain, plain))
	add(physByteArray, repRequired, 0, both(encRLEDictionary, []byte{1, 3, 2}), dictionary)
	add(physByteArray, repRequired, 0, both(encDeltaLength, lengths))
	add(physByteArray, repRequired, 0, both(encDeltaStrings, prefixes))
	add(physFixed, repRequired, 1, both(encDeltaStrings, prefixes))
	add(physFixed, repRequired, 5, both(encByteStreamSplit, plain))
	add(physInt32, repRequired, 0, both(encDelta, deltas))
	add(physInt64, repRequired, 0, both(encDelta, deltas))
	add(physBoolean, repRequired, 0, both(encRLE, withLength([]byte{1 << 1, 0, 2 << 1, 1})))
	add(physByteArray, repOptional, 0, [][]byte{craftedPage(3, encPlain, 16, slices.Concat(levels, plain[:10]))})
	add(physByteArray, repOptional, 0, [][]byte{craftedPage(3, encRLEDictionary, 9, slices.Concat(levels, []byte{1, 3, 2}))}, dictionary)
	add(physByteArray, repRepeated, 0, [][]byte{craftedPage(3, encPlain, 22, slices.Concat(withLength([]byte{3, 0}), levels, plain[:10]))})
	return files
}

// readAll rewrites a file and quarantines the first note of each row group, so
// that every column is decoded.
func readAll(file []byte, out, quarantine io.Writer) error {
	f, err := Open(bytes.NewReader(file), int64(len(file)), "crafted")
	if err != nil {
		return err
	}
	b, err := f.Bind(Columns{DocumentID: "note_id", Text: []string{"text"}})
	if err != nil {
		return err
	}
	w, err := b.NewRewriter(out, quarantine)
	if err != nil {
		return err
	}
	for g := range f.RowGroups() {
		_, err := w.RowGroup(context.Background(), g, func(rows []*Row) error {
			if rows[0].Row == 0 {
				rows[0].Quarantine("first")
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// allocated returns how many bytes do asks for in all.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func uvarints(n ...uint64) []byte {
	var b []byte
	for _, u := range n {
		b = binary.AppendUvarint(b, u)
	}
	return b
}

func withLength(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// Whatever a few bytes claim, they get an error, and no memory to speak of.
func TestFalseClaims(t *testing.T) {
	const many = 2_000_000_000
	run := append(uvarints(many<<1), 0)
	zeros := append([]byte{1}, uvarints(3<<1)...) // indices of no bits: a run of three
	zeros[0] = 0
	dictionary := craftedDictionary(1, []byte("\x01\x00\x00\x00d"))
	deltas := uvarints(128, 4, many, 0)
	// A string of 1 MiB, then many that repeat it.
	repeats := func() []byte {
		const n, size = 3, 1 << 30
		prefix := append(uvarints(128, 4, n, 0), append(binary.AppendVarint(nil, 0), 31, 0, 0, 0)...)
		prefix = append(prefix, bytes.Repeat([]byte{0}, 31*4)...)
		binary.LittleEndian.PutUint64(prefix[len(prefix)-31*4:], size|size<<31)
		suffix := append(uvarints(128, 4, n, 2*size), append(binary.AppendVarint(nil, -size), 0, 0, 0, 0)...)
		return append(prefix, suffix...)
	}()
	tests := []struct {
		name string
		file []byte
	}{
		{"indices", crafted(3, physByteArray, repRequired, 0, 0, dictionary,
			craftedPage(3, encRLEDictionary, len(run)+1, append([]byte{1}, run...)))},
		{"indices of no bits", crafted(3, physByteArray, repRequired, 0, 0, dictionary,
			craftedPage(3, encRLEDictionary, 6, append([]byte{0}, uvarints(many<<1|1)...)))},
		{"indices of two thousand runs", crafted(3, physByteArray, repRequired, 0, 0, dictionary,
			craftedPage(3, encRLEDictionary, 4001, append([]byte{0}, bytes.Repeat(uvarints(8000<<1), 2000)...)))},
		{"definition levels", crafted(3, physInt32, repOptional, 0, 0, craftedPage(3, encPlain, len(withLength(run)), withLength(run)))},
		{"repetition levels", crafted(3, physInt32, repRepeated, 0, 0, craftedPage(3, encPlain, len(withLength(run)), withLength(run)))},
		{"definition levels of version 2", crafted(3, physInt32, repOptional, 0, 0, craftedPageV2(3, encPlain, len(run), run))},
		{"booleans", crafted(3, physBoolean, repRequired, 0, 0, craftedPage(3, encRLE, len(withLength(run)), withLength(run)))},
		{"differences of 32 bits", crafted(3, physInt32, repRequired, 0, 0, craftedPage(3, encDelta, len(deltas), deltas))},
		{"differences of 64 bits", crafted(3, physInt64, repRequired, 0, 0, craftedPage(3, encDelta, len(deltas), deltas))},
		{"differences of 33 bits for 32", crafted(3, physInt32, repRequired, 0, 0,
			craftedPage(3, encDelta, 137, append(uvarints(128, 4, 3, 0, 0, 33, 0), make([]byte, 130)...)))},
		{"lengths", crafted(3, physByteArray, repRequired, 0, 0, craftedPage(3, encDeltaLength, len(deltas), deltas))},
		{"prefixes", crafted(3, physByteArray, repRequired, 0, 0, craftedPage(3, encDeltaStrings, len(deltas), deltas))},
		{"repeated prefixes", crafted(3, physByteArray, repRequired, 0, 0, craftedPage(3, encDeltaStrings, len(repeats), repeats))},
		{"fixed length", crafted(3, physFixed, repRequired, 1<<30, 0, craftedPage(3, encByteStreamSplit, 3, []byte("abc")))},
		{"fixed length, plain", crafted(3, physFixed, repRequired, 1<<30, 0, craftedPage(3, encPlain, 3, []byte("abc")))},
		{"fixed length, dictionary", crafted(3, physFixed, repRequired, 1<<30, 0, craftedDictionary(8, []byte("abc")),
			craftedPage(3, encRLEDictionary, len(zeros), zeros))},
		{"unknown encoding", crafted(3, physFixed, repRequired, 1<<30, 0, craftedPage(3, 77, 3, []byte("abc")))},
		{"integers of another page", crafted(3, physInt32, repRequired, 0, 0, craftedPage(3, encPlain, 4, []byte("abcd")))},
		{"strings of another page", crafted(3, physByteArray, repRequired, 0, 0, craftedPage(3, encPlain, 5, []byte("\x01\x00\x00\x00a")))},
		{"rows", crafted(1<<40, physBoolean, repRequired, 0, 0, craftedPage(3, encPlain, 1, []byte{0}))},
	}
	for _, codec := range []int64{codecSnappy, codecGzip, codecBrotli, codecZstd, codecLZ4Raw} {
		tests = append(tests, struct {
			name string
			file []byte
		}{format.CompressionCodec(codec).String() + " page", crafted(3, physInt32, repRequired, 0, codec,
			craftedPage(3, encPlain, maxPageBytes, []byte("\xff\xff\xff\xff\x07 claims 2 GiB")))})
	}
	for _, test := range tests {
		var err error
		n := allocated(func() { err = readAll(test.file, io.Discard, io.Discard) })
		if err == nil {
			t.Errorf("%s: no error", test.name)
		}
		if n > 32<<20 {
			t.Errorf("%s: %d bytes of Parquet took %d MiB", test.name, len(test.file), n>>20)
		}
		if err != nil && !strings.Contains(err.Error(), `column "x"`) && test.name != "rows" {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Runs of booleans need not end with a byte.
func TestRunsOfBooleans(t *testing.T) {
	runs := withLength([]byte{1 << 1, 0, 2 << 1, 1}) // a false, two trues
	for _, page := range [][]byte{craftedPage(3, encRLE, len(runs), runs), craftedPageV2(3, encRLE, 0, runs)} {
		var out bytes.Buffer
		if err := readAll(crafted(3, physBoolean, repRequired, 0, 0, page), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if got := leafRows(t, out.Bytes())["x"]; !slices.Equal(got, []string{"0/0:01;", "0/0:01;"}) {
			t.Errorf("false, true, true became, without the first, %q", got)
		}
	}
}

// The seeds of FuzzOpen are read.
func TestSmallFiles(t *testing.T) {
	for i, b := range smallFiles() {
		if err := readAll(b, io.Discard, io.Discard); err != nil {
			t.Errorf("file %d: %v", i, err)
		}
	}
}

// Every encoding that parquet-go writes is read.
func TestEveryEncoding(t *testing.T) {
	type row struct {
		NoteID string   `parquet:"note_id,delta"`
		Text   string   `parquet:"text,delta,optional"`
		Fixed  [5]byte  `parquet:"fixed,delta"`
		I32    int32    `parquet:"i32,delta"`
		I64    int64    `parquet:"i64,delta,optional"`
		Blob   []byte   `parquet:"blob,delta,optional"`
		F32    float32  `parquet:"f32,split"`
		F64    float64  `parquet:"f64,split"`
		Dict   *string  `parquet:"dict,dict,optional"`
		Tags   []string `parquet:"tags,dict"`
		Flag   *bool    `parquet:"flag,optional"`
	}
	rows := make([]row, 3000)
	for i := range rows {
		r := &rows[i]
		r.NoteID, r.Text = "note"+strings.Repeat("x", i%7)+string(rune('a'+i%26)), strings.Repeat("word ", i%5)
		r.Fixed, r.I32, r.F32, r.F64 = [5]byte{byte(i), 1}, int32(i*i-7), float32(i)/3, float64(i)/7
		if n, s, b := int64(i)<<20, "abc"[:i%3], i%3 == 0; i%5 > 0 {
			r.I64, r.Blob, r.Dict, r.Flag = n, []byte(r.NoteID[:i%9%len(r.NoteID)]), &s, &b
			r.Tags = []string{s, s + "x", "y"}[:i%4]
		}
	}
	for _, version := range []int{1, 2} {
		var file, out, quarantine bytes.Buffer
		w := parquet.NewGenericWriter[row](&file, parquet.DataPageVersion(version), parquet.PageBufferSize(4096))
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := readAll(file.Bytes(), &out, &quarantine); err != nil {
			t.Errorf("version %d: %v", version, err)
			continue
		}
		want, got := leafRows(t, file.Bytes()), leafRows(t, out.Bytes())
		for path := range want {
			if strings.Join(want[path][1:], "\n") != strings.Join(got[path], "\n") {
				t.Errorf("version %d, %s: other values", version, path)
			}
		}
	}
}
