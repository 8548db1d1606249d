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

// The kernels of Tafvizi and Pacula 2010, equations 4 and 5.
const (
	Quadratic = "quadratic" // (gamma x·v + offset)²
	Gaussian  = "gaussian"  // exp(-gamma |x - v|²)
)

// Kernel says how a token is compared with the support vectors, which are sets of
// features: x·v is how many they share, |x - v|² how many only one of them has.
type Kernel struct {
	Name   string  `json:"name"`
	Gamma  float64 `json:"gamma"`
	Offset float64 `json:"offset,omitempty"`
	Bias   float64 `json:"bias"` // of the decision
}

// VectorsFile is the file of a kernel-svm beside tagger.DescriptionFile.
const VectorsFile = "vectors.bin"

// Vectors are the support vectors of a machine, by feature. Immutable and safe for
// concurrent use.
type Vectors struct {
	index
	starts []uint32  // of each feature's vectors, and the end of the last
	of     []uint16  // the vectors that have it
	sizes  []uint16  // features of each vector
	times  []float32 // what each vector counts
	values []float32 // of the kernel, by x·v or by |x - v|²
	kernel Kernel
}

// Has is Table.Has.
func (v *Vectors) Has(hash uint64) bool { return v.find(hash) >= 0 }

// The most vectors, and the most features of one, or of a token.
const (
	maxVectors = 1 << 16
	maxSize    = 1 << 12
)

// Shared is a feature and the support vectors that have it. Features of the training
// that none has belong to a machine, too: a distance counts them.
type Shared struct {
	Feature uint64 // features.Hash of its name
	Vectors []int
}

// The file: magic, number of features and of vectors; then hashes as in a table; the
// number of vectors of each feature, and these as differences, all in varints; and what
// each vector counts, 32 bits.
const vectorsMagic = "PLV1"

// EncodeVectors returns the file of support vectors; times is what each counts.
func EncodeVectors(of []Shared, times []float64) ([]byte, error) {
	if len(times) > maxVectors || len(of) > maxFeatures {
		return nil, fmt.Errorf("%d vectors of %d features, at most %d and %d fit", len(times), len(of), maxVectors, maxFeatures)
	}
	of = slices.Clone(of)
	slices.SortFunc(of, func(a, b Shared) int { return cmp.Compare(a.Feature, b.Feature) })
	var hashes, shared []byte
	last, n := uint64(0), 0
	for at := 0; at < len(of); n++ {
		f := of[at].Feature
		var vectors []int
		for ; at < len(of) && of[at].Feature == f; at++ { // features of one hash become one
			vectors = append(vectors, of[at].Vectors...)
		}
		slices.Sort(vectors)
		vectors = slices.Compact(vectors)
		hashes = binary.AppendUvarint(hashes, f-last)
		shared = binary.AppendUvarint(shared, uint64(len(vectors)))
		before := 0
		for _, v := range vectors {
			if v < 0 || v >= len(times) {
				return nil, fmt.Errorf("there is no vector %d", v)
			}
			shared = binary.AppendUvarint(shared, uint64(v-before))
			before = v
		}
		last = f
	}
	out := []byte(vectorsMagic)
	out = binary.LittleEndian.AppendUint32(out, uint32(n))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(times)))
	out = slices.Concat(out, hashes, shared)
	for _, x := range times {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
	}
	return out, nil
}

var errVectors = errors.New("it holds no support vectors, or is damaged")

func newVectors(data []byte, k Kernel) (*Vectors, error) {
	const header = len(vectorsMagic) + 8
	if len(data) < header || !bytes.HasPrefix(data, []byte(vectorsMagic)) {
		return nil, errVectors
	}
	n, m := int(binary.LittleEndian.Uint32(data[4:])), int(binary.LittleEndian.Uint32(data[8:]))
	if m > maxVectors || 4*m > len(data) {
		return nil, errVectors
	}
	v := &Vectors{sizes: make([]uint16, m), times: make([]float32, m), kernel: k}
	rest, ok := []byte(nil), false
	if v.index, rest, ok = readIndex(data[header:], n); !ok {
		return nil, errVectors
	}
	v.starts = make([]uint32, n+1)
	varint := func() int {
		d, used := binary.Uvarint(rest)
		if used <= 0 || d > maxVectors {
			rest, ok = nil, false
			return 0
		}
		rest = rest[used:]
		return int(d)
	}
	for f := range n {
		at := 0
		for i := range varint() {
			d := varint()
			if at += d; at >= m || d == 0 && i > 0 || v.sizes[at] == maxSize {
				return nil, errVectors
			}
			v.of = append(v.of, uint16(at))
			v.sizes[at]++
		}
		v.starts[f+1] = uint32(len(v.of))
	}
	if !ok || floats(v.times, rest) != nil {
		return nil, errVectors
	}
	return v, v.tabulate()
}

// tabulate works the kernel out for all whole numbers that it can be asked for.
func (v *Vectors) tabulate() error {
	k := v.kernel
	v.values = make([]float32, 2*maxSize+1)
	for i := range v.values {
		x := float64(i)
		switch k.Name {
		case Quadratic:
			x = k.Gamma*x + k.Offset
			x *= x
		case Gaussian:
			x = math.Exp(-k.Gamma * x)
		default:
			return fmt.Errorf("the kernel is %q, want %q or %q", k.Name, Quadratic, Gaussian)
		}
		v.values[i] = float32(x)
	}
	if !chain.Finite(v.values) {
		return fmt.Errorf("the kernel %s is no number", k.Name)
	}
	return nil
}

// value returns what the machine decides of a token, PHI above 0. hashes are its
// features, each once; dots is memory of an earlier call or nil, and is returned.
func (v *Vectors) value(hashes []uint64, dots []uint16) (float32, []uint16) {
	dots = slices.Grow(dots[:0], len(v.times))[:len(v.times)]
	clear(dots)
	known := 0
	for _, h := range hashes {
		f := v.find(h)
		if f < 0 || known == maxSize {
			continue
		}
		known++
		for _, n := range v.of[v.starts[f]:v.starts[f+1]] {
			dots[n]++
		}
	}
	sum := v.kernel.Bias
	if v.kernel.Name == Quadratic {
		for n, dot := range dots {
			sum += float64(v.times[n] * v.values[dot])
		}
	} else {
		for n, dot := range dots {
			sum += float64(v.times[n] * v.values[known+int(v.sizes[n])-2*int(dot)])
		}
	}
	return float32(sum), dots
}
