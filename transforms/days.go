package transforms

import (
	"slices"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// supplyOffset reads the offset that the table supplies for a note. A note
// without a usable one is not processed: a keyed offset in its place would
// differ from the patient's other notes.
func (e *engine) supplyOffset(n *schemas.Note, value table.ID) {
	if e.cfg.Columns.DateOffset == "" || n.Failure != "" {
		return
	}
	days, err := strconv.Atoi(value.Text)
	if value.Null || err != nil || days == 0 || (surrogate.Options{FixedOffset: days}).Check() != nil {
		n.Failure = ReasonDateOffset
		return
	}
	n.Offset = days
}

// Years in which notes are written. Public corpora whose dates were moved lie
// as late as 2210.
const (
	firstYear = 1900
	lastYear  = 2299
)

// plausible reports whether a note may have been written on a day, in days
// since 1970-01-01: stand-ins such as 9999-12-31 say nothing.
func plausible(day int) bool {
	year, _, _ := dates.CivilFromDays(day)
	return !dates.IsSentinel(day) && year >= firstYear && year <= lastYear
}

// calendar is what a patient's notes say together of dates.
type calendar struct {
	days   []int // that they were written on
	offset int   // supplied; 0 for none
	clash  bool  // two supplied offsets differ
}

func (c *calendar) add(n *schemas.Note) {
	if n.Dated {
		c.days = append(c.days, n.Day)
	}
	if n.Offset != 0 {
		c.clash = c.clash || c.offset != 0 && c.offset != n.Offset
		c.offset = n.Offset
	}
}

// apart is how far, in days, the last day of a patient's notes may lie behind
// all others: 30 years of 365 days. What lies further is taken for a slip, such
// as 2091 for 2019: it would make everybody born before 2001 older than 89 and
// move their dates of birth. Records with a gap of 30 years are rare, and the
// bound is no lower as a true last day that is left out may let an age above
// 89 be told by subtraction.
const apart = 30 * 365

// latest returns the last day that one of the notes was written on. With two
// days alone nobody can say which is the slip, so the later stands.
func (c *calendar) latest() (day int, dated bool) {
	days := slices.Clone(c.days)
	slices.Sort(days)
	days = slices.Compact(days)
	n := len(days)
	for n > 2 && days[n-1]-days[n-2] > apart {
		n--
	}
	if n == 0 {
		return 0, false
	}
	return days[n-1], true
}

// writtenOn returns the day that partial dates of a note are read by, if it is
// known: none that is no day of notes, or later than what resolve found to be
// the patient's latest.
func writtenOn(row *table.Row, p *schemas.Patient) (day int, ok bool) {
	day = int(row.NoteDate)
	if !row.HasDate || !plausible(day) || p.Dated && day > p.Latest {
		return 0, false
	}
	return day, true
}

// failure returns why a note cannot be released: its own reason, or that its
// patient has more than one offset.
func (c *calendar) failure(n *schemas.Note) string {
	if n.Failure == "" && c.clash {
		return ReasonDateOffset
	}
	return n.Failure
}

// maxAddresses bounds what is kept of a patient's addresses.
const maxAddresses = 64

// addresses returns the census's addresses and those that notes give by a city,
// a state and perhaps a ZIP code side by side, so that their surrogates can lie
// together: "Kearny, NJ 07032".
func addresses(rows []table.Identifiers, notes map[int][]*schemas.Note) []schemas.Surface {
	set := map[string]bool{}
	for _, r := range rows {
		for _, a := range r.Addresses {
			set[a] = true
		}
	}
	for _, of := range notes {
		for _, n := range of {
			for i, s := range n.Spans {
				if s.Type != phi.City {
					continue
				}
				at := s.Surface
				if state, ok := follows(n.Spans[i+1:], s, phi.State); ok {
					at += ", " + state.Surface
					if zip, ok := follows(n.Spans[i+1:], state, phi.ZIP); ok {
						at += " " + zip.Surface
					}
				} else if zip, ok := follows(n.Spans[i+1:], s, phi.ZIP); ok {
					at += ", " + zip.Surface
				} else {
					continue
				}
				set[at] = true
			}
		}
	}
	all := make([]schemas.Surface, 0, len(set))
	for a := range set {
		all = append(all, schemas.Surface{Type: phi.City, Text: a})
	}
	slices.SortFunc(all, func(a, b schemas.Surface) int { return strings.Compare(a.Text, b.Text) })
	return all[:min(len(all), maxAddresses)]
}

// follows returns the span of a type that begins within three bytes after s.
func follows(after []schemas.Span, s schemas.Span, t phi.Type) (schemas.Span, bool) {
	for _, o := range after {
		if o.Column != s.Column || o.Start > s.End+3 {
			break
		}
		if o.Type == t && o.Start > s.End {
			return o, true
		}
	}
	return schemas.Span{}, false
}
