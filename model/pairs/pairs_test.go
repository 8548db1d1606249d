package pairs

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"seen 3/4, 12-2.":                        "3/4 12-2",
		"L3/18, 3/18/9, 1.3/18, x3/18, 3/18%":    "",
		"-3/18, 0-3/18, 3/18mm, 3/180":           "",
		"(4/7) 4/7; 4/7: 4/7-":                   "4/7 4/7 4/7 4/7",
		"fast 4/1-4/2 ended":                     "4/1 4/2",
		"031819 and 12345, 20190318, 2019031809": "031819 20190318",
		"2/4-\n3/5-6":                            "2/4",
		"":                                       "",
	} {
		var got []string
		for _, g := range Find(text) {
			got = append(got, text[g.Start:g.End])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

func TestIs(t *testing.T) {
	for surface, want := range map[string]bool{"3/4": true, "12-31": true, "3/4/19": false, "3/4-3/6": false, "031819": false, " 3/4": false} {
		if _, is := Is(surface); is != want {
			t.Errorf("%q: %v", surface, is)
		}
	}
}

func TestEveryFeatureHasAName(t *testing.T) {
	seen := map[string]bool{}
	for i := range Count {
		if n := Name(i); n == "" || seen[n] {
			t.Errorf("feature %d is called %q", i, n)
		} else {
			seen[n] = true
		}
	}
}

// made returns a note of random pairs, of few surfaces, so that they recur.
func made(r *rand.Rand) *Note {
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteString([]string{"seen ", "pain ", "; ", ", ", "\n", "(", "BP 120/80 ", "grip "}[r.IntN(8)])
		b.WriteString([]string{"3/4", "4/3", "3/18", "18-3", "8/10", "2-4", "30/30", "24/7"}[r.IntN(8)])
	}
	n := &Note{Text: b.String(), Ref: dates.Reference{NoteDay: 18_000, HasNoteDay: r.IntN(3) > 0, DayFirst: dates.DayFirst(r.IntN(3))}}
	for _, g := range Find(n.Text) {
		if g.Pair() {
			n.Pairs = append(n.Pairs, g)
			n.Opinions = append(n.Opinions, Opinion{Chance: r.Float32(), Told: r.IntN(4) > 0, By: Finder(r.IntN(3))})
		}
	}
	for day := 17_900; r.IntN(2) > 0; day += r.IntN(60) {
		n.Days = append(n.Days, day)
	}
	return n
}

// What a judge prepares for all pairs at once is what one would see by looking at each.
func TestJudgeSeesWhatOneSees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n := made(r)
		j := NewJudge(n)
		for k := range n.Pairs {
			before, behind, same, scale := -1, -1, 0.0, 0
			for i, o := range n.Opinions {
				if i == k {
					continue
				}
				if o.lead() < unlikely && n.Pairs[i].B == n.Pairs[k].B {
					scale++
				}
				switch {
				case o.lead() < sure:
				case n.surface(i) == n.surface(k):
					same = 1
				case i < k:
					before = i
				case behind < 0:
					behind = i
				}
			}
			f := j.Features(k)
			if f[atSame] != same || f[atScale] != float64(min(scale, 3))/3 {
				t.Fatalf("%q: pair %d: elsewhere a date %v, on a scale %v", n.Text, k, f[atSame], f[atScale])
			}
			// The nearest of another surface than its own: of two in a row with one surface the outer
			// one does as well.
			if (j.before[k] < 0) != (before < 0) || (j.behind[k] < 0) != (behind < 0) ||
				before >= 0 && n.surface(before) != n.surface(j.before[k]) || behind >= 0 && n.surface(behind) != n.surface(j.behind[k]) {
				t.Fatalf("%q: pair %d stands between %d and %d, want %d and %d", n.Text, k, j.before[k], j.behind[k], before, behind)
			}
			bins := 0.0
			for i := atDates; i <= atNoDates; i++ {
				bins += f[i]
			}
			if days, _ := n.days(n.Pairs[k]); len(days) > 0 && bins != 1 {
				t.Fatalf("%q: pair %d is so near to other dates in %v ways", n.Text, k, bins)
			}
		}
	}
}

// The more likely the network thinks a date, the likelier it is one, all else being equal.
func TestChanceRisesWithTheNetworks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := made(r)
		for k := range n.Pairs {
			last := -1.0
			for _, c := range []float32{1e-7, .001, .01, .1, .3, .5, .7, .9, .99, 1} {
				n.Opinions[k] = Opinion{Chance: c, Told: true}
				if got := NewJudge(n).Chance(k); got < last-0.02 || got < 0 || got > 1 {
					t.Fatalf("%q: pair %d has %v where the network says %v, and %v below", n.Text, k, got, c, last)
				} else {
					last = got
				}
			}
		}
	}
}

// What is plain is told plainly, with a network's chance and without.
func TestChance(t *testing.T) {
	for _, c := range []struct {
		text   string
		chance float32 // 0 for none told
		date   bool
	}{
		{"CT 3/14 clear", .9, true},
		{"CT 3/14 clear", .05, true},
		{"motor 4/5 left", .05, false},
		{"pain 8/10 now", .02, false},
		{"walks 2-3 times", .02, false},
		{"3/14: seen at home", 0, true},
		{"pain 8/10 now", 0, false},
		{"recall 2/3 words", 0, false},
	} {
		n := &Note{Text: c.text, Ref: dates.Reference{NoteDay: dates.DaysFromCivil(2019, 3, 20), HasNoteDay: true, DayFirst: dates.No},
			Pairs: Find(c.text), Opinions: []Opinion{{Chance: c.chance, Told: c.chance > 0}}}
		if got := NewJudge(n).Chance(0); (got >= .15) != c.date {
			t.Errorf("%q with %v: %.3f", c.text, c.chance, got)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("seen 3/4 and 4/1-4/2, 031819 x1/2")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		n := &Note{Text: text}
		for _, g := range Find(text) {
			if g.Start < at || g.End <= g.Start || g.End > len(text) || g.Run == g.Pair() {
				t.Fatalf("%q: %+v behind %d", text, g, at)
			}
			at = g.End
			if g.Pair() {
				n.Pairs, n.Opinions = append(n.Pairs, g), append(n.Opinions, Opinion{Chance: .5, Told: true})
			}
		}
		j := NewJudge(n)
		for k := range n.Pairs {
			if c := j.Chance(k); !(c >= 0 && c <= 1) {
				t.Fatalf("%q: pair %d has a chance of %v", text, k, c)
			}
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	n := &Note{Text: strings.Repeat("seen 3/4, pain 8/10\n", 2000), Ref: dates.Reference{NoteDay: 18_000, HasNoteDay: true}}
	for _, g := range Find(n.Text) {
		n.Pairs, n.Opinions = append(n.Pairs, g), append(n.Opinions, Opinion{Chance: .3, Told: true})
	}
	for b.Loop() {
		j := NewJudge(n)
		for k := range n.Pairs {
			j.Chance(k)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(n.Pairs)), "ns/pair")
}
