package transforms

import (
	"context"
	"crypto/sha256"
	"slices"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
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
	met    map[[16]byte]met // values met, by their hashes: a value may be a document
	sample []string         // the first different ones
	words  bool             // the column holds strings
}

// met is what was seen in a value.
type met struct{ number, day, opaque bool }

const (
	keptSample = 200     // different values of a column and shard that the taggers look at
	keptMemory = 1 << 16 // different values whose result is remembered
)

// leastOpaque is the length of the shortest value that may be a document.
const leastOpaque = 16

func newLookout(d *deid.Detector, columns []table.Column) *lookout {
	l := &lookout{detector: d, columns: map[string]*keptColumn{}}
	for _, c := range columns {
		if c.Role == table.RoleKeep && (c.Text || c.Int || c.Number) {
			l.columns[c.Path] = &keptColumn{met: map[[16]byte]met{}, words: c.Text}
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
		seen := met{day: deid.CompactDay(v.Value)}
		if c.words {
			seen = l.see(c, v.Value)
		}
		if seen.day && !l.datesStay() {
			c.counts.Days++
		}
		if seen.opaque {
			c.counts.Opaque++
		}
		if seen.number {
			c.counts.Numbers++
		}
	}
}

// see looks at a string of a column. What is no text is as good as a document that
// nobody can look into.
func (l *lookout) see(c *keptColumn, value string) met {
	sum := sha256.Sum256([]byte(value))
	key := [16]byte(sum[:16])
	seen, ok := c.met[key]
	if ok {
		return seen
	}
	if utf8.ValidString(value) {
		seen.number, seen.day = l.detector.Numbers(value), deid.Day(value)
		seen.opaque = len(value) >= leastOpaque && view.Opaque(value)
		if len(c.sample) < keptSample {
			c.sample = append(c.sample, value)
		}
	} else {
		seen.opaque = true
	}
	if len(c.met) < keptMemory {
		c.met[key] = seen
	}
	return seen
}

// datesStay reports whether dates are released as they are, so that one in a column
// that is kept tells nothing.
func (l *lookout) datesStay() bool {
	return l.detector.Settings.Surrogates.Policy.DateColumns == surrogate.Keep
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
