package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
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
