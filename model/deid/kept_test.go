package deid_test

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

func TestNumbersInKeptValues(t *testing.T) {
	english, err := rules.New("en")
	if err != nil {
		t.Fatal(err)
	}
	d := &deid.Detector{Settings: deid.Settings{Steps: deid.AllSteps()}, Rules: func() deid.Matcher { return english.NewMatcher() }}
	for value, want := range map[string]bool{
		"617-555-0142": true, "call (617) 555-0142": true, "MRN 123456": true, "a.b@example.org": true, "http://example.org/u/17": true,
		"": false, "x12": false, "x1040": false, "11506-3": false, "LOINC:11506-3": false, "44814637": false, "E11.9": false,
		"Progress note": false,
	} {
		if got := d.Numbers(value); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestKnownInKeptValues(t *testing.T) {
	keys, err := surrogate.NewKeyring([]byte("a key of the tests: fifty bytes or so, never to be seen"), 0)
	if err != nil {
		t.Fatal(err)
	}
	notes := []*deid.Note{{Document: "n10001", Patient: "p", Spans: nil}}
	plan := deid.Resolve(deid.Settings{}, notes, []lexicon.Identifiers{{
		PatientID: "p", Names: []string{"Zebulon Quackenbush"}, MRNs: []string{"8814421"}, BirthDate: "1950-05-06",
	}}, nil)
	p := (&deid.Rewriter{Settings: deid.Settings{Surrogates: surrogate.Options{}}, Keys: keys}).Open(&plan)
	for value, want := range map[string]bool{
		"Letter of Mr. Quackenbush": true, "QUACKENBUSH, ZEBULON": true, "8814421": true, "mrn8814421": true, "19500506": true, "5/6/1950": true,
		"n10001": true, "Progress note": false, "8814422": false, "19500507": false, "": false,
	} {
		if got := p.Knows(value); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestCompactDays(t *testing.T) {
	for value, want := range map[string]bool{"20190304": true, "19000101": true, "20191304": false, "2019034": false, "18990101": false,
		"": false} {
		if got := deid.CompactDay(value); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestDays(t *testing.T) {
	for value, want := range map[string]bool{
		"2014-03-12": true, " 2014-03-12 ": true, "2014-03-12T10:20:30Z": true, "2014-03-12 10:20:30.000": true, "2014/03/12": true,
		"3/12/2014": true, "31/12/2014": true, "12.03.2014": true, "12-MAR-2014": true, "Mar 12, 2014": true, "20140312": true,
		"": false, "120/80": false, "2014-13-12": false, "99140312": false, "11506-3": false, "Progress note": false, "1.2.3.4.5.6": false,
	} {
		if got := deid.Day(value); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
