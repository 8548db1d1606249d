// Package emulate runs stores on the loopback interface for tests: an emulator
// of Google Cloud Storage, and a real server that speaks S3, each behind a
// handler that counts requests and can be told to misbehave.
package emulate

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
)

// Server is a store, or what stands before it.
type Server struct {
	Address string              // host:port
	GCS     *fakestorage.Server // nil for S3
	Handler http.Handler        // without faults

	front *http.Server
	stop  func()

	mu       sync.Mutex
	requests []string
	fault    func(http.ResponseWriter, *http.Request) bool
}

// Misbehave sets what happens before each request. A fault that returns true has
// answered it. nil ends it.
func (s *Server) Misbehave(fault func(http.ResponseWriter, *http.Request) (handled bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// Seen returns the requests since the last call, as "METHOD path?query range".
func (s *Server) Seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.requests = nil
	return requests
}

// Close ends the server.
func (s *Server) Close() {
	_ = s.front.Close()
	s.stop()
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, fmt.Sprintf("%s %s %s", r.Method, r.URL, r.Header.Get("Range")))
	fault := s.fault
	s.mu.Unlock()
	if fault == nil || !fault(w, r) {
		s.Handler.ServeHTTP(w, r)
	}
}

func (s *Server) serve(listener net.Listener) {
	s.Address = listener.Addr().String()
	s.front = &http.Server{Handler: s}
	go func() { _ = s.front.Serve(listener) }()
}

// GCS starts an emulator of Cloud Storage with those buckets. Clients find it by
// its address in STORAGE_EMULATOR_HOST.
func GCS(buckets ...string) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	// The emulator must know its address: it tells requests apart by host, and
	// sends clients there for uploads.
	emulator, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		NoListener: true, Scheme: "http", PublicHost: address, ExternalURL: "http://" + address,
	})
	if err != nil {
		return nil, err
	}
	for _, b := range buckets {
		emulator.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: b})
	}
	s := &Server{GCS: emulator, stop: emulator.Stop}
	s.Handler = http.HandlerFunc(s.conditions)
	s.serve(listener)
	return s, nil
}

// conditions answers copies to a name that must be free and is not, as Cloud
// Storage does: the emulator looks at no condition of a copy.
func (s *Server) conditions(w http.ResponseWriter, r *http.Request) {
	_, to, copies := strings.Cut(r.URL.Path, "/rewriteTo/b/")
	bucket, object, _ := strings.Cut(to, "/o/")
	if copies && r.URL.Query().Get("ifGenerationMatch") == "0" {
		s.mu.Lock() // of two copies at once one must see the other
		defer s.mu.Unlock()
		if _, err := s.GCS.GetObject(bucket, object); err == nil {
			http.Error(w, `{"error":{"code":412,"message":"conditionNotMet"}}`, http.StatusPreconditionFailed)
			return
		}
	}
	s.GCS.HTTPHandler().ServeHTTP(w, r)
}

// The keys of the S3 server.
const (
	AccessKey = "palimpsest-tests"
	SecretKey = "not a secret, but long enough"
)

// S3 starts a server that speaks S3 (versitygw, built by infra/s3/fetch.sh) on
// that folder, with those buckets.
func S3(program, dir string, buckets ...string) (*Server, error) {
	for _, b := range buckets {
		if err := os.MkdirAll(filepath.Join(dir, b), 0o700); err != nil {
			return nil, err
		}
	}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := inner.Addr().String()
	inner.Close()
	cmd := exec.Command(program, "--access", AccessKey, "--secret", SecretKey, "--port", port, "--quiet", "posix", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", port)
		if err == nil {
			c.Close()
			break
		}
		if ctx.Err() != nil {
			stop()
			return nil, fmt.Errorf("%s does not answer: %w", program, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		stop()
		return nil, err
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: port})
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of requests that were cut
	s := &Server{Handler: proxy, stop: stop}
	s.serve(listener)
	return s, nil
}
