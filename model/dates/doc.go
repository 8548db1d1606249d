// Package dates reads one date expression of a clinical note, in English or
// Spanish, moves it by a number of days and prints it again in its own form:
// the same parts, order, padding, case and separators. A part that was not
// written is never printed and never taken from a clock.
//
// Parse reads an expression in the light of a Reference (the note's own date,
// the order of day and month, the language) and resolves what is missing.
// Form.Shift moves and prints it under a Policy; Form.SafeHarbor reduces it to
// its year; the function Shift does the first two at once. All arithmetic is on
// days since 1970-01-01 in the proleptic Gregorian calendar. Times of day and
// zones stay byte for byte.
//
// # What Parse refuses
//
// ErrSentinel for what tables write for "unknown" (00/00/0000, 9/9/9999,
// 01/01/1900, 12/31/9999), ErrImpossible for days that do not exist (31
// February), ErrRelative for what is no date at all ("tomorrow", POD#3, "x 2
// weeks", "3/5 strength"), and ErrUnreadable for the rest. Only what ErrRelative
// names may stay as it is without a policy that says so.
//
// # What is missing, and how it is filled
//
// These rules decide which day is moved; none of them adds a part.
//
//   - No year ("3/4", "March 4", "Thanksgiving"): the latest such day that is at
//     most 92 days after the note. Notes speak of the past, and of the next
//     visit. Within a range or list the other ends' years come first: 12/28-1/3
//     and 12/28-1/3/2015 both cross a New Year.
//   - No month ("the 4th"): the latest such day at most 15 days after the note.
//   - Two-digit years: from 94 years before the note's year to 5 after; a date of
//     birth from 99 years before, and never after the note. Without a note date
//     69-99 are 1969-1999 and 00-68 are 2000-2068, as in POSIX, and births fall
//     into 1930-2029. A moved year that the moved note would read as of another
//     century is refused with ErrOutOfRange.
//   - No note date: the note counts as written on 2000-09-30, so a date without a
//     year falls into 2000, which has a 29 February.
//   - Order of 3/4/2014: a number over 12 decides; else the reference, by its
//     DayFirst, which Evidence finds in the patient's notes; else by its Usual, and
//     without one day first with full stops and month first with anything else.
//     Form.Ambiguous tells the last two.
//   - Runs of digits: yyyymmdd, with or without a time; mmddyyyy and ddmmyyyy by the
//     order above; six digits only where the order is declared or a single one is
//     possible.
//   - O3/l4/2O14: letters that look like digits are read as digits in a date that
//     has a year, and come out as digits when it moves.
//   - Passover, Rosh Hashanah and the like follow the Hebrew calendar (the day
//     after the eve). Islamic days follow the tabular calendar, which differs from
//     the sighting of the moon by one or two days; the first one in a year counts.
//     Lunar New Year has a table of 1901-2099, Diwali of 2001-2035. A year
//     beyond a table is refused.
//
// # What names no day
//
// Full dates, and dates without a year, move by the days under every policy, so
// intervals are exact. What names a stretch of time moves as the middle of it
// does, and is printed as the stretch that the middle falls into:
//
//	month, month and year   its 15th day
//	quarter                 15 February, May, August or November
//	season                  15 January, April, July or October; a winter has the year of its January
//	year                    its 183rd day
//	decade                  1 January of its sixth year
//	weekday                 moves by the shift modulo seven
//	holiday                 is a day, and is printed as one
//
// Under policies Plain and Weekday a shift of up to half a stretch leaves its
// name as it was: up to 182 days for most years, 15 for a month, about 45 for a
// season or quarter, 5 years for a decade. That is meant: the middle is the best
// guess, and years are shown by Safe Harbor as well. But whoever sees the output
// learns from such a name the true stretch only if he knows that the shift was
// small, and learns nothing of the day. Where true years must not show, draw
// shifts of at least 183 days. A name at the edge can disagree with a full date:
// 30 March moved by 3 days is in April, and "in March" beside it is not.
//
// A holiday alone betrays the shift, so "Christmas 2014" becomes "May 7 2015",
// whatever the shift, and no holiday is put in place of another.
//
// Under policy Season the shift is a multiple of seven near whole years. Seasons
// then keep their names but at their edges, months do within two weeks of whole
// years, and years move by as many years, by the rules above. Where the shift lies
// within 4 days of them, a holiday keeps its name if the same holiday of the new
// year is as near, as fixed holidays are; others become days. Whoever finds
// the moved date of a holiday in the same text ("Christmas, 12/23") learns the
// days by which the shift misses whole years, not the years. With a shift of the
// other policies Season does as Plain.
//
// A shift of exactly 365 days would print 3/4 as 3/4. KeepsMonthDay finds such
// shifts; no policy should draw one.
//
// # Coming back
//
// A shift by 0 is the identity on every form. A shift and its opposite give the
// same day of a full date, and the same bytes where the style shows at every
// date: 12/25/14 moved into March does not tell 3/4/14 from 03/04/14, nor "May"
// a name from an abbreviation, nor "Sept." from "Sep.".
//
// Everything here is safe for concurrent use.
package dates
