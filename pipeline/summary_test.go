package pipeline

import (
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/roworder"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// ofNotes is the configuration of a job that has notes.
var ofNotes = transforms.Config{Where: transforms.Where{Inputs: []string{"notes"}}}

// A patient id that very many notes share is pointed out, and a real patient's
// many notes are not.
func TestSummaryWarnsOfASharedPatientID(t *testing.T) {
	for notes, want := range map[int64]bool{0: false, 20_000: false, 20_001: true} {
		var b strings.Builder
		writeSummary(&b, ofNotes, transforms.Report{Counts: schemas.Counts{RowsIn: 30_000, LargestID: notes}}, time.Second)
		if got := strings.Contains(b.String(), "one patient id has 20,001 notes"); got != want {
			t.Errorf("%d notes: warned %v, want %v:\n%s", notes, got, want, b.String())
		}
	}
}

// Rows that are kept in the order of their days are pointed out, and only those.
func TestSummaryWarnsOfRowsByDay(t *testing.T) {
	rises := roworder.Measurement{All: roworder.Trend{Runs: 900, RankCorrelation: 0.98, Neighbours: 0.95}, Rises: true}
	for _, c := range []struct {
		order transforms.RowOrder
		want  string
		warns bool
	}{
		{transforms.RowOrder{Taken: "keep"}, "they do not follow the days", false},
		{transforms.RowOrder{Taken: "keep", Days: rises, DatesStay: true}, "released as they are", false},
		{transforms.RowOrder{Taken: "keep", Days: rises}, "rank correlation 0.98", true},
		{transforms.RowOrder{Taken: "shuffle", Days: rises, Schemas: 1}, "regrouped by patient, as the input's follow", false},
		{transforms.RowOrder{Taken: "shuffle", Schemas: 1}, "as --row_order=shuffle asks", false},
		{transforms.RowOrder{Taken: "shuffle", Days: rises, Schemas: 2}, "the input has 2 schemas", true},
	} {
		var b strings.Builder
		writeSummary(&b, ofNotes, transforms.Report{RowOrder: c.order}, time.Second)
		if !strings.Contains(b.String(), c.want) || strings.Contains(b.String(), "  warning") != c.warns {
			t.Errorf("%+v:\n%s", c.order, b.String())
		}
	}
}

// Values and finds of known identifiers are shown by type. That none was found,
// or no note is of a patient in the table, is pointed out.
func TestSummaryShowsKnownIdentifiers(t *testing.T) {
	table := &transforms.IdentifierTable{Patients: 3, Values: map[string]transforms.ValueCount{"PATIENT": {All: 4},
		"SSN": {All: 3, Ignored: 1}}}
	for _, c := range []struct {
		table *transforms.IdentifierTable
		notes int64
		found map[string]int64
		want  string
		warns bool
	}{
		{table, 5, map[string]int64{"PATIENT": 7}, "  known identifiers  of 3 patients; 5 notes are of one of them\n" +
			"    PATIENT          4 values, 0 of them too short to look for; found 7 times\n" +
			"    SSN              3 values, 1 of them too short to look for; found 0 times\n", false},
		{table, 5, map[string]int64{"IDNUM": 2}, "no note holds any of its patient's known identifiers", true},
		{table, 0, nil, "no released note is of a patient in --identifiers", true},
		{nil, 0, nil, "", false},
	} {
		var b strings.Builder
		r := transforms.Report{Counts: schemas.Counts{RowsIn: 9, RowsOut: 9, KnownPatients: c.notes, KnownFound: c.found},
			KnownIdentifiers: c.table}
		writeSummary(&b, ofNotes, r, time.Second)
		if !strings.Contains(b.String(), c.want) || strings.Contains(b.String(), "identifiers") && c.table == nil {
			t.Errorf("%+v: the summary lacks %q:\n%s", c, c.want, b.String())
		}
		if strings.Contains(b.String(), "identifier_columns") != (c.warns && c.notes > 0) {
			t.Errorf("%+v: the warning is wrong:\n%s", c, b.String())
		}
	}
}

// GPUs that were rented and not used are pointed out.
func TestSummaryWarnsOfUnusedGPUs(t *testing.T) {
	for shards, want := range map[int64]bool{0: false, 2: true} {
		var b strings.Builder
		writeSummary(&b, ofNotes, transforms.Report{Counts: schemas.Counts{RowsIn: 9, Fallbacks: shards}, Shards: 3}, time.Second)
		if got := strings.Contains(b.String(), "2 of 3 shards were worked on by the CPU"); got != want {
			t.Errorf("%d shards: warned %v, want %v:\n%s", shards, got, want, b.String())
		}
	}
}
