package dates

// Holidays of other calendars.

// hebrewEpoch is 1 Tishri of the year 1, 7 October 3761 BC of the Julian
// calendar, in days since 1970-01-01.
const hebrewEpoch = -2092590

// hebrewElapsed returns the days from hebrewEpoch to 1 Tishri of a year, after
// Reingold and Dershowitz, Calendrical Calculations.
func hebrewElapsed(year int) int {
	months := floorDiv(235*year-234, 19)
	parts := 12084 + 13753*months
	day := 29*months + floorDiv(parts, 25920)
	if mod(3*(day+1), 7) < 3 {
		day++
	}
	return day
}

// roshHashanah returns the day of 1 Tishri of a Hebrew year.
func roshHashanah(year int) int {
	before, this, next := hebrewElapsed(year-1), hebrewElapsed(year), hebrewElapsed(year+1)
	delay := 0
	switch {
	case next-this == 356:
		delay = 2
	case this-before == 382:
		delay = 1
	}
	return hebrewEpoch + this + delay
}

// hebrew returns the day of a Gregorian year that lies offset days after Rosh
// Hashanah of that autumn, or for spring holidays before it: from Purim to
// Rosh Hashanah no month varies in length. Hanukkah alone depends on the
// length of the year.
func hebrew(year, offset int, hanukkah bool) int {
	h := year + 3761 // begins in the autumn of year
	first := roshHashanah(h)
	if !hanukkah {
		return first + offset
	}
	// 25 Kislev: Tishri has 30 days, Heshvan 29 or in complete years 30.
	day := 30 + 29 + 24
	if length := roshHashanah(h+1) - first; length%10 == 5 {
		day++
	}
	return first + day
}

// islamic returns the first day in a Gregorian year that is the given day and
// month of the tabular Islamic calendar (civil epoch, leap years 2, 5, 7, 10,
// 13, 16, 18, 21, 24, 26 and 29 of 30). The sighting of the moon moves the
// true day by one or two.
func islamic(year, month, day int) int {
	h := floorDiv((year-622)*33, 32) - 1
	start := DaysFromCivil(year, 1, 1)
	for ; ; h++ {
		d := (h-1)*354 + floorDiv(3+11*h, 30) + 29*(month-1) + month/2 + day + islamicEpoch
		if d >= start {
			return d
		}
	}
}

// islamicEpoch is the day before 1 Muharram of the year 1: 15 July 622 of the
// Julian calendar.
const islamicEpoch = -492149

// table holds a holiday's days as letters, one for each year from first on:
// days after the given month and day, in the order of digits.
type table struct {
	first, month, day int
	letters           string
}

const tableDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// The tables hold what governments announced or astronomers computed; the
// years that they lack are refused.
var (
	// Lunar New Year of 1901 to 2099 in China, after the tables of the Hong Kong
	// Observatory as the Python library holidays 0.62 has them.
	lunarNewYear = &table{1901, 1, 20, "UJ9RF5OD2LATH6PE3MCVJ8RG4OD3LASH6PF4MBUJ7QG5OD2L9SH7PE4NBTJ8QG5OD1KASH7QE3MBTI8RG5ODVK9SH7QF3LBUI8" +
		"RG4NC2K9TI6PE3LBUJ8RG5NC2L9SH6OE3MBUJ8QF4NC2LASH6PD3MCUJ8QF4ND1K9SG6PE3MBUI7QG4ND2K9SH6PE4LATI7QG5NC1"}
	// Diwali of 2001 to 2035 as kept in India, from holidays 0.109.
	diwali = &table{2001, 10, 12, "XNDVK9SG5OEWMBUI7QFXNCVJ8RH5OEXLATI"}
	// Holi of 2001 to 2035 in India, the Mid-Autumn Festival of 2008 to 2050 in China,
	// and Matariki of 2022 to 2052: from holidays 0.109.
	holi      = &table{2001, 3, 1, "9SH6OE3KA0I7QG5NC1K9SH7OD3LA0J8PF4M"}
	midAutumn = &table{2008, 9, 8, "6PE4MB0J7QG5ND2L9SH7PE4NB0J8QG5OC2K9RH7QE3M"}
	matariki  = &table{2022, 6, 20, "4O80K5OG1LC4H9SK5PGTLD4H9TD5PA1"}
	// The Super Bowl: the first Sunday of February, from 2022 on the second.
	superBowl = &table{2004, 2, 1, "054320654210643216CBA87DCA987CBA97DCB987DBA98DCBA87DCA987"}
)

func (t *table) days(year int) (int, bool) {
	i := year - t.first
	if i < 0 || i >= len(t.letters) {
		return 0, false
	}
	for n := range len(tableDigits) {
		if tableDigits[n] == t.letters[i] {
			return DaysFromCivil(year, t.month, t.day) + n, true
		}
	}
	return 0, false
}
