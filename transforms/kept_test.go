package transforms

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// What stands in a kept column is counted, whatever the column is made of.
func TestLookout(t *testing.T) {
	english, err := rules.New("en")
	if err != nil {
		t.Fatal(err)
	}
	text := table.Column{Path: "c", Role: table.RoleKeep, Text: true}
	number := table.Column{Path: "c", Role: table.RoleKeep, Number: true}
	stay := surrogate.Options{Policy: surrogate.Policy{DateColumns: surrogate.Keep}}
	for _, test := range []struct {
		name   string
		column table.Column
		values string // with bars between
		dates  surrogate.Options
		want   schemas.ColumnCounts
	}{
		{"words", text, "DS|Progress note|11506-3", surrogate.Options{}, schemas.ColumnCounts{Sampled: 3}},
		{"numbers", text, "617-555-0142|617-555-0142", surrogate.Options{}, schemas.ColumnCounts{Numbers: 2, Sampled: 1}},
		{"days", text, "2014-03-12|2014-03-12|12-MAR-2014|20140312|3/12/2014 10:00", surrogate.Options{},
			schemas.ColumnCounts{Days: 5, Sampled: 4}},
		{"days where dates stay", text, "2014-03-12|20140312", stay, schemas.ColumnCounts{Sampled: 2}},
		{"days in numbers", number, "20140312|5", surrogate.Options{}, schemas.ColumnCounts{Days: 1}},
		{"no UTF-8", text, "Garc\xeda|Garc\xeda|\xff", surrogate.Options{}, schemas.ColumnCounts{Opaque: 3}},
		{"documents", text, `{\rtf1\ansi Seen}|` + strings.Repeat("7b5c727466", 13), surrogate.Options{},
			schemas.ColumnCounts{Opaque: 2, Sampled: 2}},
	} {
		d := &deid.Detector{Settings: deid.Settings{Steps: deid.AllSteps(), Surrogates: test.dates},
			Rules: func() deid.Matcher { return english.NewMatcher() }}
		l := newLookout(d, []table.Column{test.column})
		for v := range strings.SplitSeq(test.values, "|") {
			l.look([]table.Kept{{Column: "c", Value: v}}, []bool{false})
		}
		counts, err := l.counts()
		if err != nil || counts["c"] != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.name, counts["c"], err, test.want)
		}
	}
}

// A value of a kept column may be a long document: of those that were met, the hashes are
// remembered alone, and one for each.
func TestLookoutRemembersHashes(t *testing.T) {
	l := newLookout(&deid.Detector{}, []table.Column{{Path: "c", Role: table.RoleKeep, Text: true}})
	long := strings.Repeat("long ", 1<<16)
	for _, v := range []string{long, long, long + "x"} {
		l.look([]table.Kept{{Column: "c", Value: v}}, []bool{false})
	}
	c := l.columns["c"]
	if len(c.met) != 2 || len(c.sample) != 2 {
		t.Errorf("%d values are remembered, and %d sampled", len(c.met), len(c.sample))
	}
	for key := range c.met {
		if len(key) != 16 {
			t.Errorf("%d bytes of a value are remembered", len(key))
		}
	}
}
