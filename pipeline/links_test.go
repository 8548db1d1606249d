package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Links that somebody put below the output or the private part are not followed,
// were they there before the job or made while it ran.
func TestLinksAreNotFollowed(t *testing.T) {
	for _, name := range []string{"out/_temporary", "out/notes", "out-private/findings", "out-private/_temporary", "out-private/quarantine"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o := exampleOptions(dir)
			elsewhere := filepath.Join(dir, "elsewhere")
			link := filepath.Join(dir, name)
			plant := func() {
				for _, d := range []string{elsewhere, filepath.Dir(link)} {
					if err := os.MkdirAll(d, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Symlink(elsewhere, link); err != nil {
					t.Fatal(err)
				}
			}
			cfg, err := NewConfig(o)
			if err != nil {
				t.Fatal(err)
			}
			if cfg, _, err = Prepare(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			plant()
			if _, _, err := Prepare(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), link+": it is a symbolic link") {
				t.Errorf("before the job: %v", err)
			}
			var log strings.Builder
			if err := Run(context.Background(), cfg, &log); err == nil || !strings.Contains(err.Error(), link+": it is a symbolic link") {
				t.Errorf("within the job: %v", err)
			}
			if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
				t.Errorf("%v were written through the link, %v", left, err)
			}
			if _, err := os.Stat(filepath.Join(o.Output, transforms.SuccessFile)); err == nil {
				t.Error("the output counts as complete")
			}
		})
	}
}
