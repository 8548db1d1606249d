package corpus

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
)

// recordName is the form of file names that the i2b2 2014 evaluation script
// reads: patient, record, and what names the system.
var recordName = regexp.MustCompile(`^(\d+)-(\d+)(.*)$`)

// readI2B2 reads a folder of i2b2 2014 XML files:
//
//	<deIdi2b2>
//	<TEXT><![CDATA[...]]></TEXT>
//	<TAGS>
//	<DATE id="P0" start="16" end="26" text="2075-03-14" TYPE="DATE" comment="" />
//
// Of TAGS it reads the nine elements that the evaluation script reads, with
// any TYPE; others are passed over, as there, and told to Warn. The name of
// the root does not matter.
func readI2B2(ctx context.Context, path string, o ReadOptions) iter.Seq2[Document, error] {
	return eachFile(ctx, path, ".xml", func(f file, data []byte) (Document, error) {
		d := Document{ID: f.base, Source: f.name}
		if m := recordName.FindStringSubmatch(f.base); m != nil {
			d.ID, d.Patient, d.System = m[1]+"-"+m[2], m[1], m[3]
		}
		return d, parseI2B2(&d, data, &o)
	})
}

// parseI2B2 fills a document's text and annotations from a file's content.
func parseI2B2(d *Document, data []byte, o *ReadOptions) error {
	x := newXMLDecoder(bytes.NewReader(data))
	fail := func(err error) error { return xmlError(d.Source, x, err) }
	var text strings.Builder
	var tags []xml.StartElement
	var path []string
	texts := 0
	for {
		token, err := x.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fail(err)
		}
		inText := len(path) == 2 && path[1] == "TEXT"
		switch t := token.(type) {
		case xml.StartElement:
			if inText {
				return fail(fmt.Errorf("there is an element within TEXT; this is not the i2b2 2014 format (in-line annotations are %s)", I2B22006))
			}
			if len(path) == 1 && t.Name.Local == "TEXT" {
				texts++
			}
			if len(path) == 2 && path[1] == "TAGS" {
				tags = append(tags, t.Copy())
			}
			path = append(path, t.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if inText {
				text.Write(t)
			}
		case xml.Comment, xml.ProcInst:
			if inText {
				return fail(fmt.Errorf("there is a comment or processing instruction within TEXT, where readers differ about the text"))
			}
		}
	}
	if texts != 1 {
		return fail(fmt.Errorf("there are %d TEXT elements in the root, not one", texts))
	}
	d.Text = text.String()
	b := newBuilder(d, o)
	for i := range tags {
		if err := addTag(b, &tags[i], i); err != nil {
			return fmt.Errorf("%s: %w", d.Source, err)
		}
	}
	return nil
}

// addTag adds the annotation of one element of TAGS, the i-th.
func addTag(b *builder, tag *xml.StartElement, i int) error {
	if !isElement(tag.Name.Local) {
		b.o.Warn(fmt.Sprintf("%s: element %d of TAGS is none of those that the i2b2 2014 evaluation reads; it is passed over", b.d.Source, i+1))
		return nil
	}
	a := Annotation{Category: tag.Name.Local}
	var quoted *string
	found := map[string]string{}
	for _, at := range tag.Attr {
		switch name := at.Name.Local; name {
		case "id":
			a.ID = at.Value
		case "TYPE":
			a.Label = at.Value
		case "comment":
			a.Comment = at.Value
		case "text":
			quoted = &at.Value
		default:
			found[name] = at.Value
		}
	}
	where := func() string { return "annotation " + nameOf(a, i) }
	start, ok := number(found["start"])
	end, ok2 := number(found["end"])
	if !ok || !ok2 {
		return fmt.Errorf("%s has no start and end that are numbers", where())
	}
	if a.Label == "" {
		return fmt.Errorf("%s has no TYPE", where())
	}
	return b.add(a, [][2]int{{start, end}}, quoted, where)
}

type i2b2Writer struct {
	*folder
	o WriteOptions
}

func newI2B2Writer(f *folder, o WriteOptions) Writer { return &i2b2Writer{f, o} }

func (w *i2b2Writer) Write(d Document) error {
	if err := checkName(&d); err != nil {
		return err
	}
	if err := w.check(&d); err != nil {
		return err
	}
	name := d.ID + d.System
	if !recordName.MatchString(name) {
		switch {
		case !w.o.RecordNames:
			w.o.Warn("the i2b2 2014 evaluation script passes over files that are not named like 110-02.xml; ids are kept as they are unless " +
				"record names are asked for")
		case strings.Trim(name, "0123456789") == "":
			name += "-01"
		default:
			return fmt.Errorf("%s: the document's id is neither a number nor of the form 110-02, so that no record name can be made of it", d.Source)
		}
	}
	data, err := formatI2B2(&d, w.o.Discontinuous)
	if err != nil {
		return err
	}
	return w.write(name+".xml", []byte(data))
}

// cdata splits a CDATA section where its text would end it, and where a
// carriage return would be read as a line feed.
var cdata = strings.NewReplacer("]]>", "]]]]><![CDATA[>", "\r", "]]>&#13;<![CDATA[")

// formatI2B2 is the inverse of parseI2B2.
func formatI2B2(d *Document, discontinuous string) (string, error) {
	if err := checkXML(d.Source+": the text", d.Text); err != nil {
		return "", err
	}
	annotations, err := flatten(d, discontinuous)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<deIdi2b2>\n<TEXT><![CDATA[")
	b.WriteString(cdata.Replace(d.Text))
	b.WriteString("]]></TEXT>\n<TAGS>\n")
	at := NewOffsets(d.Text)
	ids := names(annotations, "P", 0)
	for i, a := range annotations {
		start, _ := at.CodePoint(a.Start)
		end, _ := at.CodePoint(a.End)
		for _, s := range []string{a.Label, a.Comment} {
			if err := checkXML(fmt.Sprintf("%s: the type or comment of annotation %s", d.Source, nameOf(a, i)), s); err != nil {
				return "", err
			}
		}
		if a.Label == "" {
			return "", fmt.Errorf("%s: annotation %s has no type", d.Source, nameOf(a, i))
		}
		b.WriteString("<" + categoryOf(&a) + ` id="` + ids[i] + `" start="` + strconv.Itoa(start) + `" end="` + strconv.Itoa(end) +
			`" text="` + attribute.Replace(d.Text[a.Start:a.End]) + `" TYPE="` + attribute.Replace(a.Label) +
			`" comment="` + attribute.Replace(a.Comment) + "\" />\n")
	}
	b.WriteString("</TAGS>\n</deIdi2b2>\n")
	return b.String(), nil
}
