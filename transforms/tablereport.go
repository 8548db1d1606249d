package transforms

import (
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/schemas"
)

// TableReport counts what happened to a table without texts. It may be released: it
// holds numbers and codes only.
type TableReport struct {
	Name        string           `json:"table"`
	RowsIn      int64            `json:"rows_in"`
	RowsOut     int64            `json:"rows_out"`
	Quarantined int64            `json:"rows_quarantined"`
	Reasons     map[string]int64 `json:"quarantined_by_reason"`
	Dates       map[string]int64 `json:"date_columns"` // by outcome
	Linked      int64            `json:"rows_of_linked_patients,omitempty"`
	RowOrder    RowOrder         `json:"row_order"`
	Files       int              `json:"files"`
	Shards      int              `json:"shards"`
	Columns     []ColumnReport   `json:"columns"`

	number int
	counts schemas.Counts
}

// Order says in words in which order the table's rows were released, and why.
func (t TableReport) Order() string {
	return strings.Replace(t.RowOrder.String(), "the days of its notes", "the days in it", 1)
}

// ManifestTable says what a table without texts was made into.
type ManifestTable struct {
	Name     string           `json:"table"`
	RowOrder RowOrder         `json:"row_order"`
	Columns  []schemas.Column `json:"columns"`
}

// receiptsOf returns the receipts of a table's shards, and its files of regrouped rows.
func receiptsOf(table int, receipts []schemas.Receipt, gathered []schemas.Gathered) (of []schemas.Receipt, files []schemas.Gathered) {
	for _, r := range receipts {
		if r.Shard.Table == table {
			of = append(of, r)
		}
	}
	for _, g := range gathered {
		if g.Table == table {
			files = append(files, g)
		}
	}
	return of, files
}

// tableReports returns the reports of the tables without texts.
func tableReports(cfg Config, receipts []schemas.Receipt, gathered []schemas.Gathered) (all []TableReport, err error) {
	for i, t := range cfg.What.Tables {
		if t.Unreleased {
			continue
		}
		of, files := receiptsOf(i+1, receipts, gathered)
		order, err := orderOf(of, files)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		r := newReport(of)
		all = append(all, TableReport{Name: t.Name, RowsIn: r.RowsIn, RowsOut: r.RowsOut, Quarantined: r.Quarantined, Reasons: r.Reasons,
			Dates: r.Dates, Linked: r.Linked, RowOrder: order, Files: r.Files, Shards: r.Shards, Columns: r.Columns, number: i + 1,
			counts: r.Counts})
	}
	return all, nil
}

// checkTables returns why a release is refused for its tables without texts, a line
// for each reason.
func checkTables(cfg Config, r *Report) (why []string) {
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, reason := range cfg.OfTable(t.number).Gates.check(&Report{Counts: t.counts}, false, true) {
			why = append(why, fmt.Sprintf("table %s: %s", t.Name, reason))
		}
	}
	return why
}
