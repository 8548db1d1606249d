// Package robot reviews notes in a real browser by its keyboard alone, as a person
// would who knows gold annotations, for tests.
package robot

import (
	"fmt"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/palimpsest-deid/palimpsest/cmd/browsertest"
)

// Browser is a tab that shows a review.
type Browser struct{ *browsertest.Tab }

// Open opens a review's address in a browser of its own.
func Open(t *testing.T, url string) *Browser {
	t.Helper()
	return Ready(browsertest.Open(t, url, browsertest.Options{Limit: 20 * time.Minute, Patience: time.Minute, Own: browsertest.Below,
		Picture: chromedp.CaptureScreenshot()}))
}

// Ready waits until the page shows a note.
func Ready(tab *browsertest.Tab) *Browser {
	tab.T.Helper()
	tab.Until(`document.body && document.body.dataset.ready === 'yes'`)
	return &Browser{tab}
}

// JS returns what an expression is.
func JS[T any](b *Browser, expression string) T {
	b.T.Helper()
	return browsertest.JS[T](b.Tab, expression)
}

// Later returns what a promise comes to.
func Later[T any](b *Browser, expression string) T {
	b.T.Helper()
	return browsertest.JS[T](b.Tab, expression, chromedp.EvalAwaitPromise)
}

// idle tells that the page has done what was asked, or asks something itself.
const idle = `working === 0 || document.querySelector('dialog[open]') !== null`

// Keys types keys, as a keyboard does. Those that are decisions are waited for.
func (b *Browser) Keys(keys ...string) {
	b.T.Helper()
	for _, k := range keys {
		b.Press(k, 0)
	}
	b.Until(idle)
}

// Press sends a key, or the letters of a word, as a keyboard does: unlike
// chromedp.KeyEvent, so that a key that the page takes types no letter as well.
func (b *Browser) Press(keys string, modifiers int64) {
	b.T.Helper()
	for _, r := range keys {
		for _, p := range kb.Encode(r) {
			if p.Type == kb.KeyChar {
				continue
			}
			p.Modifiers |= modifiers
			if p.Type != kb.KeyUp {
				p.Type = kb.KeyDown
				if unicode.IsPrint(r) {
					p.Text = string(r)
				} else if r == '\r' {
					p.Text = "\r"
				}
			}
			if _, err := chromedp.Call(b.Context, input.DispatchKeyEvent, *p); err != nil {
				b.T.Fatal(err)
			}
		}
	}
}

// Choose types a type into the dialog that asks for one.
func (b *Browser) Choose(kind string) {
	b.T.Helper()
	b.Until(`document.getElementById('types').open`)
	b.Keys(kind)
	b.Until(fmt.Sprintf(`document.querySelector('#choices [aria-selected=true]')?.dataset.type === %q`, kind))
	b.Keys(kb.Enter)
	b.Until(`!document.getElementById('types').open && working === 0`)
}

// GoTo opens a note, as a bookmark does.
func (b *Browser) GoTo(at int) {
	b.T.Helper()
	b.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`open(%d)`, at)))
	b.Until(fmt.Sprintf(`note.note === %d`, at))
}

// Unblind shows the marks of a note that is without them.
func (b *Browser) Unblind() {
	b.T.Helper()
	if !JS[bool](b, `note.marked`) {
		b.Keys(kb.Enter)
		b.Until(`document.getElementById('reveal').open`)
		b.Keys(kb.Enter)
		b.Until(`note.marked && working === 0`)
	}
}
