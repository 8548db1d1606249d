// Package dates reads one date expression of a clinical note, moves it by a
// number of days and prints it again in its own form: the same parts, order,
// padding, case and separators. A part that was not written is never printed
// and never taken from a clock.
//
// Parse finds the parts, Form.Shift resolves what is missing against a
// Reference and prints the moved date, and the function Shift does both. All
// arithmetic is on days since 1970-01-01 in the proleptic Gregorian calendar.
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
//   - Two-digit years: from 94 years before the note's year to 5 after. Without a
//     note date 69-99 are 1969-1999 and 00-68 are 2000-2068, as in POSIX.
//   - No note date: the note counts as written on 2000-09-30, so a date without a
//     year falls into 2000, which has a 29 February.
//   - Month alone or month and year: its 15th day. Season: the 15th of January,
//     April, July or October, and a winter has the year of its January. Year: its
//     183rd day. Decade: 1 January of its sixth year. So small shifts keep a year.
//   - Order of 3/4/2014: a number over 12 decides; else the reference; else day
//     first with full stops and month first with anything else.
//   - Holidays are days: "Christmas 2014" is moved from 2014-12-25 and printed as
//     month and day ("May 7 2015"), so that no holiday betrays the true day.
//   - Weekdays move by the shift modulo seven, whatever date they stand with.
//
// Not read, and so refused by Parse: lunar holidays, quarters ("Q1 2014"),
// letters read for digits ("O3/l4/2014"), languages other than English.
//
// Everything here is safe for concurrent use.
package dates
