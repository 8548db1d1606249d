package report

import (
	"math"
	"strings"
)

// embedded is the JSON that the page's script reads: strings that repeat stand
// in lists, and rows refer to them by number.
type embedded struct {
	Kinds     []string `json:"kinds"`
	Causes    []string `json:"causes"`
	Labels    []string `json:"labels"`  // of gold and system; the first is none
	Taggers   []string `json:"taggers"` // the first is none
	Documents []string `json:"documents"`
	Rows      [][]any  `json:"rows"` // see embed
}

// embed packs mistakes. A row is kind, cause, gold label, system label,
// tagger, document (numbers into the lists), code point, score, flags (1:
// exposed, 2: text is cut before, 4: cut after), text, and from and to of the
// gold and of the system span in UTF-16 units of text, -1 for none.
func embed(mistakes []mistake) embedded {
	causes, labels, taggers, documents := newIndex(), newIndex(), newIndex(), newIndex()
	labels.of(none)
	taggers.of(none)
	e := embedded{Rows: make([][]any, 0, len(mistakes))}
	for _, k := range kinds {
		e.Kinds = append(e.Kinds, k.name)
	}
	for i := range mistakes {
		m := &mistakes[i]
		kind := 0
		for j := range kinds {
			if kinds[j].kind == m.kind {
				kind = j
			}
		}
		flags := 0
		for bit, on := range []bool{m.exposed, m.cutBefore, m.cutAfter} {
			if on {
				flags |= 1 << bit
			}
		}
		tagger := none
		if m.tagger != "" {
			tagger = m.tagger
		}
		e.Rows = append(e.Rows, []any{
			kind, causes.of(string(m.cause)), labels.of(orNone(strings.ToUpper(m.gold))), labels.of(orNone(strings.ToUpper(m.system))),
			taggers.of(tagger), documents.of(m.document),
			m.at, math.Round(float64(m.score)*1000) / 1000, flags, m.text, m.goldFrom, m.goldTo, m.systemFrom, m.systemTo,
		})
	}
	e.Causes, e.Labels, e.Taggers, e.Documents = causes.list, labels.list, taggers.list, documents.list
	return e
}

// index numbers strings as they come.
type index struct {
	list []string
	at   map[string]int
}

func newIndex() *index { return &index{list: []string{}, at: map[string]int{}} }

func (x *index) of(s string) int {
	if i, ok := x.at[s]; ok {
		return i
	}
	x.at[s] = len(x.list)
	x.list = append(x.list, s)
	return len(x.list) - 1
}
