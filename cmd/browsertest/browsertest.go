// Package browsertest opens pages of commands in a real browser and watches what
// must not happen there, for tests.
package browsertest

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

// Options say what a test wants of its browser.
type Options struct {
	Limit    time.Duration                 // of all that the test does in it
	Patience time.Duration                 // bounds the waiting for what comes at once, on a busy machine
	Own      func(page, asked string) bool // tells whether what a page asks for is its own
	Picture  chromedp.Action[[]byte]       // how Shoot sees it
}

// Tab is one tab of a real browser, which writes down whatever must not
// happen: script errors, messages on the console (a breach of the content
// security policy is one), and requests for anything but the page's own.
type Tab struct {
	T       *testing.T
	Context context.Context // for chromedp

	url     string
	options Options
	mu      sync.Mutex
	faults  []string
	loaded  int
}

// Chromium returns the path of a Chromium, or skips the test.
func Chromium(t *testing.T) string {
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

// Open opens an address in a browser of its own.
func Open(t *testing.T, url string, o Options) *Tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(Chromium(t)),
		chromedp.NoSandbox, // CI runs as root; the page is our own
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.WindowSize(1280, 900),
	)
	ctx, cancel := context.WithTimeout(context.Background(), o.Limit)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	return open(t, ctx, url, o)
}

// Another opens an address in another tab of the same browser.
func (b *Tab) Another(url string) *Tab {
	b.T.Helper()
	return open(b.T, b.Context, url, b.options)
}

func open(t *testing.T, ctx context.Context, url string, o Options) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &Tab{T: t, Context: ctx, url: url, options: o}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	b.Do(chromedp.Navigate(url))
	return b
}

func (b *Tab) listen(event any) {
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
		if !b.options.Own(b.url, e.Request.URL) {
			b.faults = append(b.faults, "request: "+e.Request.URL)
		}
		b.loaded++
	}
}

// Below lets a page ask for what begins with its own address.
func Below(page, asked string) bool { return strings.HasPrefix(asked, page) }

// Itself lets a page ask for itself alone.
func Itself(page, asked string) bool {
	asked, _, _ = strings.Cut(asked, "#")
	return asked == page
}

// Do runs actions; one that fails ends the test.
func (b *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	if err := chromedp.Do(b.Context, actions...); err != nil {
		b.T.Fatal(err)
	}
}

// Until waits until an expression is true.
func (b *Tab) Until(expression string) {
	b.T.Helper()
	if err := chromedp.Do(b.Context, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(b.options.Patience))); err != nil {
		b.T.Fatalf("%s: %v; the page says %q", expression, err, JS[string](b, `document.getElementById('status')?.textContent ?? ''`))
	}
}

// JS returns what an expression is.
func JS[T any](b *Tab, expression string, options ...chromedp.EvaluateOption) T {
	b.T.Helper()
	v, err := chromedp.Run(b.Context, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		b.T.Fatalf("%s: %v", expression, err)
	}
	return v
}

// Sealed fails the test unless the page's content security policy stops images and
// requests from elsewhere, HTML made of text, and scripts.
func (b *Tab) Sealed() {
	b.T.Helper()
	b.Do(chromedp.Evaluate[chromedp.Void](`
		window.stopped = [];
		document.addEventListener('securitypolicyviolation', e => stopped.push(e.effectiveDirective));
		const img = document.createElement('img');
		img.src = 'http://127.0.0.1:9/x.png';
		document.body.append(img);
		fetch('http://127.0.0.1:9/').catch(() => {});
		try { document.body.innerHTML += '<b>'; } catch (e) { stopped.push('html'); }
		try { const s = document.createElement('script'); s.textContent = 'window.harm = 6'; document.body.append(s); }
		catch (e) { stopped.push('script'); }
	`))
	b.Until(`['img-src', 'connect-src', 'html', 'script'].every(d => stopped.includes(d)) && !('harm' in window)`)
}

// Quiet fails the test if anything happened that must not.
func (b *Tab) Quiet() {
	b.T.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.T.Error(f)
	}
	if b.loaded == 0 {
		b.T.Error("the browser told of no request at all, not even of the page: nothing is watched")
	}
}

// Resize makes the window that of a telephone or a screen.
func (b *Tab) Resize(width, height int64) {
	b.T.Helper()
	b.Do(chromedp.EmulateViewport(width, height))
}

// Shoot saves a picture where PALIMPSEST_SCREENSHOTS names a folder, for people to
// look at.
func (b *Tab) Shoot(name string) {
	b.T.Helper()
	dir := os.Getenv("PALIMPSEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.Context, b.options.Picture)
	if err != nil {
		b.T.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		b.T.Fatal(err)
	}
}
