package view

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// bytesOfFile are bytes as those of a file that is compressed.
func bytesOfFile(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// wrapped cuts a text into lines.
func wrapped(s string, width int) string {
	var lines []string
	for line := range slices.Chunk([]byte(s), width) {
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "\r\n")
}

// Whatever nobody could look into goes to quarantine, wherever it stands in a text.
func TestWhatIsEncodedWithin(t *testing.T) {
	file := base64.StdEncoding.EncodeToString(bytesOfFile(400))
	words := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("Patient John Smith was seen on 03/12/2014, MRN 998991. ", 8)))
	digits := hex.EncodeToString(bytesOfFile(100))
	for _, source := range []string{
		"Dictated 3/12\r\n{\\rtf1\\ansi x}", `"{\rtf1\ansi x}"`, `{\\rtf1\\ansi x}`, `<p>{\rtf1 x}</p>`, `{\rtf1 x\par \{\\rtf1 y\}}`,
		"<p>&#123;&#92;rtf1 x}</p>",
		"Scan: " + file, "see\n" + wrapped(words, 76) + "\n-- \nend", "> " + strings.ReplaceAll(wrapped(file, 72), "\n", "\n> "),
		`<form><input type=hidden name="__VIEWSTATE" value="/wEPDwUK` + words + `"></form>`,
		"<p>" + strings.ReplaceAll(wrapped(file, 64), "\n", "<br>"),
		"bytes " + digits + " end", "<p title=\"" + digits + "\">", "dump:\n" + wrapped(hex.EncodeToString(bytesOfFile(600)), 64),
		"data:application/pdf; base64, JVBERi0x", "data:application/pdf;BASE64,JVBERi0x", `<a href="data:application/pdf; base64,JVBERi0x">x</a>`,
		"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=", `<a href="data:x;BASE64,AA">`,
		`{\rtf1{\*\unknown ` + wrapped(digits, 64) + `}x}`, `{\rtf1{\sp{\sn metroBlob}{\sv{\*\svb ` + digits + `}}}x}`,
		`{\rtf1 x\x00y}` + "\x00z", "<p>x</p>\x00<b\x00>y",
		`Seen by Garc\u00eda`, `Seen by Garc\XC3AD\a`, `Seen by Garc=C3=ADa`, `\u00c9lodie`, `\X4A6F686E\`,
		"<p>&lt;b&gt;Jo&lt;/b&gt;hn", "<p>Seen.&lt;/b&gt;", "&lt;p class=x&gt;John",
		"<p><style>p{} John Smith", "<p><script>a() John Smith", `{\rtf1{\fonttbl{\f0 Arial;}\f0 John Smith\par x}`, `{\rtf1{\stylesheet x`,
		`{\rtf1{\*\x\yr2014\mo3\dy12}x}`, `{\rtf1\cldeldttm1234567890 x}`, `{\rtf1\xdate5 x}`, `{\rtf1 seen\mrn1234567 x}`,
		`{\rtf1\ansicpg65001 \'ed}`, `{\rtf1\ansicpg65001 \'c3x}`,
	} {
		if v, err := New(source, Auto); err == nil {
			t.Errorf("%.80q is read as %s: %.200q", source, v.Format, v.Text)
		}
	}
}

// Ids, digests, tokens and what programs write into each text hold no note back.
func TestWhatIsOrdinary(t *testing.T) {
	sum := hex.EncodeToString(bytesOfFile(64))
	token := base64.RawURLEncoding.EncodeToString(bytesOfFile(140))
	var sums []string
	for range 9 {
		sums = append(sums, sum[:64])
	}
	for _, source := range []string{
		"sha512 " + sum, "sums:\n" + strings.Join(sums, "\n"),
		"see https://x.org/r/" + token + "?a=1", `<a href="https://x.org/r/` + token + `">x</a>`,
		"Ser-Tyr-" + strings.Repeat("Met-Glu-His-Phe-", 20),
		"see " + strings.Repeat("Records/Smith/Notes2014/March/ProgressNoteOfMassachusettsGeneralHospital", 5),
		strings.Repeat("CACATG", 60),
		strings.Repeat("1234567890", 30), strings.Repeat("_", 400), strings.Repeat("-=", 200), strings.Repeat("120 ", 200),
		"BP &lt;120/80&gt;, R&amp;D, AT&amp;T;<br>", "K &lt;3.5 &amp; Na &gt;130", "&lt;title&gt; and &lt;form&gt;", "<p>AT&amp;amp;T</p>",
		`C:\users\jsmith\note.txt`, `pt\'s \T\ a\.br\b \X0D0A\ c`, "EF=55%, x=C3, A=D4=",
		"type base64, 64, base 64,", "Seen\x00\x00", "<p>Seen</p>\x00",
		"{\\rtf1 Seen\\par}\r\n\x00\x00", `{\rtf1\epic1040300\ansi{\*\listtable{\list\listtemplateid-1234567\listid987654321}}` +
			`{\*\rsidtbl \rsid12345678}\pard\insrsid9876543\nofchars123456 x}`, `{\rtf1\ansi{\stylesheet{\s0\ql \li0 Normal;}}x`,
		`{\rtf1{\info{\creatim\yr2014\mo3\dy12}{\*\x\yr0\mo0\dy0}}x}`, `{\rtf1{\header{\*\template C:\\users\\x}}y}`,
		`{\rtf1 a}{\rtf1 b}`,
	} {
		if _, err := New(source, Auto); err != nil {
			t.Errorf("%.80q: %v", source, err)
		}
	}
	sized := fmt.Sprintf("{\\rtf1{\\colortbl;\\red0;}\\paperw12240\\li-99999 %s}", token)
	if _, err := New(sized, Auto); err != nil {
		t.Error(err)
	}
}

// shown are texts that stand in the view in these words, and not in those with a bar
// before them.
var shown = []struct{ source, want string }{
	{`<td nowrap2 title="Garc&iacute;a">123</td><td v-cloak>45</td>`, "García 123\t45 |12345"},
	{`<td v-cloak>1234567</td><td v-cloak>5551234</td>`, "|12345675551234"},
	{`<p><x-y who="Garc&iacute;a, Jo%C3%A3o">z`, "García João"},
	{`<p>x<a title="Garc&iacute;a`, "García"},
	{`<p data-a="Garc%C3%ADa" name="Jo%E3o" onclick="f('John%20Smith')"><!-- Jo%C3%A3o -->`, "García João John\u00a0Smith"},
	{`{\rtf1{\field{\*\fldinst HYPERLINK "mailto:x?subject=Garc%C3%ADa"}{\fldrslt y}}}`, "García"},
	{"<p><!--<td>1234567</td><td>5551234</td><b>Jo</b>hn-->", "1234567 5551234 John |12345675551234"},
	{`{\rtf1 1234567{\footnote 2 see}}`, "1234567 |12345672"},
	{`{\rtf1{\header 1234567}2 weeks}`, "1234567 |12345672"},
	{`{\rtf1{\*\docvar {A1}{123}}x}`, "A1 123 |A1123"},
	{`{\rtf1{\sp{\sn wzName}{\sv 1234567}}89 x}`, "wzName 1234567 |wzName1234567 |123456789"},
	{`<p>1234567<sup>2</sup>34 March 1<sup>st</sup> 10<b>9</b>`, "1234567\u00a02\u00a034 1st 109 |12345672"},
	{`{\rtf1 1234567{\super 2}34, 1{\super st} 1\b 9}`, "1234567\u00a02\u00a034 1st 19 |12345672"},
	{`{\rtf1\ansicpg65001 Garc\'c3\'ada \'e2\'82` + "\r\n" + `\'ac}`, "García €"},
	{`{\rtf1\ansicpg1250{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset238 Arial;}}\f0\'ea\f1\'ea}`, "êę"},
	{`{\rtf1\ansicpg1252\deff1{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset238 Arial;}}\'ea\f0\'ea\plain\'ea}`, "ęêę"},
	{`{\rtf1 O\u8217Brien O\u8217'Hara x\u8722-y \u945a \u8217?s}`, "O’Brien O’Hara"},
	{"Garc&amp;iacute;a &amp;amp;lt;", "García"},
	{"Garc&iacutea", "García"},
	{`<html><title/><p>Jo<b>hn</b>`, "John"},
	{`<html><script src=x /><p>Jo<b>hn</b>`, "John"},
	{`<p><noscript>Jo<b>hn</b></noscript>`, "John"},
	{`<p>by <Max> and <Mark> and <Mark Jones>`, "Max Mark Jones"},
	{`{\rtf1{\*\template C:\users\jsmith\x1234567.dot}y}`, `\users\jsmith\x1234567`},
	{`{\rtf1\Smith12 x}`, "Smith12"},
}

func TestWhatIsShown(t *testing.T) {
	for _, c := range shown {
		v, err := New(c.source, Auto)
		if err != nil {
			t.Errorf("%q: %v", c.source, err)
			continue
		}
		for _, w := range strings.Split(c.want, " ") {
			w = strings.ReplaceAll(w, "\u00a0", " ")
			if not, ok := strings.CutPrefix(w, "|"); ok == strings.Contains(v.Text, strings.TrimPrefix(w, "|")) {
				t.Errorf("%q: %q in %q", c.source, cmpOr(not, w), v.Text)
			}
		}
		if !v.Holds(c.source, nil) || apply(c.source, v.Edits(nil)) != c.source {
			t.Errorf("%q does not hold", c.source)
		}
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// The network is asked about whatever may be somebody's words.
func TestWhatIsNoCode(t *testing.T) {
	for source, want := range map[string]bool{
		`<p><script>// Dr Smith said that she came late` + "\n</script>": true,
		`<p><script>var a = "Smith";</script>`:                           false,
		`<p><style>p{font-family:Times New Roman, Smith}</style>`:        false,
		`<p class="a>Dr Smith<p class="b">`:                              true,
		`{\rtf1{\filetbl{\file C:/Smith}}x}`:                             true,
		`{\rtf1{\fonttbl{\f0 Smith;}}x}`:                                 false,
		`{\rtf1{\fonttbl{\f0 Arial;}\f0 Dr Smith`:                        false, // not read
		`{\rtf1{\fonttbl{\f0 Arial;}\f0 Dr Smith}`:                       true,
		`<p Dr Smith>`: true,
	} {
		v, err := New(source, Auto)
		got := err == nil && strings.Index(v.Text, "Smith") < v.Code
		if got != want || err != nil && !errors.Is(err, ErrUnreadable) {
			t.Errorf("%q: %t, %v", source, got, err)
		}
	}
}

// What is replaced where more is decoded now stands where it was.
func TestReplacedWhereDecoded(t *testing.T) {
	for _, c := range []struct{ source, old, new, want string }{
		{"<p>Garc&amp;iacute;a x", "García", "Hall", "<p>Hall x"},
		{`<p><x-y who="Garc%C3%ADa">`, "García", "Hall", `<p><x-y who="Hall">`},
		{`<p data-a="Garc%C3%ADa%20x">`, "García", "Hall", `<p data-a="Hall%20x">`},
		{`<p>by <Mark Jones> x`, "Mark Jones", "Paul Hall", `<p>by <&#80;aul Hall> x`},
		{`{\rtf1{\field{\*\fldinst "x?Garc%C3%ADa"}{\fldrslt y}}}`, "García", "Hall", `{\rtf1{\field{\*\fldinst "x?Hall"}{\fldrslt y}}}`},
		{`{\rtf1\ansicpg65001 Garc\'c3\'ada x}`, "García", "Hall", `{\rtf1\ansicpg65001 Hall x}`},
		{`{\rtf1 1234567{\super 2} x}`, "1234567", "7654321", `{\rtf1 7654321{\super 2} x}`},
		{`{\rtf1{\*\template C:\users\jsmith\x}y}`, "jsmith", "mhall", `{\rtf1{\*\template C:\users\mhall\x}y}`},
		{`{\rtf1\Smith12 x}`, "Smith12", "Hall34", `{\rtf1\Hall34 x}`},
		{"<p><!--<td>1234567</td><td>5551234</td>-->", "1234567", "7654321", "<p><!--<td>7654321</td><td>5551234</td>-->"},
	} {
		if got := replaced(t, c.source, Auto, c.old, c.new); got != c.want {
			t.Errorf("%q becomes\n%q, not\n%q", c.source, got, c.want)
		}
	}
}
