package storage

import (
	"context"
	"errors"
	"io/fs"
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

// CreatePrivate is Create for a local file that only its owner can read, in
// directories that only the owner can enter, whatever the umask.
func CreatePrivate(ctx context.Context, name string) (Writer, error) {
	if strings.Contains(name, "://") {
		return Create(ctx, name)
	}
	if err := MakePrivate(Dir(name)); err != nil {
		return nil, localError("create", name, err)
	}
	return createLocal(ctx, name, 0o600)
}

// ReplacePrivateFile is WritePrivateFile where a former file may lie.
func ReplacePrivateFile(ctx context.Context, name string, data []byte) error {
	if err := Remove(ctx, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return WritePrivateFile(ctx, name, data)
}

// CheckPrivate fails for a local directory that everybody may enter, read or
// write to. One that is not there yet is fine.
func CheckPrivate(dir string) error {
	if strings.Contains(dir, "://") {
		return nil
	}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().Perm()&0o007 != 0 {
		err = &Error{Op: "use", Name: dir, Err: &kindError{error: errors.New("everybody on this machine may look into it"),
			kind: fs.ErrPermission}, Advice: "run: chmod o= " + dir}
	}
	return localError("use", dir, err)
}
