package marked

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode/utf8"
)

// Patient is one patient: the known identifiers, and the notes.
type Patient struct {
	ID        string
	Name      string
	Sex       string // F, M or X
	BirthDate time.Time
	MRN       string
	Phone     string // may be empty, as all that follow
	Email     string
	Address   string
	Relatives []string
	Doctors   []string
	Notes     []Note // in the order of the file
}

// Note is one note.
type Note struct {
	Kind    string    // in the author's words, such as "GP telephone consultation"
	Written time.Time // local time of the hospital, to the minute, held as UTC
	Author  string
	Text    string // without marks and without line ends at its end
	Spans   []Span // in text order
	Line    int    // of the file, where the text begins
}

const (
	noteLine = "%% note"
	textLine = "%%"

	dateLayout = "2006-01-02"
	timeLayout = "2006-01-02T15:04"
)

// Parse reads one patient's file. The name is for errors, which are of type
// *Error.
func Parse(file string, data []byte) (Patient, error) {
	r := &reader{file: file}
	if !utf8.Valid(data) {
		return Patient{}, &Error{file, 1 + bytes.Count(data[:firstInvalid(string(data))], []byte("\n")), "the file is not UTF-8"}
	}
	if i := bytes.IndexByte(data, '\r'); i >= 0 {
		return Patient{}, &Error{file, 1 + bytes.Count(data[:i], []byte("\n")), "the file has carriage returns; write line ends as \\n alone"}
	}
	r.lines = strings.Split(string(data), "\n")
	return r.patient()
}

// ReadDir parses every .txt file of a folder, in order of name. A patient id
// that two files share is an error.
func ReadDir(fsys fs.FS, dir string) ([]Patient, error) {
	files, err := fs.Glob(fsys, path.Join(dir, "*.txt")) // sorted
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("marked: no .txt file in folder %s", dir)
	}
	first := map[string]string{}
	var patients []Patient
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		p, err := Parse(file, data)
		if err != nil {
			return nil, err
		}
		if other, ok := first[p.ID]; ok {
			return nil, &Error{file, 1, "the patient id is that of " + other}
		}
		first[p.ID] = file
		patients = append(patients, p)
	}
	return patients, nil
}

// reader walks the lines of one file; at is the number of lines read.
type reader struct {
	file  string
	lines []string
	at    int
}

func (r *reader) fail(line int, problem string) error {
	return &Error{File: r.file, Line: line, Problem: problem}
}

func (r *reader) patient() (Patient, error) {
	h, err := r.header("the patient's header", noteLine,
		"patient", "name", "sex", "birth_date", "mrn", "phone", "email", "address", "relatives", "doctors")
	if err != nil {
		return Patient{}, err
	}
	p := Patient{
		ID: h.values["patient"], Name: h.values["name"], Sex: h.values["sex"], MRN: h.values["mrn"],
		Phone: h.values["phone"], Email: h.values["email"], Address: h.values["address"],
		Relatives: list(h.values["relatives"]), Doctors: list(h.values["doctors"]),
	}
	for _, key := range []string{"patient", "name", "mrn"} {
		if h.values[key] == "" {
			return p, r.fail(h.lines[key], key+": is empty")
		}
	}
	if p.Sex != "F" && p.Sex != "M" && p.Sex != "X" {
		return p, r.fail(h.lines["sex"], "sex: is not F, M or X")
	}
	if p.BirthDate, err = time.Parse(dateLayout, h.values["birth_date"]); err != nil {
		return p, r.fail(h.lines["birth_date"], "birth_date: is not a date like 1957-03-14")
	}
	for r.at < len(r.lines) {
		n, err := r.note()
		if err != nil {
			return p, err
		}
		p.Notes = append(p.Notes, n)
	}
	return p, nil
}

// note reads one note: the line "%% note" has been read.
func (r *reader) note() (Note, error) {
	h, err := r.header("the note's header", textLine, "kind", "written", "author")
	if err != nil {
		return Note{}, err
	}
	n := Note{Kind: h.values["kind"], Author: h.values["author"], Line: r.at + 1}
	if n.Kind == "" {
		return n, r.fail(h.lines["kind"], "kind: is empty")
	}
	if n.Written, err = time.Parse(timeLayout, h.values["written"]); err != nil {
		return n, r.fail(h.lines["written"], "written: is not a time like 2019-11-07T16:42")
	}
	from := r.at
	for r.at < len(r.lines) && r.lines[r.at] != noteLine {
		if r.lines[r.at] == textLine {
			return n, r.fail(r.at+1, `the text has a line "%%"; a new note begins with a line "%% note"`)
		}
		r.at++
	}
	body := strings.TrimRight(strings.Join(r.lines[from:r.at], "\n"), "\n")
	if r.at < len(r.lines) {
		r.at++ // the line "%% note"
		if r.at == len(r.lines) {
			return n, r.fail(r.at, "the file ends where a note begins")
		}
	}
	n.Text, n.Spans, err = Unmark(body)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return n, r.fail(from+e.Line, e.Problem)
		}
		return n, err
	}
	return n, nil
}

// header is what a block of "key: value" lines says, and on which lines.
type header struct {
	values map[string]string
	lines  map[string]int
}

// header reads lines "key: value" up to the line end; each key once, in any
// order. The line of a missing key is that of the end.
func (r *reader) header(what, end string, keys ...string) (header, error) {
	h := header{values: map[string]string{}, lines: map[string]int{}}
	for ; ; r.at++ {
		if r.at == len(r.lines) {
			return h, r.fail(r.at, what+" is not ended by a line \""+end+"\"")
		}
		line := r.lines[r.at]
		if line == end {
			break
		}
		key, value, ok := strings.Cut(line, ":")
		known := false
		for _, k := range keys {
			known = known || k == key
		}
		switch {
		case !ok:
			return h, r.fail(r.at+1, what+" has a line without a colon; write \"key: value\"")
		case !known:
			return h, r.fail(r.at+1, what+" has an unknown key; keys are "+strings.Join(keys, ", "))
		case h.lines[key] > 0:
			return h, r.fail(r.at+1, what+" has "+key+": twice")
		}
		h.values[key], h.lines[key] = strings.TrimSpace(value), r.at+1
	}
	r.at++
	for _, key := range keys {
		if h.lines[key] == 0 {
			return h, r.fail(r.at, what+" lacks "+key+":")
		}
	}
	return h, nil
}

// list splits a header's value at semicolons; blanks around and empty items go.
func list(value string) []string {
	var items []string
	for _, item := range strings.Split(value, ";") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}
