package review

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/model/review"
)

//go:embed assets
var assets embed.FS

// files are the files of the page by their names in its address, with their media
// types. What is not here is not there: no path is ever looked up in a folder.
var files = map[string]struct{ file, media string }{
	"":         {"assets/index.html", "text/html; charset=utf-8"},
	"page.js":  {"assets/page.js", "text/javascript; charset=utf-8"},
	"page.css": {"assets/page.css", "text/css; charset=utf-8"},
	"icon.svg": {"assets/icon.svg", "image/svg+xml"},
}

// policy lets the page load its own files and talk to its own server, and nothing
// else; text never becomes HTML.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// maxRequest bounds what a browser sends, in bytes.
const maxRequest = 16 << 10

// server serves a page to browsers of this machine that know its address.
type server struct {
	page     *page
	listener net.Listener
	host     string // and port
	token    [sha256.Size]byte
	url      string
}

// listen opens a port on the loopback interface, whichever is free.
func listen(p *page) (*server, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	token := rand.Text() // 128 bits at least
	s := &server{page: p, listener: l, host: l.Addr().String(), token: sha256.Sum256([]byte(token))}
	s.url = "http://" + s.host + "/" + token + "/"
	return s, nil
}

// serve answers until ctx is done.
func (s *server) serve(ctx context.Context) error {
	h := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 5 * time.Minute,
		MaxHeaderBytes: 16 << 10}
	stopped := make(chan error, 1)
	go func() { stopped <- h.Serve(s.listener) }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
		return h.Close() // every decision that was answered is on the disk
	}
}

// ServeHTTP lets in requests that name this server as their host (another name
// for 127.0.0.1 is a page elsewhere whose name was made to lead here; what asks as
// of a proxy says so in the wrong place), that know the token and that come from
// the page itself.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Content-Security-Policy": policy, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		w.Header().Set(name, value)
	}
	token, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	given := sha256.Sum256([]byte(token))
	if r.URL.IsAbs() || r.Host != s.host || subtle.ConstantTimeCompare(given[:], s.token[:]) != 1 || !s.own(r) {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	file, isFile := files[path]
	switch {
	case isFile && r.Method == http.MethodGet:
		raw, err := assets.ReadFile(file.file)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", file.media)
		_, _ = w.Write(raw) // who asked may be gone
	case path == "api/review" && r.Method == http.MethodGet:
		s.page.mu.Lock()
		defer s.page.mu.Unlock()
		answer(w, http.StatusOK, s.page.overview())
	case path == "api/note" && r.Method == http.MethodGet:
		s.get(w, r, func(at int) (any, error) { return s.page.show(at) })
	case path == "api/originals" && r.Method == http.MethodGet:
		s.get(w, r, func(at int) (any, error) { return s.page.originalsOf(at) })
	case path == "api/event" && r.Method == http.MethodPost:
		s.event(w, r)
	default:
		http.Error(w, "not found", http.StatusNotFound)
	}
}

// own tells whether a request comes from the page, or from who typed its address.
// Browsers say so of every request; what changes something must say so.
func (s *server) own(r *http.Request) bool {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	if origin != "" && origin != "http://"+s.host || site != "" && site != "same-origin" && site != "none" {
		return false
	}
	if r.Method == http.MethodGet {
		return true
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return origin != "" && err == nil && media == "application/json"
}

// problem is an answer that tells what is wrong, and the note as it is if the
// browser's was an older one.
type problem struct {
	Problem string `json:"problem"`
	Note    *shown `json:"note,omitempty"`
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // who asked may be gone
}

func (s *server) get(w http.ResponseWriter, r *http.Request, what func(at int) (any, error)) {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	at, err := strconv.Atoi(r.URL.Query().Get("note"))
	var v any
	if err == nil {
		v, err = what(at)
	}
	if err != nil {
		answer(w, http.StatusUnprocessableEntity, problem{Problem: err.Error()})
		return
	}
	answer(w, http.StatusOK, v)
}

// request is an event as the browser sends it.
type request struct {
	Note    int `json:"note"`
	Version int `json:"version"` // of the note that the reviewer sees
	review.Event
}

func (s *server) event(w http.ResponseWriter, r *http.Request) {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	var q request
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest))
	d.DisallowUnknownFields()
	err := d.Decode(&q)
	if _, more := d.Token(); err != nil || more != io.EOF {
		answer(w, http.StatusBadRequest, problem{Problem: "this is no event"})
		return
	}
	now, err := s.page.show(q.Note)
	if err != nil {
		answer(w, http.StatusUnprocessableEntity, problem{Problem: err.Error()})
		return
	}
	if now.Version != q.Version {
		answer(w, http.StatusConflict, problem{"This note was changed in another tab; here is what it says now.", &now})
		return
	}
	err = s.page.do(q.Note, q.Event)
	switch {
	case errors.As(err, new(*store.Refusal)):
		answer(w, http.StatusUnprocessableEntity, problem{Problem: err.Error()})
		return
	case err != nil:
		answer(w, http.StatusInternalServerError, problem{Problem: err.Error()})
		return
	}
	now, _ = s.page.show(q.Note)
	answer(w, http.StatusOK, now)
}
