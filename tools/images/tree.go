package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// entry is a file, folder or link of a layer.
type entry struct {
	header  tar.Header // only type, mode and link are used
	content []byte
}

// tree is the files of a layer by their names, such as etc/passwd.
type tree struct{ entries map[string]entry }

func newTree() *tree { return &tree{map[string]entry{}} }

// add puts a file there, and the folders that it lies in.
func (t *tree) add(name string, mode int64, content []byte) {
	t.folders(path.Dir(name))
	t.entries[name] = entry{tar.Header{Typeflag: tar.TypeReg, Mode: mode}, content}
}

func (t *tree) folders(dir string) {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := t.entries[dir]; !ok {
			t.entries[dir] = entry{header: tar.Header{Typeflag: tar.TypeDir, Mode: 0o755}}
		}
	}
}

func (t *tree) copy(name, source string, mode int64) error {
	content, err := os.ReadFile(source)
	if err == nil {
		t.add(name, mode, content)
	}
	return err
}

// copyFolder adds all files below a folder, readable by everybody.
func (t *tree) copyFolder(name, source string) error {
	return fs.WalkDir(os.DirFS(source), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return t.copy(path.Join(name, p), filepath.Join(source, p), 0o644)
	})
}

// layer returns the tree as a layer, sorted by name, all of root and of one time.
func (t *tree) layer(when time.Time) (v1.Layer, error) {
	var raw bytes.Buffer
	w := tar.NewWriter(&raw)
	for _, name := range slices.Sorted(maps.Keys(t.entries)) {
		e := t.entries[name]
		h := &tar.Header{Typeflag: e.header.Typeflag, Name: name, Mode: e.header.Mode, Linkname: e.header.Linkname, ModTime: when,
			Size: int64(len(e.content)), Format: tar.FormatPAX}
		if h.Typeflag == tar.TypeDir {
			h.Name += "/"
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

// data is the layer of models and ONNX Runtime, which change seldom.
func (r release) data() (*tree, error) {
	t := newTree()
	library := "opt/onnxruntime/lib/" + filepath.Base(r.library)
	err := errors.Join(t.copyFolder("opt/palimpsest/onnx/models", filepath.Join(r.root, "onnx/models")), t.copy(library, r.library, 0o755))
	t.entries["opt/onnxruntime/lib/libonnxruntime.so"] = entry{
		header: tar.Header{Typeflag: tar.TypeSymlink, Mode: 0o777, Linkname: path.Base(library)}}
	return t, err
}

// programs is the uppermost layer.
func (r release) programs() (*tree, error) {
	t := newTree()
	err := errors.Join(
		t.copy("opt/palimpsest/bin/palimpsest", r.program, 0o755),
		t.copy("opt/apache/beam/boot", r.boot, 0o755),
		t.copy("opt/palimpsest/LICENSE", filepath.Join(r.root, "LICENSE"), 0o644),
		t.copy("opt/palimpsest/NOTICE", filepath.Join(r.root, "NOTICE"), 0o644))
	return t, err
}

// archive writes a folder as a tar file that container tools call an OCI archive.
func archive(folder, to string, when time.Time) (err error) {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := tar.NewWriter(f)
	// WalkDir goes in the order of names.
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		h := &tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, ModTime: when, Format: tar.FormatPAX}
		var content []byte
		if !d.IsDir() {
			if content, err = os.ReadFile(filepath.Join(folder, name)); err != nil {
				return err
			}
			h.Typeflag, h.Name, h.Mode, h.Size = tar.TypeReg, strings.TrimSuffix(h.Name, "/"), 0o644, int64(len(content))
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	return errors.Join(err, w.Close())
}
