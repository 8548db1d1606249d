package meddocan

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

func readBrat(t *testing.T, path string) map[string]corpus.Document {
	t.Helper()
	out := map[string]corpus.Document{}
	for d, err := range corpus.Read(context.Background(), corpus.Brat, path, corpus.ReadOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		out[d.ID] = d
	}
	return out
}

func spansOf(d corpus.Document) []Span {
	var out []Span
	for _, a := range d.Annotations {
		out = append(out, Span{a.Start, a.End, a.Label})
	}
	slices.SortFunc(out, func(a, b Span) int { return a.Start - b.Start })
	return out
}

// TestSteps prints what each step changes.
func TestSteps(t *testing.T) {
	gold, found := os.Getenv("GOLD"), os.Getenv("FOUND")
	if gold == "" {
		t.Skip()
	}
	gd, fd := readBrat(t, gold), readBrat(t, found)
	names := []string{"none", "trimEnds", "splitAddresses", "places", "addresses", "fields", "contacts", "doctors", "dates", "countries", "companies", "people", "ages"}
	out := os.Getenv("OUT")
	for k := range names {
		tp, sys, all := 0, 0, 0
		for id, d := range gd {
			n := &note{text: d.Text, spans: spansOf(fd[id])}
			before := n.spans
			for i, s := range steps[:k] {
				if i == k-1 {
					before = slices.Clone(n.spans)
				}
				s(n)
			}
			g := spansOf(d)
			all += len(g)
			sys += len(n.spans)
			for _, s := range n.spans {
				right := slices.Contains(g, s)
				if right {
					tp++
				}
				if !slices.Contains(before, s) && !right && os.Getenv("BAD") != "" {
					t.Logf("%s bad: %s %q [%q] %q", names[k], s.Label, d.Text[max(0, s.Start-30):s.Start], d.Text[s.Start:s.End], d.Text[s.End:min(len(d.Text), s.End+20)])
				}
			}
			if k > 0 {
				for _, s := range before {
					if !slices.Contains(n.spans, s) && slices.Contains(g, s) && os.Getenv("BAD") != "" {
						t.Logf("%s lost: %s %q [%q] %q", names[k], s.Label, d.Text[max(0, s.Start-30):s.Start], d.Text[s.Start:s.End], d.Text[s.End:min(len(d.Text), s.End+20)])
					}
				}
			}
			if k == len(names)-1 && out != "" {
				var b []byte
				_ = b
				_ = filepath.Join(out, id)
			}
		}
		p, r := float64(tp)/float64(sys), float64(tp)/float64(all)
		t.Logf("%-15s P %.2f R %.2f F %.2f  right %d of %d, gold %d", names[k], 100*p, 100*r, 200*p*r/(p+r), tp, sys, all)
	}
}
