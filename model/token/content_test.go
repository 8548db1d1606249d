package token

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// randomText makes a text of lines of many kinds: headings, sentences, tables, blank
// lines, lines that are all one, and some far longer than a window.
func randomText(r *rand.Rand, lines int) string {
	var b strings.Builder
	word := func() string { return strings.Repeat(string(rune('a'+r.Intn(26))), 1+r.Intn(6)) }
	for range lines {
		switch r.Intn(8) {
		case 0:
			b.WriteString(strings.ToUpper(word()) + ":")
		case 1:
			b.WriteString("\n")
		case 2:
			b.WriteString("the same line again")
		case 3:
			for range r.Intn(400) {
				b.WriteString(word() + " ")
			}
		case 4:
			for range r.Intn(20) {
				b.WriteString("Seen " + word() + " today. ")
			}
		default:
			for range 1 + r.Intn(12) {
				b.WriteString(word() + " ")
			}
			fmt.Fprint(&b, r.Intn(1000))
		}
		b.WriteString("\n")
	}
	return b.String()
}

var cuttings = []Cutting{{16, 64, 128}, {48, 48, 128}, {1, 1, 2}, {8, 8, 16}}

func TestContentWindowsCoverAllTokensOnce(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	texts := []string{"", "one", strings.Repeat("a line\n", 40_000), strings.Repeat("word ", 40_000), strings.Repeat("x", 10_000)}
	for range 300 {
		texts = append(texts, randomText(r, r.Intn(60)))
	}
	for _, text := range texts {
		tokens := Tokenize(nil, text)
		for _, c := range cuttings {
			at := 0
			for _, w := range c.Windows(nil, text, tokens) {
				if w.Start != at || w.End <= w.Start || w.End-w.Start > c.Most || w.End-w.Start < min(c.Least, c.Most/4, len(tokens)) {
					t.Fatalf("%+v: window %v of a text of %d tokens, of which %d are covered", c, w, len(tokens), at)
				}
				at = w.End
			}
			if at != len(tokens) {
				t.Fatalf("%+v: %d of %d tokens are covered", c, at, len(tokens))
			}
		}
	}
}

// A passage is cut alike wherever it stands, but for its outermost windows.
func TestContentWindowsOfACopyAreTheSame(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	c := Cutting{16, 64, 128}
	covered, whole := 0, 0
	for range 300 {
		passage := randomText(r, 20+r.Intn(40))
		cut := map[string]int{}
		n := len(Tokenize(nil, passage))
		for range 2 {
			before := randomText(r, r.Intn(40))
			text := before + passage + randomText(r, r.Intn(40))
			tokens := Tokenize(nil, text)
			for _, w := range c.Windows(nil, text, tokens) {
				from, to := int(tokens[w.Start].Start), int(tokens[w.End-1].End)
				if from >= len(before) && to <= len(before)+len(passage) {
					cut[fmt.Sprint(from-len(before), to-len(before))] += w.End - w.Start
					if at := fmt.Sprint(from-len(before), to-len(before)); cut[at] == 2*(w.End-w.Start) {
						covered += w.End - w.Start
					}
				}
			}
		}
		whole += n
	}
	if share := float64(covered) / float64(whole); share < 0.75 {
		t.Errorf("of passages of some 900 tokens %.2f lie in the same windows in both notes", share)
	} else {
		t.Logf("%.2f of %d tokens", share, whole)
	}
}

// What lies far from a place does not decide whether it is cut there.
func TestContentWindowsAreLocal(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	c := Cutting{16, 64, 1 << 30} // nothing is cut for its length
	for range 300 {
		passage := "so " + randomText(r, 60) // a line end before it would be one with its own
		var cut [2]map[int]bool
		var n int
		for k := range cut {
			before := randomText(r, r.Intn(40))
			text := before + passage + "\n" + randomText(r, r.Intn(40))
			first := len(Tokenize(nil, before))
			n = len(Tokenize(nil, passage))
			cut[k] = map[int]bool{}
			for _, w := range c.Windows(nil, text, Tokenize(nil, text)) {
				cut[k][w.Start-first] = true
			}
		}
		far := 2*c.Inner + hashedBefore
		for at := far; at < n-far; at++ {
			if cut[0][at] != cut[1][at] {
				t.Fatalf("token %d of a passage of %d begins a window in one note and not in the other", at, n)
			}
		}
	}
}

// A heading stays with what it is of.
func TestContentWindowsKeepHeadings(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for range 200 {
		text := randomText(r, 60)
		tokens := Tokenize(nil, text)
		for _, w := range (Cutting{16, 64, 1 << 30}).Windows(nil, text, tokens) {
			if w.Start > 1 && tokens[w.Start-1].Class == Newline && tokens[w.Start-2].Text(text) == ":" {
				t.Fatalf("a window begins behind the heading %q", tokens[w.Start-3].Text(text))
			}
		}
	}
}

func TestAtLeast(t *testing.T) {
	c := Cutting{Least: 16, Inner: 64, Most: 320}
	if got := c.AtLeast(0); got != c {
		t.Errorf("AtLeast(0) is %+v", got)
	}
	if got, want := c.AtLeast(160), (Cutting{Least: 160, Inner: 160, Most: 320}); got != want {
		t.Errorf("AtLeast(160) is %+v, want %+v", got, want)
	}
	if got, want := c.AtLeast(32), (Cutting{Least: 32, Inner: 64, Most: 320}); got != want {
		t.Errorf("AtLeast(32) is %+v, want %+v", got, want)
	}
}
