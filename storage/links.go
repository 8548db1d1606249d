package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What lies below the place of an output is not written through symbolic links:
// one that somebody put there would lead private files into a release, or a
// release elsewhere. The place itself may be reached through links.

// NoLinks fails if a step of the way from root down to name is a symbolic link.
// What does not exist yet is none. There are no links in Cloud Storage.
func NoLinks(root, name string) error {
	if scheme, _ := splitScheme(name); scheme != "" {
		return nil
	}
	rest, err := filepath.Rel(root, name)
	if err != nil {
		return localError("write", name, err)
	}
	at := filepath.Clean(root)
	for step := range strings.SplitSeq(rest, "/") {
		at = filepath.Join(at, step)
		info, err := os.Lstat(at)
		if absent(err) {
			return nil
		}
		if err != nil {
			return localError("write", name, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return linkError(at)
		}
	}
	return nil
}

// NoLinksBelow fails if there is a symbolic link anywhere below root.
func NoLinksBelow(root string) error {
	if scheme, _ := splitScheme(root); scheme != "" {
		return nil
	}
	start, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil // there is nothing yet, or listing it says so better
	}
	err = filepath.WalkDir(start, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type()&fs.ModeSymlink != 0 {
			return linkError(name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // removed since its directory was read
		}
		return err
	})
	return localError("list", root, err)
}

func linkError(name string) error {
	return &Error{Op: "write through", Name: name,
		Err: errors.New("it is a symbolic link, which could lead what is private into what is released"), Advice: "remove it, or name its target"}
}
