package view

import (
	"errors"
	"strings"
	"testing"
)

// apply makes edits of a source.
func apply(source string, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(source[at:e.Start] + e.New)
		at = e.End
	}
	return b.String() + source[at:]
}

// replaced puts new in place of each place at which old stands in the view.
func replaced(t *testing.T, source string, format Format, old, new string) string {
	t.Helper()
	v, err := New(source, format)
	if err != nil {
		t.Fatal(err)
	}
	var all []Replacement
	for at := 0; ; {
		i := strings.Index(v.Text[at:], old)
		if i < 0 {
			break
		}
		all = append(all, Replacement{at + i, at + i + len(old), new})
		at += i + len(old)
	}
	if len(all) == 0 {
		t.Fatalf("%q does not show %q, but %q", source, old, v.Text)
	}
	out := apply(source, v.Edits(all))
	if !v.Holds(out, all) {
		t.Errorf("%q with %q does not hold: %q", source, new, out)
	}
	return out
}

func TestFormats(t *testing.T) {
	for text, want := range map[string]Format{
		"Seen today. BP <120/80, K>3.5 & stable.":                                   Plain,
		"From: John <john.smith@example.org>":                                       Plain,
		"R&D; AT&T; x&y;":                                                           Plain,
		`{\rtf1\ansi x}`:                                                            RTF,
		"\uFEFF <!DOCTYPE html><p>x":                                                HTML,
		"one<br>line":                                                               HTML,
		"Ren&eacute;e":                                                              HTML,
		`<?xml version="1.0"?><ClinicalDocument xmlns="x"/>`:                        XML,
		`<?xml version="1.0"?><!DOCTYPE html><html/>`:                               HTML,
		"<Note><Who>John</Who></Note>\n":                                            XML,
		"<Smith> said that he </b> was well":                                        HTML,
		strings.Repeat("UGF0aWVudCBKb2huIFNtaXRoIHNlZW4u", 3):                       Base64,
		strings.Repeat("0123456789abcdef", 4):                                       Plain, // a digest
		strings.Repeat("0123456789abcdef", 8):                                       Plain,
		strings.Repeat("7b5c727466", 13):                                            Base64, // hexadecimal digits
		"0x" + strings.Repeat("7B5C727466", 13):                                     Base64,
		strings.Repeat("1234567890", 20):                                            Plain, // a number
		strings.Repeat("120\n", 50):                                                 Plain,
		strings.Repeat("=", 80):                                                     Plain,
		strings.Repeat("-", 80) + "\n":                                              Plain,
		"data:application/pdf;base64,JVBERi0xLjQKJcOkw7zD":                          Base64,
		"![scan](data:image/png;base64,iVBORw0KGgo=)":                               Base64,
		"UGF0aWVudCBKb2huIFNtaXRoIHNlZW4gb24gMDMvMTIvMjAxNC4gTVJOIDk5ODk5MQ":        Base64, // no padding
		"UGF0aWVudCBKb2huIFNtaXRoIHNlZW4gb24gMDMvMTIvMjAxNC4gTVJOIDk5ODk5M":         Base64, // cut off
		"UGF0-WVudCBKb2hu_FNtaXRoIHNlZW4gb24gMDMvMTIvMjAxNC4gTVJOIDk5ODk5MQ==":      Base64, // of addresses
		"pneumonoultramicroscopicsilicovolcanoconiosispneumonoultramicroscopic":     Plain,
		"ProgressNoteOfMassachusettsGeneralHospital2014VisitSummaryReportOfTheDays": Plain,
		"Progress-Note-2014-03-12-Massachusetts-General-Hospital-Visit-Summary":     Plain,
		"Records/Smith/Notes2014/March/ProgressNoteOfMassachusettsGeneralHospitals": Plain,
		"3f2b1c9e-7a64-4d0b-9a55-1c2d3e4f5a6b-3f2b1c9e-7a64-4d0b-9a55-1c2d3e4f5a6":  Plain,
		`<section xmlns="urn:hl7-org:v3"><id extension="998991"/></section>`:        XML,
		`<!-- made by x --><ClinicalDocument xmlns="urn:hl7-org:v3"/>`:              XML,
		`<?made by="x"?><n1:section xmlns:n1="urn:hl7-org:v3"><n1:text>cut`:         XML,
		`<title><text xmlns="urn:hl7-org:v3">x`:                                     XML,
		`<section xmlns="urn:other"><title>x</title>`:                               XML,
		`<div xmlns="http://www.w3.org/1999/xhtml"><p>x</p></div>`:                  HTML, // as in FHIR
		`<html xmlns:o="urn:x" xmlns="http://www.w3.org/TR/REC-html40"><p>x`:        HTML, // as Word writes it
		`<html xmlns:n1="urn:hl7-org:v3"><body>x`:                                   HTML, // as CDA.xsl makes it
		`<div xmlns:n1="urn:hl7-org:v3"><p>x</p></div>`:                             HTML,
		`<!-- x --><html><p>y`:                                                      HTML,
		`<!--StartFragment--><p>y</p>`:                                              HTML,
		`{"note":"Seen by Garc\u00eda on 03\/12\/2014\nsmith called"}`:              JSON,
		` ["a\tb"]`:                             JSON,
		`{"note":"<p>Seen by Garc\u00eda</p>"}`: JSON,
		`{"note":"Seen today"}`:                 Plain,
		`[**2014-3-12**] seen \ well`:           Plain,
		`see <iframe src="x"></iframe>`:         HTML,
		`see <OBJECT data=x>`:                   HTML,
		`<svg><text>John</text></svg>`:          HTML,
	} {
		if got := Of(text); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
	if !Mojibake("RenÃ©e") || !Mojibake("itâ€™s") || Mojibake("Renée São Ângela") {
		t.Error("mojibake")
	}
}

func TestOpaque(t *testing.T) {
	for value, want := range map[string]bool{
		"J\x00o\x00h\x00n\x00 \x00S\x00": true, "Progress note\x00\x00": false, "a\x00\u2028b \x00": false, "\x00J\x00o": true,
		`{"a":"Garc\u00eda"}`: true, `{"a":"b"}`: false,
		"<b>a</b> c": false, `<img src="data:image/png;base64,AA">`: true,
		"<b>a</b><br>": true, strings.Repeat("7b5c727466", 13): true, "Discharge summary": false,
	} {
		if got := Opaque(value); got != want {
			t.Errorf("%q: %t", value, got)
		}
	}
}

func TestWhatIsRead(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"<p>Mr <b>Jo</b>hn&nbsp;Smith<br>seen", "Mr John Smith\nseen"},
		{"<p>wrapped\r\nline", "wrapped line"},
		{"&eacute;&#233;&#xe9;&lt;", "éé\u00e9<"},
		{"<td>a</td><td>b</td>", "a\tb\t"},
		{"a <john.smith@example.org> b<br>", "a <john.smith@example.org> b"},
		{`{\rtf1\ansi\ansicpg1252 Ren\'e9e O\rquote Brien\par next\tab x\u8217?y\~z}`, "Renée O’Brien\nnext\tx’y z"},
		{`{\rtf1 Jo{\b hn} Smi` + "\r\n" + `th \{x\} \\y}`, `John Smith {x} \y`},
		{`{\rtf1{\fonttbl{\f0\fcharset238 Arial;}}\f0 \'b3}`, "ł"},
		{`{\rtf1 Ren\u233ee \u233 Quill}`, "Renée éQuill"},
		{`{\rtf1\u55357?\u56832?}`, "\u00ad😀"},
	} {
		v, err := New(c.source, Auto)
		if err != nil {
			t.Errorf("%q: %v", c.source, err)
			continue
		}
		if got := strings.TrimRight(v.Text[:v.segments[0].end], "\n"); got != c.want {
			t.Errorf("%q reads %q, not %q", c.source, got, c.want)
		}
	}
}

// What no reader sees is shown behind the text.
func TestNothingIsHidden(t *testing.T) {
	for _, source := range []string{
		`<p title="by John Smith">x`, `<img alt='John Smith' src=x>`, `<a href="mailto:a@b.c?subject=John%20Smith">x</a>`,
		`<p><!-- John Smith -->`, `<p><!-- <b>John</b> Smith -->`, `<p><script>var a = "John Smith"</script>`,
		`<p><style>/* John Smith */</style>`, `<html><title>John Smith</title>`, `<html><meta name=author content="John Smith">`,
		`<p data-who="John Smith">`, `<p><textarea>John Smith</textarea>`, `<p><noscript>John Smith</noscript>`,
		`<p><Mark John Smith>`, `<p style="display:none">John Smith</p>`, `<p onclick="f('John Smith')">`, `<p John Smith>`,
		`<p title=John&#32;Smith>`, `<p>x</p John Smith>`, `<p><![CDATA[John Smith]]>`, `<p><?John Smith?>`, `<p><!DOCTYPE John Smith>`,
		`<p><a title="John Smith`, `<p><!-- John Smith`, `<p><xmp>John Smith</xmp>`, `<p><iframe>John Smith</iframe>`,
		`{\rtf1{\info{\author John Smith}}x}`, `{\rtf1{\info{\title John}{\author John Smith}}x}`, `{\rtf1{\*\unknown John Smith}x}`,
		`{\rtf1\v John Smith\v0 x}`, `{\rtf1{\field{\*\fldinst HYPERLINK "John Smith"}{\fldrslt x}}}`, `{\rtf1{\*\bkmkstart John Smith}x}`,
		`{\rtf1{\header John Smith}x}`, `{\rtf1 x}John Smith`, `{\rtf1{\stylesheet{\s1 John Smith;}}x}`, `{\rtf1{\*a\author John Smith}x}`,
		`{\rtf1{\fonttbl{\f0 John Smith;}}x}`, `{\rtf1{\deleted John Smith}}`, `{\rtf1{\info{\*\userprops{\propname John Smith}}}}`,
	} {
		out := replaced(t, source, Auto, "John Smith", "Mark O'Neil")
		if strings.Contains(out, "Smith") || strings.Contains(out, "John ") {
			t.Errorf("%q becomes %q", source, out)
		}
	}
}

func TestReplaced(t *testing.T) {
	for _, c := range []struct{ source, old, new, want string }{
		{"<p>Mr <b>Jo</b>hn here", "John", "Mark", "<p>Mr <b>Mark</b> here"},
		{"<p>Ren&eacute;e here", "Renée", "A < B & C", "<p>A &#60; B &#38; C here"},
		{`<a title='O&#39;Hara'>x`, "O'Hara", `D'A "x"`, `<a title='D&#39;A&#32;&#34;x&#34;'>x`},
		{"<p>a <5 May", "5 May", "May 5", "<p>a <&#77;ay 5"},
		{`<a href="mailto:jo%20hn@x.org">y`, "jo hn", "ma rk", `<a href="mailto:ma%20rk@x.org">y`},
		{`<i class=x>a</i><i class=x>b</i>`, "x", "y", `<i class=y>a</i><i class=y>b</i>`},
		{"John<br>Smith", "John\nSmith", "Mark Hall", "Mark Hall<br>"},
		{"&#x1F600;&notit;", "¬", "z", "&#x1F600;zit;"},
		{`{\rtf1 Jo{\b hn} x}`, "John", "Zoë {", `{\rtf1 Zo{\uc1\u235?} \{{\b } x}`},
		{`{\rtf1\b0John\i0\'e9 x}`, "Johné", "5 May", `{\rtf1\b0 5 May\i0  x}`},
		{`{\rtf1\b\'e9ric x}`, "éric", "Mark", `{\rtf1\b Mark x}`},
		{`{\rtf1\uc0\u233John x}`, "John", "5", `{\rtf1\uc0\u233 5 x}`},
		{`{\rtf1 J\u243?nas}`, "Jónas", "Ann", `{\rtf1 Ann}`},
		{`{\rtf1{\info{\creatim\yr2014\mo3\dy12\hr9}}x}`, "2014-03-12", "2013-01-09", `{\rtf1{\info{\creatim\yr2013\mo1\dy9}}x}`},
		{`{\rtf1{\info{\creatim\yr2014\mo3\dy12\hr9}}x}`, "2014-03-12", "[DATE]", `{\rtf1{\info{\creatim[DATE]}}x}`},
	} {
		if got := replaced(t, c.source, Auto, c.old, c.new); got != c.want {
			t.Errorf("%q becomes\n%q, not\n%q", c.source, got, c.want)
		}
	}
}

func TestWhatIsNotRead(t *testing.T) {
	for source, want := range map[string]error{
		`{\rtf1{\pict\wmetafile8 0100}}`:                                                                  ErrEmbedded,
		`{\rtf1\bin4 abcd}`:                                                                               ErrEmbedded,
		`<img src="data:image/png;base64,AAAA">`:                                                          ErrEmbedded,
		`<p><style>a{background:url(data:x;base64,AA)}`:                                                   ErrEmbedded,
		`<p>ok</p><img src="data:image/jpeg;base64,/9j/`:                                                  ErrEmbedded,
		`<p>ok</p><img src="data&#58;image/svg+xml,%3Csvg`:                                                ErrEmbedded,
		`<p>x</p><img src="data:image/png;base64,AA" data-loaded>`:                                        ErrEmbedded,
		`<p>x</p><img src="data:image/svg+xml,x" data-loaded>`:                                            ErrEmbedded,
		`<p><x-image src="data:image/png;base64,AAAA">`:                                                   ErrEmbedded,
		`<iframe src="data:application/pdf;base64,AAAA"></iframe>`:                                        ErrEmbedded,
		`<object data="data:application/pdf;base64,AAAA">`:                                                ErrEmbedded,
		`<embed src="data:application/pdf;base64,AAAA">`:                                                  ErrEmbedded,
		`<svg><image href="data:image/png;base64,AAAA"/></svg>`:                                           ErrEmbedded,
		`<p>data:application/pdf;base64,AAAA</p>`:                                                         ErrEmbedded,
		`<p><st1:date Year="2014" Day="12" Month="3" w:st="on">March 12, 2014</st1:date>`:                 ErrUnreadable,
		`<p><x year=2014 month=3 day=12>`:                                                                 ErrUnreadable,
		`<p data-year="2014" year="2014" month="3">`:                                                      nil,
		`{\rtf1{\*\xmlopen\xmlns2{\factoidname date}{\xmlattr{\xmlattrname Year}{\xmlattrvalue 2014}}}x}`: ErrUnreadable,
		`{\rtf1{\*\xmlopen\xmlns2{\factoidname place}{\xmlattr{\xmlattrname City}{\xmlattrvalue x}}}x}`:   nil,
		`{\rtf1{\revised\revauth1\revdttm1234567890 x}}`:                                                  ErrUnreadable,
		`{\rtf1{\deleted\revdttmdel1234567890 x}}`:                                                        ErrUnreadable,
		`{\rtf1\crauth1\crdate1234567890 x}`:                                                              ErrUnreadable,
		`{\rtf1\pnrdate0\revdttm0 x}`:                                                                     nil,
		`{\rtf1{\*\annotation{\*\atndate 1234567890}x}}`:                                                  ErrUnreadable,
		`{\rtf1{\field{\*\fldinst HYPERLINK x{\*\datafield 6a006f0068006e00}}{\fldrslt y}}}`:              ErrEmbedded,
		`{\rtf1` + strings.Repeat("{", mostGroups):                                                        ErrUnreadable,
		`{"note":"Garc\u00eda"}`:                                                                          ErrUnreadable,
		`{\rtf1\ansicpg932 \'83\'41}`:                                                                     ErrUnreadable,
		`{\rtf1\uc9\u32 JohnSmith}`:                                                                       ErrUnreadable,
		`<?xml version="1.0"?><ClinicalDocument xmlns="x"/>`:                                              ErrUnreadable,
	} {
		if _, err := New(source, Auto); !errors.Is(err, want) {
			t.Errorf("%q: %v", source, err)
		}
	}
}

// fuzz checks what holds of every view: each byte of it has a place in the source or
// is a blank, nothing replaced changes nothing, and what is replaced can be read
// where it was, or the check says that it cannot.
func fuzz(t *testing.T, source string, format Format, a, b uint16, with string) {
	if !valid(source) || !valid(with) {
		return
	}
	v, err := New(source, format)
	if err != nil {
		return
	}
	at := 0
	for _, s := range v.segments {
		for _, p := range s.parts {
			if strings.Trim(v.Text[at:p.at], "\n\t ") != "" || p.end > s.end {
				t.Fatalf("%q: %q has no place", source, v.Text[at:p.at])
			}
			at = p.end
			for _, base := range s.bases {
				if p.src > p.stop || base+p.stop > len(source) || base+p.src < 0 {
					t.Fatalf("%q: outside", source)
				}
				if !p.atom && source[base+p.src:base+p.stop] != v.Text[p.at:p.end] {
					t.Fatalf("%q: %q is not %q", source, source[base+p.src:base+p.stop], v.Text[p.at:p.end])
				}
			}
		}
	}
	if apply(source, v.Edits(nil)) != source || !v.Holds(source, nil) {
		t.Fatalf("%q: it does not hold by itself", source)
	}
	if len(v.Text) == 0 {
		return
	}
	from, to := int(a)%len(v.Text), int(b)%(len(v.Text)+1)
	if from >= to {
		return
	}
	all := []Replacement{{from, to, with}}
	edits := v.Edits(all)
	last := 0
	for _, e := range edits {
		if e.Start < last || e.End < e.Start || e.End > len(source) {
			t.Fatalf("%q: edits overlap: %v", source, edits)
		}
		last = e.End
	}
	v.Holds(apply(source, edits), all)
}

func FuzzHTML(f *testing.F) {
	f.Add(`<p title="a">Mr <b>Jo</b>hn&nbsp;<br><!-- x --><a href='mailto:a%20b'>y</a><style>p{}</style>`, uint16(3), uint16(9), "Mark")
	f.Add("<x", uint16(0), uint16(1), "<")
	f.Fuzz(func(t *testing.T, source string, a, b uint16, with string) { fuzz(t, source, HTML, a, b, with) })
}

func FuzzRTF(f *testing.F) {
	f.Add(`{\rtf1\ansi{\info{\author x}{\creatim\yr2014\mo3\dy12}}\b0 Jo{\i hn}\'e9\u8217?\par}`, uint16(1), uint16(5), "Zoë")
	f.Add(`\u55357`, uint16(0), uint16(1), "\n")
	f.Fuzz(func(t *testing.T, source string, a, b uint16, with string) { fuzz(t, source, RTF, a, b, with) })
}

// Wherever a name is put into a document, it is shown, but within what it cuts in two.
func TestNothingIsHiddenAnywhere(t *testing.T) {
	const name = "Quillfeather"
	for _, doc := range []string{
		`<!DOCTYPE html PUBLIC "-//W3C"><html lang=en><head><title>T</title><meta name=x content="y"><style type='a'>p{}</style>` +
			`<script>var a = 1 < 2;</script></head><body class=b><!-- c --><!--[if mso]><xml><o:p>d</o:p></xml><![endif]--><p align=left nowrap>` +
			`e &amp; f&nbsp;<a href="mailto:g@h?i=%20j">k</a><br/><img src=l alt='m n'><o:p>o</o:p><input value=q><pre>r
s</pre><textarea>t</textarea><![CDATA[u]]><?v w?></p><table><tr><td>x</td></tr></table><y z>&#65;</body></html>`,
		`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}}{\colortbl;\red0\green0\blue0;}{\stylesheet{\s0 Normal;}}` +
			`{\*\generator x;}{\info{\title a}{\author b}{\creatim\yr2014\mo3\dy12}}\pard\f0\fs20 c\b d\b0 e\'e9\u233?f\~\par` + "\r\n" +
			`{\field{\*\fldinst HYPERLINK "g"}{\fldrslt h}}{\*\bkmkstart i}{\header j}\v k\v0{\footnote l}\trowd\cell ` +
			`m\row\{n\}\\o{\upr{p}{\*\ud{q}}}}r`,
	} {
		for at := 0; at <= len(doc); at++ {
			source := doc[:at] + " " + name + " " + doc[at:]
			v, err := New(source, Of(doc))
			if err != nil {
				continue
			}
			if !strings.Contains(v.Text, name) {
				t.Errorf("it is hidden at %d: %q", at, source[max(0, at-20):min(len(source), at+40)])
			}
		}
	}
}

// A megabyte of marks takes no more than a moment, whatever they are.
func TestLongDocuments(t *testing.T) {
	for _, s := range []string{"<!--" + strings.Repeat("<", 1<<20) + "-->", strings.Repeat("<p>", 1<<18), strings.Repeat("&", 1<<20) + "<br>",
		strings.Repeat("&amp;", 1<<18), "<br title=\"" + strings.Repeat("%41", 1<<18) + "\">", strings.Repeat("<a title=x>", 1<<17),
		`{\rtf1 ` + strings.Repeat("{", mostGroups-1), `{\rtf1 ` + strings.Repeat("{}", 1<<18),
		`{\rtf1 ` + strings.Repeat(`\'e9`, 1<<18), `{\rtf1 ` + strings.Repeat(`\u233?`, 1<<17),
		strings.Repeat("a", 1<<20) + "<br>", "<!--" + strings.Repeat("<p ", 1<<18), strings.Repeat("<", 1<<20), strings.Repeat("</", 1<<19)} {
		v, err := New(s, Auto)
		if err != nil {
			t.Errorf("%.20s: %v", s, err)
			continue
		}
		n := len(v.Text)
		if n < 2 {
			continue
		}
		all := []Replacement{{0, 1, "x"}, {n / 2, n/2 + 1, "y"}}
		v.Holds(apply(s, v.Edits(all)), all)
	}
}
