package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// put writes a file and the directories it needs.
func put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// tree returns everything below dir, directories apart.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, strings.TrimPrefix(name, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestLocalObject(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	put(t, name, "0123456789")
	o := mustOpen(t, local{}, name)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("10:%d:", info.ModTime().UnixNano()); o.Size() != 10 || !strings.HasPrefix(o.Fingerprint(), want) {
		t.Errorf("size %d, fingerprint %s, want 10, %s...", o.Size(), o.Fingerprint(), want)
	}
	p := make([]byte, 4)
	if n, err := o.ReadAt(p, 8); n != 2 || err != io.EOF || string(p[:n]) != "89" {
		t.Errorf("ReadAt(4, 8) = %d, %v, %q", n, err, p)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if _, err := o.ReadAt(p, 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("ReadAt after Close: %v", err)
	}
}

// Who writes into a file, or puts another in its place, and puts size and
// modification time back, is found out all the same.
func TestLocalFingerprint(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	past := time.Unix(1e9, 0)
	for _, change := range []func() error{
		func() error { return os.WriteFile(name, []byte("0123456789"), 0o600) },
		func() error {
			return errors.Join(os.WriteFile(name+"2", []byte("abcdefghij"), 0o600), os.Rename(name+"2", name))
		},
	} {
		put(t, name, "0123456789")
		if err := os.Chtimes(name, past, past); err != nil {
			t.Fatal(err)
		}
		infos, err := local{}.Glob(t.Context(), name)
		if err != nil || len(infos) != 1 {
			t.Fatal(infos, err)
		}
		if o, err := (local{}).OpenVersion(t.Context(), infos[0]); err != nil {
			t.Fatal(err)
		} else if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond) // the clock of file systems ticks
		if err := errors.Join(change(), os.Chtimes(name, past, past)); err != nil {
			t.Fatal(err)
		}
		if _, err := (local{}).OpenVersion(t.Context(), infos[0]); !errors.Is(err, ErrChanged) {
			t.Errorf("OpenVersion: %v, want changed", err)
		}
	}
}

func TestLocalObjectChanged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(file string) error
		fails  bool
	}{
		"grown":     {func(f string) error { return os.WriteFile(f, []byte("longer than before"), 0o666) }, true},
		"truncated": {func(f string) error { return os.Truncate(f, 3) }, true},
		"touched":   {func(f string) error { return os.Chtimes(f, time.Time{}, time.Unix(1, 0)) }, true},
		// The open file is still the old version, whole.
		"replaced": {func(f string) error { return WriteFile(context.Background(), f, []byte("new")) }, false},
		"removed":  {os.Remove, false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x")
			put(t, file, "0123456789")
			o := mustOpen(t, local{}, file)
			if err := c.change(file); err != nil {
				t.Fatal(err)
			}
			p := make([]byte, 10)
			n, err := o.ReadAt(p, 0)
			if c.fails && (n != 0 || !errors.Is(err, ErrChanged)) {
				t.Errorf("ReadAt = %d, %v, want ErrChanged", n, err)
			}
			if !c.fails && (err != nil || string(p) != "0123456789") {
				t.Errorf("ReadAt = %q, %v, want the old content", p, err)
			}
		})
	}
}

func TestLocalWrite(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for _, long := range []string{"a/b/x", strings.Repeat("n", 250)} {
		name := filepath.Join(dir, long)
		for _, content := range []string{"first", "second, and longer"} {
			before, beforeErr := os.ReadFile(name)
			w, err := Create(ctx, name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, content); err != nil {
				t.Fatal(err)
			}
			if now, err := os.ReadFile(name); !bytes.Equal(now, before) || (err == nil) != (beforeErr == nil) {
				t.Errorf("%q, %v is seen before Close", now, err)
			}
			if infos, err := List(ctx, dir); err != nil || slices.ContainsFunc(infos, func(i Info) bool { return temporary(Base(i.Name)) }) {
				t.Errorf("a file being written is listed: %v, %v", infos, err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got, err := ReadFile(ctx, name, 100); string(got) != content || err != nil {
				t.Errorf("read %q, %v", got, err)
			}
			if err := w.Abort(); err != nil {
				t.Errorf("Abort after Close: %v", err)
			}
			if _, err := w.Write([]byte("x")); err == nil {
				t.Error("Write after Close: no error")
			}
		}
	}
	if got := tree(t, dir); len(got) != 2 {
		t.Errorf("left %q", got)
	}
}

func TestLocalWriteLeavesNothing(t *testing.T) {
	for _, how := range []string{"abort", "cancel", "fail"} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		w, err := Create(ctx, filepath.Join(dir, "x"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, "text"); err != nil {
			t.Fatal(err)
		}
		switch how {
		case "abort":
			if err := w.Abort(); err != nil {
				t.Error(err)
			}
		case "cancel":
			cancel()
		case "fail": // as a full disk would
			if err := w.(*localWriter).file.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, "more"); err == nil {
				t.Error("Write to a broken file: no error")
			}
		}
		if err := w.Close(); err == nil {
			t.Errorf("%s: Close succeeded", how)
		}
		if got := tree(t, dir); len(got) != 0 {
			t.Errorf("%s: left %q", how, got)
		}
	}
}

func TestLocalRename(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "tmp", "a"), filepath.Join(dir, "out", "deep", "a")
	if err := Rename(ctx, from, to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is no such file: %v", err)
	}
	put(t, from, "one")
	if err := Rename(ctx, from, to); err != nil {
		t.Fatal(err)
	}
	put(t, from, "two")
	if err := Rename(ctx, from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("there is another: %v", err)
	}
	for name, content := range map[string]string{to: "one", from: "two"} {
		if got, err := ReadFile(ctx, name, 10); string(got) != content || err != nil {
			t.Errorf("%q, %v, want %q", got, err, content)
		}
	}
	if err := Remove(ctx, from); err != nil {
		t.Fatal(err)
	}
	Prune(filepath.Dir(from), dir)
	Prune(filepath.Dir(to), dir)
	if _, err := os.Stat(filepath.Dir(from)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty directory is still there: %v", err)
	}
	if got := tree(t, dir); !slices.Equal(got, []string{"out/deep/a"}) {
		t.Errorf("left %q", got)
	}
	if err := Rename(ctx, filepath.Join(dir, "out"), filepath.Join(dir, "out2")); err == nil {
		t.Error("a directory was renamed")
	}
	if err := Rename(ctx, to, "gs://notes/a"); err == nil || !strings.Contains(err.Error(), "gs://notes/a") {
		t.Errorf("between systems: %v", err)
	}
}

// Of many that rename to one name at once, one succeeds.
func TestRenameIsExclusive(t *testing.T) {
	dir := t.TempDir()
	const many = 32
	errs := make(chan error, many)
	for i := range many {
		put(t, filepath.Join(dir, fmt.Sprint(i)), fmt.Sprint(i))
	}
	for i := range many {
		go func() {
			errs <- Rename(context.Background(), filepath.Join(dir, fmt.Sprint(i)), filepath.Join(dir, "lock"))
		}()
	}
	won := 0
	for range many {
		if err := <-errs; err == nil {
			won++
		} else if !errors.Is(err, fs.ErrExist) {
			t.Error(err)
		}
	}
	if won != 1 || len(tree(t, dir)) != many {
		t.Errorf("%d have won; left %q", won, tree(t, dir))
	}
}

func TestLocalRemove(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for _, name := range []string{"d/a", "d/e/b", "dd/x"} {
		put(t, filepath.Join(dir, name), "x")
	}
	for range 2 {
		if err := Remove(ctx, filepath.Join(dir, "d/a")); err != nil {
			t.Error(err)
		}
	}
	if err := Remove(ctx, filepath.Join(dir, "dd/x/y")); err != nil {
		t.Errorf("below a file: %v", err)
	}
	if err := Remove(ctx, filepath.Join(dir, "dd")); err == nil {
		t.Error("Remove took a directory")
	}
	for range 2 {
		if err := RemoveAll(ctx, filepath.Join(dir, "d")); err != nil {
			t.Error(err)
		}
	}
	if got := tree(t, dir); !slices.Equal(got, []string{"dd/x"}) {
		t.Errorf("left %q", got)
	}
	for _, bad := range []string{"/", ".", "..", "../../../../../../../..", filepath.Join(dir, "dd/x")} {
		if err := RemoveAll(ctx, bad); err == nil {
			t.Errorf("RemoveAll(%q): no error", bad)
		}
	}
}

func TestLocalErrors(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "file"), "some text")
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	at := func(elem string) string { return filepath.Join(dir, elem) }
	for _, c := range []struct {
		name string
		do   func() error
		word string
		kind error
	}{
		{"open missing", func() error { _, err := Open(ctx, at("none")); return err }, "check the path", fs.ErrNotExist},
		{"open directory", func() error { _, err := Open(ctx, dir); return err }, "not a regular file; name a file", fs.ErrInvalid},
		{"open below a file", func() error { _, err := Open(ctx, at("file/x")); return err }, "is a file", fs.ErrInvalid},
		{"create over a directory", func() error { _, err := Create(ctx, dir); return err }, "not a regular file", nil},
		{"remove a directory", func() error { return Remove(ctx, dir) }, "it is a directory", fs.ErrInvalid},
		{"create below a file", func() error { _, err := Create(ctx, at("file/x")); return err }, "is a file", nil},
		{"create a directory", func() error { _, err := Create(ctx, at("new")+"/"); return err }, "slash", nil},
		{"list a file", func() error { _, err := List(ctx, at("file")); return err }, "is a file", nil},
		{"match a dangling link", func() error { _, err := Glob(ctx, at("dang*")); return err }, "leads nowhere", nil},
		{"bad pattern", func() error { _, err := Glob(ctx, at("[")); return err }, "syntax error", nil},
		{"too large", func() error { _, err := ReadFile(ctx, at("file"), 8); return err }, "9 bytes, more than the 8", nil},
		{"empty name", func() error { _, err := Open(ctx, ""); return err }, "empty", nil},
		{"other scheme", func() error { _, err := Open(ctx, "az://bucket/x"); return err }, "supported are local paths, gs://", nil},
		{"upper case", func() error { _, err := Open(ctx, "GS://bucket/x"); return err }, "small letters", nil},
		{"file scheme", func() error { _, err := Open(ctx, "file:///x"); return err }, "without file://", nil},
	} {
		err := c.do()
		var ours *Error
		if !errors.As(err, &ours) || !strings.Contains(err.Error(), c.word) || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want an *Error that says %q", c.name, err, c.word)
		} else if strings.Contains(err.Error(), "some text") {
			t.Errorf("%s: %q quotes the file", c.name, err)
		}
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, openErr := Open(done, at("file"))
	_, createErr := Create(done, at("new"))
	_, listErr := List(done, dir)
	_, globErr := Glob(done, at("*"))
	for _, err := range []error{openErr, createErr, listErr, globErr, Rename(done, at("file"), at("x")), Remove(done, at("file")),
		RemoveAll(done, at("x"))} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after cancel: %v", err)
		}
	}
}

// BenchmarkLocalReadAt shows what the check for changes costs.
func BenchmarkLocalReadAt(b *testing.B) {
	name := filepath.Join(b.TempDir(), "x")
	if err := os.WriteFile(name, pseudo(1<<20, 1), 0o666); err != nil {
		b.Fatal(err)
	}
	o, err := Open(context.Background(), name)
	if err != nil {
		b.Fatal(err)
	}
	defer o.Close()
	p := make([]byte, 4096)
	b.SetBytes(int64(len(p)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := o.ReadAt(p, int64(i%256)*4096); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLocalOpenVersion(t *testing.T) {
	ctx := context.Background()
	name := filepath.Join(t.TempDir(), "x")
	if err := WriteFile(ctx, name, []byte("one")); err != nil {
		t.Fatal(err)
	}
	listed, err := Glob(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	o, err := OpenVersion(ctx, listed[0])
	if err != nil {
		t.Fatal(err)
	}
	_ = o.Close()
	if err := WriteFile(ctx, name, []byte("other")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenVersion(ctx, listed[0]); !errors.Is(err, ErrChanged) {
		t.Errorf("the replaced version: %v", err)
	}
}
