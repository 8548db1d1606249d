package roles

import (
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Every preset of notes can make a job: one document id, a patient, texts, a note's
// date, and roles that there are. One of other tables has a patient and dates.
func TestPresets(t *testing.T) {
	want := []string{"fhir-documentreference", "i2b2", "mimic-iv-note", "omop-measurement", "omop-note", "omop-person", "omop-visit"}
	textless := []string{"omop-measurement", "omop-person", "omop-visit"}
	if got := Presets(); !slices.Equal(got, want) {
		t.Fatalf("presets are %q", got)
	}
	for _, name := range Presets() {
		all, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		count := map[table.Role]int{}
		for column, role := range all {
			if _, err := Parse(string(role)); err != nil {
				t.Errorf("%s: %s: %v", name, column, err)
			}
			count[role]++
		}
		if slices.Contains(textless, name) {
			if count[table.RolePatientID] != 1 || count[table.RoleText]+count[table.RoleNoteDate] != 0 || count[table.RoleDate] == 0 {
				t.Errorf("%s: %v", name, count)
			}
			continue
		}
		if count[table.RoleDocumentID] != 1 || count[table.RolePatientID] != 1 || count[table.RoleNoteDate] != 1 || count[table.RoleText] == 0 {
			t.Errorf("%s: %v", name, count)
		}
	}
	if _, err := Preset("epic"); err == nil {
		t.Error("a preset that is not there is found")
	}
	if _, err := Parse("keep_it"); err == nil {
		t.Error("a role that is not there is read")
	}
}

func TestFill(t *testing.T) {
	preset, err := Preset("omop-note")
	if err != nil {
		t.Fatal(err)
	}
	var columns []table.Column
	for _, name := range []string{"NOTE_ID", "PERSON_ID", "NOTE_DATE", "NOTE_DATETIME", "NOTE_TEXT", "NOTE_TITLE", "LANGUAGE_CONCEPT_ID",
		"SITE"} {
		columns = append(columns, table.Column{Path: name, Top: name})
	}
	got := Fill(table.Columns{Drop: []string{"NOTE_TITLE"}, NoteDate: "NOTE_DATETIME", Dates: []string{"NOTE_DATETIME"}}, columns, preset)
	if got.DocumentID != "NOTE_ID" || got.PatientID != "PERSON_ID" || got.NoteDate != "NOTE_DATETIME" ||
		!slices.Equal(got.Dates, []string{"NOTE_DATETIME", "NOTE_DATE"}) || !slices.Equal(got.Text, []string{"NOTE_TEXT"}) ||
		!slices.Equal(got.Keep, []string{"LANGUAGE_CONCEPT_ID"}) || !slices.Equal(got.Drop, []string{"NOTE_TITLE"}) {
		t.Errorf("%+v", got)
	}
	if named := Named(got); slices.Contains(named, "SITE") {
		t.Errorf("a column that no preset knows has a role: %q", named)
	}
}
