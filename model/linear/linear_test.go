package linear

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// directory makes a model directory in memory.
func directory(t *testing.T, kind string, labels []string, weights []Weight, steps []float32) func(string) ([]byte, error) {
	t.Helper()
	table, err := Encode(weights)
	if err != nil {
		t.Fatal(err)
	}
	var raw []byte
	for _, s := range steps {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(s))
	}
	files := map[string][]byte{WeightsFile: table, transitionsFile: raw}
	digests := map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		digests[name] = hex.EncodeToString(sum[:])
	}
	files[tagger.DescriptionFile], err = json.Marshal(map[string]any{"format_version": 1, "kind": kind, "name": "test", "language": "en",
		"labels": labels, "tokenizer": map[string]int{"window_tokens": 16}, "features_version": features.Version, "files": digests})
	if err != nil {
		t.Fatal(err)
	}
	return func(name string) ([]byte, error) {
		if data, ok := files[name]; ok {
			return data, nil
		}
		return nil, errors.New("no such file")
	}
}

func load(t *testing.T, read func(string) ([]byte, error)) *Model {
	t.Helper()
	d, err := tagger.ReadDirectory(read)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Load(d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func feature(name string, label int, value float64) Weight {
	return Weight{features.Hash(name), label, value}
}

func find(t *testing.T, m *Model, text string) (out []string) {
	t.Helper()
	found, err := NewTagger(m, chain.Bias{}).TagKinds([]tagger.Text{{Text: text, Tokens: token.Tokenize(nil, text)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found[0] {
		out = append(out, f.Kind+" "+text[f.Start:f.End])
	}
	return out
}

func TestTag(t *testing.T) {
	crf := []Weight{feature("@w+0=ann", 1, 3), feature("@w+0=lee", 1, 2), feature("@w+0=lee", 2, 1.5), feature("@w+0=york", 3, 2),
		feature("bias=", 0, 0.9)}
	steps := make([]float32, 6*4)
	steps[1*4+2] = 1 // I-PATIENT after B-PATIENT
	svm := []Weight{feature("@w+0=ann", 1, 3), feature("@w+0=lee", 1, 2), feature("@w+0=york", 2, 2), feature("bias=", 0, 0.5)}
	for _, c := range []struct {
		kind   string
		labels []string
		of     []Weight
		steps  []float32
	}{
		{CRF, []string{"O", "B-PATIENT", "I-PATIENT", "B-CITY"}, crf, steps},
		{SVM, []string{"O", "PATIENT", "CITY"}, svm, nil},
	} {
		m := load(t, directory(t, c.kind, c.labels, c.of, c.steps))
		got := find(t, m, "Ann Lee of York, and York York")
		want := []string{"PATIENT Ann Lee", "CITY York", "CITY York", "CITY York"}
		if c.kind == SVM { // neighbours of one type are one span
			want = []string{"PATIENT Ann Lee", "CITY York", "CITY York York"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.kind, got, want)
		}
		if !m.Holds("@w+0=ann") || m.Holds("@w+0=anne") {
			t.Errorf("%s: it holds other features than it was given", c.kind)
		}
	}
}

// The best BIO sequence by the model's own labels is what the decoder finds in BIOES.
func TestExpandedLabelsDecodeAsTheOwn(t *testing.T) {
	own := []string{"O", "B-DATE", "I-DATE", "B-AGE", "I-AGE", "B-ZIP"}
	n := len(own)
	words := []string{"ox", "ax", "if", "go", "up"}
	r := rand.New(rand.NewSource(3))
	for trial := range 200 {
		steps := make([]float32, (n+2)*n)
		for i := range n * n {
			steps[i] = float32(r.NormFloat64())
		}
		var weights []Weight
		score := map[string][]float64{}
		for _, w := range words {
			for l := range n {
				v := math.Round(r.NormFloat64()*1000) / 500
				weights = append(weights, feature("@w+0="+w, l, v))
				score[w] = append(score[w], v)
			}
		}
		m := load(t, directory(t, CRF, own, weights, steps))
		text, seq := "", []string{}
		for range 1 + r.Intn(4) {
			w := words[r.Intn(len(words))]
			text += w + " "
			seq = append(seq, w)
		}
		best, path := math.Inf(-1), []int{}
		var walk func(at []int, sum float64)
		walk = func(at []int, sum float64) {
			k := len(at)
			if k == len(seq) {
				if sum > best {
					best, path = sum, slices.Clone(at)
				}
				return
			}
			for l := range n {
				if own[l][0] == 'I' && (k == 0 || own[at[k-1]][1:] != own[l][1:]) {
					continue
				}
				s := sum + score[seq[k]][l]
				if k > 0 {
					s += float64(steps[at[k-1]*n+l])
				}
				walk(append(at, l), s)
			}
		}
		walk(nil, 0)
		var want []string
		for k, l := range path {
			switch own[l][0] {
			case 'B':
				want = append(want, own[l][2:]+" "+seq[k])
			case 'I':
				want[len(want)-1] += " " + seq[k]
			}
		}
		if got := find(t, m, text); !slices.Equal(got, want) {
			t.Fatalf("trial %d, %q: %q, want %q", trial, text, got, want)
		}
	}
}

func TestTableKeepsWeights(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	want := map[uint64][]float32{}
	var weights []Weight
	for k := range 5000 {
		h := features.Hash(fmt.Sprint("f=", k))
		want[h] = make([]float32, 7)
		for range 1 + r.Intn(3) {
			l, v := r.Intn(7), r.NormFloat64()
			want[h][l] += float32(v)
			weights = append(weights, Weight{h, l, v})
		}
	}
	data, err := Encode(weights)
	if err != nil {
		t.Fatal(err)
	}
	table, err := decode(data, 7)
	if err != nil {
		t.Fatal(err)
	}
	for h, of := range want {
		got := make([]float32, 7)
		table.add(got, h)
		for l := range of {
			if math.Abs(float64(got[l]-of[l])) > 1e-3 {
				t.Fatalf("feature %x, label %d: %g, want %g", h, l, got[l], of[l])
			}
		}
	}
	r.Shuffle(len(weights), func(i, j int) { weights[i], weights[j] = weights[j], weights[i] })
	if again, err := Encode(weights); err != nil || len(again) != len(data) {
		t.Errorf("another order gives %d bytes, not %d: %v", len(again), len(data), err)
	}
	// A damaged file is refused or read, and never more than it is long.
	for range 3000 {
		bad := slices.Clone(data[:r.Intn(len(data)+1)])
		for range r.Intn(4) {
			if len(bad) > 0 {
				bad[r.Intn(min(len(bad), 64))] = byte(r.Intn(256))
			}
		}
		if table, err := decode(bad, 7); err == nil {
			table.add(make([]float32, 7), 1)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	ok := []Weight{feature("bias=", 0, 1)}
	for name, read := range map[string]func(string) ([]byte, error){
		"another kind":          directory(t, "hmm", []string{"O", "DATE"}, ok, nil),
		"no O":                  directory(t, SVM, []string{"DATE", "AGE"}, ok, nil),
		"a label twice":         directory(t, SVM, []string{"O", "DATE", "DATE"}, ok, nil),
		"an I without B":        directory(t, CRF, []string{"O", "I-DATE"}, ok, make([]float32, 8)),
		"too few transitions":   directory(t, CRF, []string{"O", "B-DATE"}, ok, make([]float32, 3)),
		"no finite transitions": directory(t, CRF, []string{"O", "B-DATE"}, ok, []float32{float32(math.NaN()), 0, 0, 0, 0, 0, 0, 0}),
		"an unknown type":       directory(t, SVM, []string{"O", "NONSENSE"}, ok, nil),
		"weights of no label":   directory(t, SVM, []string{"O", "DATE"}, []Weight{feature("bias=", 5, 1)}, nil),
	} {
		d, err := tagger.ReadDirectory(read)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Load(d); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

// Numbers of a damaged file that are finite by themselves and not together are refused.
func TestTablesAreChecked(t *testing.T) {
	raw, err := Encode([]Weight{{5, 0, 1}, {9, 1, -1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode(raw, 2); err != nil {
		t.Fatal(err)
	}
	large := slices.Clone(raw)
	binary.LittleEndian.PutUint32(large[len(magic)+8:], math.Float32bits(math.MaxFloat32))
	if _, err := decode(large, 2); err == nil {
		t.Error("weights that are infinite were read")
	}
	hashes := binary.AppendUvarint(binary.AppendUvarint(nil, 5), math.MaxUint64) // 4, once it has wrapped
	if _, _, ok := readIndex(hashes, 2); ok {
		t.Error("a hash that is less than the one before was read")
	}
	vectors, err := EncodeVectors([]Shared{{5, []int{0}}}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newVectors(vectors, Kernel{Name: Quadratic, Gamma: 1e30}); err == nil {
		t.Error("a kernel that is infinite in 32 bits was taken")
	}
}
