package bilstmcrf

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

func numbered(i int) (k windowKey) {
	binary.LittleEndian.PutUint64(k[:], uint64(i)*0x9e3779b97f4a7c15)
	return k
}

func TestWindowCacheIsBounded(t *testing.T) {
	const most = 1 << 20
	c := newWindowCache(most)
	for i := range 100_000 {
		c.put(numbered(i), strings.Repeat("x", packedBytes*(i%5)))
	}
	size, entries := 0, 0
	for i := range c.shards {
		for _, m := range []map[windowKey]string{c.shards[i].young, c.shards[i].old} {
			for _, spans := range m {
				size += entryBytes + len(spans)
				entries++
			}
		}
	}
	if size > most || size < most/3 {
		t.Errorf("%d entries of %d bytes, with a bound of %d", entries, size, most)
	}
}

// What is asked for again and again stays, whatever else comes.
func TestWindowCacheKeepsWhatIsUsed(t *testing.T) {
	c := newWindowCache(1 << 20)
	used := numbered(-1)
	c.put(used, "used")
	for i := range 100_000 {
		c.put(numbered(i), "")
		if i%100 == 0 {
			if spans, ok := c.get(used); !ok || spans != "used" {
				t.Fatalf("forgotten after %d others: %q, %v", i, spans, ok)
			}
		}
	}
	if _, ok := c.get(numbered(0)); ok {
		t.Error("what was never asked for again is still there")
	}
}

func TestWindowCacheOfNoSize(t *testing.T) {
	if newWindowCache(0) != nil {
		t.Error("a cache of no bytes is one")
	}
	c := newWindowCache(1)
	c.put(numbered(1), "spans")
	if spans, ok := c.get(numbered(1)); ok && spans != "spans" {
		t.Errorf("%q", spans)
	}
}

func TestWindowCacheIsSafeForConcurrentUse(t *testing.T) {
	c := newWindowCache(1 << 16)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range 20_000 {
				k := i % 3000
				if spans, ok := c.get(numbered(k)); ok && spans != fmt.Sprint(k) {
					t.Errorf("window %d has the spans %q", k, spans)
					return
				}
				c.put(numbered(k), fmt.Sprint(k))
			}
		})
	}
	wait.Wait()
}

// Whatever the network is told apart has another key; where a window's own tokens are
// among those that are read belongs to it. Blanks, which the network does not see, do
// not, and another process has other keys.
func TestWindowKeys(t *testing.T) {
	c := newWindowCache(1 << 20)
	var buffer []byte
	key := func(c *windowCache, text string, start int) windowKey {
		tokens := token.Tokenize(nil, text)
		w := &window{tokens: tokens, start: start, end: len(tokens)}
		m := &Model{}
		m.Tokenizer.MaxChars = [2]int{16, 8}
		for _, tok := range tokens {
			w.forms = append(w.forms, m.form(text, tok))
		}
		return c.key(&buffer, w)
	}
	seen := map[windowKey]string{}
	for _, text := range []string{"Dr. Smith", "Dr. smith", "Dr.Smith", "Dr. Smit h", "Dr. Smith\n", "Dr. Smith\n\n", "D r. Smith",
		"Dr. Smith 1",
		"Dr. Smith1"} {
		k := key(c, text, 0)
		if other, ok := seen[k]; ok {
			t.Errorf("%q and %q have one key", text, other)
		}
		seen[k] = text
	}
	same := key(c, "Dr. Smith", 0)
	if same != key(c, "Dr.   Smith", 0) {
		t.Error("blanks make another key")
	}
	if same == key(c, "Dr. Smith", 1) {
		t.Error("a window with a margin has the key of one without")
	}
	if same == key(newWindowCache(1<<20), "Dr. Smith", 0) {
		t.Error("two processes would have the same keys")
	}
}
