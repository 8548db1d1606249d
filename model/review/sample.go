package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Unit is a released note as the drawing sees it.
type Unit struct {
	Document string
	Kind     string  // what a column of the table says, such as the note's type; may be empty
	Length   int     // code points
	Spans    int     // that were replaced
	Score    float32 // the lowest of them: how sure the job was; 1 where nothing was replaced
}

// Drawn is a unit of the sample.
type Drawn struct {
	Unit        int // index
	Probability float64
	Stratum     string // kind, quarter by length, and whether the job was in doubt
	Blind       bool   // shown without marks at first
}

// doubtful is how many times as often a note is drawn that has one of the lowest
// scores: among these more is missed.
const doubtful = 2

// blindEvery is the share of notes that are shown without marks, one in so many.
const blindEvery = 5

// Draw takes n of the units, or all if there are fewer, in the order in which
// they are to be shown. Equal units, whatever their order, and an equal seed
// give the same sample.
//
// It draws at even distances of the chances from a list that is ordered by kind,
// length, number of spans and doubt (Madow, "On the theory of systematic
// sampling II", Annals of Mathematical Statistics 20, 1949), so that each of
// these strata, however small, gets its share and each note's chance is known.
// Any beginning of the sample is a sample of the same kind.
func Draw(units []Unit, n int, seed uint64) ([]Drawn, error) {
	if len(units) == 0 {
		return nil, errors.New("there is no released note to draw from")
	}
	if n < 1 {
		return nil, errors.New("draw one note at least")
	}
	hash := func(what, document string) uint64 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", seed, what, document))
		return binary.BigEndian.Uint64(sum[:])
	}
	strata := strataOf(units)
	list := make([]int, len(units))
	for i := range list {
		list[i] = i
	}
	slices.SortFunc(list, func(a, b int) int {
		x, y := strata[a], strata[b]
		return cmp.Or(
			cmp.Compare(x.kind, y.kind), cmp.Compare(x.length, y.length), cmp.Compare(x.doubt, y.doubt),
			cmp.Compare(units[a].Spans, units[b].Spans),
			cmp.Compare(hash("list", units[a].Document), hash("list", units[b].Document)), cmp.Compare(units[a].Document, units[b].Document))
	})
	chances := chances(strata, min(n, len(units)))
	var drawn []Drawn
	next := float64(hash("start", "")>>11) / (1 << 53)
	at := 0.0
	for _, i := range list {
		if at += chances[i]; at > next {
			next++
			drawn = append(drawn, Drawn{Unit: i, Probability: chances[i], Stratum: strata[i].String()})
		}
	}
	slices.SortFunc(drawn, func(a, b Drawn) int {
		x, y := units[a.Unit].Document, units[b.Unit].Document
		return cmp.Or(cmp.Compare(hash("order", x), hash("order", y)), cmp.Compare(x, y))
	})
	for i := range drawn {
		drawn[i].Blind = i%blindEvery == blindEvery/2
	}
	return drawn, nil
}

// stratum is what a unit is like.
type stratum struct {
	kind   string
	length int // quarter, 0 to 3
	doubt  int // 1 for the quarter with the lowest scores
}

func (s stratum) String() string {
	text := fmt.Sprintf("length quarter %d", s.length+1)
	if s.kind != "" {
		text = s.kind + ", " + text
	}
	if s.doubt > 0 {
		text += ", in doubt"
	}
	return text
}

func strataOf(units []Unit) []stratum {
	var lengths []int
	var scores []float32
	for _, u := range units {
		lengths, scores = append(lengths, u.Length), append(scores, u.Score)
	}
	slices.Sort(lengths)
	slices.Sort(scores)
	strata := make([]stratum, len(units))
	for i, u := range units {
		s := stratum{kind: u.Kind}
		for q := 1; q < 4; q++ {
			if u.Length >= lengths[q*len(lengths)/4] {
				s.length = q
			}
		}
		if u.Score < scores[len(scores)/4] {
			s.doubt = 1
		}
		strata[i] = s
	}
	return strata
}

// chances returns each unit's chance of being among n. None is above 1: what a
// unit would have beyond it goes to the others.
func chances(strata []stratum, n int) []float64 {
	p := make([]float64, len(strata))
	certain := 0
	for {
		size := 0.0
		for i, s := range strata {
			if p[i] < 1 {
				size += float64(1 + (doubtful-1)*s.doubt)
			}
		}
		again := false
		left := float64(n - certain)
		for i, s := range strata {
			if p[i] >= 1 {
				continue
			}
			p[i] = left * float64(1+(doubtful-1)*s.doubt) / size
			if p[i] >= 1 {
				p[i], again = 1, true
				certain++
			}
		}
		if !again || certain == len(p) {
			return p
		}
		for i := range p { // those that were given a chance before others became certain get a new one
			if p[i] < 1 {
				p[i] = 0
			}
		}
	}
}
