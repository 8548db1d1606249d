package emulate

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// Faults are the ways in which a request goes wrong. serve is what the server
// would have done.
var Faults = map[string]func(w http.ResponseWriter, r *http.Request, serve http.Handler){
	"closed without an answer": func(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) },
	"done, and closed without an answer": func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
		if strings.HasSuffix(r.Header.Get("Content-Range"), "/*") {
			serve.ServeHTTP(w, r) // the emulator appends a part that it is sent twice; Cloud Storage looks at its place
			return
		}
		serve.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	},
	"503": func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		refuse(w, r, http.StatusServiceUnavailable, "backendError", "SlowDown")
	},
	"429": func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		refuse(w, r, http.StatusTooManyRequests, "rateLimitExceeded", "SlowDown")
	},
	"answer cut": func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
		answer := httptest.NewRecorder()
		serve.ServeHTTP(answer, r)
		for key, values := range answer.Header() {
			w.Header()[key] = values
		}
		body := answer.Body.Bytes()
		if r.Method == http.MethodHead { // has none to cut
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Length", strconv.Itoa(max(len(body), 2)))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	},
	"request cut": func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		_, _ = r.Body.Read(make([]byte, 64))
		panic(http.ErrAbortHandler)
	},
}

// refuse answers as Cloud Storage or S3 does.
func refuse(w http.ResponseWriter, r *http.Request, status int, gcs, s3 string) {
	if strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>` + s3 + `</Code><Message>try again</Message></Error>`))
		return
	}
	http.Error(w, `{"error":{"code":`+strconv.Itoa(status)+`,"message":"`+gcs+`"}}`, status)
}

// AtRandom makes that share of all requests go wrong, each in one of the ways of
// Faults, as the seed has it.
func (s *Server) AtRandom(share float64, seed uint64) {
	var names []string
	for _, n := range []string{"503", "429", "answer cut", "request cut", "closed without an answer", "done, and closed without an answer"} {
		if Faults[n] != nil {
			names = append(names, n)
		}
	}
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 0))
	s.Misbehave(func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		wrong, name := random.Float64() < share, names[random.IntN(len(names))]
		mu.Unlock()
		if wrong {
			Faults[name](w, r, s.Handler)
		}
		return wrong
	})
}
