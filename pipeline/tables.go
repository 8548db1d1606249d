package pipeline

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/roles"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// TableOptions are the settings of a table without texts, as a user gives them below
// tables in the configuration file: they have the names and meanings that they have
// for the notes.
type TableOptions struct {
	Name string // of the table, and of its folder below the output

	Input         []string `flag:"input"`
	Preset        string   `flag:"preset"`
	Columns       []string `flag:"columns"`
	OtherColumns  string   `flag:"other_columns"`
	AcceptColumns []string `flag:"accept_columns"`
	KeepMetadata  []string `flag:"keep_metadata"`
	Release       bool     `flag:"release"` // false for a table of another release, which is only read for days
}

// parseTables reads the mapping of tables.
func parseTables(n *yaml.Node) (all []TableOptions, err error) {
	const form = "write the name of each table and below it its settings, such as\n  tables:\n    person:\n      input: person.parquet\n" +
		"      preset: omop-person"
	if n.Kind != yaml.MappingNode {
		return nil, errors.New(form)
	}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		t := TableOptions{Name: key.Value, OtherColumns: DefaultOptions().OtherColumns, Release: true}
		if slices.ContainsFunc(all, func(o TableOptions) bool { return strings.EqualFold(o.Name, t.Name) }) {
			return nil, fmt.Errorf("line %d: the table %s is there twice; several files are one input: input: [a.parquet, b.parquet]", key.Line,
				t.Name)
		}
		if value.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("line %d: table %s: %s", key.Line, t.Name, form)
		}
		if _, err := setAll(fieldsOf(reflect.ValueOf(&t).Elem()), value, nil); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// tablesOf returns what options say of the tables without texts.
func tablesOf(o Options) (where []transforms.TableFiles, what []transforms.Table, errs []error) {
	released := func(t TableOptions) bool { return t.Release }
	if len(o.Tables) > 0 && len(o.Input) == 0 && !slices.ContainsFunc(o.Tables, released) {
		errs = append(errs, errors.New("tables: none of them is released, and there are no notes"))
	}
	for _, t := range o.Tables {
		columns, wrong := columnsOf(Options{Columns: t.Columns, OtherColumns: t.OtherColumns, Preset: t.Preset, KeepMetadata: t.KeepMetadata})
		wrong = append(wrong, checkColumns(columns, true)...)
		columns.Textless = true
		if err := transforms.CheckTableName(t.Name); err != nil {
			wrong = append(wrong, err)
		}
		if len(t.Input) == 0 {
			wrong = append(wrong, errors.New("input is missing: name its Parquet files"))
		}
		if !slices.Contains([]string{"refuse", "drop", "keep"}, t.OtherColumns) {
			wrong = append(wrong, fmt.Errorf("other_columns: %s: write one of refuse, drop, keep", t.OtherColumns))
		}
		if len(columns.Text) > 0 && t.Release {
			wrong = append(wrong, fmt.Errorf("column %q cannot have the role %s, which is for the notes of --input: drop it here, or release the "+
				"table by a run of its own, as notes, with the same key", columns.Text[0], table.RoleText))
		}
		if o.DateShiftScope == "document" {
			wrong = append(wrong, errors.New("--date_shift_scope=document moves each note by itself, so nothing would join with it by date; "+
				"leave it out, or release the table without its dates"))
		}
		for _, input := range t.Input {
			if root, ok := wholeDirectory(input); ok && o.Output != "" && storage.Inside(o.Output, root) {
				wrong = append(wrong, fmt.Errorf("--output=%s lies inside input %s, so the next run would read it; name another place", o.Output,
					input))
			}
		}
		for _, err := range wrong {
			errs = append(errs, fmt.Errorf("table %s: %w", t.Name, err))
		}
		where = append(where, transforms.TableFiles{Inputs: t.Input, Preset: t.Preset, Accepted: t.AcceptColumns})
		what = append(what, transforms.Table{Name: t.Name, Columns: readFor(columns, t.Release), Unreleased: !t.Release})
	}
	return where, what, errs
}

// readFor returns the columns that are read: of a table that is not released, those that
// say until when patients were seen.
func readFor(c table.Columns, release bool) table.Columns {
	if release {
		return c
	}
	return table.Columns{PatientID: c.PatientID, NoteDate: c.NoteDate, Dates: c.Dates, DateOffset: c.DateOffset, Others: table.OthersAsIs,
		Textless: true}
}

// completeTables gives the columns of each table the roles of its preset.
func completeTables(ctx context.Context, c transforms.Config) (transforms.Config, error) {
	var errs []error
	for i := range c.What.Tables {
		t := c.OfTable(i + 1)
		release := !c.What.Tables[i].Unreleased
		errs = append(errs, c.InTable(i+1, completeTable(ctx, &t, release)))
		c.SetColumns(i+1, t.Columns, t.Gates.Accepted)
	}
	return c, errors.Join(errs...)
}

// checkTables refuses tables whose dates cannot move.
func checkTables(c transforms.Config) error {
	var errs []error
	for i, t := range c.What.Tables {
		var err error
		switch {
		case !t.Unreleased:
			err = checkDates(c.OfTable(i + 1))
		case t.Columns.PatientID == "":
			err = fault.Mark(fault.Settings,
				fmt.Errorf("it is not released, so it is read for its patients' dates; name their column by the role %s",
					table.RolePatientID))
		}
		errs = append(errs, c.InTable(i+1, err))
	}
	return errors.Join(errs...)
}

func completeTable(ctx context.Context, c *transforms.Config, release bool) error {
	if c.Preset == "" {
		return nil
	}
	columns, err := transforms.FirstColumns(ctx, *c)
	if err != nil {
		return err
	}
	preset, err := roles.Preset(c.Preset)
	if err != nil {
		return err
	}
	before := c.Columns.Keep
	c.Columns = readFor(roles.Fill(c.Columns, columns, preset), release)
	c.Gates.Accepted = slices.Concat(c.Gates.Accepted, c.Columns.Keep[min(len(before), len(c.Columns.Keep)):])
	if len(c.Columns.Text) > 0 {
		return fault.Mark(fault.Settings, fmt.Errorf("the preset %s is for notes, which are the --input of a run; choose one of a table without "+
			"texts, or give the columns their roles", c.Preset))
	}
	return nil
}

// checkDates refuses a table whose dates no patient moves, and days of birth beside
// which an age above 89 could stand.
func checkDates(c transforms.Config) error {
	dates := slices.Clone(c.Columns.Dates)
	switch i := slices.IndexFunc(dates, transforms.IsBirth); {
	case c.Columns.PatientID == "" && len(dates) > 0:
		return fault.Mark(fault.Settings,
			fmt.Errorf("the column %q holds dates, and no column has the role %s, so nothing says by how much they "+
				"move; name that column, or drop the dates", dates[0], table.RolePatientID))
	case c.Columns.PatientID == "" && c.Columns.DateOffset != "":
		return fault.Mark(fault.Settings, fmt.Errorf("the column %q has the role %s, and no column has the role %s", c.Columns.DateOffset,
			table.RoleOffset, table.RolePatientID))
	case i >= 0 && c.ExtractEnd == 0 && c.Policy.DateColumns != surrogate.Keep:
		return fault.Mark(fault.Settings,
			fmt.Errorf("the column %q holds days of birth, by its name: of a patient of whom the run reads no other "+
				"date, it could tell an age above 89. Write the last day of the extract, --extract_end=YYYY-MM-DD", dates[i]))
	}
	return nil
}

// PreparedTable is what is known of a table without texts before any work.
type PreparedTable struct {
	Number  int
	Name    string
	Inputs  *transforms.Inputs // nil where the footers do not fit
	Columns []table.Column     // of the first file, with their roles; nil where some have none
}

// describeTables says what becomes of the columns of each table without texts.
func (p *Preparation) describeTables() string {
	var b strings.Builder
	for _, t := range p.Tables {
		if t.Inputs != nil {
			fmt.Fprintf(&b, "\ntable %s: %d rows in %d shards", t.Name, t.Inputs.Rows, len(t.Inputs.Shards))
			if p.Config.What.Tables[t.Number-1].Unreleased {
				b.WriteString(", read for its patients' dates and not released")
				continue
			}
			b.WriteString("\n" + DescribeColumns(t.Columns, p.Config.OfTable(t.Number)))
		}
	}
	return b.String()
}

// words reports whether anything is there for the taggers: notes, or strings of
// other tables that are kept.
func (p *Preparation) words() bool {
	return len(p.Config.Inputs) > 0 || slices.ContainsFunc(p.Tables, func(t PreparedTable) bool { return t.Inputs == nil || t.Inputs.Words })
}

// allColumns returns the columns of every table.
func (p *Preparation) allColumns() [][]table.Column {
	all := [][]table.Column{p.Columns}
	for _, t := range p.Tables {
		all = append(all, t.Columns)
	}
	return all
}
