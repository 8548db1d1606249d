package dates

// Named is the name of a holiday in a text, from byte Start to End.
type Named struct {
	Start, End int
	of         int
}

// In returns the holiday's day in a year, in days since 1970-01-01. ok is false
// where nothing here tells it.
func (n Named) In(year int) (day int, ok bool) { return holidays[n.of].dayIn(year) }

// Holidays returns the names of holidays that stand in a text, in order.
func Holidays(text string) (all []Named) {
	for i := 0; i < len(text); i++ {
		if i > 0 && letterAt(text, i-1) || !letterAt(text, i) {
			continue
		}
		if h, end, ok := matchHoliday(text, i); ok {
			all = append(all, Named{i, end, h})
			i = end - 1
		}
	}
	return all
}
