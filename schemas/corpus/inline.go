package corpus

import (
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// inlineFile is the file that a Writer of in-line XML makes.
const inlineFile = "records.xml"

// readInline reads the in-line XML of the i2b2 2006 corpus, one file or a
// folder of them:
//
//	<ROOT>
//	<RECORD ID="640">
//	<TEXT>
//	<PHI TYPE="HOSPITAL">CTMC</PHI> ...
//	</TEXT>
//	</RECORD>
//
// The text is all character data of TEXT, from its first line end to its last.
// PHI elements can nest. Other elements of a RECORD are passed over. Only one
// record is held at a time.
func readInline(ctx context.Context, path string, _ ReadOptions) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		files, err := list(ctx, path, ".xml")
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
			for d, err := range parseInline(f.name, bufio.NewReaderSize(io.NewSectionReader(object, 0, object.Size()), 1<<16)) {
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

// parseInline yields the records of one file.
func parseInline(name string, r io.Reader) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		p := &inlineParser{name: name, x: newXMLDecoder(r)}
		for {
			d, err := p.record()
			if err == io.EOF {
				if p.count == 0 {
					yield(Document{}, fmt.Errorf("%s: there is no RECORD element; this is not the i2b2 2006 format", name))
				}
				return
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// inlineParser reads one record after the other.
type inlineParser struct {
	name  string
	x     *xml.Decoder
	count int
}

func (p *inlineParser) fail(problem string) error { return xmlError(p.name, p.x, errors.New(problem)) }

// token returns the next token; an end of file within an element is an error.
func (p *inlineParser) token() (xml.Token, error) {
	t, err := p.x.Token()
	if err != nil && err != io.EOF {
		return nil, xmlError(p.name, p.x, err)
	}
	return t, err
}

// record returns the next record, io.EOF after the last.
func (p *inlineParser) record() (Document, error) {
	for {
		t, err := p.token()
		if err != nil {
			return Document{}, err
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local != "RECORD" {
			continue
		}
		p.count++
		d := Document{Source: fmt.Sprintf("%s: record %d", p.name, p.count)}
		for _, a := range start.Attr {
			if strings.EqualFold(a.Name.Local, "ID") {
				d.ID = a.Value
			}
		}
		if d.ID == "" {
			return Document{}, p.fail("a RECORD has no ID")
		}
		return d, p.fill(&d)
	}
}

// fill reads what lies in a RECORD.
func (p *inlineParser) fill(d *Document) error {
	texts := 0
	for {
		t, err := p.token()
		if err != nil {
			return xmlError(p.name, p.x, err)
		}
		switch t := t.(type) {
		case xml.EndElement:
			if texts != 1 {
				return p.fail(fmt.Sprintf("a RECORD has %d TEXT elements, not one", texts))
			}
			return nil
		case xml.StartElement:
			if t.Name.Local != "TEXT" {
				if err := p.x.Skip(); err != nil {
					return xmlError(p.name, p.x, err)
				}
				continue
			}
			if texts++; texts > 1 {
				continue // the error comes with the record's end
			}
			if err := p.text(d); err != nil {
				return err
			}
		}
	}
}

// text reads what lies in a TEXT.
func (p *inlineParser) text(d *Document) error {
	var text strings.Builder
	var open []int // indices of the annotations whose end is still to come
	for {
		t, err := p.token()
		if err != nil {
			return xmlError(p.name, p.x, err)
		}
		switch t := t.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.StartElement:
			if t.Name.Local != "PHI" {
				return p.fail("TEXT has an element that is not PHI")
			}
			a := Annotation{Start: text.Len()}
			for _, at := range t.Attr {
				switch {
				case at.Name.Local == "TYPE":
					a.Label = at.Value
				case strings.EqualFold(at.Name.Local, "id"):
					a.ID = at.Value
				}
			}
			if a.Label == "" {
				return p.fail("a PHI element has no TYPE")
			}
			open = append(open, len(d.Annotations))
			d.Annotations = append(d.Annotations, a)
		case xml.EndElement:
			if len(open) == 0 {
				d.Text = text.String()
				return nil
			}
			d.Annotations[open[len(open)-1]].End = text.Len()
			open = open[:len(open)-1]
		case xml.Comment, xml.ProcInst:
			return p.fail("there is a comment or processing instruction within TEXT, where readers differ about the text")
		}
	}
}

// inlineWriter writes all records into one file, as they come.
type inlineWriter struct {
	*folder
	o WriteOptions
	w storage.Writer
}

func newInlineWriter(f *folder, o WriteOptions) Writer { return &inlineWriter{folder: f, o: o} }

func (w *inlineWriter) Write(d Document) error {
	if err := w.check(&d); err != nil {
		return err
	}
	record, err := formatRecord(&d, w.o.Discontinuous)
	if err != nil {
		return err
	}
	return w.append(record)
}

func (w *inlineWriter) append(s string) error {
	if w.w == nil {
		var err error
		if w.w, err = storage.CreatePrivate(w.ctx, storage.Join(w.path, inlineFile)); err != nil {
			return err
		}
		s = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ROOT>\n" + s
	}
	_, err := io.WriteString(w.w, s)
	return err
}

func (w *inlineWriter) Close() error {
	if w.closed {
		return nil
	}
	if err := w.append("</ROOT>\n"); err != nil {
		return err
	}
	if err := w.w.Close(); err != nil {
		return err
	}
	return w.folder.Close()
}

func (w *inlineWriter) Abort() error {
	if w.closed || w.w == nil {
		return nil
	}
	w.closed = true
	return w.w.Abort()
}

// formatRecord returns a document as a RECORD. Annotations may nest, but of
// equal extent and crossing ones only the former can be told apart again.
func formatRecord(d *Document, discontinuous string) (string, error) {
	annotations, err := flatten(d, discontinuous)
	if err != nil {
		return "", err
	}
	for _, s := range []string{d.ID, d.Text} {
		if err := checkXML(d.Source+": the id or text", s); err != nil {
			return "", err
		}
	}
	annotations = slices.Clone(annotations)
	slices.SortStableFunc(annotations, func(a, b Annotation) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	var b strings.Builder
	b.WriteString(`<RECORD ID="` + attribute.Replace(d.ID) + "\">\n<TEXT>")
	at := 0
	var open []int // ends
	closeUpTo := func(limit int) {
		for len(open) > 0 && open[len(open)-1] <= limit {
			end := open[len(open)-1]
			b.WriteString(characterData.Replace(d.Text[at:end]) + "</PHI>")
			at, open = end, open[:len(open)-1]
		}
	}
	for i, a := range annotations {
		closeUpTo(a.Start)
		if len(open) > 0 && a.End > open[len(open)-1] {
			return "", fmt.Errorf("%s: annotation %s crosses another, which in-line annotations cannot; write brat, i2b2 or parquet", d.Source,
				nameOf(a, i))
		}
		if err := checkXML(fmt.Sprintf("%s: the type of annotation %s", d.Source, nameOf(a, i)), a.Label); err != nil {
			return "", err
		}
		if a.Label == "" {
			return "", fmt.Errorf("%s: annotation %s has no type", d.Source, nameOf(a, i))
		}
		b.WriteString(characterData.Replace(d.Text[at:a.Start]) + `<PHI TYPE="` + attribute.Replace(a.Label) + `">`)
		at = a.Start
		open = append(open, a.End)
	}
	closeUpTo(len(d.Text))
	b.WriteString(characterData.Replace(d.Text[at:]) + "</TEXT>\n</RECORD>\n")
	return b.String(), nil
}
