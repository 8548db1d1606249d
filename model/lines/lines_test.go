package lines

import (
	"reflect"
	"strings"
	"testing"
)

func TestJoinAndCut(t *testing.T) {
	for _, c := range []struct {
		name      string
		lines     []Line
		separator string
		text      string
		old, new  string
		want      []string
		joined    string
	}{
		{"cut within a name", []Line{{Number: 1, Text: "Mr Jo"}, {Number: 2, Text: "hn Smi"}, {Number: 3, Text: "th came"}}, "",
			"Mr John Smith came", "John Smith", "Ann Lee", []string{"Mr Ann Lee", "", " came"}, "Mr Ann Lee came"},
		{"cut between words", []Line{{Number: 1, Text: "Mr John"}, {Number: 2, Text: "Smith came"}}, " ",
			"Mr John Smith came", "John Smith", "Ann Lee", []string{"Mr Ann Lee", " came"}, "Mr Ann Lee  came"},
		{"in one line", []Line{{Number: 1, Text: "seen"}, {Number: 2, Text: "by John"}}, "\n",
			"seen\nby John", "John", "Ann", []string{"seen", "by Ann"}, "seen\nby Ann"},
		{"a gap", []Line{{Number: 1, Text: "by Smith"}, {Number: 3, Text: "Patient John"}}, "",
			"by Smith\nPatient John", "John", "Ann", []string{"by Smith", "Patient Ann"}, "by Smith\nPatient Ann"},
		{"null and empty", []Line{{Number: 1, Null: true}, {Number: 2, Text: "Jo"}, {Number: 3, Null: true}, {Number: 4, Text: "hn"},
			{Number: 5}}, "", "John", "John", "Ann", []string{"", "Ann", "", "", ""}, "Ann"},
		{"from a separator on", []Line{{Number: 1, Null: true}, {Number: 2, Text: "x"}}, "|",
			"|x", "|x", "Ann", []string{"", "Ann"}, "|Ann"},
	} {
		n := Join(c.lines, c.separator)
		if n.Text != c.text {
			t.Errorf("%s: %q", c.name, n.Text)
			continue
		}
		at := strings.Index(n.Text, c.old)
		cut := n.Cut([]Piece{{at, at + len(c.old), c.new}})
		if !reflect.DeepEqual(cut.Lines, c.want) || cut.Text != c.joined || !strings.HasPrefix(cut.Text[cut.Starts[0]:], c.new) {
			t.Errorf("%s: %q, %q, %v", c.name, cut.Lines, cut.Text, cut.Starts)
		}
		var same []string
		for _, l := range c.lines {
			same = append(same, l.Text)
		}
		if got := n.Cut(nil).Lines; !reflect.DeepEqual(got, same) {
			t.Errorf("%s: without pieces it becomes %q", c.name, got)
		}
	}
}

// Whatever is cut and replaced, lines put together are the text with the pieces in
// it, and no line holds what was replaced.
func FuzzCut(f *testing.F) {
	f.Add("Mr John Smith", uint8(4), uint8(9), uint8(3), uint8(10), "Ann")
	f.Fuzz(func(t *testing.T, text string, a, b, from, to uint8, with string) {
		x, y := min(int(a), len(text)), min(int(b), len(text))
		s, e := min(int(from), len(text)), min(int(to), len(text))
		if x > y || s >= e {
			return
		}
		n := Join([]Line{{Number: 1, Text: text[:x]}, {Number: 2, Text: text[x:y]}, {Number: 3, Text: text[y:]}}, "")
		cut := n.Cut([]Piece{{s, e, with}})
		if want := text[:s] + with + text[e:]; strings.Join(cut.Lines, "") != want || cut.Text != want || cut.Starts[0] != s {
			t.Errorf("%q %v, not %q", cut.Lines, cut.Starts, want)
		}
	})
}
