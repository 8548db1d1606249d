package report

import (
	"hash/fnv"
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// contextRunes is how much text an error shows at each side, in code points.
const contextRunes = 120

// spanRunes bounds how much of a span an error shows; of longer ones the
// middle is left out.
const spanRunes = 400

// DefaultErrors is how many errors a page holds where the user says nothing:
// some 20 MB of page, which a browser still filters at once.
const DefaultErrors = 50_000

// Errors collects mistakes in context for the page. It holds note text and
// document ids. Of more than Limit mistakes it keeps a sample: which ones
// depends on a hash of their places alone, so the same documents give the same
// sample in any order.
type Errors struct {
	limit int
	seen  int
	most  uint64 // hashes of those kept are at most this
	kept  []mistake
}

// mistake is one mistake as the page shows it. Offsets are UTF-16 units of
// text, as JavaScript counts them; -1 where there is no such span.
type mistake struct {
	hash       uint64
	document   string
	order      int // in which the documents came
	kind       score.Kind
	cause      score.Cause
	gold       string
	system     string
	tagger     string
	score      float32
	at         int // code point of the document at which the first span begins
	exposed    bool
	text       string
	cutBefore  bool // text begins within the note
	cutAfter   bool
	goldFrom   int
	goldTo     int
	systemFrom int
	systemTo   int
}

// NewErrors returns a collector of at most limit mistakes.
func NewErrors(limit int) *Errors { return &Errors{limit: limit, most: ^uint64(0)} }

// Add keeps the mistakes of one document. The labels are those of the mistakes.
func (e *Errors) Add(document, text string, mistakes []score.Mistake) {
	order := e.seen
	for i := range mistakes {
		m := &mistakes[i]
		e.seen++
		h := place(document, m)
		if h > e.most {
			continue
		}
		k := inContext(text, m)
		k.hash, k.document, k.order = h, document, order
		e.kept = append(e.kept, k)
		if len(e.kept) > 2*e.limit {
			e.thin()
		}
	}
}

// thin drops all but the mistakes of least hash.
func (e *Errors) thin() {
	sort.Slice(e.kept, func(i, j int) bool { return e.kept[i].hash < e.kept[j].hash })
	if len(e.kept) > e.limit {
		clear(e.kept[e.limit:]) // lets go of their text
		e.kept = e.kept[:e.limit]
		if e.limit > 0 {
			e.most = e.kept[e.limit-1].hash
		}
	}
}

// list returns the mistakes kept, by document and place.
func (e *Errors) list() []mistake {
	e.thin()
	sort.SliceStable(e.kept, func(i, j int) bool {
		a, b := &e.kept[i], &e.kept[j]
		switch {
		case a.order != b.order:
			return a.order < b.order
		case a.at != b.at:
			return a.at < b.at
		default:
			return a.hash < b.hash
		}
	})
	return e.kept
}

// place hashes where a mistake stands.
func place(document string, m *score.Mistake) uint64 {
	h := fnv.New64a()
	var b []byte
	b = append(b, document...)
	b = append(b, 0)
	b = append(b, m.Kind...)
	for _, a := range []*score.Annotation{m.Gold, m.System} {
		if a != nil {
			for _, n := range []int{a.Start, a.End} {
				b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
			}
			b = append(b, a.Label...)
		}
		b = append(b, 0)
	}
	h.Write(b)
	// FNV's high bits mix poorly over short input; spread them.
	x := h.Sum64()
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	return x
}

// inContext cuts a mistake's surroundings out of its text.
func inContext(text string, m *score.Mistake) mistake {
	k := mistake{kind: m.Kind, cause: m.Cause, exposed: m.Exposed, goldFrom: -1, goldTo: -1, systemFrom: -1, systemTo: -1}
	start, end := len(text), 0
	if g := m.Gold; g != nil {
		k.gold = g.Label
		start, end = min(start, g.Start), max(end, g.End)
	}
	if s := m.System; s != nil {
		k.system, k.tagger, k.score = s.Label, s.Tagger, s.Score
		start, end = min(start, s.Start), max(end, s.End)
	}
	k.at = utf8.RuneCountInString(text[:start])

	from, to := back(text, start, contextRunes), forth(text, end, contextRunes)
	k.cutBefore, k.cutAfter = from > 0, to < len(text)
	// A span of pages, which a broken tagger may well give, must not fill the page.
	headEnd, tailStart := forth(text, start, spanRunes/2), back(text, end, spanRunes/2)
	gap := ""
	if headEnd < tailStart {
		gap = " […] "
	} else {
		headEnd, tailStart = to, to
	}
	head, tail := text[from:headEnd], text[tailStart:to]
	k.text = head + gap + tail
	unit := func(at int) int {
		switch {
		case at <= headEnd:
			return units(text[from:at])
		case at < tailStart:
			return units(head) + units(gap)/2
		default:
			return units(head) + units(gap) + units(text[tailStart:at])
		}
	}
	if m.Gold != nil {
		k.goldFrom, k.goldTo = unit(m.Gold.Start), unit(m.Gold.End)
	}
	if m.System != nil {
		k.systemFrom, k.systemTo = unit(m.System.Start), unit(m.System.End)
	}
	return k
}

// back returns the byte n code points before at, or 0.
func back(text string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		at--
		for at > 0 && text[at]&0xC0 == 0x80 {
			at--
		}
	}
	return at
}

// forth returns the byte n code points after at, or the length.
func forth(text string, at, n int) int {
	for ; n > 0 && at < len(text); n-- {
		at++
		for at < len(text) && text[at]&0xC0 == 0x80 {
			at++
		}
	}
	return at
}

// units returns the length of s in UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
