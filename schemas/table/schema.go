package table

import (
	"errors"
	"fmt"
	"strings"
)

// node is one element of a file's schema.
type node struct {
	name       string
	path       []string // from below the root
	parent     *node
	children   []*node
	element    int // index in the flat list of schema elements
	repetition int

	// Of leaves only.
	leaf       int // index among the leaves, -1 for groups
	phys       int
	length     int // bytes of a fixed-length value
	maxDef     int
	maxRep     int
	logical    int16 // member of the LogicalType union, 0 for none
	annotation *value
	converted  int
	scale      int // of a decimal: digits behind the point
}

// dotted returns the path as users write it.
func (n *node) dotted() string { return strings.Join(n.path, ".") }

// maxSchemaDepth is far above any real schema and keeps recursion shallow.
const maxSchemaDepth = 64

// parseSchema builds the tree of the flat schema elements and lists its leaves.
func parseSchema(elements []value) (root *node, leaves []*node, err error) {
	if len(elements) == 0 {
		return nil, nil, errors.New("the footer holds no schema")
	}
	next := 0
	var walk func(parent *node, depth int) (*node, error)
	walk = func(parent *node, depth int) (*node, error) {
		if next >= len(elements) {
			return nil, errors.New("the schema has fewer elements than it declares")
		}
		if depth > maxSchemaDepth {
			return nil, fmt.Errorf("the schema is nested deeper than %d levels", maxSchemaDepth)
		}
		e := &elements[next]
		n := &node{name: e.str(seName), parent: parent, element: next, leaf: -1, converted: convNone}
		next++
		if parent != nil {
			n.path = append(append(make([]string, 0, len(parent.path)+1), parent.path...), n.name)
			n.maxDef, n.maxRep = parent.maxDef, parent.maxRep
			n.repetition = int(e.intOr(seRepetition, int64(repRequired)))
			switch n.repetition {
			case repRequired:
			case repOptional:
				n.maxDef++
			case repRepeated:
				n.maxDef++
				n.maxRep++
			default:
				return nil, fmt.Errorf("column %q has an unknown repetition type", n.dotted())
			}
		}
		phys, isLeaf := e.int(seType)
		n.converted = int(e.intOr(seConverted, convNone))
		if l := e.get(seLogical); l != nil && len(l.fields) == 1 {
			n.logical, n.annotation = l.fields[0].id, &l.fields[0].v
		}
		n.scale = int(e.intOr(seScale, 0))
		if n.logical == logDecimal {
			n.scale = int(n.annotation.intOr(1, int64(n.scale)))
		}
		if isLeaf {
			if parent == nil {
				return nil, errors.New("the root of the schema is not a group")
			}
			n.leaf, n.phys, n.length = len(leaves), int(phys), int(e.intOr(seTypeLength, 0))
			if n.phys < physBoolean || n.phys > physFixed || n.phys == physFixed && n.length <= 0 {
				return nil, fmt.Errorf("column %q has an unknown physical type", n.dotted())
			}
			leaves = append(leaves, n)
			return n, nil
		}
		count := e.intOr(seNumChildren, 0)
		if count < 0 || count > int64(len(elements)-next) {
			return nil, errors.New("the schema has fewer elements than it declares")
		}
		for range count {
			child, err := walk(n, depth+1)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
		}
		return n, nil
	}
	if root, err = walk(nil, 0); err != nil {
		return nil, nil, err
	}
	if next != len(elements) {
		return nil, nil, errors.New("the schema has more elements than it declares")
	}
	return root, leaves, nil
}

// find returns the node that a user's name stands for: a top-level column, or
// a field of a struct written with dots. It returns nil if there is none, and
// ambiguous if there are several.
func (n *node) find(name string) (found *node, ambiguous bool) {
	for _, c := range n.children {
		if c.name == name {
			if found != nil {
				return nil, true
			}
			found = c
		}
	}
	if found != nil {
		return found, false
	}
	for _, c := range n.children {
		if rest, ok := strings.CutPrefix(name, c.name+"."); ok {
			if f, a := c.find(rest); f != nil || a {
				return f, a
			}
		}
	}
	return nil, false
}

// eachLeaf calls do for the leaves below n, or for n itself.
func (n *node) eachLeaf(do func(*node)) {
	if n.leaf >= 0 {
		do(n)
	}
	for _, c := range n.children {
		c.eachLeaf(do)
	}
}

// typeName describes the type of a node for messages, such as
// "optional INT64 (TIMESTAMP)".
func (n *node) typeName() string {
	rep := [...]string{"required", "optional", "repeated"}[n.repetition]
	if n.leaf < 0 {
		return rep + " group"
	}
	s := rep + " " + [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}[n.phys]
	switch {
	case n.isDecimal():
		return s + " (DECIMAL)"
	case n.isString() && (n.logical != 0 || n.converted != convNone):
		return s + " (string)"
	case n.dateKind() == dateDays:
		return s + " (DATE)"
	case n.dateKind() != dateNone && n.phys == physInt64:
		return s + " (TIMESTAMP)"
	case n.logical == logUnknown:
		return s + " (no type, as every value was null when it was written: write it with a type, or leave the column unnamed)"
	case n.logical != 0 || n.converted != convNone:
		if bits, signed := n.integer(); bits == 32 && signed && n.phys == physInt32 || bits == 64 && signed {
			return s
		}
		return s + " (annotated)"
	}
	return s
}

// isString tells whether a leaf holds text: bytes without annotation, or
// annotated as text.
func (n *node) isString() bool {
	if n.leaf < 0 || n.phys != physByteArray {
		return false
	}
	switch n.logical {
	case 0:
		switch n.converted {
		case convNone, convUTF8, convEnum, convJSON:
			return true
		}
		return false
	case logString, logEnum, logJSON:
		return true
	}
	return false
}

func (n *node) isDecimal() bool {
	return n.logical == logDecimal || n.logical == 0 && n.converted == convDecimal
}

// integer returns the width in bits and the sign of an integer leaf; bits is 0
// for any other type.
func (n *node) integer() (bits int, signed bool) {
	if n.leaf < 0 || n.phys != physInt32 && n.phys != physInt64 {
		return 0, false
	}
	full := 32
	if n.phys == physInt64 {
		full = 64
	}
	switch {
	case n.logical == logInteger:
		w := int(n.annotation.intOr(1, int64(full)))
		if w != 8 && w != 16 && w != 32 && w != 64 || w > full {
			return 0, false
		}
		s := n.annotation.get(2)
		return w, s == nil || s.kind == tTrue
	case n.logical != 0:
		return 0, false
	case n.converted == convNone:
		return full, true
	case n.converted >= convUint8 && n.converted <= convUint64:
		return 8 << (n.converted - convUint8), false
	case n.converted >= convInt8 && n.converted <= convInt64:
		return 8 << (n.converted - convInt8), true
	}
	return 0, false
}

// dateType says how a leaf stores a date.
type dateType int

const (
	dateNone   dateType = iota
	dateString          // text
	dateDays            // INT32, days since 1970-01-01
	dateMillis          // INT64 since 1970-01-01T00:00
	dateMicros
	dateNanos
	dateInt96 // nanoseconds of the day and a Julian day number
)

func (n *node) dateKind() dateType {
	if n.leaf < 0 {
		return dateNone
	}
	switch n.phys {
	case physByteArray:
		if n.isString() {
			return dateString
		}
	case physInt96:
		return dateInt96
	case physInt32:
		if n.logical == logDate || n.logical == 0 && n.converted == convDate {
			return dateDays
		}
	case physInt64:
		if n.logical == logTimestamp {
			if u := n.annotation.get(2); u != nil && len(u.fields) == 1 {
				switch u.fields[0].id {
				case unitMillis:
					return dateMillis
				case unitMicros:
					return dateMicros
				case unitNanos:
					return dateNanos
				}
			}
		}
		if n.logical == 0 {
			switch n.converted {
			case convTimestampMillis:
				return dateMillis
			case convTimestampMicros:
				return dateMicros
			}
		}
	}
	return dateNone
}

// isInstant tells whether a leaf holds timestamps in UTC, and not by a clock on a wall.
func (n *node) isInstant() bool {
	switch n.dateKind() {
	case dateInt96:
		return true
	case dateMillis, dateMicros, dateNanos:
		if n.logical == 0 { // an older writer, which had no other
			return true
		}
		utc := n.annotation.get(1)
		return utc != nil && utc.kind == tTrue
	}
	return false
}

// ordered tells whether the order of the type, which readers apply to
// statistics, is that of the bare physical type: only then are the statistics
// of the encoder right, which knows the physical type alone. Floating-point
// numbers are out because of NaN and -0.0.
func (n *node) ordered() bool {
	switch n.phys {
	case physBoolean:
		return true
	case physInt32, physInt64:
		if n.isDecimal() || n.dateKind() != dateNone || n.logical == logTime {
			return true
		}
		bits, signed := n.integer()
		return bits > 0 && signed
	case physByteArray:
		return n.isString()
	case physFixed:
		return n.logical == logUUID || n.logical == 0 && n.converted == convNone
	}
	return false
}
