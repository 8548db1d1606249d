package bilstmcrf

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// windowKey names what a window holds.
type windowKey [16]byte

// numShards is in how many parts a cache of windows is locked.
const numShards = 32

// windowCache remembers the spans of windows by what these hold. It keeps spans and
// not emissions: an emission has a number for each label, some 500 bytes a token,
// where spans take a few bytes a window. It holds no text, but half of a SHA-256
// that is keyed with a secret of the process, so that nobody who reads the memory
// can try texts. Safe for concurrent use.
type windowCache struct {
	secret [32]byte
	shards [numShards]generations
}

// generations are two maps, the older of which is forgotten when the younger is
// full: what was asked for since the last change of generations is never lost.
type generations struct {
	sync.Mutex
	young, old map[windowKey]string
	size, most int // bytes of young, and of each
}

// entryBytes is what an entry takes beside its spans: key and string header, in a
// map that is three quarters full.
const entryBytes = 44

// newWindowCache returns a cache of about so many bytes; nil, which remembers
// nothing, for none.
func newWindowCache(bytes int64) *windowCache {
	if bytes <= 0 {
		return nil
	}
	c := &windowCache{}
	rand.Read(c.secret[:]) // it never fails
	for i := range c.shards {
		g := &c.shards[i]
		g.young, g.old = map[windowKey]string{}, map[windowKey]string{}
		g.most = max(int(bytes/numShards/2), 1)
	}
	return c
}

// get returns the packed spans of a window.
func (c *windowCache) get(k windowKey) (spans string, ok bool) {
	g := &c.shards[k[0]%numShards]
	g.Lock()
	defer g.Unlock()
	if spans, ok = g.young[k]; ok {
		return spans, true
	}
	if spans, ok = g.old[k]; ok {
		g.put(k, spans)
	}
	return spans, ok
}

// put remembers the packed spans of a window.
func (c *windowCache) put(k windowKey, spans string) {
	g := &c.shards[k[0]%numShards]
	g.Lock()
	defer g.Unlock()
	if _, ok := g.young[k]; !ok {
		g.put(k, spans)
	}
}

func (g *generations) put(k windowKey, spans string) {
	size := entryBytes + len(spans)
	if g.size+size > g.most {
		g.young, g.old, g.size = g.old, g.young, 0
		clear(g.young) // which keeps its memory for what comes
	}
	g.young[k] = spans
	g.size += size
}

// key returns the name of what a window holds: all that the network is told of its
// tokens. buffer is reused.
func (c *windowCache) key(buffer *[]byte, w *window) (k windowKey) {
	b := append((*buffer)[:0], c.secret[:]...)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(w.start)), uint64(w.end))
	for i, t := range w.tokens {
		form := w.forms[i]
		b = binary.AppendUvarint(b, uint64(len(form)))
		space := byte(0)
		if t.Space {
			space = 1
		}
		b = append(append(b, byte(t.Class)<<1|space), form...)
	}
	*buffer = b
	sum := sha256.Sum256(b)
	copy(k[:], sum[:])
	return k
}
