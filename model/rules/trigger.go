package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// maxTrigger caps a triggered walk, in bytes: long enough for the addresses
// that web pages really use.
const maxTrigger = 2048

// maxBack caps how far a trigger looks back for the start of its run, in bytes.
const maxBack = 128

// trigger starts a walk of the triggered rules if the mark at i is one of
// theirs: the '@' of an e-mail address, the ':' of "://", a dot between two
// words. Those patterns begin at any word and run far, so that trying them at
// every token would be quadratic on glued text. Each stretch of text is
// walked once: reach is the end of the last one, and the new one is returned.
func (m *Matcher) trigger(text string, i, reach int) int {
	if i < reach {
		return reach
	}
	var start int
	switch text[i] {
	case '@':
		start = runStart(text, i, reach, "._%+-'’")
		for start < i && strings.IndexByte("._%+-'", text[start]) >= 0 {
			start++
		}
	case ':':
		if !strings.HasPrefix(text[i:], "://") {
			return reach
		}
		start = runStart(text, i, reach, "")
	case '.':
		if i < m.dots || i == 0 || !pattern.IsWord(pattern.LastRune(text[:i])) {
			return reach
		}
		if r, _ := utf8.DecodeRuneInString(text[i+1:]); !pattern.IsWord(r) {
			return reach
		}
		// No later dot of this run does better, and a run that comes to an '@'
		// is the local part of an e-mail address, which has its own trigger.
		for m.dots = i; m.dots < len(text); {
			r, size := utf8.DecodeRuneInString(text[m.dots:])
			if !inRun(r) {
				break
			}
			m.dots += size
		}
		if pattern.ByteAt(text, m.dots) == '@' {
			return reach
		}
		for start = runStart(text, i, reach, ".-"); start < i && text[start] == '_'; start++ {
		}
	default:
		return reach
	}
	if start >= i {
		return reach
	}
	hits := len(m.triggered.Hits)
	m.triggered.Walk(text, start, m.triggered.Behind(text, start))
	for _, h := range m.triggered.Hits[hits:] {
		reach = max(reach, h.End)
	}
	return reach
}

// inRun reports whether r may stand in the local part of an e-mail address.
func inRun(r rune) bool {
	return pattern.IsWord(r) || unicode.Is(unicode.M, r) || strings.ContainsRune("._%+-'", r)
}

// runStart returns where the run of letters, digits and the given marks that
// ends at i begins, at most maxBack bytes back and not before low.
func runStart(text string, i, low int, marks string) int {
	low = max(low, i-maxBack)
	for i > low {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !pattern.IsWord(r) && !strings.ContainsRune(marks, r) || i-size < low {
			break
		}
		i -= size
	}
	return i
}
