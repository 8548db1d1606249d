package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// The tables that rows stand in.
const (
	inRules  = "Families of rules"
	inGuards = "Guards"
	inSteps  = "Steps"
	inAdded  = "What is off, switched on"
	together = "Proposals"
)

// row is one change to the default job.
type row struct {
	table, name string
	of          []string // the rows that a proposal holds
	robust      bool     // measured on other styles and networks too

	families   []string // of rules, left out
	drop       []string // steps
	parts      merge.Part
	vetoes     veto.Set
	mode       merge.Mode
	exactNames bool
	unknown    bool // without known identifiers
}

func (r row) steps() []string {
	return slices.DeleteFunc(deid.AllSteps(), func(s string) bool { return slices.Contains(r.drop, s) })
}

func (r row) merge(o *merge.Options) {
	o.Without |= r.parts
	o.Vetoes |= r.vetoes
	if r.mode != "" {
		o.Mode = r.mode
	}
}

// words are the families that find by words: by what announces a name, or how a
// name ends. The others find by shape or by the label of a number.
var words = []string{"names", "users", "places"}

func rows() []row {
	all := []row{{table: inRules, name: "all rules", robust: true, drop: []string{deid.StepRules}}}
	families := rules.Families("en")
	for _, f := range families {
		all = append(all, row{table: inRules, name: "rules: " + f, robust: true, families: []string{f}})
	}
	shapes := slices.DeleteFunc(slices.Clone(families), func(f string) bool { return slices.Contains(words, f) })
	all = append(all,
		row{table: inRules, name: "rules by words", robust: true, families: words},
		row{table: inRules, name: "rules by shape", robust: true, families: shapes},
		row{table: inGuards, name: "all guards", robust: true, vetoes: ^veto.Set(0)})
	for k, why := range veto.Reasons() {
		all = append(all, row{table: inGuards, name: "guard: " + why, vetoes: 1 << k})
	}
	for _, p := range []struct {
		name string
		part merge.Part
	}{
		{"a rule's ends give way", merge.Ends}, {"rules that only confirm give way", merge.Confirmed}, {"clip", merge.Clip},
		{"known names within others", merge.Within}, {"legible", merge.Legible}, {"whole dates", merge.Whole}, {"cues", merge.Cues},
		{"names spelt letter by letter", merge.Spelled}, {"misread words", merge.Misread},
	} {
		all = append(all, row{table: inSteps, name: p.name, robust: true, parts: p.part})
	}
	return append(all,
		row{table: inSteps, name: "reconciliation", robust: true, drop: []string{deid.StepReconciliation}},
		row{table: inSteps, name: "sweep", robust: true, drop: []string{deid.StepSweep}},
		row{table: inSteps, name: "near misses of names", robust: true, exactNames: true},
		row{table: inSteps, name: "known identifiers", robust: true, unknown: true},
		row{table: inAdded, name: "priority in place of union", robust: true, mode: merge.Priority},
	)
}

// combined returns a row that makes the changes of several.
func combined(name string, of []string, all []row) (row, error) {
	sum := row{table: together, name: name, robust: true}
	for _, n := range of {
		k := slices.IndexFunc(all, func(r row) bool { return r.name == strings.TrimSpace(n) })
		if k < 0 {
			return sum, fmt.Errorf("no row has the name %q", n)
		}
		r := all[k]
		sum.of = append(sum.of, r.name)
		sum.families, sum.drop = append(sum.families, r.families...), append(sum.drop, r.drop...)
		sum.parts |= r.parts
		sum.vetoes |= r.vetoes
		sum.exactNames = sum.exactNames || r.exactNames
		sum.unknown = sum.unknown || r.unknown
		if r.mode != "" {
			sum.mode = r.mode
		}
	}
	return sum, nil
}
