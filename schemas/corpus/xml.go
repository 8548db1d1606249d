package corpus

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/ianaindex"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// newXMLDecoder returns a decoder of XML in UTF-8, or in what the file
// declares.
func newXMLDecoder(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		e, err := ianaindex.MIME.Encoding(charset)
		if err != nil || e == nil {
			return nil, errEncoding
		}
		return e.NewDecoder().Reader(r), nil
	}
	return d
}

var errEncoding = errors.New("the encoding that the file declares is not known; convert it to UTF-8")

// xmlError says what is wrong with an XML file and on which line. Messages of
// package xml can quote the file's names, so they are not passed on.
func xmlError(name string, d *xml.Decoder, err error) error {
	line, _ := d.InputPos()
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		problem := "it is not well-formed"
		for _, known := range []string{"illegal character code", "invalid UTF-8", "unexpected EOF", "unescaped ]]>", "unescaped <",
			"invalid character entity"} {
			if strings.Contains(syntax.Msg, known) {
				problem += " (" + known + ")"
			}
		}
		return fmt.Errorf("%s:%d: the XML cannot be read: %s", name, syntax.Line, problem)
	case errors.Is(err, errEncoding):
		return fmt.Errorf("%s:%d: the XML cannot be read: %w", name, line, errEncoding)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%s:%d: the XML cannot be read: it ends too early", name, line)
	}
	return fmt.Errorf("%s:%d: the XML cannot be read: %w", name, line, err)
}

// inXML tells whether XML 1.0 can hold a character.
func inXML(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r < 0x20, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return true
}

// checkXML refuses texts with characters that XML cannot hold. what names the
// place in the message.
func checkXML(what, s string) error {
	for n, r := range []byte(s) { // quick: all such characters have bytes below 0x20 or are U+FFFE and U+FFFF
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xEF && !inXML(runeAt(s, n)) {
			return fmt.Errorf("%s has the character U+%04X at code point %d, which XML cannot hold; remove it, or write brat or parquet", what,
				runeAt(s, n), utf8.RuneCountInString(s[:n]))
		}
	}
	return nil
}

func runeAt(s string, i int) rune {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}

// attribute escapes a value for double quotes.
var attribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// characterData escapes a text between tags. A carriage return would be read
// as a line feed.
var characterData = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")

// categoryOf returns the i2b2 2014 element for an annotation.
func categoryOf(a *Annotation) string {
	if isElement(a.Category) {
		return a.Category
	}
	if t, err := phi.ParseType(a.Label); err == nil {
		return t.Category()
	}
	return "PHI"
}

// isElement tells whether an element of TAGS is one that the i2b2 2014
// evaluation script reads.
func isElement(name string) bool {
	switch name {
	case "PHI", "NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER":
		return true
	}
	return false
}
