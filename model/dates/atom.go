package dates

type atomKind byte

// The kinds are letters, so that a run of atoms reads as a shape ("WnMy").
const (
	atomNumber      atomKind = 'n' // one or two digits
	atomYear        atomKind = 'y' // four digits
	atomYearWord    atomKind = 'Y' // two thousand nine
	atomApostrophe  atomKind = 'a' // '14
	atomDecade      atomKind = 'D' // 1970s, 80s
	atomOrdinal     atomKind = 'o' // 4th
	atomOrdinalWord atomKind = 'O' // fourth
	atomMonth       atomKind = 'M'
	atomWeekday     atomKind = 'W'
	atomSeason      atomKind = 'S'
	atomQuarter     atomKind = 'Q' // Q1, 1Q, first quarter
	atomHoliday     atomKind = 'H'
)

// role is what an atom stands for.
type role uint8

const (
	roleNone role = iota
	roleYear
	roleMonth
	roleDay
	roleFirst  // first of two numbers whose order is open
	roleSecond // second of them
	roleBare   // a number alone, known only from its neighbours
	roleWeekday
	roleSeason
	roleQuarter
	roleDecade
	roleHoliday
	roleYearTo // the 14 of winter 2013-14
	numRoles
)

// atom is one part of an expression that a shift may change.
type atom struct {
	kind       atomKind
	role       role
	fixed      bool // cut out of a run of digits: its width never changes
	suffix     int8 // bytes behind an ordinal's digits
	owner      int8 // index of its end in the form
	start, end int16
	val        int32
	holiday    int16 // index into holidays
	spelling   *spelling
}

func (a *atom) width() int { return int(a.end - a.start) }

func letterAt(s string, i int) bool {
	return i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z')
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// Classes of gaps other than their own character ('/', '-', '.', ',').
const (
	gapNone  = '_' // nothing
	gapSpace = ' ' // blanks, brackets, soft words, times of day
	gapRange = 'R' // "to", "through", an en dash
	gapList  = 'L' // "and", "&"
)
