package surrogate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// document replaces the mentions of one document in order.
func document(p *Patient, id string, mentions []string) []string {
	out := make([]string, len(mentions))
	for i, s := range mentions {
		out[i], _ = p.Replace(Mention{Type: phi.Patient, Surface: s, Document: id})
	}
	return out
}

// TestMarkov: along a document surrogates stay and change with the chance that
// is set, parts agree while they stay, and a document comes out the same
// whenever it is processed.
func TestMarkov(t *testing.T) {
	mentions := []string{}
	for range 100 {
		mentions = append(mentions, "John Smith", "Mr Smith", "JS", "Noreen Smith")
	}
	const change = 0.25
	changes, runs := 0, 0
	for i := range 20 {
		id := fmt.Sprint("d", i)
		p := patient(t, "k", "p1", Options{Scope: Markov, MarkovChange: change})
		out := document(p, id, mentions)
		if again := document(patient(t, "k", "p1", Options{Scope: Markov, MarkovChange: change}), id, mentions); strings.Join(again,
			"\n") != strings.Join(out, "\n") {
			t.Fatal("the document differs when processed again")
		}
		family := func(i int) string {
			w := strings.Fields(out[i])
			return w[len(w)-1]
		}
		for i := range mentions {
			if mentions[i] == "JS" || i == 0 || mentions[i-1] == "JS" {
				continue
			}
			runs++
			if family(i) != family(i-1) {
				changes++
			}
		}
	}
	still := document(patient(t, "k", "p1", Options{Scope: Markov, MarkovChange: 1e-12}), "d", mentions)
	full := strings.Fields(still[0])
	for i := 0; i < len(still); i += 4 {
		if still[i] != still[0] || still[i+1] != "Mr "+full[1] || still[i+2] != full[0][:1]+full[1][:1] ||
			!strings.HasSuffix(still[i+3], full[1]) {
			t.Fatalf("without a change %q stands beside %q", still[0], still[i:i+4])
		}
	}
	if rate := float64(changes) / float64(runs); rate < change-0.05 || rate > change+0.05 {
		t.Errorf("surrogates change at %.3f of the mentions, want %.2f", rate, change)
	}
	p := patient(t, "k", "p1", Options{Scope: Markov})
	if a, b := document(p, "d1", mentions[:1]), document(p, "d2", mentions[:1]); a[0] == b[0] {
		t.Error("two documents begin with the same surrogate")
	}
	if a, b := p.Offset("d1"), p.Offset("d2"); a != b {
		t.Error("dates take part")
	}
}

// TestDateScopeDocument: each document has an offset of its own, in texts and
// columns alike.
func TestDateScopeDocument(t *testing.T) {
	p := patient(t, "k", "p1", Options{DateScope: PerDocument})
	offsets := map[int]bool{}
	for i := range 20 {
		m := Mention{Type: phi.Date, Surface: "3/4/2018", Document: fmt.Sprint("d", i)}
		out, _ := p.Replace(m)
		day, _ := dates.ParseDays("3/4/2018", dates.Reference{})
		moved, _ := dates.ParseDays(out, dates.Reference{})
		if got, _ := p.Days(day, m); got != moved-day || got != p.Offset(m.Document) {
			t.Errorf("the text moves by %d days, the column by %d", moved-day, got)
		}
		offsets[moved-day] = true
	}
	if len(offsets) < 15 {
		t.Errorf("20 documents have %d offsets", len(offsets))
	}
}
