package storage

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gcs "cloud.google.com/go/storage"
	"github.com/googleapis/gax-go/v2"

	"github.com/palimpsest-deid/palimpsest/storage/emulate"
)

// everyOperation does all that storage is for below root, which holds small and
// large as in/a and in/b, while fault befalls the first request of each kind.
// Requests of every kind that begins as wanted says must have met it.
func everyOperation(t *testing.T, s System, server *emulate.Server, root string, small, large []byte,
	fault func(http.ResponseWriter, *http.Request, http.Handler), kind func(*http.Request) string, wanted []string) {
	t.Helper()
	ctx := context.Background()
	var mu sync.Mutex
	seen := map[string]bool{}
	server.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
		k := kind(r)
		mu.Lock()
		first := !seen[k]
		seen[k] = true
		mu.Unlock()
		if first {
			fault(w, r, server.Handler)
		}
		return first
	})
	must := func(op string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", op, err)
		}
	}
	read := func(name string, want []byte) {
		t.Helper()
		o, err := s.Open(ctx, root+name)
		must("open "+name, err)
		defer o.Close()
		if got := readAll(t, o); !bytes.Equal(got, want) {
			t.Errorf("%s: wrong bytes", name)
		}
	}
	there, err := s.Glob(ctx, root+"/in/*")
	must("glob", err)
	if len(there) != 2 {
		t.Errorf("listed %v", there)
	}
	read("/in/a", small)
	read("/in/b", large)
	for name, data := range map[string][]byte{"none": nil, "small": small, "large": large} {
		write(t, s, root+"/tmp/"+name, data)
		must("rename "+name, s.Rename(ctx, root+"/tmp/"+name, root+"/out/"+name))
		read("/out/"+name, data)
	}
	write(t, s, root+"/tmp/x", small)
	must("remove", s.Remove(ctx, root+"/tmp/x"))
	write(t, s, root+"/tmp/y", small)
	must("remove all", s.RemoveAll(ctx, root+"/tmp"))
	server.Misbehave(nil)
	if left := listed(t, s, root); len(left) != 5 {
		t.Errorf("left %v", left)
	}
	for _, w := range wanted {
		if !slices.ContainsFunc(keysOf(seen), func(k string) bool { return strings.HasPrefix(k, w) }) {
			t.Errorf("no request %s had a fault, of %q", w, keysOf(seen))
		}
	}
}

// Whatever happens to the first attempt of each request, every operation ends
// as if nothing had.
func TestCloudFaults(t *testing.T) {
	for name, fault := range emulate.Faults {
		t.Run(name, func(t *testing.T) {
			e := newEmulator(t)
			e.client.SetRetry(gcs.WithBackoff(gax.Backoff{Initial: time.Millisecond, Max: time.Millisecond, Multiplier: 1}))
			small, large := pseudo(1000, 1), pseudo(chunkSize+1000, 2)
			e.put("in/a", small)
			e.put("in/b", large)
			kind := func(r *http.Request) string {
				return r.Method + " " + r.URL.Path + r.Header.Get("Range") + r.Header.Get("Content-Range")
			}
			// Listing, looking, reading, both kinds of upload, copying and deleting.
			everyOperation(t, e, e.Server, "gs://notes", small, large, fault, kind, []string{"GET /storage/v1/b/notes/o",
				"GET /storage/v1/b/notes/o/in/a", "GET /notes/in/a", "POST /upload/storage/v1/b/notes/o",
				"POST /upload/storage/v1/b/notes/obytes 8388608-", "POST /storage/v1/b/notes/o/tmp/small/rewriteTo/",
				"DELETE /storage/v1/b/notes/o/tmp/"})
		})
	}
}
