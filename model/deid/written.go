package deid

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// WrittenOn returns the day on which a note was written: as the caller knows it,
// or else the middle one of the full dates that were found in it, the later of two,
// since the earlier may be of birth. It is good enough to see whether a
// table is in the order of its days. Dates that cannot be read without a panic say no day:
// whether the note is held back, Resolve decides.
func (s Settings) WrittenOn(n *Note) (day int, ok bool) {
	if n.Dated {
		return n.Day, true
	}
	var days []int
	ok = spared("written", n.Document, func() {
		ref := (&Plan{}).reference(s, n)
		for _, f := range n.Spans {
			if f.Type != phi.Date {
				continue
			}
			if d, ok := dates.ParseDays(f.Surface, ref); ok && PlausibleDay(d) {
				days = append(days, d)
			}
		}
	})
	if !ok || len(days) == 0 {
		return 0, false
	}
	slices.Sort(days)
	return days[len(days)/2], true
}
