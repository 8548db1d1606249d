package merge

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Letters that a cue or a name before them says to be a name are a span of the name's
// type, and other letters are not.
func TestSpelledNames(t *testing.T) {
	for in, want := range map[string]string{
		"Dr. [DOCTOR:Weaver] spelled W E B E R on":                "Dr. [DOCTOR:Weaver] spelled [DOCTOR:W E B E R] on",
		"[PATIENT:Ann Weaver] (spelling A-N-N W-E-B-E-R) came":    "[PATIENT:Ann Weaver] (spelling [PATIENT:A-N-N] [PATIENT:W-E-B-E-R]) came",
		"[PATIENT:Weaver], that is W E B E R, came":               "[PATIENT:Weaver], that is [PATIENT:W E B E R], came",
		"[PATIENT:weaver] comma last name w e b e r comma":        "[PATIENT:weaver] comma last name [PATIENT:w e b e r] comma",
		"the wife last name W E B E R came":                       "the wife last name [PATIENT:W E B E R] came",
		"[PATIENT:Weaber], W E B E R, came":                       "[PATIENT:Weaber], [PATIENT:W E B E R], came",
		"[PATIENT:Koh], K O E, came":                              "[PATIENT:Koh], [PATIENT:K O E], came",
		"[PATIENT:weaver spell W-E-B-]E-R came":                   "[PATIENT:weaver] spell [PATIENT:W-E-B-E-R] came",
		"[PATIENT:Ann Weaber, W E B E R Ann] came":                "[PATIENT:Ann Weaber], [PATIENT:W E B E R] [PATIENT:Ann] came",
		"[PATIENT:Weaver] spelled [PATIENT:W E] B [PATIENT:E R].": "[PATIENT:Weaver] spelled [PATIENT:W E B E R].",
		"[PATIENT:W E B E R] came":                                "[PATIENT:W E B E R] came",
		"[PATIENT:Weaver], S O A P note":                          "[PATIENT:Weaver], S O A P note",
		"[PATIENT:Tanner] T I A in":                               "[PATIENT:Tanner] T I A in",
		"[PATIENT:Weaver] spelled D L R O W":                      "[PATIENT:Weaver] spelled D L R O W",
		"[PATIENT:Weaver] came. Ileus, I spell I L E U S":         "[PATIENT:Weaver] came. Ileus, I spell I L E U S",
		"D I S C H A R G E":                                       "D I S C H A R G E",
		"[PATIENT:Weaver] spelled [IDNUM:W E B E R 4]":            "[PATIENT:Weaver] spelled [IDNUM:W E B E R 4]",
	} {
		text, spans := markedSpans(t, in)
		var found []phi.Found
		for _, s := range spelled(text, spans, Options{}) {
			found = append(found, phi.Found{Span: s})
		}
		if got := describe(text, found); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
