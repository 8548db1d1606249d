package review

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/cmd/review/robot"
)

const letter = "π 𝛑 Seen on ⟦DATE¦3 May 2014¦17 June 2014⟧ " +
	"by Dr. ⟦DOCTOR¦Ada Moth¦Bo Lund⟧ at ⟦HOSPITAL¦Elm House¦Oak Lodge⟧.\n" +
	"Weight 61 kg, ⟦DOCTOR¦Parkinson¦Wilson⟧ disease.\nRang Cy Vale on 555-0143.\n"

// hostile is text that would do harm if any of it were taken for more than text.
var hostile = []string{
	`</script><script>window.harm = 1</script>`, `<img src=x onerror="window.harm = 2">`, `"><svg onload=window.harm=3>`,
	"javascript:window.harm=4 \u2028 ' \" ` ${window.harm=5} {{.}}", "\u202egnp.exe\u202c \u2066 turned", `<style>*{display:none}</style>`,
	`<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">`, "a\r\nb\tc \x00 d",
}

// items tells what is said of a note.
func items(b *robot.Browser) string {
	b.T.Helper()
	return robot.JS[string](b, `note.items.map(i => note.text.slice(i.start, i.end) + ':' + i.type + ':' + i.what +
		(i.as && i.as !== i.type ? ':' + i.as : '')).join('; ')`)
}

// A note is judged by the keyboard alone, and what was said makes annotations.
func TestReviewByKeyboard(t *testing.T) {
	m := job(t, letter, "Nothing here.")
	s := m.start(t, "ann", false)
	b := robot.Open(t, s.url)
	b.GoTo(s.at(t, "n00"))
	b.Unblind()
	b.Shoot("open")
	b.Keys("a") // the date
	b.Keys("t")
	b.Choose("PATIENT") // Dr. Bo Lund
	b.Keys("u")         // the hospital
	b.Keys("o")
	if got := robot.JS[string](b, `document.getElementById('item').textContent`); !strings.Contains(got, "Parkinson") || !strings.Contains(got,
		"Wilson") {
		t.Errorf("the original is not shown on demand: %q", got)
	}
	b.Keys("x") // the disease
	b.Keys("m", "m")
	b.Until(`document.getElementById('types').open`)
	b.Keys(kb.Escape)
	b.Until(`!document.getElementById('types').open`)
	// From "disease" down a line to "Rang", on to "Cy", and "Vale" taken in.
	b.Keys(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight)
	b.Press(kb.ArrowRight, int64(chromedp.ModifierShift))
	if got := robot.JS[string](b, `getSelection().toString()`); got != "Cy Vale" {
		t.Errorf("the keys selected %q", got)
	}
	b.Shoot("selecting")
	b.Keys(kb.Enter)
	b.Choose("PATIENT")
	want := "17 June 2014:DATE:right; Bo Lund:DOCTOR:wrong_type:PATIENT; " +
		"Oak Lodge:HOSPITAL:undecided; Wilson:DOCTOR:needless; Cy " +
		"Vale:PATIENT:missed"
	if got := items(b); got != want {
		t.Errorf("the note says %q, want %q", got, want)
	}
	b.Keys("z", "z")
	if got := items(b); !strings.HasSuffix(got, "Wilson:DOCTOR:") && !strings.HasSuffix(got, "Wilson:DOCTOR:undefined") {
		t.Errorf("after two undos: %q", got)
	}
	b.Keys(kb.Enter) // not finished: it goes to what has no verdict
	if robot.JS[bool](b, `note.finished`) {
		t.Error("a note is finished of which a span has no verdict")
	}
	b.Keys("x")
	// By mouse: a selection, then m.
	b.Do(chromedp.Evaluate[chromedp.Void](`getSelection().setBaseAndExtent(...place(note.text.indexOf('Cy'), false),
		...place(note.text.indexOf('Vale') + 5, true))`))
	b.Keys("m")
	b.Choose("PATIENT")
	if got := items(b); got != want {
		t.Errorf("the note says %q, want %q", got, want)
	}
	b.Shoot("judged")
	b.Keys(kb.Enter)
	b.Until(`review.finished.filter(Boolean).length === 1`)
	b.Unblind()
	b.Keys(kb.Enter)
	b.Until(`review.finished.every(Boolean)`)
	b.Quiet()
	s.stop()

	gold := filepath.Join(t.TempDir(), "gold.parquet")
	if status, _, stderr := run(m.args("--export", gold)...); status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	rows, err := parquet.ReadFile[annotation](gold)
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := parse("n00", letter)
	var got []string
	for _, r := range rows {
		got = append(got, string([]rune(text)[r.Start:r.End])+":"+r.Type)
	}
	if want := "3 May 2014:DATE; Ada Moth:PATIENT; Cy Vale:PATIENT"; strings.Join(got, "; ") != want {
		t.Errorf("the annotations are %q, want %q", got, want)
	}
	// Who and when are kept, in a private place.
	log := filepath.Join(m.private, "review", "reviewer.ann.jsonl")
	raw, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var first struct{ At, Reviewer string }
	if err := json.Unmarshal([]byte(strings.SplitN(string(raw), "\n", 2)[0]), &first); err != nil || first.Reviewer != "ann" ||
		first.At == "" {
		t.Errorf("a decision does not say who and when: %+v, %v", first, err)
	}
	if strings.Contains(string(raw), "Vale") {
		t.Error("decisions hold text")
	}
	for path, want := range map[string]os.FileMode{log: 0o600, filepath.Dir(log): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %o", path, info.Mode(), err, want)
		}
	}
}

// A note without marks gets none from the server, neither in the page nor for the
// asking; what is marked unaided counts for the reviewer.
func TestBlindNote(t *testing.T) {
	notes := []string{letter, letter, letter}
	m := job(t, notes...)
	s := m.start(t, "ann", false)
	b := robot.Open(t, s.url)
	blind := -1
	for place, i := range s.page.order {
		if s.page.r.Sample.Notes[i].Blind {
			blind = place
		}
	}
	b.GoTo(blind)
	if n := robot.JS[int](b, `document.querySelectorAll('mark').length`); n != 0 {
		t.Errorf("a note without marks has %d", n)
	}
	if got := robot.Later[string](b, fmt.Sprintf(`fetch('api/originals?note=%d').then(r => r.text())`, blind)); !strings.Contains(got,
		"without marks") {
		t.Errorf("the originals of a note without marks are given away: %s", got)
	}
	b.Shoot("blind")
	// "Bo Lund", which was replaced, and "Cy Vale", which was not.
	mark := func(surface, kind string) {
		b.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`getSelection().setBaseAndExtent(...place(note.text.indexOf(%[1]q), false),
			...place(note.text.indexOf(%[1]q) + %[2]d, true))`, surface, len(surface))))
		b.Keys("m")
		b.Choose(kind)
	}
	mark("Bo Lund", "DOCTOR")
	mark("Cy Vale", "PATIENT")
	b.Unblind()
	b.Keys("z")
	if said := robot.JS[string](b, `document.getElementById('status').textContent`); !robot.JS[bool](b, `note.marked`) ||
		!strings.Contains(said, "cannot be undone") {
		t.Error("the showing of the marks was undone")
	}
	b.Keys("A")
	if got, want := items(b), "17 June 2014:DATE:right; Bo Lund:DOCTOR:right; Oak Lodge:HOSPITAL:right; Wilson:DOCTOR:right; Cy "+
		"Vale:PATIENT:missed"; got != want {
		t.Errorf("the note says %q, want %q", got, want)
	}
	b.Keys(kb.Enter)
	b.Until(`review.finished.filter(Boolean).length === 1`)
	outcomes, _, _, err := s.page.r.Outcomes()
	if err != nil || len(outcomes) != 1 {
		t.Fatalf("%d outcomes, %v", len(outcomes), err)
	}
	if e := outcomes[0].Estimable(); e.Shown != 4 || e.Seen != 1 || e.Missed["PATIENT"] != 1 {
		t.Errorf("it is estimated from %+v", e)
	}
}

// What two reviewers see otherwise a third decides, and sees nothing else.
func TestAdjudication(t *testing.T) {
	m := job(t, letter, letter)
	say := func(reviewer string, keys func(b *robot.Browser)) {
		s := m.start(t, reviewer, false)
		b := robot.Open(t, s.url)
		b.GoTo(s.at(t, "n00"))
		b.Unblind()
		keys(b)
		b.Keys("A", kb.Enter)
		b.Until(`review.finished.filter(Boolean).length === 1`)
		b.Unblind()
		b.Keys("A", kb.Enter)
		b.Until(`review.finished.every(Boolean)`)
		s.stop()
	}
	say("ann", func(b *robot.Browser) {})
	say("bob", func(b *robot.Browser) {
		b.Keys("n", "n", "n", "x")
		b.Keys("m", kb.End, kb.ArrowUp)
		b.Keys(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight)
		b.Press(kb.ArrowRight, int64(chromedp.ModifierShift))
		b.Keys(kb.Enter)
		b.Choose("PATIENT")
	})
	if status, _, stderr := run(m.args("--export", filepath.Join(t.TempDir(), "x"))...); status != 65 || !strings.Contains(stderr,
		"--adjudicate") {
		t.Errorf("disagreements are exported: status %d: %s", status, stderr)
	}
	if status, _, stderr := run(m.args("--reviewer", "cy")...); status != 64 || !strings.Contains(stderr, "ann and bob") {
		t.Errorf("a third reviewer: status %d: %s", status, stderr)
	}
	s := m.start(t, "dee", true)
	if len(s.page.order) != 1 {
		t.Fatalf("%d notes are shown, want the one with disagreements", len(s.page.order))
	}
	b := robot.Open(t, s.url)
	if n := robot.JS[int](b, `note.items.filter(i => i.ask).length`); n != 2 {
		t.Errorf("%d items ask for a decision, want 2: %s", n, items(b))
	}
	b.Shoot("adjudication")
	b.Keys("x") // the disease: bob was right
	b.Keys("a") // and so he was about Cy Vale
	b.Keys(kb.Enter)
	b.Until(`review.finished.every(Boolean)`)
	b.Quiet()
	s.stop()
	folder := filepath.Join(t.TempDir(), "gold")
	if status, stdout, stderr := run(m.args("--export", folder)...); status != 0 || !strings.Contains(stdout, "8 annotations of 2 notes") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

// Text of notes is text, the window of a telephone does not scroll sideways, and
// nothing can be loaded or sent.
func TestHostileNotes(t *testing.T) {
	var notes []string
	for _, h := range hostile {
		notes = append(notes, h+" ⟦DOCTOR¦"+h+"¦"+h+"⟧ "+h)
	}
	huge := strings.Repeat("Seen by Dr. ⟦DOCTOR¦Ada Moth¦Bo Lund⟧, who wrote nothing of note.\n", 3000)
	m := job(t, append(notes, huge)...)
	s := m.start(t, "ann", false)
	b := robot.Open(t, s.url)
	for i, h := range append(hostile, "") {
		b.GoTo(s.at(t, fmt.Sprintf("n%02d", i)))
		b.Unblind()
		b.Keys("o")
		raw, _ := json.Marshal(h + " " + h + " " + h)
		if h != "" && !robot.JS[bool](b, fmt.Sprintf(`document.getElementById('text').textContent === %s`, raw)) {
			t.Errorf("%q is not shown as it is", h)
		}
	}
	if n := robot.JS[int](b, `document.querySelectorAll('#text mark').length`); n != 3000 {
		t.Errorf("a huge note shows %d marks", n)
	}
	b.Keys("a", "m", kb.End, kb.Escape)
	const made = `document.querySelectorAll('img, svg, iframe, object, #text script, #text style, meta[http-equiv]').length`
	if robot.JS[bool](b, `'harm' in window`) || robot.JS[int](b, made) != 0 {
		t.Error("text of a note became more than text")
	}
	b.Quiet()
	b.Sealed()
}

// A tab that shows an older state than the server has is told so, and shows the
// new one; nothing is decided twice.
func TestTwoTabs(t *testing.T) {
	m := job(t, letter)
	s := m.start(t, "ann", false)
	one := robot.Open(t, s.url)
	one.Unblind()
	two := robot.Ready(one.Another(s.url))
	one.Keys("x")
	two.Keys("a")
	if got := robot.JS[string](two, `document.getElementById('status').textContent`); !strings.Contains(got, "another tab") {
		t.Errorf("the second tab is told %q", got)
	}
	if got := items(two); !strings.HasPrefix(got, "17 June 2014:DATE:needless; ") {
		t.Errorf("the second tab shows %q", got)
	}
	two.Keys("n", "a")
	if got := s.page.log.States[0].Version; got > 3 {
		t.Errorf("%d events were taken", got)
	}
}

// Rules of axe-core hold in every state, narrow and wide, light and dark.
func TestAccessibility(t *testing.T) {
	axe, err := os.ReadFile("../../.cache/axe/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not there: make axe")
	}
	m := job(t, letter, letter, letter, letter)
	s := m.start(t, "ann", false)
	b := robot.Open(t, s.url)
	check := func(name string) {
		t.Helper()
		b.Shoot(name)
		found := robot.Later[[]string](b, `axe.run(document, { resultTypes: ['violations'] }).then(r => r.violations.map(v =>
			v.id + ': ' + v.nodes.map(n => n.target + ' ' + n.failureSummary).join(' | ')))`)
		for _, f := range found {
			t.Errorf("%s: %s", name, f)
		}
	}
	for _, c := range []struct {
		name   string
		width  int64
		scheme string
	}{{"wide-light", 1280, "light"}, {"wide-dark", 1280, "dark"}, {"narrow-light", 400, "light"}, {"narrow-dark", 400, "dark"}} {
		b.Resize(c.width, 860)
		if _, err := chromedp.Call(b.Context, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: c.scheme}}}); err != nil {
			t.Fatal(err)
		}
		b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.url))
		b.Until(`document.body && document.body.dataset.ready === 'yes'`)
		b.Do(chromedp.Evaluate[chromedp.Void](string(axe)))
		if got := robot.JS[int64](b, `document.documentElement.scrollWidth`); got > c.width {
			t.Errorf("%s: the page is %d wide", c.name, got)
		}
		b.GoTo(s.at(t, "n00"))
		b.Unblind()
		b.Keys("a", "x", "o")
		check(c.name)
		b.Keys("?")
		check(c.name + "-keys")
		b.Keys(kb.Escape)
		b.Keys("m")
		check(c.name + "-selecting")
		b.Keys(kb.Enter)
		b.Until(`document.getElementById('types').open`)
		check(c.name + "-types")
		b.Keys(kb.Escape, kb.Escape)
		b.Keys("z", "z")
	}
}
