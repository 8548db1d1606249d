package surrogate

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func keyring(t testing.TB, seed string) *Keyring {
	t.Helper()
	k, err := NewKeyring(bytes.Repeat([]byte(seed), MinKey), 0)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestNewKeyring(t *testing.T) {
	if _, err := NewKeyring(make([]byte, MinKey-1), 0); err == nil {
		t.Error("a short key was accepted")
	}
	k, other := keyring(t, "k"), keyring(t, "j")
	if len(k.ID()) != 16 || k.ID() == other.ID() || k.ID() != keyring(t, "k").ID() {
		t.Errorf("key ids %q and %q", k.ID(), other.ID())
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
		if got := fmt.Sprintf(verb, k); got != "Keyring("+k.ID()+")" {
			t.Errorf("%s prints %d bytes, not the id", verb, len(got))
		}
	}
}

func TestBucket(t *testing.T) {
	k := keyring(t, "k")
	counts := make([]int, 16)
	for i := range 16_000 {
		counts[k.Bucket(fmt.Sprint("p", i), 16)]++
	}
	for b, n := range counts { // standard deviation about 31
		if n < 800 || n > 1200 {
			t.Errorf("bucket %d holds %d of 16,000 patients", b, n)
		}
	}
	if k.Bucket("p", 0) != 0 || k.Bucket("p", 1) != 0 {
		t.Error("one bucket or none must be bucket 0")
	}
}

func TestPseudonymString(t *testing.T) {
	k := keyring(t, "k")
	a := k.PseudonymString("patient", "p001")
	if len(a) != 26 || strings.Trim(a, "abcdefghijklmnopqrstuvwxyz234567") != "" {
		t.Errorf("pseudonym %q is not 26 lower-case base-32 characters", a)
	}
	if a != k.PseudonymString("patient", "p001") || a == k.PseudonymString("document", "p001") ||
		a == keyring(t, "j").PseudonymString("patient", "p001") {
		t.Error("a pseudonym must depend on key, domain and value, and on nothing else")
	}
	if k.PseudonymString("ab", "c") == k.PseudonymString("a", "bc") {
		t.Error("domain and value run together")
	}
}

func TestPseudonymInt(t *testing.T) {
	k := keyring(t, "k")
	for _, bits := range []int{8, 16} { // all values: each once
		seen := map[int64]bool{}
		for v := -int64(1) << (bits - 1); v < 1<<(bits-1); v++ {
			got := k.PseudonymInt("d", v, bits)
			if (got < 0) != (v < 0) || got < -1<<(bits-1) || got >= 1<<(bits-1) || seen[got] {
				t.Fatalf("%d bits: %d became %d", bits, v, got)
			}
			seen[got] = true
		}
		unsigned := map[uint64]bool{}
		for v := range uint64(1) << bits {
			got := k.PseudonymUint("d", v, bits, false)
			if got >= 1<<bits || unsigned[got] {
				t.Fatalf("%d bits, unsigned: %d became %d", bits, v, got)
			}
			unsigned[got] = true
		}
	}
	seen := map[int64]int64{}
	values := []int64{0, 1, -1, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MaxUint32, math.MaxUint32 + 1, math.MaxInt64,
		math.MinInt64}
	for v := int64(2); v < 5000; v++ {
		values = append(values, v, -v, 1_000_000+v, 3_000_000_000+v, 1<<40+v)
	}
	for _, v := range values {
		got := k.PseudonymInt("d", v, 64)
		if (got < 0) != (v < 0) || v == int64(int32(v)) && got != int64(int32(got)) || v == int64(uint32(v)) && got != int64(uint32(got)) {
			t.Fatalf("%d became %d", v, got)
		}
		if other, ok := seen[got]; ok && other != v {
			t.Fatalf("%d and %d both became %d", v, other, got)
		}
		seen[got] = v
	}
	if k.PseudonymInt("d", 7, 64) == k.PseudonymInt("e", 7, 64) {
		t.Error("domains share a bijection")
	}
}

// An id joins whatever the width of the column that holds it.
func TestPseudonymsJoinAcrossWidths(t *testing.T) {
	k := keyring(t, "k")
	for _, v := range []uint64{0, 1, 4711, math.MaxInt32, math.MaxInt32 + 1, 3_000_000_000, math.MaxUint32, 1 << 40, math.MaxInt64,
		math.MaxInt64 + 1, math.MaxUint64} {
		want := k.PseudonymUint("id", v, 64, false)
		if v <= math.MaxInt64 && uint64(k.PseudonymInt("id", int64(v), 64)) != want {
			t.Errorf("%d differs between int64 and uint64", v)
		}
		if v <= math.MaxUint32 && k.PseudonymUint("id", v, 32, false) != want {
			t.Errorf("%d differs between uint32 and uint64", v)
		}
		if v <= math.MaxInt32 && uint64(k.PseudonymInt("id", int64(v), 32)) != want {
			t.Errorf("%d differs between int32 and int64", v)
		}
	}
	if k.PseudonymInt("id", -5, 32) != k.PseudonymInt("id", -5, 64) {
		t.Error("-5 differs between int32 and int64")
	}
}

// Another epoch is as good as another key, and the key's id stays.
func TestEpochs(t *testing.T) {
	key := bytes.Repeat([]byte("k"), MinKey)
	zero, _ := NewKeyring(key, 0)
	one, err := NewKeyring(key, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewKeyring(key, -1); err == nil {
		t.Error("epoch -1 was accepted")
	}
	if zero.ID() != one.ID() || zero.Epoch() != 0 || one.Epoch() != 1 {
		t.Error("the key id must not depend on the epoch")
	}
	same := 0
	for i := range 100 {
		id := fmt.Sprint("p", i)
		if zero.PseudonymString("id", id) == one.PseudonymString("id", id) || zero.PseudonymInt("id", int64(i), 64) == one.PseudonymInt("id",
			int64(i), 64) {
			t.Fatal("a pseudonym is the same in two epochs")
		}
		if zero.DateOffset(id, DatePolicy{}) == one.DateOffset(id, DatePolicy{}) {
			same++
		}
		if replace(NewPatient(zero, id, Options{}), phi.Patient, "Hawthorne Quimby") == replace(NewPatient(one, id, Options{}), phi.Patient,
			"Hawthorne Quimby") {
			t.Error("a name is the same in two epochs")
		}
	}
	if same > 3 {
		t.Errorf("%d of 100 offsets are the same in two epochs", same)
	}
}

func TestDateOffset(t *testing.T) {
	k := keyring(t, "k")
	for _, p := range []DatePolicy{{}, {Direction: Both}, {Policy: Plain, MinDays: 1, MaxDays: 3, Direction: Both}, {MinDays: 7, MaxDays: 14},
		{Policy: Plain}, {Policy: Season}, {Policy: Season, MinDays: 28, MaxDays: 1820, Direction: Both}} {
		seen := map[int]int{}
		q := p.withDefaults()
		for i := range 4000 {
			d := k.DateOffset(fmt.Sprint("p", i), p)
			seen[d]++
			if d == 0 || max(d, -d) < q.MinDays || max(d, -d) > q.MaxDays || q.Policy != Plain && d%7 != 0 || q.Direction == Past && d > 0 {
				t.Fatalf("%+v: offset %d", p, d)
			}
			if years := math.Abs(float64(d)) / 365.2425; q.Policy == Season && math.Abs(years-math.Round(years))*365.2425 > 29 {
				t.Fatalf("offset %d is not near a whole year", d)
			}
		}
		if n := p.Offsets(); n < 50 {
			if len(seen) != n {
				t.Errorf("%+v: %d of %d offsets occur", p, len(seen), n)
			}
			for d, c := range seen { // even: 4000/n, deviation below 45
				if c < 4000/n-250 || c > 4000/n+250 {
					t.Errorf("%+v: offset %d occurs %d times", p, d, c)
				}
			}
		}
	}
	for _, p := range []DatePolicy{{Policy: Season, MinDays: 28, MaxDays: 300}, {Direction: "future"}, {Policy: "month"},
		{MinDays: -1, MaxDays: 9}, {MinDays: 1, MaxDays: 6}, {MinDays: 9, MaxDays: 7}, {MaxDays: 100}, {MinDays: 1, MaxDays: 1 << 40}} {
		if p.Check() == nil {
			t.Errorf("%+v was accepted", p)
		}
	}
}

// What two numbers share is no more than chance gives.
func TestOffsetsTellNothingOfEachOther(t *testing.T) {
	k := keyring(t, "k")
	same, close, n := 0, 0, 4000
	for i := range n {
		a, b := k.DateOffset(fmt.Sprint("p", i), DatePolicy{MinDays: 28, Direction: Both}),
			k.DateOffset(fmt.Sprint("p", i+1), DatePolicy{MinDays: 28, Direction: Both})
		if a == b {
			same++
		}
		if (a > 0) == (b > 0) {
			close++
		}
	}
	// 512 offsets: 8 of 4,000 alike by chance; signs agree for half, deviation 32.
	if same > 30 || close < n/2-160 || close > n/2+160 {
		t.Errorf("of %d neighbours %d share an offset and %d its sign", n, same, close)
	}
}

func BenchmarkPseudonymInt(b *testing.B) {
	k := keyring(b, "k")
	for b.Loop() {
		k.PseudonymInt("d", 123456, 64)
	}
}

// Policy season has choice enough without being told more.
func TestSeasonHasChoice(t *testing.T) {
	if n := (DatePolicy{Policy: Season}).Offsets(); n < 100 {
		t.Errorf("%d offsets", n)
	}
	if n := (DatePolicy{}).Offsets(); n < 200 {
		t.Errorf("policy weekday has %d offsets", n)
	}
}
