package roles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

func TestSuggest(t *testing.T) {
	many := func(format string, n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(format, i+10000))
		}
		return all
	}
	same := func(v string) (all []string) {
		for range 100 {
			all = append(all, v)
		}
		return all
	}
	text := func(path string) table.Column {
		return table.Column{Path: path, Text: true, Type: "optional BYTE_ARRAY (string)"}
	}
	number := func(path string) table.Column { return table.Column{Path: path, Int: true, Type: "optional INT64"} }
	decimal := func(path string) table.Column {
		return table.Column{Path: path, Number: true, Type: "optional INT64 (DECIMAL)"}
	}
	for _, test := range []struct {
		column table.Column
		values []string
		want   table.Role
	}{
		{table.Column{Path: "note_datetime", Date: true}, nil, table.RoleDate},
		{table.Column{Path: "visits.list.element.day", Date: true, List: true}, nil, table.RoleDrop},
		{text("charttime"), same("2140-02-03 10:00:00"), table.RoleDate},
		{text("day"), same("3/4/2014"), table.RoleDate},
		{number("admitted"), same("20140304"), table.RoleDrop},
		{text("comment"), same("He was seen by his wife in the clinic"), table.RoleText},
		{text("note_title"), same("Admission Note"), table.RoleKeep},
		{text("title"), many("Note of Mr. %d", 100), table.RoleDrop},
		{text("patientName"), same("x"), table.RoleDrop},
		{number("hadm_id"), many("%d", 100), table.RoleID},
		{number("note_type_concept_id"), same("44814637"), table.RoleKeep},
		{text("note_type"), same("DS"), table.RoleKeep},
		{text("author"), many("u%d", 100), table.RoleDrop},
		{number("seq"), same("3"), table.RoleKeep},
		{number("value"), many("%d", 100), table.RoleDrop},
		{table.Column{Path: "score", Type: "optional DOUBLE", Number: true}, nil, table.RoleKeep},
		{decimal("mrn"), many("%d", 100), table.RoleDrop},
		{decimal("visit_id"), nil, table.RoleDrop},
		{decimal("patient"), many("%d", 100), table.RoleDrop},
		{decimal("admitted"), same("20140304"), table.RoleDrop},
		{decimal("value_as_number"), many("%d.5", 100), table.RoleKeep},
		{decimal("heart_rate"), same("72"), table.RoleKeep},
		{decimal("unit_concept_id"), same("8840"), table.RoleKeep},
		{table.Column{Path: "scan", Type: "optional BYTE_ARRAY (annotated)"}, nil, table.RoleDrop},
		{text("raw"), same("\xff\x00"), table.RoleDrop},
		{text("empty"), nil, table.RoleDrop},
	} {
		s := table.Sample{Values: test.values}
		if got := Suggest(test.column, s); got.Role != test.want || got.Why == "" {
			t.Errorf("%s: %s (%s), want %s", test.column.Path, got.Role, got.Why, test.want)
		} else {
			for _, v := range test.values {
				if len(v) > 3 && strings.Contains(got.Why, v) {
					t.Errorf("%s: the reason quotes a value", test.column.Path)
				}
			}
		}
	}
}
