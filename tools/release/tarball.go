package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"os"
	"path"
	"strings"
	"time"
)

// writeTarball writes files below a folder of its own, all of one time and of no
// owner, folders before what is in them.
func writeTarball(to, folder string, when time.Time, files []file) (err error) {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression) // its header holds neither name nor time
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	made := map[string]bool{}
	var mkdir func(dir string) error
	mkdir = func(dir string) error {
		if dir == "." || made[dir] {
			return nil
		}
		made[dir] = true
		if err := mkdir(path.Dir(dir)); err != nil {
			return err
		}
		return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: when, Format: tar.FormatUSTAR})
	}
	for _, x := range files {
		name := path.Join(folder, x.name)
		if strings.HasPrefix(path.Clean(x.name), "..") {
			return errors.New(x.name + " lies outside of the release")
		}
		if err := mkdir(path.Dir(name)); err != nil {
			return err
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(x.mode), Size: int64(len(x.content)), ModTime: when,
			Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(x.content); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), z.Close())
}
