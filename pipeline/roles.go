package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas/roles"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// columnsOf returns the columns that options name.
func columnsOf(o Options) (c table.Columns, errs []error) {
	given := map[string]table.Role{}
	var order []string
	for _, item := range o.Columns {
		path, name, ok := strings.Cut(item, "=")
		role, err := roles.Parse(strings.TrimSpace(name))
		path = strings.TrimSpace(path)
		switch _, twice := given[path]; {
		case !ok:
			errs = append(errs, fmt.Errorf("--columns: write COLUMN=ROLE, such as note_title=drop"))
		case err != nil:
			errs = append(errs, fmt.Errorf("--columns: column %q: %w", path, err))
		case twice:
			errs = append(errs, fmt.Errorf("--columns: column %q has two roles", path))
		default:
			given[path] = role
			order = append(order, path)
		}
	}
	usual := DefaultOptions()
	// A usual name makes way for one that was given for its role, be it by a preset.
	makesWay := func(role table.Role) bool {
		return o.Preset != "" || slices.Contains(slices.Collect(maps.Values(given)), role)
	}
	c = table.Columns{
		DocumentID: o.DocumentIDColumn, PatientID: o.PatientIDColumn, Text: slices.Clone(o.TextColumn), Dates: slices.Clone(o.DateColumns),
		IDs: slices.Clone(o.IDColumns), Drop: slices.Clone(o.DropColumns), Keep: slices.Clone(o.KeepColumns), NoteDate: o.NoteDateColumn,
		DateOffset: o.DateOffset, KeepMetadata: o.KeepMetadata, Line: o.LineColumn, LineSeparator: separators[o.LineSeparator],
	}
	if c.DocumentID == usual.DocumentIDColumn && makesWay(table.RoleDocumentID) {
		c.DocumentID = ""
	}
	if c.PatientID == usual.PatientIDColumn && makesWay(table.RolePatientID) {
		c.PatientID = ""
	}
	if slices.Equal(c.Text, usual.TextColumn) && o.Preset != "" {
		c.Text = nil
	}
	if c.NoteDate != "" && !slices.Contains(c.Keep, c.NoteDate) && !slices.Contains(c.Dates, c.NoteDate) {
		c.Dates = append(c.Dates, c.NoteDate)
	}
	for _, path := range order {
		roles.Give(&c, path, given[path])
	}
	switch o.OtherColumns {
	case "refuse":
		c.Others = table.OthersRefuse
	case "drop":
		c.Others = table.OthersDrop
	case "keep":
		c.Others = table.OthersKeep
	}
	if o.Preset != "" {
		if _, err := roles.Preset(o.Preset); err != nil {
			errs = append(errs, fmt.Errorf("--preset=%s: %w", o.Preset, err))
		}
	}
	return c, errs
}

// Lines returns the column with the numbers of lines, empty for none, and what is
// read between them.
func (o Options) Lines() (column, separator string) {
	c, _ := columnsOf(o)
	return c.Line, c.LineSeparator
}

// lineSeparators are the choices of what is read between lines.
var lineSeparators = []string{"none", "space", "newline"}

var separators = map[string]string{"space": " ", "newline": "\n"}

// CompleteColumns gives the columns of the first input file the roles of the
// preset, and chooses the note's date where nothing names it.
func CompleteColumns(ctx context.Context, c transforms.Config) (transforms.Config, error) {
	if len(c.Inputs) == 0 {
		return c, nil
	}
	var columns []table.Column
	asks := c.UsualText && len(c.Columns.Text) > 1 // whether the usual text column is there
	if c.Preset != "" || asks {
		var err error
		if columns, err = transforms.FirstColumns(ctx, c); err != nil {
			return c, err
		}
	}
	if usual := DefaultOptions().TextColumn[0]; asks && !hasColumn(columns, usual) {
		c.Columns.Text = slices.DeleteFunc(slices.Clone(c.Columns.Text), func(s string) bool { return s == usual })
	}
	if c.Preset != "" {
		preset, err := roles.Preset(c.Preset)
		if err != nil {
			return c, err
		}
		before := c.Columns.Keep
		c.Columns = roles.Fill(c.Columns, columns, preset)
		// What a preset keeps are vocabularies, whose words the network may take for names.
		c.Gates.Accepted = slices.Concat(c.Gates.Accepted, c.Columns.Keep[len(before):])
		if c.Columns.DocumentID == "" || len(c.Columns.Text) == 0 {
			return c,
				fault.Mark(fault.Settings, fmt.Errorf("--preset=%s: the input has not the columns of such a table: it lacks %s; its columns are %s",
					c.Preset, lacking(c.Columns, preset), topNames(columns)))
		}
	}
	c.Columns.NoteDate = noteDate(c.Columns)
	return c, nil
}

func hasColumn(columns []table.Column, top string) bool {
	return slices.ContainsFunc(columns, func(c table.Column) bool { return c.Top == top })
}

// noteDate returns the column with the note's own date: the one that is named,
// the one called note_date, or the only column of dates. Guessing among several
// could read every partial date by a birth date.
func noteDate(c table.Columns) string {
	switch {
	case c.NoteDate != "":
		return c.NoteDate
	case slices.Contains(c.Dates, "note_date"):
		return "note_date"
	case len(c.Dates) == 1 && !ofLife.MatchString(c.Dates[0]):
		return c.Dates[0]
	}
	return ""
}

// lacking names the columns of a preset's document ids and texts.
func lacking(c table.Columns, preset map[string]table.Role) string {
	var names []string
	for name, role := range preset {
		if role == table.RoleDocumentID && c.DocumentID == "" || role == table.RoleText && len(c.Text) == 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func topNames(columns []table.Column) string {
	var names []string
	for _, c := range columns {
		if !slices.Contains(names, c.Top) {
			names = append(names, c.Top)
		}
	}
	return strings.Join(names, ", ")
}

// sampleRows is how many values of a column are looked at for a suggestion.
const sampleRows = 1000

// explainRoles turns the refusal of files with columns that nobody has decided
// about into what to do: each column with its type, a role to choose and why, and
// the lines of YAML that choose it. It quotes no value.
func explainRoles(ctx context.Context, c transforms.Config, err error) error {
	var errs []error
	for _, number := range c.Numbers() {
		var all []*table.UnassignedError
		collect(errorOf(err, number), &all)
		if len(all) > 0 {
			errs = append(errs, c.InTable(number, explainTable(ctx, c, number, all)))
		}
	}
	if len(errs) == 0 {
		return err
	}
	return errors.Join(errs...)
}

// errorOf returns what is wrong with one of the tables.
func errorOf(err error, number int) error {
	switch e := err.(type) {
	case *transforms.TableError:
		if e.Number == number {
			return e.Err
		}
		return nil
	case *table.UnassignedError:
		if number == 0 {
			return e
		}
		return nil
	case interface{ Unwrap() []error }:
		var of []error
		for _, one := range e.Unwrap() {
			of = append(of, errorOf(one, number))
		}
		return errors.Join(of...)
	case interface{ Unwrap() error }:
		return errorOf(e.Unwrap(), number)
	}
	return nil
}

func explainTable(ctx context.Context, c transforms.Config, number int, all []*table.UnassignedError) error {
	var b strings.Builder
	seen := map[string]bool{}
	var columns []table.Column
	var suggested []roles.Suggestion
	for _, u := range all {
		fresh := slices.DeleteFunc(slices.Clone(u.Columns), func(c table.Column) bool { return seen[c.Path] })
		samples, err := transforms.SampleColumns(ctx, u.File, fresh, sampleRows)
		if err != nil {
			return err
		}
		for i, col := range fresh {
			seen[col.Path] = true
			columns = append(columns, col)
			suggested = append(suggested, suggest(number, col, samples[i]))
		}
	}
	fmt.Fprintf(&b, "nobody has decided what becomes of %d columns. Each needs a role; what fits them, as far as their types, names and "+
		"first %d values tell:\n",
		len(columns), sampleRows)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i, col := range columns {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", col.Path, col.Type, suggested[i].Role, suggested[i].Why)
	}
	_ = w.Flush()
	indent, option := "    ", "--other_columns="
	if name := c.TableName(number); name == "" {
		b.WriteString("Check each, and put this into the file of --config (or write --columns=COLUMN=ROLE,...):\n  columns:\n")
	} else {
		fmt.Fprintf(&b, "Check each, and put this into the file of --config:\n  tables:\n    %s:\n      columns:\n", name)
		indent, option = "        ", "other_columns: "
	}
	for i, col := range columns {
		fmt.Fprintf(&b, "%s%s: %s\n", indent, col.Path, suggested[i].Role)
	}
	fmt.Fprintf(&b, "The roles are %s. %sdrop leaves out every column without one; %skeep releases it as it is.",
		roles.Names(), option, option)
	return fault.Mark(fault.Settings, &rolesError{errors.New(b.String()), all})
}

// suggest says what role a column probably has. Texts are of the notes alone.
func suggest(number int, col table.Column, sample table.Sample) roles.Suggestion {
	s := roles.Suggest(col, sample)
	if number > 0 && s.Role == table.RoleText {
		s = roles.Suggestion{Role: table.RoleDrop, Why: s.Why + ", and texts are released as notes alone, by a run of their own"}
	}
	return s
}

// rolesError is what explainRoles says of columns without a role.
type rolesError struct {
	error
	of []*table.UnassignedError
}

// collect finds all errors of columns without a role in a tree of errors.
func collect(err error, all *[]*table.UnassignedError) {
	switch e := err.(type) {
	case *table.UnassignedError:
		*all = append(*all, e)
		return
	case *rolesError:
		*all = append(*all, e.of...)
		return
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			collect(one, all)
		}
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			collect(inner, all)
		}
	}
}

// DescribeColumns lists columns, their roles, and what happens to their values, a
// line for each.
func DescribeColumns(columns []table.Column, c transforms.Config) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, col := range columns {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", col.Path, col.Type, col.Role, transforms.Fate(col, c.Columns, c.KeepIDs))
	}
	_ = t.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}
