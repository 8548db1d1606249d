package surrogate

import "strings"

// cityTails are words after the name of a town or county.
var cityTails = set("county township parish borough village city")

// city returns a town of the same country where the lists know it, else of the
// United States.
func (p *Patient) city(d drawer, s string) string {
	if before, after, ok := strings.Cut(s, ","); ok && alnum(before) != "" && alnum(after) != "" {
		// "Boston, MA" taken for one city.
		blank := after[:len(after)-len(strings.TrimLeft(after, " "))]
		after = after[len(blank):]
		if _, known := p.lists.stateOf[fold(after)]; known {
			after = p.state(d, after)
		} else {
			after = p.city(d, after)
		}
		return p.city(d, before) + "," + blank + after
	}
	pieces := cut(s)
	tail := ""
	if n := len(pieces); n >= 3 && pieces[n-1].kind == wordPiece && cityTails[fold(pieces[n-1].text)] {
		if _, whole := p.lists.cityOf[fold(s)]; !whole {
			tail = pieces[n-2].text + pieces[n-1].text
		}
	}
	name := s[:len(s)-len(tail)]
	key := fold(name)
	group := p.lists.cityOf[key]
	if group == "" {
		group = "city us"
	}
	ps := p.known()
	out := d.pick(p.lists.places[group], "city", key, func(c string) bool {
		return fold(c) != key && ps.free(c) && !strings.Contains(key, fold(c))
	})
	if out == "" {
		return ""
	}
	return like(out, name) + tail
}

// state returns a state or province of the same country, in full or
// abbreviated as it was.
func (p *Patient) state(d drawer, s string) string {
	bare := strings.TrimRight(s, ". ")
	dotted := strings.Contains(bare, ".") && runes(fold(bare)) == 2
	form, ok := p.lists.stateOf[fold(bare)]
	if !ok {
		form = stateForm{group: "state us", form: stateFull, index: -1}
		if runes(fold(bare)) <= 3 {
			form.form = stateCode
		}
	}
	list := p.lists.places[form.group]
	domain := "state"
	if form.form == stateOld {
		list = oldStates
		domain = "old state"
	}
	key := fold(bare)
	if ok && form.form != stateOld {
		key, _, _ = strings.Cut(fold(list[form.index]), "=") // the same for name and code
	}
	out := d.pick(list, domain, key, func(item string) bool {
		name, code, _ := strings.Cut(item, "=")
		return p.known().free(item) && fold(name) != key && fold(name) != fold(bare) && fold(code) != fold(bare)
	})
	name, code, _ := strings.Cut(out, "=")
	if form.form == stateCode && code != "" {
		name = code
		if bare == strings.ToLower(bare) {
			name = strings.ToLower(name)
		}
		if dotted {
			name = name[:1] + "." + name[1:]
		}
	} else {
		name = like(name, bare)
	}
	return name + s[len(bare):]
}

// country returns another country; a short form gets a short form.
func (p *Patient) country(d drawer, s string) string {
	key := fold(strings.TrimSpace(s))
	bare := strings.ReplaceAll(key, " ", "")
	list := p.lists.places["country"]
	short := runes(bare) <= 3 && bare != "" && s == strings.ToUpper(s)
	if short {
		list = p.lists.places["country short"]
		key = bare
	}
	out := d.pick(list, "country", key, func(c string) bool { return fold(c) != key && p.known().free(c) && !strings.Contains(key, fold(c)) })
	if short {
		return out
	}
	return like(out, s)
}

// workPrefixes stand before a profession and are no part of it.
var workPrefixes = set("retired former ex self employed currently semi part full time")

// profession returns another occupation, beginning with a vowel where the
// original does, so that "a" and "an" stay right.
func (p *Patient) profession(d drawer, s string) string {
	start := 0
	for _, piece := range cut(s) {
		if piece.kind == wordPiece && !workPrefixes[fold(piece.text)] {
			break
		}
		start += len(piece.text)
	}
	if start == len(s) {
		start = 0
	}
	key := fold(s[start:])
	vowel := startsWithVowel(key)
	plural := strings.HasSuffix(key, "s") && !strings.HasSuffix(key, "ss")
	out := d.pick(p.lists.places["profession"], "profession", strings.TrimSuffix(key, "s"), func(w string) bool {
		return startsWithVowel(w) == vowel && p.known().free(w) && !strings.Contains(key, w)
	})
	if out == "" {
		return ""
	}
	if plural {
		out += "s"
	}
	out = like(out, s[start:])
	if c := s[start]; c >= 'A' && c <= 'Z' && out == strings.ToLower(out) {
		out = strings.ToUpper(out[:1]) + out[1:]
	}
	return s[:start] + out
}

func startsWithVowel(s string) bool { return s != "" && strings.IndexByte("aeiou", s[0]) >= 0 }
