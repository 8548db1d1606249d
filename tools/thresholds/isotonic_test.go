package main

import (
	"reflect"
	"testing"
)

func TestIsotonic(t *testing.T) {
	for _, c := range []struct {
		name  string
		spans []scored
		want  []step
		at    float64 // from which half is right
	}{
		{"none", nil, nil, 2},
		{"rising", []scored{{0.9, true}, {0.1, false}}, []step{{0.1, 0, 1}, {0.9, 1, 1}}, 0.9},
		{"falling becomes one", []scored{{0.1, true}, {0.2, false}, {0.3, false}}, []step{{0.1, 1.0 / 3, 3}}, 2},
		{"equal scores are one", []scored{{0.5, true}, {0.5, false}, {0.2, false}}, []step{{0.2, 0, 1}, {0.5, 0.5, 2}}, 0.5},
		{"pools back", []scored{{0.1, false}, {0.2, true}, {0.3, true}, {0.4, false}, {0.5, true}},
			[]step{{0.1, 0, 1}, {0.2, 2.0 / 3, 3}, {0.5, 1, 1}}, 0.2},
	} {
		got := isotonic(c.spans)
		if !reflect.DeepEqual(got, c.want) || threshold(got, 0.5) != c.at {
			t.Errorf("%s: %v from %v, want %v from %v", c.name, got, threshold(got, 0.5), c.want, c.at)
		}
	}
}
