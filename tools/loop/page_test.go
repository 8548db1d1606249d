package loop

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The pages say what the steps run and what was seen of them, and nothing else.
func TestPages(t *testing.T) {
	t.Chdir("../..")
	raw, err := os.ReadFile(seenFile)
	var s seen
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err == nil && os.Getenv("PALIMPSEST_LOOP") == "pages" {
		err = s.write()
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.page()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(pageFile)
	if err != nil || string(page) != want {
		t.Errorf("%s is not what tools/loop/page.md, its steps and seen.json make (%v); run: make loop", pageFile, err)
	}
	overview, err := os.ReadFile(loopFile)
	if err != nil {
		t.Fatal(err)
	}
	if want, err = s.within(string(overview)); err != nil || string(overview) != want {
		t.Errorf("%s does not have the figures of seen.json (%v); run: make loop", loopFile, err)
	}
	if len(s.Files) != len(kept) {
		t.Errorf("%d kinds of files were seen, and %d are listed; run: make loop", len(s.Files), len(kept))
	}
	at := 0
	for _, c := range steps {
		i := strings.Index(string(page[at:]), indent(c.command))
		if i < 0 {
			t.Errorf("%s has no step %q behind those before it", pageFile, c.name)
			continue
		}
		at += i
	}
	if strings.Contains(string(raw), "127.0.0.1") || strings.Contains(string(raw), "/tmp/") ||
		strings.Contains(string(raw), ".cache/") {
		t.Error("what was seen names a place of one machine")
	}
}
