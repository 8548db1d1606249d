package dates

// Policy says which rules beside the day arithmetic a shift keeps. Full dates
// move by the days alone under each.
type Policy uint8

const (
	// Plain moves everything by the days.
	Plain Policy = iota
	// Weekday is Plain for shifts by whole weeks: weekday names stay as they are.
	Weekday
	// Season is for shifts by whole weeks near whole years. Seasons keep their names
	// mostly, and within two weeks of whole years months do; within 4 days a holiday
	// keeps its name where the same holiday lies as near to the moved day.
	Season
)

// yearDaysTimes400 is 400 mean Gregorian years, in days.
const yearDaysTimes400 = 146097

// wholeYears returns the number of years that days are near to, and whether
// they are: within 4 days of a number of years other than 0.
func wholeYears(days int) (years int, ok bool) {
	years = floorDiv(400*days+yearDaysTimes400/2, yearDaysTimes400)
	rest := 400*days - years*yearDaysTimes400
	return years, years != 0 && rest >= -4*400 && rest <= 4*400
}

// KeepsMonthDay reports whether a shift can leave month and day as they are:
// whether days are the distance between the same days of two years. A date
// without a year then tells its true month and day; draw another shift.
func KeepsMonthDay(days int) bool {
	if days < 0 {
		days = -days
	}
	years := (400*days + yearDaysTimes400/2) / yearDaysTimes400
	leap := days - 365*years
	// Of so many years in a row every fourth is a leap year; long shifts may
	// cross a century that is none.
	least := years / 4
	if years >= 40 {
		least -= (years + 99) / 100
	}
	return leap >= least && leap <= (years+3)/4
}
