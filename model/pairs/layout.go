package pairs

import (
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// Finder says who took a pair for a date before it is judged.
type Finder uint8

// Who took a pair for a date.
const (
	Nobody Finder = iota
	Rules
	Network
)

// Opinion is what others think of a pair.
type Opinion struct {
	Chance float32 // that the network gives a date, from 0 to 1
	Told   bool    // whether it gives one
	By     Finder
}

// Note is a text and what is known of it.
type Note struct {
	Text     string
	Ref      dates.Reference
	Pairs    []Group   // of the text, in order, without runs
	Opinions []Opinion // of each
	Days     []int     // of the text's dates that are no pairs, ascending, in days since 1970-01-01
	// Elsewhere reports whether a surface is a date in the patient's notes; nil for never.
	Elsewhere func(surface string) bool
}

// Features are what a pair is judged by; Name names each.
type Features [Count]float64

// near are bounds, in days, of how near a day lies.
var near = [...]int{1, 3, 14, 31, 92, 183}

// seconds are second numbers that much is counted out of, or little.
var seconds = [...]int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 24, 28, 30}

// Where each feature stands among Features. Leads are the network's odds, in nats.
const (
	atBias     = iota
	atUntold   // no network tells a chance
	atAbove    // a quarter of the lead where it is above 0
	atBelow    // and where it is below
	atFarBelow // and by how much it is below -4
	atRules    // a rule took the pair for a date
	atNetwork  // the network did, and tells no chance
	atNote     // how near its day lies to the note's: within each of near, or farther
)

const (
	atNoNote = atNote + len(near) + 1 + iota // the note's day is not told
	atLater                                  // its day lies after the note's
	atDates                                  // how near its day lies to another date of the text
)

const (
	atNoDates   = atDates + len(near) + 1 + iota // there is none
	atOrder                                      // it is a day only in the other order than the note's
	atNoDay                                      // it is a day in no order
	atClear                                      // a number is above 12
	atFraction                                   // below one
	atWhole                                      // both numbers are the same
	atZeroA                                      // the first begins with 0
	atZeroB                                      // the second does
	atDash                                       // 2-4, 4-2
	atRange                                      // 2-4
	atSame                                       // the same pair stands elsewhere in the text and is a date
	atElsewhere                                  // it is a date in the patient's notes
	atAlike                                      // a quarter of the highest lead of pairs that stand alike in a clause beside its own
	atScale                                      // how many pairs with the same second number are no dates: 1 for three and more
	atStart                                      // of a line
	atSentence                                   // behind a full stop or a semicolon
	atComma                                      // behind a comma
	atBracket                                    // behind a bracket
	atEvent                                      // behind what takes place on a day
	atLabel                                      // behind a colon
	atSum                                        // behind = or >
	atColumn                                     // stands in a column
	atEnds                                       // a clause ends behind it
	atColon                                      // before a colon
	atOpen                                       // 2/4-
	atDigits                                     // a number follows
	atNumber                                     // a number goes before
	atUnit                                       // it counts what follows: 2-3 weeks
	atEquals                                     // a value follows
	atBetween                                    // its day lies between those of the dates before and behind it
	atMean                                       // a quarter of the mean lead of the text's pairs
	atSecond                                     // each of seconds
)

// Count is the number of features.
const Count = atSecond + len(seconds)

// Name returns the name of a feature, for tables.
func Name(i int) string {
	within := func(of string, k int) string {
		if k < len(near) {
			return fmt.Sprintf("%s within %d days", of, near[k])
		}
		return fmt.Sprintf("%s farther than %d days", of, near[len(near)-1])
	}
	switch {
	case i >= atNote && i < atNoNote:
		return within("note", i-atNote)
	case i >= atDates && i < atNoDates:
		return within("date", i-atDates)
	case i >= atSecond:
		return fmt.Sprintf("second number %d", seconds[i-atSecond])
	}
	return called[i]
}

// called names the features that stand alone.
var called = map[int]string{
	atBias:      "bias",
	atUntold:    "no chance told",
	atAbove:     "lead above 0",
	atBelow:     "lead below 0",
	atFarBelow:  "lead below -4",
	atRules:     "found by a rule",
	atNetwork:   "found by the network",
	atNoNote:    "note's day not told",
	atLater:     "after the note's day",
	atNoDates:   "no other date",
	atOrder:     "a day in the other order",
	atNoDay:     "no day",
	atClear:     "a number above 12",
	atFraction:  "fraction below one",
	atWhole:     "same numbers",
	atZeroA:     "zero before the first",
	atZeroB:     "zero before the second",
	atDash:      "dash",
	atRange:     "dash, ascending",
	atSame:      "a date elsewhere in the text",
	atElsewhere: "a date elsewhere in the patient's notes",
	atAlike:     "clause beside it",
	atScale:     "scale",
	atStart:     "starts a line",
	atSentence:  "behind a full stop",
	atComma:     "behind a comma",
	atBracket:   "behind a bracket",
	atEvent:     "behind an event",
	atLabel:     "behind a colon",
	atSum:       "behind = or >",
	atColumn:    "column",
	atEnds:      "clause ends",
	atColon:     "colon",
	atOpen:      "open range",
	atDigits:    "before a number",
	atNumber:    "behind a number",
	atUnit:      "counts",
	atEquals:    "before =",
	atBetween:   "between dates",
	atMean:      "mean lead",
}
