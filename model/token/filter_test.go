package token

import (
	"math/rand"
	"strings"
	"testing"
)

// A key depends on the letters of the word alone: not on their case, nor on
// what stands around it, nor on how near the edges of the text it is.
func TestKeyDependsOnTheWord(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20_000 {
		w := make([]byte, 1+r.Intn(maxKey))
		for i := range w {
			w[i] = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789"[r.Intn(42)]
		}
		word := string(w)
		want, ok := keyOf(word)
		if !ok {
			t.Fatalf("%q has no key", word)
		}
		before := strings.Repeat("x", r.Intn(12))
		text := before + strings.ToUpper(word) + strings.Repeat("é", r.Intn(6))
		got, ok := key(text, int32(len(before)), int32(len(before)+len(word)))
		if !ok || got != want {
			t.Fatalf("the key of %q in %q is another", word, text)
		}
	}
}

func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]string{}
	add := func(w string) {
		k, ok := keyOf(w)
		if !ok {
			t.Fatalf("%q has no key", w)
		}
		if old, ok := seen[k]; ok {
			t.Fatalf("%q and %q share a key", old, w)
		}
		seen[k] = w
	}
	for n := 1; n <= maxKey; n++ {
		add(strings.Repeat("a", n))
		if n > 1 {
			add(strings.Repeat("a", n-1) + "b")
			add("b" + strings.Repeat("a", n-1))
		}
	}
	r := rand.New(rand.NewSource(2))
	for range 200_000 {
		w := make([]byte, 6+r.Intn(10))
		for i := range w {
			w[i] = byte('c' + r.Intn(24))
		}
		k, _ := keyOf(string(w))
		if old, ok := seen[k]; ok && old != string(w) {
			t.Fatalf("%q and %q share a key", old, w)
		}
		seen[k] = string(w)
	}
}

func TestNoKey(t *testing.T) {
	for _, w := range []string{"José", "Müller", "aaaaaaaaaaaaaaaaa", "aaaaaaaaañaaaaaa"} {
		if _, ok := keyOf(w); ok {
			t.Errorf("%q has a key", w)
		}
	}
}

// A filter passes each of its words, every word without a key, and few others.
func TestFilter(t *testing.T) {
	for _, n := range []int{0, 1, 20, 5000} {
		r := rand.New(rand.NewSource(int64(n)))
		word := func() string {
			w := make([]byte, 3+r.Intn(10))
			for i := range w {
				w[i] = byte('a' + r.Intn(26))
			}
			return string(w)
		}
		in := map[string]bool{}
		var words Words
		for len(in) < n {
			w := word()
			in[w] = true
			words.Add(w)
		}
		f := words.Filter()
		for w := range in {
			if u := strings.ToUpper(w); !f.Ends(u, 0, int32(len(w))) || !f.May(u, 0, int32(len(w))) {
				t.Errorf("%d words: %q does not pass", n, w)
			}
		}
		for _, w := range []string{"ñu", "José"} {
			if !f.Ends(w, 0, int32(len(w))) || !f.May(w, 0, int32(len(w))) {
				t.Errorf("%d words: %q does not pass", n, w)
			}
		}
		passed := 0
		for range 20_000 {
			if w := word(); !in[w] && f.May(w, 0, int32(len(w))) {
				passed++
			}
		}
		if passed > 20_000/25 {
			t.Errorf("%d words: %d foreign words of 20000 pass", n, passed)
		}
	}
	var words Words
	words.Add("munoz")
	words.Add("otorhinolaryngologist")
	f := words.Filter()
	for w, want := range map[string]bool{"MUÑOZ": true, "Otorhinolaryngologist": true, "Lopez": false} {
		if n := int32(len(w)); (f.Ends(w, 0, n) && f.May(w, 0, n)) != want {
			t.Errorf("%q passes: %t", w, !want)
		}
	}
	var zero Filter
	if zero.Ends("Smith", 0, 5) || zero.May("Smith", 0, 5) {
		t.Error("the zero filter passes a word")
	}
}

func keyOf(word string) (uint64, bool) { return key(word, 0, int32(len(word))) }

// One look at each token of an ordinary text, for a small set.
func BenchmarkFilter(b *testing.B) {
	text := strings.Repeat("Past medical history is significant for hypertension, type 2 diabetes mellitus and gout.\n", 200)
	tokens := Tokenize(nil, text)
	var words Words
	for _, w := range strings.Fields("okonkwo ada hale brandt declan mulvaney noreen 5551234 00481") {
		words.Add(w)
	}
	f := words.Filter()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for _, t := range tokens {
			if f.Ends(text, t.Start, t.End) && f.May(text, t.Start, t.End) {
				b.Fatal("passed")
			}
		}
	}
}
