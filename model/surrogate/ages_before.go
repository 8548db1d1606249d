package surrogate

import (
	"strconv"
	"strings"
)

// Born enters the patient's day of birth, in days since 1970-01-01. With it, the
// ages of a patient who is above the limit at the latest note are known for the
// patient's own, in earlier notes and of earlier years too.
func (p *Patient) Born(day int) { p.birth, p.born = day, true }

// excess returns by how many years an age of v must be lowered, so that with the
// days of other notes it tells no more than one above the limit: by as many as
// the patient's date of birth is moved on, which then agrees. Who is one above the
// limit at the latest note needs none. Where no date of birth is known, an age
// counts as the patient's if it passes the limit by the latest note.
func (p *Patient) excess(v int, m Mention) int {
	latest, ok := p.latestNote(m.Ref)
	if !ok || !m.Ref.HasNoteDay || m.Ref.NoteDay > latest {
		return 0
	}
	limit := p.opts.AgeLimit
	if !p.born {
		if later := v + ageOn(m.Ref.NoteDay, latest); v <= limit && later > limit {
			return later - limit - 1
		}
		return 0
	}
	last := ageOn(p.birth, latest)
	if last <= limit {
		return 0
	}
	for _, day := range append([]int{m.Ref.NoteDay}, m.Said...) {
		if age := ageOn(p.birth, day); v >= age-1 && v <= age+1 {
			return last - limit - 1
		}
	}
	return 0
}

// lowered writes a number of years that is lower, in the form of the one at i
// among the pieces of an age, and all else as it is.
func lowered(pieces []piece, i, v int) string {
	var b strings.Builder
	for k := 0; k < len(pieces); k++ {
		if k != i {
			b.WriteString(pieces[k].text)
			continue
		}
		if pieces[i].kind == digitPiece {
			b.WriteString(strconv.Itoa(v))
			continue
		}
		words := ones[v%20]
		if v >= 20 {
			if words = tens[v/10]; v%10 > 0 {
				words += "-" + ones[v%10]
			}
		}
		if f := firstRune(pieces[i].text); f >= 'A' && f <= 'Z' && len(words) > 0 {
			words = strings.ToUpper(words[:1]) + words[1:]
		}
		b.WriteString(words)
		for k+2 < len(pieces) && isNumberWord(pieces[k+2]) { // "eighty-eight" is two pieces
			k += 2
		}
	}
	return b.String()
}

// YearsAgo returns the numbers of years in phrases such as "six years ago" and "3
// years earlier".
func YearsAgo(text string) []int {
	var all []int
	pieces := cut(text)
	for i, p := range pieces {
		if f := fold(p.text); p.kind != wordPiece || f != "ago" && f != "earlier" && f != "before" && f != "prior" || i < 4 {
			continue
		}
		if f := fold(pieces[i-2].text); !strings.HasPrefix(f, "year") && !strings.HasPrefix(f, "yr") {
			continue
		}
		v, ok := numberWord(fold(pieces[i-4].text))
		if pieces[i-4].kind == digitPiece {
			n, err := strconv.Atoi(pieces[i-4].text)
			v, ok = n, err == nil
		}
		if ok {
			all = append(all, v)
		}
	}
	return all
}
