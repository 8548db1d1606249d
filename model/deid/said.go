package deid

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// said returns the days, besides the note's own, that the age of span i may be of:
// those of dates with a year in its sentence, and so many years before the note
// ("six years ago he was 89").
func said(text string, spans []phi.Span, i int, ref dates.Reference) []int {
	const reach = 120 // bytes
	start := max(0, spans[i].Start-reach)
	if k := strings.LastIndexAny(text[start:spans[i].Start], "\n.;"); k >= 0 {
		start += k + 1
	}
	end := min(len(text), spans[i].End+reach)
	if k := strings.IndexAny(text[spans[i].End:end], "\n.;"); k >= 0 {
		end = spans[i].End + k
	}
	var days []int
	for k := i - 1; k >= 0 && spans[k].Start >= start; k-- {
		days = appendYear(days, text, spans[k], ref)
	}
	for k := i + 1; k < len(spans) && spans[k].End <= end; k++ {
		days = appendYear(days, text, spans[k], ref)
	}
	if ref.HasNoteDay {
		for _, years := range surrogate.YearsAgo(text[start:end]) {
			days = append(days, ref.NoteDay-years*1461/4)
		}
	}
	return days
}

func appendYear(days []int, text string, s phi.Span, ref dates.Reference) []int {
	if s.Type != phi.Date {
		return days
	}
	f, err := dates.Parse(text[s.Start:s.End], ref)
	if err != nil {
		return days
	}
	if day, ok := f.Earliest(); ok {
		days = append(days, day)
	}
	return days
}
