package table

import (
	"fmt"
	"slices"
	"strings"
)

// Role says what becomes of a column.
type Role string

// The roles of a column.
const (
	RoleText       Role = "text"        // de-identified
	RoleDocumentID Role = "document_id" // one per row; pseudonymised
	RolePatientID  Role = "patient_id"  // pseudonymised
	RoleNoteDate   Role = "note_date"   // the note's own date; shifted if it is among Columns.Dates, else kept
	RoleDate       Role = "date"        // shifted
	RoleLine       Role = "line"        // the row's number among those of its note; released as it is
	RoleOffset     Role = "offset"      // days by which the patient's dates move; left out
	RoleID         Role = "id"          // pseudonymised
	RoleKeep       Role = "keep"        // released as it is
	RoleDrop       Role = "drop"        // left out
)

// Others says what becomes of columns without a role.
type Others string

// The values of Others.
const (
	OthersAsIs   Others = ""       // released as they are, dates too
	OthersKeep   Others = "keep"   // released as they are, but dates are refused
	OthersDrop   Others = "drop"   // left out
	OthersRefuse Others = "refuse" // Bind fails with an UnassignedError
)

// Column is a leaf of a table's schema and its role.
type Column struct {
	Path string // names from the root down, with dots between
	Top  string // the first of them
	Type string // such as "optional INT64 (TIMESTAMP)"
	Role Role   // empty for none
	Date bool   // a date or timestamp, not a string that may hold one
	List bool   // inside a list or map
	Text bool   // a string
	Int  bool   // an integer

	Number bool // a decimal or floating-point number
}

// UnassignedError says that columns have no role.
type UnassignedError struct {
	File    string
	Columns []Column
}

func (e *UnassignedError) Error() string {
	names := make([]string, len(e.Columns))
	for i, c := range e.Columns {
		names[i] = fmt.Sprintf("%q (%s)", c.Path, c.Type)
	}
	return fmt.Sprintf("nobody has decided what becomes of %s; give each column a role", strings.Join(names, ", "))
}

// Columns lists the leaves of the file's schema.
func (f *File) Columns() []Column {
	all := make([]Column, len(f.leaves))
	for i, leaf := range f.leaves {
		all[i] = describe(leaf)
	}
	return all
}

// Columns lists the leaves of the file's schema and their roles.
func (b *Binding) Columns() []Column {
	all := b.f.Columns()
	for i, leaf := range b.f.leaves {
		all[i].Role = b.roles[leaf]
	}
	return all
}

func describe(leaf *node) Column {
	bits, _ := leaf.integer()
	return Column{
		Path: leaf.dotted(), Top: leaf.path[0], Type: leaf.typeName(), List: leaf.maxRep > 0,
		Date: leaf.isDate(), Text: leaf.isString(), Int: bits > 0, Number: leaf.isNumber(),
	}
}

// isDate tells whether a leaf holds dates and cannot hold anything else.
func (n *node) isDate() bool { return n.dateKind() > dateString }

// single returns the one leaf below n, such as the element of a list of
// strings, or n if there are several.
func (n *node) single() *node {
	for n.leaf < 0 && len(n.children) == 1 {
		n = n.children[0]
	}
	return n
}

// isKey tells whether a leaf is part of the keys of a map, which must stay
// different from each other.
func (n *node) isKey() bool {
	for p := n; p.parent != nil && p.parent.parent != nil; p = p.parent {
		m := p.parent.parent
		if (m.logical == logMap || m.converted == convMap) && p.parent.children[0] == p {
			return true
		}
	}
	return false
}

// assign gives each leaf its role.
func (b *Binding) assign(c Columns) error {
	for i, col := range b.columns {
		b.roles[col.leaf] = b.roleOf(i)
	}
	for leaf := range b.dropped {
		if b.roles[leaf] == "" {
			b.roles[leaf] = RoleDrop
		}
	}
	for _, name := range c.Keep {
		n, err := b.lookup(name, "kept")
		if err != nil {
			return err
		}
		if n.leaf >= 0 && b.roles[n] != "" && b.roles[n] != RoleKeep {
			return fmt.Errorf("column %q is to be kept but has another role as well; name it once", name)
		}
		n.eachLeaf(func(l *node) {
			if b.roles[l] == "" && (l == n || !l.isDate()) {
				b.roles[l] = RoleKeep
			}
		})
	}
	return b.others(c.Others)
}

func (b *Binding) roleOf(i int) Role {
	switch {
	case i == b.doc:
		return RoleDocumentID
	case i == b.patient:
		return RolePatientID
	case i == b.offset:
		return RoleOffset
	case i == b.line:
		return RoleLine
	case i == b.noteAt:
		return RoleNoteDate
	case slices.Contains(b.texts, i):
		return RoleText
	case slices.Contains(b.dates, i):
		return RoleDate
	}
	return RoleID
}

// others does with the leaves that have no role what the configuration says.
func (b *Binding) others(o Others) error {
	if o == OthersDrop {
		return b.dropOthers(b.f.root)
	}
	refused := &UnassignedError{File: b.f.name}
	for _, leaf := range b.f.leaves {
		switch {
		case b.roles[leaf] != "":
		case o == OthersAsIs, o == OthersKeep && !leaf.isDate():
			b.roles[leaf] = RoleKeep
		default:
			refused.Columns = append(refused.Columns, describe(leaf))
		}
	}
	if len(refused.Columns) > 0 {
		return refused
	}
	return nil
}

// dropOthers drops, below n, the largest parts of which no leaf has a role.
func (b *Binding) dropOthers(n *node) error {
	for _, c := range n.children {
		some, none := false, false
		c.eachLeaf(func(l *node) {
			some = some || b.roles[l] != ""
			none = none || b.roles[l] == ""
		})
		switch {
		case !none:
		case some:
			if err := b.dropOthers(c); err != nil {
				return err
			}
		default:
			if err := b.dropNode(c); err != nil {
				return fmt.Errorf("%w, or give it the role %s", err, RoleKeep)
			}
			c.eachLeaf(func(l *node) { b.roles[l] = RoleDrop })
		}
	}
	return nil
}

// look binds the strings and numbers that are kept, so that rows hold them.
func (b *Binding) look() {
	for _, leaf := range b.f.leaves {
		if bits, _ := leaf.integer(); b.roles[leaf] == RoleKeep && (leaf.isString() || bits > 0 || leaf.isNumber()) {
			b.kept = append(b.kept, len(b.columns))
			b.columns = append(b.columns, bound{leaf: leaf, dict: true})
			b.lists = b.lists || leaf.maxRep > 0
		}
	}
}
