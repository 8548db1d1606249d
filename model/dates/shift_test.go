package dates

import (
	"testing"
)

func ref(y, m, d int) Reference {
	return Reference{NoteDay: DaysFromCivil(y, m, d), HasNoteDay: true}
}

// TestShift's note is of 2018-03-10 where it has a date. Expected values are
// calendar arithmetic: 28 days after 4 March is 1 April, and so on.
func TestShift(t *testing.T) {
	note := ref(2018, 3, 10)
	dmy, mdy := note, note
	dmy.DayFirst, mdy.DayFirst = Yes, No
	for _, c := range []struct {
		in   string
		days int
		ref  Reference
		want string
	}{
		// Numeric.
		{"3/4/2014", 28, note, "4/1/2014"},
		{"03/04/2014", 28, note, "04/01/2014"},
		{"3/4/14", 28, note, "4/1/14"},
		{"3-4-14", 28, note, "4-1-14"},
		{"03-04-2014", 28, note, "04-01-2014"},
		{"3.4.2014", 28, note, "1.5.2014"},
		{"3.4.2014", 28, mdy, "4.1.2014"},
		{"3/4/2014", 28, dmy, "1/5/2014"},
		{"25/3/2014", 28, mdy, "22/4/2014"},
		{"2014-03-04", 28, note, "2014-04-01"},
		{"2014/3/4", 28, note, "2014/4/1"},
		{"2014.03.04", -63, note, "2013.12.31"},
		{"99-12-31", 1, note, "00-01-01"},
		{"3 / 4 / 2014", 28, note, "4 / 1 / 2014"},
		{"3 4 2014", 28, note, "4 1 2014"},
		{"12/31/2014", 1, note, "1/1/2015"},
		{"02/29/2016", 365, note, "02/28/2017"},
		{"3/4-2014", 28, note, "4/1-2014"},
		{"3/4/'14", 28, note, "4/1/'14"},
		{"3/4", 28, note, "4/1"},
		{"03/04", 28, note, "04/01"},
		{"2/27", 2, ref(2016, 3, 10), "2/29"},
		{"2/27", 2, ref(2017, 3, 10), "3/1"},
		{"15/3", 28, note, "12/4"},
		{"4/2014", 28, note, "5/2014"},
		{"04/2014", -28, note, "03/2014"},
		{"4/85", 28, note, "5/85"},
		{"2014-12", 28, note, "2015-01"},
		{"2014/3", 28, note, "2014/4"},
		{"3/'14", 28, note, "4/'14"},
		{"10/17", 28, dmy, "11/17"}, // no month 17, and the day stands first: October 2017
		{"10/17-02/18", 28, dmy, "11/17-03/18"},
		{"10/17", 28, note, "11/14"},
		{"10/25", 28, dmy, "11/22"}, // no recent year
		{"22/10", 28, dmy, "19/11"},
		{"Apr. 20, 2014", 28, note, "May 18, 2014"},
		{"20.Apr.2014", 28, note, "18.May.2014"},
		{"July 4th weekend", 28, note, "August 1st weekend"},
		// ISO, HL7, run together.
		{"2014-03-04T10:15:00Z", 28, note, "2014-04-01T10:15:00Z"},
		{"2014-03-04T23:59:00.123-05:00", 28, note, "2014-04-01T23:59:00.123-05:00"},
		{"2014-03-04 10:15", 28, note, "2014-04-01 10:15"},
		{"20140304", 28, note, "20140401"},
		{"20140304T101500Z", 28, note, "20140401T101500Z"},
		{"20140304101500", 28, note, "20140401101500"},
		{"201403041015", 28, note, "201404011015"},
		{"20140304101500.123-0500", 28, note, "20140401101500.123-0500"},
		{"2014030410", 28, note, "2014040110"},
		{"03042014", 28, note, "04012014"},
		{"03042014", 28, dmy, "01052014"},
		{"030414", 28, mdy, "040114"},
		{"201403", 28, note, "201404"},
		{"04MAR2014", 28, note, "01APR2014"},
		{"2014-063", 365, note, "2015-063"},
		{"2014-W10-2", 7, note, "2014-W11-2"},
		{"2014W10", 7, note, "2014W11"},
		{"2015-W53-7", 1, note, "2016-W01-1"},
		{"3/4/14 10:15 PM", 28, note, "4/1/14 10:15 PM"},
		{"3/4/14 @ 1015", 28, note, "4/1/14 @ 1015"},
		{"10:15 on 3/4/14", 28, note, "10:15 on 4/1/14"},
		{"March 4, 2014 at 3pm", 28, note, "April 1, 2014 at 3pm"},
		// Words.
		{"March 4, 2014", 28, note, "April 1, 2014"},
		{"march 4 2014", 28, note, "april 1 2014"},
		{"MARCH 4, 2014", 28, note, "APRIL 1, 2014"},
		{"4 Mar 14", 28, note, "1 Apr 14"},
		{"Mar-04-2014", 28, note, "Apr-01-2014"},
		{"04-MAR-14", 28, note, "01-APR-14"},
		{"Mar. 4, 2014", 28, note, "Apr. 1, 2014"},
		{"Mar.4,2014", 28, note, "Apr.1,2014"},
		{"4th of March", 28, note, "1st of April"},
		{"the 4th of March, 2014", 28, note, "the 1st of April, 2014"},
		{"March 4TH", 28, note, "April 1ST"},
		{"March the 4th", 29, note, "April the 2nd"},
		{"fourth of March", 28, note, "first of April"},
		{"the twenty-first of May", 1, note, "the twenty-second of May"},
		{"the 4th", 7, note, "the 11th"},
		{"27th", 3, note, "2nd"}, // of February: 27 March is too far ahead
		{"March", 28, note, "April"},
		{"Sept.", 31, note, "Oct."},
		{"MAR 2014", 28, note, "APR 2014"},
		{"March of 2014", 28, note, "April of 2014"},
		{"March '14", 28, note, "April '14"},
		{"Mar/2014", 28, note, "Apr/2014"},
		{"Mar 85", 28, note, "Apr 85"},
		{"2014 March 4", 28, note, "2014 April 1"},
		{"2014-Mar-04", 28, note, "2014-Apr-01"},
		{"late March 2014", 28, note, "late April 2014"},
		{"4th of July", 28, note, "1st of August"},
		{"July 4th, 2014", 28, note, "August 1st, 2014"},
		// Years, decades, seasons.
		{"2009", 364, note, "2010"},
		{"2009", 28, note, "2009"},
		{"'08", 364, note, "'09"},
		{"in 2009", -364, note, "in 2008"},
		{"1970s", 3640, note, "1980s"},
		{"the 80s", 3640, note, "the 90s"},
		{"the '90s", 3640, note, "the '00s"},
		{"1990's", -3640, note, "1980's"},
		{"Fall of 2010", 91, note, "Winter of 2011"},
		{"summer", 91, note, "fall"},
		{"SPRING 2014", 364, note, "SPRING 2015"},
		{"autumn 2014", 364, note, "autumn 2015"},
		{"winter '14", 91, note, "spring '14"},
		// Weekdays.
		{"Tuesday, 4 March 2014", 28, note, "Tuesday, 1 April 2014"},
		{"Tuesday, 4 March 2014", 30, note, "Thursday, 3 April 2014"},
		{"Mon 3/4", 28, note, "Mon 4/1"},
		{"Mon 3/4", 29, note, "Tue 4/2"},
		{"3/4 (Mon)", 27, note, "3/31 (Sun)"},
		{"TUES", 1, note, "WED"},
		{"Mondays", -1, note, "Sundays"},
		{"last Tuesday", 14, note, "last Tuesday"},
		{"M/W/F", 1, note, "T/Th/Sa"},
		{"M/W/F", 7, note, "M/W/F"},
		{"TuThSa", 14, note, "TuThSa"},
		{"Mon-Fri", 2, note, "Wed-Sun"},
		{"Mon, Wed and Fri", 1, note, "Tue, Thu and Sat"},
		{"SAT", 1, note, "SUN"},
		{"mwf", 1, note, "tthsa"},
		{"the eighties", 3640, note, "the nineties"},
		{"Nineties", 3640, note, "2000s"},
		{"09 22 18", 7, note, "09 29 18"},
		{"10 10 00", 28, note, "11 07 00"},
		{"Feb 10/11", 7, note, "Feb 17/18"},
		// Holidays: the day itself, moved.
		{"Christmas 2014", 133, note, "May 7 2015"},
		{"xmas", 28, note, "january 22"},
		{"THANKSGIVING", 28, note, "DECEMBER 21"}, // 2017-11-23
		{"Easter 2014", 7, note, "April 27 2014"}, // 2014-04-20
		{"Labor Day", 7, note, "September 11"},    // 2017-09-04
		{"MLK day", 7, note, "January 22"},        // 2018-01-15
		{"New Year's Eve", 7, note, "January 7"},
		{"new years", 7, note, "january 8"},
		{"Halloween '13", 7, note, "November 7 '13"},
		{"St. Patrick’s Day", 7, note, "March 24"},
		// Ranges and lists.
		{"3/4-3/6", 28, note, "4/1-4/3"},
		{"3/4-6", 14, note, "3/18-20"},
		{"3/4-6", 26, note, "3/30-4/1"},
		{"3/4-6/2018", 14, note, "3/18-20/2018"},
		{"3/4-6/2018", 26, note, "3/30-4/1/2018"},
		{"12/28-1/3", 7, note, "1/4-1/10"},
		{"12/28-1/3/2015", 7, note, "1/4-1/10/2015"},
		{"12/28/14-1/3/15", -7, note, "12/21/14-12/27/14"},
		{"March 4-6 2014", 14, note, "March 18-20 2014"},
		{"March 4-6 2014", 26, note, "March 30-April 1 2014"},
		{"4-6 March 2014", 26, note, "30 March-1 April 2014"},
		{"March 4th to 6th", 14, note, "March 18th to 20th"},
		{"March 4 – April 6, 2014", 28, note, "April 1 – May 4, 2014"},
		{"4-6/3/2014", 14, note, "18-20/3/2014"},
		{"3/4/2014 - 3/6/2014", 28, note, "4/1/2014 - 4/3/2014"},
		{"3/4/14 to 3/6/14", 28, note, "4/1/14 to 4/3/14"},
		{"2014-03-04/2014-03-06", 28, note, "2014-04-01/2014-04-03"},
		{"March-April 2014", 31, note, "April-May 2014"},
		{"Dec-Jan 2015", 31, note, "Jan-Feb 2015"},
		{"3/2014 - 5/2014", 31, note, "4/2014 - 6/2014"},
		{"2014-2018", 364, note, "2015-2019"},
		{"2014-18", 364, note, "2015-19"},
		{"3/4 and 3/6", 28, note, "4/1 and 4/3"},
		{"March 4, 6 and 8", 7, note, "March 11, 13 and 15"},
		{"Mon 3/4 - Wed 3/6", 28, note, "Mon 4/1 - Wed 4/3"},
		// No note date: dates without a year fall into 2000.
		{"2/29", 1, Reference{}, "3/1"},
		{"2/28", 1, Reference{}, "2/29"},
		{"3/4/14", 28, Reference{}, "4/1/14"},
	} {
		got, ok := Shift(c.in, c.days, c.ref)
		if !ok || got != c.want {
			t.Errorf("Shift(%q, %d) = %q, %v; want %q", c.in, c.days, got, ok, c.want)
		}
		if ok {
			if same, _ := Shift(c.in, 0, c.ref); same != c.in {
				t.Errorf("Shift(%q, 0) = %q", c.in, same)
			}
		}
	}
}

// TestRefused lists what must be masked: no date, or one that does not exist.
func TestRefused(t *testing.T) {
	note := ref(2018, 3, 10)
	for _, s := range []string{
		"", " ", "-", "2/31", "2/30/2014", "2/29/2015", "00/00/0000", "0/0/00", "9/9/9999", "13/13/2014", "3/0", "0000-00-00",
		"32nd", "April 31", "20140231", "99999999", "2015-366", "2014-W53-1", "4567", "1234", "123", "yesterday",
		"POD 3", "3 weeks ago", "q8h", "tomorrow", "120/80 mmHg", "030414", "1394000000", "Marchy", "3/4/5/6/7",
		"٣/٤/٢٠١٤", "24 2/7", "\xff3/4", "98.6", "MM", "--", "to", "the", "12345678901234567890",
	} {
		if got, ok := Shift(s, 28, note); ok {
			t.Errorf("Shift(%q) = %q, want a refusal", s, got)
		}
	}
	if got, ok := Shift("3/4/9998", 364, note); ok {
		t.Errorf("a date past the last year came out as %q", got)
	}
	if _, ok := Shift("3/4/2014", 1<<40, note); ok {
		t.Error("a huge shift was accepted")
	}
}

func TestParseDays(t *testing.T) {
	day := DaysFromCivil(2014, 3, 4)
	for _, s := range []string{"3/4/2014", "2014-03-04", "20140304", "March 4, 2014", "4-MAR-14", "20140304101500", "2014-03-04T10:15:00Z",
		"2014-063", "2014-W10-2", "Tuesday 3/4/14"} {
		if got, ok := ParseDays(s, Reference{}); !ok || got != day {
			t.Errorf("ParseDays(%q) = %d, %v; want %d", s, got, ok, day)
		}
	}
	for _, s := range []string{"3/4", "2014", "March 2014", "3/4-3/6/2014", "2/30/2014", "Monday", "", "2014-W10"} {
		if got, ok := ParseDays(s, Reference{}); ok {
			t.Errorf("ParseDays(%q) = %d, want a refusal", s, got)
		}
	}
}

func BenchmarkShift(b *testing.B) {
	note := ref(2018, 3, 10)
	for _, s := range []string{"3/4/2014", "March 4, 2014", "2014-03-04T10:15:00Z", "12/28-1/3", "4 de marzo de 2014",
		"May third, two thousand and nine", "Christmas 2014"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Shift(s, 28, note)
			}
		})
	}
}
