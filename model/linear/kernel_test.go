package linear

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
)

// The sums by feature are those of the kernels' own formulas.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	const known, vectors = 40, 25
	of := make([]Shared, known)
	sets := make([]map[int]bool, vectors)
	times := make([]float64, vectors)
	for n := range sets {
		sets[n] = map[int]bool{}
		times[n] = r.NormFloat64()
	}
	for f := range of {
		of[f].Feature = r.Uint64() >> numberBits
		for n := range sets {
			if f > 0 && r.Intn(3) == 0 { // no vector has the first
				sets[n][f] = true
				of[f].Vectors = append(of[f].Vectors, n)
			}
		}
	}
	raw, err := EncodeVectors(of, times)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Kernel{{Quadratic, 0.2, 1, -0.5}, {Gaussian, 0.05, 0, 0.25}} {
		v, err := newVectors(raw, k)
		if err != nil {
			t.Fatal(err)
		}
		var dots []uint16
		for range 50 {
			hashes, x := []uint64{12345}, map[int]bool{} // one that training did not see
			for f := range of {
				if r.Intn(2) == 0 {
					hashes, x[f] = append(hashes, of[f].Feature), true
				}
			}
			want := k.Bias
			for n, s := range sets {
				both := 0
				for f := range s {
					if x[f] {
						both++
					}
				}
				value := math.Pow(k.Gamma*float64(both)+k.Offset, 2)
				if k.Name == Gaussian {
					value = math.Exp(-k.Gamma * float64(len(x)+len(s)-2*both))
				}
				want += times[n] * value
			}
			var got float32
			if got, dots = v.value(hashes, dots); math.Abs(float64(got)-want) > 1e-4 {
				t.Errorf("%s: %g, want %g", k.Name, got, want)
			}
		}
	}
	for end := range raw {
		if _, err := newVectors(raw[:end], Kernel{Name: Gaussian}); err == nil {
			t.Errorf("the first %d bytes of %d are taken for all", end, len(raw))
		}
	}
}

func TestTagWithKernel(t *testing.T) {
	of := []Shared{{features.Hash("@w+0=ann"), []int{0}}, {features.Hash("@w+0=lee"), []int{1}}, {features.Hash("bias="), []int{0, 1}}}
	raw, err := EncodeVectors(of, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	described := map[string]any{"format_version": 1, "kind": KernelSVM, "name": "test", "language": "en", "labels": []string{"O", "PHI"},
		"tokenizer": map[string]int{"window_tokens": 16}, "features_version": features.Version, "types": map[string]string{"PHI": "OTHER"},
		"kernel": Kernel{Quadratic, 1, 0, -4}, "files": map[string]string{VectorsFile: hex.EncodeToString(sum[:])}}
	read := func(name string) ([]byte, error) {
		if name == VectorsFile {
			return raw, nil
		}
		return json.Marshal(described)
	}
	m := load(t, read)
	// "bias" alone is in both: 1 + 1 - 4; with a word of one of them 4 + 1 - 4.
	if got, want := find(t, m, "Ann Lee saw Ann"), []string{"PHI Ann Lee", "PHI Ann"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !m.Holds("@w+0=lee") || m.Holds("@w+0=saw") {
		t.Error("it holds other features than it was given")
	}
	for name, change := range map[string]any{"labels": []string{"O", "PHI", "X"}, "kernel": Kernel{Name: "cubic"}} {
		before := described[name]
		described[name] = change
		d, err := tagger.ReadDirectory(read)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Load(d); err == nil {
			t.Errorf("%s %v is taken", name, change)
		}
		described[name] = before
	}
}
