package lexicon

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// Evidence collects what is known of one patient: what taggers found in any of
// the notes, and the known identifiers. From it comes the lexicon that every
// note of the patient is swept with.
type Evidence struct {
	seen  map[surfaceKey]*support
	words map[string]*wordSupport // of names, folded
}

type surfaceKey struct {
	typ  phi.Type
	text string
}

type support struct {
	count int
	best  float32
	cue   bool
	known bool
	women int // places that tell that it names a woman
	men   int // or a man
}

// sex returns what the places tell that agree, phi.Untold where they do not.
func (s *support) sex() phi.Sex {
	switch {
	case s.women > 0 && s.men == 0:
		return phi.Female
	case s.men > 0 && s.women == 0:
		return phi.Male
	}
	return phi.Untold
}

// wordSupport is the support of one word of names, in whatever names it stands.
type wordSupport struct {
	text string // as written; the first in byte order
	all  support
	by   [2]support // as a patient's, as a doctor's
}

// Surface is one distinct surface of a patient's PHI.
type Surface struct {
	Type   phi.Type
	Text   string
	Sweep  bool       // look for it in all notes of the patient
	Sex    phi.Sex    // of whom a name names, where the notes tell
	Tagger phi.Tagger // Known or Sweep: who is then named as the finder
}

// AddSpan notes that a surface was found at one place.
func (e *Evidence) AddSpan(f phi.Found) {
	text := f.Surface
	if phi.IsPerson(f.Type) {
		text = names.JoinSpelled(text)
	}
	x := support{count: 1, best: f.Score, cue: f.Cue}
	y := x
	switch f.Sex {
	case phi.Female:
		y.women = 1
	case phi.Male:
		y.men = 1
	}
	e.at(f.Type, text).add(y)
	if !phi.IsPerson(f.Type) {
		return
	}
	for _, w := range names.NameWords(text) {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		for _, part := range append([]string{w}, Halves(w)...) {
			e.word(part).add(f.Type, part, x)
		}
	}
}

// Halves returns the parts of a hyphenated word, none of a plain one.
func Halves(w string) []string {
	if h := strings.FieldsFunc(w, func(r rune) bool { return r == '-' }); len(h) > 1 {
		return h
	}
	return nil
}

// AddKnown notes that text is known to be of the patient.
func (e *Evidence) AddKnown(t phi.Type, text string) {
	if text = strings.TrimSpace(text); text != "" {
		e.at(t, text).known = true
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

func (e *Evidence) word(w string) *wordSupport {
	if e.words == nil {
		e.words = map[string]*wordSupport{}
	}
	f := names.Fold(w)
	x := e.words[f]
	if x == nil {
		x = &wordSupport{}
		e.words[f] = x
	}
	return x
}

func (s *support) add(x support) {
	s.count += x.count
	s.best = max(s.best, x.best)
	s.cue = s.cue || x.cue
	s.known = s.known || x.known
	s.women += x.women
	s.men += x.men
}

func (w *wordSupport) add(t phi.Type, text string, x support) {
	if w.text == "" || text < w.text {
		w.text = text
	}
	w.all.add(x)
	if t == phi.Doctor {
		w.by[1].add(x)
	} else {
		w.by[0].add(x)
	}
}

// typ returns what a word is mostly part of: a patient's name or a doctor's.
func (w *wordSupport) typ() phi.Type {
	if more(w.by[1], w.by[0]) {
		return phi.Doctor
	}
	return phi.Patient
}

// enough reports whether something was found often or surely enough to be
// looked for elsewhere.
func (s *support) enough() bool { return s.cue || s.best >= policy.Confident || s.count >= 2 }

// Surfaces returns what was seen, sorted by type and text, and says which of
// it to sweep for: all known identifiers, and names, ids and contacts that
// were found with confidence, after a title or label, or at more than one
// place. The words of a name count by themselves: a family name found once
// with a first name and once without was found twice. A surface that was taken
// for several types is swept for as the one with the most support.
func (e *Evidence) Surfaces() []Surface {
	sweep := map[string]surfaceKey{}
	offer := func(k surfaceKey, x support) {
		f := names.Fold(k.text)
		if old, ok := sweep[f]; !ok || e.prefer(k, x, old) {
			sweep[f] = k
		}
	}
	words := map[surfaceKey]bool{}
	for f, w := range e.words {
		if w.all.enough() && sweepableWord(f) {
			k := surfaceKey{w.typ(), w.text}
			words[k] = true
			e.at(k.typ, k.text).add(support{best: w.all.best, cue: w.all.cue})
		}
	}
	for k, x := range e.seen {
		if words[k] || sweepable(k.typ, k.text, x) {
			offer(k, *x)
		}
	}
	all := make([]Surface, 0, len(e.seen))
	for k, x := range e.seen {
		s := Surface{Type: k.typ, Text: k.text, Tagger: phi.Sweep, Sex: x.sex()}
		if x.known {
			s.Tagger = phi.Known
		}
		s.Sweep = sweep[names.Fold(k.text)] == k || x.known && Usable(k.typ, k.text)
		all = append(all, s)
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Type != all[j].Type {
			return all[i].Type < all[j].Type
		}
		return all[i].Text < all[j].Text
	})
	return all
}

// prefer reports whether k, with support x, is swept for rather than old.
func (e *Evidence) prefer(k surfaceKey, x support, old surfaceKey) bool {
	y := *e.seen[old]
	if more(x, y) != more(y, x) {
		return more(x, y)
	}
	if k.typ != old.typ {
		return k.typ < old.typ
	}
	return k.text < old.text
}

// more reports whether x is more support than y.
func more(x, y support) bool {
	switch {
	case x.known != y.known:
		return x.known
	case x.cue != y.cue:
		return x.cue
	case x.count != y.count:
		return x.count > y.count
	}
	return x.best > y.best
}

// shortest is the least number of letters and digits of a number that is swept
// for on a tagger's word alone: "250" of "pager 250" would eat doses.
const shortest = 6

// sweepable reports whether other notes are searched for a surface. Places,
// professions, ages and dates are left to the taggers: "Boston" or "50" in
// another note need not be the patient's.
func sweepable(t phi.Type, text string, x *support) bool {
	if x.known {
		return Usable(t, text)
	}
	if !x.enough() {
		return false
	}
	switch t.Category() {
	case "NAME":
		if phi.IsPerson(t) && len(names.NameWords(text)) == 1 {
			f := names.Fold(names.NameWords(text)[0])
			return sweepableWord(f) || t == phi.Doctor && x.count >= 2 && twoInitials(f)
		}
		return utf8.RuneCountInString(text) >= 3
	case "CONTACT", "ID":
		all, _ := CompactForm(text)
		return len(all) >= shortest
	}
	return false
}

// sweepableWord reports whether a word of a name, folded, is looked for on a
// tagger's word.
func sweepableWord(f string) bool {
	return utf8.RuneCountInString(f) >= 3 && !names.Idle[f] && !names.Degrees[f] && !names.Titles[f]
}
