package storage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNoLinks(t *testing.T) {
	dir := t.TempDir()
	real, root, elsewhere := filepath.Join(dir, "real"), filepath.Join(dir, "root"), filepath.Join(dir, "elsewhere")
	for _, d := range []string{filepath.Join(real, "plain/deep"), elsewhere} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	link(real, root) // the place itself may be a link
	if err := NoLinksBelow(root); err != nil {
		t.Error(err)
	}
	link(elsewhere, filepath.Join(real, "folder"))
	link(filepath.Join(elsewhere, "none"), filepath.Join(real, "plain/deep/file"))
	for name, want := range map[string]string{
		"plain/deep/other": "", "none/at/all": "", "plain": "",
		"folder/x": "folder", "folder": "folder", "plain/deep/file": "plain/deep/file",
	} {
		err := NoLinks(root, filepath.Join(root, name))
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), filepath.Join(root, want)+": it is a symbolic link") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := NoLinksBelow(root); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a link to a folder: %v", err)
	}
	if err := os.Remove(filepath.Join(real, "folder")); err != nil {
		t.Fatal(err)
	}
	if err := NoLinksBelow(root); err == nil || !strings.Contains(err.Error(), "plain/deep/file") {
		t.Errorf("a link to a file that is not there: %v", err)
	}
	for _, fine := range []string{filepath.Join(dir, "not there"), "gs://bucket/out"} {
		if err := NoLinksBelow(fine); err != nil {
			t.Error(err)
		}
	}
}
