package review

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

// browser is a tab that shows a review.
type browser struct{ *browsertest.Tab }

// open opens an address in a browser of its own.
func open(t *testing.T, url string) *browser {
	t.Helper()
	return ready(browsertest.Open(t, url, browsertest.Options{Limit: 10 * time.Minute, Patience: 30 * time.Second, Own: browsertest.Below,
		Picture: chromedp.CaptureScreenshot()}))
}

// ready waits until the page shows a note.
func ready(tab *browsertest.Tab) *browser {
	tab.T.Helper()
	tab.Until(`document.body && document.body.dataset.ready === 'yes'`)
	return &browser{tab}
}

// js returns what an expression is.
func js[T any](b *browser, expression string) T {
	b.T.Helper()
	return browsertest.JS[T](b.Tab, expression)
}

// later returns what a promise comes to.
func later[T any](b *browser, expression string) T {
	b.T.Helper()
	return browsertest.JS[T](b.Tab, expression, chromedp.EvalAwaitPromise)
}

// keys types keys, as a keyboard does. Those that are decisions are waited for.
func (b *browser) keys(keys ...string) {
	b.T.Helper()
	for _, k := range keys {
		b.press(k, 0)
	}
	b.Until(idle)
}

// idle tells that the page has done what was asked, or asks something itself.
const idle = `working === 0 || document.querySelector('dialog[open]') !== null`

// press sends a key, or the letters of a word, as a keyboard does: unlike
// chromedp.KeyEvent, so that a key that the page takes types no letter as well.
func (b *browser) press(keys string, modifiers int64) {
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

// choose types a type into the dialog that asks for one.
func (b *browser) choose(kind string) {
	b.T.Helper()
	b.Until(`document.getElementById('types').open`)
	b.keys(kind)
	b.Until(fmt.Sprintf(`document.querySelector('#choices [aria-selected=true]')?.dataset.type === %q`, kind))
	b.keys(kb.Enter)
	b.Until(`!document.getElementById('types').open && working === 0`)
}
