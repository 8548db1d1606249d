package table

import (
	"encoding/base64"
	"encoding/binary"
)

// arrowSchema returns an ARROW:schema without the pairs that are not released.
// It is an IPC message in base64: a flatbuffer, in which the schema and each of
// its fields may have pairs. They are taken out in place, as nothing else in it
// has to move then. A message that cannot be read is not released.
func (m *keyValues) arrowSchema(held string) (released string, ok bool) {
	raw, err := base64.StdEncoding.DecodeString(held)
	if err != nil {
		return "", false
	}
	defer func() {
		if recover() != nil { // an offset led out of the message
			released, ok = "", false
		}
	}()
	switch changed, ok := m.prunePairs(raw); {
	case !ok:
		return "", false
	case !changed:
		return held, true
	}
	// Where tables share bytes, wiping one may have made another of something.
	if changed, ok := m.prunePairs(raw); changed || !ok {
		return "", false
	}
	return base64.StdEncoding.EncodeToString(raw), true
}

// prunePairs takes the pairs out of a message.
func (m *keyValues) prunePairs(raw []byte) (changed, ok bool) {
	f := flat{b: raw}
	if len(raw) >= 4 && f.u32(0) == 1<<32-1 {
		f.b = raw[4:] // since Arrow 0.15
	}
	f.b = f.b[4:] // the length
	// Members by their numbers in Arrow's Message.fbs and Schema.fbs.
	const headerType, header, schema = 1, 2, 1
	message := f.follow(0)
	if kind := f.member(message, headerType); kind == 0 || f.b[kind] != schema {
		return false, false
	}
	top := f.follow(f.member(message, header))
	table := func(key, held string) (string, bool) {
		released, ok := "", false
		if key != arrowKey { // it holds itself nowhere
			released, ok = m.table(key, held)
		}
		if !ok {
			m.dropped[key] = true
		}
		return released, ok
	}
	f.pairs(f.member(message, 4), table)
	f.pairs(f.member(top, 2), table)
	f.fields(f.member(top, 1), m, 0)
	return f.changed, true
}

// flat is a flatbuffer. Its methods panic where an offset leads out of it.
type flat struct {
	b       []byte
	changed bool
	visited int
}

func (f *flat) u32(at int) int { return int(binary.LittleEndian.Uint32(f.b[at:])) }

func (f *flat) put(at, n int) { binary.LittleEndian.PutUint32(f.b[at:], uint32(n)) }

// follow returns where the offset at a place leads.
func (f *flat) follow(at int) int { return at + f.u32(at) }

// member returns where a table's member lies, or 0 where it has none.
func (f *flat) member(table, i int) int {
	members := table - int(int32(f.u32(table)))
	if size := int(binary.LittleEndian.Uint16(f.b[members:])); 4+2*i+2 > size {
		return 0
	}
	if at := int(binary.LittleEndian.Uint16(f.b[members+4+2*i:])); at > 0 {
		return table + at
	}
	return 0
}

// text returns the string that a member refers to.
func (f *flat) text(member int) []byte {
	if member == 0 {
		return nil
	}
	at := f.follow(member)
	return f.b[at+4 : at+4+f.u32(at)]
}

// set writes a string over a longer one.
func (f *flat) set(member int, s string) {
	if member == 0 {
		return
	}
	old := f.text(member)
	clear(old[copy(old, s):])
	f.put(f.follow(member), len(s))
	f.changed = true
}

// pairs keeps of the vector of pairs that a member refers to those that keep
// returns, and wipes the others.
func (f *flat) pairs(member int, keep func(key, held string) (string, bool)) {
	if member == 0 {
		return
	}
	vector := f.follow(member)
	slot := func(i int) int { return vector + 4 + 4*i }
	n, kept := f.u32(vector), 0
	for i := range n {
		pair := f.follow(slot(i))
		key, held := f.member(pair, 0), f.member(pair, 1)
		text := string(f.text(held))
		released, ok := keep(string(f.text(key)), text)
		if !ok || len(released) > len(text) {
			f.set(key, "")
			f.set(held, "")
			continue
		}
		if released != text {
			f.set(held, released)
		}
		f.put(slot(kept), pair-slot(kept))
		kept++
	}
	if kept < n {
		clear(f.b[slot(kept):slot(n)])
		f.put(vector, kept)
		f.changed = true
	}
}

// fields visits the fields of the vector that a member refers to.
func (f *flat) fields(member int, m *keyValues, depth int) {
	if member == 0 {
		return
	}
	vector := f.follow(member)
	for i := range f.u32(vector) {
		if f.visited++; depth > maxSchemaDepth || f.visited > len(f.b) {
			panic("a field that holds itself")
		}
		field := f.follow(vector + 4 + 4*i)
		f.pairs(f.member(field, 6), m.field)
		f.fields(f.member(field, 5), m, depth+1)
	}
}
