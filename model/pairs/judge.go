package pairs

import (
	"cmp"
	"math"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// Judge knows of a note what all of its pairs share. It takes time that grows with the pairs,
// however many they are.
type Judge struct {
	note           *Note
	leads          []float64
	mean           float64
	dayOf          [][]int // of each pair, in the year that brings it nearest to the note
	known          []told  // the days of the text's dates, ascending
	before, behind []int   // the nearest sure pairs of other surfaces, -1 for none
	sureOf         map[string]int
	unlikelyOf     map[int]int // by second number
	about          []int       // a day of each year that dates of the text are of
}

// told is a day and the pair that says it, "" for what is none.
type told struct {
	day     int
	surface string
}

// NewJudge makes ready for the pairs of a note.
func NewJudge(n *Note) *Judge {
	j := &Judge{note: n, leads: make([]float64, len(n.Pairs)), dayOf: make([][]int, len(n.Pairs)),
		before: make([]int, len(n.Pairs)), behind: make([]int, len(n.Pairs)), sureOf: map[string]int{}, unlikelyOf: map[int]int{}}
	for _, d := range n.Days {
		j.known = append(j.known, told{day: d})
	}
	day := n.Ref.NoteDay
	if !n.Ref.HasNoteDay && len(n.Days) > 0 {
		day = n.Days[len(n.Days)-1]
	}
	for k, o := range n.Opinions {
		j.leads[k] = o.lead()
		j.mean += j.leads[k] / float64(len(n.Opinions))
		if j.leads[k] < unlikely {
			j.unlikelyOf[n.Pairs[k].B]++
		}
		if j.leads[k] < sure {
			continue
		}
		j.sureOf[n.surface(k)]++
		days, _ := n.days(n.Pairs[k])
		for _, d := range days {
			if after, ok := apart([][2]int{d}, day); ok {
				j.dayOf[k] = append(j.dayOf[k], day+after)
				j.known = append(j.known, told{day + after, n.surface(k)})
			}
		}
	}
	slices.SortFunc(j.known, func(a, b told) int { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.surface, b.surface)) })
	j.known = slices.Compact(j.known)
	for _, d := range j.known {
		year, _, _ := dates.CivilFromDays(d.day)
		if at := dates.DaysFromCivil(year, 7, 1); len(j.about) == 0 || j.about[len(j.about)-1] != at {
			j.about = append(j.about, at)
		}
	}
	j.neighbours()
	return j
}

// neighbours finds the sure pairs before and behind each.
func (j *Judge) neighbours() {
	walk := func(to []int, order func(i int) int) {
		last, other := -1, -1 // the last sure pair, and the last of another surface than that
		for i := range to {
			k := order(i)
			to[k] = last
			if last >= 0 && j.note.surface(last) == j.note.surface(k) {
				to[k] = other
			}
			if j.leads[k] >= sure {
				if last >= 0 && j.note.surface(last) != j.note.surface(k) {
					other = last
				}
				last = k
			}
		}
	}
	walk(j.before, func(i int) int { return i })
	walk(j.behind, func(i int) int { return len(j.behind) - 1 - i })
}

// years returns a day of each year that the text's dates are of: three where there are more
// than eight, as then not all can be looked at.
func (j *Judge) years() []int {
	if n := len(j.about); n > 8 {
		return []int{j.about[0], j.about[n/2], j.about[n-1]}
	}
	return j.about
}

// nearest returns how far a day lies from the text's nearest date, those of pairs with a surface
// left out.
func (j *Judge) nearest(day int, without string) (distance int, ok bool) {
	i, _ := slices.BinarySearchFunc(j.known, day, func(t told, day int) int { return cmp.Compare(t.day, day) })
	for k := i; k < len(j.known); k++ {
		if j.known[k].surface != without {
			distance, ok = j.known[k].day-day, true
			break
		}
	}
	for k := i - 1; k >= 0; k-- {
		if j.known[k].surface != without {
			if d := day - j.known[k].day; !ok || d < distance {
				distance, ok = d, true
			}
			break
		}
	}
	return distance, ok
}

// Chance returns how likely it is that pair k is a date.
func (j *Judge) Chance(k int) float64 {
	if !j.note.Opinions[k].Told {
		return j.Features(k).Chance(&unseen)
	}
	return j.Features(k).Chance(&seen)
}

// Chance returns how likely a date is by some weights.
func (f Features) Chance(weights *Features) float64 {
	sum := 0.0
	for i, x := range f {
		sum += float64(weights[i] * x) // never in one step with the sum: the same on every processor
	}
	return 1 / (1 + math.Exp(-sum))
}
