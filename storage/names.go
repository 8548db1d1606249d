package storage

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// splitScheme cuts "gs://bucket/x" into "gs" and "bucket/x". A name without a
// scheme is a local path and comes back as the rest.
func splitScheme(name string) (scheme, rest string) {
	scheme, rest, found := strings.Cut(name, "://")
	if !found || scheme == "" {
		return "", name
	}
	for i, c := range []byte(scheme) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(c))) {
			return "", name // such as the local path "./a://b"
		}
	}
	return scheme, rest
}

// Join appends path elements to a local path or a gs:// name. Empty elements
// are left out. Only local paths are cleaned as by filepath.Join: in Cloud
// Storage every byte of a name counts.
func Join(base string, elem ...string) string {
	scheme, rest := splitScheme(base)
	if scheme == "" {
		return filepath.Join(append([]string{base}, elem...)...)
	}
	parts := make([]string, 0, 1+len(elem))
	if rest = strings.TrimRight(rest, "/"); rest != "" {
		parts = append(parts, rest)
	}
	for _, e := range elem {
		if e = strings.Trim(e, "/"); e != "" {
			parts = append(parts, e)
		}
	}
	return scheme + "://" + strings.Join(parts, "/")
}

// Base returns the last element of a name, trailing slashes apart; of a bucket,
// the bucket.
func Base(name string) string {
	scheme, rest := splitScheme(name)
	if scheme == "" {
		return filepath.Base(name)
	}
	return path.Base(rest)
}

// Dir returns all but the last element of a name, without a trailing slash; of
// a bucket, the bucket itself.
func Dir(name string) string {
	scheme, rest := splitScheme(name)
	if scheme == "" {
		return filepath.Dir(name)
	}
	rest = strings.TrimRight(rest, "/")
	if i := strings.LastIndexByte(rest, '/'); i >= 0 {
		rest = strings.TrimRight(rest[:i], "/")
	}
	return scheme + "://" + rest
}

// Inside tells whether child is parent or lies anywhere below it. Neither need
// exist. Local paths are compared after following symbolic links, and by file
// identity, so that a second mount of a directory is recognised as well.
// Names in different systems are never inside one another.
func Inside(child, parent string) bool {
	childScheme, c := splitScheme(child)
	parentScheme, p := splitScheme(parent)
	if childScheme != parentScheme {
		return false
	}
	if childScheme != "" {
		return below(path.Clean("/"+c), path.Clean("/"+p))
	}
	c, p = resolve(c), resolve(p)
	if below(c, p) {
		return true
	}
	want, err := os.Stat(p)
	if err != nil {
		return false
	}
	for {
		if info, err := os.Stat(c); err == nil && os.SameFile(info, want) {
			return true
		}
		up := filepath.Dir(c)
		if up == c {
			return false
		}
		c = up
	}
}

// Beside tells whether a recursive read of the folder that holds dir takes in
// name too: of its parent, or, where dir is reached by a link, of its target's.
// Of the root of a file system and of a store, nobody reads all.
func Beside(name, dir string) bool {
	if scheme, rest := splitScheme(dir); scheme != "" {
		return strings.Contains(strings.Trim(rest, "/"), "/") && Inside(name, Dir(dir))
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	for _, parent := range []string{filepath.Dir(abs), filepath.Dir(resolve(dir))} {
		if parent != "/" && Inside(name, parent) {
			return true
		}
	}
	return false
}

// below tells whether the clean absolute path c is p or lies under it.
func below(c, p string) bool {
	return c == p || p == "/" || strings.HasPrefix(c, p+"/")
}

// resolve returns the absolute path with every symbolic link followed, as far
// as the path exists. It differs from filepath.EvalSymlinks in that the rest
// of the path, or a link's target, may be missing: output directories are
// compared before they are made.
func resolve(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return filepath.Clean(name)
	}
	const maxLinks = 255 // as filepath.EvalSymlinks; beyond it is a loop
	todo := strings.Split(abs, "/")
	done := "/"
	for links := 0; len(todo) > 0; {
		elem := todo[0]
		todo = todo[1:]
		next := filepath.Join(done, elem) // "" and "." stay, ".." goes up
		target, err := os.Readlink(next)
		if err != nil || links == maxLinks {
			done = next
			continue
		}
		links++
		todo = append(strings.Split(target, "/"), todo...)
		if filepath.IsAbs(target) {
			done = "/"
		}
	}
	return done
}
