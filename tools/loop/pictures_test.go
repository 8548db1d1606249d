package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/palimpsest-deid/palimpsest/cmd/browsertest"
	"github.com/palimpsest-deid/palimpsest/cmd/review/robot"
)

// most is how large a picture may be, in bytes.
const most = 150_000

// widths are those of a screen and of a telephone.
var widths = []struct {
	name          string
	width, height int64
}{{"wide", 1280, 760}, {"narrow", 400, 860}}

// shoot writes a picture of a page at each width, in light or dark, into docs/recipes.
func shoot(t *testing.T, b *browsertest.Tab, name, scheme string) {
	t.Helper()
	if _, err := chromedp.Call(b.Context, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
		t.Fatal(err)
	}
	for _, w := range widths {
		b.Resize(w.width, w.height)
		png, err := chromedp.Run(b.Context, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if len(png) > most {
			t.Errorf("the picture of %s is %d bytes", name, len(png))
		}
		if err := os.WriteFile(filepath.Join("docs/recipes", fmt.Sprintf("loop-%s-%s-%s.png", name, w.name, scheme)), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.Resize(1280, 900)
}

// picture takes pictures of the review of one note.
func (l *loop) picture() func(*robot.Browser, int) {
	taken := false
	return func(b *robot.Browser, _ int) {
		if taken || robot.JS[int](b, `note.items.filter(i => i.what === 'missed').length`) == 0 {
			return
		}
		taken = true
		b.Keys("p", "p", "p", "o")
		for _, scheme := range []string{"light", "dark"} {
			shoot(l.T, b.Tab, "review", scheme)
		}
		b.Keys("o")
	}
}

// pictureOfReport takes pictures of the page to sign.
func (l *loop) pictureOfReport(file string) {
	file, err := filepath.Abs(file)
	if err != nil {
		l.Fatal(err)
	}
	b := browsertest.Open(l.T, "file://"+file, browsertest.Options{Limit: 5 * time.Minute, Patience: time.Minute, Own: browsertest.Itself,
		Picture: chromedp.CaptureScreenshot()})
	shoot(l.T, b, "report", "light")
	b.Quiet()
}
