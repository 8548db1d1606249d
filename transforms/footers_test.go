package transforms

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// A footer is read once per version of a file, and few are kept.
func TestFooterCache(t *testing.T) {
	ctx := context.Background()
	raw, err := os.ReadFile("../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	var c footerCache
	open := func(name string) error {
		object, err := storage.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		defer object.Close()
		file, err := c.open(object, name)
		if err == nil && len(file.RowGroups()) == 0 {
			t.Errorf("%s has no row groups", name)
		}
		return err
	}
	first := write("first", raw)
	for range 3 {
		if err := open(first); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.kept) != 1 {
		t.Errorf("%d footers of one file are kept", len(c.kept))
	}
	// Another version: the old footer must not be used for it.
	write("first", raw[:len(raw)-1])
	if err := open(first); err == nil || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("a file that was cut was opened with the footer that it had: %v", err)
	}
	for i := range 2 * footersKept {
		if err := open(write(fmt.Sprint("other-", i), raw)); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.kept) != footersKept {
		t.Errorf("%d footers are kept, want %d", len(c.kept), footersKept)
	}
	if last := c.kept[footersKept-1].name; !strings.HasSuffix(last, fmt.Sprint("other-", 2*footersKept-1)) {
		t.Errorf("the last footer kept is of %s", last)
	}
}
