package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// hostile is text that would do harm if any of it were taken for more than text.
var hostile = []string{
	`</script><script>window.harm = 1</script>`,
	`<img src=x onerror="window.harm = 2">`,
	`"><svg onload=window.harm=3>`,
	`<!-- <script> ]]> --!>`,
	"javascript:window.harm=4 \u2028 \u2029 \x00 ' \" ` ${window.harm=5} {{.}} \\u003c",
	"\u202egnp.exe\u202c \u2066 turned",
	`<style>*{display:none}</style><link rel=stylesheet href=http://127.0.0.1:9/x.css>`,
	`<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">`,
}

// scored scores documents and collects their mistakes, as cmd/evaluate does.
func scored(t testing.TB, limit int, documents []score.Document) (*Result, *Errors) {
	t.Helper()
	s := score.New(score.Options{Resamples: 50, Seed: 1})
	e := NewErrors(limit)
	for _, d := range documents {
		m, err := s.Add(d)
		if err != nil {
			t.Fatal(err)
		}
		e.Add(d.ID, d.Text, m)
	}
	return &Result{Inputs: Inputs{Gold: `gold<b>"'`, GoldFormat: "brat", System: "system", SystemFormat: "parquet", HIPAA: HIPAAScript},
		Score: s.Result()}, e
}

// at marks the first place of surface in text.
func at(text, surface, label, category, tagger string) score.Annotation {
	i := strings.Index(text, surface)
	return score.Annotation{Start: i, End: i + len(surface), Label: label, Category: category, Tagger: tagger, Score: 0.5}
}

// trapped returns documents with one mistake of each kind, one right span, and
// hostile text as text, label, tagger and document id. Of each hostile string
// there is one missed and one spurious span.
func trapped() []score.Document {
	text := "Dr. Ada Moth saw Bo Lund on 3 May at Elm House, Leith.\nπ 𝛑 Rang 555-0143 for Cy."
	documents := []score.Document{{
		ID: "plain", Text: text,
		Gold: []score.Annotation{
			at(text, "Ada Moth", "DOCTOR", "NAME", ""),
			at(text, "Bo Lund", "PATIENT", "NAME", ""),
			at(text, "3 May", "DATE", "DATE", ""),
			at(text, "Elm House", "HOSPITAL", "LOCATION", ""),
			at(text, "Cy", "PATIENT", "NAME", ""),
		},
		System: []score.Annotation{
			at(text, "Ada Moth", "PATIENT", "NAME", "network"),        // wrong type
			at(text, "Lund", "PATIENT", "NAME", "rules"),              // wrong boundary, exposed
			at(text, "3 May", "DATE", "DATE", "rules"),                // right
			at(text, "Elm House, Leith", "CITY", "LOCATION", "sweep"), // wrong boundary and type
			at(text, "555-0143", "PHONE", "CONTACT", "rules"),         // spurious
		}, // Cy is missed
	}}
	for i, h := range hostile {
		text := h + " then " + h
		documents = append(documents, score.Document{
			ID: fmt.Sprintf("hostile %d %s", i, h), Text: text,
			Gold: []score.Annotation{{Start: 0, End: len(h), Label: "L " + h, Category: "NAME"}},
			System: []score.Annotation{{Start: len(text) - len(h), End: len(text), Label: "S " + h, Category: "NAME", Tagger: "T " + h,
				Score: 0.25}},
		})
	}
	return documents
}

func TestPageInABrowser(t *testing.T) {
	r, e := scored(t, DefaultErrors, trapped())
	b := open(t, r, e)
	n := len(hostile)
	all := 5 + 2*n

	want := func(what, line string) {
		t.Helper()
		if got := b.count(); got != line {
			t.Errorf("%s: the page says %q, want %q", what, got, line)
		}
	}
	first := func(shown, of int) string {
		if of == all {
			return fmt.Sprintf("Errors 1 to %d of %d", shown, of)
		}
		return fmt.Sprintf("Errors 1 to %d of %d (%d in all)", shown, of, all)
	}
	want("at first", first(all, all))
	if got := js[int](b, `document.querySelectorAll('#list li').length`); got != all {
		t.Errorf("%d errors are listed, want %d", got, all)
	}

	// Kinds: the numbers at the boxes, and each box alone.
	kindsShown := js[[]string](b, `[...document.querySelectorAll('#kind label')].map(l => l.textContent.trim().replace(/\s+/g, ' '))`)
	wantKinds := []string{fmt.Sprintf("missed %d", n+1), fmt.Sprintf("spurious %d", n+1), "wrong type 1", "wrong boundary 1",
		"wrong boundary and type 1"}
	if strings.Join(kindsShown, ";") != strings.Join(wantKinds, ";") {
		t.Errorf("kinds are %q, want %q", kindsShown, wantKinds)
	}
	for i, k := range []int{n + 1, n + 1, 1, 1, 1} {
		b.Do(chromedp.Click(chromedp.CSS(fmt.Sprintf(`#kind label:nth-of-type(%d) input`, i+1))))
		want("without "+wantKinds[i], first(all-k, all-k))
		b.Do(chromedp.Click(chromedp.CSS(fmt.Sprintf(`#kind label:nth-of-type(%d) input`, i+1))))
	}
	want("with all kinds again", first(all, all))

	// The other filters, each alone and some together.
	b.set("gold", "PATIENT")
	want("gold PATIENT", first(2, 2)) // Bo Lund and Cy
	b.set("tagger", "rules")
	want("gold PATIENT by the rules", first(1, 1))
	b.Do(chromedp.Click(chromedp.CSS(`#clear`)))
	want("cleared", first(all, all))
	b.set("system", "PATIENT")
	want("system PATIENT", first(2, 2))
	b.Do(chromedp.Click(chromedp.CSS(`#clear`)))
	b.set("document", "plain")
	want("one document", first(5, 5))
	b.Do(chromedp.Click(chromedp.CSS(`#exposed`)))
	want("exposed in one document", first(2, 2)) // Bo, Cy
	b.Do(chromedp.Click(chromedp.CSS(`#clear`)))
	b.set("document", "hostile")
	want("documents by part of the name", first(2*n, 2*n))
	b.Do(chromedp.Click(chromedp.CSS(`#clear`)))
	b.Do(chromedp.SendKeys(chromedp.CSS(`#search`), "RANG 555"))
	b.Until(fmt.Sprintf(`document.getElementById('count').textContent !== %q`, first(all, all)))
	want("search", first(5, 5)) // the note is short: all its errors have it in their context
	b.set("search", "no such text")
	want("search in vain", fmt.Sprintf("No error of %d fits.", all))
	b.Shoot("none")
	b.Do(chromedp.Click(chromedp.CSS(`#clear`)))

	// A cell of the confusion matrix leads to its errors.
	b.Do(chromedp.Click(chromedp.CSS(`.heat a[aria-label="gold DOCTOR, system PATIENT: 1"]`)))
	b.Until(`document.querySelectorAll('#list li').length === 1`)
	want("cell DOCTOR, PATIENT", first(1, 1))
	b.Do(chromedp.Click(chromedp.CSS(`#clear`)))

	// Marks stand where the spans are, code points beyond the BMP before them or not.
	b.set("document", "plain")
	marks := js[[]string](b, `[...document.querySelectorAll('#list li')].map(li =>
		 [...li.querySelectorAll('mark')].map(m => m.className + ':' + m.textContent).join('|'))`)
	wantMarks := []string{"g s:Ada Moth", "g:Bo |g s:Lund", "g s:Elm House|s:, Leith", "s:555-0143", "g:Cy"}
	if strings.Join(marks, "\n") != strings.Join(wantMarks, "\n") {
		t.Errorf("marks are %q, want %q", marks, wantMarks)
	}
	b.Do(chromedp.Click(chromedp.CSS(`#clear`)))

	// Hostile text is text.
	if got := js[bool](b, `'harm' in window`); got {
		t.Error("text of a note ran as a script")
	}
	const loaded = `document.querySelectorAll('img, iframe, object, link, #list script, #list svg, #list style, #list a').length`
	if got := js[int](b, loaded); got != 0 {
		t.Errorf("text of a note made %d elements", got)
	}
	if got := js[int](b, `document.querySelectorAll('script').length`); got != 2 {
		t.Errorf("the page has %d scripts, want its data and its own", got)
	}
	listed := js[string](b, `document.getElementById('list').textContent`)
	for _, h := range hostile {
		if strings.Count(listed, h) < 2 {
			t.Errorf("%q is not on the page as text", h)
		}
	}
	b.Shoot("wide")
	b.Resize(390, 844)
	if got := js[int](b, `document.documentElement.scrollWidth`); got > 390 {
		t.Errorf("on a telephone the page is %d wide, want 390: only tables may scroll sideways", got)
	}
	b.Shoot("narrow")
	b.Quiet()

	// Nothing could run or be sent even if note text did become more than text.
	b.Sealed()
}

func TestPageOfManyErrors(t *testing.T) {
	// 40 characters of a name that is found as another, 20,000 times, and one
	// error that a search has to find.
	const notes, each = 400, 50
	var documents []score.Document
	for i := range notes {
		var text strings.Builder
		var gold, system []score.Annotation
		for j := range each {
			start := text.Len()
			fmt.Fprintf(&text, "Person%05d", i*each+j)
			gold = append(gold, score.Annotation{Start: start, End: text.Len(), Category: "NAME", Label: "PATIENT"})
			if j%2 == 0 {
				system = append(system, score.Annotation{Start: start, End: text.Len(), Category: "NAME", Label: "DOCTOR", Tagger: "network",
					Score: 0.5})
			}
			text.WriteString(" was seen, and nothing else was found. ")
		}
		documents = append(documents, score.Document{ID: fmt.Sprintf("note%03d", i), Text: text.String(), Gold: gold, System: system})
	}
	r, e := scored(t, DefaultErrors, documents)
	b := open(t, r, e)
	if got, want := b.count(), "Errors 1 to 50 of 20,000"; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	page := func(want string) {
		t.Helper()
		if got := js[string](b, `document.getElementById('page').textContent`); got != want {
			t.Errorf("page is %q, want %q", got, want)
		}
	}
	page("1 / 400")
	b.Do(chromedp.Click(chromedp.CSS(`#next`)))
	page("2 / 400")
	if got, want := b.count(), "Errors 51 to 100 of 20,000"; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	if got := js[string](b, `document.activeElement.id`); got != "list" {
		t.Errorf("after turning the page %q has the focus, want the list", got)
	}
	b.Do(chromedp.Click(chromedp.CSS(`#last`)))
	page("400 / 400")
	if !js[bool](b, `document.getElementById('next').disabled`) {
		t.Error("there is a page after the last")
	}
	// Turned by keyboard alone.
	b.Do(chromedp.Focus(chromedp.CSS(`#first`)), chromedp.KeyEvent(kb.Enter))
	page("1 / 400")
	b.set("search", "person19999")
	if got, want := b.count(), "Errors 1 to 3 of 3 (20,000 in all)"; got != want { // two more have it in their context
		t.Errorf("the page says %q, want %q", got, want)
	}
	b.Quiet()
}

// A page that quotes notes lets in nothing and sends nothing out.
func TestPageIsSealed(t *testing.T) {
	r, e := scored(t, DefaultErrors, trapped())
	var page bytes.Buffer
	if err := WritePage(&page, r, e); err != nil {
		t.Fatal(err)
	}
	html := page.String()
	if !strings.Contains(html, `content="default-src &#39;none&#39;; script-src &#39;sha256-`) {
		t.Error("the page has no content security policy that lets in nothing but its own script")
	}
	if i, j := strings.Index(html, "Content-Security-Policy"), strings.Index(html, "<style>"); i < 0 || i > j {
		t.Error("the policy stands behind what it is to hold")
	}
	own := strings.ReplaceAll(html, "&#39;", "'")
	for _, h := range hostile[:4] {
		if strings.Contains(own, h) {
			t.Errorf("%q stands in the page as it is", h)
		}
	}
	if m := regexp.MustCompile(`(?i)\b(src|srcset|action|formaction)\s*=\s*["']?[a-z/]|@import|url\(`).FindString(
		pageHTML + pageCSS + pageJS); m != "" {
		t.Errorf("the page loads something: %q", m)
	}
	for _, m := range regexp.MustCompile(`(?i)\shref="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if !strings.HasPrefix(m[1], "#") {
			t.Errorf("the page leads elsewhere: %q", m[1])
		}
	}
	if strings.Contains(pageJS, "innerHTML") || strings.Contains(pageJS, "</script") || strings.Contains(html, `style="`) {
		t.Error("the page's script makes HTML of text, or the page has styles that its policy refuses")
	}
}

// The same result gives the same bytes.
func TestPageIsDeterministic(t *testing.T) {
	var pages [2]bytes.Buffer
	for i := range pages {
		r, e := scored(t, 6, trapped())
		if err := WritePage(&pages[i], r, e); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(pages[0].Bytes(), pages[1].Bytes()) {
		t.Error("two pages of the same result differ")
	}
	if !strings.Contains(pages[0].String(), "6 of 21 errors are in this page") {
		t.Error("a page that holds a sample does not say so")
	}
}

func BenchmarkPage(b *testing.B) {
	documents := trapped()
	for b.Loop() {
		r, e := scored(b, DefaultErrors, documents)
		if err := WritePage(io.Discard, r, e); err != nil {
			b.Fatal(err)
		}
	}
}
