package bilstmcrf

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// A context graph may be an encoder such as BERT (Devlin et al. 2019) in place of language
// models of characters. Then it reads word pieces: for each a number that tells the piece, the
// case of the form that it is of, and what stands before it. A token's state is the mean of those
// of its first and its last piece. As with characters, a window is read by its forms and by whether
// blanks stand before them, and by nothing else.

// piecesFile lists the pieces, a line each, as BERT's vocab.txt does; "##" marks those that go on.
const piecesFile = "pieces.txt"

// What stands before a piece: nothing, blanks, or no piece of the text; or it is inside of a
// form, or of none.
const (
	glued = iota
	blank
	begin
	inside
)

const (
	pieceBits = 6   // of case and what stands before, in a piece's number
	mostRunes = 100 // of a word that is cut into pieces; a longer one is unknown
	most      = 8   // pieces of a form; the rest of a longer one is left out
)

// pieces cut forms as BERT's tokeniser does that knows no capitals.
type pieces struct {
	ids                  map[string]int32
	first, last, unknown int32 // what stands before and behind a window, and for what is in no piece
	places               int   // the most pieces of a window
}

// readPieces reads the vocabulary of an encoder that has so many places.
func readPieces(data []byte, places int) (*pieces, error) {
	p := &pieces{ids: map[string]int32{}, places: places}
	for i, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		p.ids[string(line)] = int32(i)
	}
	for name, id := range map[string]*int32{"[CLS]": &p.first, "[SEP]": &p.last, "[UNK]": &p.unknown} {
		found, ok := p.ids[name]
		if !ok {
			return nil, fmt.Errorf("%s: there is no %s", piecesFile, name)
		}
		*id = found
	}
	return p, nil
}

// piece is the number that the graph reads.
func piece(id int32, class, before int) int32 { return id<<pieceBits | int32(class)<<2 | int32(before) }

// appendWindow appends the pieces of a window, and where each token's first and last one stand.
// If the encoder has not so many places, each form is read by its first piece alone.
func (p *pieces) appendWindow(dst []int32, places []contextPlace, w *window) ([]int32, []contextPlace) {
	start, had := len(dst), len(places)
	for _, limit := range [2]int{most, 1} {
		dst, places = append(dst[:start], piece(p.first, 0, inside)), places[:had]
		for k, form := range w.forms {
			at := len(dst)
			dst = p.append(dst, form, limit)
			class, before := int(w.tokens[k].Class)+1, glued
			if k == 0 {
				before = begin
			} else if w.tokens[k].Space {
				before = blank
			}
			for i := at; i < len(dst); i++ {
				dst[i], before = piece(dst[i], class, before), inside
			}
			places = append(places, contextPlace{int32(at - start), int32(len(dst) - 1 - start)})
		}
		dst = append(dst, piece(p.last, 0, inside))
		if len(dst)-start <= p.places {
			break
		}
	}
	return dst, places
}

// append appends the pieces of a form, at least one and at most limit.
func (p *pieces) append(dst []int32, form string, limit int) []int32 {
	start := len(dst)
	form = plain(form)
	for word := range words(form) {
		if dst = p.appendWord(dst, word); len(dst)-start >= limit {
			break
		}
	}
	if len(dst) == start {
		dst = append(dst, p.unknown)
	}
	return dst[:min(len(dst), start+limit)]
}

// appendWord appends a word's pieces, the longest that fit from its beginning on.
func (p *pieces) appendWord(dst []int32, word string) []int32 {
	start := len(dst)
	if utf8.RuneCountInString(word) > mostRunes {
		return append(dst, p.unknown)
	}
	prefix := ""
	for len(word) > 0 {
		end := len(word)
		for end > 0 {
			if id, ok := p.ids[prefix+word[:end]]; ok {
				dst = append(dst, id)
				break
			}
			_, size := utf8.DecodeLastRuneInString(word[:end])
			end -= size
		}
		if end == 0 {
			return append(dst[:start], p.unknown)
		}
		word, prefix = word[end:], "##"
	}
	return dst
}

// plain returns a form without control characters and accents, and in small letters.
func plain(form string) string {
	ascii := true
	for i := range len(form) {
		ascii = ascii && form[i] < 0x7f && form[i] >= ' '
	}
	if !ascii {
		form = norm.NFD.String(strings.Map(func(r rune) rune {
			switch {
			case r == '\t' || r == '\n' || r == '\r':
				return ' '
			case r == 0 || r == utf8.RuneError || unicode.Is(unicode.C, r):
				return -1
			}
			return r
		}, form))
		form = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, form)
	}
	return strings.ToLower(form)
}

// words yields the words of a text: what blanks divide, and each punctuation mark and Chinese
// character by itself.
func words(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for i, r := range s {
			space, alone := unicode.IsSpace(r), isPunctuation(r) || isChinese(r)
			if !space && !alone {
				continue
			}
			if start < i && !yield(s[start:i]) {
				return
			}
			start = i + utf8.RuneLen(r)
			if alone && !yield(s[i:start]) {
				return
			}
		}
		if start < len(s) {
			yield(s[start:])
		}
	}
}

// isPunctuation is BERT's: all of ASCII's that is no letter, digit or blank, and Unicode's.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 127 && !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}
	return unicode.IsPunct(r)
}

// chinese are the blocks of Unicode that BERT takes for Chinese: the ideographs of each size.
var chinese = [][2]rune{{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f},
	{0x2b920, 0x2ceaf}, {0xf900, 0xfaff}, {0x2f800, 0x2fa1f}}

func isChinese(r rune) bool {
	for _, block := range chinese {
		if r >= block[0] && r <= block[1] {
			return true
		}
	}
	return false
}

// This must hold for a class and one to fit into a piece's number.
var _ [1<<(pieceBits-2) - token.NumClasses - 1]struct{}
