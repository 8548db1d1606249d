package storage

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"
)

// emulator is a real Cloud Storage emulator on loopback, behind a handler that
// can be told to misbehave.
type emulator struct {
	cloud
	server *fakestorage.Server

	mu       sync.Mutex
	requests []string // "METHOD path?query [range]"
	fault    func(w http.ResponseWriter, r *http.Request) (handled bool)
}

const bucket = "notes"

func newEmulator(t *testing.T) *emulator {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	e := &emulator{}
	// The emulator must know its address: it tells requests apart by host, and
	// sends clients there for uploads.
	e.server, err = fakestorage.NewServerWithOptions(fakestorage.Options{
		NoListener: true, Scheme: "http", PublicHost: address, ExternalURL: "http://" + address,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.server.Stop)
	e.server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: bucket})
	front := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		e.requests = append(e.requests, fmt.Sprintf("%s %s %s", r.Method, r.URL, r.Header.Get("Range")))
		fault := e.fault
		e.mu.Unlock()
		if (fault == nil || !fault(w, r)) && !e.refuses(w, r) {
			e.server.HTTPHandler().ServeHTTP(w, r)
		}
	})}
	go func() { _ = front.Serve(listener) }()
	t.Cleanup(func() { _ = front.Close() })
	t.Setenv("STORAGE_EMULATOR_HOST", address)
	client, err := newClient(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	e.cloud = cloud{client}
	return e
}

// misbehave sets the fault; nil ends it.
func (e *emulator) misbehave(fault func(http.ResponseWriter, *http.Request) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fault = fault
}

// refuses answers copies to a name that must be free and is not, as Cloud Storage
// does: the emulator looks at no condition of a copy.
func (e *emulator) refuses(w http.ResponseWriter, r *http.Request) bool {
	_, to, copies := strings.Cut(r.URL.Path, "/rewriteTo/b/"+bucket+"/o/")
	if !copies || r.URL.Query().Get("ifGenerationMatch") != "0" {
		return false
	}
	if _, err := e.server.GetObject(bucket, to); err != nil {
		return false
	}
	http.Error(w, `{"error":{"code":412,"message":"conditionNotMet"}}`, http.StatusPreconditionFailed)
	return true
}

// seen returns the requests since the last call.
func (e *emulator) seen() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	requests := e.requests
	e.requests = nil
	return requests
}

// put makes an object behind the client's back.
func (e *emulator) put(name string, content []byte) {
	e.server.CreateObject(fakestorage.Object{
		ObjectAttrs: fakestorage.ObjectAttrs{BucketName: bucket, Name: name}, Content: content,
	})
}

// pseudo returns n bytes that differ from place to place, the same each time.
func pseudo(n int, seed uint32) []byte {
	b := make([]byte, n)
	x := seed*2654435761 + 1
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x >> 11)
	}
	return b
}
