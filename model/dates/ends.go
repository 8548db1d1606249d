package dates

// Day is one day that an expression names.
type Day struct {
	Day  int  // in days since 1970-01-01
	Year bool // its year is written
}

// EachDay returns the days of months that f names, those of holidays aside.
func (f Form) EachDay() []Day {
	if f.f == nil {
		return nil
	}
	if f.f.other != nil {
		if d, ok := f.f.other.days(); ok && f.f.other.full() {
			return []Day{{d, true}}
		}
		return nil
	}
	var all []Day
	for i := range f.f.ends {
		if e := &f.f.ends[i]; f.f.res[i].unit == unitDay && !e.has(roleHoliday) {
			all = append(all, Day{f.f.res[i].days, e.has(roleYear)})
		}
	}
	return all
}
