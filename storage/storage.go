// Package storage reads and writes the job's files, on a local file system, in
// Google Cloud Storage or in S3, behind one small interface.
//
// A name is a local path, gs://bucket/object or s3://bucket/object; For picks the System that
// serves it, and the functions of the package (Open, Glob, Create, ...) do so
// for each call. Four promises hold on all of them, because the job's commit
// protocol rests on them:
//
//   - An Object is one version of a file. When the file changes while it is
//     open, reads fail with ErrChanged; they never mix two versions.
//   - A file appears whole or not at all: at Writer.Close, never before.
//   - Rename never replaces a file, and of two at once one fails.
//   - Remove and RemoveAll can be repeated: a retried bundle that finds its
//     work done succeeds.
//
// Errors are of type *Error and name the operation, the object and what to do.
// They never hold a file's content. Missing files are fs.ErrNotExist, refused
// access is fs.ErrPermission, on every system.
package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrChanged is wrapped by errors of reads from an object that was overwritten
// or deleted after it was opened.
var ErrChanged = errors.New("the object changed after it was opened")

// errAborted is what writing to or closing an aborted Writer wraps.
var errAborted = errors.New("the write was given up")

// Object is one version of a file, open for reading at any offset (bytes).
// ReadAt may be called by several goroutines at once. Reads end with the
// context that Open was given.
type Object interface {
	io.ReaderAt
	io.Closer
	// Size returns the length in bytes.
	Size() int64
	// Fingerprint tells versions of a file apart: "size:generation" in Cloud
	// Storage, "size:ETag" in S3, "size:mtime:ctime:inode" locally, times in
	// nanoseconds since 1970.
	Fingerprint() string
}

// Info describes a file: its full name, as Open takes it, its size in bytes
// and the fingerprint of its present version.
type Info struct {
	Name        string
	Size        int64
	Fingerprint string
}

// Writer writes one new file. The file appears, replacing any of that name,
// when Close returns nil. Abort, or the end of the context given to Create,
// leaves nothing; after Close, Abort does nothing, so it can be deferred.
// After a failed Write, Close fails too and leaves nothing. A Writer is for one
// goroutine at a time, and each must end in Close or Abort.
type Writer interface {
	io.Writer
	Close() error
	Abort() error
}

// System is a place where files are kept. All methods are safe for concurrent
// use and stop when their context ends.
type System interface {
	// Glob returns the files that match pattern, sorted by name; none is no
	// error. Within one path segment * ? [a-z] and \ mean what they mean to
	// path.Match; a segment ** stands for any number of directories, and at
	// the end of a pattern for all files below. Wildcards match files only.
	// A pattern that is the exact name of a file matches just that file. A
	// directory stands for all *.parquet below it, at any depth, less those in
	// directories that begin with _ or a full stop. In stores of objects the
	// bucket must be spelled out. TableFiles is for tables that are to be read.
	Glob(ctx context.Context, pattern string) ([]Info, error)

	// Open opens the present version of a file.
	Open(ctx context.Context, name string) (Object, error)

	// OpenVersion opens the version of a file that Glob or List told of. One
	// that is gone is ErrChanged, here or in the first read: stores of objects
	// are not asked before.
	OpenVersion(ctx context.Context, version Info) (Object, error)

	// Create starts a new file. Missing local directories are made.
	Create(ctx context.Context, name string) (Writer, error)

	// Rename moves a file to a name that no file has yet; else it fails with
	// fs.ErrExist and changes nothing. Of several that rename to one name, one
	// succeeds. Locally it is atomic where the file system can do it, which
	// network file systems may do by a link and a delete; in stores of objects it
	// is a copy and a delete, between which both names exist, each whole.
	Rename(ctx context.Context, from, to string) error

	// List returns all files below a directory, at any depth, sorted by name.
	// A missing directory is empty. Files still being written are not listed.
	List(ctx context.Context, dir string) ([]Info, error)

	// Remove deletes a file; a missing one is no error.
	Remove(ctx context.Context, name string) error

	// RemoveAll deletes all that lies below a directory, and the directory; a
	// missing one is no error. The root of a file system and a whole bucket
	// are refused.
	RemoveAll(ctx context.Context, dir string) error
}

// For returns the system that serves name, which may be a pattern. The first
// gs:// name connects to Cloud Storage, with the application default
// credentials, or to the emulator that STORAGE_EMULATOR_HOST names; that one
// client serves the whole process, as does that of S3; see sharedS3.
func For(ctx context.Context, name string) (System, error) {
	scheme, _ := splitScheme(name)
	switch scheme {
	case "":
		if name == "" {
			return nil,
				&Error{Op: "use", Name: `""`, Err: unusable("the name is empty"), Advice: "give a local path, gs://bucket/path or s3://bucket/path"}
		}
		return local{}, nil
	case "gs":
		return sharedGCS(ctx)
	case "s3":
		return sharedS3()
	}
	advice := "supported are local paths, gs://bucket/path and s3://bucket/path"
	switch strings.ToLower(scheme) {
	case "file":
		advice = "write the local path without file://; " + advice
	case "gs", "s3":
		advice = "write " + strings.ToLower(scheme) + ":// in small letters; " + advice
	case "s3a", "s3n":
		advice = "write s3://; " + advice
	}
	return nil, &Error{Op: "use", Name: name, Err: unusable("there is no storage for %s://", scheme), Advice: advice}
}

// Glob is System.Glob of the system that serves pattern.
func Glob(ctx context.Context, pattern string) ([]Info, error) {
	s, err := For(ctx, pattern)
	if err != nil {
		return nil, err
	}
	return s.Glob(ctx, pattern)
}

// Open is System.Open of the system that serves name.
func Open(ctx context.Context, name string) (Object, error) {
	s, err := For(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.Open(ctx, name)
}

// OpenVersion is System.OpenVersion of the system that serves the file.
func OpenVersion(ctx context.Context, version Info) (Object, error) {
	s, err := For(ctx, version.Name)
	if err != nil {
		return nil, err
	}
	return s.OpenVersion(ctx, version)
}

// Create is System.Create of the system that serves name.
func Create(ctx context.Context, name string) (Writer, error) {
	s, err := For(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.Create(ctx, name)
}

// Rename is System.Rename of the system that serves both names. It is an error
// when they lie in different systems.
func Rename(ctx context.Context, from, to string) error {
	a, _ := splitScheme(from)
	b, _ := splitScheme(to)
	if a != b {
		return &Error{Op: "rename", Name: from, Err: fmt.Errorf("%s is in another storage system", to), Advice: "keep both in one system"}
	}
	s, err := For(ctx, from)
	if err != nil {
		return err
	}
	return s.Rename(ctx, from, to)
}

// List is System.List of the system that serves dir.
func List(ctx context.Context, dir string) ([]Info, error) {
	s, err := For(ctx, dir)
	if err != nil {
		return nil, err
	}
	return s.List(ctx, dir)
}

// Remove is System.Remove of the system that serves name.
func Remove(ctx context.Context, name string) error {
	s, err := For(ctx, name)
	if err != nil {
		return err
	}
	return s.Remove(ctx, name)
}

// RemoveAll is System.RemoveAll of the system that serves dir.
func RemoveAll(ctx context.Context, dir string) error {
	s, err := For(ctx, dir)
	if err != nil {
		return err
	}
	return s.RemoveAll(ctx, dir)
}

// ReadFile returns the content of a file of at most limit bytes; a larger one
// is an error, found before any of it is read.
func ReadFile(ctx context.Context, name string, limit int64) ([]byte, error) {
	o, err := Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return readWhole(o, name, limit)
}

// ReadVersion is ReadFile for the version that Glob or List told of; one that is
// gone is ErrChanged.
func ReadVersion(ctx context.Context, version Info, limit int64) ([]byte, error) {
	o, err := OpenVersion(ctx, version)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return readWhole(o, version.Name, limit)
}

func readWhole(o Object, name string, limit int64) ([]byte, error) {
	if o.Size() > limit {
		return nil, &Error{Op: "read", Name: name, Err: fmt.Errorf("the file has %d bytes, more than the %d expected at most", o.Size(), limit),
			Advice: "check that this is the right file"}
	}
	data := make([]byte, o.Size())
	if n, err := o.ReadAt(data, 0); n < len(data) {
		return nil, err
	}
	return data, nil
}

// WriteFile makes a file with that content, or replaces it, in one step.
func WriteFile(ctx context.Context, name string, data []byte) error {
	w, err := Create(ctx, name)
	return writeWhole(w, err, data)
}

// WritePrivateFile is WriteFile by CreatePrivate.
func WritePrivateFile(ctx context.Context, name string, data []byte) error {
	w, err := CreatePrivate(ctx, name)
	return writeWhole(w, err, data)
}

func writeWhole(w Writer, err error, data []byte) error {
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Close()
}
