package corpus

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// jsonlFile is the file that a Writer of JSON lines makes.
const jsonlFile = "notes.jsonl"

// jsonDocument is one line. Offsets are code points, end exclusive.
type jsonDocument struct {
	ID          string           `json:"id"`
	Patient     string           `json:"patient,omitempty"`
	Split       string           `json:"split,omitempty"`
	Text        *string          `json:"text"`
	Annotations []jsonAnnotation `json:"annotations"`
}

type jsonAnnotation struct {
	ID       string `json:"id,omitempty"`
	Start    *int   `json:"start"`
	End      *int   `json:"end"`
	Label    string `json:"label"`
	Category string `json:"category,omitempty"`
	Comment  string `json:"comment,omitempty"`
}

// readJSONL reads JSON lines, one file or a folder of .jsonl files, a document
// a line. Only one line is held at a time.
func readJSONL(ctx context.Context, path string, o ReadOptions) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		files, err := list(ctx, path, ".jsonl")
		if err != nil {
			yield(Document{}, err)
			return
		}
		for _, f := range files {
			object, err := storage.Open(ctx, f.name)
			if err != nil {
				yield(Document{}, err)
				return
			}
			more := true
			for d, err := range jsonLines(f.name, io.NewSectionReader(object, 0, object.Size()), &o) {
				if more = yield(d, err) && err == nil; !more {
					break
				}
			}
			_ = object.Close() // was only read
			if !more {
				return
			}
		}
	}
}

func jsonLines(name string, r io.Reader, o *ReadOptions) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 1<<16), maxFile)
		number := 0
		for lines.Scan() {
			number++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			d, err := parseJSONLine(lines.Bytes(), fmt.Sprintf("%s:%d", name, number), o)
			if !yield(d, err) || err != nil {
				return
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(Document{}, fmt.Errorf("%s:%d: the line has more than %d bytes", name, number+1, maxFile))
		} else if err != nil {
			yield(Document{}, err)
		}
	}
}

func parseJSONLine(line []byte, where string, o *ReadOptions) (Document, error) {
	if !utf8.Valid(line) { // the decoder would put U+FFFD in silence
		return Document{}, fmt.Errorf("%s: the line is not UTF-8; convert it first", where)
	}
	var j jsonDocument
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&j)
	if err == nil {
		if _, err = decoder.Token(); errors.Is(err, io.EOF) {
			err = nil
		} else {
			err = errors.New("more than one value")
		}
	}
	if err != nil || j.ID == "" || j.Text == nil { // err may quote the text
		return Document{}, fmt.Errorf("%s: not one JSON object with id and text, strings, "+
			"and besides these only patient, split and annotations", where)
	}
	d := Document{ID: j.ID, Patient: j.Patient, Split: j.Split, Text: *j.Text, Source: where}
	b := newBuilder(&d, o)
	for i, a := range j.Annotations {
		annotation := Annotation{ID: a.ID, Label: a.Label, Category: a.Category, Comment: a.Comment}
		at := func() string { return fmt.Sprintf("%s: annotation %s", where, nameOf(annotation, i)) }
		if a.Start == nil || a.End == nil || a.Label == "" {
			return d, fmt.Errorf("%s lacks its start, end or label", at())
		}
		if err := b.add(annotation, [][2]int{{*a.Start, *a.End}}, nil, at); err != nil {
			return d, err
		}
	}
	return d, nil
}

type jsonlWriter struct {
	*folder
	o WriteOptions
	w storage.Writer
}

func newJSONLWriter(f *folder, o WriteOptions) Writer { return &jsonlWriter{folder: f, o: o} }

// open makes the file, so that a corpus without documents gives an empty one.
func (w *jsonlWriter) open() (err error) {
	if w.w == nil {
		w.w, err = storage.CreatePrivate(w.ctx, storage.Join(w.path, jsonlFile))
	}
	return err
}

func (w *jsonlWriter) Write(d Document) error {
	if err := w.check(&d); err != nil {
		return err
	}
	annotations, err := flatten(&d, w.o.Discontinuous)
	if err != nil {
		return err
	}
	if len(d.Rest) > 0 {
		w.o.Warn(fmt.Sprintf("%s: lines that are no text-bound annotations are left out: JSON lines hold none", d.Source))
	}
	j := jsonDocument{ID: d.ID, Patient: d.Patient, Split: d.Split, Text: &d.Text, Annotations: make([]jsonAnnotation, len(annotations))}
	if j.Split == "" {
		j.Split = w.o.Split
	}
	at := NewOffsets(d.Text)
	for i, a := range annotations {
		if a.Label == "" {
			return fmt.Errorf("%s: annotation %s has no type", d.Source, nameOf(a, i))
		}
		start, _ := at.CodePoint(a.Start)
		end, _ := at.CodePoint(a.End)
		j.Annotations[i] = jsonAnnotation{ID: a.ID, Start: &start, End: &end, Label: a.Label, Category: a.Category, Comment: a.Comment}
	}
	if err := w.open(); err != nil {
		return err
	}
	encoder := json.NewEncoder(w.w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(j)
}

func (w *jsonlWriter) Close() error {
	if w.closed {
		return nil
	}
	if err := w.open(); err != nil {
		return err
	}
	if err := w.w.Close(); err != nil {
		return err
	}
	return w.folder.Close()
}

func (w *jsonlWriter) Abort() error {
	if w.closed || w.w == nil {
		return nil
	}
	w.closed = true
	return w.w.Abort()
}
