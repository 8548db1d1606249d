package view

import "strings"

// ofDefault is the code page of text that names no font.
const ofDefault = -1

// word does what a control word says, which stands from start to r.i.
func (r *rtfReader) word(word string, number int, has bool, start int) error {
	switch word {
	case "u":
		if has {
			r.codeUnit(rune(uint16(number)), start)
		}
		return nil
	case "uc":
		if r.skip = max(0, number); r.skip > 4 { // which nobody writes, but to hide something
			return ErrUnreadable
		}
	case "ansicpg":
		r.ansi = number
	case "mac":
		r.ansi = 10000
	case "pc":
		r.ansi = 437
	case "pca":
		r.ansi = 850
	case "deff":
		r.deff = number
	case "f":
		r.font = number
		if !r.fonts {
			r.page = r.fontCP[number]
		}
	case "plain":
		r.page = ofDefault
	case "fcharset":
		if cp, ok := charsets[number]; ok && r.fonts && (number > 0 || r.ansi != 10000 && r.ansi != 437 && r.ansi != 850) {
			// \mac, \pc and \pca call all fonts 0
			r.fontCP[r.font] = cp
		}
	case "cpg":
		if r.fonts {
			r.fontCP[r.font] = number
		}
	case "bin":
		if number > 0 {
			return ErrEmbedded
		}
	case "xmlattrname": // of a marked date, whose year would stay while its text moves
		name := r.s[r.i:min(len(r.s), r.i+20)]
		if n := strings.IndexAny(name, `{}\`); n >= 0 && strings.EqualFold(strings.TrimSpace(name[:n]), "year") {
			return ErrUnreadable
		}
	case "atndate":
		return ErrUnreadable // its date stands behind it as a number
	case "template":
		r.path = true
	case "docvar":
		r.pairs = true
	case "super", "sub":
		up := number != 0 || !has
		r.moved, r.raised = r.moved || up != r.raised, up
	case "nosupersub":
		r.moved, r.raised = r.moved || r.raised, false
	case "yr", "mo", "dy":
		if !r.date && number != 0 {
			return ErrUnreadable
		}
		if r.date {
			if r.dateFrom == 0 {
				r.dateFrom = start
			}
			r.ymd[strings.Index("yrmody", word)/2] = number
		}
	}
	if rtfEmbedded[word] {
		return ErrEmbedded
	}
	if number != 0 && (strings.HasSuffix(word, "dttm") || strings.HasSuffix(word, "date") || word == "revdttmdel") {
		return ErrUnreadable
	}
	if text, ok := rtfText[word]; ok {
		r.put(text, start, r.i)
	}
	if c := rtfBreaks[word]; c != 0 {
		if r.code && c == '\n' { // the brace that ends a table is missing
			return ErrUnreadable
		}
		r.to.made(c)
	}
	if rtfApart[word] {
		r.to.made('\n')
		r.group.apart = true
	}
	if code, ok := rtfAsides[word]; ok && !has {
		r.away(code)
		r.running = strings.HasPrefix(word, "head") || strings.HasPrefix(word, "foot")
		r.fonts = r.fonts || word == "fonttbl"
	}
	if rtfDates[word] {
		r.away(false)
		r.date, r.dateFrom, r.ymd = true, 0, [3]int{}
	}
	return nil
}
