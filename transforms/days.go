package transforms

import (
	"slices"
	"strconv"
	"strings"

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

// calendar is what a patient's notes say together of dates.
type calendar struct {
	dated  bool
	latest int  // the last day that one of them was written on
	offset int  // supplied; 0 for none
	clash  bool // two supplied offsets differ
}

func (c *calendar) add(n *schemas.Note) {
	if n.Dated && (!c.dated || n.Day > c.latest) {
		c.dated, c.latest = true, n.Day
	}
	if n.Offset != 0 {
		c.clash = c.clash || c.offset != 0 && c.offset != n.Offset
		c.offset = n.Offset
	}
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
