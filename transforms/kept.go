package transforms

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/view"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// lookout looks at what is released as it is: the values of the columns that are
// kept, in all rows of a shard. It is not safe for concurrent use.
type lookout struct {
	detector *deid.Detector
	columns  map[string]*keptColumn
}

type keptColumn struct {
	counts schemas.ColumnCounts
	met    map[string]bool // values met, and whether a number was found in them
	sample []string        // the first different ones
	words  bool            // the column holds strings
}

const (
	keptSample = 200     // different values of a column and shard that the taggers look at
	keptMemory = 1 << 16 // different values whose result is remembered
)

// leastOpaque is the length of the shortest value that may be a document.
const leastOpaque = 16

func newLookout(d *deid.Detector, columns []table.Column) *lookout {
	l := &lookout{detector: d, columns: map[string]*keptColumn{}}
	for _, c := range columns {
		if c.Role == table.RoleKeep && (c.Text || c.Int) {
			l.columns[c.Path] = &keptColumn{met: map[string]bool{}, words: c.Text}
		}
	}
	return l
}

// words reports whether any of the columns holds strings.
func (l *lookout) words() bool {
	for _, c := range l.columns {
		if c.words {
			return true
		}
	}
	return false
}

// look counts what stands in a row's values; known says which of them hold
// a known identifier of the row's patient.
func (l *lookout) look(values []table.Kept, known []bool) {
	for i, v := range values {
		c := l.columns[v.Column]
		if known[i] {
			c.counts.Known++
		}
		if deid.CompactDay(v.Value) {
			c.counts.Days++
		}
		if !c.words || !utf8.ValidString(v.Value) { // bytes that are no text
			continue
		}
		if len(v.Value) >= leastOpaque && view.Opaque(v.Value) {
			c.counts.Opaque++
		}
		number, met := c.met[v.Value]
		if !met {
			number = l.detector.Numbers(v.Value)
			if len(c.met) < keptMemory {
				c.met[v.Value] = number
			}
			if len(c.sample) < keptSample {
				c.sample = append(c.sample, v.Value)
			}
		}
		if number {
			c.counts.Numbers++
		}
	}
}

// counts returns what was seen, once the taggers have looked at the samples.
func (l *lookout) counts() (map[string]schemas.ColumnCounts, error) {
	all := map[string]schemas.ColumnCounts{}
	for _, path := range sortedKeys(l.columns) {
		c := l.columns[path]
		names, err := l.detector.Names(c.sample)
		if err != nil {
			return nil, err
		}
		c.counts.Sampled, c.counts.Names = int64(len(c.sample)), int64(names)
		all[path] = c.counts
	}
	return all, nil
}

// LookAtKept looks at the first n values of each kept column of a file, as the job
// does at all of them, but for known identifiers. It returns why the job would
// publish nothing if the others are like them, a line for each reason.
func LookAtKept(ctx context.Context, cfg Config, file string, columns []table.Column, n int) (why []string, err error) {
	e, err := engineFor(ctx, cfg)
	if err != nil {
		return nil, err
	}
	l := newLookout(e.detector, columns)
	columns = slices.DeleteFunc(slices.Clone(columns), func(c table.Column) bool { return l.columns[c.Path] == nil })
	samples, err := SampleColumns(ctx, file, columns, n)
	if err != nil {
		return nil, err
	}
	for i, c := range columns {
		for _, value := range samples[i].Values {
			l.look([]table.Kept{{Column: c.Path, Value: value}}, []bool{false})
		}
	}
	r := Report{Counts: schemas.NewCounts()}
	if r.Counts.Columns, err = l.counts(); err != nil {
		return nil, err
	}
	for i, c := range columns {
		counts := r.Counts.Columns[c.Path]
		counts.Values = int64(len(samples[i].Values))
		r.Counts.Columns[c.Path] = counts
	}
	return cfg.Gates.check(&r, false, cfg.Columns.Textless), nil
}
