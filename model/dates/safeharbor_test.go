package dates

import "testing"

func TestSafeHarbor(t *testing.T) {
	const oldest = 2018 - 89
	for _, c := range []struct{ in, want string }{
		{"March 4, 2014", "2014"}, {"3/4/2014", "2014"}, {"3/4/14", "2014"}, {"04-MAR-98", "1998"}, {"2014-03-04T10:11:12Z", "2014"},
		{"20140304101112", "2014"}, {"20140304", "2014"},
		{"2014-063", "2014"}, {"2014-W10-2", "2014"}, {"Tuesday, March 4, 2014 at 3pm", "2014"}, {"March 2014", "2014"}, {"Q1 2014", "2014"},
		{"1Q14", "2014"}, {"Fall of 2010", "2010"},
		{"winter 2013-14", "2013-2014"}, {"Christmas '14", "2014"}, {"Ramadan 2014", "2014"}, {"3/4-3/6/14", "2014"},
		{"12/28/14-1/3/15", "2014-2015"}, {"12/28-1/3/2015", "2015"},
		{"March 2013 and April 2014", "2013 and 2014"}, {"3/4/12, 3/5/13 and 3/7/14", "2012, 2013, 2014"},
		{"May third, two thousand and nine", "two thousand and nine"}, {"early 2014", "2014"}, {"end of '09", "'09"},
		{"4 de marzo de 2014", "2014"}, {"finales de 2014", "2014"}, {"O3/l4/2014", "2014"}, {"O3/l4/2O14", "2014"},
		// Years and decades alone stay as they are.
		{"2009", "2009"}, {"in 2009", "in 2009"}, {"'09", "'09"}, {"2014-2018", "2014-2018"}, {"the 1990s", "the 1990s"}, {"'90s", "'90s"},
		{"mid-90s", "mid-90s"}, {"the nineties", "the nineties"}, {"nineteen ninety-four", "nineteen ninety-four"},
		// A year that tells an age over 89.
		{"1928", "1928 or before"}, {"March 4, 1920", "1928 or before"}, {"1929", "1929"}, {"3/4/1929", "1929"}, {"the 1910s", "1928 or before"},
		{"marzo de 1920", "1928 o antes"}, {"1920-1940", "1928 or before - 1940"},
		// Nothing may stand.
		{"the 1920s", ""}, {"3/4", ""}, {"March 4", ""}, {"March", ""}, {"Tuesday", ""}, {"Christmas", ""}, {"the 4th", ""}, {"fall", ""},
		{"Q1", ""}, {"3/4-3/6", ""}, {"20090101", "2009"}, {"1920-063", ""},
	} {
		f, err := Parse(c.in, march2018)
		got, ok := f.SafeHarbor(oldest)
		if err != nil || got != c.want || ok != (c.want != "") {
			t.Errorf("SafeHarbor(%q) = %q, %v, %v; want %q", c.in, got, ok, err, c.want)
		}
	}
	if out, ok := (Form{}).SafeHarbor(0); ok {
		t.Errorf("the zero form left %q", out)
	}
	birth := march2018
	birth.Birth = true
	if f, _ := Parse("3/11/18", birth); true {
		if out, _ := f.SafeHarbor(oldest); out != "1928 or before" {
			t.Errorf("who is born on 3/11/18 by a note of 2018-03-10 is 99, not of %q", out)
		}
	}
}
