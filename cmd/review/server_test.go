package review

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/review"
)

// asked is a request to a review's server.
type asked struct {
	method, path, host, origin, site, media, body string
}

func (s started) ask(t *testing.T, a asked) (status int, body string, header http.Header) {
	t.Helper()
	c, err := net.Dial("tcp", s.host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// By hand, so that the path goes out as it stands, dots and all.
	fmt.Fprintf(c, "%s %s HTTP/1.1\r\nConnection: close\r\nHost: %s\r\nContent-Length: %d\r\n", cmp.Or(a.method, "GET"), a.path,
		cmp.Or(a.host, s.host), len(a.body))
	for name, value := range map[string]string{"Origin": a.origin, "Sec-Fetch-Site": a.site, "Content-Type": a.media} {
		if value != "" {
			fmt.Fprintf(c, "%s: %s\r\n", name, value)
		}
	}
	fmt.Fprintf(c, "\r\n%s", a.body)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(raw), answer.Header
}

// Nobody gets in but the page itself, and who has its address.
func TestServerLetsInNobodyElse(t *testing.T) {
	m := job(t, letter, letter)
	s := m.start(t, "ann", false)
	token := strings.Split(s.url, "/")[3]
	own, port := "http://"+s.host, s.host[strings.Index(s.host, ":"):]
	base := "/" + token + "/"
	if len(token) < 26 || !net.ParseIP(strings.Split(s.host, ":")[0]).IsLoopback() {
		t.Errorf("the address %s is not of the loopback interface, or its token is short", s.url)
	}
	event := asked{method: "POST", path: base + "api/event", origin: own, site: "same-origin", media: "application/json",
		body: `{"note": 0, "version": 0, "kind": "missed", "start": 4, "end": 8, "type": "DATE"}`}
	with := func(change func(a *asked)) asked { a := event; change(&a); return a }
	for name, a := range map[string]asked{
		"no token":                     {path: "/"},
		"no token, a file":             {path: "/page.js"},
		"another token":                {path: "/" + strings.Repeat("A", len(token)) + "/"},
		"part of the token":            {path: "/" + token[:20] + "/"},
		"the token as a query":         {path: "/?" + token},
		"another host":                 {path: base, host: "rebound.example" + port},
		"localhost by name":            {path: base, host: "localhost" + port},
		"the host without port":        {path: base, host: "127.0.0.1"},
		"another origin":               {path: base + "api/note?note=0", origin: "http://evil.example"},
		"another origin's fetch":       {path: base + "api/note?note=0", site: "cross-site"},
		"another port of this host":    {path: base + "api/note?note=0", site: "same-site"},
		"an opaque origin":             {path: base + "api/note?note=0", origin: "null"},
		"a path upwards":               {path: base + "../../../../etc/passwd"},
		"a path upwards, encoded":      {path: base + "..%2f..%2f..%2fetc%2fpasswd"},
		"the embedded folder":          {path: base + "assets/index.html"},
		"the sample":                   {path: base + "sample.json"},
		"an event without an origin":   with(func(a *asked) { a.origin = "" }),
		"an event of another origin":   with(func(a *asked) { a.origin = "http://evil.example" }),
		"an event by a form":           with(func(a *asked) { a.media = "text/plain" }),
		"an event without a token":     with(func(a *asked) { a.path = "/api/event" }),
		"an event by another method":   with(func(a *asked) { a.method = "PUT" }),
		"an event for reading":         with(func(a *asked) { a.method = "GET" }),
		"an event to a rebound host":   with(func(a *asked) { a.host = "rebound.example" + port; a.origin = "http://rebound.example" + port }),
		"the page by another method":   {method: "POST", path: base, origin: own, media: "application/json"},
		"options of another origin":    {method: "OPTIONS", path: base + "api/event", origin: "http://evil.example"},
		"an address as proxies get it": {path: "http://" + s.host + base, host: "rebound.example"},
		"a note of a token in a host":  {path: "/api/note?note=0", host: token + ".localhost" + port},
	} {
		status, body, header := s.ask(t, a)
		if status != http.StatusNotFound || strings.Contains(body, "Seen") || header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: status %d: %.80s", name, status, body)
		}
	}
	for name, a := range map[string]asked{
		"a note that is not there": {path: base + "api/note?note=2"}, "one below none": {path: base + "api/note?note=-1"},
		"no number":        {path: base + "api/originals?note=x"},
		"no event":         with(func(a *asked) { a.body = `[]` }),
		"two events":       with(func(a *asked) { a.body += a.body }),
		"an unknown field": with(func(a *asked) { a.body = `{"nte": 0}` }),
		"a huge event":     with(func(a *asked) { a.body = `{"kind": "` + strings.Repeat("x", maxRequest) + `"}` }),
		"a place outside":  with(func(a *asked) { a.body = `{"note": 0, "kind": "missed", "start": -4, "end": 8, "type": "DATE"}` }),
		"one far outside": with(func(a *asked) {
			a.body = `{"note": 0, "kind": "missed", "start": 4, "end": 1000000000, "type": "DATE"}`
		}),
		"no type": with(func(a *asked) { a.body = `{"note": 0, "kind": "missed", "start": 4, "end": 8, "type": "../x"}` }),
		"no span": with(func(a *asked) { a.body = `{"note": 0, "kind": "judge", "span": 99, "verdict": "right"}` }),
		"no kind": with(func(a *asked) { a.body = `{"note": 0, "kind": "drop"}` }),
	} {
		if status, body, _ := s.ask(t, a); status != http.StatusUnprocessableEntity && status != http.StatusBadRequest {
			t.Errorf("%s: status %d: %.80s", name, status, body)
		}
	}
	if status, body, _ := s.ask(t, event); status != http.StatusOK {
		t.Errorf("an event of the page: status %d: %s", status, body)
	}
	if n := s.page.log.States[s.page.order[0]].Version; n != 1 {
		t.Errorf("%d events were taken, want the one", n)
	}
	_, _, header := s.ask(t, asked{path: base})
	for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		"X-Content-Type-Options": "nosniff"} {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if p := header.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; script-src 'self'") || strings.Contains(p,
		"unsafe") {
		t.Errorf("the content security policy is %q", p)
	}
}

// The page's files load nothing from elsewhere, make no HTML of text, and have
// neither styles nor scripts within.
func TestPageIsSealed(t *testing.T) {
	for name, f := range files {
		raw, err := assets.ReadFile(f.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "https://", "@import", "url(",
			"style=\"", "onclick", "<style"} {
			if bytes.Contains(raw, []byte(bad)) {
				t.Errorf("%q has %q", name, bad)
			}
		}
	}
}

// A review that was killed, even amid a line, goes on where it was; one at work is
// not disturbed.
func TestKilledAndResumed(t *testing.T) {
	m := job(t, letter, letter)
	s := m.start(t, "ann", false)
	at := s.page.order[s.at(t, "n00")]
	for _, e := range []review.Event{{Kind: review.Reveal}, {Kind: review.Judge, Span: 0, Verdict: review.Right}, {Kind: review.Judge,
		Span: 3, Verdict: review.Needless},
		{Kind: review.Undo}, {Kind: review.Judge, Span: 2, Verdict: review.WrongType, Type: "organization"}} {
		if s.page.r.Sample.Notes[at].Blind || e.Kind != review.Reveal {
			if err := s.page.do(s.at(t, "n00"), e); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := fmt.Sprint(s.page.log.States[at].Verdicts)
	if status, _, stderr := run(m.args("--reviewer", "ann")...); status != int(fault.Locked) || !strings.Contains(stderr, "already") {
		t.Errorf("a second process: status %d: %s", status, stderr)
	}
	s.stop()
	log := filepath.Join(m.private, "review", "reviewer.ann.jsonl")
	whole, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, append(whole, `{"at":"2026-01-01T00:00:00Z","reviewer":"ann","note":"n0`...), 0o600); err != nil {
		t.Fatal(err)
	}
	s = m.start(t, "ann", false)
	if got := fmt.Sprint(s.page.log.States[at].Verdicts); got != want || !strings.Contains(got, "ORGANIZATION") {
		t.Errorf("resumed with %s, want %s", got, want)
	}
	if err := s.page.do(s.at(t, "n00"), review.Event{Kind: review.Judge, Span: 1, Verdict: review.Right}); err != nil {
		t.Fatal(err)
	}
	s.stop()
	raw, err := os.ReadFile(log)
	if err != nil || !bytes.HasPrefix(raw, whole) || bytes.Count(raw, []byte("\n")) != bytes.Count(whole, []byte("\n"))+1 {
		t.Errorf("the log is not what it was and one line more: %v\n%s", err, raw)
	}
	for _, l := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		if !json.Valid(l) {
			t.Errorf("no line of JSON: %s", l)
		}
	}
}

func TestRefusals(t *testing.T) {
	m := job(t, letter, letter)
	other := job(t, letter)
	changed := job(t, letter)
	if err := os.Rename(other.input, changed.input); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(m.args("--export", filepath.Join(m.output, "gold"), "--reviewer", "ann")...); status != 64 {
		t.Errorf("status %d: %s", status, stderr)
	}
	s := m.start(t, "ann", false)
	s.stop()
	trial := t.TempDir()
	if err := os.WriteFile(filepath.Join(trial, "_TRIAL"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"nobody", m.args(), 64, "--reviewer is missing"},
		{"a name that leads elsewhere", m.args("--reviewer", "../ann"), 64, "letters, digits"},
		{"no output", []string{"--reviewer", "ann"}, 64, "--output is missing"},
		{"no release", []string{"--reviewer", "ann", "--output", t.TempDir(), "--private", m.private}, 65, "no finished release"},
		{"a trial", []string{"--reviewer", "ann", "--output", trial, "--private", m.private}, 65, "without --limit"},
		{"no private part", []string{"--reviewer", "ann", "--output", m.output, "--private", filepath.Join(trial, "none")}, 64, "is not there"},
		{"another private part", m.args("--reviewer", "ann", "--private", trial, "--reviews", filepath.Join(trial, "review")), 65,
			"does --private name"},
		{"a folder of settings", m.args("--reviewer", "ann", "--config", trial), 64, "name a file"},
		{"another sample", m.args("--reviewer", "ann", "--notes", "3"), 64, "holds a sample of --notes 100"},
		{"no notes", m.args("--reviewer", "ann", "--notes", "0"), 64, "at least 1"},
		{"no such column", changed.args("--reviewer", "ann", "--stratify", "nonsense"), 64, `no --stratify column "nonsense"`},
		{"decisions in the release", m.args("--reviewer", "ann", "--reviews", filepath.Join(m.output, "review")), 64, "lies inside the output"},
		{"decisions for everybody", m.args("--reviewer", "ann", "--reviews", open), 64, "everybody"},
		{"decisions in a store", m.args("--reviewer", "ann", "--reviews", "gs://b/review"), 64, "of this machine"},
		{"no two reviewers", m.args("--reviewer", "bob", "--adjudicate"), 64, "no two reviewers"},
		{"nothing reviewed", m.args("--export", filepath.Join(t.TempDir(), "gold")), 65, "no note was reviewed"},
		{"an unknown flag", m.args("--reviewr", "ann"), 64, "did you mean --reviewer?"},
	} {
		status, stdout, stderr := run(c.args...)
		if status != c.status || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%s: status %d, printed %q and %q; want %d and one line with %q", c.name, status, stdout, stderr, c.status, c.want)
		}
	}
	m.configure(t, "two")
	if status, _, stderr := run(m.args("--reviewer", "ann")...); status != 65 || !strings.Contains(stderr, "another model, version, policy") {
		t.Errorf("a release of other settings: status %d: %s", status, stderr)
	}
	// A note that is not what the job read.
	if err := os.Truncate(filepath.Join(m.private, "review", "reviewer.ann.jsonl"), 0); err != nil {
		t.Fatal(err)
	}
}

// A note of the input that is no longer what the job read is noticed.
func TestChangedInputIsRefused(t *testing.T) {
	m, other := job(t, letter), job(t, "Something else.")
	if err := os.Rename(other.input, m.input); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(m.args("--reviewer", "ann")...); status != 65 || !strings.Contains(stderr, "do not belong together") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// Two who begin at the same moment review one sample, each in a log of his own.
func TestTwoReviewersAtOnce(t *testing.T) {
	m := job(t, letter, letter, letter, letter)
	samples := make(chan string)
	for range 4 {
		go func() {
			j, folder, err := m.flags().Open(t.Context())
			var r *store.Review
			if err == nil {
				r, err = store.Open(t.Context(), j, folder, &store.Wanted{Notes: 100, Seed: 1})
			}
			if err != nil {
				samples <- err.Error()
				return
			}
			samples <- fmt.Sprint(r.Sample.Notes)
		}()
	}
	first := <-samples
	for range 3 {
		if other := <-samples; other != first || !strings.Contains(first, "n03") {
			t.Errorf("one has the sample %s, another %s", first, other)
		}
	}
	ann, bob := m.start(t, "ann", false), m.start(t, "bob", false)
	for at := range ann.page.order {
		for _, s := range []started{ann, bob} {
			events := []review.Event{{Kind: review.Missed, Start: 4, End: 8, Type: "DATE"}}
			if s.page.r.Sample.Notes[at].Blind {
				events = append(events, review.Event{Kind: review.Reveal})
			}
			for span := range s.page.r.Sample.Notes[at].Spans {
				events = append(events, review.Event{Kind: review.Judge, Span: span, Verdict: review.Right})
			}
			for _, e := range append(events, review.Event{Kind: review.Finish}) {
				if err := s.page.do(at, e); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	outcomes, disputed, open, err := ann.page.r.Outcomes()
	if names, _, _, _ := ann.page.r.Reviewers(); err != nil || len(outcomes) != 4 || disputed+open != 0 || fmt.Sprint(names) != "[ann bob]" {
		t.Errorf("%d outcomes, %d disputed, %d open, of %v: %v", len(outcomes), disputed, open, names, err)
	}
}

// Of a release without notes nothing is drawn, and nothing is left behind.
func TestReleaseWithoutNotes(t *testing.T) {
	m := job(t)
	if status, _, stderr := run(m.args("--reviewer", "ann")...); status != 65 || !strings.Contains(stderr, "has no notes to draw from") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if _, err := os.Stat(filepath.Join(m.private, "review")); err == nil {
		t.Error("a review of nothing was begun")
	}
}

// untilTold stops a command when it has printed something.
type untilTold struct {
	bytes.Buffer
	stop func()
}

func (u *untilTold) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("http://")) {
		u.stop()
	}
	return u.Buffer.Write(p)
}

// decide says something of the first note, so that the reviewer has a decision.
func (s started) decide(t *testing.T) {
	t.Helper()
	if err := s.page.do(0, review.Event{Kind: review.Missed, Start: 4, End: 8, Type: "DATE"}); err != nil {
		t.Fatal(err)
	}
}

// A name that was mistyped takes no seat, once its review is ended without a decision.
func TestMistypedNameTakesNoSeat(t *testing.T) {
	m := job(t, letter, letter)
	ann := m.start(t, "ann", false)
	ann.decide(t)
	amn := m.start(t, "amn", false)
	if status, _, stderr := run(m.args("--reviewer", "bob")...); status != 64 || !strings.Contains(stderr, "amn and ann review") {
		t.Errorf("a third beside one at work: status %d: %s", status, stderr)
	}
	amn.stop()
	if names, said, _, err := ann.page.r.Reviewers(); err != nil || fmt.Sprint(names) != "[ann]" || len(said) != 1 {
		t.Errorf("the reviewers are %v: %v", names, err)
	}
	m.start(t, "bob", false).decide(t)
	if status, _, stderr := run(m.args("--reviewer", "amn")...); status != 64 || !strings.Contains(stderr, "ann and bob review") {
		t.Errorf("a third: status %d: %s", status, stderr)
	}
	if _, err := ann.page.r.Append("cy", true); err != nil {
		t.Errorf("who decides between two: %v", err)
	}
}

// Of many who begin at the same moment two get a seat, and the review goes on.
func TestSeatsAreTakenOneByOne(t *testing.T) {
	m := job(t, letter)
	for round := range 20 {
		f := m.flags()
		f.Reviews = filepath.Join(m.private, fmt.Sprint("round-", round))
		j, folder, err := f.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, err := store.Open(t.Context(), j, folder, &store.Wanted{Notes: 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		logs := make(chan *store.Log)
		begin := make(chan struct{})
		for who := range 8 {
			go func() {
				<-begin
				log, _ := r.Append(fmt.Sprint("r", who), false)
				logs <- log
			}()
		}
		close(begin)
		var seated []*store.Log
		for range 8 {
			if log := <-logs; log != nil {
				seated = append(seated, log)
			}
		}
		if _, _, _, err := r.Reviewers(); err != nil || len(seated) != 2 {
			t.Errorf("%d have a seat: %v", len(seated), err)
		}
		for _, log := range seated {
			log.Close()
		}
	}
}

// Who joins is told who is there; Ctrl-C ends a review with status 0.
func TestWhoElseReviews(t *testing.T) {
	m := job(t, letter, letter)
	ann := m.start(t, "ann", false)
	ann.decide(t)
	ann.stop()
	for reviewer, want := range map[string]bool{"ann": false, "amn": true} {
		ctx, stop := context.WithCancel(t.Context())
		out := &untilTold{stop: stop}
		var errs bytes.Buffer
		if status := Main(ctx, m.args("--reviewer", reviewer), nil, out, &errs); status != 0 {
			t.Fatalf("status %d: %s", status, errs.String())
		}
		if got := strings.Contains(out.String(), "ann reviews this sample too, and has finished 0 notes; you are amn."); got != want {
			t.Errorf("%s is told %q", reviewer, out.String())
		}
	}
}
