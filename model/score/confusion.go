package score

// confusion counts pairs of label indexes.
type confusion struct {
	pairs             map[[2]int32]int // gold, system
	missing, spurious map[int32]int
}

func newConfusion() confusion {
	return confusion{map[[2]int32]int{}, map[int32]int{}, map[int32]int{}}
}

func (c *confusion) add(gold, system int32) { c.pairs[[2]int32{gold, system}]++ }

// table lays the counts out in the order given: a permutation of the label
// indexes.
func (c *confusion) table(labels []string, order []int32) Confusion {
	n := len(order)
	t := Confusion{Labels: make([]string, n), Counts: make([][]int, n), Missing: make([]int, n), Spurious: make([]int, n)}
	for i, a := range order {
		t.Labels[i] = labels[a]
		t.Missing[i] = c.missing[a]
		t.Spurious[i] = c.spurious[a]
		t.Counts[i] = make([]int, n)
		for j, b := range order {
			t.Counts[i][j] = c.pairs[[2]int32{a, b}]
		}
	}
	return t
}
