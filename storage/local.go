package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// local is the file system of this machine, network mounts included.
type local struct{}

// fingerprint is "size:mtime:ctime:inode", times in nanoseconds: who writes into
// a file may put its modification time back, but not the time of that. In user
// space (FUSE), where each mount counts inodes for itself, it is "size:mtime".
func fingerprint(name string, info fs.FileInfo) string {
	short := fmt.Sprintf("%d:%d", info.Size(), info.ModTime().UnixNano())
	stat, ok := info.Sys().(*syscall.Stat_t)
	var system unix.Statfs_t
	if !ok || unix.Statfs(name, &system) == nil && system.Type == unix.FUSE_SUPER_MAGIC {
		return short
	}
	return fmt.Sprintf("%s:%d:%d", short, stat.Ctim.Nano(), stat.Ino)
}

func localInfo(name string, info fs.FileInfo) Info {
	return Info{Name: name, Size: info.Size(), Fingerprint: fingerprint(name, info)}
}

func sortInfos(infos []Info) []Info {
	slices.SortFunc(infos, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(infos, func(a, b Info) bool { return a.Name == b.Name })
}

func (local) Glob(ctx context.Context, pattern string) ([]Info, error) {
	const op = "match"
	info, err := os.Stat(pattern)
	switch {
	case err == nil && info.Mode().IsRegular():
		return []Info{localInfo(filepath.Clean(pattern), info)}, nil
	case err == nil && info.IsDir():
		g := globber{ctx: ctx, table: true}
		err := g.expand(filepath.Clean(pattern), []string{"**", "*.parquet"})
		return sortInfos(g.found), localError(op, pattern, err)
	case err == nil:
		return nil, localError(op, pattern, errNotRegular)
	case !hasMeta(pattern) && !errors.Is(err, fs.ErrNotExist):
		return nil, localError(op, pattern, err)
	}
	segments, err := parsePattern(pattern)
	if err != nil {
		return nil, localError(op, pattern, err)
	}
	root := ""
	if filepath.IsAbs(pattern) {
		root = "/"
	}
	g := globber{ctx: ctx}
	err = g.expand(root, segments)
	return sortInfos(g.found), localError(op, pattern, err)
}

// globber walks a pattern down the directories.
type globber struct {
	ctx   context.Context
	table bool   // a directory is read as a table
	top   string // the directory whose whole tree is being walked; empty for none
	found []Info
}

// expand adds the files that match p below dir; "" is the working directory. A
// directory that cannot be read is an error: input must not go missing in
// silence.
func (g *globber) expand(dir string, p pattern) error {
	if len(p) == 0 {
		return nil
	}
	if !hasMeta(p[0]) {
		return g.enter(filepath.Join(dir, p[0]), p[1:])
	}
	if err := g.ctx.Err(); err != nil {
		return err
	}
	read := dir
	if read == "" {
		read = "."
	}
	entries, err := os.ReadDir(read)
	if absent(err) {
		return nil
	}
	if err != nil {
		return &Error{Op: "list", Name: read, Err: err, Advice: "make it readable, or narrow the pattern"}
	}
	if p[0] == "**" {
		if g.top == "" {
			g.top = read
			defer func() { g.top = "" }()
		}
		if err := g.expand(dir, p[1:]); err != nil {
			return err
		}
		for _, e := range entries {
			if g.table && aside(e.Name()) {
				continue
			}
			if e.Type()&fs.ModeSymlink != 0 {
				if err := g.link(filepath.Join(dir, e.Name())); err != nil {
					return err
				}
			}
			if e.IsDir() { // no links to directories: they may lead back up
				if err := g.expand(filepath.Join(dir, e.Name()), p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, e := range entries {
		if ok, _ := path.Match(p[0], e.Name()); ok && !temporary(e.Name()) {
			if err := g.enter(filepath.Join(dir, e.Name()), p[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// link refuses a symbolic link to a directory that the walk does not come to by itself,
// and one that leads nowhere, as to a disk that is not mounted: what lies there would be
// missing from the input.
func (g *globber) link(name string) error {
	info, err := os.Stat(name)
	if absent(err) && !aside(filepath.Base(name)) {
		return leadsNowhere(name)
	}
	if absent(err) || err == nil && !info.IsDir() {
		return nil
	}
	if err != nil {
		return &Error{Op: "match", Name: name, Err: err, Advice: "make it readable, or remove the link"}
	}
	target, top := resolve(name), resolve(g.top)
	if rel, err := filepath.Rel(top, target); err == nil && filepath.IsLocal(rel) &&
		!(g.table && rel != "." && slices.ContainsFunc(strings.Split(rel, "/"), aside)) {
		return nil
	}
	return &Error{Op: "match", Name: name, Err: errors.New("it is a symbolic link to a folder, which is not followed"),
		Advice: "name its target as an input of its own, or remove the link"}
}

func leadsNowhere(name string) error {
	return &Error{Op: "match", Name: name, Err: errors.New("the symbolic link leads nowhere"), Advice: "repair or remove it"}
}

// enter goes on with the rest of the pattern at name.
func (g *globber) enter(name string, rest pattern) error {
	if len(rest) > 0 {
		return g.expand(name, rest)
	}
	info, err := os.Stat(name)
	if absent(err) {
		if _, err := os.Lstat(name); err == nil {
			return leadsNowhere(name)
		}
		return nil
	}
	if err != nil {
		return &Error{Op: "match", Name: name, Err: err, Advice: "make it readable, or narrow the pattern"}
	}
	if info.Mode().IsRegular() {
		g.found = append(g.found, localInfo(name, info))
	}
	return nil
}

// absent tells whether err says that there is nothing of that name.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

var errNotRegular = unusable("not a regular file")

func (local) List(ctx context.Context, dir string) ([]Info, error) {
	const op = "list"
	root := filepath.Clean(dir)
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return nil, localError(op, dir, syscall.ENOTDIR)
	}
	// A root that is itself a symbolic link is followed: WalkDir would not.
	walk := root
	if target, err := filepath.EvalSymlinks(root); err == nil {
		walk = target
	}
	var infos []Info
	err := filepath.WalkDir(walk, func(name string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // missing, or removed by another since its directory was read
		}
		if err != nil || e.IsDir() || temporary(e.Name()) {
			return err
		}
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return err
		}
		rel, err := filepath.Rel(walk, name)
		if err != nil {
			return err
		}
		infos = append(infos, localInfo(filepath.Join(root, rel), info))
		return nil
	})
	if err != nil {
		return nil, localError(op, dir, err)
	}
	return sortInfos(infos), nil
}

func (local) Rename(ctx context.Context, from, to string) error {
	const op = "rename"
	if err := ctx.Err(); err != nil {
		return localError(op, from, err)
	}
	info, err := os.Lstat(from)
	switch {
	case err != nil:
		return localError(op, from, err)
	case !info.Mode().IsRegular():
		return localError(op, from, errNotRegular)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return localError(op, to, err)
	}
	if err := renameNew(from, to); err != nil {
		var link *os.LinkError
		if errors.As(err, &link) {
			err = link.Err
		}
		return localError(op, from+" to "+to, err)
	}
	if err := syncDir(filepath.Dir(to)); err != nil {
		return localError(op, to, err)
	}
	return nil
}

// renameNew renames to a name that must be free, in the first way that the file
// system knows. The last, of which some FUSE file systems know no better, leaves
// a moment in which another may take the name.
func renameNew(from, to string) error {
	unsupported := func(err error) bool {
		return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM)
	}
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if !unsupported(err) {
		return err
	}
	if err = os.Link(from, to); err == nil {
		return os.Remove(from)
	}
	if !unsupported(err) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fs.ErrExist, err)
	}
	return os.Rename(from, to)
}

// Prune removes local directories that are empty, from dir upwards, up to but
// without root. In Cloud Storage there are none.
func Prune(dir, root string) {
	dir, root = filepath.Clean(dir), filepath.Clean(root)
	for !strings.Contains(dir, ":/") && dir != root && strings.HasPrefix(dir, root+"/") && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

func (local) Remove(ctx context.Context, name string) error {
	const op = "remove"
	if err := ctx.Err(); err != nil {
		return localError(op, name, err)
	}
	info, err := os.Lstat(name)
	if absent(err) {
		return nil
	}
	if err == nil && info.IsDir() {
		err = unusable("it is a directory")
	}
	if err == nil {
		err = os.Remove(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return localError(op, name, err)
}

func (local) RemoveAll(ctx context.Context, dir string) error {
	const op = "remove all of"
	if err := ctx.Err(); err != nil {
		return localError(op, dir, err)
	}
	if abs := resolve(dir); abs == "/" || dir == "" || Inside(".", dir) {
		return &Error{Op: op, Name: dir, Err: errors.New("it is the root or holds the working directory"), Advice: "name the directory to remove"}
	}
	info, err := os.Lstat(dir)
	if absent(err) {
		return nil
	}
	if err == nil && info.Mode().IsRegular() {
		err = syscall.ENOTDIR
	}
	if err == nil {
		err = os.RemoveAll(dir)
	}
	return localError(op, dir, err)
}
