package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// localObject is an open local file. It is safe for concurrent use.
type localObject struct {
	ctx     context.Context
	name    string
	file    *os.File
	size    int64
	modTime time.Time
	version string // fingerprint
}

func (local) Open(ctx context.Context, name string) (Object, error) {
	const op = "open"
	if err := ctx.Err(); err != nil {
		return nil, localError(op, name, err)
	}
	// Looked at before it is opened: opening a pipe would wait for a writer.
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, localError(op, name, err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, localError(op, name, err)
	}
	if info, err = f.Stat(); err != nil {
		return nil, localError(op, name, errors.Join(err, f.Close()))
	}
	return &localObject{ctx: ctx, name: name, file: f, size: info.Size(), modTime: info.ModTime(), version: fingerprint(name, info)}, nil
}

func (l local) OpenVersion(ctx context.Context, version Info) (Object, error) {
	o, err := l.Open(ctx, version.Name)
	if err == nil && o.Fingerprint() != version.Fingerprint {
		err = localError("open", version.Name, errors.Join(ErrChanged, o.Close()))
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (o *localObject) Size() int64         { return o.size }
func (o *localObject) Fingerprint() string { return o.version }
func (o *localObject) Close() error        { return localError("close", o.name, o.file.Close()) }

// ReadAt reads, and then checks that the file still is what was opened: a file
// replaced by rename keeps its old bytes here, one written in place does not.
func (o *localObject) ReadAt(p []byte, off int64) (int, error) {
	const op = "read"
	if err := o.ctx.Err(); err != nil {
		return 0, localError(op, o.name, err)
	}
	n, err := o.file.ReadAt(p, off)
	if err != nil && err != io.EOF {
		return 0, localError(op, o.name, err)
	}
	info, statErr := o.file.Stat()
	if statErr == nil && (info.Size() != o.size || !info.ModTime().Equal(o.modTime)) {
		statErr = ErrChanged
	}
	if statErr != nil {
		return 0, localError(op, o.name, statErr)
	}
	return n, err
}

// Temporary files lie beside the file they will become, so that the rename
// stays within one file system, and are told by both ends of their names.
const (
	tempPrefix = "."
	tempSuffix = ".palimpsest-tmp"
)

// temporary tells whether a base name is that of a file being written.
func temporary(base string) bool {
	return strings.HasPrefix(base, tempPrefix) && strings.HasSuffix(base, tempSuffix)
}

// tempCount tells the temporary files of this process apart. Nothing but their
// names depends on it.
var tempCount atomic.Uint64

// localWriter writes a temporary file and renames it.
type localWriter struct {
	ctx  context.Context
	name string
	file *os.File // nil once closed or aborted
	temp string
	err  error // why a Write failed; Close then gives up
}

func (local) Create(ctx context.Context, name string) (Writer, error) {
	return createLocal(ctx, name, 0o666)
}

// createLocal makes a file of the given permissions, less those of the umask.
func createLocal(ctx context.Context, name string, mode os.FileMode) (Writer, error) {
	const op = "create"
	if err := ctx.Err(); err != nil {
		return nil, localError(op, name, err)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, localError(op, name, errNotRegular)
	}
	dir, base := filepath.Split(name)
	if base == "" {
		return nil, &Error{Op: op, Name: name, Err: errors.New("it ends in a slash"), Advice: "name a file"}
	}
	if err := os.MkdirAll(filepath.Clean(dir), 0o777); err != nil {
		return nil, localError(op, name, err)
	}
	if len(base) > 200 {
		base = base[:200] // leaves room for the rest within the usual 255 bytes
	}
	for {
		temp := filepath.Join(dir, fmt.Sprintf("%s%s.%d-%d%s", tempPrefix, base, os.Getpid(), tempCount.Add(1), tempSuffix))
		// Not os.CreateTemp: its files are for their owner alone, and the
		// result should have the permissions that the umask asks for.
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue // left by a killed process of the same number
		}
		if err != nil {
			return nil, localError(op, name, err)
		}
		return &localWriter{ctx: ctx, name: name, file: f, temp: temp}, nil
	}
}

func (w *localWriter) Write(p []byte) (int, error) {
	if w.err == nil && w.file == nil {
		w.err = fs.ErrClosed
	}
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	n := 0
	if w.err == nil {
		n, w.err = w.file.Write(p)
	}
	return n, localError("write", w.name, w.err)
}

func (w *localWriter) Close() error {
	const op = "write"
	if w.file == nil {
		return localError(op, w.name, fs.ErrClosed)
	}
	err := w.err
	if err == nil {
		err = w.ctx.Err()
	}
	if err == nil {
		err = w.file.Sync()
	}
	if err != nil {
		return localError(op, w.name, errors.Join(err, w.Abort()))
	}
	f := w.file
	w.file = nil
	if err = f.Close(); err == nil {
		err = os.Rename(w.temp, w.name)
	}
	if err != nil {
		return localError(op, w.name, errors.Join(err, os.Remove(w.temp)))
	}
	return localError(op, w.name, syncDir(filepath.Dir(w.name)))
}

func (w *localWriter) Abort() error {
	if w.file == nil {
		return nil
	}
	f := w.file
	w.file = nil
	if w.err == nil {
		w.err = errAborted
	}
	return localError("remove", w.temp, errors.Join(f.Close(), os.Remove(w.temp)))
}

// syncDir makes renames in a directory last through a crash of the machine.
// Some network file systems have no such call, and lose nothing by it.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // may be written to but not read
	}
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
