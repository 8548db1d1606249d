package review

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
	"unicode"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is one tab of a real browser, which writes down whatever must not
// happen: script errors, messages on the console (a breach of the content
// security policy is one), and requests for anything but the page's own.
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

// open opens an address in a browser of its own.
func open(t *testing.T, url string) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)),
		chromedp.NoSandbox, // CI runs as root; the page is our own
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.WindowSize(1280, 900),
	)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	return tab(t, ctx, url)
}

// tab opens an address in a tab of the browser that ctx is of.
func tab(t *testing.T, ctx context.Context, url string) *browser {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx, url: url}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(url))
	b.until(`document.body && document.body.dataset.ready === 'yes'`)
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
		if !strings.HasPrefix(e.Request.URL, b.url) {
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

// patience bounds the waiting for what comes at once, on a busy machine.
var patience = chromedp.WithPollingTimeout(30 * time.Second)

// until waits until an expression is true.
func (b *browser) until(expression string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Poll[chromedp.Void](expression, patience)); err != nil {
		b.t.Fatalf("%s: %v; the page says %q", expression, err, js[string](b, `document.getElementById('status').textContent`))
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

// later returns what a promise comes to.
func later[T any](b *browser, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// keys types keys, as a keyboard does. Those that are decisions are waited for.
func (b *browser) keys(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.press(k, 0)
	}
	b.until(idle)
}

// idle tells that the page has done what was asked, or asks something itself.
const idle = `working === 0 || document.querySelector('dialog[open]') !== null`

// press sends a key, or the letters of a word, as a keyboard does: unlike
// chromedp.KeyEvent, so that a key that the page takes types no letter as well.
func (b *browser) press(keys string, modifiers int64) {
	b.t.Helper()
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
			if _, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, *p); err != nil {
				b.t.Fatal(err)
			}
		}
	}
}

// choose types a type into the dialog that asks for one.
func (b *browser) choose(kind string) {
	b.t.Helper()
	b.until(`document.getElementById('types').open`)
	b.keys(kind)
	b.until(fmt.Sprintf(`document.querySelector('#choices [aria-selected=true]')?.dataset.type === %q`, kind))
	b.keys(kb.Enter)
	b.until(`!document.getElementById('types').open && working === 0`)
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

// shoot saves a picture of what is seen where PALIMPSEST_SCREENSHOTS names a
// folder, for people to look at.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("PALIMPSEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
