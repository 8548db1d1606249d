package storage

import (
	"os"
	"strings"
)

// MakePrivate makes a local directory that only its owner can enter; one that
// exists keeps its permissions. Elsewhere, access is the store's business.
func MakePrivate(dir string) error {
	if strings.Contains(dir, "://") {
		return nil
	}
	return os.MkdirAll(dir, 0o700)
}
