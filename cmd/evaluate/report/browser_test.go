package report

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/palimpsest-deid/palimpsest/cmd/browsertest"
)

// browser is a tab that shows an evaluation.
type browser struct{ *browsertest.Tab }

// open opens the page that r and e make, written to a file and read as one.
func open(t *testing.T, r *Result, e *Errors) *browser {
	t.Helper()
	browsertest.Chromium(t)
	file := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := WritePage(f, r, e); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return &browser{browsertest.Open(t, "file://"+file, browsertest.Options{Limit: 5 * time.Minute, Patience: 2 * time.Minute,
		Own: browsertest.Itself, Picture: chromedp.FullScreenshot(100)})}
}

// js returns what an expression is.
func js[T any](b *browser, expression string) T {
	b.T.Helper()
	return browsertest.JS[T](b.Tab, expression)
}

// set gives an input or select a value, as a user's choice does.
func (b *browser) set(id, value string) {
	b.T.Helper()
	b.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
		const e = document.getElementById(%q);
		if (e.tagName === 'SELECT') {
			const o = [...e.options].find(o => o.text === %q || o.text.startsWith(%q + ' ('));
			if (!o) throw new Error('no option ' + %q);
			e.value = o.value;
		} else {
			e.value = %q;
		}
		e.dispatchEvent(new Event('change', { bubbles: true }));
	})()`, id, value, value, value, value)))
}

// count returns the line that says how many errors fit.
func (b *browser) count() string {
	b.T.Helper()
	return js[string](b, `document.getElementById('count').textContent`)
}
