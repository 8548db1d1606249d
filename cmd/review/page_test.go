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

// goTo opens a note by its address, as a bookmark does.
func (b *browser) goTo(at int) {
	b.T.Helper()
	b.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`open(%d)`, at)))
	b.Until(fmt.Sprintf(`note.note === %d`, at))
}

// unblind shows the marks of a note that is without them, by keys.
func (b *browser) unblind() {
	b.T.Helper()
	if !js[bool](b, `note.marked`) {
		b.keys(kb.Enter)
		b.Until(`document.getElementById('reveal').open`)
		b.keys(kb.Enter)
		b.Until(`note.marked && working === 0`)
	}
}

func (b *browser) items() string {
	b.T.Helper()
	return js[string](b, `note.items.map(i => note.text.slice(i.start, i.end) + ':' + i.type + ':' + i.what +
		(i.as && i.as !== i.type ? ':' + i.as : '')).join('; ')`)
}

// A note is judged by the keyboard alone, and what was said makes annotations.
func TestReviewByKeyboard(t *testing.T) {
	m := job(t, letter, "Nothing here.")
	s := m.start(t, "ann", false)
	b := open(t, s.url)
	b.goTo(s.at(t, "n00"))
	b.unblind()
	b.Shoot("open")
	b.keys("a") // the date
	b.keys("t")
	b.choose("PATIENT") // Dr. Bo Lund
	b.keys("u")         // the hospital
	b.keys("o")
	if got := js[string](b, `document.getElementById('item').textContent`); !strings.Contains(got, "Parkinson") || !strings.Contains(got,
		"Wilson") {
		t.Errorf("the original is not shown on demand: %q", got)
	}
	b.keys("x") // the disease
	b.keys("m", "m")
	b.Until(`document.getElementById('types').open`)
	b.keys(kb.Escape)
	b.Until(`!document.getElementById('types').open`)
	// From "disease" down a line to "Rang", on to "Cy", and "Vale" taken in.
	b.keys(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight)
	b.press(kb.ArrowRight, int64(chromedp.ModifierShift))
	if got := js[string](b, `getSelection().toString()`); got != "Cy Vale" {
		t.Errorf("the keys selected %q", got)
	}
	b.Shoot("selecting")
	b.keys(kb.Enter)
	b.choose("PATIENT")
	want := "17 June 2014:DATE:right; Bo Lund:DOCTOR:wrong_type:PATIENT; " +
		"Oak Lodge:HOSPITAL:undecided; Wilson:DOCTOR:needless; Cy " +
		"Vale:PATIENT:missed"
	if got := b.items(); got != want {
		t.Errorf("the note says %q, want %q", got, want)
	}
	b.keys("z", "z")
	if got := b.items(); !strings.HasSuffix(got, "Wilson:DOCTOR:") && !strings.HasSuffix(got, "Wilson:DOCTOR:undefined") {
		t.Errorf("after two undos: %q", got)
	}
	b.keys(kb.Enter) // not finished: it goes to what has no verdict
	if js[bool](b, `note.finished`) {
		t.Error("a note is finished of which a span has no verdict")
	}
	b.keys("x")
	// By mouse: a selection, then m.
	b.Do(chromedp.Evaluate[chromedp.Void](`getSelection().setBaseAndExtent(...place(note.text.indexOf('Cy'), false),
		...place(note.text.indexOf('Vale') + 5, true))`))
	b.keys("m")
	b.choose("PATIENT")
	if got := b.items(); got != want {
		t.Errorf("the note says %q, want %q", got, want)
	}
	b.Shoot("judged")
	b.keys(kb.Enter)
	b.Until(`review.finished.filter(Boolean).length === 1`)
	b.unblind()
	b.keys(kb.Enter)
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
	b := open(t, s.url)
	blind := -1
	for place, i := range s.page.order {
		if s.page.r.Sample.Notes[i].Blind {
			blind = place
		}
	}
	b.goTo(blind)
	if n := js[int](b, `document.querySelectorAll('mark').length`); n != 0 {
		t.Errorf("a note without marks has %d", n)
	}
	if got := later[string](b, fmt.Sprintf(`fetch('api/originals?note=%d').then(r => r.text())`, blind)); !strings.Contains(got,
		"without marks") {
		t.Errorf("the originals of a note without marks are given away: %s", got)
	}
	b.Shoot("blind")
	// "Bo Lund", which was replaced, and "Cy Vale", which was not.
	mark := func(surface, kind string) {
		b.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`getSelection().setBaseAndExtent(...place(note.text.indexOf(%[1]q), false),
			...place(note.text.indexOf(%[1]q) + %[2]d, true))`, surface, len(surface))))
		b.keys("m")
		b.choose(kind)
	}
	mark("Bo Lund", "DOCTOR")
	mark("Cy Vale", "PATIENT")
	b.unblind()
	b.keys("z")
	if !js[bool](b, `note.marked`) || !strings.Contains(js[string](b, `document.getElementById('status').textContent`), "cannot be undone") {
		t.Error("the showing of the marks was undone")
	}
	b.keys("A")
	if got, want := b.items(), "17 June 2014:DATE:right; Bo Lund:DOCTOR:right; Oak Lodge:HOSPITAL:right; Wilson:DOCTOR:right; Cy "+
		"Vale:PATIENT:missed"; got != want {
		t.Errorf("the note says %q, want %q", got, want)
	}
	b.keys(kb.Enter)
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
	say := func(reviewer string, keys func(b *browser)) {
		s := m.start(t, reviewer, false)
		b := open(t, s.url)
		b.goTo(s.at(t, "n00"))
		b.unblind()
		keys(b)
		b.keys("A", kb.Enter)
		b.Until(`review.finished.filter(Boolean).length === 1`)
		b.unblind()
		b.keys("A", kb.Enter)
		b.Until(`review.finished.every(Boolean)`)
		s.stop()
	}
	say("ann", func(b *browser) {})
	say("bob", func(b *browser) {
		b.keys("n", "n", "n", "x")
		b.keys("m", kb.End, kb.ArrowUp)
		b.keys(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight)
		b.press(kb.ArrowRight, int64(chromedp.ModifierShift))
		b.keys(kb.Enter)
		b.choose("PATIENT")
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
	b := open(t, s.url)
	if n := js[int](b, `note.items.filter(i => i.ask).length`); n != 2 {
		t.Errorf("%d items ask for a decision, want 2: %s", n, b.items())
	}
	b.Shoot("adjudication")
	b.keys("x") // the disease: bob was right
	b.keys("a") // and so he was about Cy Vale
	b.keys(kb.Enter)
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
	b := open(t, s.url)
	for i, h := range append(hostile, "") {
		b.goTo(s.at(t, fmt.Sprintf("n%02d", i)))
		b.unblind()
		b.keys("o")
		raw, _ := json.Marshal(h + " " + h + " " + h)
		if h != "" && !js[bool](b, fmt.Sprintf(`document.getElementById('text').textContent === %s`, raw)) {
			t.Errorf("%q is not shown as it is", h)
		}
	}
	if n := js[int](b, `document.querySelectorAll('#text mark').length`); n != 3000 {
		t.Errorf("a huge note shows %d marks", n)
	}
	b.keys("a", "m", kb.End, kb.Escape)
	const made = `document.querySelectorAll('img, svg, iframe, object, #text script, #text style, meta[http-equiv]').length`
	if js[bool](b, `'harm' in window`) || js[int](b, made) != 0 {
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
	one := open(t, s.url)
	one.unblind()
	two := ready(one.Another(s.url))
	one.keys("x")
	two.keys("a")
	if got := js[string](two, `document.getElementById('status').textContent`); !strings.Contains(got, "another tab") {
		t.Errorf("the second tab is told %q", got)
	}
	if got := two.items(); !strings.HasPrefix(got, "17 June 2014:DATE:needless; ") {
		t.Errorf("the second tab shows %q", got)
	}
	two.keys("n", "a")
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
	b := open(t, s.url)
	check := func(name string) {
		t.Helper()
		b.Shoot(name)
		found := later[[]string](b, `axe.run(document, { resultTypes: ['violations'] }).then(r => r.violations.map(v =>
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
		if got := js[int64](b, `document.documentElement.scrollWidth`); got > c.width {
			t.Errorf("%s: the page is %d wide", c.name, got)
		}
		b.goTo(s.at(t, "n00"))
		b.unblind()
		b.keys("a", "x", "o")
		check(c.name)
		b.keys("?")
		check(c.name + "-keys")
		b.keys(kb.Escape)
		b.keys("m")
		check(c.name + "-selecting")
		b.keys(kb.Enter)
		b.Until(`document.getElementById('types').open`)
		check(c.name + "-types")
		b.keys(kb.Escape, kb.Escape)
		b.keys("z", "z")
	}
}
