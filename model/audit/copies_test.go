package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

func hashOf(b []byte) uint64 {
	sum := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(sum[:])
}

// copies reads notes in which [Smith] was replaced, and numbers them.
func copies(notes ...string) (all []Copy) {
	for i, marked := range notes {
		var text strings.Builder
		var spans []surrogate.Replacement
		for _, part := range strings.SplitAfter(marked, "]") {
			before, span, ok := strings.Cut(part, "[")
			text.WriteString(before)
			if ok {
				span = strings.TrimSuffix(span, "]")
				spans = append(spans, surrogate.Replacement{Span: phi.Span{Start: text.Len(), End: text.Len() + len(span), Type: phi.Doctor}})
				text.WriteString(span)
			}
		}
		for _, p := range Passages(text.String(), spans, hashOf) {
			all = append(all, Copy{i, p})
		}
	}
	return all
}

const (
	beginning = "The patient came in with a cough that had lasted for ten days and a fever of one day. "
	end       = " He was told to drink a good deal and to come back in a week if it was no better by then."
)

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name  string
		notes []string
		left  []int // notes
	}{
		{"left in the second", []string{beginning + "Seen by [Smith] today." + end, "Before. " + beginning + "Seen by Smith today." + end},
			[]int{1}},
		{"replaced in both", []string{beginning + "Seen by [Smith] today." + end, beginning + "Seen by [Smith] today." + end}, nil},
		{"left in both", []string{beginning + "Seen by Smith today." + end, beginning + "Seen by Smith today." + end}, nil},
		{"ends that differ", []string{beginning + "Seen by [Smith at Mercy] today." + end, beginning + "Seen by [Smith] at Mercy today." + end},
			nil},
		{"parts, all of them", []string{beginning + "by [Ann Smith] today." + end, beginning + "by [Ann] [Smith] today." + end}, nil},
		{"another passage", []string{beginning + "Seen by [Smith] today." + end, "Seen by Smith, who is well."}, nil},
		{"other punctuation and lines", []string{beginning + "Seen by [Smith] today." + end, strings.ReplaceAll(beginning, " ", "\n") +
			"Seen by Smith: today!" + end},
			[]int{1}},
		{"two of three", []string{beginning + "by Smith today." + end, beginning + "by [Smith] today." + end, beginning + "by Smith today." +
			end},
			[]int{0, 2}},
		{"long", []string{beginning + "[one two three four five six seven eight nine ten]" + end,
			beginning + "one two three four five six seven eight nine ten" + end}, []int{1}},
		{"short notes", []string{"by [Smith]", "by Smith"}, nil},
	} {
		found := map[int]bool{}
		for _, l := range Compare(copies(c.notes...)) {
			found[l.Note] = true
			if l.Type != phi.Doctor {
				t.Errorf("%s: type %v", c.name, l.Type)
			}
		}
		want := map[int]bool{}
		for _, n := range c.left {
			want[n] = true
		}
		if fmt.Sprint(found) != fmt.Sprint(want) {
			t.Errorf("%s: left in %v, want %v", c.name, found, want)
		}
	}
	if n := len(Compare(copies(beginning+"Seen by [Smith] today."+end, beginning+"Seen by Smith today."+end))); n != 1 {
		t.Errorf("one place is told %d times", n)
	}
}

// Of passages that differ in one word, nearly all are found.
func TestCompareFindsNearlyAll(t *testing.T) {
	found := 0
	const n = 2000
	for i := range n {
		text := fmt.Sprintf("w%d a b c d e f g%d %%s h i%d j k l m n", i, i, i)
		if len(Compare(copies(fmt.Sprintf(text, "[Smith]"), fmt.Sprintf(text, "Smith")))) > 0 {
			found++
		}
	}
	if found < n*98/100 {
		t.Errorf("%d of %d were found", found, n)
	}
}
