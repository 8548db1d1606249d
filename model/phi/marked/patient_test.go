package marked

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

const example = `patient: p001
name: Ada Brandt
sex: F
birth_date: 1957-03-14
mrn: 00481-22
phone: (505) 555-0143
email:
address: 2 Elm Row, Leith
relatives: Bo Brandt; Cy Lund
doctors:
%% note
kind: telephone encounter
written: 2019-11-07T16:42
author: Dee Fox
%%
[[PATIENT:Ada]] rang.

No pain.
%% note
kind: clinic letter
written: 2020-01-02T09:00
author:
%%
Dear colleague
`

func TestParse(t *testing.T) {
	p, err := Parse("p001.txt", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	if p.ID != "p001" || p.Name != "Ada Brandt" || p.Sex != "F" || p.MRN != "00481-22" || p.Phone != "(505) 555-0143" || p.Email != "" ||
		p.Address != "2 Elm Row, Leith" {
		t.Errorf("header is %+v", p)
	}
	if !p.BirthDate.Equal(time.Date(1957, 3, 14, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("birth date is %v", p.BirthDate)
	}
	if strings.Join(p.Relatives, "|") != "Bo Brandt|Cy Lund" || p.Doctors != nil {
		t.Errorf("relatives %q, doctors %q", p.Relatives, p.Doctors)
	}
	if len(p.Notes) != 2 {
		t.Fatalf("%d notes, want 2", len(p.Notes))
	}
	n := p.Notes[0]
	if n.Kind != "telephone encounter" || n.Author != "Dee Fox" || n.Text != "Ada rang.\n\nNo pain." || n.Line != 16 ||
		!n.Written.Equal(time.Date(2019, 11, 7, 16, 42, 0, 0, time.UTC)) {
		t.Errorf("first note is %+v", n)
	}
	if len(n.Spans) != 1 || n.Spans[0] != (Span{0, 3, 0, 3, phi.Patient}) {
		t.Errorf("spans are %+v", n.Spans)
	}
	if n := p.Notes[1]; n.Text != "Dear colleague" || n.Author != "" || n.Line != 24 {
		t.Errorf("second note is %+v", n)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct {
		name, old, new, want string
		line                 int
	}{
		{"no notes marker", "%% note", "%%note", "without a colon", 11},
		{"missing key", "mrn: 00481-22\n", "", "lacks mrn:", 10},
		{"key twice", "sex: F", "name: F", "name: twice", 3},
		{"unknown key", "sex: F", "gender: F", "unknown key", 3},
		{"no colon", "sex: F", "sex F", "without a colon", 3},
		{"empty name", "name: Ada Brandt", "name:", "name: is empty", 2},
		{"bad sex", "sex: F", "sex: SECRET", "not F, M or X", 3},
		{"bad birth date", "1957-03-14", "14 SECRET 1957", "not a date", 4},
		{"bad time", "2019-11-07T16:42", "SECRET", "not a time", 13},
		{"empty kind", "kind: telephone encounter", "kind: ", "kind: is empty", 12},
		{"stray text line", "No pain.", "%%", `a line "%%"`, 18},
		{"mark", "[[PATIENT:Ada]]", "x\n[[NAME:SECRET]]", "a type that", 17},
		{"header not ended", "author: Dee Fox\n%%\n", "author: Dee Fox\n", "unknown key", 15},
		{"carriage return", "No pain.", "No pain.\r", "carriage returns", 18},
		{"not UTF-8", "No pain.", "SECRET\xff", "not UTF-8", 18},
		{"ends in a header", "\n%%\nDear colleague\n", "", "not ended", 22},
		{"ends at a note", "%% note\nkind: clinic letter\nwritten: 2020-01-02T09:00\nauthor:\n%%\nDear colleague\n", "%% note",
			"ends where a note begins", 19},
	} {
		t.Run(test.name, func(t *testing.T) {
			bad := strings.Replace(example, test.old, test.new, 1)
			if bad == example {
				t.Fatal("the test changes nothing")
			}
			_, err := Parse("p001.txt", []byte(bad))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if e.File != "p001.txt" || e.Line != test.line || !strings.Contains(e.Problem, test.want) {
				t.Errorf("got %v, want %q on line %d", err, test.want, test.line)
			}
			if strings.Contains(err.Error(), "SECRET") {
				t.Errorf("the error quotes the file: %v", err)
			}
		})
	}
}

func TestReadDir(t *testing.T) {
	second := strings.Replace(example, "p001", "p002", 1)
	fsys := fstest.MapFS{
		"notes/b.txt": {Data: []byte(example)}, "notes/a.txt": {Data: []byte(second)}, "notes/readme.md": {Data: []byte("x")},
		"twice/a.txt": {Data: []byte(example)}, "twice/b.txt": {Data: []byte(example)},
		"bad/a.txt": {Data: []byte("x")},
	}
	patients, err := ReadDir(fsys, "notes")
	if err != nil || len(patients) != 2 || patients[0].ID != "p002" {
		t.Errorf("got %d patients (%v), want p002 and p001", len(patients), err)
	}
	for dir, want := range map[string]string{
		"twice": "twice/b.txt:1: the patient id is that of twice/a.txt",
		"bad":   "bad/a.txt:1: ",
		"none":  "no .txt file in folder none",
	} {
		if _, err := ReadDir(fsys, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", dir, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("%% note\n%%\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("f.txt", data)
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1) {
			t.Fatalf("bad error %v", err)
		}
		if err != nil {
			return
		}
		for _, n := range p.Notes {
			if _, err := Mark(n.Text, n.Spans); err != nil {
				t.Fatal(err)
			}
		}
	})
}
