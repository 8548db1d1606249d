package view

import (
	"strings"
	"testing"
)

// What ordinary programs write is read, and reads as it should.
func TestOrdinaryExports(t *testing.T) {
	for source, want := range map[string]string{
		`{\rtf1\ansi{\listtable{\list{\listlevel{\leveltext\leveltemplateid67698689\'01\u-3913 ?;}}}}Seen by Quill\par}`: "Seen by Quill",
		`{\rtf1\ansi{\*\expandedcolortbl;\cssrgb\c100000\c100000\c100000;}Seen by Quill\par}`:                            "Seen by Quill",
		`{\rtf1\ansi 123\nosupersub 4567\par}`:                              "1234567",
		`{\rtf1\ansi\pca{\fonttbl{\f0\fcharset0 Arial;}}\f0 Garc\'a1a\par}`: "García",
		`{\rtf1\ansi{\footer FiO2 50%FACE mask\par}Seen\par}`:               "50%FACE mask",
		"<p>Line one&lt;br&gt;Line two</p>":                                 "Line one<br>Line two",
		"<Td>Smith</Td><Br>Jo<Em>hn</Em>":                                   "John",
		`<p>Contact <Mark> or <Ruby Li></p>`:                                "<Mark>",
	} {
		v, err := New(source, Auto)
		if err != nil {
			t.Errorf("%s: %v", source, err)
		} else if !strings.Contains(v.Text, want) {
			t.Errorf("%s reads %q, want %q in it", source, v.Text, want)
		}
	}
	if Of(`images on \\srv\X64\scan`) != Plain {
		t.Error("a path is taken for HL7")
	}
}
