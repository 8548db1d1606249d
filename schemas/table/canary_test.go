package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestCanaryOfParquetGo tells that parquet-go, as it is linked, still decodes the
// pages of a chunk of the file that bareChunk makes up: of every physical type,
// required, optional and in a list. All reading of values rests on that, and on
// nothing else of the library's that it does not promise. If an upgrade of
// parquet-go breaks it, mend bareChunk before anything else: the other tests of
// this package then fail in ways that say less.
func TestCanaryOfParquetGo(t *testing.T) {
	le := binary.LittleEndian
	for phys, c := range map[int]struct {
		plain []byte // two values
		want  string
	}{
		physBoolean:   {[]byte{0b01}, "[true false]"},
		physInt32:     {le.AppendUint32(le.AppendUint32(nil, 7), math.MaxUint32), "[7 -1]"},
		physInt64:     {le.AppendUint64(le.AppendUint64(nil, 1<<40), math.MaxUint64), "[1099511627776 -1]"},
		physInt96:     {append(le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, 5), 0), 0), make([]byte, 12)...), "[5 0]"},
		physFloat:     {le.AppendUint32(le.AppendUint32(nil, math.Float32bits(0.5)), math.Float32bits(-2)), "[0.5 -2]"},
		physDouble:    {le.AppendUint64(le.AppendUint64(nil, math.Float64bits(0.5)), math.Float64bits(-2)), "[0.5 -2]"},
		physByteArray: {append(append(le.AppendUint32(nil, 2), "ab"...), 0, 0, 0, 0), "[ab ]"},
		physFixed:     {[]byte("abcdef"), "[abc def]"},
	} {
		for name, levels := range map[string]struct {
			repetition []int  // of the column and of what is in it
			rle        []byte // of its page: repetition and definition levels of both values
		}{
			"required":            {[]int{repRequired}, nil},
			"optional":            {[]int{repOptional}, levelRun(1)},
			"repeated":            {[]int{repRepeated}, append(levelRun(0), levelRun(1)...)},
			"an optional list":    {[]int{repOptional, repRepeated, repOptional}, append(levelRun(0), levelRun(3)...)},
			"in an optional part": {[]int{repOptional, repRequired}, levelRun(1)},
		} {
			got, err := decodeMadeUp(chainOf(phys, levels.repetition), append(levels.rle, c.plain...))
			if err != nil || got != c.want {
				t.Errorf("parquet-go does not decode the chunk that bareChunk makes up, physical type %d, %s: %s, %v, want %s; see bareChunk", phys,
					name, got, err, c.want)
			}
		}
	}
}

// levelRun is one run of two equal levels, with its length in front.
func levelRun(level byte) []byte { return []byte{2, 0, 0, 0, 2 << 1, level} }

// chainOf returns a leaf of a physical type below groups.
func chainOf(phys int, repetition []int) *node {
	n := &node{leaf: -1}
	for _, r := range repetition {
		n = &node{parent: n, leaf: -1, repetition: r}
	}
	n.leaf, n.phys, n.length = 0, phys, 3
	return n
}

// decodeMadeUp decodes one page of a made-up chunk.
func decodeMadeUp(leaf *node, page []byte) (string, error) {
	chunk, err := bareChunk(leaf)
	if err != nil {
		return "", err
	}
	header := structValue(
		field{phType, i32Value(pageData)},
		field{phUncompressed, i32Value(int64(len(page)))},
		field{phCompressed, i32Value(int64(len(page)))},
		field{phDataV1, structValue(field{dpNumValues, i32Value(2)}, field{dpEncoding, i32Value(encPlain)},
			field{dpDefEncoding, i32Value(encRLE)}, field{dpRepEncoding, i32Value(encRLE)})},
	)
	pages := chunk.PagesFrom(bytes.NewReader(append(appendValue([]byte("PAR1"), &header), page...)))
	defer pages.Close()
	p, err := pages.ReadPage()
	if err != nil {
		return "", err
	}
	defer parquet.Release(p)
	values := make([]parquet.Value, 2)
	n, err := p.Values().ReadValues(values)
	if n < len(values) {
		return "", fmt.Errorf("%d values: %w", n, err)
	}
	return fmt.Sprint(values), nil
}
