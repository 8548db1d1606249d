package merge

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// spelled adds the names that a text spells letter by letter beside a name, as dictation
// does for the typist: "Dr. Coleman spelled K U H L M A N N", "Whip, W I P F". What is
// spelt is a span of its own, of the name's type, so that it gets the surrogate of the
// word. A person's span that has the name and its letters becomes two.
//
// spans are disjoint and in order, and may be changed.
func spelled(text string, spans []phi.Span, o Options) []phi.Span {
	all := names.Spellings(text)
	if len(all) == 0 {
		return spans
	}
	var out []phi.Span
	k, last := 0, -1 // last is where the spelling before ends
	for _, s := range all {
		for k < len(spans) && spans[k].End <= s.Start {
			out = append(out, spans[k])
			k++
		}
		end := k // of the spans that share letters with it
		for end < len(spans) && spans[end].Start < s.End {
			end++
		}
		name, said := spellingOf(text, s.Start, out, spans[k:end])
		again := last >= 0 && strings.Trim(text[last:s.Start], " ,-") == ""
		if !persons(spans[k:end]) || !again && !said.announces(text, name, s) {
			continue
		}
		last = s.End
		if end == k+1 && spans[k].Start == s.Start && spans[k].End == s.End {
			continue
		}
		found := phi.Span{Start: s.Start, End: s.End, Type: phi.Patient, Tagger: phi.Rules, Score: policy.Confident}
		if phi.IsPerson(name.Type) {
			found.Type = name.Type
		}
		if o.Trace != nil {
			o.Trace(phi.Event{Step: "merge", Before: found, After: found, Why: "it spells the name before it"})
		}
		if end > k && spans[k].Start < s.Start && name.End > name.Start {
			out = append(out, name)
		}
		out = append(out, found)
		if end > k {
			k = end
			if rest := spans[end-1]; rest.End > s.End && legible(text[s.End:rest.End]) {
				k--
				rest.Start = s.End
				spans[k] = trimmed(text, rest)
			}
		}
	}
	return append(out, spans[k:]...)
}

// persons reports whether all spans are of names of people.
func persons(spans []phi.Span) bool {
	for _, s := range spans {
		if !phi.IsPerson(s.Type) {
			return false
		}
	}
	return true
}

// between is what stands between a name and letters: bytes of the text.
type between struct{ start, end int }

// spellingOf returns the name that stands before letters at byte i, and what stands
// between: of the first of the spans that the letters overlap, if it begins before them,
// the part without the words that announce them; else the last of the spans before. The
// name is empty where there is none.
func spellingOf(text string, i int, before, overlapped []phi.Span) (phi.Span, between) {
	if len(overlapped) > 0 && overlapped[0].Start < i {
		s := overlapped[0]
		part := strings.TrimRight(text[s.Start:i], " ,(-")
		for {
			at := strings.LastIndexAny(part, " ,(") + 1
			if f := names.Fold(part[at:]); f == "" || !spellingCues[f] && !spellingWords[f] {
				break
			}
			part = strings.TrimRight(part[:at], " ,(-")
		}
		s.End = s.Start + len(part)
		return s, between{s.End, i}
	}
	if n := len(before); n > 0 && phi.IsPerson(before[n-1].Type) {
		return before[n-1], between{before[n-1].End, i}
	}
	return phi.Span{}, between{max(0, i-farSpelt), i}
}

const (
	farSpelt      = 40 // bytes between a name and its letters
	spellingSteps = 6  // words between them
)

var (
	spellingCues  = names.Set("spelled spelt spelling spell spells")
	spellingWords = names.Set("that is which last first family given middle name surname comma")
)

// announces reports whether what stands between a name and letters says that these spell
// it, or they are like it.
func (b between) announces(text string, name phi.Span, s names.Spelling) bool {
	if b.end-b.start > farSpelt || strings.ContainsAny(text[b.start:b.end], "\n.;!?") {
		return false
	}
	words := strings.FieldsFunc(names.Fold(text[b.start:b.end]), func(r rune) bool { return !unicode.IsLetter(r) })
	n := len(words)
	person := phi.IsPerson(name.Type) && name.End > name.Start
	switch {
	case n > 1 && (words[n-1] == "name" && spellingWords[words[n-2]]), n > 0 && words[n-1] == "surname":
		return true
	case !person || n > spellingSteps:
		return false
	case n == 0, n == 1 && words[0] == "comma":
		return alike(text[name.Start:name.End], s.Word)
	case spellingCues[words[n-1]]:
		return !backwards(s.Word)
	}
	return n == 2 && words[1] == "is" && (words[0] == "that" || words[0] == "which") && len(s.Word) > 3
}

// backwards reports whether letters are those of WORLD or MUNDO, which patients spell
// backwards in examinations of their mental state.
func backwards(word string) bool {
	f := names.Fold(word)
	return strings.Trim(f, "world") == "" || strings.Trim(f, "mundo") == ""
}

// alike reports whether letters spell one of a name's words, or one that sounds like it:
// with the same first letter, about as long, and half of its letters from there.
func alike(name, spelt string) bool {
	f := []rune(names.Fold(spelt))
	for _, w := range names.WordsOf(names.Fold(name)) {
		r := []rune(w)
		if len(r) == 0 || r[0] != f[0] || len(r) > len(f)+2 || len(f) > len(r)+2 {
			continue
		}
		shared := 0
		for _, c := range f {
			if strings.ContainsRune(w, c) {
				shared++
			}
		}
		if 2*shared >= len(f) {
			return true
		}
	}
	return false
}

// trimmed returns a span without blanks and marks at its edges.
func trimmed(text string, s phi.Span) phi.Span {
	part := text[s.Start:s.End]
	s.Start += len(part) - len(strings.TrimLeft(part, " ,-()"))
	s.End = s.Start + len(strings.Trim(part, " ,-()"))
	return s
}
