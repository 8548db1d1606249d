package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one tab of a real browser, which writes down whatever must not
// happen: script errors, messages on the console (a breach of the content
// security policy is one), and requests for anything but the page.
type browser struct {
	t      *testing.T
	ctx    context.Context
	url    string
	mu     sync.Mutex
	faults []string
	loaded int
}

// chromium returns the path of a Chromium, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("PALIMPSEST_CHROMIUM"); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			t.Fatalf("PALIMPSEST_CHROMIUM: %v", err)
		}
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on PATH: install it, or name one in PALIMPSEST_CHROMIUM")
	return ""
}

// open opens the page that r and e make, written to a file and read as one.
func open(t *testing.T, r *Result, e *Errors) *browser {
	t.Helper()
	path := chromium(t)
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
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // CI runs as root; the page is our own
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.WindowSize(1280, 900),
	)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)

	b := &browser{t: t, ctx: ctx, url: "file://" + file}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(b.url))
	return b
}

func (b *browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, "script error: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.faults = append(b.faults, fmt.Sprintf("console: %v", e.Type))
	case *log.EventEntryAdded:
		b.faults = append(b.faults, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if url, _, _ := strings.Cut(e.Request.URL, "#"); url != b.url {
			b.faults = append(b.faults, "request: "+e.Request.URL)
		}
		b.loaded++
	}
}

// do runs actions; one that fails ends the test.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// js returns what an expression is.
func js[T any](b *browser, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// set gives an input or select a value, as a user's choice does.
func (b *browser) set(id, value string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
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
	b.t.Helper()
	return js[string](b, `document.getElementById('count').textContent`)
}

// quiet fails the test if anything happened that must not.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.t.Error(f)
	}
	if b.loaded == 0 {
		b.t.Error("the browser told of no request at all, not even of the page: nothing is watched")
	}
}

// resize makes the window that of a telephone or a screen.
func (b *browser) resize(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
}

// shoot saves a picture of the whole page where PALIMPSEST_SCREENSHOTS names a
// folder, for people to look at.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("PALIMPSEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
