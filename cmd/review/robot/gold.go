package robot

import (
	"slices"
	"unicode"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/review"
)

// Annotation is a row of gold annotations; offsets are code points of the original.
type Annotation struct {
	DocumentID string `parquet:"document_id,dict"`
	Start      int32  `parquet:"start"`
	End        int32  `parquet:"end"`
	Type       string `parquet:"type,dict"`
}

// Gold is all that is known of notes, by document.
type Gold map[string][]Annotation

// ReadGold reads a table of gold annotations.
func ReadGold(file string) (Gold, error) {
	rows, err := parquet.ReadFile[Annotation](file)
	g := Gold{}
	for _, r := range rows {
		g[r.DocumentID] = append(g[r.DocumentID], r)
	}
	return g, err
}

// Knows is what gold says of a note: the type of each span that the job replaced,
// empty where it is needless, and, in the released text, what the job left and all
// identifiers.
func (g Gold) Knows(n *review.Note, original []rune) (types []string, left, all []review.Mark) {
	types = make([]string, len(n.Spans))
	for _, a := range g[n.Document] {
		var touched []review.Span
		rest := false
		for at := int(a.Start); at < int(a.End); at++ {
			in := false
			for i, s := range n.Spans {
				if s.Start <= at && at < s.End {
					in = true
					if len(touched) == 0 || touched[len(touched)-1] != s {
						touched = append(touched, s)
					}
					if types[i] == "" || a.Start == int32(s.Start) && a.End == int32(s.End) {
						types[i] = a.Type
					}
				}
			}
			rest = rest || !in && (unicode.IsLetter(original[at]) || unicode.IsDigit(original[at]))
		}
		start, end := moved(n, int(a.Start)), moved(n, int(a.End))
		for _, s := range touched {
			start, end = min(start, s.OutStart), max(end, s.OutEnd)
		}
		m := review.Mark{Start: start, End: end, Type: a.Type}
		all = append(all, m)
		if rest {
			left = append(left, m)
		}
	}
	return types, left, joined(all)
}

// joined returns marks of which those that overlap are one, of the type of the first:
// identifiers that share a replacement cannot be marked one by one.
func joined(marks []review.Mark) []review.Mark {
	slices.SortStableFunc(marks, func(a, b review.Mark) int { return a.Start - b.Start })
	var all []review.Mark
	for _, m := range marks {
		if k := len(all) - 1; k >= 0 && m.Start < all[k].End {
			all[k].End = max(all[k].End, m.End)
			continue
		}
		all = append(all, m)
	}
	return all
}

// moved returns where a place outside of spans stands in the released text.
func moved(n *review.Note, at int) int {
	by := 0
	for _, s := range n.Spans {
		if s.End <= at {
			by = s.OutEnd - s.End
		}
	}
	return at + by
}

// Truth counts, in whole notes, the identifiers that the job found and those it
// left, as an estimate counts them where the policy keeps no type: what the job found and
// did not replace it left, unless it may stay as it is.
func (g Gold) Truth(notes []review.Note, originals [][]rune) (found, missed int) {
	for i := range notes {
		types, left, _ := g.Knows(&notes[i], originals[i])
		missed += len(left)
		for k, t := range types {
			s := notes[i].Spans[k]
			within := slices.ContainsFunc(left, func(m review.Mark) bool { return m.Start < s.OutEnd && s.OutStart < m.End })
			switch {
			case t == "":
			case !s.Kept:
				found++
			case (t != s.Type || !review.StaysTrue(t)) && !within:
				missed++
			}
		}
	}
	return found, missed
}
