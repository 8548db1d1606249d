package pipeline

import (
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/attack"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

const fastModel = "../onnx/models/en-clinical-fast"

// fastOptions returns options for a run of the smaller model.
func fastOptions(dir, order string, inputs ...string) Options {
	o := testOptions(dir, inputs...)
	o.Model, o.RowOrder, o.DateColumns = fastModel, order, []string{"note_date"}
	return o
}

// The examples are in the order of their days, as a warehouse appends them. By
// default their rows are regrouped: the same rows, with the same schema, by
// patient and note as they are released; on each runner and however the work is
// cut, the same bytes. Findings and counts are those of the kept order.
func TestExamplesAreRegrouped(t *testing.T) {
	options := func(order string) Options {
		o := exampleOptions(t.TempDir())
		o.Model, o.RowOrder = fastModel, order
		return o
	}
	kept, before, _ := run(t, options("keep"), nil)
	if !before.RowOrder.Tells() {
		t.Errorf("the order that is kept tells nothing: %+v", before.RowOrder)
	}
	var want map[string]string
	onEachRunner(t, func(t *testing.T) {
		for i, change := range []func(*transforms.Config){nil, func(c *transforms.Config) {
			c.Workers, c.BatchBytes, c.Buckets, c.Positions = 1, 3000, 1, 150
		}} {
			cfg, report, said := run(t, options("auto"), change)
			got := digests(t, cfg.Output, cfg.Private)
			if want == nil {
				want = got
				checkRegrouped(t, kept, cfg, report)
			}
			if !maps.Equal(got, want) {
				t.Errorf("%d: the files differ:\n%v\n%v", i, got, want)
			}
			if !strings.Contains(said, "regrouped by patient, as the input's follow the days of its notes: over all rows, rank correlation 1.00") {
				t.Errorf("the summary says\n%s", said)
			}
		}
	})
}

func checkRegrouped(t *testing.T, kept, regrouped transforms.Config, report transforms.Report) {
	t.Helper()
	a, b := rows(t, filepath.Join(kept.Output, "notes", "*.parquet")), rows(t, filepath.Join(regrouped.Output, "notes", "*.parquet"))
	if slices.Equal(a, b) {
		t.Error("the order is the input's")
	}
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Errorf("%d rows and %d, or they are others", len(a), len(b))
	}
	out := readParquet[exampleRow](t, filepath.Join(regrouped.Output, "notes", "part-00000.parquet"))
	if len(out) != len(b) {
		t.Fatalf("%d rows of %d in the one file that there should be", len(out), len(b))
	}
	id := func(r exampleRow) string {
		if r.PatientID == nil {
			return fmt.Sprint(" ", r.NoteID)
		}
		return fmt.Sprint(*r.PatientID, " ", r.NoteID)
	}
	for i := 1; i < len(out); i++ {
		if id(out[i-1]) >= id(out[i]) {
			t.Fatalf("row %d comes after %d", i, i-1)
		}
	}
	o := report.RowOrder
	if o.Taken != "shuffle" || !o.Days.Rises || o.Schemas != 1 || o.Days.All.RankCorrelation != 1 {
		t.Errorf("%+v", o)
	}
	x := readParquet[table.Finding](t, filepath.Join(kept.Private, "findings", "*.parquet"))
	y := readParquet[table.Finding](t, filepath.Join(regrouped.Private, "findings", "*.parquet"))
	if !slices.Equal(x, y) {
		t.Error("the findings are others")
	}
}

type dayRow struct {
	ID   string  `parquet:"note_id"`
	Who  *string `parquet:"patient_id,optional"`
	Day  int32   `parquet:"note_date,date"`
	Text string  `parquet:"text,zstd"`
}

type dayRowV2 struct {
	ID   string  `parquet:"note_id"`
	Who  *string `parquet:"patient_id,optional"`
	Day  int32   `parquet:"note_date,date"`
	Ward string  `parquet:"ward"`
	Text string  `parquet:"text,zstd"`
}

// dayRows returns short notes of patients over ten years, in the order of their days.
func dayRows(r *rand.Rand, patients int) []dayRow {
	var all []dayRow
	for p := range patients {
		begin := r.Intn(3650)
		for range 4 + r.Intn(9) {
			who := fmt.Sprintf("p%03d", p)
			all = append(all, dayRow{Who: &who, Day: int32(14_000 + begin + r.Intn(365)), Text: "Seen today. No change; continue."})
		}
	}
	slices.SortStableFunc(all, func(a, b dayRow) int { return int(a.Day - b.Day) })
	for i := range all {
		all[i].ID = fmt.Sprintf("n%05d", i)
	}
	return all
}

// One file by date, months in files of their own with rows shuffled inside, and
// row groups sorted each: of what the whole job releases the attack finds each
// offset while the order is kept, and nothing once it is not.
func TestAttackOnReleases(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	all := dayRows(r, 150)
	for name, write := range map[string]func(dir string){
		"one file": func(dir string) { writeParquet(t, dir, "notes.parquet", all) },
		"months": func(dir string) {
			months := map[int32][]dayRow{}
			for _, n := range all {
				months[n.Day/30] = append(months[n.Day/30], n)
			}
			for _, m := range slices.Sorted(maps.Keys(months)) {
				rows := months[m]
				r.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
				writeParquet(t, dir, fmt.Sprintf("%04d.parquet", m), rows)
			}
		},
		"row groups": func(dir string) {
			shuffled := slices.Clone(all)
			r.Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
			const group = 300
			for i := 0; i < len(shuffled); i += group {
				slices.SortFunc(shuffled[i:min(i+group, len(shuffled))], func(a, b dayRow) int { return int(a.Day - b.Day) })
			}
			writeParquet(t, dir, "notes.parquet", shuffled, parquet.MaxRowsPerRowGroup(group))
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := t.TempDir()
			write(in)
			median := map[string]float64{}
			var permuted float64
			for _, order := range []string{"keep", "auto"} {
				cfg, report, _ := run(t, fastOptions(t.TempDir(), order, in), nil)
				if report.RowsOut != int64(len(all)) || !report.RowOrder.Days.Rises || report.RowOrder.Tells() != (order == "keep") {
					t.Errorf("%+v", report.RowOrder)
				}
				rows, offsets := attackable(t, cfg, all)
				median[order] = -1
				for _, g := range attack.Order(rows) {
					if m := attack.Median(attack.Errors(g.Offsets, offsets)); median[order] < 0 || m < median[order] {
						median[order] = m
					}
				}
				other := make([]float64, len(offsets))
				for i, at := range r.Perm(len(offsets)) {
					other[i] = float64(offsets[at])
				}
				permuted = attack.Median(attack.Errors(other, offsets))
			}
			t.Logf("median error in days: %.1f of rows as they were, %.1f regrouped, %.1f of offsets in another order", median["keep"],
				median["auto"], permuted)
			if median["keep"] > 40 || median["auto"] < 0.8*permuted {
				t.Error("the order still tells offsets, or never did")
			}
		})
	}
}

// attackable returns the rows of a release as an outsider sees them, and the true offset of
// each patient, which the original days tell.
func attackable(t *testing.T, cfg transforms.Config, all []dayRow) (rows []attack.Row, offsets []int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cfg.Output, "notes", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	released := map[string][]int{} // days, sorted, by pseudonym
	number := map[string]int{}
	var patients []string
	for f, file := range files {
		groups := groupRows(t, file)
		group, left := -1, int64(0)
		for _, n := range readParquet[dayRow](t, file) {
			for left == 0 {
				group++
				left = groups[group]
			}
			left--
			if _, ok := number[*n.Who]; !ok {
				number[*n.Who] = len(patients)
				patients = append(patients, *n.Who)
			}
			released[*n.Who] = append(released[*n.Who], int(n.Day))
			rows = append(rows, attack.Row{Patient: number[*n.Who], Day: int(n.Day), File: f, Group: 1000*f + group})
		}
	}
	// Days and the gaps between them tell which patient a pseudonym is of.
	shape := func(days []int) string {
		slices.Sort(days)
		var b strings.Builder
		for _, d := range days {
			fmt.Fprint(&b, d-days[0], " ")
		}
		return b.String()
	}
	original := map[string][]int{}
	for _, n := range all {
		original[*n.Who] = append(original[*n.Who], int(n.Day))
	}
	first := map[string]int{}
	for _, days := range original {
		first[shape(days)] = slices.Min(days)
	}
	if len(first) != len(original) {
		t.Fatal("two patients have notes on days of the same gaps")
	}
	for _, p := range patients {
		days := released[p]
		before, ok := first[shape(days)]
		if !ok {
			t.Fatal("a patient's days are not together any more")
		}
		offsets = append(offsets, days[0]-before)
	}
	return rows, offsets
}

func groupRows(t *testing.T, file string) (rows []int64) {
	t.Helper()
	o, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	info, err := o.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := table.Open(o, info.Size(), file)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range f.RowGroups() {
		rows = append(rows, g.Rows)
	}
	return rows
}

// Files of two schemas are regrouped apart, which is said; rows that are held
// back are in no file; notes without a patient are spread by their own ids; and a file without
// rows leaves its schema.
func TestRegroupedSchemasAndQuarantine(t *testing.T) {
	in := t.TempDir()
	all := dayRows(rand.New(rand.NewSource(8)), 60)
	for i := range all {
		if i%10 == 3 {
			all[i].Who = nil
		}
	}
	all[5].Text = "not \xff text"
	all[9].ID = all[8].ID
	half := len(all) / 2
	var second []dayRowV2
	for _, n := range all[half:] {
		second = append(second, dayRowV2{n.ID, n.Who, n.Day, "B2", n.Text})
	}
	writeParquet(t, in, "1.parquet", all[:half])
	writeParquet(t, in, "2.parquet", second)
	writeParquet(t, in, "3.parquet", []struct {
		ID   string `parquet:"note_id"`
		Who  string `parquet:"patient_id"`
		Day  int32  `parquet:"note_date,date"`
		Text string `parquet:"text"`
		Last string `parquet:"last"`
	}{})
	o := fastOptions(t.TempDir(), "auto", in)
	cfg, report, said := run(t, o, nil)
	if report.RowOrder.Schemas != 3 || !strings.Contains(said, "the input has 3 schemas") {
		t.Errorf("%+v\n%s", report.RowOrder, said)
	}
	if report.Quarantined != 2 || report.Reasons[deid.ReasonInvalidUTF8] != 1 || report.Reasons[transforms.ReasonDuplicateID] != 1 {
		t.Errorf("quarantined: %v", report.Reasons)
	}
	first := readParquet[dayRow](t, filepath.Join(cfg.Output, "notes", "part-00000.parquet"))
	more := readParquet[dayRowV2](t, filepath.Join(cfg.Output, "notes", "part-00001.parquet"))
	if len(first) != half-2 || len(more) != len(all)-half || int64(len(first)+len(more)) != report.RowsOut {
		t.Errorf("%d and %d rows of %d", len(first), len(more), len(all))
	}
	if n := groupRows(t, filepath.Join(cfg.Output, "notes", "part-00002.parquet")); len(n) != 0 {
		t.Errorf("the empty file has row groups: %v", n)
	}
	if held := rows(t, filepath.Join(cfg.Private, "quarantine", "*.parquet")); len(held) != 2 {
		t.Errorf("%d rows in quarantine", len(held))
	}
	if names, _ := filepath.Glob(filepath.Join(cfg.Output, "notes", "*")); len(names) != 3 {
		t.Errorf("%v", names)
	}
}

// What decides is days, not how files are cut; and what is released does not
// depend on how the input's rows were arranged.
func TestRegroupedRowsForgetTheirOrder(t *testing.T) {
	all := dayRows(rand.New(rand.NewSource(9)), 60)
	one, many := t.TempDir(), t.TempDir()
	writeParquet(t, one, "a.parquet", all)
	for i := 0; i < len(all); i += 100 {
		some := slices.Clone(all[i:min(i+100, len(all))])
		slices.Reverse(some)
		writeParquet(t, many, fmt.Sprintf("%03d.parquet", i), some)
	}
	a, _, _ := run(t, fastOptions(t.TempDir(), "auto", one), nil)
	b, _, _ := run(t, fastOptions(t.TempDir(), "auto", many), nil)
	x, y := digests(t, filepath.Join(a.Output, "notes")), digests(t, filepath.Join(b.Output, "notes"))
	if len(x) != 1 || !maps.Equal(x, y) {
		t.Errorf("%v\n%v", x, y)
	}
	c, _, _ := run(t, fastOptions(t.TempDir(), "auto", many), func(c *transforms.Config) { c.ShardBytes = 2000 })
	files := digests(t, filepath.Join(c.Output, "notes"))
	got, want := rows(t, filepath.Join(c.Output, "notes", "*.parquet")), rows(t, filepath.Join(a.Output, "notes", "*.parquet"))
	slices.Sort(got)
	slices.Sort(want)
	if len(files) < 3 || !slices.Equal(got, want) {
		t.Errorf("%d files: the rows are others", len(files))
	}
	where := map[string]string{}
	for name := range files {
		for _, n := range readParquet[dayRow](t, filepath.Join(c.Output, name)) {
			if before, ok := where[*n.Who]; ok && before != name {
				t.Fatalf("a patient has rows in %s and %s", before, name)
			}
			where[*n.Who] = name
		}
	}
}
