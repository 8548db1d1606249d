package deid

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Rows is what the rows of a table without texts, such as visits or laboratory
// values, say of one patient. A Note that has them stands for all of the patient's
// rows in one place; it has no document and no texts. They tell until when the
// patient was seen, and so who is older than ages may say, and nothing else: what
// is known of a patient's names does not depend on how many rows there are.
type Rows struct {
	Count int
	Days  []int // that stand in them, but for those of birth: distinct and sorted, of many the ends
	Born  bool  // a day of birth stands in them
	Birth int   // the first that does
}

// endDays is how many days are kept at either end of many. Slips are told by the
// days next to them.
const endDays = 4

// AddDay enters a day that stands in a row. Stand-ins say nothing.
func (r *Rows) AddDay(day int) {
	if !PlausibleDay(day) {
		return
	}
	if i, there := slices.BinarySearch(r.Days, day); !there {
		if r.Days = slices.Insert(r.Days, i, day); len(r.Days) > 2*endDays {
			r.Days = slices.Delete(r.Days, endDays, endDays+1)
		}
	}
}

// AddBirth enters a day of birth that stands in a row.
func (r *Rows) AddBirth(day int) {
	if PlausibleDay(day) && (!r.Born || day < r.Birth) {
		r.Born, r.Birth = true, day
	}
}

// add enters what other rows of the patient say.
func (r *Rows) add(o *Rows) {
	for _, d := range o.Days {
		r.AddDay(d)
	}
	if o.Born {
		r.AddBirth(o.Birth)
	}
}

// withoutRows returns the notes that are notes, and all rows together, nil where
// there are none.
func withoutRows(notes []*Note) ([]*Note, *Rows) {
	var rows *Rows
	all := notes
	for _, n := range all {
		if n.Rows == nil {
			continue
		}
		if rows == nil {
			rows, notes = &Rows{}, slices.DeleteFunc(slices.Clone(all), func(n *Note) bool { return n.Rows != nil })
		}
		rows.add(n.Rows)
	}
	return notes, rows
}

// seen finds until when the patient was seen, as notes and rows together tell. Of
// somebody of whom no day is known, that is the extract's end: nobody can have been
// older there than then.
func (p *Plan) seen(days []int, rows *Rows, end int) {
	p.Seen, p.Last = p.Dated, p.Latest
	if rows == nil {
		return
	}
	q := *p
	q.settle(slices.Concat(days, rows.Days), end)
	switch {
	case q.Dated && (!p.Seen || q.Latest > p.Last):
		p.Seen, p.Last = true, q.Latest
	case !p.Seen && end != 0:
		p.Seen, p.Last = true, end
	}
}

// ForRows returns what of a plan rows without texts need: the days, and what is
// known beforehand of the patient, which must not stand in what is kept.
func (p *Plan) ForRows() Plan {
	q := *p
	q.Names, q.Pairs, q.Observed = nil, nil, nil
	for _, s := range p.Observed {
		if s.Tagger == phi.Known {
			q.Observed = append(q.Observed, s)
		}
	}
	return q
}

// DayOf reads a date in a column of strings, in one of the forms that texts have; birth
// says that it is one of birth. One that cannot be read without a panic says no day.
func (s Settings) DayOf(date string, birth bool) (day int, ok bool) {
	spared("day", date, func() {
		ref := (&Plan{}).reference(s, &Note{})
		ref.Birth = birth
		day, ok = dates.ParseDays(date, ref)
	})
	return day, ok
}
