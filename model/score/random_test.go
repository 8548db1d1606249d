package score

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// words of the random texts: plain, accented, glued, abbreviated, numbers.
var vocabulary = strings.Fields("the patient Ann Lee-Smith seen by Dr. O'Hara at MGH St. Ñuñez on 3/21/2075 MRN0081 4B " +
	"K.C. — and 5 Boston VT 02139 555-014-2277 Ábalos née (x) \"q\" 王伟 -- ")

// randomText joins words by blanks, line ends and nothing.
func randomText(r *rand.Rand, words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(vocabulary[r.IntN(len(vocabulary))])
		b.WriteString([]string{" ", " ", " ", "\n", ", ", ""}[r.IntN(6)])
	}
	return b.String()
}

// randomSpan draws a span of up to forty bytes, its ends between characters.
func randomSpan(r *rand.Rand, text string) Annotation {
	start := r.IntN(len(text))
	end := min(len(text), start+r.IntN(40))
	for !boundary(text, start) {
		start--
	}
	for !boundary(text, end) {
		end++
	}
	return label(r, Annotation{Start: start, End: max(start, end)})
}

func label(r *rand.Rand, a Annotation) Annotation {
	t := phi.Types()[r.IntN(len(phi.Types()))]
	a.Category, a.Label = t.Category(), t.String()
	if r.IntN(10) == 0 {
		a.Label = strings.ToLower(a.Label)
	}
	a.Score = float32(r.IntN(101)) / 100
	return a
}

// randomDocument draws spans that nest, touch, overlap and repeat, and a
// system that keeps, shifts, relabels, drops and invents.
func randomDocument(r *rand.Rand, id int) Document {
	d := Document{ID: fmt.Sprintf("note-%04d", id), Text: randomText(r, 5+r.IntN(60))}
	for range r.IntN(8) {
		d.Gold = append(d.Gold, randomSpan(r, d.Text))
		if r.IntN(6) == 0 {
			d.Gold = append(d.Gold, d.Gold[r.IntN(len(d.Gold))])
		}
	}
	for _, a := range d.Gold {
		switch r.IntN(6) {
		case 0: // missed
		case 1:
			d.System = append(d.System, label(r, a))
		case 2:
			a.End = min(len(d.Text), a.End+r.IntN(4))
			for !boundary(d.Text, a.End) {
				a.End++
			}
			d.System = append(d.System, a)
		default:
			d.System = append(d.System, a)
		}
	}
	for range r.IntN(3) {
		d.System = append(d.System, randomSpan(r, d.Text))
	}
	return d
}

func randomDocuments(seed uint64, n int) []Document {
	r := rand.New(rand.NewPCG(seed, 0))
	var list []Document
	for i := range n {
		list = append(list, randomDocument(r, i))
	}
	return list
}

// shuffled permutes annotations but keeps those of one start, category and
// type in order, which the relaxed measure depends on.
func shuffled(r *rand.Rand, list []Annotation) []Annotation {
	out := slices.Clone(list)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	type key struct {
		start int
		tag   string
	}
	keyOf := func(a Annotation) key { return key{a.Start, strings.ToUpper(a.Category + "/" + a.Label)} }
	places := map[key][]Annotation{}
	for _, a := range list {
		places[keyOf(a)] = append(places[keyOf(a)], a)
	}
	for i, a := range out {
		k := keyOf(a)
		out[i] = places[k][0]
		places[k] = places[k][1:]
	}
	return out
}
