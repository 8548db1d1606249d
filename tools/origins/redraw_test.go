package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
)

// marked makes a note of a text with names marked: [p Ann Lee] of a patient, [d ...]
// of a doctor, [c ...] of a city.
func marked(text string) annotated.Note {
	labels := map[byte]string{'p': "PATIENT", 'd': "DOCTOR", 'c': "CITY"}
	var n annotated.Note
	for {
		before, rest, ok := strings.Cut(text, "[")
		n.Text += before
		if !ok {
			return n
		}
		inner, after, _ := strings.Cut(rest, "]")
		n.Gold = append(n.Gold, score.Annotation{Start: len(n.Text), End: len(n.Text) + len(inner) - 2, Label: labels[inner[0]]})
		n.Text += inner[2:]
		text = after
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"[p Ann Lee]":                 "full Ann:g Lee:s",
		"[p LEE, ANN Q]":              "full LEE:s ANN:g",
		"[d J. Fox]":                  "initial and name Fox:s",
		"[d FOX J]":                   "initial and name FOX:s",
		"[p Ann L.]":                  "initial and name Ann:g",
		"Mrs. [p Foxe]":               "family name alone Foxe:s",
		"saw [p Bertha] today":        "given name alone Bertha:g",
		"[p María de la Cruz]":        "full María:g Cruz:s",
		"[d Ann Lee-O'Neil Jr.]":      "full Ann:g Lee-O'Neil:s",
		"[d Dr. Ann Fox MD]":          "full Ann:g Fox:s",
		"[d AV]":                      "",
		"[d mbg]":                     "",
		"[p Da1e Furst]":              "",
		"[p R A U T I O]":             "",
		"[p Hryt-]":                   "",
		"[p KUP|E, ANN]":              "",
		"[p Ann\nLee] is over a line": "",
	} {
		n := marked(text)
		p := parse(n.Text, n.Gold[0].Start, n.Gold[0].End, nil)
		got := ""
		if len(p.parts) > 0 {
			got = formNames[p.form]
		}
		for _, w := range p.parts {
			got += " " + n.Text[w.start:w.end] + map[role]string{given: ":g", surname: ":s"}[w.role]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func testOrigin() origin {
	return origin{id: "x", names: [lists][]string{{"Ottília", "Zé"}, {"Ümit", "D'Quan"}, {"Þorsteinsdóttir", "Ng-Ho", "Oo"}}}
}

func testCarriers() ([]carrier, patient) {
	all := []carrier{{id: "1", note: marked("Pt [p Marek, Berta] of [c Linz], wife of Mr. [p Marek]. Seen by [d T. Weil] " +
		"([d TW]).\n[p berta] was well; [d WEIL] agrees. [c Graz]")},
		{id: "2", note: marked("[p Berta Marek] again, with [p Emil].")}}
	sexes := map[string]int{"berta": female, "emil": male}
	return all, patient{"p", findPeople(all, sexes)}
}

// Whatever the names, every annotation holds what it held, but for the words drawn.
func TestRedrawKeepsMarks(t *testing.T) {
	all, p := testCarriers()
	for _, draw := range []string{"0", "1", "2", "3"} {
		stand := map[int]string{}
		for _, c := range all {
			r := testOrigin().redraw(c, p, draw)
			if len(r.gold) != len(c.note.Gold) {
				t.Fatal("annotations were lost")
			}
			for i, g := range r.gold {
				old := c.note.Gold[i]
				if g.Label == "CITY" && r.text[g.Start:g.End] != c.note.Text[old.Start:old.End] {
					t.Errorf("%q is marked as a city", r.text[g.Start:g.End])
				}
			}
			rest, was := r.text, c.note.Text
			k := 0
			var kept, old strings.Builder
			for _, m := range c.found {
				for j, w := range m.parts {
					d := r.words[k]
					k++
					g := r.gold[m.gold]
					if d.start < g.Start || d.end > g.End {
						t.Errorf("%q is out of its annotation", r.text[d.start:d.end])
					}
					word := r.text[d.start:d.end]
					if stood := stand[m.people[j]]; stood != "" && !strings.EqualFold(stood, word) {
						t.Errorf("one person is %s and %s", stood, word)
					}
					stand[m.people[j]] = word
					if before := was[w.start:w.end]; (before == strings.ToUpper(before)) != (word == strings.ToUpper(word)) {
						t.Errorf("%s for %s", word, before)
					}
				}
			}
			at, wasAt := 0, 0
			k = 0
			for _, m := range c.found {
				for _, w := range m.parts {
					kept.WriteString(rest[at:r.words[k].start])
					old.WriteString(was[wasAt:w.start])
					at, wasAt = r.words[k].end, w.end
					k++
				}
			}
			if kept.String()+rest[at:] != old.String()+was[wasAt:] {
				t.Errorf("text around names changed: %q", r.text)
			}
			if w := c.asWritten(p); w.text != was || !reflect.DeepEqual(w.gold, c.note.Gold) {
				t.Errorf("as written: %q", w.text)
			}
			if again := testOrigin().redraw(c, p, draw); !reflect.DeepEqual(again, r) {
				t.Error("the same draw differs")
			}
			if len(lower(r.text)) != len(r.text) || strings.ContainsFunc(lower(r.text), unicode.IsUpper) {
				t.Errorf("in small letters: %q", lower(r.text))
			}
		}
	}
}

// The same words of all origins are drawn anew: that is what makes them pairs.
func TestCarriersAreTheSame(t *testing.T) {
	all, p := testCarriers()
	names, err := origins()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		want := testOrigin().redraw(c, p, "0")
		for _, o := range names {
			got := o.redraw(c, p, "0")
			if len(got.words) != len(want.words) {
				t.Fatalf("%s: %d words, not %d", o.id, len(got.words), len(want.words))
			}
			for k := range got.words {
				if got.words[k].list != want.words[k].list || got.words[k].mention != want.words[k].mention {
					t.Errorf("%s: word %d is of another kind", o.id, k)
				}
			}
		}
	}
}

// People have names of their own while the list has enough.
func TestCast(t *testing.T) {
	_, p := testCarriers()
	for _, draw := range []string{"0", "1"} {
		var drawn []int
		for k, name := range testOrigin().cast(p, draw) {
			if p.people[k].list == family {
				drawn = append(drawn, name)
			}
		}
		slices.Sort(drawn)
		if len(slices.Compact(drawn)) != 2 {
			t.Errorf("family names %v of two families", drawn)
		}
	}
}

func TestTally(t *testing.T) {
	all, p := testCarriers()
	r := all[1].asWritten(p)
	tally := newTally()
	tally.add(all[1], r, []phi.Span{{Start: 0, End: 5}, {Start: 6, End: 9}, {Start: 12, End: 17}})
	if tally.words != (ratio{1, 3}) || tally.mentions != 2 || tally.needless != 1 || tally.forms[full] != (ratio{1, 2}) ||
		tally.forms[givenAlone] != (ratio{0, 1}) || len(tally.missed) != 2 || tally.patients != tally.words {
		t.Errorf("%+v", tally)
	}
	const text = "x D'Quan y"
	for _, c := range []struct {
		spans []phi.Span
		want  bool
	}{
		{nil, false},
		{[]phi.Span{{Start: 2, End: 8}}, true},
		{[]phi.Span{{Start: 0, End: 3}, {Start: 4, End: 10}}, true}, // all but the apostrophe
		{[]phi.Span{{Start: 2, End: 7}}, false},
		{[]phi.Span{{Start: 4, End: 8}}, false},
		{[]phi.Span{{Start: 0, End: 1}, {Start: 9, End: 10}}, false},
	} {
		if got := covered(text, 2, 8, c.spans); got != c.want {
			t.Errorf("%v: %v", c.spans, got)
		}
	}
}
