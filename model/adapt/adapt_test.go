package adapt

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

func patients(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("p%03d", i))
	}
	return ids
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		patients           int
		held               float64
		train, stop, judge int
		wrong              string
	}{
		{40, 0.3, 22, 6, 12, ""},
		{12, 0.3, 6, 1, 5, ""},
		{20, 0, 16, 4, 0, ""},
		{8, 0.3, 0, 0, 0, "8 patients; adapting takes 9 at least, of whom 5 judge"},
		{3, 0, 0, 0, 0, "takes 4"},
	} {
		ids := patients(c.patients)
		parts, err := Split(append(ids, ids...), c.held, 1)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%d patients: %v, want %q", c.patients, err, c.wrong)
			}
			continue
		}
		count := map[Part]int{}
		for _, p := range parts {
			count[p]++
		}
		if err != nil || count[Train] != c.train || count[Stop] != c.stop || count[Held] != c.judge {
			t.Errorf("%d patients, %v held: %v (%v)", c.patients, c.held, count, err)
		}
		slices.Reverse(ids)
		if again, _ := Split(ids, c.held, 1); !maps.Equal(again, parts) {
			t.Error("another order gives other parts")
		}
		if other, _ := Split(ids, c.held, 2); maps.Equal(other, parts) {
			t.Error("another seed gives the same parts")
		}
	}
}

func TestBetterAndMore(t *testing.T) {
	for _, c := range []struct {
		f2, recall score.PairedDifference
		better     bool
		more       int
		ok         bool
	}{
		{score.PairedDifference{Difference: 0.02, Low: 0.01, Error: 0.005}, score.PairedDifference{Difference: 0.01}, true, 1, true},
		{score.PairedDifference{Difference: 0.02, Low: 0.01, Error: 0.005}, score.PairedDifference{Difference: -0.001}, false, 0, false},
		{score.PairedDifference{Difference: 0.01, Low: -0.01, Error: 0.01}, score.PairedDifference{}, false, 69, true},
		{score.PairedDifference{Difference: -0.01, Low: -0.02, Error: 0.01}, score.PairedDifference{}, false, 0, false},
	} {
		p := &score.Paired{Clusters: 10, F2: c.f2, Recall: c.recall}
		more, ok := More(p)
		if Better(p) != c.better || more != c.more || ok != c.ok {
			t.Errorf("%+v: %v, %d, %v", c, Better(p), more, ok)
		}
	}
}
