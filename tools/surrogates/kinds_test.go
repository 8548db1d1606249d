package main

import (
	"strings"
	"testing"
)

func TestHeads(t *testing.T) {
	t.Chdir("../..") // where the lists are
	l, err := readLists()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, now string
		want     int
	}{
		{"Valebourne General Hospital", "Amberside General Hospital", 1},
		{"Valebourne General Quillmere Hospital", "Amberside General Penworth Hospital", 2},
		{"Oldman Wing C", "Heathside Wing P", 1},
		{"Valebourne Hill Halifax", "Amberside Hill Wenthorpe", 1}, // a town for a town
		{"Valebourne Medical Quillmere", "Amberside Medical Penworth", 2},
	} {
		if got := l.heads(strings.Fields(c.old), strings.Fields(c.now)); got != c.want {
			t.Errorf("%s to %s: %d heads, want %d", c.old, c.now, got, c.want)
		}
	}
}
