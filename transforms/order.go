package transforms

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/roworder"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

func init() {
	registerDoFn((*orderFn).process, func(f orderProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(int), args[2].(func(*[]byte) bool), args[3].(func(int, []byte)))
	})
}

// The settings of --row_order, which are also the orders that a job can take.
const (
	OrderAuto    = "auto"    // shuffle where rows follow days, keep elsewhere
	OrderKeep    = "keep"    // files, row groups and rows are those of the input
	OrderShuffle = "shuffle" // a row's file is a keyed hash of its patient, its place there that of its pseudonyms
)

// RowOrders lists them.
func RowOrders() []string { return []string{OrderAuto, OrderKeep, OrderShuffle} }

// RowOrder says in which order rows are released, and why. It is part of the
// manifest.
type RowOrder struct {
	Setting string               `json:"setting"`
	Taken   string               `json:"taken"`           // keep or shuffle
	Days    roworder.Measurement `json:"days_along_rows"` // how far the input's rows follow days

	// True if dates are released as they are: then the order of rows can give
	// nothing away.
	DatesStay bool `json:"dates_stay,omitempty"`

	// How many schemas the output has, where rows were regrouped. Rows of one
	// stay together, which tells something if a table's schema changed one day.
	Schemas int `json:"schemas,omitempty"`
}

// Tells reports whether the order of released rows tells something about offsets.
func (o RowOrder) Tells() bool { return o.Taken == OrderKeep && o.Days.Rises && !o.DatesStay }

// String says in words which order was taken, and why.
func (o RowOrder) String() string {
	switch {
	case o.Taken == OrderShuffle && o.Days.Rises:
		return "regrouped by patient, as the input's follow the days of its notes: " + o.Days.String()
	case o.Taken == OrderShuffle:
		return "regrouped by patient, as --row_order=shuffle asks for"
	case o.Days.Rises && o.DatesStay:
		return "as in the input; they follow the days of its notes, which are released as they are"
	case o.Days.Rises:
		return "as in the input, though they follow the days of its notes: " + o.Days.String()
	}
	return "as in the input; they do not follow the days of its notes"
}

// Warnings returns what order and number of files tell outsiders.
func (o RowOrder) Warnings() (all []string) {
	if o.Tells() {
		all = append(all, "the order of rows gives away by how many days dates move: whoever takes the release's rows as they stand gets most "+
			"patients' true dates back; leave out --row_order=keep, and rows are regrouped by patient")
	}
	if o.Schemas > 1 {
		all = append(all, fmt.Sprintf("the input has %d schemas, and rows of each went to files of their own: if the schema changed on a day "+
			"that is known, the file tells on which side of it a note was written; write all input with one schema", o.Schemas))
	}
	return all
}

// Order measures how far days rise with rows, over all files of a table, and decides
// once for the table in which order its rows are released. It needs no text: Detect tells it the
// days. Each shard is answered with the decision.
func Order(s beam.Scope, cfg Config, days beam.PCollection) beam.PCollection { // KV<int, []byte> (RowOrder as JSON), by shard
	s = s.Scope("transforms.Order")
	return beam.ParDo(s, &orderFn{Settings: cfg.rowOrders(), DatesStay: cfg.Policy.DateColumns == surrogate.Keep}, beam.GroupByKey(s, days))
}

type orderFn struct {
	Settings  []string // by table
	DatesStay bool     // nothing has to be hidden
}

// rowOrders returns the order that is asked for, by table: rows of nobody stay.
func (c Config) rowOrders() []string {
	all := []string{c.RowOrder}
	for _, t := range c.What.Tables {
		setting := c.RowOrder
		if t.Columns.PatientID == "" {
			setting = OrderKeep
		}
		all = append(all, setting)
	}
	return all
}

// orderProcess is the type of its ProcessElement.
type orderProcess = func(context.Context, int, func(*[]byte) bool, func(int, []byte)) error

func (fn *orderFn) process() orderProcess { return fn.ProcessElement }

func (fn *orderFn) ProcessElement(ctx context.Context, table int, days func(*[]byte) bool, emit func(int, []byte)) error {
	_, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	batches, err := decoded(days, schemas.DecodeDayBatch)
	if err != nil {
		return err
	}
	order, err := json.Marshal(chooseOrder(fn.Settings[table], fn.DatesStay, batches))
	if err != nil {
		return err
	}
	for _, b := range batches {
		counting(emit)(b.Shard, order)
	}
	return nil
}

// chooseOrder decides from the days of all shards of a table, in any order.
func chooseOrder(setting string, datesStay bool, batches []*schemas.DayBatch) RowOrder {
	slices.SortFunc(batches, func(a, b *schemas.DayBatch) int { return a.Shard - b.Shard })
	parts, file := make([]roworder.Part, len(batches)), -1
	for i, b := range batches {
		if b.First {
			file++
		}
		parts[i] = b.Part
		parts[i].File = file
	}
	o := RowOrder{Setting: setting, Taken: OrderKeep, Days: roworder.Measure(parts), DatesStay: datesStay}
	if setting == OrderShuffle || setting == OrderAuto && o.Tells() {
		o.Taken = OrderShuffle
	}
	return o
}

// measuredRows bounds the rows whose days are compared, evenly spread over the
// job: two million days tell an order as well as all.
const measuredRows = 1 << 21

// days returns what Order needs to know of a shard's notes.
func (e *engine) days(shard schemas.Shard, notes []deid.Note) *schemas.DayBatch {
	b, settings := e.newDays(shard), e.cfg.Settings()
	for i := range notes {
		n := &notes[i]
		if !b.measures(n.Row) {
			continue
		}
		if day, ok := settings.WrittenOn(n); ok {
			b.add(n.Patient, day)
		}
	}
	return b.batch()
}

// dayRuns makes the batch of a shard's days, row by row.
type dayRuns struct {
	engine *engine
	shard  schemas.Shard
	step   int64 // every so many rows are measured
	of     *schemas.DayBatch
	last   string // patient
}

func (e *engine) newDays(shard schemas.Shard) *dayRuns {
	return &dayRuns{engine: e, shard: shard, step: max(1, (shard.AllRows+measuredRows-1)/measuredRows),
		of: &schemas.DayBatch{Shard: shard.Number, First: shard.Index == 0}}
}

// measures tells whether a row of the shard is one of those whose days are compared.
func (d *dayRuns) measures(row int64) bool { return (d.shard.RowsBefore+row)%d.step == 0 }

func (d *dayRuns) add(patient string, day int) {
	b := d.of
	switch {
	case len(b.Runs) > 0 && patient == d.last:
		r := &b.Runs[len(b.Runs)-1]
		r.First, r.Last = min(r.First, day), max(r.Last, day)
		return
	case len(b.Runs) == 0:
		b.From = d.engine.hash(patient)
	}
	b.Runs, d.last = append(b.Runs, roworder.Run{First: day, Last: day}), patient
}

func (d *dayRuns) batch() *schemas.DayBatch {
	if len(d.of.Runs) > 0 {
		d.of.To = d.engine.hash(d.last)
	}
	return d.of
}

// readOrder returns the decision that a shard was answered with.
func readOrder(orders func(*[]byte) bool) (o RowOrder, raw []byte, err error) {
	all := inOrder(orders)
	if len(all) == 0 {
		return o, nil, fmt.Errorf("the order of rows was not decided")
	}
	return o, all[0], json.Unmarshal(all[0], &o)
}

const (
	// mostFiles bounds the output files of rows that are regrouped: every shard makes
	// a temporary for each.
	mostFiles = 256

	// heldBytes bounds the rows of a shard that are sorted in memory at once.
	heldBytes = 128 << 20

	// groupBytes is about how large the values of a row group are, before
	// compression, where rows are regrouped.
	groupBytes = 64 << 20
)

// files returns how many output files the rows of a job are regrouped into, so
// that each has about the bytes of a shard.
func (c Config) files(shard schemas.Shard) int {
	return int(min(max(1, (shard.AllBytes+c.ShardBytes-1)/max(1, c.ShardBytes)), mostFiles))
}
