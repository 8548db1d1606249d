package storage

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"

	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/storage/emulate"
)

// s3Server is a real server that speaks S3, and a client of it.
type s3Server struct {
	*simple
	*emulate.Server
}

func newS3Server(t *testing.T) *s3Server {
	t.Helper()
	s := startS3(t)
	if s == nil {
		t.Skip("SKIPPED: there is no S3 server; make s3-server builds one")
	}
	return s
}

// startS3 returns nil where the server's program is missing.
func startS3(t *testing.T) *s3Server {
	t.Helper()
	program := os.Getenv("PALIMPSEST_S3SERVER")
	if program == "" {
		program = "../.cache/versitygw/versitygw"
	}
	if _, err := os.Stat(program); err != nil {
		return nil
	}
	server, err := emulate.S3(program, t.TempDir(), bucket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", emulate.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", emulate.SecretKey)
	s, err := newS3("http://"+server.Address, "us-east-1")
	if err != nil {
		t.Fatal(err)
	}
	s.pause = time.Millisecond
	return &s3Server{s, server}
}

// write writes an object in an ordinary way.
func write(t *testing.T, s System, name string, data []byte) {
	t.Helper()
	w, err := s.Create(context.Background(), name)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatalf("write %s: %v", name, err)
	}
}

func listed(t *testing.T, s System, dir string) (names []string) {
	t.Helper()
	infos, err := s.List(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range infos {
		names = append(names, i.Name)
	}
	return names
}

// Whatever happens to the first attempt of each request, every operation ends
// as if nothing had.
func TestS3Faults(t *testing.T) {
	for name, fault := range emulate.Faults {
		t.Run(name, func(t *testing.T) {
			s := newS3Server(t)
			small, large := pseudo(1000, 1), pseudo(uploadPart+1000, 2)
			write(t, s, "s3://notes/in/a", small)
			write(t, s, "s3://notes/in/b", large)
			kind := func(r *http.Request) string {
				query := r.URL.Query()
				query.Del("uploadId")
				return r.Method + " " + r.URL.Path + "?" + query.Encode() + r.Header.Get("Range")
			}
			// Listing, looking, reading, writing, each step of an upload in parts and
			// of a copy in parts, and deleting.
			everyOperation(t, s, s.Server, "s3://notes", small, large, fault, kind, []string{"GET /notes/?", "HEAD /notes/in/a", "GET /notes/in/a",
				"PUT /notes/tmp/small?", "POST /notes/tmp/large?uploads=",
				"PUT /notes/tmp/large?partNumber=2", "POST /notes/tmp/large?", "PUT /notes/out/large?partNumber=1", "PUT /notes/out/small?",
				"DELETE /notes/tmp/small"})
		})
	}
}

func keysOf(m map[string]bool) (k []string) {
	for name := range m {
		k = append(k, name)
	}
	return k
}

func TestS3Rename(t *testing.T) {
	ctx := context.Background()
	const from, to = "s3://notes/tmp/a", "s3://notes/out/a"
	s := newS3Server(t)
	for _, size := range []int{10, directCopy + 10} {
		data := pseudo(size, 3)
		for _, c := range []struct {
			name        string
			there, done bool // a target of another; this copy, made before, of which the delete is missing
			missing     bool // the source
			fails       error
			left        []string
		}{
			{"fresh", false, false, false, nil, []string{to}},
			{"another there", true, false, false, fs.ErrExist, []string{to, from}},
			{"copied but not deleted", false, true, false, nil, []string{to}},
			{"lost", false, false, true, fs.ErrNotExist, nil},
		} {
			if !c.missing {
				write(t, s, from, data)
			}
			if c.there {
				write(t, s, to, data) // of the same bytes even
			}
			if c.done {
				s.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
					if r.Method == http.MethodDelete {
						w.WriteHeader(http.StatusForbidden)
					}
					return r.Method == http.MethodDelete
				})
				if err := s.Rename(ctx, from, to); !errors.Is(err, fs.ErrPermission) {
					t.Fatalf("%s: %v", c.name, err)
				}
				s.Misbehave(nil)
			}
			if err := s.Rename(ctx, from, to); !errors.Is(err, c.fails) {
				t.Errorf("%d bytes, %s: %v, want %v", size, c.name, err, c.fails)
			}
			if got := listed(t, s, "s3://notes"); !slices.Equal(got, c.left) {
				t.Errorf("%d bytes, %s: left %q", size, c.name, got)
			}
			if len(c.left) > 0 {
				if got := readAll(t, mustOpen(t, s, to)); !bytes.Equal(got, data) {
					t.Errorf("%d bytes, %s: other bytes", size, c.name)
				}
			}
			if err := errors.Join(s.RemoveAll(ctx, "s3://notes/tmp"), s.RemoveAll(ctx, "s3://notes/out")); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Of many that rename to one name, one succeeds.
func TestS3RenameRace(t *testing.T) {
	ctx := context.Background()
	s := newS3Server(t)
	const n = 8
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		name := "s3://notes/tmp/" + string(rune('a'+i))
		write(t, s, name, []byte(name))
		wait.Go(func() { errs[i] = s.Rename(ctx, name, "s3://notes/out/lock") })
	}
	wait.Wait()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, fs.ErrExist):
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d succeeded", won)
	}
}

// A store that passes over If-None-Match is refused before anything is renamed.
func TestS3WithoutConditions(t *testing.T) {
	s := newS3Server(t)
	write(t, s, "s3://notes/tmp/a", []byte("a"))
	s.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("If-None-Match") == "*" {
			w.Header().Set("ETag", `"0"`)
			return true // done, it says
		}
		return false
	})
	if err := s.Rename(context.Background(), "s3://notes/tmp/a", "s3://notes/out/a"); !errors.Is(err, errUnheeded) {
		t.Errorf("Rename: %v", err)
	}
	s.Misbehave(nil)
	if got := listed(t, s, "s3://notes"); !slices.Equal(got, []string{"s3://notes/tmp/a"}) {
		t.Errorf("left %q", got)
	}
}

// Reads never mix two versions, and what was given up leaves nothing.
func TestS3Versions(t *testing.T) {
	ctx := context.Background()
	s := newS3Server(t)
	write(t, s, "s3://notes/a", pseudo(3*blockSize, 1))
	o := mustOpen(t, s, "s3://notes/a")
	if _, err := o.ReadAt(make([]byte, 10), 0); err != nil {
		t.Fatal(err)
	}
	infos, err := s.List(ctx, "s3://notes")
	if err != nil || len(infos) != 1 || infos[0].Fingerprint != o.Fingerprint() {
		t.Errorf("listed %v, opened %s: %v", infos, o.Fingerprint(), err)
	}
	write(t, s, "s3://notes/a", pseudo(3*blockSize, 2))
	if _, err := o.ReadAt(make([]byte, 10), 2*blockSize); !errors.Is(err, ErrChanged) {
		t.Errorf("ReadAt: %v, want changed", err)
	}
	old, err := s.OpenVersion(ctx, infos[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.ReadAt(make([]byte, 10), 0); !errors.Is(err, ErrChanged) {
		t.Errorf("ReadAt of an old version: %v, want changed", err)
	}
	if err := old.Close(); err != nil {
		t.Error(err)
	}
	if _, err := old.ReadAt(make([]byte, 10), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("ReadAt after Close: %v", err)
	}

	w, err := s.Create(ctx, "s3://notes/b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(pseudo(uploadPart+1, 1)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Abort(), w.Abort()); err != nil {
		t.Error(err)
	}
	if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Close after Abort: %v", err)
	}
	if got := listed(t, s, "s3://notes"); !slices.Equal(got, []string{"s3://notes/a"}) {
		t.Errorf("left %q", got)
	}
	for u := range s.core.ListIncompleteUploads(ctx, bucket, "", true) {
		t.Errorf("an upload was left: %v", u)
	}
}

func TestS3Errors(t *testing.T) {
	ctx := context.Background()
	s := newS3Server(t)
	write(t, s, "s3://notes/x", []byte("x"))
	check := func(what string, err, kind error, words ...string) {
		t.Helper()
		var ours *Error
		if !errors.As(err, &ours) || kind != nil && !errors.Is(err, kind) {
			t.Errorf("%s: %v (%T), want an *Error of kind %v", what, err, err, kind)
			return
		}
		for _, w := range words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", what, err, w)
			}
		}
	}
	_, err := s.Open(ctx, "s3://notes/none")
	check("missing object", err, fs.ErrNotExist, "open s3://notes/none", "check the name")
	_, err = s.Open(ctx, "s3://nobucket/x")
	check("missing bucket", err, fs.ErrNotExist, "there is no bucket s3://nobucket")
	_, err = s.List(ctx, "s3://nobucket/x")
	check("list in a missing bucket", err, fs.ErrNotExist, "s3://nobucket")
	for _, bad := range []string{"s3://", "s3:///x", "s3://notes", "s3://notes/d/", "s3://notes/a/../x"} {
		_, err = s.Open(ctx, bad)
		check("open", err, nil, bad)
	}
	for range 2 {
		if err := s.Remove(ctx, "s3://notes/none"); err != nil {
			t.Error(err)
		}
	}
	check("remove a bucket", s.RemoveAll(ctx, "s3://notes"), nil, "whole bucket")
	s.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("<Error><Code>AccessDenied</Code><Message>secret detail</Message></Error>"))
		return true
	})
	_, err = s.Open(ctx, "s3://notes/x")
	check("open forbidden", err, fs.ErrPermission, "credentials", "403")
	_, err = s.Glob(ctx, "s3://notes/*")
	check("list forbidden", err, fs.ErrPermission, "403")
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("%q quotes the server's answer", err)
	}
	if _, err := newS3("localhost:9000", ""); err == nil {
		t.Error("an endpoint without a scheme is taken")
	}
}
