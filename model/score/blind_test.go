package score

import (
	"strings"
	"testing"
)

// mark builds a document from text in which gold spans stand in [LABEL:...]
// and system spans in <LABEL:...>; they may nest.
func mark(id, marked string) Document {
	d := Document{ID: id}
	var b strings.Builder
	type open struct {
		closing byte
		label   string
		start   int
		place   int
	}
	var stack []open
	for i := 0; i < len(marked); i++ {
		c := marked[i]
		switch {
		case c == '[' || c == '<':
			colon := strings.IndexByte(marked[i:], ':')
			o := open{']', marked[i+1 : i+colon], b.Len(), len(d.Gold)}
			if c == '<' {
				o.closing, o.place = '>', len(d.System)
				d.System = append(d.System, Annotation{})
			} else {
				d.Gold = append(d.Gold, Annotation{})
			}
			stack = append(stack, o)
			i += colon
		case c == ']' || c == '>':
			o := stack[len(stack)-1]
			if o.closing != c {
				// Marks that cross: close the nearest of that kind.
				for j := len(stack) - 1; j >= 0; j-- {
					if stack[j].closing == c {
						o = stack[j]
						stack = append(stack[:j:j], stack[j+1:]...)
						break
					}
				}
			} else {
				stack = stack[:len(stack)-1]
			}
			a := Annotation{Start: o.start, End: b.Len(), Label: o.label, Category: "NAME"}
			if c == ']' {
				d.Gold[o.place] = a
			} else {
				d.System[o.place] = a
			}
		default:
			b.WriteByte(c)
		}
	}
	d.Text = b.String()
	return d
}

func TestMarksOfTheTests(t *testing.T) {
	d := mark("1", "a [A:<B:bc>] <C:[D:d>e] f")
	if d.Text != "a bc de f" || len(d.Gold) != 2 || len(d.System) != 2 {
		t.Fatalf("%+v", d)
	}
	for i, want := range []Annotation{{Start: 2, End: 4, Label: "A"}, {Start: 5, End: 7, Label: "D"}} {
		want.Category = "NAME"
		if d.Gold[i] != want {
			t.Errorf("gold %+v, want %+v", d.Gold[i], want)
		}
	}
	for i, want := range []Annotation{{Start: 2, End: 4, Label: "B"}, {Start: 5, End: 6, Label: "C"}} {
		want.Category = "NAME"
		if d.System[i] != want {
			t.Errorf("system %+v, want %+v", d.System[i], want)
		}
	}
}

func TestBlindTokensAndCharacters(t *testing.T) {
	for _, c := range []struct {
		name, marked     string
		blind, character Counts
	}{
		{"types do not matter", "seen by [A:<B:Ann Lee>]", Counts{TP: 2}, Counts{TP: 7}},
		{"punctuation counts as tokens", "at [A:<A:St>. Mary]", Counts{TP: 1, FN: 2}, Counts{TP: 2, FN: 6}},
		{"a token is hit by one byte of it", "at [A:Bos<A:ton>]", Counts{TP: 1}, Counts{TP: 3, FN: 3}},
		{"code points, not bytes", "née [A:<A:Ñu>ñez]", Counts{TP: 1}, Counts{TP: 2, FN: 3}},
		{"overlapping spans count once", "[A:[A:Ann] Lee] <A:x> <A:<B:y>>", Counts{FP: 2, FN: 2}, Counts{FP: 2, FN: 7}},
		{"line ends are no tokens", "[A:Ann\nLee]<A:\n>", Counts{FN: 2}, Counts{FP: 1, FN: 7}},
		{"two spans over one token", "[A:A][A:nn] <A:L><B:ee>", Counts{FP: 1, FN: 1}, Counts{FP: 3, FN: 3}},
		{"an empty span covers nothing", "Ann[A:]<A:>", Counts{}, Counts{}},
	} {
		r := scoreAll(t, Options{}, mark("1", c.marked)).Result()
		if got := find(t, r, Blind, All).Counts; got != c.blind {
			t.Errorf("%s: blind %+v, want %+v", c.name, got, c.blind)
		}
		if got := find(t, r, Character, All).Counts; got != c.character {
			t.Errorf("%s: characters %+v, want %+v", c.name, got, c.character)
		}
	}
}

func TestDocumentRecall(t *testing.T) {
	for _, c := range []struct {
		name, marked string
		want         DocumentRecall
	}{
		{"without PHI", "nothing <A:here>", DocumentRecall{}},
		{"all found", "[A:<A:Ann>] [B:<B:Lee>]", DocumentRecall{1, 1, 1, 1}},
		{"wrong type", "[A:<B:Ann>]", DocumentRecall{1, 1, 1, 0}},
		{"only a dot left", "at [A:<A:St>.]", DocumentRecall{1, 1, 1, 0}},
		{"a letter left", "at [A:<A:Ann Le>e]", DocumentRecall{1, 1, 0, 0}},
		{"one of two missed", "[A:<A:Ann>] [A:Lee]", DocumentRecall{1, 0, 0, 0}},
		{"one span for two", "<A:[A:Ann] [A:Lee]>", DocumentRecall{1, 1, 1, 0}},
		{"a nested span is found by the one around it", "[A:<A:Ann [B:Lee]>]", DocumentRecall{1, 1, 1, 0}},
	} {
		r := scoreAll(t, Options{}, mark("1", c.marked)).Result()
		if r.DocumentRecall != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, r.DocumentRecall, c.want)
		}
	}
	r := scoreAll(t, Options{}, mark("1", "[A:<A:Ann>]"), mark("2", "[A:Ann]"), mark("3", "x"), mark("4", "[A:<B:Ann>]")).Result()
	if got := r.DocumentRecall.Share(); got != 2./3 {
		t.Errorf("share %v, want 2/3", got)
	}
}

func TestOverRedaction(t *testing.T) {
	// Free tokens: seen by on the ward , he said (8); spans on "the ward" and
	// "he" touch no gold, "by Ann" does and yet takes "by".
	r := scoreAll(t, Options{}, mark("1", "seen <A:by [A:Ann]> on <B:the ward>, <C:he> said <C:[C:Lee]>")).Result()
	want := OverRedaction{Spans: 2, FreeTokens: 8, LostTokens: 4, PerThousand: 250, Share: .5}
	if r.OverRedaction != want {
		t.Errorf("%+v, want %+v", r.OverRedaction, want)
	}
	if r.Tokens != 10 {
		t.Errorf("%d tokens, want 10", r.Tokens)
	}
}
