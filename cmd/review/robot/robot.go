package robot

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/palimpsest-deid/palimpsest/model/review"
)

// Robot reviews as gold says, but that it skips some of the marks that it should
// make.
type Robot struct {
	Gold  Gold
	Skips float64                  // share of the marks, 0 to 1
	Amid  func(b *Browser, at int) // called amid the work on each note with three replacements or more; may be nil
}

// Review reviews the notes of a sample, in the order in which the page shows them,
// and returns how many marks it made and skipped.
func (r *Robot) Review(t *testing.T, url string, notes []review.Note, originals [][]rune) (marked, skipped int) {
	t.Helper()
	b := Open(t, url)
	random := rand.New(rand.NewPCG(7, 8))
	for range notes {
		at := JS[int](b, `note.note`)
		n := &notes[at]
		types, left, all := r.Gold.Knows(n, originals[at])
		made := map[review.Mark]bool{}
		mark := func(m review.Mark) {
			if random.Float64() < r.Skips {
				skipped++
				return
			}
			marked++
			made[m] = true
			b.mark(m)
		}
		if n.Blind {
			for _, m := range all {
				mark(m)
			}
			b.Unblind()
		}
		for range n.Spans {
			item := JS[int](b, `note.items[current].span`)
			switch gold := types[item]; gold {
			case "":
				b.Keys("x")
			case n.Spans[item].Type:
				b.Keys("a")
			default:
				b.Keys("t")
				b.Choose(gold)
			}
		}
		for _, m := range left {
			if !made[m] && !n.Blind {
				mark(m)
			}
		}
		if len(n.Spans) > 2 && !n.Blind && r.Amid != nil {
			r.Amid(b, at)
		}
		before := JS[int](b, `review.finished.filter(Boolean).length`)
		b.Keys(kb.Enter)
		b.Until(fmt.Sprintf(`review.finished.filter(Boolean).length === %d && working === 0`, before+1))
	}
	b.Quiet()
	return marked, skipped
}

// mark marks a stretch of the text as missed, by keys: up and down to its line, then
// by words.
func (b *Browser) mark(m review.Mark) {
	b.T.Helper()
	b.Keys("m")
	if JS[bool](b, `!selecting`) {
		b.T.Fatal("m does not begin to select")
	}
	var to struct{ First, Last, Lines int }
	raw := JS[string](b, fmt.Sprintf(`(() => {
		const t = [...note.text], units = k => t.slice(0, k).join('').length, first = wordAt(units(%d)), last = wordAt(units(%d) - 1);
		const row = w => note.text.slice(0, wordList()[w][0]).split('\n').length;
		return JSON.stringify({ First: first, Last: last, Lines: row(first) - row(selecting.focus) });
	})()`, m.Start, m.End))
	if err := json.Unmarshal([]byte(raw), &to); err != nil {
		b.T.Fatal(err)
	}
	times := func(n int, forward, back string, modifiers int64) {
		if n < 0 {
			n, forward = -n, back
		}
		for range n {
			b.Press(forward, modifiers)
		}
	}
	times(to.Lines, kb.ArrowDown, kb.ArrowUp, 0)
	times(to.First-JS[int](b, `selecting.focus`), kb.ArrowRight, kb.ArrowLeft, 0)
	times(to.Last-to.First, kb.ArrowRight, kb.ArrowLeft, int64(chromedp.ModifierShift))
	// Two identifiers that the job took for one are marked once, with the first of them.
	if JS[bool](b, `note.items.some(i => i.span < 0 && i.start < chosen()[1] && chosen()[0] < i.end)`) {
		b.Keys(kb.Escape)
		return
	}
	b.Keys(kb.Enter)
	b.Choose(m.Type)
	b.Keys(kb.Escape, kb.Escape) // out of selecting, if the mark was refused
}
