package dates

// Reading is how much a text says, in the language of any of its words.
type Reading struct {
	Dates int  // one, or those of a range or list
	Years int  // how many of them have one
	Named bool // each names its day with its month, or no day at all
	Days  bool // one of them names a day of a month
}

// Read tells what a text says as it stands: "June 3-5, 2019" is two dates of
// which the second has no month of its own, "5, 2019" and "Monday 31:20" are
// none. ok is false for what Parse refuses, and for a weekday alone.
func Read(s string) (r Reading, ok bool) {
	f, err := Parse(s, Reference{})
	if err != nil {
		return Reading{}, false
	}
	if f.f.other != nil {
		return Reading{Dates: 1, Years: 1, Named: true, Days: true}, true
	}
	r = Reading{Dates: len(f.f.ends), Named: true}
	for i := range f.f.ends {
		e, u := &f.f.ends[i], f.f.res[i].unit
		if e.has(roleYear) {
			r.Years++
		}
		if u == unitDay && !e.has(roleHoliday) {
			r.Days = true
			r.Named = r.Named && e.has(roleMonth)
		}
		ok = ok || u != unitNone
	}
	return r, ok
}

// Idle reports whether the words of a text are all such as stand around dates,
// like "mid-", "early" or "the week of", and no part that a shift could change.
func Idle(s string) bool {
	words := 0
	for i := 0; i < len(s); {
		end := letterEnd(s, i)
		if end == i {
			if digitAt(s, i) {
				return false
			}
			i++
			continue
		}
		if w, ok := lookUp(s[i:end]); !ok || w.kind != 0 || w.number || !w.soft && w.join == 0 {
			return false
		}
		words++
		i = end
	}
	return words > 0
}
