package surrogate

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

func keyring(t testing.TB, seed string) *Keyring {
	t.Helper()
	k, err := NewKeyring(bytes.Repeat([]byte(seed), MinKey))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestNewKeyring(t *testing.T) {
	if _, err := NewKeyring(make([]byte, MinKey-1)); err == nil {
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
	if a != k.PseudonymString("patient", "p001") || a == k.PseudonymString("document", "p001") || a == keyring(t, "j").PseudonymString("patient", "p001") {
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
	}
	for _, bits := range []int{32, 64} {
		seen := map[int64]int64{}
		values := []int64{0, 1, -1, math.MaxInt32, math.MinInt32}
		if bits == 64 {
			values = append(values, math.MaxInt64, math.MinInt64)
		}
		for v := int64(2); v < 5000; v++ {
			values = append(values, v, -v, 1_000_000+v)
		}
		for _, v := range values {
			got := k.PseudonymInt("d", v, bits)
			if (got < 0) != (v < 0) || bits == 32 && got != int64(int32(got)) {
				t.Fatalf("%d bits: %d became %d", bits, v, got)
			}
			if other, ok := seen[got]; ok && other != v {
				t.Fatalf("%d bits: %d and %d both became %d", bits, v, other, got)
			}
			seen[got] = v
		}
	}
	if k.PseudonymInt("d", 7, 64) == k.PseudonymInt("e", 7, 64) {
		t.Error("domains share a bijection")
	}
}

func TestDateOffset(t *testing.T) {
	k := keyring(t, "k")
	for _, p := range []DatePolicy{{}, {Policy: Plain, MinDays: 1, MaxDays: 3}, {MinDays: 7, MaxDays: 14}, {Policy: Plain}} {
		seen := map[int]int{}
		q := p.withDefaults()
		for i := range 4000 {
			d := k.DateOffset(fmt.Sprint("p", i), p)
			seen[d]++
			if d == 0 || max(d, -d) < q.MinDays || max(d, -d) > q.MaxDays || q.Policy == Weekday && d%7 != 0 {
				t.Fatalf("%+v: offset %d", p, d)
			}
		}
		unit, lo, hi := q.steps()
		if n := 2 * (hi - lo + 1); n < 10 {
			if len(seen) != n {
				t.Errorf("%+v: %d of %d offsets (multiples of %d) occur", p, len(seen), n, unit)
			}
			for d, c := range seen { // even: 4000/n, deviation below 45
				if c < 4000/n-250 || c > 4000/n+250 {
					t.Errorf("%+v: offset %d occurs %d times", p, d, c)
				}
			}
		}
	}
	for _, p := range []DatePolicy{{Policy: "season"}, {Policy: "month"}, {MinDays: -1, MaxDays: 9}, {MinDays: 1, MaxDays: 6}, {MinDays: 9, MaxDays: 7}, {MaxDays: 100}, {MinDays: 1, MaxDays: 1 << 40}} {
		if p.Check() == nil {
			t.Errorf("%+v was accepted", p)
		}
	}
}

func BenchmarkPseudonymInt(b *testing.B) {
	k := keyring(b, "k")
	for b.Loop() {
		k.PseudonymInt("d", 123456, 64)
	}
}
