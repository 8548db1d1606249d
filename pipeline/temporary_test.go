package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// What a process that was killed left in TMPDIR goes with the next, and what
// others have there stays.
func TestTemporaryFoldersOfKilledProcesses(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	at := func(name string) string { return filepath.Join(tmp, name) }
	const gone = 99999999 // more than there are
	killed := at(fmt.Sprintf("palimpsest-%s-%d-1", processes(), gone))
	for _, dir := range []string{killed, at(fmt.Sprintf("palimpsest-%s-%d-1", processes(), os.Getpid())),
		at(fmt.Sprintf("palimpsest-elsewhere-%d-1", gone)), at("palimpsest-notes")} {
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	remove, err := ownTemporary()
	if err != nil {
		t.Fatal(err)
	}
	remove()
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) != 3 {
		t.Errorf("%v are left, %v", left, err)
	}
	if _, err := os.Stat(killed); err == nil {
		t.Error("what a killed process left is there still")
	}
	if os.TempDir() != tmp {
		t.Errorf("temporary files go to %s", os.TempDir())
	}
}
