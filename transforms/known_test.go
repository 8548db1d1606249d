package transforms

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// writeTable writes rows to a file and returns its name.
func writeTable[T any](t *testing.T, name string, rows []T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	return path
}

// Values are counted by type, those that are too short to look for apart. A
// table that holds nothing else is refused, with its counts.
func TestCheckIdentifiers(t *testing.T) {
	type patient struct {
		ID      string   `parquet:"patient_id"`
		Name    string   `parquet:"name"`
		MRN     *string  `parquet:"mrn"`
		Address string   `parquet:"address"`
		Kin     []string `parquet:"relatives,list"`
	}
	mrn, short := "00481-2237", "17"
	for name, c := range map[string]struct {
		rows []patient
		want string // of the table, or of the error
	}{
		"values of several types": {[]patient{
			{"p1", "Ada Okonkwo", &mrn, "12 Elm Street, Harrow, MA 02115", []string{"Bo Okonkwo", "Cy Okonkwo"}},
			{"p2", "Bo Lindqvist", &short, "", nil},
		}, "2 patients map[CITY:{1 0} MEDICALRECORD:{2 1} PATIENT:{4 0} STREET:{1 0} ZIP:{1 0}] {9 1}"},
		"nothing usable": {[]patient{{"p1", "", &short, "", nil}, {"p2", "", &short, "", nil}},
			"nothing in it can be looked for: it has 2 patients and 2 values"},
		"no values":       {[]patient{{"p1", "", nil, "", nil}}, "it has 1 patients and 0 values"},
		"no rows":         {nil, "it has 0 patients and 0 values"},
		"no patient's id": {[]patient{{"", "Ada Okonkwo", nil, "", nil}}, "the patient id is null or empty"},
	} {
		got := ""
		table, err := CheckIdentifiers(t.Context(), Config{Where: Where{Identifiers: writeTable(t, "people.parquet", c.rows)}})
		if err == nil {
			got = fmt.Sprintf("%d patients %v %v", table.Patients, table.Values, table.All())
		} else if got = err.Error(); fault.Of(err) != fault.Refused {
			t.Errorf("%s: the exit status is %d", name, fault.Of(err))
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, "Okonkwo") {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if table, err := CheckIdentifiers(t.Context(), Config{}); table != nil || err != nil {
		t.Errorf("without a table there is %v (%v)", table, err)
	}
}

// A table of which no patient has a note is refused, whatever the types of ids;
// one patient in any file is enough.
func TestCheckJoin(t *testing.T) {
	type numbered struct {
		Patient int64  `parquet:"patient_id"`
		Name    string `parquet:"name"`
	}
	type note struct {
		ID      string  `parquet:"note_id"`
		Patient *string `parquet:"patient_id"`
		Text    string  `parquet:"text"`
	}
	id := func(s string) *string { return &s }
	people := writeTable(t, "people.parquet", []person{{"p1", "Ada Okonkwo"}, {"p2", "Bo Lindqvist"}})
	numbers := writeTable(t, "numbers.parquet", []numbered{{17, "Ada Okonkwo"}})
	for name, c := range map[string]struct {
		identifiers string
		notes       [][]note
		want        string // of the error; empty for none
	}{
		"joined":              {people, [][]note{{{"a", id("x"), ""}, {"b", id("p2"), ""}}}, ""},
		"in the second file":  {people, [][]note{{{"a", id("x"), ""}}, {{"b", id("p1"), ""}}}, ""},
		"integers and digits": {numbers, [][]note{{{"a", id("17"), ""}}}, ""},
		"leading zeros": {numbers, [][]note{{{"a", id("017"), ""}}},
			"none of its 1 patients has a note. There are 1 notes, 0 of them without a patient id"},
		"another case": {people, [][]note{{{"a", id("P1"), ""}, {"b", nil, ""}, {"c", id(" "), ""}}},
			"none of its 2 patients has a note. There are 3 notes, 2 of them without"},
		"no notes": {people, [][]note{{}}, ""},
		"no table": {"", [][]note{{{"a", id("x"), ""}}}, ""},
	} {
		cfg := Config{Where: Where{Identifiers: c.identifiers}, How: How{ShardBytes: 1},
			What: What{Columns: table.Columns{DocumentID: "note_id", PatientID: "patient_id", Text: []string{"text"}}}}
		for i, rows := range c.notes {
			cfg.Inputs = append(cfg.Inputs, writeTable(t, fmt.Sprintf("notes%d.parquet", i), rows))
		}
		shards, err := ListShards(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		err = CheckJoin(t.Context(), cfg, shards)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || fault.Of(err) != fault.Refused):
			t.Errorf("%s: %v, want %q and status %d", name, err, c.want, fault.Refused)
		}
	}
}
