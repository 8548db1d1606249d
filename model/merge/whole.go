package merge

import (
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// whole makes the spans of dates those that can be moved: parts of one date
// become one span ("Nov 30" and "'07"), an hour that was taken for a year goes
// ("14 March 09" before ":40"), and so does what is no part of a date ("mid-") and
// what is no date of the patient's ("AJCC 2017").
// spans are disjoint and in order; their array is used again.
func whole(text string, spans []phi.Span, o Options) []phi.Span {
	out := spans[:0]
	for _, s := range spans {
		if s.Type != phi.Date {
			if !issuing(text, s) {
				out = append(out, s)
			} else if o.Trace != nil {
				o.Trace(phi.Event{Step: "merge", Before: s, Why: "it publishes what the year behind it is of"})
			}
			continue
		}
		before := s
		s.End = clockless(text, s)
		why := ""
		switch {
		case s.Tagger == phi.Network && dates.Idle(text[s.Start:s.End]):
			why = "it names no date"
		case s.Tagger != phi.Known && published(text, s):
			why = "it is the year of a guideline, journal or edition"
		}
		if why != "" {
			if o.Trace != nil {
				o.Trace(phi.Event{Step: "merge", Before: before, Why: why})
			}
			continue
		}
		if n := len(out); n > 0 && joined(text, out[n-1], s) {
			if o.Trace != nil {
				o.Trace(phi.Event{Step: "merge", Before: before, After: out[n-1], Why: "it is part of the date before it"})
			}
			out[n-1].End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}

// clockless returns where a date ends without the hour of a time of day that was
// taken for its year: "14 March 09" before ":40".
func clockless(text string, s phi.Span) int {
	if s.End+2 >= len(text) || strings.IndexByte(":.", text[s.End]) < 0 || !digit(text[s.End+1]) || !digit(text[s.End+2]) ||
		s.End+3 < len(text) && digit(text[s.End+3]) {
		return s.End
	}
	date := text[s.Start:s.End]
	rest := strings.TrimRight(date, "0123456789")
	if n := len(date) - len(rest); n == 0 || n > 2 || !strings.HasSuffix(rest, " ") {
		return s.End
	}
	rest = strings.TrimRight(rest, " ,@")
	short, ok := dates.Read(rest)
	if long, read := dates.Read(date); !ok || read && long.Years <= short.Years {
		return s.End
	}
	return s.Start + len(rest)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// widest is how many bytes at most lie between parts of a date: " through ".
const widest = 9

// joined reports whether two spans of dates are one date, or a range of which
// one end cannot be read without the other.
func joined(text string, a, b phi.Span) bool {
	if a.Type != phi.Date || b.Start-a.End > widest || strings.Contains(text[a.End:b.Start], "\n") {
		return false
	}
	return oneDate(text[a.Start:b.End], text[a.Start:a.End], text[b.Start:b.End])
}

// oneDate reports whether a date that was found in parts must stay whole to be
// moved: one of the parts cannot be read alone, it is a single date of which no
// part is a weekday, or a range whose ends lend each other a year.
func oneDate(date string, parts ...string) bool {
	all, ok := dates.Read(date)
	if !ok {
		return false
	}
	for _, p := range parts {
		if r, ok := dates.Read(p); !ok && !weekday(p) || ok && !r.Named {
			return true
		}
	}
	if all.Dates == 1 {
		return !slices.ContainsFunc(parts, weekday)
	}
	return all.Years > 0 && all.Years < all.Dates && all.Days && slices.ContainsFunc(ranges,
		func(r string) bool { return strings.Contains(date, r) })
}

// ranges stand between the ends of a range, and not of a list.
var ranges = []string{"-", "\u2013", " to ", " thru ", " through ", " until ", " al ", " a ", " hasta "}

// weekday reports whether a text is a date that names nothing but weekdays.
func weekday(s string) bool {
	_, err := dates.Parse(s, dates.Reference{})
	_, ok := dates.Read(s)
	return err == nil && !ok
}
