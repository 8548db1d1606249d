package chain

import (
	"math"
	"math/rand"
	"testing"
)

var testLabels = []string{"O", "B-DATE", "I-DATE", "E-DATE", "S-DATE", "B-PATIENT", "I-PATIENT", "E-PATIENT", "S-PATIENT"}

// legal says which label may follow which, from the definition of BIOES.
func legal(from, to label) bool {
	open := from.prefix == 'B' || from.prefix == 'I'
	inside := to.prefix == 'I' || to.prefix == 'E'
	if open || inside {
		return open && inside && from.kind == to.kind
	}
	return true
}

// bruteForce tries every path.
func bruteForce(c *crf, n int, transitions []float32, emissions [][]float32) float64 {
	labels := len(c.labels)
	best := math.Inf(-1)
	path := make([]int, n)
	var walk func(t int, score float64)
	walk = func(t int, score float64) {
		if t == n {
			last := path[n-1]
			if p := c.labels[last].prefix; p == 'B' || p == 'I' {
				return
			}
			best = math.Max(best, score+float64(transitions[(labels+1)*labels+last]))
			return
		}
		for l := range labels {
			s := score + float64(emissions[t][l])
			if t == 0 {
				if p := c.labels[l].prefix; p == 'I' || p == 'E' {
					continue
				}
				s += float64(transitions[labels*labels+l])
			} else {
				if !legal(c.labels[path[t-1]], c.labels[l]) {
					continue
				}
				s += float64(transitions[path[t-1]*labels+l])
			}
			path[t] = l
			walk(t+1, s)
		}
	}
	walk(0, 0)
	return best
}

func TestDecodeFindsTheBestLegalPath(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	labels := len(testLabels)
	var l lattice
	for trial := range 300 {
		// Small scales let the transitions decide, large ones make pruning bite.
		scale := []float64{0.1, 1, 8}[trial%3]
		transitions := make([]float32, (labels+2)*labels)
		for i := range transitions {
			transitions[i] = float32(r.NormFloat64())
		}
		c, err := newCRF(testLabels, transitions)
		if err != nil {
			t.Fatal(err)
		}
		n := 1 + r.Intn(5)
		emissions := make([][]float32, n)
		for i := range emissions {
			emissions[i] = make([]float32, labels)
			for j := range emissions[i] {
				emissions[i][j] = float32(r.NormFloat64() * scale)
			}
		}
		path := c.decode(&l, n, 0, func(t int) []float32 { return emissions[t] })
		score := float64(transitions[labels*labels+int(path[0])])
		for i, at := range path {
			score += float64(emissions[i][at])
			if i == 0 {
				if p := c.labels[at].prefix; p == 'I' || p == 'E' {
					t.Fatalf("trial %d: path %v begins inside a span", trial, path)
				}
				continue
			}
			if !legal(c.labels[path[i-1]], c.labels[at]) {
				t.Fatalf("trial %d: path %v is not legal at %d", trial, path, i)
			}
			score += float64(transitions[int(path[i-1])*labels+int(at)])
		}
		score += float64(transitions[(labels+1)*labels+int(path[n-1])])
		if best := bruteForce(c, n, transitions, emissions); math.Abs(best-score) > 1e-4 {
			t.Fatalf("trial %d: path %v scores %f, the best scores %f", trial, path, score, best)
		}
	}
}

func TestRecallBiasTurnsToPHI(t *testing.T) {
	transitions := make([]float32, (len(testLabels)+2)*len(testLabels))
	c, err := newCRF(testLabels, transitions)
	if err != nil {
		t.Fatal(err)
	}
	e := make([]float32, len(testLabels))
	e[0], e[4] = 1, 0.5 // O by half a nat over S-DATE
	var l lattice
	for bias, want := range map[float32]int32{0: 0, 0.4: 0, 0.6: 4} {
		if got := c.decode(&l, 1, bias, func(int) []float32 { return e }); got[0] != want {
			t.Errorf("bias %g: label %s, want %s", bias, testLabels[got[0]], testLabels[want])
		}
	}
}

func TestNewCRFRefuses(t *testing.T) {
	for name, labels := range map[string][]string{
		"no O":        {"S-DATE"},
		"no BIOES":    {"O", "X-DATE"},
		"twice":       {"O", "S-DATE", "S-DATE"},
		"half a type": {"O", "B-DATE", "I-DATE"},
		"an I alone":  {"O", "I-DATE"},
	} {
		if _, err := newCRF(labels, make([]float32, (len(labels)+2)*len(labels))); err == nil {
			t.Errorf("%s: labels %v were accepted", name, labels)
		}
	}
	if _, err := newCRF(testLabels, make([]float32, 5)); err == nil {
		t.Error("too few transitions were accepted")
	}
}

func BenchmarkDecode(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	var labels []string
	labels = append(labels, "O")
	for _, typ := range []string{"PATIENT", "DOCTOR", "DATE", "AGE", "CITY", "STATE", "ZIP", "STREET", "PHONE", "HOSPITAL", "ORGANIZATION",
		"MEDICALRECORD", "IDNUM", "PROFESSION", "EMAIL", "FAX"} {
		for _, p := range []string{"B-", "I-", "E-", "S-"} {
			labels = append(labels, p+typ)
		}
	}
	n := len(labels)
	transitions := make([]float32, (n+2)*n)
	for i := range transitions {
		transitions[i] = float32(r.NormFloat64())
	}
	c, err := newCRF(labels, transitions)
	if err != nil {
		b.Fatal(err)
	}
	const steps = 128
	emissions := make([][]float32, steps)
	for i := range emissions {
		emissions[i] = make([]float32, n)
		for j := range emissions[i] {
			emissions[i][j] = float32(r.NormFloat64())
		}
		emissions[i][0] += 8 // as in trained models: almost everything is O
		if i%12 == 0 {
			emissions[i][4] += 12
		}
	}
	var l lattice
	for b.Loop() {
		c.decode(&l, steps, 0, func(t int) []float32 { return emissions[t] })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*steps), "ns/token")
}
