// Command attack measures what the order of rows tells of offsets: it makes tables
// as warehouses write them, whose releases, with rows kept and regrouped,
// palimpsest attack is run on. `make attack-report` does all of it.
//
//	attack generate --out DIR      writes DIR/NAME/*.parquet and DIR/NAME.yaml for each table
//	attack names                   prints how many missed names stand out, of the names of the examples
//	attack report --dir DIR        prints the table of docs/attack.md from DIR/NAME-ORDER.json
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/cmd/attack"
	model "github.com/palimpsest-deid/palimpsest/model/attack"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("write attack generate, attack names or attack report")
	}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	out := fs.String("out", "", "generate: directory for the tables")
	dir := fs.String("dir", "", "report: directory of the counts")
	meddocan := fs.String("meddocan", "", "names, report: folder of MEDDOCAN's development set; without it Spanish names are left out")
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "names":
		return names(*meddocan)
	case "generate":
		return generate(*out)
	case "report":
		return report(*dir, *meddocan)
	}
	return fmt.Errorf("%s is none of generate, names and report", args[0])
}

// What is generated: an extract of ten years, in which each patient has notes for up to two.
const (
	patients  = 400
	first     = 14_610 // 2010-01-01, in days since 1970-01-01
	extract   = 3650   // days
	longest   = 730    // from a patient's first to last note, in days
	groupRows = 500
)

type row struct {
	NoteID    int64  `parquet:"note_id"`
	PatientID string `parquet:"patient_id"`
	NoteDate  int32  `parquet:"note_date,date"`
	Text      string `parquet:"text"`
}

// tables are the arrangements, in the order of the report.
var tables = []struct {
	name, about string
	write       func(r *rand.Rand, all []row, dir string) error
}{
	{"one", "one file in the order of days", func(_ *rand.Rand, all []row, dir string) error {
		slices.SortStableFunc(all, byDay)
		return write(dir, "notes", all)
	}},
	{"months", "a file for each month, rows shuffled inside", func(_ *rand.Rand, all []row, dir string) error {
		months := map[int32][]row{}
		for _, n := range all {
			months[n.NoteDate/30] = append(months[n.NoteDate/30], n)
		}
		for m, rows := range months {
			if err := write(dir, fmt.Sprintf("%04d", m), rows); err != nil {
				return err
			}
		}
		return nil
	}},
	{"groups", "row groups of 500 rows, each in the order of days", func(_ *rand.Rand, all []row, dir string) error {
		for g := range slices.Chunk(all, groupRows) {
			slices.SortStableFunc(g, byDay)
		}
		return write(dir, "notes", all)
	}},
	{"random", "rows in a random order", func(_ *rand.Rand, all []row, dir string) error { return write(dir, "notes", all) }},
	{"patients", "rows by patient", func(_ *rand.Rand, all []row, dir string) error {
		slices.SortStableFunc(all, func(a, b row) int {
			if a.PatientID != b.PatientID {
				return slices.Compare([]byte(a.PatientID), []byte(b.PatientID))
			}
			return byDay(a, b)
		})
		return write(dir, "notes", all)
	}},
}

func byDay(a, b row) int { return int(a.NoteDate - b.NoteDate) }

func write(dir, name string, rows []row) error {
	return parquet.WriteFile(filepath.Join(dir, name+".parquet"), rows, parquet.MaxRowsPerRowGroup(groupRows))
}

func generate(out string) error {
	for _, t := range tables {
		r := rand.New(rand.NewSource(1))
		var all []row
		for p := range patients {
			begin, length := r.Intn(extract), 1+r.Intn(longest)
			for range 4 + r.Intn(9) {
				all = append(all, row{PatientID: fmt.Sprintf("p%04d", p), NoteDate: int32(first + begin + r.Intn(length)),
					Text: "Seen today. No change; continue."})
			}
		}
		r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		for i := range all {
			all[i].NoteID = int64(i)
		}
		dir := filepath.Join(out, t.name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if err := t.write(r, all, dir); err != nil {
			return err
		}
		settings := fmt.Sprintf("input: %s\nkey: env:PALIMPSEST_EXAMPLE_KEY\ndate_columns: [note_date]\n", dir)
		if err := os.WriteFile(filepath.Join(out, t.name+".yaml"), []byte(settings), 0o600); err != nil {
			return err
		}
	}
	return nil
}

const head = `# What a release gives away, by palimpsest attack

Written by ` + "`make attack-report`" + `, from releases of invented notes whose truth is known.

## The order of rows

%d patients with 4 to 12 notes each, within up to two years of an extract of ten. The attack assumes that true days rise (or fall, or stay
constant within a file and row group) with the row, and works out each patient's offset from that. Its offsets are right up to one number
that is the same for all patients. For comparison: if the true offsets are dealt out to the wrong patients, the median error is %.0f days. A
larger error than that says that patients' years differ more than their shifts, and the guess is worth nothing. A file that is named after
its month gives the month away without any attack; regrouped files have other names.

| table | rows | median error, days | right within 30 days |
|---|---|--:|--:|
`

func report(dir, meddocan string) error {
	fmt.Printf(head, patients, permuted())
	for _, t := range tables {
		for _, order := range []string{"keep", "auto"} {
			r, err := read(filepath.Join(dir, t.name+"-"+order+".json"))
			if err != nil {
				return err
			}
			about, took := t.about, "kept"
			if order == "auto" {
				about, took = "", "by default"
			}
			line := fmt.Sprintf("%.1f | none: it finds no order that it believes", r.Order.MedianError)
			if o := r.Order; o.Believed {
				line = fmt.Sprintf("%.1f | %d of %d", o.MedianError, o.Right, o.Right+o.Wrong)
			}
			fmt.Printf("| %s | %s | %s |\n", about, took, line)
		}
	}
	r, err := read(filepath.Join(dir, "examples.json"))
	if err != nil {
		return err
	}
	fmt.Printf("\n## The examples\n\n%d notes of %d patients, default settings, known identifiers given. An outsider knows the release, "+
		"and the extract's first and last day.\n\n"+
		"| shift known by | tokens | patients | exactly | within 7 days | 30 | 183 | shifts left | right |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", r.Notes, r.Patients)
	for _, k := range r.Evidence {
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", k.Kind, k.Tokens, k.Patients, k.Exactly, k.Within7, k.Within30,
			k.Within183, k.Left, k.Right)
	}
	fmt.Print("\n| standing out | tokens | notes | as in the input |\n|---|--:|--:|--:|\n")
	for _, k := range r.Tokens {
		fmt.Printf("| %s | %d | %d | %d |\n", k.Kind, k.N, k.Notes, k.Right)
	}
	fmt.Print("\nShifts left: how many of the 234 possible shifts remain, in the median. Right: patients whose true shift is among those.\n")
	return names(meddocan)
}

// permuted is the median error of offsets that are other patients'.
func permuted() float64 {
	r := rand.New(rand.NewSource(1))
	shifts := surrogate.DatePolicy{}.Shifts()
	offsets, other := make([]int, 100_000), make([]float64, 100_000)
	for i := range offsets {
		offsets[i], other[i] = shifts[r.Intn(len(shifts))], float64(shifts[r.Intn(len(shifts))])
	}
	return model.Median(model.Errors(other, offsets))
}

func read(name string) (r attack.Result, err error) {
	raw, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	return r, err
}
