package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
)

// google stands in for Google Cloud on the loopback interface: a Cloud Storage
// server; and, behind a proxy that every other request of the program goes
// through, the token server, Secret Manager and Dataflow. The program under
// test is a process of its own and knows nothing of this but the usual
// variables of its environment.
type google struct {
	storage *fakestorage.Server
	environ []string

	mu        sync.Mutex
	submitted []byte   // the last job that was created
	requests  []string // METHOD host/path
	state     string   // of the job
	closed    bool     // Dataflow refuses jobs
}

const (
	testKey  = "a key of the tests: fifty bytes or so, never to be seen"
	testJob  = "2026-01-01_00_00_00-1"
	keyThere = "projects/a-project/secrets/palimpsest/versions/3"
)

func newGoogle(t *testing.T) *google {
	t.Helper()
	g := &google{state: "JOB_STATE_DONE"}

	bucket := listen(t)
	address := bucket.Addr().String()
	var err error
	g.storage, err = fakestorage.NewServerWithOptions(fakestorage.Options{
		NoListener: true, Scheme: "http", PublicHost: address, ExternalURL: "http://" + address, Writer: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.storage.Stop)
	serve(t, bucket, g.storage.HTTPHandler())
	g.storage.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "a-bucket"})

	certificate, authority := certify(t, "oauth2.googleapis.com", "secretmanager.googleapis.com", "dataflow.googleapis.com")
	front := &handover{accepted: make(chan net.Conn), closed: make(chan struct{})}
	serve(t, tls.NewListener(front, &tls.Config{Certificates: []tls.Certificate{certificate}}), http.HandlerFunc(g.answer))
	proxy := listen(t)
	serve(t, proxy, http.HandlerFunc(front.connect))

	dir := t.TempDir()
	roots := filepath.Join(dir, "roots.pem")
	credentials := filepath.Join(dir, "credentials.json")
	for name, content := range map[string]string{
		roots:       string(authority),
		credentials: `{"type": "authorized_user", "client_id": "test", "client_secret": "test", "refresh_token": "test"}`,
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g.environ = []string{"STORAGE_EMULATOR_HOST=" + address, "HTTPS_PROXY=http://" + proxy.Addr().String(),
		"SSL_CERT_FILE=" + roots, "SSL_CERT_DIR=" + dir, "GOOGLE_APPLICATION_CREDENTIALS=" + credentials,
		"NO_PROXY=", "no_proxy=", "https_proxy=http://" + proxy.Addr().String()}
	return g
}

// answer is every service but Cloud Storage.
func (g *google) answer(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests = append(g.requests, r.Method+" "+r.Host+r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	jobs := "/v1b3/projects/a-project/locations/a-region/jobs"
	switch host, _, _ := strings.Cut(r.Host, ":"); host + " " + r.Method + " " + r.URL.Path {
	case "oauth2.googleapis.com POST /token":
		fmt.Fprint(w, `{"access_token": "test", "token_type": "Bearer", "expires_in": 3600}`)
	case "secretmanager.googleapis.com GET /v1/" + keyThere + ":access":
		fmt.Fprintf(w, `{"name": %q, "payload": {"data": %q}}`, keyThere, base64.StdEncoding.EncodeToString([]byte(testKey)))
	case "dataflow.googleapis.com POST " + jobs:
		if g.closed {
			http.Error(w, `{"error": {"code": 403, "message": "not allowed"}}`, http.StatusForbidden)
			return
		}
		g.submitted, _ = io.ReadAll(r.Body)
		fmt.Fprintf(w, `{"id": %q}`, testJob)
	case "dataflow.googleapis.com GET " + jobs + "/" + testJob:
		if g.state == "" {
			http.Error(w, `{"error": {"code": 503, "message": "busy"}}`, http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, `{"id": %q, "currentState": %q}`, testJob, g.state)
	case "dataflow.googleapis.com GET " + jobs + "/" + testJob + "/metrics":
		fmt.Fprint(w, `{"metrics": []}`)
	default:
		http.Error(w, `{"error": {"code": 404, "message": "no such thing"}}`, http.StatusNotFound)
	}
}

// put stores a file of this machine in the bucket.
func (g *google) put(t *testing.T, path, name string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g.storage.CreateObject(fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "a-bucket", Name: name}, Content: raw})
}

// staged returns what was put where Dataflow's workers fetch it from.
func (g *google) staged(t *testing.T) []fakestorage.ObjectAttrs {
	t.Helper()
	list, err := g.storage.ListObjectsWithOptionsPaginated("a-bucket", fakestorage.ListOptions{Prefix: "staging/"})
	if err != nil {
		t.Fatal(err)
	}
	return list.Objects
}

// handover is a listener whose connections come out of a proxy's CONNECT.
type handover struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func (h *handover) connect(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		http.Error(w, "this proxy only connects", http.StatusMethodNotAllowed)
		return
	}
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	select {
	case h.accepted <- conn:
	case <-h.closed:
		conn.Close()
	}
}

func (h *handover) Accept() (net.Conn, error) {
	select {
	case conn := <-h.accepted:
		return conn, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

func (h *handover) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

func (h *handover) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func serve(t *testing.T, l net.Listener, h http.Handler) {
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
}

// certify makes a certificate for hosts that signs itself, and its PEM form.
func certify(t *testing.T, hosts ...string) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tests"}, DNSNames: hosts,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
