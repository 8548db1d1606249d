package linear

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/chain"
)

// Table holds the weights of features by their hashes. Immutable and safe for
// concurrent use.
type Table struct {
	index
	starts  []uint32 // of each feature's weights, and the end of the last
	labels  []uint8
	weights []float32
}

// Weight is what a feature adds to the score of a label.
type Weight struct {
	Feature uint64 // features.Hash of its name
	Label   int
	Value   float64
}

// The file of a table: magic, number of features and of weights, the value of one
// unit of a weight; then hashes, ascending, as differences in varints; the number of
// weights of each feature, a byte; labels, a byte; and weights, 16 bits. All numbers
// are little-endian.
const magic = "PLW1"

const maxLabels = 1 << 8

// Encode returns the file of a table. Features of one hash, which are hardly ever
// met, become one.
func Encode(weights []Weight) ([]byte, error) {
	weights = slices.Clone(weights)
	slices.SortFunc(weights, func(a, b Weight) int { return cmp.Or(cmp.Compare(a.Feature, b.Feature), a.Label-b.Label) })
	var kept []Weight
	for _, w := range weights {
		if w.Label < 0 || w.Label >= maxLabels || math.IsNaN(w.Value) || math.IsInf(w.Value, 0) {
			return nil, fmt.Errorf("a weight of label %d is %g", w.Label, w.Value)
		}
		if n := len(kept); n > 0 && kept[n-1].Feature == w.Feature && kept[n-1].Label == w.Label {
			kept[n-1].Value += w.Value
			continue
		}
		kept = append(kept, w)
	}
	most := 0.0
	for _, w := range kept {
		most = max(most, math.Abs(w.Value))
	}
	unit := float32(max(most, 1e-9) / math.MaxInt16)
	// What rounds to nothing is left out, and so are features without a weight.
	kept = slices.DeleteFunc(kept, func(w Weight) bool { return math.Round(w.Value/float64(unit)) == 0 })
	var hashes, counts, labels, values []byte
	n, last := 0, uint64(0)
	for at := 0; at < len(kept); n++ {
		end := at
		for end < len(kept) && kept[end].Feature == kept[at].Feature {
			labels = append(labels, byte(kept[end].Label))
			units := math.Round(kept[end].Value / float64(unit))
			values = binary.LittleEndian.AppendUint16(values, uint16(int16(max(-math.MaxInt16, min(math.MaxInt16, units)))))
			end++
		}
		hashes = binary.AppendUvarint(hashes, kept[at].Feature-last)
		counts = append(counts, byte(end-at-1))
		last, at = kept[at].Feature, end
	}
	if n > maxFeatures {
		return nil, fmt.Errorf("%d features, at most %d fit", n, maxFeatures)
	}
	out := []byte(magic)
	out = binary.LittleEndian.AppendUint32(out, uint32(n))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(kept)))
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(unit))
	return slices.Concat(out, hashes, counts, labels, values), nil
}

var errTable = errors.New("it is no table of weights, or a damaged one")

// decode reads the file of a table for so many labels.
func decode(data []byte, labels int) (*Table, error) {
	const header = len(magic) + 12
	if len(data) < header || !bytes.HasPrefix(data, []byte(magic)) {
		return nil, errTable
	}
	number := func(at int) uint32 { return binary.LittleEndian.Uint32(data[len(magic)+4*at:]) }
	n, m, unit := int(number(0)), int(number(1)), math.Float32frombits(number(2))
	// A feature takes two bytes at least, a weight three: claims cannot exceed the file.
	if rest := len(data) - header; n > maxFeatures || 2*n > rest || 3*m > rest {
		return nil, errTable
	}
	t := &Table{starts: make([]uint32, n+1), labels: make([]uint8, m), weights: make([]float32, m)}
	var rest []byte
	var ok bool
	if t.index, rest, ok = readIndex(data[header:], n); !ok || len(rest) != n+3*m {
		return nil, errTable
	}
	for k, c := range rest[:n] {
		t.starts[k+1] = t.starts[k] + uint32(c) + 1
	}
	if int(t.starts[n]) != m {
		return nil, errTable
	}
	copy(t.labels, rest[n:n+m])
	for k := range m {
		if int(t.labels[k]) >= labels {
			return nil, errTable
		}
		t.weights[k] = float32(int16(binary.LittleEndian.Uint16(rest[n+m+2*k:]))) * unit
	}
	if !chain.Finite(t.weights) {
		return nil, errTable
	}
	return t, nil
}

// add adds a feature's weights to the scores of the labels.
func (t *Table) add(scores []float32, hash uint64) {
	if k := t.find(hash); k >= 0 {
		from, to := t.starts[k], t.starts[k+1]
		weights := t.weights[from:to]
		for i, l := range t.labels[from:to] {
			scores[l] += weights[i]
		}
	}
}

// Has reports whether the table holds a weight of a feature.
func (t *Table) Has(hash uint64) bool { return t.find(hash) >= 0 }
