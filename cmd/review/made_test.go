package review

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init() // a test runs the job
	os.Exit(m.Run())
}

// made is a finished job of a few notes, with places of its own.
type made struct{ input, output, private string }

type row struct {
	ID      string `parquet:"note_id"`
	Patient string `parquet:"patient_id"`
	Kind    string `parquet:"note_type"`
	Text    string `parquet:"text"`
}

// job writes what a job leaves behind of notes in which ⟦DOCTOR¦Ada Moth¦Bo Lund⟧
// stands for a name and what replaced it. Two notes after each other are of one
// patient. The ids are kept, so that no key is needed.
func job(t *testing.T, notes ...string) made {
	t.Helper()
	dir := t.TempDir()
	m := made{filepath.Join(dir, "in.parquet"), filepath.Join(dir, "release", "out"), filepath.Join(dir, "private")}
	var in, out []row
	var findings []table.Finding
	for i, marked := range notes {
		id := fmt.Sprintf("n%02d", i)
		before, after, spans := parse(id, marked)
		in = append(in, row{id, fmt.Sprintf("p%d", i/2), []string{"letter", "ward"}[i%2], before})
		out = append(out, row{id, "x", in[i].Kind, after})
		findings = append(findings, spans...)
	}
	for _, folder := range []string{filepath.Join(m.output, "notes"), filepath.Join(m.private, "findings")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	w := table.NewFindingsWriter(&b)
	if err := w.Write(findings); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(m.private, "findings", "in.parquet"), b.Bytes())
	for name, rows := range map[string][]row{m.input: in, filepath.Join(m.output, "notes", "in.parquet"): out} {
		if err := parquet.WriteFile(name, rows); err != nil {
			t.Fatal(err)
		}
	}
	m.configure(t, "one")
	write(filepath.Join(m.output, "_SUCCESS"), nil)
	return m
}

// configure writes a manifest of a release of such settings.
func (m made) configure(t *testing.T, digest string) {
	t.Helper()
	manifest := fmt.Sprintf(`{"configuration_digest": %q, "configuration": {"keep_ids": true, "columns": {"DocumentID": "note_id",
		"PatientID": "patient_id", "Text": ["text"]}}}`, digest)
	if err := os.WriteFile(filepath.Join(m.output, "manifest.json"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
}

func parse(id, marked string) (before, after string, findings []table.Finding) {
	for {
		plain, rest, ok := strings.Cut(marked, "⟦")
		before, after = before+plain, after+plain
		if !ok {
			return before, after, findings
		}
		span, rest, _ := strings.Cut(rest, "⟧")
		part := strings.Split(span, "¦")
		x := table.Finding{DocumentID: id, TextColumn: "text", Type: part[0], Source: "network", Score: 0.9,
			Start: int64(utf8.RuneCountInString(before)), OutputStart: int64(utf8.RuneCountInString(after))}
		before, after, marked = before+part[1], after+part[2], rest
		x.End, x.OutputEnd = int64(utf8.RuneCountInString(before)), int64(utf8.RuneCountInString(after))
		findings = append(findings, x)
	}
}

// flags are the job's places.
func (m made) flags() store.Flags {
	return store.Flags{Inputs: m.input, Output: m.output, Private: m.private}
}

// args are the same for the command line.
func (m made) args(more ...string) []string {
	return append([]string{"--input", m.input, "--output", m.output, "--private", m.private}, more...)
}

// started is a review that is served.
type started struct {
	*server
	stop func()
}

// start opens the review of all of a job's notes and serves it.
func (m made) start(t *testing.T, reviewer string, judge bool) started {
	t.Helper()
	return serve(t, m.flags(), store.Wanted{Notes: 100, Seed: 1}, reviewer, judge)
}

func serve(t *testing.T, f store.Flags, wanted store.Wanted, reviewer string, judge bool) started {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	j, folder, err := f.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r, err := store.Open(ctx, j, folder, &wanted)
	if err != nil {
		t.Fatal(err)
	}
	originals, err := r.Originals(ctx)
	if err != nil {
		t.Fatal(err)
	}
	log, err := r.Append(reviewer, judge)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPage(r, log, reviewer, judge, originals)
	if err != nil {
		t.Fatal(err)
	}
	s, err := listen(p)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ctx) }()
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			log.Close()
		}
	}
	t.Cleanup(stop)
	return started{s, stop}
}

// at returns the place in the order of the note that a job wrote as that id.
func (s started) at(t *testing.T, id string) int {
	t.Helper()
	for place, i := range s.page.order {
		if s.page.r.Sample.Notes[i].Document == id {
			return place
		}
	}
	t.Fatalf("note %s is not shown", id)
	return -1
}

// run runs the command.
func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}
