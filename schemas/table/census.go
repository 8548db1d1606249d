package table

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
)

// censusColumns are the optional columns that hold lists, and where they go.
var censusColumns = []struct {
	name string
	to   func(*lexicon.Identifiers) *[]string
}{
	{"name", func(p *lexicon.Identifiers) *[]string { return &p.Names }},
	{"relatives", func(p *lexicon.Identifiers) *[]string { return &p.Relatives }},
	{"doctors", func(p *lexicon.Identifiers) *[]string { return &p.Doctors }},
	{"mrn", func(p *lexicon.Identifiers) *[]string { return &p.MRNs }},
	{"ssn", func(p *lexicon.Identifiers) *[]string { return &p.SSNs }},
	{"phone", func(p *lexicon.Identifiers) *[]string { return &p.Phones }},
	{"email", func(p *lexicon.Identifiers) *[]string { return &p.Emails }},
	{"address", func(p *lexicon.Identifiers) *[]string { return &p.Addresses }},
}

// ReadCensus reads a table of known identifiers, one row per patient, and
// hands each row to yield, in order. name is the path that errors use.
//
// patientID names the column of patient ids: a string or an integer, without
// nulls. The optional columns are name, given_name, family_name, birth_date,
// mrn, ssn, phone, email, address, relatives and doctors; each holds strings,
// integers or lists of these, names also several with semicolons between, birth_date also a DATE or a
// TIMESTAMP. Other columns, and those without a type as all was null when they
// were written, are ignored. An error of yield ends the reading and is returned.
func ReadCensus(r io.ReaderAt, size int64, name, patientID string, yield func(lexicon.Identifiers) error) error {
	f, err := Open(r, size, name)
	if err != nil {
		return err
	}
	c := &census{textTable: textTable{f: f, columns: map[string]*node{}}}
	if err := c.bind(patientID); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for g := range f.groups {
		err := c.readGroup(g, func(texts textsOf, row int64) error {
			p, err := readPatient(texts, row)
			if err != nil {
				return err
			}
			if p.PatientID == "" {
				return c.f.errorAt(g, c.patient, row, errors.New("the patient id is null or empty; every row of the census needs one"))
			}
			return yield(p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

type census struct {
	textTable
	patient *node
}

// textTable reads columns of strings, integers and dates as texts.
type textTable struct {
	f       *File
	columns map[string]*node
}

// textsOf returns the values of a column that are neither null nor empty; none
// of a column that is not there.
type textsOf func(column string, row int64) ([]string, error)

// patientColumn is where the patient id is read from, apart from the columns
// whose names are fixed.
const patientColumn = ""

func (c *census) bind(patientID string) error {
	n, ambiguous := c.f.root.find(patientID)
	if ambiguous {
		return fmt.Errorf("the patient id column %q is there more than once; rename one of them", patientID)
	}
	if n == nil {
		return fmt.Errorf("there is no patient id column %q; the columns are: %s", patientID, c.f.listColumns())
	}
	if !n.isPlain() || n.maxRep > 0 {
		return fmt.Errorf("the patient id column %q has type %s; needed is a string or an integer", patientID, n.typeName())
	}
	c.patient = n
	c.columns[patientColumn] = n
	names := []string{"given_name", "family_name", "birth_date"}
	for _, col := range censusColumns {
		names = append(names, col.name)
	}
	for _, name := range names {
		if name == patientID {
			continue
		}
		n, ambiguous := c.f.root.find(name)
		if ambiguous {
			return fmt.Errorf("the column %q is there more than once; rename one of them", name)
		}
		if n == nil {
			continue
		}
		var leaves []*node
		n.eachLeaf(func(l *node) { leaves = append(leaves, l) })
		if len(leaves) == 1 && leaves[0].logical == logUnknown {
			continue // all of it was null when it was written
		}
		if len(leaves) != 1 || !(leaves[0].isPlain() || name == "birth_date" && leaves[0].dateKind() != dateNone) {
			need := "a string or a list of strings"
			if name == "birth_date" {
				need = "a DATE or a string"
			}
			return fmt.Errorf("the column %q has type %s; needed is %s", name, n.typeName(), need)
		}
		c.columns[name] = leaves[0]
	}
	return nil
}

// isPlain tells whether a leaf holds strings or integers.
func (n *node) isPlain() bool {
	bits, _ := n.integer()
	return n.isString() || bits > 0
}

// readGroup calls each for the rows of one row group.
func (c *textTable) readGroup(group int, each func(texts textsOf, row int64) error) error {
	rows := c.f.infos[group].Rows
	if rows == 0 {
		return nil
	}
	cursors := map[string]*cursor{}
	defer func() {
		for _, cur := range cursors {
			cur.close()
		}
	}()
	for name, n := range c.columns {
		cur, err := newCursor(c.f, group, n)
		if err != nil {
			return err
		}
		cursors[name] = cur
	}
	var values []parquet.Value
	texts := func(column string, row int64) (out []string, err error) {
		cur := cursors[column]
		if cur == nil {
			return nil, nil
		}
		if values, err = cur.nextRow(values[:0]); err != nil {
			if err == io.EOF {
				err = c.f.errorAt(group, cur.leaf, row, io.ErrUnexpectedEOF)
			}
			return nil, err
		}
		for i := range values {
			if s := censusText(cur.leaf, &values[i]); s != "" {
				out = append(out, s)
			}
		}
		return out, nil
	}
	for row := range rows {
		if err := each(texts, row); err != nil {
			return err
		}
	}
	return nil
}

// readPatient reads one row.
func readPatient(texts textsOf, row int64) (p lexicon.Identifiers, err error) {
	id, err := texts(patientColumn, row)
	if err != nil {
		return p, err
	}
	if len(id) > 0 {
		p.PatientID = id[0]
	}
	for _, col := range censusColumns {
		if *col.to(&p), err = texts(col.name, row); err != nil {
			return p, err
		}
	}
	p.Names, p.Relatives, p.Doctors = people(p.Names), people(p.Relatives), people(p.Doctors)
	given, err := texts("given_name", row)
	if err != nil {
		return p, err
	}
	family, err := texts("family_name", row)
	if err != nil {
		return p, err
	}
	if name := join(append(given, family...)); name != "" {
		p.Names = append(p.Names, name)
	}
	birth, err := texts("birth_date", row)
	if len(birth) > 0 {
		p.BirthDate = birth[0]
	}
	return p, err
}

// people cuts "Bo Brandt; Cy Lund", as tables without lists hold several
// people, at the semicolons; together they would be one person of four names.
func people(values []string) (out []string) {
	for _, v := range values {
		for name := range strings.SplitSeq(v, ";") {
			if name = strings.TrimSpace(name); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}

func join(parts []string) string {
	s := ""
	for i, p := range parts {
		if i > 0 {
			s += " "
		}
		s += p
	}
	return s
}

// censusText returns a value as text, "" for null.
func censusText(leaf *node, v *parquet.Value) string {
	if isNull(v) {
		return ""
	}
	if leaf.phys == physByteArray {
		return string(v.ByteArray())
	}
	if kind := leaf.dateKind(); kind != dateNone {
		d := dateOf(leaf, v)
		return time.Unix(d.Day*secondsPerDay, 0).UTC().Format(time.DateOnly)
	}
	return idOf(leaf, v).Text
}
