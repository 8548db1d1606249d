package view

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// Words of RTF that stand for text.
var rtfText = map[string]string{"emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c",
	"rdblquote": "\u201d", "bullet": "\u2022", "emspace": " ", "enspace": " ", "qmspace": " "}

// Words of RTF that end a line, or a cell of a table.
var rtfBreaks = map[string]byte{"par": '\n', "line": '\n', "sect": '\n', "page": '\n', "row": '\n', "nestrow": '\n', "softline": '\n',
	"pard": 0, "tab": '\t', "cell": '\t', "nestcell": '\t'}

// rtfAsides are the groups, beside those that begin with \*, whose text nobody
// reads in the page; true for those that only machines do.
var rtfAsides = map[string]bool{"info": false, "fonttbl": true, "colortbl": true, "stylesheet": true, "fldinst": false, "xe": false,
	"tc": false, "header": false, "headerl": false, "headerr": false, "headerf": false, "footer": false, "footerl": false,
	"footerr": false, "footerf": false, "footnote": false,
	"title": false, "subject": false, "author": false, "operator": false, "keywords": false, "comment": false, "doccomm": false,
	"manager": false, "company": false, "category": false, "hlinkbase": false, "bkmkstart": false, "bkmkend": false, "annotation": false,
	"atnauthor": false, "atnid": false, "listtable": true, "filetbl": false, "revtbl": false, "rsidtbl": true, "latentstyles": true,
	"generator": true, "docvar": false, "listname": false, "falt": true}

// rtfDates are the groups of an hour and day.
var rtfDates = map[string]bool{"creatim": true, "revtim": true, "printim": true, "buptim": true}

// rtfApart are the groups whose text has nothing to do with that around them.
var rtfApart = map[string]bool{"sn": true, "sv": true, "sp": true, "shptxt": true, "dptxbxtext": true, "propname": true, "staticval": true,
	"linkval": true, "xmlname": true, "xmlattr": true, "xmlattrname": true, "xmlattrvalue": true, "ffname": true, "ffdeftext": true,
	"ffformat": true, "ffhelptext": true, "ffstattext": true, "ffl": true}

// rtfCapitals are the words of RTF that begin with a capital.
var rtfCapitals = map[string]bool{"ApplyBrkRules": true, "NeXTGraphic": true, "CocoaLigature": true}

// mostNumber is above all that words of RTF measure.
const mostNumber = 100_000

// longNumbers tells whether a word of RTF may have a longer number: those that Word draws
// by chance, those that count, and those of Epic's and Cerner's programs.
func longNumbers(word string) bool {
	switch word {
	case "u", "listid", "listtemplateid", "leveltemplateid", "nofchars", "nofcharsws", "nofwords", "edmins", "vern", "version", "ipgp", "itap",
		"irow", "irowband", "bliptag", "posnegx", "posnegy", "fsmilli":
		return true
	}
	return strings.HasSuffix(word, "rsid") || strings.HasPrefix(word, "rsid") ||
		strings.HasPrefix(word, "epic") || strings.HasPrefix(word, "tx")
}

// rtfEmbedded are the groups of bytes that nobody can look into.
var rtfEmbedded = map[string]bool{"pict": true, "objdata": true, "object": true, "themedata": true, "datastore": true, "datafield": true}

// codePages are those of one byte a character, by number.
var codePages = map[int]encoding.Encoding{437: charmap.CodePage437, 708: charmap.ISO8859_6, 850: charmap.CodePage850,
	852: charmap.CodePage852, 866: charmap.CodePage866, 874: charmap.Windows874, 1250: charmap.Windows1250, 1251: charmap.Windows1251,
	1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256,
	1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh}

// charsets are the code pages of fonts, by the number of their character set.
var charsets = map[int]int{0: 1252, 77: 10000, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
	178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250,
	254: 437, 255: 850, 128: 932, 129: 949, 134: 936, 136: 950}

// ligatures are the letters, with no mark to take away, that others stand for.
var ligatures = map[rune]rune{'æ': 'a', 'Æ': 'a', 'œ': 'o', 'Œ': 'o', 'ø': 'o', 'Ø': 'o', 'ß': 's', 'ð': 'd', 'Ð': 'd', 'đ': 'd', 'Đ': 'd',
	'þ': 't', 'Þ': 't', 'ł': 'l', 'Ł': 'l', 'ı': 'i'}
