package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Columns says which columns of a table mean what. A name is that of a
// top-level column or, written with dots, that of a field of a struct. What
// becomes of columns that are not named, Others says.
type Columns struct {
	// DocumentID names the column of document ids: a string or an integer of
	// 32 or 64 bits. Required, but for tables that are Textless.
	DocumentID string

	// PatientID names the column of patient ids, of the same types. Empty:
	// the table has none.
	PatientID string

	// Text names the columns of notes: strings, or bytes without annotation, also
	// inside lists and maps, whose elements are texts of their own
	// (sections.list.element.body; of a list of strings, the list's name will
	// do). At least one is required.
	Text []string

	// NoteDate names the column with each note's own date: a date, a
	// timestamp, or a string that begins with an ISO 8601 date. It is read
	// only, unless it is also among Dates. Empty: none.
	NoteDate string

	// Dates names further date columns: DATE, TIMESTAMP of any unit, INT96 or
	// strings.
	Dates []string

	// DateOffset names a column of integers of 32 or 64 bits: the days by which
	// the dates of the row's patient are to move. It is read only, and left out
	// of the output: it would undo the shift. Empty: none.
	DateOffset string

	// Line names a column of integers, where notes lie over several rows: the number
	// of the row's line in its note. The rows of one document id are one note, its
	// lines in the order of their numbers. It is read only, and released as it is.
	// Empty: each row is a note.
	Line string `json:",omitempty"`

	// LineSeparator is read between two lines.
	LineSeparator string `json:",omitempty"`

	// IDs names further id columns, of the types of DocumentID.
	IDs []string

	// Drop names columns of any type that the output shall lack. The
	// quarantine keeps them.
	Drop []string

	// Keep names columns of any type that the output shall have as they are. A
	// struct, list or map stands for all below it that has no other role, but
	// dates, which must be named one by one: a date left as it is tells by how
	// much the others moved.
	Keep []string `json:",omitempty"`

	// Others says what becomes of columns without a role.
	Others Others `json:",omitempty"`

	// Look makes rows hold the values of the columns that are kept, in Row.Kept.
	Look bool `json:",omitempty"`

	// Textless says that the table has no texts, and need not have document ids.
	Textless bool `json:",omitempty"`

	// KeepMetadata names keys of the file's key-value metadata that the output
	// shall have as they are, besides what readers need: see NewRewriter.
	KeepMetadata []string `json:",omitempty"`

	// BatchRows and BatchBytes bound a batch: rows, and bytes of text and ids.
	// A batch holds one row at least. 0: 1,024 rows and 8 MiB.
	BatchRows  int
	BatchBytes int64
}

// The bounds of a batch where Columns leaves them open.
const (
	DefaultBatchRows  = 1024
	DefaultBatchBytes = 8 << 20
)

// Binding is a file together with the columns found in it. It is safe for
// concurrent use if the file's io.ReaderAt is.
type Binding struct {
	f       *File
	cfg     Columns
	columns []bound // each leaf once
	doc     int     // indices into columns; -1 for none
	patient int
	texts   []int
	noteAt  int
	offset  int
	line    int
	dates   []int
	ids     []int
	kept    []int          // looked at; see Columns.Look
	lists   bool           // a column among columns is inside a list or map
	dropped map[*node]bool // leaves
	roles   map[*node]Role // of leaves
}

// bound is a configured leaf.
type bound struct {
	leaf *node
	text bool // of Columns.Text
	edit bool // its values may be replaced
	dict bool // worth a dictionary when encoded anew
}

// Bind finds the columns of c in the file's schema. A missing column is an
// error that lists the columns there are, one of a wrong type an error that
// says which types will do.
func (f *File) Bind(c Columns) (*Binding, error) {
	b := &Binding{f: f, cfg: c, doc: -1, patient: -1, noteAt: -1, offset: -1, line: -1,
		dropped: map[*node]bool{}, roles: map[*node]Role{}}
	if err := b.bind(c); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if b.cfg.BatchRows <= 0 {
		b.cfg.BatchRows = DefaultBatchRows
	}
	if b.cfg.BatchBytes <= 0 {
		b.cfg.BatchBytes = DefaultBatchBytes
	}
	return b, nil
}

func (b *Binding) bind(c Columns) (err error) {
	if c.DocumentID == "" && !c.Textless {
		return errors.New("no document id column is configured; name one of: " + b.f.listColumns())
	}
	if len(c.Text) == 0 && !c.Textless {
		return errors.New("no text column is configured; name one of: " + b.f.listColumns())
	}
	if c.DocumentID != "" {
		if b.doc, err = b.add(c.DocumentID, "document id", true); err != nil {
			return err
		}
	}
	if c.PatientID != "" {
		if b.patient, err = b.add(c.PatientID, "patient id", true); err != nil {
			return err
		}
		b.columns[b.patient].dict = true
	}
	lists := []struct {
		names []string
		role  string
		to    *[]int
	}{{c.Text, "text", &b.texts}, {c.Dates, "date", &b.dates}, {c.IDs, "id", &b.ids}}
	for _, l := range lists {
		for _, name := range l.names {
			i, err := b.add(name, l.role, true)
			if err != nil {
				return err
			}
			b.columns[i].text = l.role == "text"
			b.columns[i].dict = l.role != "text"
			*l.to = append(*l.to, i)
		}
	}
	if c.NoteDate != "" {
		if b.noteAt, err = b.add(c.NoteDate, "note date", false); err != nil {
			return err
		}
	}
	drop := c.Drop
	if c.DateOffset != "" {
		if b.offset, err = b.add(c.DateOffset, "date offset", false); err != nil {
			return err
		}
		drop = append(slices.Clip(drop), c.DateOffset)
	}
	if err := b.bindLine(c.Line); err != nil {
		return err
	}
	if err := b.drop(drop); err != nil {
		return err
	}
	if err := b.assign(c); err != nil {
		return err
	}
	if c.Look {
		b.look()
	}
	return b.checkCodecs()
}

// add looks a column up, checks its type and returns its index in b.columns.
func (b *Binding) add(name, role string, edit bool) (int, error) {
	n, err := b.lookup(name, role)
	if err != nil {
		return 0, err
	}
	if role == "text" {
		n = n.single()
	}
	if n.leaf < 0 || n.maxRep > 0 && (role != "text" || n.isKey()) {
		return 0, fmt.Errorf("the %s column %q is a list, map or struct (%s); a plain column is needed", role, name, n.typeName())
	}
	var need string
	var ok bool
	switch role {
	case "text":
		need, ok = "a string (BYTE_ARRAY, with or without the annotation STRING, ENUM or JSON)", n.isString()
	case "line":
		bits, _ := n.integer()
		need, ok = "an integer", bits > 0
	case "date offset":
		bits, _ := n.integer()
		need, ok = "an integer of 32 or 64 bits", bits > 0
	case "date", "note date":
		need, ok = "DATE, TIMESTAMP (millis, micros or nanos), INT96 or a string", n.dateKind() != dateNone
	default:
		bits, _ := n.integer()
		need, ok = "a string or an integer of 32 or 64 bits", n.isString() || bits > 0
	}
	if !ok {
		return 0, fmt.Errorf("the %s column %q has type %s; needed is %s", role, name, n.typeName(), need)
	}
	for i := range b.columns {
		if b.columns[i].leaf != n {
			continue
		}
		// A note's date may be shifted as well; nothing else can be two things.
		if role == "note date" && slices.Contains(b.dates, i) {
			return i, nil
		}
		return 0, fmt.Errorf("column %q is configured twice, the second time as %s column; name it once", name, role)
	}
	b.columns = append(b.columns, bound{leaf: n, edit: edit})
	b.lists = b.lists || n.maxRep > 0
	return len(b.columns) - 1, nil
}

func (b *Binding) lookup(name, role string) (*node, error) {
	n, ambiguous := b.f.root.find(name)
	if ambiguous {
		return nil, fmt.Errorf("the %s column %q is there more than once; rename one of them", role, name)
	}
	if n == nil {
		return nil, fmt.Errorf("there is no %s column %q; the columns are: %s", role, name, b.f.listColumns())
	}
	return n, nil
}

func (b *Binding) drop(names []string) error {
	for _, name := range names {
		n, err := b.lookup(name, "dropped")
		if err != nil {
			return err
		}
		if err := b.dropNode(n); err != nil {
			return err
		}
	}
	empty := ""
	var walk func(n *node) bool
	walk = func(n *node) (left bool) {
		if n.leaf >= 0 {
			return !b.dropped[n]
		}
		for _, c := range n.children {
			left = walk(c) || left
		}
		if !left && len(n.children) > 0 && n.parent != nil && !slices.ContainsFunc(names, func(s string) bool {
			return s == n.dotted() || strings.HasPrefix(n.dotted(), s+".")
		}) {
			empty = n.dotted()
		}
		return left
	}
	walk(b.f.root)
	if empty != "" {
		return fmt.Errorf("every field of column %q is to be dropped; drop the column itself", empty)
	}
	return nil
}

// dropNode drops a column, or a field of structs, and all below it.
func (b *Binding) dropNode(n *node) error {
	for p := n.parent; p != b.f.root; p = p.parent {
		if p.maxRep > 0 || p.logical != 0 || p.converted != convNone {
			return fmt.Errorf("column %q is part of a list or map; drop %q as a whole", n.dotted(), p.path[0])
		}
	}
	clash := ""
	n.eachLeaf(func(l *node) {
		for i := range b.columns {
			if b.columns[i].leaf == l && i != b.offset {
				clash = l.dotted()
			}
		}
		b.dropped[l] = true
	})
	if clash != "" {
		return fmt.Errorf("column %q is to be dropped but has another role as well; name it once", clash)
	}
	return nil
}

// checkCodecs refuses at once what quarantining a row would fail on later: it
// needs every column of the row group decoded.
func (b *Binding) checkCodecs() error {
	for g := range b.f.groups {
		for _, leaf := range b.f.leaves {
			if _, err := lookupCodec(b.f.chunk(g, leaf).get(ccMetaData).intOr(cmCodec, -1)); err != nil {
				return fmt.Errorf("row group %d, column %q: %w", g, leaf.dotted(), err)
			}
		}
	}
	return nil
}

// File returns the file that the columns were found in.
func (b *Binding) File() *File { return b.f }

// IDType says how an id column stores its ids.
type IDType struct {
	Integer bool // false: strings
	Signed  bool
	Bits    int // 8, 16, 32 or 64 bits of an integer
}

func (b *Binding) idType(i int) IDType {
	bits, signed := b.columns[i].leaf.integer()
	return IDType{Integer: bits > 0, Signed: signed, Bits: bits}
}

// DocumentIDType returns the type of the document id column.
func (b *Binding) DocumentIDType() IDType { return b.idType(b.doc) }

// PatientIDType returns the type of the patient id column; ok is false if
// there is none.
func (b *Binding) PatientIDType() (t IDType, ok bool) {
	if b.patient < 0 {
		return IDType{}, false
	}
	return b.idType(b.patient), true
}

// IDColumnType returns the type of the column Columns.IDs[i].
func (b *Binding) IDColumnType(i int) IDType { return b.idType(b.ids[i]) }

// DateIsString reports whether the column Columns.Dates[i] holds strings, which
// Row.SetDateString replaces, and not dates, which Row.ShiftDate moves.
func (b *Binding) DateIsString(i int) bool {
	return b.columns[b.dates[i]].leaf.dateKind() == dateString
}

// isNull reports whether v, or a struct around it, is null.
func isNull(v *parquet.Value) bool { return v.IsNull() }
