package deid_test

import (
	"runtime"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/rules"
)

// A matcher has learnt from what it read, so it is kept for the next batch, whatever
// garbage is collected in between.
func TestMatchersAreKept(t *testing.T) {
	english, err := rules.New("en")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	d := &deid.Detector{Settings: deid.Settings{Steps: deid.AllSteps(), Language: "en"}, Rules: func() deid.Matcher {
		made++
		return english.NewMatcher()
	}}
	for range 3 {
		if _, err := d.Detect([]deid.Note{{Document: "n1", Patient: "p1"}}, [][]string{{"Seen on 03/04/2019."}}); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.GC()
	}
	if made != 1 {
		t.Errorf("%d matchers were made for one goroutine", made)
	}
}
