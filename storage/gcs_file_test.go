package storage

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"
)

func mustOpen(t *testing.T, s System, name string) Object {
	t.Helper()
	o, err := s.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	return o
}

func readAll(t *testing.T, o Object) []byte {
	t.Helper()
	data, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// download tells a request for an object's bytes from one for its attributes.
func download(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/"+bucket+"/")
}

func TestCloudReadAt(t *testing.T) {
	e := newEmulator(t)
	data := pseudo(7*blockSize+12345, 1)
	e.put("a/x.parquet", data)
	o := mustOpen(t, e, "gs://notes/a/x.parquet")
	if o.Size() != int64(len(data)) {
		t.Errorf("Size() = %d, want %d", o.Size(), len(data))
	}
	if size, generation, _ := strings.Cut(o.Fingerprint(), ":"); size != strconv.Itoa(len(data)) || len(generation) < 2 {
		t.Errorf("Fingerprint() = %q, want %d:generation", o.Fingerprint(), len(data))
	}
	n := int64(len(data))
	for _, c := range []struct {
		off  int64
		size int
		want int
		err  error
	}{
		{0, 4, 4, nil},
		{n - 8, 8, 8, nil},
		{n - 8, 9, 8, io.EOF},
		{n, 1, 0, io.EOF},
		{n + 5, 1, 0, io.EOF},
		{blockSize - 1, 2, 2, nil},
		{blockSize - 1, 3 * blockSize, 3 * blockSize, nil},
		{17, directBytes + 5, directBytes + 5, nil},
		{n - directBytes, directBytes + 1, directBytes, io.EOF},
		{5, 0, 0, nil},
	} {
		p := make([]byte, c.size)
		got, err := o.ReadAt(p, c.off)
		if got != c.want || err != c.err {
			t.Errorf("ReadAt(%d bytes, %d) = %d, %v, want %d, %v", c.size, c.off, got, err, c.want, c.err)
		} else if got > 0 && !bytes.Equal(p[:got], data[c.off:c.off+int64(got)]) {
			t.Errorf("ReadAt(%d bytes, %d): wrong bytes", c.size, c.off)
		}
	}
	if _, err := o.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("ReadAt at -1: no error")
	}
	if !bytes.Equal(readAll(t, o), data) {
		t.Error("the whole object: wrong bytes")
	}
}

func TestCloudReadsAreCoalesced(t *testing.T) {
	e := newEmulator(t)
	data := pseudo(3*blockSize, 2)
	e.put("x", data)
	o := mustOpen(t, e, "gs://notes/x")
	e.Seen()
	p := make([]byte, 1000)
	for off := 0; off+len(p) <= len(data); off += len(p) {
		if _, err := o.ReadAt(p, int64(off)); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(e.Seen()); got != 3 {
		t.Errorf("%d requests for 3 blocks in small reads, want 3", got)
	}
	o = mustOpen(t, e, "gs://notes/x")
	e.Seen()
	if _, err := o.ReadAt(make([]byte, 2*blockSize+1), 5); err != nil {
		t.Fatal(err)
	}
	if got := e.Seen(); len(got) != 1 || !strings.Contains(got[0], "generation=") {
		t.Errorf("requests %q for one read over 3 blocks, want one with a generation", got)
	}
}

func TestCloudReadAtConcurrently(t *testing.T) {
	e := newEmulator(t)
	data := pseudo((blocksKept+4)*blockSize, 3)
	e.put("x", data)
	o := mustOpen(t, e, "gs://notes/x")
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			random := rand.New(rand.NewSource(int64(g)))
			for range 15 {
				off := random.Intn(len(data))
				p := make([]byte, 1+random.Intn(min(2*blockSize, len(data)-off)))
				if n, err := o.ReadAt(p, int64(off)); n != len(p) || err != nil {
					t.Errorf("ReadAt(%d, %d) = %d, %v", len(p), off, n, err)
				} else if !bytes.Equal(p, data[off:off+n]) {
					t.Errorf("ReadAt(%d, %d): wrong bytes", len(p), off)
				}
			}
		})
	}
	group.Wait()
	blocks := o.(*cloudObject).blocks
	if got := blocks.recent.Len(); got > blocksKept || got != len(blocks.blocks) {
		t.Errorf("%d blocks kept, %d indexed, want at most %d", got, len(blocks.blocks), blocksKept)
	}
}

func TestCloudObjectChanged(t *testing.T) {
	for name, change := range map[string]func(*emulator) error{
		"overwritten": func(e *emulator) error { e.put("x", pseudo(2*blockSize, 5)); return nil },
		"deleted":     func(e *emulator) error { return e.Remove(context.Background(), "gs://notes/x") },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEmulator(t)
			data := pseudo(2*blockSize, 4)
			e.put("x", data)
			o := mustOpen(t, e, "gs://notes/x")
			p := make([]byte, 10)
			if _, err := o.ReadAt(p, 0); err != nil {
				t.Fatal(err)
			}
			if err := change(e); err != nil {
				t.Fatal(err)
			}
			if _, err := o.ReadAt(p, 100); err != nil || !bytes.Equal(p, data[100:110]) {
				t.Errorf("a block read before the change: %v", err)
			}
			n, err := o.ReadAt(p, blockSize)
			if n != 0 || !errors.Is(err, ErrChanged) {
				t.Errorf("ReadAt after the change = %d, %v, want ErrChanged", n, err)
			}
			if err != nil && !strings.Contains(err.Error(), "gs://notes/x") {
				t.Errorf("%q does not name the object", err)
			}
		})
	}
}

// A version that was listed is read without another look, and no other is.
func TestCloudOpenVersion(t *testing.T) {
	ctx := context.Background()
	e := newEmulator(t)
	data := pseudo(1000, 9)
	e.put("x", data)
	listed, err := e.Glob(ctx, "gs://notes/x")
	if err != nil {
		t.Fatal(err)
	}
	open := func() Object {
		o, err := e.OpenVersion(ctx, listed[0])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = o.Close() })
		return o
	}
	e.Seen()
	o := open()
	if !bytes.Equal(readAll(t, o), data) || o.Fingerprint() != listed[0].Fingerprint {
		t.Errorf("another version: %s", o.Fingerprint())
	}
	if got := e.Seen(); len(got) != 1 {
		t.Errorf("requests %q, want one", got)
	}
	e.put("x", pseudo(1000, 10))
	if _, err := open().ReadAt(make([]byte, 1), 0); !errors.Is(err, ErrChanged) {
		t.Errorf("the replaced version: %v", err)
	}
	if _, err := e.OpenVersion(ctx, Info{Name: "gs://notes/x", Size: 1000, Fingerprint: "1000"}); !errors.Is(err, ErrChanged) {
		t.Errorf("no generation: %v", err)
	}
}

// The object changes while a connection is broken: the rest must not come from
// the new version.
func TestCloudObjectChangedWithinOneRead(t *testing.T) {
	e := newEmulator(t)
	e.put("x", pseudo(blockSize, 6))
	o := mustOpen(t, e, "gs://notes/x")
	var once sync.Once
	e.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
		broken := false
		if download(r) {
			once.Do(func() { broken = true })
		}
		if broken {
			w.Header().Set("Content-Length", strconv.Itoa(blockSize))
			_, _ = w.Write(pseudo(blockSize, 6)[:1000])
			_ = http.NewResponseController(w).Flush()
			e.put("x", pseudo(blockSize, 7))
			panic(http.ErrAbortHandler)
		}
		return false
	})
	if n, err := o.ReadAt(make([]byte, blockSize), 0); n != 0 || !errors.Is(err, ErrChanged) {
		t.Errorf("ReadAt = %d, %v, want ErrChanged", n, err)
	}
}

func TestCloudRetriesReads(t *testing.T) {
	e := newEmulator(t)
	data := pseudo(directBytes+blockSize, 8)
	e.put("x", data)
	var failed atomic.Int32
	o := mustOpen(t, e, "gs://notes/x")
	e.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
		if !download(r) {
			return false
		}
		if failed.Add(1) <= 2 {
			http.Error(w, "try later", http.StatusServiceUnavailable)
			return true
		}
		e.Misbehave(nil)
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		_, _ = w.Write(data[:len(data)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	e.Seen()
	p := make([]byte, len(data))
	if _, err := o.ReadAt(p, 0); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p, data) {
		t.Error("wrong bytes after retries")
	}
	requests := e.Seen()
	if len(requests) != 4 {
		t.Fatalf("requests %q, want two refused, one cut, one for the rest", requests)
	}
	if rest := requests[3]; strings.HasSuffix(rest, "bytes=0-"+strconv.Itoa(len(data)-1)) || !strings.Contains(rest, "generation=") {
		t.Errorf("the last request %q does not ask for the rest of the generation", rest)
	}
}

func TestCloudReadCompressedObjectAsStored(t *testing.T) {
	e := newEmulator(t)
	stored := []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c\x4a\x06\x00\xc2\x41\x24\x35\x03\x00\x00\x00") // "abc"
	e.GCS.CreateObject(fakestorage.Object{
		ObjectAttrs: fakestorage.ObjectAttrs{BucketName: bucket, Name: "x.gz", ContentEncoding: "gzip"}, Content: stored,
	})
	if got := readAll(t, mustOpen(t, e, "gs://notes/x.gz")); !bytes.Equal(got, stored) {
		t.Errorf("read %x, want the stored bytes %x", got, stored)
	}
}

func TestCloudWrite(t *testing.T) {
	ctx := context.Background()
	for _, size := range []int{0, 1, 1000, chunkSize, 2*chunkSize + 777} {
		e := newEmulator(t)
		data := pseudo(size, uint32(size))
		w, err := e.Create(ctx, "gs://notes/out/x")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		if infos, err := e.List(ctx, "gs://notes"); err != nil || len(infos) != 0 {
			t.Errorf("%d bytes: before Close there is %v, %v", size, infos, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, mustOpen(t, e, "gs://notes/out/x")); !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d other bytes came back", size, len(got))
		}
		if err := w.Abort(); err != nil {
			t.Errorf("Abort after Close: %v", err)
		}
		if infos, err := e.List(ctx, "gs://notes/out"); err != nil || len(infos) != 1 {
			t.Errorf("%d bytes: Abort after Close left %v, %v", size, infos, err)
		}
		if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("second Close: %v", err)
		}
	}
}

func TestCloudWriteRetries(t *testing.T) {
	for _, size := range []int{1000, chunkSize + 1000} {
		e := newEmulator(t)
		var refused atomic.Int32
		e.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
			upload := r.Method == http.MethodPost || r.Method == http.MethodPut
			if !upload || refused.Add(1)%2 == 0 {
				return false
			}
			_, _ = io.Copy(io.Discard, r.Body)
			http.Error(w, "try later", http.StatusServiceUnavailable)
			return true
		})
		data := pseudo(size, 9)
		w, err := e.Create(context.Background(), "gs://notes/x")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, mustOpen(t, e, "gs://notes/x")); !bytes.Equal(got, data) {
			t.Errorf("%d bytes: wrong bytes after retries", size)
		}
		if refused.Load() < 2 {
			t.Errorf("%d bytes: nothing was refused", size)
		}
	}
}

func TestCloudAbortLeavesNothing(t *testing.T) {
	for _, size := range []int{0, 1000, chunkSize + 1000} {
		for _, how := range []string{"abort", "cancel"} {
			e := newEmulator(t)
			ctx, cancel := context.WithCancel(context.Background())
			w, err := e.Create(ctx, "gs://notes/x")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(pseudo(size, 10)); err != nil {
				t.Fatal(err)
			}
			if how == "abort" {
				if err := w.Abort(); err != nil {
					t.Errorf("Abort: %v", err)
				}
			} else {
				cancel()
			}
			if err := w.Close(); err == nil {
				t.Errorf("%d bytes, %s: Close succeeded", size, how)
			}
			if _, err := w.Write([]byte("x")); err == nil {
				t.Errorf("%d bytes, %s: Write succeeded", size, how)
			}
			if infos, err := e.List(context.Background(), "gs://notes"); err != nil || len(infos) != 0 {
				t.Errorf("%d bytes, %s: left %v, %v", size, how, infos, err)
			}
			cancel()
		}
	}
}
