package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// The stand-in for the network: a model directory that the job loads and runs
// as it does any other, whose token graph is one small matrix and which finds
// nothing. The real network's cost is so much per token, at any scale, and half
// of the job's time and more; it would hide what grows otherwise.

// writeStandIn writes the model directory.
func writeStandIn(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	labels := []string{"O", "B-DATE", "I-DATE", "E-DATE", "S-DATE"}
	n := len(labels)
	const chars = 4 // characters the graph has a number for, with the unknown one
	width := 1 + 1 + token.NumClasses + 1
	bias := make([]float32, n)
	for i := 1; i < n; i++ {
		bias[i] = -9
	}
	files := map[string][]byte{
		bilstmcrf.CharGraphFile: model("char",
			[][]byte{
				node("Gather", []string{"embedding", "chars"}, "embedded"),
				node("ReduceMean", []string{"embedded"}, "char_vectors", ints("axes", 0), integer("keepdims", 0)),
			},
			[][]byte{tensor("embedding", []int64{chars, 1}, make([]float32, chars))},
			[][]byte{value("chars", elemInt32, "U", "T"), value("lengths", elemInt32, "T")},
			value("char_vectors", elemFloat, "T", 1)),
		bilstmcrf.TokenGraphFile: model("token",
			[][]byte{
				node("MatMul", []string{"x", "w"}, "product"),
				node("Add", []string{"product", "b"}, "emissions"),
			},
			[][]byte{tensor("w", []int64{int64(width), int64(n)}, make([]float32, width*n)), tensor("b", []int64{int64(n)}, bias)},
			[][]byte{value("x", elemFloat, "S", "B", width), value("lengths", elemInt32, "B")},
			value("emissions", elemFloat, "S", "B", n)),
		"vocabulary.txt":  []byte("<unknown>\n"),
		"embedding.f32":   floats(make([]float32, 1)),
		"characters.txt":  []byte("a\ne\ni\n"),
		"transitions.f32": floats(make([]float32, (n+2)*n)),
	}
	digests := map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		digests[name] = hex.EncodeToString(sum[:])
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	description, err := json.MarshalIndent(map[string]any{
		"format_version": 1, "name": "scale-stand-in", "version": "1", "language": "en",
		"label_scheme": "BIOES", "labels": labels, "files": digests,
		"tokenizer":  map[string]any{"window_tokens": 128, "max_chars": []int{16, 8}},
		"dimensions": map[string]int{"token": 1, "char": 1, "class": token.NumClasses, "space": 1},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, bilstmcrf.DescriptionFile), description, 0o644)
}

// What follows writes ONNX by the field numbers of onnx.proto.

const (
	elemFloat = 1
	elemInt32 = 6

	attributeInt  = 2
	attributeInts = 7
)

func model(name string, nodes, initializers, inputs [][]byte, output []byte) []byte {
	var graph []byte
	for _, n := range nodes {
		graph = message(graph, 1, n)
	}
	graph = message(graph, 2, []byte(name))
	for _, t := range initializers {
		graph = message(graph, 5, t)
	}
	for _, v := range inputs {
		graph = message(graph, 11, v)
	}
	graph = message(graph, 12, output)
	m := number(nil, 1, 10) // IR version
	m = message(m, 7, graph)
	return message(m, 8, number(nil, 2, 17)) // operator set
}

func node(op string, inputs []string, output string, attributes ...[]byte) []byte {
	var n []byte
	for _, in := range inputs {
		n = message(n, 1, []byte(in))
	}
	n = message(n, 2, []byte(output))
	n = message(n, 4, []byte(op))
	for _, a := range attributes {
		n = message(n, 5, a)
	}
	return n
}

func integer(name string, v uint64) []byte {
	return number(number(message(nil, 1, []byte(name)), 3, v), 20, attributeInt)
}

func ints(name string, values ...uint64) []byte {
	a := message(nil, 1, []byte(name))
	for _, v := range values {
		a = number(a, 8, v)
	}
	return number(a, 20, attributeInts)
}

func tensor(name string, shape []int64, values []float32) []byte {
	var t []byte
	for _, d := range shape {
		t = number(t, 1, uint64(d))
	}
	t = number(t, 2, elemFloat)
	t = message(t, 8, []byte(name))
	return message(t, 9, floats(values))
}

// value describes an input or output; a string names a dimension that varies.
func value(name string, elem uint64, shape ...any) []byte {
	var dims []byte
	for _, d := range shape {
		switch d := d.(type) {
		case string:
			dims = message(dims, 1, message(nil, 2, []byte(d)))
		case int:
			dims = message(dims, 1, number(nil, 1, uint64(d)))
		}
	}
	typ := message(number(nil, 1, elem), 2, dims)
	return message(message(nil, 1, []byte(name)), 2, message(nil, 1, typ))
}

func message(dst []byte, field protowire.Number, data []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, field, protowire.BytesType), data)
}

func number(dst []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(dst, field, protowire.VarintType), v)
}

func floats(values []float32) []byte {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return raw
}
