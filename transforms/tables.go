package transforms

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// A release is a list of tables: notes, and tables without texts, such as persons,
// visits and laboratory values. In shards, parts and here a table goes by its
// number: 0 is the notes, which Config itself describes, and i is Config.What.Tables[i-1].

// Table is a table without texts.
type Table struct {
	Name    string        `json:"table"` // of its folder below the output
	Columns table.Columns `json:"columns"`

	// Unreleased says that the table is of another release: it is only read for
	// until when patients were seen, so that ages are said alike in both.
	Unreleased bool `json:"unreleased,omitempty"`
}

// TableFiles says where such a table lies, and what the launcher completes its
// columns by.
type TableFiles struct {
	Inputs   []string
	Preset   string
	Accepted []string // kept columns in which names may stand
}

var tableName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// CheckTableName refuses what cannot be the name of a folder beside the notes'.
func CheckTableName(name string) error {
	reserved := []string{NotesFolder, FindingsFolder, QuarantineFolder}
	switch {
	case !tableName.MatchString(name):
		return errors.New("a table's name becomes that of a folder: write a letter, and then letters, digits and underscores, such as " +
			"visit_occurrence")
	case slices.ContainsFunc(reserved, func(r string) bool { return strings.EqualFold(r, name) }):
		return fmt.Errorf("the folder %s is taken by the job itself; choose another name", strings.ToLower(name))
	}
	return nil
}

// Numbers lists the tables of the job by their numbers.
func (c Config) Numbers() (all []int) {
	if len(c.Inputs) > 0 {
		all = append(all, 0)
	}
	for i := range c.What.Tables {
		all = append(all, i+1)
	}
	return all
}

// OfTable returns the configuration of a job of one of the tables alone, with its
// inputs and columns in place of the notes'. Such a configuration stays as it is.
func (c Config) OfTable(number int) Config {
	if number > 0 && len(c.What.Tables) > 0 {
		files, t := c.Where.Tables[number-1], c.What.Tables[number-1]
		c.Inputs, c.Preset, c.UsualText, c.Gates.Accepted = files.Inputs, files.Preset, false, files.Accepted
		c.Columns, c.Findings = t.Columns, false
	}
	c.Where.Tables, c.What.Tables = nil, nil
	return c
}

// NotesAlone returns the configuration of a job of the notes and no other table.
func (c Config) NotesAlone() Config { return c.OfTable(0) }

// SetColumns puts the columns of a table into their place.
func (c *Config) SetColumns(number int, columns table.Columns, accepted []string) {
	if number == 0 {
		c.Columns, c.Gates.Accepted = columns, accepted
		return
	}
	c.What.Tables, c.Where.Tables = slices.Clone(c.What.Tables), slices.Clone(c.Where.Tables)
	c.What.Tables[number-1].Columns, c.Where.Tables[number-1].Accepted = columns, accepted
}

// unreleased reports whether a table is only read.
func (c Config) unreleased(number int) bool { return number > 0 && c.What.Tables[number-1].Unreleased }

// TableName returns the name of a table, "" for the notes.
func (c Config) TableName(number int) string {
	if number == 0 {
		return ""
	}
	return c.What.Tables[number-1].Name
}

// folder returns where a table lies below the output.
func (c Config) folder(number int) string {
	if number == 0 {
		return NotesFolder
	}
	return c.What.Tables[number-1].Name
}

// quarantineOf returns where what is held back of a shard's rows lies below the
// private part.
func quarantineOf(s schemas.Shard) string {
	if s.Table == 0 {
		return QuarantineFolder
	}
	return storage.Join(QuarantineFolder, s.Folder)
}

// inTables reports whether a file lies in the folder of a table, or of notes.
func (c Config) inTables(name string) bool {
	return slices.ContainsFunc(append(c.Numbers(), 0), func(t int) bool {
		return strings.HasPrefix(name, storage.Join(c.Output, c.folder(t))+"/")
	})
}

// ofTable returns the engine for one of the tables.
func (e *engine) ofTable(number int) *engine {
	if number == 0 {
		return e
	}
	other := *e
	other.cfg = e.cfg.OfTable(number)
	return &other
}

// offsets reports whether any of the tables says by how many days its patients' dates
// move: then a patient of whom none does moves by no keyed number either.
func (c Config) offsets() bool {
	return slices.ContainsFunc(c.Numbers(), func(t int) bool { return c.OfTable(t).Columns.DateOffset != "" })
}

// TableError is what is wrong with a table that is not the notes.
type TableError struct {
	Number int
	Name   string
	Err    error
}

func (e *TableError) Error() string { return fmt.Sprintf("table %s: %v", e.Name, e.Err) }

func (e *TableError) Unwrap() error { return e.Err }

// InTable says in which table something is wrong; the notes need no name.
func (c Config) InTable(number int, err error) error {
	if err == nil || number == 0 {
		return err
	}
	return &TableError{number, c.TableName(number), err}
}

// ofTable returns the shards of a table.
func ofTable(shards []schemas.Shard, number int) (of []schemas.Shard) {
	for _, s := range shards {
		if s.Table == number {
			of = append(of, s)
		}
	}
	return of
}
