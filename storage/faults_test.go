package storage

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	gcs "cloud.google.com/go/storage"
	"github.com/googleapis/gax-go/v2"

	"github.com/palimpsest-deid/palimpsest/storage/emulate"
)

// Whatever happens to the first attempt of each request, every operation ends
// as if nothing had.
func TestCloudFaults(t *testing.T) {
	ctx := context.Background()
	for name, fault := range emulate.Faults {
		t.Run(name, func(t *testing.T) {
			e := newEmulator(t)
			e.client.SetRetry(gcs.WithBackoff(gax.Backoff{Initial: time.Millisecond, Max: time.Millisecond, Multiplier: 1}))
			small, large := pseudo(1000, 1), pseudo(chunkSize+1000, 2)
			e.put("in/a", small)
			e.put("in/b", large)
			var mu sync.Mutex
			seen := map[string]bool{}
			e.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
				verb := r.Method + " " + r.URL.Path + r.Header.Get("Range") + r.Header.Get("Content-Range")
				mu.Lock()
				first := !seen[verb]
				seen[verb] = true
				mu.Unlock()
				if first {
					fault(w, r, e.Handler)
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
				o, err := e.Open(ctx, name)
				must("open "+name, err)
				defer o.Close()
				if got := readAll(t, o); !bytes.Equal(got, want) {
					t.Errorf("%s: wrong bytes", name)
				}
			}
			write := func(name string, data []byte) {
				t.Helper()
				w, err := e.Create(ctx, name)
				must("create "+name, err)
				_, err = w.Write(data)
				must("write "+name, err)
				must("close "+name, w.Close())
			}
			listed, err := e.Glob(ctx, "gs://notes/in/*")
			must("glob", err)
			if len(listed) != 2 {
				t.Errorf("listed %v", listed)
			}
			read("gs://notes/in/a", small)
			read("gs://notes/in/b", large)
			for name, data := range map[string][]byte{"none": nil, "small": small, "large": large} {
				write("gs://notes/tmp/"+name, data)
				must("rename", e.Rename(ctx, "gs://notes/tmp/"+name, "gs://notes/out/"+name))
				read("gs://notes/out/"+name, data)
			}
			write("gs://notes/tmp/x", small)
			must("remove", e.Remove(ctx, "gs://notes/tmp/x"))
			write("gs://notes/tmp/y", small)
			must("remove all", e.RemoveAll(ctx, "gs://notes/tmp"))
			e.Misbehave(nil)
			left, err := e.List(ctx, "gs://notes")
			must("list", err)
			if len(left) != 5 {
				t.Errorf("left %v", left)
			}
			// Listing, looking, reading, both kinds of upload, copying and deleting.
			for _, verb := range []string{"GET /storage/v1/b/notes/o", "GET /storage/v1/b/notes/o/in/a", "GET /notes/in/a", "POST /upload/storage/v1/b/notes/o",
				"POST /upload/storage/v1/b/notes/obytes 8388608-", "POST /storage/v1/b/notes/o/tmp/small/rewriteTo/", "DELETE /storage/v1/b/notes/o/tmp/"} {
				met := false
				for s := range seen {
					met = met || strings.HasPrefix(s, verb)
				}
				if !met {
					t.Errorf("no request %s had a fault", verb)
				}
			}
		})
	}
}
