package audit

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Place is where a text lets something stand that it should not, in bytes of the
// original.
type Place struct {
	Start, End int
	Type       phi.Type
}

// Values are what is known of a patient, made ready to be looked for in released
// texts by their letters and digits alone: without case, accents, punctuation and
// spaces, so that "Quacken-\nbush" and "0 0 4 8 1" are found as well. It shares
// no code with the sweep that has looked for the same before.
type Values struct{ all []value }

// value is one form of something known.
type value struct {
	compact string // folded letters and digits
	typ     phi.Type
	word    bool // one word of a name: what is a word of the language too has to look like a name
}

// counts reports whether a value is a number that zeros may stand before.
func (x value) counts() bool {
	return x.typ.Category() == "ID" && x.compact[0] >= '1' && x.compact[0] <= '9'
}

// The least letters and digits of what nothing is by chance.
const (
	leastName   = 5
	leastNumber = 6
	leastBroken = 6 // across spaces and the like
)

// NewValues makes the known identifiers among a patient's surfaces ready. Types in
// kept are left out: a policy lets even known ones stand.
func NewValues(surfaces []lexicon.Surface, kept []string) *Values {
	v := &Values{}
	for _, s := range surfaces {
		if s.Tagger != phi.Known || !lexicon.Usable(s.Type, s.Text) || slices.Contains(kept, s.Type.String()) {
			continue
		}
		switch {
		case phi.IsPerson(s.Type):
			v.name(s)
		case s.Type == phi.Date:
			v.birth(s)
		case s.Type == phi.City || s.Type == phi.ZIP:
			// Many others have it, too: a town's name that the sweep has left had a reason.
		case s.Type == phi.Phone || s.Type == phi.Fax:
			v.add(lexicon.Alphanumeric(s.Text), s.Type, false, leastNumber)
			for _, n := range lexicon.PhoneNumbers(s.Text) { // without label and extension
				v.add(n.Digits, s.Type, false, leastNumber)
			}
		default:
			v.add(lexicon.Alphanumeric(s.Text), s.Type, false, leastNumber)
		}
	}
	return v
}

func (v *Values) add(compact string, t phi.Type, word bool, least int) {
	if len(compact) >= least && !slices.ContainsFunc(v.all, func(x value) bool { return x.compact == compact }) {
		v.all = append(v.all, value{compact, t, word})
	}
}

// name adds a name in both orders, and its words.
func (v *Values) name(s lexicon.Surface) {
	p := names.ParseName(s.Text)
	given, family := lexicon.Alphanumeric(strings.Join(p.Given, "")), lexicon.Alphanumeric(strings.Join(p.Family, ""))
	if given != "" && family != "" {
		v.add(given+family, s.Type, false, leastName+1)
		v.add(family+given, s.Type, false, leastName+1)
	}
	for _, w := range append(slices.Clone(p.Given), p.Family...) {
		if f := names.Fold(w); !names.Has(names.Common, w) && !names.Has(names.Eponyms, w) && !names.Idle[f] && !names.Titles[f] {
			v.add(lexicon.Alphanumeric(w), s.Type, true, leastName)
		}
	}
}

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
	"december"}

// birth adds a date of birth in its usual forms with a year of four digits.
func (v *Values) birth(s lexicon.Surface) {
	for _, order := range []dates.DayFirst{dates.No, dates.Yes} {
		days, ok := dates.ParseDays(s.Text, dates.Reference{DayFirst: order})
		if !ok {
			continue
		}
		year, month, day := dates.CivilFromDays(days)
		y, two := strconv.Itoa(year), func(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }
		for _, d := range []string{two(day), strconv.Itoa(day)} {
			for _, m := range []string{two(month), strconv.Itoa(month)} {
				for _, form := range []string{y + m + d, m + d + y, d + m + y} {
					v.add(form, phi.Date, false, leastNumber)
				}
			}
			for _, m := range []string{months[month-1], months[month-1][:3]} {
				for _, form := range []string{m + d + y, d + m + y} {
					v.add(form, phi.Date, false, leastNumber)
				}
			}
		}
	}
}

// compacted is a text by its letters and digits.
type compacted struct {
	text string
	at   []int // of each byte of text, the byte of the original that its character begins at
}

func compact(s string) compacted {
	c := compacted{at: make([]int, 0, len(s))}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r < utf8.RuneSelf {
			switch {
			case r >= 'A' && r <= 'Z':
				r += 'a' - 'A'
			case !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9'):
				continue
			}
			b.WriteByte(byte(r))
			c.at = append(c.at, i)
			continue
		}
		for range len(lexicon.Alphanumeric(string(r))) {
			c.at = append(c.at, i)
		}
		b.WriteString(lexicon.Alphanumeric(string(r)))
	}
	c.text = b.String()
	return c
}

// Left returns the places at which a released text holds something that is known
// of the patient: outside of what was replaced, or through a replacement.
func (v *Values) Left(original, released string, replaced []surrogate.Replacement) []Place {
	if len(v.all) == 0 {
		return nil
	}
	c := compact(released)
	var found []Place
	for _, x := range v.all {
		for from := 0; ; {
			i := strings.Index(c.text[from:], x.compact)
			if i < 0 {
				break
			}
			i += from
			from = i + 1
			start, last := c.at[i], c.at[i+len(x.compact)-1]
			for x.counts() && start > 0 && released[start-1] == '0' { // which a column of integers loses
				start--
			}
			_, width := utf8.DecodeRuneInString(released[last:])
			if p, ok := left(x, original, released, start, last+width, replaced); ok {
				found = append(found, p)
			}
		}
	}
	slices.SortFunc(found, func(a, b Place) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	end := 0
	return slices.DeleteFunc(found, func(p Place) bool { // each place once
		inside := p.Start < end
		end = max(end, p.End)
		return inside
	})
}

// left reports whether what stands at bytes start to end of a released text is the
// value, and not something that only has its letters, or that was made up.
func left(x value, original, released string, start, end int, replaced []surrogate.Replacement) (p Place, ok bool) {
	before, _ := utf8.DecodeLastRuneInString(released[:start])
	after, _ := utf8.DecodeRuneInString(released[end:])
	if goesOn(x, before) || goesOn(x, after) {
		return p, false
	}
	hit := released[start:end]
	whole := strings.IndexFunc(hit, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("'’-", r)
	}) < 0
	switch {
	case !whole && len(x.compact) < leastBroken:
		return p, false
	case x.word && !whole && !broken(hit):
		return p, false
	case x.word && whole && strings.ToLower(hit) == hit:
		return p, false
	}
	if k, inside := around(phi.Span{Start: start, End: end}, replaced); inside {
		r := replaced[k]
		through := r.Outcome != surrogate.Kept && strings.Contains(lexicon.Alphanumeric(original[r.Start:r.End]), x.compact)
		return Place{r.Start, r.End, x.typ}, through
	}
	start, startOK := origin(start, replaced)
	end, endOK := origin(end, replaced)
	return Place{start, end, x.typ}, startOK && endOK // else letters of a surrogate are part of it
}

// goesOn reports whether a neighbour belongs to the same word or number.
func goesOn(x value, r rune) bool {
	if phi.IsPerson(x.typ) || x.typ == phi.Street || x.typ == phi.Email {
		return unicode.IsLetter(r)
	}
	return unicode.IsDigit(r)
}

// broken reports whether a word was taken apart: at the end of a line, or letter
// by letter.
func broken(s string) bool {
	if before, after, ok := strings.Cut(s, "-"); ok && len(before) > 1 && strings.TrimLeft(after, " \t\r\n") != after {
		return true
	}
	return !slices.ContainsFunc(strings.Fields(s), func(w string) bool { return utf8.RuneCountInString(w) > 2 })
}

// origin returns the byte of the original of a byte of the released text that lies
// outside of what was replaced, or at its edge.
func origin(at int, replaced []surrogate.Replacement) (int, bool) {
	moved := 0
	for _, r := range replaced {
		if at <= r.OutStart {
			break
		}
		if at < r.OutEnd {
			return 0, false
		}
		moved = r.End - r.OutEnd
	}
	return at + moved, true
}

// Equal returns the places at which what was replaced is no other than what
// stands there now, but for case and punctuation. An age of 90 becomes 90+ by rule.
func Equal(original, released string, replaced []surrogate.Replacement) (found []Place) {
	for _, r := range replaced {
		if r.Outcome == surrogate.Kept || r.Action == surrogate.Keep || r.Action == surrogate.Generalise || r.Type == phi.Age || empty(r) {
			continue
		}
		if lexicon.Alphanumeric(original[r.Start:r.End]) == lexicon.Alphanumeric(released[r.OutStart:r.OutEnd]) {
			found = append(found, Place{r.Start, r.End, r.Type})
		}
	}
	return found
}

// Outside returns where a span of a released text stands in the original, if it
// touches nothing that was replaced, or kept on purpose.
func Outside(s phi.Span, replaced []surrogate.Replacement) (p Place, ok bool) {
	moved := 0
	for _, r := range replaced {
		if r.OutStart >= s.End {
			break
		}
		if r.OutEnd > s.Start {
			return p, false
		}
		moved = r.End - r.OutEnd
	}
	return Place{s.Start + moved, s.End + moved, s.Type}, true
}
