package features

import (
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Sink takes the features of one token. b and c may be nil.
type sink func(t *template, a, b, c *part)

// Extractor reads texts. It serves one goroutine; what it keeps of earlier texts
// changes its speed alone.
type Extractor struct {
	language string
	listed   map[string]uint32
	parts    map[string]*part
	forms    map[string]*form

	line, paragraph, start, end *form
	none, yes                   *part

	text   string
	tokens []token.Token
	of     []*form
	places []place
	titled map[*part]bool // words behind a title
	low    map[*part]bool // words in small letters
}

// place is where a token stands.
type place struct {
	chunk          *part // shape of what stands between blanks
	inChunk        *part
	label, last    *part // words before the colon, and the last of them; nil for none
	colon          *part // tokens since it
	above, section *part
	first, length  *part // tokens from the start of the line, and in it
	back           *part // tokens to its end
	line           *part // lines from the start of the note
}

// maxKept bounds the forms that are kept from text to text.
const maxKept = 1 << 17

// New returns an extractor for texts in a language. Others than English and
// Spanish are read without stems.
func New(language string) *Extractor {
	x := &Extractor{language: language, listed: listed()}
	x.reset()
	return x
}

func (x *Extractor) reset() {
	x.parts, x.forms = map[string]*part{}, map[string]*form{}
	x.none, x.yes = x.part(""), x.part("1")
	special := func(name string) *form {
		p := x.part(name)
		return &form{word: p, shape: p, long: p, class: p, length: x.none, listed: x.none}
	}
	x.line, x.paragraph = special("<nl>"), special("<nl2>")
	x.start, x.end = special("<s>"), special("</s>")
}

func (x *Extractor) part(s string) *part {
	p := x.parts[s]
	if p == nil {
		s = strings.Clone(s)
		p = &part{s, hashOf(s)}
		x.parts[s] = p
	}
	return p
}

func (x *Extractor) count(n, most int) *part { return x.part(strconv.Itoa(min(n, most))) }

// Read takes a text whose features are asked for next.
func (x *Extractor) Read(text string, tokens []token.Token) {
	if len(x.forms) > maxKept || len(x.parts) > 4*maxKept {
		x.reset()
	}
	x.text, x.tokens = text, tokens
	x.of = x.of[:0]
	x.titled, x.low = map[*part]bool{}, map[*part]bool{}
	for i, t := range tokens {
		f := x.formOf(t.Text(text), t.Class)
		x.of = append(x.of, f)
		if t.Class == token.Lower {
			x.low[f.word] = true
		}
		if f.capital && x.behindTitle(i) {
			x.titled[f.word] = true
		}
	}
	x.findPlaces()
}

// behindTitle reports whether "Dr", "Mr." or the like stands before token i.
func (x *Extractor) behindTitle(i int) bool {
	if i > 1 && x.of[i-1].word.text == "." {
		i--
	}
	return i > 0 && x.of[i-1].title && x.tokens[i-1].Class != token.Lower
}

func (x *Extractor) at(i int) *form {
	switch {
	case i < 0:
		return x.start
	case i >= len(x.of):
		return x.end
	}
	return x.of[i]
}

// Hashes appends the hashes of the features of token i to dst.
func (x *Extractor) Hashes(dst []uint64, i int) []uint64 {
	x.each(i, func(t *template, a, b, c *part) { dst = append(dst, hash(t, a, b, c)) })
	return dst
}

// Names appends their names to dst, in the same order.
func (x *Extractor) Names(dst []string, i int) []string {
	x.each(i, func(t *template, a, b, c *part) { dst = append(dst, name(t, a, b, c)) })
	return dst
}

// each tells the features of token i.
func (x *Extractor) each(i int, emit sink) {
	f, p := x.of[i], &x.places[i]
	emit(tBias, x.none, nil, nil)
	for k := -reach; k <= reach; k++ {
		g := x.at(i + k)
		emit(tWord[reach+k], g.word, nil, nil)
		emit(tShape[reach+k], g.shape, nil, nil)
	}
	for k := -1; k <= 1; k++ {
		g := x.at(i + k)
		if g.stem != nil {
			emit(tStem[1+k], g.stem, nil, nil)
		}
		emit(tClass[1+k], g.class, nil, nil)
		for _, l := range g.lists {
			emit(tList[1+k], l, nil, nil)
		}
		if k != 0 && g.affixes != nil && g.affixes[neighbours] != nil {
			emit(tSuffix[1+k], g.affixes[neighbours], nil, nil)
		}
		if k >= 0 {
			emit(tSpace[k], x.space(i+k), nil, nil)
		}
		if i+k >= 0 && i+k < len(x.places) {
			emit(tChunks[1+k], x.places[i+k].chunk, nil, nil)
		}
	}
	x.emitRuns(emit, tWords, i, func(g *form) *part { return g.word })
	x.emitRuns(emit, tShapes, i, func(g *form) *part { return g.shape })
	x.emitRuns(emit, tLists, i, func(g *form) *part { return g.listed })
	for k := reach + 1; k <= farReach; k++ {
		if i-k >= 0 {
			emit(tLeft, x.of[i-k].word, nil, nil)
		}
		if i+k < len(x.of) {
			emit(tRight, x.of[i+k].word, nil, nil)
		}
	}
	emit(tLong, f.long, nil, nil)
	emit(tLength, f.length, f.class, nil)
	for k, a := range f.affixes {
		if a != nil {
			emit(tAffix[k], a, nil, nil)
		}
	}
	emit(tListed, f.listed, f.class, nil)
	emit(tWordL, x.at(i-1).word, f.listed, f.class)
	emit(tChunk, p.chunk, p.inChunk, nil)
	if p.label != nil {
		emit(tLabel, p.label, p.colon, nil)
		emit(tLabelS, p.last, f.shape, nil)
	}
	if p.above != nil {
		emit(tAbove, p.above, p.first, nil)
	}
	if p.section != nil {
		emit(tSect, p.section, f.class, nil)
	}
	emit(tPlace, p.first, p.length, nil)
	emit(tEnd, p.back, f.class, nil)
	emit(tNote, p.line, f.class, nil)
	if f.capital && x.titled[f.word] {
		emit(tTitled, x.yes, nil, nil)
	}
	if f.capital && x.low[f.word] {
		emit(tLow, x.yes, f.listed, nil)
	}
}

func (x *Extractor) space(i int) *part {
	if i >= 0 && i < len(x.tokens) && x.tokens[i].Space {
		return x.yes
	}
	return x.none
}

func (x *Extractor) emitRuns(emit sink, rs []run, i int, of func(*form) *part) {
	for _, r := range rs {
		a, b := of(x.at(i+r.first)), of(x.at(i+r.first+1))
		var c *part
		if r.n == 3 {
			c = of(x.at(i + r.first + 2))
		}
		emit(r.t, a, b, c)
	}
}
