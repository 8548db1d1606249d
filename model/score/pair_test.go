package score

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// mistakesOf prints a document's mistakes: kind, gold, system, and whether a
// letter of the gold span is exposed.
func mistakesOf(t *testing.T, options Options, d Document) []string {
	t.Helper()
	list, err := New(options).Add(d)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range list {
		side := func(a *Annotation) string {
			if a == nil {
				return "-"
			}
			return a.Label + ":" + d.Text[a.Start:a.End]
		}
		s := fmt.Sprintf("%s | %s | %s", m.Kind, side(m.Gold), side(m.System))
		if m.FalseNegative {
			s += " | FN"
		}
		if m.FalsePositive {
			s += " | FP"
		}
		if m.Exposed {
			s += " | exposed"
		}
		out = append(out, s)
	}
	return out
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, marked string
		want         []string
	}{
		{"none", "[A:<A:Ann>]", nil},
		{"missed", "[A:Ann]", []string{"missed | A:Ann | - | FN | exposed"}},
		{"spurious", "<A:Ann>", []string{"spurious | - | A:Ann | FP"}},
		{"wrong type", "[A:<B:Ann>]", []string{"type | A:Ann | B:Ann | FN | FP"}},
		{"wrong boundary", "[A:<A:Ann> Lee]", []string{"boundary | A:Ann Lee | A:Ann | FN | FP | exposed"}},
		{"too long", "<A:Dr. [A:Ann]>", []string{"boundary | A:Ann | A:Dr. Ann | FN | FP"}},
		{"wrong boundary and type", "[A:<B:Ann> Lee]", []string{"boundary and type | A:Ann Lee | B:Ann | FN | FP | exposed"}},
		{"one system span for two of gold: the longer overlap wins", "<A:[A:Ann] [A:Miller]>", []string{
			"boundary | A:Ann | A:Ann Miller | FN", "boundary | A:Miller | A:Ann Miller | FN | FP"}},
		{"two system spans for one of gold", "[D:<D:Wednesday>, <D:4/17/94>]", []string{
			"boundary | D:Wednesday, 4/17/94 | D:Wednesday | FN | FP", "boundary | D:Wednesday, 4/17/94 | D:4/17/94 | FP"}},
		{"of equal overlaps one type wins", "[A:<B:Ann><A:Lee>]", []string{
			"boundary and type | A:AnnLee | B:Ann | FP", "boundary | A:AnnLee | A:Lee | FN | FP"}},
		{"a gold span inside a right one", "[A:<A:Ann [B:Lee]>]", []string{"boundary and type | B:Lee | A:Ann Lee | FN"}},
		{"two types on one stretch", "[A:[B:<C:Ann>]]", []string{"type | A:Ann | C:Ann | FN | FP", "boundary and type | B:Ann | C:Ann | FN"}},
		{"duplicates are one", "[A:[A:Ann]] <A:<A:Lee>>", []string{"missed | A:Ann | - | FN | exposed", "spurious | - | A:Lee | FP"}},
		{"touching is not overlapping", "[A:Ann]<A:Lee>", []string{"missed | A:Ann | - | FN | exposed", "spurious | - | A:Lee | FP"}},
	} {
		got := strings.Join(mistakesOf(t, Options{}, mark("1", c.marked)), "\n")
		if want := strings.Join(c.want, "\n"); got != want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

func TestCauses(t *testing.T) {
	common := func(w string) bool { return strings.Contains(" long hope centre the home ", " "+w+" ") }
	for _, c := range []struct {
		marked string
		want   Cause
	}{
		{"MRN[A:0081]", Tokenisation},
		{"[A:Smith]4/12", Tokenisation},
		{"Ann[A:a] Lee", Tokenisation},
		{"x [A:2016]/2017", OtherCause}, // package token splits at the slash
		{"on [A:MGH] ward", Abbreviation},
		{"[A:K.C.] denies", Abbreviation},
		{"[A:J.-P.] said", Abbreviation},
		{"[A:BWHCMC] said", OtherCause}, // six letters
		{"[A:Mr.] said", OtherCause},
		{"[A:4B] said", OtherCause},
		{"[A:the <A:Larches>] home", Prefix},
		{"seen by <A:Dr. [A:Okafor]>", Prefix},
		{"by [A:Ann <A:Okafor>]", OtherCause}, // a name is no prefix
		{"at [A:Long Hope Centre]", CommonLanguage},
		{"at [A:Long-Hope]", CommonLanguage},
		{"at [A:Long Hope 4]", OtherCause},
		{"at <A:Hope>", CommonLanguage},
		{"at [A:--]", OtherCause},
	} {
		d := mark("1", c.marked)
		list, err := New(Options{Common: common}).Add(d)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d mistakes, %v", c.marked, len(list), err)
			continue
		}
		if list[0].Cause != c.want {
			t.Errorf("%s: %s, want %s", c.marked, list[0].Cause, c.want)
		}
	}
	if list, _ := New(Options{}).Add(mark("1", "at [A:Long Hope Centre]")); list[0].Cause != OtherCause {
		t.Errorf("without a dictionary: %s", list[0].Cause)
	}
}

func TestConfusion(t *testing.T) {
	r := scoreAll(t, Options{},
		mark("1", "[DATE:<DATE:1/2>] [PATIENT:<DOCTOR:Ann>] [PATIENT:<PATIENT:Lee> Ray] <DATE:3/4>"),
		mark("2", "[PATIENT:<DOCTOR:Bo>] [ZZ:x]"),
	).Result()
	for name, c := range map[string]struct {
		got, want Confusion
	}{
		"equal offsets": {r.Confusion, Confusion{
			Labels:   []string{"PATIENT", "DOCTOR", "DATE", "ZZ"},
			Counts:   [][]int{{0, 2, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}},
			Missing:  []int{1, 0, 0, 1},
			Spurious: []int{1, 0, 1, 0},
		}},
		"overlap": {r.ConfusionOverlap, Confusion{
			Labels:   []string{"PATIENT", "DOCTOR", "DATE", "ZZ"},
			Counts:   [][]int{{1, 2, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}},
			Missing:  []int{0, 0, 0, 1},
			Spurious: []int{0, 0, 1, 0},
		}},
	} {
		got, _ := json.Marshal(c.got)
		want, _ := json.Marshal(c.want)
		if string(got) != string(want) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
	kinds, _ := json.Marshal(r.Kinds)
	if want := `[{"kind":"missed","label":"ZZ","count":1},{"kind":"spurious","label":"DATE","count":1},` +
		`{"kind":"type","label":"PATIENT","count":2},{"kind":"boundary","label":"PATIENT","count":1}]`; string(kinds) != want {
		t.Errorf("kinds %s", kinds)
	}
}

func TestCurve(t *testing.T) {
	d := mark("1", "[A:<A:Ann>] [A:<A:Bo>] [A:Cid] <A:Dee> [B:<B:Eve>]")
	for i, score := range []float32{.9, .5, .7, .7} {
		d.System[i].Score = score
	}
	d.System = append(d.System, d.System[0]) // a duplicate of less confidence
	d.System[4].Score = .1
	r := scoreAll(t, Options{}, d).Result()
	var a Curve
	for _, c := range r.Curves {
		if c.Label == "A" {
			a = c
		}
	}
	got, _ := json.Marshal(a)
	want := `{"label":"A","gold":3,"points":[` +
		`{"threshold":0.9,"tp":1,"fp":0,"precision":1,"recall":0.3333333333333333},` +
		`{"threshold":0.7,"tp":1,"fp":1,"precision":0.5,"recall":0.3333333333333333},` +
		`{"threshold":0.5,"tp":2,"fp":1,"precision":0.6666666666666666,"recall":0.6666666666666666}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := len(r.Curves); n != 3 || r.Curves[0].Label != "" || r.Curves[0].Gold != 4 {
		t.Errorf("%d curves, the first %+v", n, r.Curves[0])
	}
}
