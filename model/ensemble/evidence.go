package ensemble

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Evidence collects what is known of one patient: what taggers found in any of
// the notes, and what the census says. From it comes the lexicon that every
// note of the patient is swept with.
type Evidence struct {
	seen map[surfaceKey]*support
}

type surfaceKey struct {
	typ  phi.Type
	text string
}

type support struct {
	count  int
	best   float32
	census bool
}

// Surface is one distinct surface of a patient's PHI.
type Surface struct {
	Type   phi.Type
	Text   string
	Sweep  bool       // look for it in all notes of the patient
	Tagger phi.Tagger // Census or Sweep: who is then named as the finder
}

// AddSpan notes that text was found at one place.
func (e *Evidence) AddSpan(s phi.Span, text string) {
	e.at(s.Type, text).count++
	e.Raise(s.Type, text, s.Score)
}

// Raise notes that another tagger gave a place that was added already a score.
func (e *Evidence) Raise(t phi.Type, text string, score float32) {
	x := e.at(t, text)
	x.best = max(x.best, score)
}

// AddCensus notes that the census knows text to be of the patient.
func (e *Evidence) AddCensus(t phi.Type, text string) {
	if text = strings.TrimSpace(text); text != "" {
		e.at(t, text).census = true
	}
}

func (e *Evidence) at(t phi.Type, text string) *support {
	if e.seen == nil {
		e.seen = map[surfaceKey]*support{}
	}
	k := surfaceKey{t, text}
	x := e.seen[k]
	if x == nil {
		x = &support{}
		e.seen[k] = x
	}
	return x
}

// confident is the score from which one finding alone is reason to look for
// the same words in the patient's other notes.
const confident = 0.95

// Surfaces returns what was seen, sorted by type and text, and says which of
// it to sweep for: all that the census knows, and names, ids and contacts that
// were found with confidence or at more than one place. A surface that was
// taken for several types is swept for as the one with the most support.
func (e *Evidence) Surfaces() []Surface {
	all := make([]Surface, 0, len(e.seen))
	best := map[string]surfaceKey{}
	for k, x := range e.seen {
		s := Surface{Type: k.typ, Text: k.text, Tagger: phi.Sweep}
		if x.census {
			s.Tagger = phi.Census
		}
		s.Sweep = sweepable(k.typ, k.text, x)
		if s.Sweep {
			if b, ok := best[k.text]; !ok || e.more(k, b) {
				best[k.text] = k
			}
		}
		all = append(all, s)
	}
	for i := range all {
		k := surfaceKey{all[i].Type, all[i].Text}
		all[i].Sweep = all[i].Sweep && best[k.text] == k
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Type != all[j].Type {
			return all[i].Type < all[j].Type
		}
		return all[i].Text < all[j].Text
	})
	return all
}

// more reports whether a has more support than b.
func (e *Evidence) more(a, b surfaceKey) bool {
	x, y := e.seen[a], e.seen[b]
	switch {
	case x.census != y.census:
		return x.census
	case x.count != y.count:
		return x.count > y.count
	case x.best != y.best:
		return x.best > y.best
	}
	return a.typ < b.typ
}

// shortest is the least number of letters and digits of a number that is swept
// for on a tagger's word alone: "250" of "pager 250" would eat doses.
const shortest = 6

// sweepable reports whether other notes are searched for a surface. Places,
// professions, ages and dates are left to the taggers: "Boston" or "50" in
// another note need not be the patient's.
func sweepable(t phi.Type, text string, x *support) bool {
	if utf8.RuneCountInString(text) < 2 {
		return false
	}
	if x.census {
		return true
	}
	if x.best < confident && x.count < 2 {
		return false
	}
	switch t.Category() {
	case "NAME":
		return utf8.RuneCountInString(text) >= 3
	case "CONTACT", "ID":
		n := 0
		for _, r := range text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
		return n >= shortest
	}
	return false
}
