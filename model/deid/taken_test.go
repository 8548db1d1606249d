package deid_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// numbered is a note of labelled numbers, and where they stand.
type numbered struct {
	text  string
	spans []phi.Span
}

func (n *numbered) add(before string, t phi.Type, surface string) {
	n.text += before
	n.spans = append(n.spans, phi.Span{Start: len(n.text), End: len(n.text) + len(surface), Type: t, Tagger: phi.Network, Score: .9})
	n.text += surface
}

// Of a patient with very many short known numbers a drawn one is often another of them.
// It is drawn again, so that no note is held back and none of them is released; and what
// a mention becomes depends on nothing but the key, the mention and the known numbers: not
// on what else notes hold, nor on the order of anything.
func TestNoSurrogateIsAKnownNumber(t *testing.T) {
	keys, err := surrogate.NewKeyring([]byte(strings.Repeat("of numbers ", 4)), 0)
	if err != nil {
		t.Fatal(err)
	}
	settings := deid.Settings{Steps: deid.AllSteps(), Language: "en", DayOrder: deid.UsualInModels}
	rewriter := &deid.Rewriter{Settings: settings, Keys: keys}
	met := 0
	for seed := range 40 {
		r := rand.New(rand.NewSource(int64(seed)))
		digits := func(n int) string { return fmt.Sprintf("%d%0*d", 1+r.Intn(9), n-1, r.Intn(int(math.Pow10(n-1)))) }
		mine := lexicon.Identifiers{PatientID: fmt.Sprint("patient ", seed)}
		known := map[string]bool{}
		for range 4000 {
			n := digits(5)
			mine.MRNs, known[n] = append(mine.MRNs, n), true
		}
		for range 200 {
			n := digits(3) + "55501" + digits(2)
			mine.Phones, known[n] = append(mine.Phones, n[:3]+"-"+n[3:6]+"-"+n[6:]), true
		}
		// Two notes that share some mentions and differ in the rest.
		var notes [2]numbered
		for k := range 60 {
			typ, label, surface := phi.MedicalRecord, "record ", ""
			switch k % 5 {
			case 0:
				surface = digits(5)
			case 1:
				surface = "MRN " + digits(5)
			case 2:
				surface = digits(5) + " and " + digits(5)
			case 3:
				typ, label, surface = phi.Phone, "rang ", digits(3)+"-"+digits(3)+"-"+digits(4)
			case 4:
				typ, label, surface = phi.ZIP, "lives at ", digits(5)
			}
			for i := range notes {
				if k%3 == 0 || k%2 == i {
					notes[i].add("; "+label, typ, surface)
				}
			}
		}
		became := [2]map[string]string{{}, {}}
		for i, n := range notes {
			var found []phi.Found
			for _, s := range n.spans {
				found = append(found, phi.Found{Span: s, Surface: n.text[s.Start:s.End]})
			}
			of := []*deid.Note{{Document: "n", Patient: mine.PatientID, Spans: found}}
			identifiers := mine
			if i == 1 { // in another order
				identifiers.MRNs = append([]string(nil), mine.MRNs...)
				r.Shuffle(len(identifiers.MRNs), func(a, b int) {
					identifiers.MRNs[a], identifiers.MRNs[b] = identifiers.MRNs[b], identifiers.MRNs[a]
				})
			}
			plan := deid.Resolve(settings, of, []lexicon.Identifiers{identifiers}, nil)
			out, err := rewriter.Open(&plan).Text(n.text, n.spans, "n", dates.Reference{})
			if err != nil {
				t.Fatalf("patient %d: %v", seed, err)
			}
			for _, x := range out.Replacements {
				became[i][n.text[x.Start:x.End]] = x.New
				for _, w := range strings.FieldsFunc(x.New, func(r rune) bool { return r < '0' || r > '9' }) {
					if met++; known[w] {
						t.Errorf("patient %d: a known number stands for another", seed)
					}
				}
				if known[strings.ReplaceAll(x.New, "-", "")] {
					t.Errorf("patient %d: a known telephone number stands for another", seed)
				}
			}
		}
		for s := range maps.Keys(became[0]) {
			if other, ok := became[1][s]; ok && other != became[0][s] {
				t.Errorf("patient %d: one mention became %q and %q", seed, became[0][s], other)
			}
		}
	}
	t.Logf("%d numbers drawn", met)
}

// A moved date that makes up a known number with what stands beside it gives way to
// a tag, and the note is released.
func TestAKnownNumberByChance(t *testing.T) {
	keys, err := surrogate.NewKeyring([]byte(strings.Repeat("by chance ", 4)), 0)
	if err != nil {
		t.Fatal(err)
	}
	settings := deid.Settings{Steps: deid.AllSteps(), Language: "en", DayOrder: deid.UsualInModels}
	rewriter := &deid.Rewriter{Settings: settings, Keys: keys}
	const date, beside = "3/5/2019", " 2237 steps"
	release := func(mrns ...string) string {
		note := &deid.Note{Document: "n", Patient: "p1", Spans: []phi.Found{{Span: phi.Span{End: len(date), Type: phi.Date}, Surface: date}}}
		plan := deid.Resolve(settings, []*deid.Note{note}, []lexicon.Identifiers{{PatientID: "p1", MRNs: mrns}}, nil)
		out, err := rewriter.Open(&plan).Text(date+beside, []phi.Span{note.Spans[0].Span}, "n", dates.Reference{})
		if err != nil {
			t.Fatal(err)
		}
		return out.Text
	}
	moved := strings.TrimSuffix(release(), beside)
	if year := moved[len(moved)-4:]; release(year+"2237") != "[DATE]"+beside {
		t.Errorf("the note became %q", release(year+"2237"))
	}
}
