package estimate

import "strconv"

// Share returns a share, hits of of, with the 95 % interval of Korn and Graubard:
// that of Clopper and Pearson where clusters say no more than single trials do.
// Each element is a cluster, of equal weight.
func Share(hits, of []int) Interval {
	all := make([]observed, len(hits))
	for i := range hits {
		all[i] = observed{strconv.Itoa(i), 1, hits[i], of[i]}
	}
	p, _, _ := proportion(all)
	return p
}
