package adapt

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// reviewed makes a note of marks: <X:phrase> annotated with the type that X begins,
// found by the job where X is followed by a plus.
func reviewed(person, marked string) Reviewed {
	n := Reviewed{Person: person}
	types := map[byte]string{'D': "DOCTOR", 'H': "HOSPITAL", 'P': "PATIENT", 'N': "PHONE"}
	var b strings.Builder
	for marked != "" {
		before, rest, ok := strings.Cut(marked, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		inner, after, _ := strings.Cut(rest, ">")
		head, text, _ := strings.Cut(inner, ":")
		s := Span{b.Len(), b.Len() + len(text), types[head[0]]}
		n.Gold = append(n.Gold, s)
		if strings.HasSuffix(head, "+") {
			n.Found = append(n.Found, Span{Start: s.Start, End: s.End})
		}
		b.WriteString(text)
		marked = after
	}
	n.Text = b.String()
	return n
}

func TestPropose(t *testing.T) {
	var notes []Reviewed
	for i := range 4 {
		notes = append(notes, reviewed(fmt.Sprint("p", i), fmt.Sprintf("on <H:Tern> under <D:KJM> with <D+:Ann Fox>, bleep <N:4100>, <P:Bo> "+
			"and <D:Rose>. "+
			"<D:Close> by. <D:Only%d> <P:Lee>", i)))
	}
	notes = append(notes,
		reviewed("p0", "a tern is no <H:Tern>"),        // in small letters, another word
		reviewed("p1", "Close the door. Close it."),    // a word as well
		reviewed("p2", "<P:Rose> came, TernX KJMs"),    // a patient's, too
		reviewed("p0", "<D:Lee> <D:QQ> <D:QQ> <D:QQ>")) // of one patient; a patient's
	want := []Phrase{{"Tern", "HOSPITAL", 4, 5}, {"KJM", "DOCTOR", 4, 4}}
	if got := Propose(notes); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
