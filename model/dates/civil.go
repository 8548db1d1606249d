package dates

// minYear and maxYear bound the years that are read and printed. Year 0 and
// year 9999 are what tables write for "unknown".
const (
	minYear = 1
	maxYear = 9998
)

// DaysFromCivil returns the days from 1970-01-01 to a date of the proleptic
// Gregorian calendar. The date must be valid; see Valid.
func DaysFromCivil(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	yearOfEra := year - era*400
	dayOfYear := (153*(month-3)+2)/5 + day - 1 // from 1 March
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

// CivilFromDays is the inverse of DaysFromCivil.
func CivilFromDays(days int) (year, month, day int) {
	days += 719468
	era := floorDiv(days, 146097)
	dayOfEra := days - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	m := (5*dayOfYear + 2) / 153
	day = dayOfYear - (153*m+2)/5 + 1
	year = yearOfEra + era*400
	if month = m + 3; month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// Valid reports whether a date exists and its year lies in 1-9998.
func Valid(year, month, day int) bool {
	return year >= minYear && year <= maxYear && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// weekday returns 0 for Sunday to 6 for Saturday.
func weekday(days int) int { return mod(days+4, 7) }

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func mod(a, b int) int { return a - floorDiv(a, b)*b }
