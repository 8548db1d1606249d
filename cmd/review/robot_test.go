package review

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"unicode"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/cmd/browsertest"
	"github.com/palimpsest-deid/palimpsest/cmd/estimate"
	"github.com/palimpsest-deid/palimpsest/cmd/evaluate"
	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/model/review"
	"github.com/palimpsest-deid/palimpsest/pipeline"
)

// unseen is a release of examples/unseen, of which gold knows all.
type unseen struct {
	flags store.Flags
	gold  map[string][]annotation // by document
}

// scrub runs the job on the unseen notes.
func scrub(t *testing.T) unseen {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PALIMPSEST_EXAMPLE_KEY", "this key is public and for the invented example notes only")
	t.Chdir("../..")
	defer t.Chdir("cmd/review")
	o, _, err := pipeline.ReadFile(t.Context(), "examples/unseen/config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	o.Output, o.Private, o.ExecutionProvider = filepath.Join(dir, "release", "out"), filepath.Join(dir, "private"), "cpu"
	o.AcceptColumns = append(o.AcceptColumns, "note_title")
	cfg, err := pipeline.NewConfig(o)
	if err == nil {
		cfg, _, err = pipeline.Prepare(t.Context(), cfg)
	}
	if err == nil {
		err = pipeline.Run(t.Context(), cfg, io.Discard)
	}
	if err != nil {
		t.Fatal(err)
	}
	input, err := filepath.Abs("examples/unseen/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.ReadFile[annotation]("examples/unseen/gold.parquet")
	if err != nil {
		t.Fatal(err)
	}
	u := unseen{flags: store.Flags{Inputs: input, Output: o.Output, Private: o.Private, Key: o.Key}, gold: map[string][]annotation{}}
	for _, r := range rows {
		u.gold[r.DocumentID] = append(u.gold[r.DocumentID], r)
	}
	return u
}

// knows is what gold says of a note: the type of each span that the job replaced,
// empty where it is needless, and what the job left, in the released text.
func (u unseen) knows(n *review.Note, original, released []rune) (types []string, left, all []review.Mark) {
	types = make([]string, len(n.Spans))
	for _, g := range u.gold[n.Document] {
		var touched []review.Span
		rest := false
		for at := int(g.Start); at < int(g.End); at++ {
			in := false
			for i, s := range n.Spans {
				if s.Start <= at && at < s.End {
					in = true
					if len(touched) == 0 || touched[len(touched)-1] != s {
						touched = append(touched, s)
					}
					if types[i] == "" || g.Start == int32(s.Start) && g.End == int32(s.End) {
						types[i] = g.Type
					}
				}
			}
			rest = rest || !in && (unicode.IsLetter(original[at]) || unicode.IsDigit(original[at]))
		}
		start, end := moved(n, int(g.Start)), moved(n, int(g.End))
		for _, s := range touched {
			start, end = min(start, s.OutStart), max(end, s.OutEnd)
		}
		m := review.Mark{Start: start, End: end, Type: g.Type}
		all = append(all, m)
		if rest {
			left = append(left, m)
		}
	}
	return types, left, all
}

// moved returns where a place outside of spans stands in the released text.
func moved(n *review.Note, at int) int {
	by := 0
	for _, s := range n.Spans {
		if s.End <= at {
			by = s.OutEnd - s.End
		}
	}
	return at + by
}

// select selects a stretch of the text by keys: up and down to its line, then by
// words. It returns false if the note refuses the mark.
func (b *browser) selectAndMark(m review.Mark) {
	b.T.Helper()
	b.keys("m")
	if js[bool](b, `!selecting`) {
		b.T.Fatal("m does not begin to select")
	}
	var to struct{ First, Last, Lines int }
	raw := js[string](b, fmt.Sprintf(`(() => {
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
			b.press(forward, modifiers)
		}
	}
	times(to.Lines, kb.ArrowDown, kb.ArrowUp, 0)
	times(to.First-js[int](b, `selecting.focus`), kb.ArrowRight, kb.ArrowLeft, 0)
	times(to.Last-to.First, kb.ArrowRight, kb.ArrowLeft, int64(chromedp.ModifierShift))
	b.keys(kb.Enter)
	b.choose(m.Type)
	b.keys(kb.Escape, kb.Escape) // out of selecting, if the mark was refused
}

// robot reviews a sample in a browser, by keys, as gold says, but that it skips
// some of the marks that it should make.
func (u unseen) robot(t *testing.T, wanted store.Wanted, reviews string, skips float64) (marked, skipped int) {
	t.Helper()
	f := u.flags
	f.Reviews = reviews
	s := serve(t, f, wanted, "robot", false)
	defer s.stop()
	b := open(t, s.url)
	r := rand.New(rand.NewPCG(7, 8))
	for range s.page.order {
		at := js[int](b, `note.note`)
		i := s.page.order[at]
		n := &s.page.r.Sample.Notes[i]
		types, left, all := u.knows(n, s.page.originals[i], s.page.r.Released[i])
		made := map[review.Mark]bool{}
		mark := func(m review.Mark) {
			if r.Float64() < skips {
				skipped++
				return
			}
			marked++
			made[m] = true
			b.selectAndMark(m)
		}
		if n.Blind {
			for _, m := range all {
				mark(m)
			}
			b.unblind()
		}
		for range n.Spans {
			item := js[int](b, `note.items[current].span`)
			switch gold := types[item]; gold {
			case "":
				b.keys("x")
			case n.Spans[item].Type:
				b.keys("a")
			default:
				b.keys("t")
				b.choose(gold)
			}
		}
		for _, m := range left {
			if !made[m] && !n.Blind {
				mark(m)
			}
		}
		if c := len(n.Spans); c > 2 && !n.Blind { // a picture amid the work
			b.keys("p", "p", "p", "o")
			b.Shoot(fmt.Sprintf("robot-%d", at))
			b.keys("o")
		}
		before := js[int](b, `review.finished.filter(Boolean).length`)
		b.keys(kb.Enter)
		b.Until(fmt.Sprintf(`review.finished.filter(Boolean).length === %d && working === 0`, before+1))
	}
	b.Quiet()
	return marked, skipped
}

// The whole way: the job, a robot in a browser that marks what gold knows, and
// one that errs in one mark of ten; then gold annotations, which evaluate reads,
// and an estimate whose intervals hold the truth.
func TestRobotReviewsTheUnseenNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the job and a browser for minutes")
	}
	browsertest.Chromium(t)
	u := scrub(t)

	// The truth, of all notes.
	f := u.flags
	f.Reviews = filepath.Join(t.TempDir(), "all")
	j, folder, err := f.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := store.Open(t.Context(), j, folder, &store.Wanted{Notes: 1000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	originals, err := whole.Originals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var found, missed int
	for i := range whole.Sample.Notes {
		types, left, _ := u.knows(&whole.Sample.Notes[i], originals[i], whole.Released[i])
		missed += len(left)
		for _, t := range types {
			if t != "" {
				found++
			}
		}
	}
	recall, left := float64(found)/float64(found+missed), 1000*float64(missed)/float64(len(whole.Sample.Notes))
	t.Logf("truth: %d notes, %d found, %d missed: recall %.4f, %.0f left per 1,000 notes", len(whole.Sample.Notes), found, missed, recall,
		left)

	for _, c := range []struct {
		name  string
		skips float64
	}{{"a robot that knows gold", 0}, {"a robot that errs in one mark of ten", 0.1}} {
		dir := t.TempDir()
		f.Reviews = filepath.Join(dir, "review")
		marked, skipped := u.robot(t, store.Wanted{Notes: 25, Seed: 3, Stratify: "note_type"}, f.Reviews, c.skips)
		args := []string{"--output", f.Output, "--private", f.Private, "--reviews", f.Reviews}
		file := filepath.Join(dir, "estimate.json")
		var out, errs bytes.Buffer
		if status := estimate.Main(context.Background(), append(args, "--json", file, "--bound", "100"), nil, &out, &errs); status != 0 {
			t.Fatalf("estimate: status %d: %s", status, errs.String())
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var e estimate.Estimate
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d marks, %d skipped\n%s", c.name, marked, skipped, out.String())
		if !(e.All.Recall.Low <= recall && recall <= e.All.Recall.High && e.All.Left.Low <= left && left <= e.All.Left.High) {
			t.Errorf("%s: the intervals do not hold the truth, a recall of %.4f and %.0f left", c.name, recall, left)
		}
		if sees := e.Reviewer; sees == nil || sees.Low > 1-c.skips || sees.High < 1-c.skips {
			t.Errorf("%s sees %+v, which does not hold %.2f", c.name, sees, 1-c.skips)
		}
		if c.skips > 0 {
			continue
		}
		gold := filepath.Join(dir, "gold")
		if status, _, stderr := run(append(args, "--input", f.Inputs, "--export", gold)...); status != 0 {
			t.Fatalf("export: status %d: %s", status, stderr)
		}
		out.Reset()
		if status := evaluate.Main(context.Background(), []string{"--gold", filepath.Join(gold, "gold.parquet"), "--notes", f.Inputs,
			"--documents", filepath.Join(gold, "documents.txt"), "--system", f.Private, "--json", filepath.Join(dir, "scores.json"),
			"--bootstrap", "0"}, nil, &out, &errs); status != 0 {
			t.Errorf("evaluate: status %d: %s", status, errs.String())
		}
	}
}
