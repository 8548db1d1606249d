package token

// Window is a run of tokens that the network sees at once.
type Window struct {
	Start, End int // indices into the tokens of one text; End is exclusive
}

// Windows appends to dst the windows of a text: runs of whole lines of at most
// max tokens, so that a header such as "Name:" and its value are seen
// together. A line longer than max is cut at the last sentence end, else at
// the last blank, else anywhere. Windows do not overlap and cover all tokens.
func Windows(dst []Window, text string, tokens []Token, max int) []Window {
	start := 0   // first token of the open window
	lineEnd := 0 // end of the last whole line in it
	for i := range tokens {
		if i-start >= max {
			cut := lineEnd
			if cut <= start {
				cut = cutLine(text, tokens, start, i)
			}
			dst = append(dst, Window{start, cut})
			start = cut
		}
		if tokens[i].Class == Newline {
			lineEnd = i + 1
		}
	}
	if start < len(tokens) {
		dst = append(dst, Window{start, len(tokens)})
	}
	return dst
}

// cutLine returns where to cut the line that fills tokens[start:end].
func cutLine(text string, tokens []Token, start, end int) int {
	blank := end
	// The back half only: a cut near the start would waste the window.
	for i := end - 1; i > start+(end-start)/2; i-- {
		if !tokens[i].Space {
			continue
		}
		if SentenceEnd(text, tokens, i) {
			return i
		}
		if blank == end {
			blank = i
		}
	}
	return blank
}

// SentenceEnd reports whether a sentence ends before token i, which a blank stands
// before: token i-1 is a question mark or exclamation mark, or a full stop where
// token i is no word in small letters nor a sign, and the word before the stop is
// neither an initial nor a short title such as "Dr".
func SentenceEnd(text string, tokens []Token, i int) bool {
	if i < 2 || i >= len(tokens) || !tokens[i].Space {
		return false
	}
	switch tokens[i-1].Text(text) {
	case "?", "!":
		return true
	case ".":
	default:
		return false
	}
	switch tokens[i].Class {
	case Lower, Symbol:
		return false
	}
	w := tokens[i-2]
	return w.Class != Initial && !(w.Class == Title && w.End-w.Start <= 4)
}
