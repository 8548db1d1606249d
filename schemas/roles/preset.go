package roles

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

//go:embed presets
var files embed.FS

// All lists the roles, in the order in which a user meets them.
func All() []table.Role {
	return []table.Role{table.RoleText, table.RoleDocumentID, table.RolePatientID, table.RoleNoteDate, table.RoleDate, table.RoleLine,
		table.RoleOffset, table.RoleID, table.RoleKeep, table.RoleDrop}
}

// Parse reads a role.
func Parse(s string) (table.Role, error) {
	if r := table.Role(s); slices.Contains(All(), r) {
		return r, nil
	}
	return "", errors.New("write one of " + Names())
}

// Names lists the roles in a line.
func Names() string {
	names := make([]string, len(All()))
	for i, r := range All() {
		names[i] = string(r)
	}
	return strings.Join(names, ", ")
}

// Presets lists the names of the tables whose columns' roles are known.
func Presets() []string {
	entries, err := files.ReadDir("presets")
	if err != nil {
		panic(err) // they are part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Preset returns the roles of the columns that tables of a shape have, by their
// names in lower case. A table need not have all of them.
func Preset(name string) (map[string]table.Role, error) {
	if !slices.Contains(Presets(), name) {
		return nil, fmt.Errorf("there is no such preset; write one of %s", strings.Join(Presets(), ", "))
	}
	raw, err := files.ReadFile("presets/" + name + ".yaml")
	if err != nil {
		return nil, err
	}
	var all map[string]table.Role
	if err := yaml.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("preset %s: %w", name, err)
	}
	return all, nil
}

// Give adds a column with a role to c. Where c has another column for a role
// that one alone can have, it is replaced.
func Give(c *table.Columns, path string, role table.Role) {
	add := func(list *[]string) {
		if !slices.Contains(*list, path) {
			*list = append(*list, path)
		}
	}
	switch role {
	case table.RoleText:
		add(&c.Text)
	case table.RoleDocumentID:
		c.DocumentID = path
	case table.RolePatientID:
		c.PatientID = path
	case table.RoleNoteDate: // it moves: left as it is it would tell by how much the others do
		c.NoteDate = path
		add(&c.Dates)
	case table.RoleDate:
		add(&c.Dates)
	case table.RoleLine:
		c.Line = path
	case table.RoleOffset:
		c.DateOffset = path
	case table.RoleID:
		add(&c.IDs)
	case table.RoleKeep:
		add(&c.Keep)
	case table.RoleDrop:
		add(&c.Drop)
	}
}

// Named returns the columns that c names.
func Named(c table.Columns) []string {
	all := slices.Concat(c.Text, c.Dates, c.IDs, c.Keep, c.Drop, []string{c.DocumentID, c.PatientID, c.NoteDate, c.DateOffset, c.Line})
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// Fill gives the columns of a file that c does not name the roles of a preset.
func Fill(c table.Columns, columns []table.Column, preset map[string]table.Role) table.Columns {
	named := Named(c)
	for _, col := range columns {
		role, ok := preset[strings.ToLower(col.Top)]
		if !ok || slices.Contains(named, col.Top) || slices.Contains(named, col.Path) {
			continue
		}
		taken := role == table.RoleDocumentID && c.DocumentID != "" || role == table.RolePatientID && c.PatientID != "" ||
			role == table.RoleOffset && c.DateOffset != "" || role == table.RoleLine && c.Line != ""
		switch {
		case taken:
			role = table.RoleID
		case role == table.RoleNoteDate && c.NoteDate != "":
			role = table.RoleDate
		}
		Give(&c, col.Top, role)
	}
	return c
}
