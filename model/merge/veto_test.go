package merge

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// bracketed returns a text without its one pair of brackets, and the span that
// they held.
func bracketed(marked string, t phi.Type, tagger phi.Tagger) (string, phi.Span) {
	i, j := strings.Index(marked, "["), strings.Index(marked, "]")
	return marked[:i] + marked[i+1:j] + marked[j+1:], phi.Span{Start: i, End: j - 1, Type: t, Tagger: tagger, Score: 0.9}
}

func guarded(marked string, t phi.Type, tagger phi.Tagger) (kept bool, why string) {
	text, s := bracketed(marked, t, tagger)
	found := Combine(text, token.Tokenize(nil, text), []phi.Span{s}, Options{Guard: true, Trace: func(e phi.Event) { why = e.Why }})
	return len(found) == 1, why
}

func TestGuardDropsMedicine(t *testing.T) {
	for _, c := range []struct {
		text string
		typ  phi.Type
	}{
		{"hip flexion [4/5] on the left", phi.Date},
		{"metro 400 tds [5/7]. no alcohol", phi.Date},
		{"review in [2/52]; letter", phi.Date},
		{"matched donor [9/10] found", phi.Date},
		{"an 8-year-old third [grader] at school", phi.Profession},
		{"endorsed [8/9] inattentive items", phi.Date},
		{"may return after the [fall] if weak", phi.Date},
		{"then -> [Copaxone] 2009", phi.Doctor},
		{"STOP [XARELTO], ENALAPRIL", phi.Patient},
		{"a [3/6] holosystolic murmur", phi.Date},
		{"MoCA [21/30]", phi.Date},
		{"GAD-[7 12/21]", phi.Date},
		{"Apgars [8/9/9]", phi.Date},
		{"[2/3] of the stomach", phi.Date},
		{"in [4/12] cores", phi.Date},
		{"VA [20/50] OS", phi.Date},
		{"unaided [6/12]", phi.Date},
		{"born at 29 [3/7]", phi.Date},
		{"at [38 and 2/7]", phi.Date},
		{"[24/7] care", phi.Date},
		{"BiPAP [14/6]", phi.Date},
		{"Novolin [70/30]", phi.Date},
		{"JAK2 [V617]F", phi.IDNum},
		{"[EGFR L858R] found", phi.IDNum},
		{"s/p TAH/[BSO] in the past", phi.Doctor},
		{"Et[OH] daily", phi.Patient},
		{"[Rose] bengal staining", phi.Patient},
		{"[S. aureus bacteremia]", phi.Doctor},
		{"Sister [Mary Joseph] nodule", phi.Patient},
		{"[McBride] bunionectomy", phi.Doctor},
		{"[Austin Moore] hemiarthroplasty", phi.Doctor},
		{"[Wound Care] RN to see", phi.Doctor},
		{"Dear [Doctor],", phi.Doctor},
		{"He [may march] in place", phi.Date},
		{"[Seattle Angina] Questionnaire", phi.Hospital},
	} {
		if kept, why := guarded(c.text, c.typ, phi.Network); kept || why == "" {
			t.Errorf("%s as %s was kept", c.text, c.typ)
		}
	}
}

func TestGuardKeepsPHI(t *testing.T) {
	for _, c := range []struct {
		text string
		typ  phi.Type
	}{
		{"[Rose] came with her son", phi.Patient},
		{"[Foley] was called", phi.Doctor},
		{"Dr. [Foley] catheter placed", phi.Doctor}, // a cue
		{"[Austin Moore] seen in clinic", phi.Patient},
		{"[Hope] and her mother", phi.Patient},
		{"[Will] needs a refill", phi.Patient},
		{"seen on [4/5] for strength", phi.Date},
		{"since [6/12] vision is worse", phi.Date},
		{"MMSE [11/27]", phi.Date}, // out of 30
		{"week [13/52]", phi.Date},
		{"lives in [Boston]", phi.City},
		{"dictated by [BSO]", phi.Doctor},
		{"[RLE]", phi.Doctor},
		{"call [555-0134]", phi.Phone},
		{"Rose\n[Bengal]", phi.Patient}, // phrases end with the line
	} {
		if kept, why := guarded(c.text, c.typ, phi.Network); !kept {
			t.Errorf("%s as %s was dropped: %s", c.text, c.typ, why)
		}
	}
}

// What another tagger found stays, and so does what it overlaps.
func TestGuardLeavesOtherTaggers(t *testing.T) {
	for _, tagger := range []phi.Tagger{phi.Rules, phi.Known, phi.Sweep} {
		if kept, _ := guarded("[Rose] bengal staining", phi.Patient, tagger); !kept {
			t.Errorf("a span of the %s was dropped", tagger)
		}
		text := "Rose bengal staining"
		found := Combine(text, token.Tokenize(nil, text), []phi.Span{
			{Start: 0, End: 11, Type: phi.Patient, Score: 0.9},
			{Start: 5, End: 11, Type: phi.Patient, Tagger: tagger, Score: 0.9},
		}, Options{Guard: true})
		if len(found) != 1 || found[0].Start != 0 || found[0].End != 11 {
			t.Errorf("beside a span of the %s: %v", tagger, found)
		}
	}
}

// FuzzGuard: whatever the text, nothing but spans of the network alone goes.
func FuzzGuard(f *testing.F) {
	f.Add("CPT 99213, L4/5, E. coli, Rose bengal 4/5", uint8(0), uint8(9), uint8(16))
	f.Add("'s-/. \n Et", uint8(0), uint8(3), uint8(1))
	f.Fuzz(func(t *testing.T, text string, start, length, typ uint8) {
		if int(start)+int(length) > len(text) || length == 0 || typ == 0 || int(typ) >= phi.NumTypes {
			t.Skip()
		}
		s := phi.Span{Start: int(start), End: int(start) + int(length), Type: phi.Type(typ), Score: 0.5}
		tokens := token.Tokenize(nil, text)
		veto.Guard(text, tokens, []phi.Span{s}, 0, nil, nil)
		s.Tagger = phi.Rules
		if got := veto.Guard(text, tokens, []phi.Span{s}, 0, nil, nil); len(got) != 1 || got[0] != s {
			t.Errorf("a rule's span became %v", got)
		}
	})
}

func BenchmarkGuard(b *testing.B) {
	text, s := bracketed("Seen by the team today, hip flexion [4/5] on the left and no new complaint since the last visit", phi.Date,
		phi.Network)
	tokens := token.Tokenize(nil, text)
	for b.Loop() {
		veto.Guard(text, tokens, []phi.Span{s}, 0, nil, nil)
	}
}
