package table

import (
	"encoding/binary"
	"errors"
)

// The metadata of a Parquet file is Thrift in the compact protocol. It is kept
// here as a tree of untyped values rather than decoded into structs, so that
// fields which no library knows yet survive a rewrite.

// Types of the compact protocol. In a field header a boolean is one of the two
// first types; in a list it is a byte that holds one of them.
const (
	tTrue   = 1
	tFalse  = 2
	tByte   = 3
	tI16    = 4
	tI32    = 5
	tI64    = 6
	tDouble = 7
	tBinary = 8
	tList   = 9
	tSet    = 10
	tStruct = 12
)

// maxThriftDepth bounds recursion; Parquet's own structs nest less than ten deep.
const maxThriftDepth = 32

var errThrift = errors.New("the Thrift metadata is malformed")

// value is one Thrift value. Which member holds it depends on kind.
type value struct {
	kind   byte
	elem   byte    // kind of the elements of a list
	n      int64   // integers
	b      []byte  // binary; the eight bytes of a double
	list   []value // list, set
	fields []field // struct, in the order of the encoding
}

type field struct {
	id int16
	v  value
}

func i32Value(n int64) value       { return value{kind: tI32, n: n} }
func i64Value(n int64) value       { return value{kind: tI64, n: n} }
func i16Value(n int64) value       { return value{kind: tI16, n: n} }
func stringValue(s string) value   { return value{kind: tBinary, b: []byte(s)} }
func structValue(f ...field) value { return value{kind: tStruct, fields: f} }
func listValue(elem byte, list []value) value {
	return value{kind: tList, elem: elem, list: list}
}

// get returns the field of that id, or nil.
func (v *value) get(id int16) *value {
	for i := range v.fields {
		if v.fields[i].id == id {
			return &v.fields[i].v
		}
	}
	return nil
}

// int returns the integer field of that id; ok is false if there is none.
func (v *value) int(id int16) (n int64, ok bool) {
	f := v.get(id)
	if f == nil || f.kind < tByte || f.kind > tI64 {
		return 0, false
	}
	return f.n, true
}

// intOr returns the integer field of that id, or def.
func (v *value) intOr(id int16, def int64) int64 {
	if n, ok := v.int(id); ok {
		return n
	}
	return def
}

// str returns the binary field of that id as a string, or "".
func (v *value) str(id int16) string {
	if f := v.get(id); f != nil && f.kind == tBinary {
		return string(f.b)
	}
	return ""
}

// items returns the elements of the list field of that id.
func (v *value) items(id int16) []value {
	if f := v.get(id); f != nil && f.kind == tList {
		return f.list
	}
	return nil
}

// with returns a copy of the struct v in which the field of that id is x, at
// its place in the order of ids. The other fields are shared with v.
func (v value) with(id int16, x value) value {
	out := make([]field, 0, len(v.fields)+1)
	placed := false
	for _, f := range v.fields {
		if !placed && f.id >= id {
			out = append(out, field{id, x})
			placed = true
		}
		if f.id != id {
			out = append(out, f)
		}
	}
	if !placed {
		out = append(out, field{id, x})
	}
	v.fields = out
	return v
}

// without returns a copy of the struct v that lacks the fields of those ids.
func (v value) without(ids ...int16) value {
	out := make([]field, 0, len(v.fields))
next:
	for _, f := range v.fields {
		for _, id := range ids {
			if f.id == id {
				continue next
			}
		}
		out = append(out, f)
	}
	v.fields = out
	return v
}

// parseStruct reads one struct from the start of b and returns its length in
// bytes. errShort means that b may be the beginning of a longer struct.
func parseStruct(b []byte) (value, int, error) {
	p := thriftParser{b: b}
	v, err := p.structure(0)
	return v, p.i, err
}

// errShort tells that the input ended inside a value.
var errShort = errors.New("the Thrift metadata ends too early")

type thriftParser struct {
	b []byte
	i int
}

func (p *thriftParser) byte() (byte, error) {
	if p.i >= len(p.b) {
		return 0, errShort
	}
	c := p.b[p.i]
	p.i++
	return c, nil
}

func (p *thriftParser) uvarint() (uint64, error) {
	u, n := binary.Uvarint(p.b[p.i:])
	switch {
	case n == 0:
		return 0, errShort
	case n < 0:
		return 0, errThrift
	}
	p.i += n
	return u, nil
}

func (p *thriftParser) zigzag() (int64, error) {
	u, err := p.uvarint()
	return int64(u>>1) ^ -int64(u&1), err
}

func (p *thriftParser) bytes(n uint64) ([]byte, error) {
	if n > uint64(len(p.b)-p.i) {
		return nil, errShort
	}
	b := p.b[p.i : p.i+int(n)]
	p.i += int(n)
	return b, nil
}

func (p *thriftParser) structure(depth int) (value, error) {
	v := value{kind: tStruct}
	if depth > maxThriftDepth {
		return v, errThrift
	}
	id := int64(0)
	for {
		h, err := p.byte()
		if err != nil {
			return v, err
		}
		if h == 0 {
			return v, nil
		}
		if delta := h >> 4; delta != 0 {
			id += int64(delta)
		} else if id, err = p.zigzag(); err != nil {
			return v, err
		}
		if id < 0 || id > 1<<15-1 {
			return v, errThrift
		}
		x, err := p.value(h&15, depth+1)
		if err != nil {
			return v, err
		}
		v.fields = append(v.fields, field{int16(id), x})
	}
}

func (p *thriftParser) value(kind byte, depth int) (v value, err error) {
	v.kind = kind
	switch kind {
	case tTrue, tFalse:
	case tByte:
		var c byte
		c, err = p.byte()
		v.n = int64(int8(c))
	case tI16, tI32, tI64:
		v.n, err = p.zigzag()
	case tDouble:
		v.b, err = p.bytes(8)
	case tBinary:
		var n uint64
		if n, err = p.uvarint(); err == nil {
			v.b, err = p.bytes(n)
		}
	case tList, tSet:
		return p.list(kind, depth)
	case tStruct:
		return p.structure(depth)
	default:
		err = errThrift
	}
	return v, err
}

func (p *thriftParser) list(kind byte, depth int) (v value, err error) {
	v.kind = kind
	if depth > maxThriftDepth {
		return v, errThrift
	}
	h, err := p.byte()
	if err != nil {
		return v, err
	}
	v.elem = h & 15
	n := uint64(h >> 4)
	if n == 15 {
		if n, err = p.uvarint(); err != nil {
			return v, err
		}
	}
	// Each element takes a byte at least, so a false count cannot claim much.
	if n > uint64(len(p.b)-p.i) {
		return v, errShort
	}
	for range n {
		var x value
		if v.elem == tTrue || v.elem == tFalse {
			x.kind, err = p.byte()
		} else {
			x, err = p.value(v.elem, depth+1)
		}
		if err != nil {
			return v, err
		}
		v.list = append(v.list, x)
	}
	return v, nil
}

// appendValue appends the encoding of v to dst.
func appendValue(dst []byte, v *value) []byte {
	switch v.kind {
	case tTrue, tFalse:
	case tByte:
		dst = append(dst, byte(v.n))
	case tI16, tI32, tI64:
		dst = appendZigzag(dst, v.n)
	case tDouble:
		dst = append(dst, v.b...)
	case tBinary:
		dst = binary.AppendUvarint(dst, uint64(len(v.b)))
		dst = append(dst, v.b...)
	case tList, tSet:
		if n := len(v.list); n < 15 {
			dst = append(dst, byte(n)<<4|v.elem)
		} else {
			dst = append(dst, 0xf0|v.elem)
			dst = binary.AppendUvarint(dst, uint64(n))
		}
		for i := range v.list {
			if v.elem == tTrue || v.elem == tFalse {
				dst = append(dst, v.list[i].kind)
			} else {
				dst = appendValue(dst, &v.list[i])
			}
		}
	case tStruct:
		last := int16(0)
		for i := range v.fields {
			f := &v.fields[i]
			if delta := int(f.id) - int(last); delta > 0 && delta <= 15 {
				dst = append(dst, byte(delta)<<4|f.v.kind)
			} else {
				dst = append(dst, f.v.kind)
				dst = appendZigzag(dst, int64(f.id))
			}
			dst = appendValue(dst, &f.v)
			last = f.id
		}
		dst = append(dst, 0)
	}
	return dst
}

func appendZigzag(dst []byte, n int64) []byte {
	return binary.AppendUvarint(dst, uint64(n<<1)^uint64(n>>63))
}
