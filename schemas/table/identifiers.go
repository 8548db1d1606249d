package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/nearest"
)

// rolePatientID is the role of the column of patient ids.
const rolePatientID = "patient_id"

// noRole stands in place of a role for columns that are left out.
const noRole = "-"

// identifierRole is what a column of known identifiers may hold.
type identifierRole struct {
	name    string
	several bool // in columns, and in lists
	enter   func(p *lexicon.Identifiers, values []string)
}

// identifierRoles are all roles, in the order in which values are entered.
var identifierRoles = []identifierRole{
	{rolePatientID, false, func(p *lexicon.Identifiers, v []string) { p.PatientID = first(v) }},
	{"name", true, func(p *lexicon.Identifiers, v []string) { p.Names = append(p.Names, people(v)...) }},
	{"given_name", false, nil}, // both together are a name
	{"family_name", false, nil},
	{"birth_date", false, func(p *lexicon.Identifiers, v []string) { p.BirthDate = first(v) }},
	{"mrn", true, func(p *lexicon.Identifiers, v []string) { p.MRNs = append(p.MRNs, v...) }},
	{"ssn", true, func(p *lexicon.Identifiers, v []string) { p.SSNs = append(p.SSNs, v...) }},
	{"phone", true, func(p *lexicon.Identifiers, v []string) { p.Phones = append(p.Phones, v...) }},
	{"email", true, func(p *lexicon.Identifiers, v []string) { p.Emails = append(p.Emails, v...) }},
	{"address", true, func(p *lexicon.Identifiers, v []string) { p.Addresses = append(p.Addresses, v...) }},
	{"relatives", true, func(p *lexicon.Identifiers, v []string) { p.Relatives = append(p.Relatives, people(v)...) }},
	{"doctors", true, func(p *lexicon.Identifiers, v []string) { p.Doctors = append(p.Doctors, people(v)...) }},
}

// IdentifierRoles lists the roles that columns of known identifiers may have.
func IdentifierRoles() []string {
	names := make([]string, len(identifierRoles))
	for i, r := range identifierRoles {
		names[i] = r.name
	}
	return names
}

// IdentifierColumns says what the columns of a table of known identifiers hold,
// where their names do not: roles by column, "-" for a column that is left out.
// A role that is given to no column is that of the column of its own name.
type IdentifierColumns map[string]string

// ParseIdentifierColumns reads pairs such as name=FULL_NAME, which gives that
// column a role, and NOTES=-, which leaves the column out.
func ParseIdentifierColumns(pairs []string) (IdentifierColumns, error) {
	c := IdentifierColumns{}
	for _, pair := range pairs {
		role, column, ok := strings.Cut(pair, "=")
		role, column = strings.TrimSpace(role), strings.TrimSpace(column)
		if !ok || role == "" || column == "" {
			return nil, fmt.Errorf("%q: write ROLE=COLUMN, such as name=FULL_NAME, or COLUMN=- for a column to leave out", pair)
		}
		if column == noRole {
			role, column = noRole, role
		} else if i := slices.IndexFunc(identifierRoles, func(r identifierRole) bool { return r.name == role }); i < 0 {
			return nil, fmt.Errorf("%q: there is no role %q%s; the roles are %s", pair, role, didYouMean(role),
				strings.Join(IdentifierRoles(), ", "))
		} else if was := c.of(role); len(was) > 0 && !identifierRoles[i].several {
			return nil, fmt.Errorf("%q: the role %s has the column %q already; only one can hold it", pair, role, was[0])
		}
		if _, ok := c[column]; ok {
			return nil, fmt.Errorf("%q: the column %q stands there twice; a column can do one thing", pair, column)
		}
		c[column] = role
	}
	if len(c) == 0 {
		return nil, nil
	}
	return c, nil
}

// of returns the columns that were given a role, by name.
func (c IdentifierColumns) of(role string) (columns []string) {
	for column, r := range c {
		if r == role {
			columns = append(columns, column)
		}
	}
	slices.Sort(columns)
	return columns
}

// IdentifierReader is an open table of known identifiers, one row per patient.
type IdentifierReader struct {
	f     *File
	roles []identifierRole // of the columns that are read
	names []TextColumn
}

// OpenIdentifiers opens a table of known identifiers. name is the path that
// errors use. Patient ids are strings or integers, without nulls; birth_date may
// be a DATE or a TIMESTAMP too, which is at midnight where it is in UTC; the others hold strings, integers or lists of
// these, and people also several names with semicolons between. A column without
// a role is an error, unless it has no type as all was null when it was written.
func OpenIdentifiers(r io.ReaderAt, size int64, name string, columns IdentifierColumns) (*IdentifierReader, error) {
	f, err := Open(r, size, name)
	if err != nil {
		return nil, err
	}
	t := &IdentifierReader{f: f}
	used := map[string]bool{}
	for _, role := range identifierRoles {
		mapped := columns.of(role.name)
		required := len(mapped) > 0
		if !required && columns[role.name] == "" {
			mapped, required = []string{role.name}, role.name == rolePatientID
		}
		if len(mapped) == 0 && role.name == rolePatientID {
			return nil, fmt.Errorf("%s: no column has the role %s; the columns are: %s", name, rolePatientID, f.listColumns())
		}
		for _, column := range mapped {
			c := TextColumn{Name: column, Required: required, Lists: role.name != rolePatientID, Dates: role.name == "birth_date"}
			if role.name == rolePatientID {
				c.Role = "patient id"
			}
			used[column] = true
			t.roles, t.names = append(t.roles, role), append(t.names, c)
		}
	}
	if err := f.checkIdentifierColumns(columns, used); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// checkIdentifierColumns refuses columns that nobody has said anything of: what
// is not read is not looked for.
func (f *File) checkIdentifierColumns(columns IdentifierColumns, used map[string]bool) error {
	var found, advice []string
	for _, n := range f.root.children {
		if used[n.name] || columns[n.name] == noRole || n.untyped() || usedWithin(n, used) {
			continue
		}
		role := nearestRole(n.name)
		if role == "" {
			found, advice = append(found, fmt.Sprintf("%q", n.name)), append(advice, n.name+"="+noRole)
		} else {
			found, advice = append(found, fmt.Sprintf("%q (did you mean %s?)", n.name, role)), append(advice, role+"="+n.name)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("nothing says what these columns hold: %s. Give each a role, or leave it out by COLUMN=-, such as "+
		"--identifier_columns %s; the roles are %s",
		strings.Join(found, ", "), strings.Join(advice, ","), strings.Join(IdentifierRoles(), ", "))
}

// usedWithin tells whether a field of a struct is used.
func usedWithin(n *node, used map[string]bool) bool {
	within := false
	n.eachLeaf(func(l *node) { within = within || used[l.dotted()] })
	return within
}

// nearestRole returns the role that a column's name was probably meant for, ""
// if there is none: by its spelling, or by the longest role within it.
func nearestRole(column string) string {
	column = strings.ToLower(column)
	if slices.Contains(IdentifierRoles(), column) {
		return column
	}
	best := ""
	for _, role := range IdentifierRoles() {
		if strings.Contains(column, role) && len(role) > len(best) {
			best = role
		}
	}
	if best == "" {
		best = nearest.Name(column, IdentifierRoles())
	}
	return best
}

func didYouMean(role string) string {
	if best := nearestRole(role); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

// Each hands every row to yield, in order. An error of yield ends the reading
// and is returned.
func (t *IdentifierReader) Each(ctx context.Context, yield func(lexicon.Identifiers) error) error {
	texts, err := t.f.Texts(t.names...)
	if err != nil {
		return err
	}
	return texts.Each(ctx, func(r *TextRow) error {
		p := t.patient(r)
		if p.PatientID == "" {
			return r.Error(0, errors.New("the patient id is null or empty; every row of the table needs one"))
		}
		return yield(p)
	})
}

// EachPatient hands the patient id of every row to yield, and reads nothing else.
func (t *IdentifierReader) EachPatient(ctx context.Context, yield func(id string) error) error {
	texts, err := t.f.Texts(t.names[0])
	if err != nil {
		return err
	}
	return texts.Each(ctx, func(r *TextRow) error { return yield(first(r.Values[0])) })
}

// patient returns what a row says.
func (t *IdentifierReader) patient(r *TextRow) (p lexicon.Identifiers) {
	var given, family []string
	for i, role := range t.roles {
		values := slices.DeleteFunc(r.Values[i], func(s string) bool { return s == "" })
		switch {
		case len(values) == 0:
		case role.name == "given_name":
			given = values
		case role.name == "family_name":
			family = values
		default:
			role.enter(&p, slices.Clone(values))
		}
	}
	if name := strings.Join(slices.Concat(given, family), " "); name != "" {
		p.Names = append(p.Names, name)
	}
	return p
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
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
