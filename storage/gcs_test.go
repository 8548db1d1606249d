package storage

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestCloudRename(t *testing.T) {
	ctx := context.Background()
	const from, to = "gs://notes/tmp/a", "gs://notes/out/a"
	names := func(e *emulator) []string {
		infos, err := e.List(ctx, "gs://notes")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, i := range infos {
			names = append(names, i.Name)
		}
		return names
	}
	for _, c := range []struct {
		name     string
		from, to string // contents before, "" for none
		fails    error
		left     []string
	}{
		{"fresh", "new", "", nil, []string{to}},
		{"another there", "new", "old", fs.ErrExist, []string{to, from}},
		{"copied but not deleted", "new", "new", nil, []string{to}},
		{"done before", "", "new", fs.ErrNotExist, []string{to}},
		{"lost", "", "", fs.ErrNotExist, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulator(t)
			if c.from != "" {
				e.put("tmp/a", []byte(c.from))
			}
			if c.to != "" {
				e.put("out/a", []byte(c.to))
			}
			err := e.Rename(ctx, from, to)
			if got := e.Seen(); c.name == "fresh" && len(got) > 3 {
				t.Errorf("%d requests: %q", len(got), got)
			}
			if !errors.Is(err, c.fails) {
				t.Errorf("Rename: %v, want %v", err, c.fails)
			}
			if got := names(e); !slices.Equal(got, c.left) {
				t.Errorf("left %q", got)
			}
			if c.to != "" {
				if got := readAll(t, mustOpen(t, e, to)); string(got) != c.to {
					t.Errorf("content %q", got)
				}
			}
		})
	}
}

// Another renames to the same name between this one's look at its file and its
// copy: this one fails and changes nothing.
func TestCloudRenameRace(t *testing.T) {
	ctx := context.Background()
	e := newEmulator(t)
	e.put("tmp/a", []byte("new"))
	var once sync.Once
	var query string
	e.Misbehave(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/rewriteTo/") {
			once.Do(func() {
				query = r.URL.RawQuery
				e.put("out/a", []byte("theirs"))
			})
		}
		return false
	})
	if err := e.Rename(ctx, "gs://notes/tmp/a", "gs://notes/out/a"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Rename: %v", err)
	}
	if !strings.Contains(query, "ifGenerationMatch=0") || !strings.Contains(query, "sourceGeneration=") {
		t.Errorf("the copy was asked for with %q, without its conditions", query)
	}
	if got := readAll(t, mustOpen(t, e, "gs://notes/out/a")); string(got) != "theirs" {
		t.Errorf("content %q", got)
	}
}

func TestCloudRemove(t *testing.T) {
	ctx := context.Background()
	e := newEmulator(t)
	for _, name := range []string{"d/", "d/a", "d/e/b", "d/e/c", "dd/x", "d.txt"} {
		e.put(name, []byte("x"))
	}
	for range 2 {
		if err := e.Remove(ctx, "gs://notes/d/a"); err != nil {
			t.Error(err)
		}
	}
	for range 2 {
		if err := e.RemoveAll(ctx, "gs://notes/d"); err != nil {
			t.Error(err)
		}
	}
	var left []string
	if err := e.each(ctx)(bucket, "", func(name string, _ Info) { left = append(left, name) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(left, []string{"d.txt", "dd/x"}) {
		t.Errorf("left %q", left)
	}
	for _, whole := range []string{"gs://notes", "gs://notes/"} {
		if err := e.RemoveAll(ctx, whole); err == nil {
			t.Errorf("RemoveAll(%s): no error", whole)
		}
	}
}

func TestCloudErrors(t *testing.T) {
	ctx := context.Background()
	e := newEmulator(t)
	e.put("x", []byte("x"))
	try := func(name string, kind error, words ...string) func(error) {
		return func(err error) {
			t.Helper()
			var ours *Error
			if !errors.As(err, &ours) || kind != nil && !errors.Is(err, kind) {
				t.Errorf("%s: %v (%T), want an *Error of kind %v", name, err, err, kind)
				return
			}
			for _, w := range words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%s: %q does not say %q", name, err, w)
				}
			}
		}
	}
	_, err := e.Open(ctx, "gs://notes/none")
	try("missing object", fs.ErrNotExist, "open gs://notes/none", "check the name")(err)
	_, err = e.Open(ctx, "gs://nobucket/x")
	try("missing bucket", fs.ErrNotExist, "gs://nobucket/x", "bucket")(err)
	_, err = e.List(ctx, "gs://nobucket/x")
	try("list in a missing bucket", fs.ErrNotExist, "gs://nobucket")(err)
	_, err = e.Glob(ctx, "gs://nobucket/*.parquet")
	try("glob in a missing bucket", fs.ErrNotExist, "gs://nobucket")(err)
	w, err := e.Create(ctx, "gs://nobucket/x")
	if err != nil {
		t.Fatal(err)
	}
	try("write to a missing bucket", fs.ErrNotExist, "there is no bucket gs://nobucket")(w.Close())
	for _, bad := range []string{"gs://", "gs:///x", "gs://notes", "gs://notes/", "gs://notes/d/", "gs://notes/a/../x"} {
		_, err = e.Open(ctx, bad)
		try("open "+bad, nil, bad)(err)
		_, err = e.Create(ctx, bad)
		try("create "+bad, nil, bad)(err)
	}
	_, err = e.Glob(ctx, "gs://no*/x")
	try("wildcard bucket", nil, "bucket")(err)
	_, err = e.Glob(ctx, "gs://notes/[")
	try("bad pattern", nil, "gs://notes/[")(err)

	o := mustOpen(t, e, "gs://notes/x")
	e.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
		http.Error(w, "<Error><Code>AccessDenied</Code><Details>secret detail</Details></Error>", http.StatusForbidden)
		return true
	})
	_, err = o.ReadAt(make([]byte, 1), 0)
	try("read forbidden", fs.ErrPermission, "gs://notes/x", "grant", "403")(err)
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("%q quotes the server's answer", err)
	}
	_, err = e.Open(ctx, "gs://notes/x")
	try("open forbidden", fs.ErrPermission, "gs://notes/x", "grant")(err)
	try("remove forbidden", fs.ErrPermission, "grant")(e.Remove(ctx, "gs://notes/x"))
	try("rename forbidden", fs.ErrPermission, "grant")(e.Rename(ctx, "gs://notes/x", "gs://notes/y"))
	if w, err = e.Create(ctx, "gs://notes/x"); err != nil {
		t.Fatal(err)
	}
	try("write forbidden", fs.ErrPermission, "grant")(w.Close())
}

func TestCloudContext(t *testing.T) {
	e := newEmulator(t)
	e.put("x", pseudo(10, 1))
	ctx, cancel := context.WithCancel(context.Background())
	o, err := e.Open(ctx, "gs://notes/x")
	if err != nil {
		t.Fatal(err)
	}
	started := make(chan struct{})
	e.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
		close(started)
		<-r.Context().Done() // an answer that never comes
		return true
	})
	go func() { <-started; cancel() }()
	if _, err := o.ReadAt(make([]byte, 1), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadAt: %v, want cancelled", err)
	}
	e.Misbehave(nil)
	for op, err := range map[string]error{
		"Rename": e.Rename(ctx, "gs://notes/x", "gs://notes/y"), "Remove": e.Remove(ctx, "gs://notes/x"),
		"RemoveAll": e.RemoveAll(ctx, "gs://notes/d"),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want cancelled", op, err)
		}
	}
	o = mustOpen(t, e, "gs://notes/x")
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if _, err := o.ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("ReadAt after Close: %v, want closed", err)
	}
}
