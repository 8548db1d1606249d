package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestCheckPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "private")
	if err := CheckPrivate(dir); err != nil {
		t.Errorf("one that is not there: %v", err)
	}
	if err := MakePrivate(dir); err != nil {
		t.Fatal(err)
	}
	for mode, open := range map[fs.FileMode]bool{0o700: false, 0o750: false, 0o701: true, 0o755: true, 0o777: true} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if err := CheckPrivate(dir); errors.Is(err, fs.ErrPermission) != open {
			t.Errorf("%o: %v", mode, err)
		}
	}
	if err := CheckPrivate("gs://bucket/private"); err != nil {
		t.Error(err)
	}
}

// Private files and all folders that are made for them are their owner's alone,
// while they are written and when they are there.
func TestCreatePrivate(t *testing.T) {
	umask := unix.Umask(0)
	defer unix.Umask(umask)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	modes := func(when string, files int) {
		seen := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == dir {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			want := fs.FileMode(0o700)
			if !d.IsDir() {
				want = 0o600
				seen++
			}
			if info.Mode().Perm() != want {
				t.Errorf("%s: %s has mode %o, want %o", when, path, info.Mode().Perm(), want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if seen != files {
			t.Errorf("%s: %d files, want %d", when, seen, files)
		}
	}
	w, err := CreatePrivate(t.Context(), filepath.Join(dir, "held", "findings", "a.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	modes("while it is written", 1)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	modes("written", 1)
}
