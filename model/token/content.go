package token

// Cutting cuts texts by their content, into windows of so many tokens.
type Cutting struct {
	Least int // of every window of a text that has so many; at most a quarter of Most, if that is to hold where no line ends
	Inner int // at least Least: how far apart are cuts within a section, at ends of lines and sentences
	Most  int // of every window
}

// AtLeast returns c with another least length of its windows; 0 leaves it as it is.
func (c Cutting) AtLeast(tokens int) Cutting {
	if tokens > 0 {
		c.Least, c.Inner = tokens, max(c.Inner, tokens)
	}
	return c
}

// Windows appends to dst windows that a text's content decides, not how far they are
// from its beginning: a passage that was copied into another note is cut there as it
// was here, but for its outermost windows. It cuts where a paragraph ends, a heading
// follows, a line ends or a sentence ends, the first kind before the others: where no
// other such place near by is of a better kind, or of the same kind with a greater
// hash of the words around it. Near by are c.Least tokens before paragraphs and
// headings, and c.Inner tokens elsewhere. What is then still longer than c.Most is
// cut, from its beginning, at the best place that c.Most allows. A heading's line, one
// that ends with a colon, stays with what follows. Windows do not overlap and cover
// all tokens.
func (c Cutting) Windows(dst []Window, text string, tokens []Token) []Window {
	ends := contentEnds(text, tokens, c.Least)
	start, first := 0, 0 // of the open window: its first token, and the first end in it
	for i, e := range ends {
		if c.greatest(ends, i) {
			dst = c.divide(dst, text, tokens, ends[first:i], start, e.at)
			start, first = e.at, i+1
		}
	}
	if start < len(tokens) {
		dst = c.divide(dst, text, tokens, ends[first:], start, len(tokens))
	}
	return dst
}

// contentEnd is a place where a window may end.
type contentEnd struct {
	at   int    // index of the token behind it
	rank uint64 // kind in the highest bits, hash below
}

// The kinds of places, the better ones greater.
const (
	sentenceEnd = iota + 1
	lineEnd
	lineBeforeHeading
	paragraphEnd
	paragraphBeforeHeading
)

// hashedBefore and hashedBehind are the tokens that a place's hash is of.
const (
	hashedBefore = 8
	hashedBehind = 4
)

// contentEnds returns the places of a text that have least tokens on either side.
func contentEnds(text string, tokens []Token, least int) []contentEnd {
	var ends []contentEnd
	for i := max(least, 1); i <= len(tokens)-max(least, 1); i++ {
		kind := uint64(0)
		last := tokens[i-1]
		switch {
		case last.Class == Newline && i > 1 && tokens[i-2].Text(text) == ":":
			continue
		case last.Class == Newline && severalLines(last.Text(text)):
			kind = paragraphEnd
		case last.Class == Newline:
			kind = lineEnd
		case tokens[i].Space && tokens[i].Class != Newline && SentenceEnd(text, tokens, i):
			kind = sentenceEnd
		default:
			continue
		}
		if (kind == lineEnd || kind == paragraphEnd) && heading(text, tokens[i:min(i+headingTokens, len(tokens))]) {
			kind++
		}
		around := tokens[max(i-hashedBefore, 0):min(i+hashedBehind, len(tokens))]
		ends = append(ends, contentEnd{i, kind<<56 | hashTokens(text, around)>>8})
	}
	return ends
}

// headingTokens bounds a heading, its colon or line end among them.
const headingTokens = 6

// heading reports whether a line begins as headings do: with a capital and a colon soon
// after it, or in capitals alone.
func heading(text string, line []Token) bool {
	if c := line[0].Class; c != Upper && c != Title && c != Initial && c != Mixed {
		return false
	}
	capitals := true
	for _, t := range line {
		switch {
		case t.Class == Newline:
			return capitals
		case t.Text(text) == ":":
			return true
		case t.Class != Upper && t.Class != Initial:
			capitals = false
		}
	}
	return false
}

// severalLines reports whether a Newline token has more than one line feed.
func severalLines(newline string) bool {
	n := 0
	for i := range len(newline) {
		if newline[i] == '\n' {
			n++
		}
	}
	return n > 1
}

// hashTokens is FNV-1a over the tokens, and mixed, as its highest bits decide. Line
// ends are all one, as Windows and Unix write other ones.
func hashTokens(text string, tokens []Token) uint64 {
	h := uint64(14695981039346656037)
	add := func(b byte) { h = (h ^ uint64(b)) * 1099511628211 }
	for _, t := range tokens {
		if t.Class != Newline {
			for i := t.Start; i < t.End; i++ {
				add(text[i])
			}
		}
		add(0)
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// greatest reports whether no place near ends[i] outranks it; of equals the first wins.
// Near is less than c.Least tokens away, and for a place within a section c.Inner.
func (c Cutting) greatest(ends []contentEnd, i int) bool {
	near := c.Least
	if ends[i].rank < lineBeforeHeading<<56 {
		near = c.Inner
	}
	for k := i - 1; k >= 0 && ends[i].at-ends[k].at < near; k-- {
		if ends[k].rank >= ends[i].rank {
			return false
		}
	}
	for k := i + 1; k < len(ends) && ends[k].at-ends[i].at < near; k++ {
		if ends[k].rank > ends[i].rank {
			return false
		}
	}
	return true
}

// divide appends the windows of tokens[start:end], in which ends are; where none of
// them fits it cuts as the function Windows does.
func (c Cutting) divide(dst []Window, text string, tokens []Token, ends []contentEnd, start, end int) []Window {
	for end-start > c.Most {
		for len(ends) > 0 && ends[0].at < start+c.Least {
			ends = ends[1:]
		}
		cut, rank := -1, uint64(0)
		for _, e := range ends {
			if e.at > min(start+c.Most, end-c.Least) {
				break
			}
			if e.rank >= rank {
				cut, rank = e.at, e.rank
			}
		}
		if cut < 0 {
			cut = cutLine(text, tokens, start, min(start+c.Most, end-c.Least))
		}
		dst = append(dst, Window{start, cut})
		start = cut
	}
	return append(dst, Window{start, end})
}
