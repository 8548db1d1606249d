package transforms

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/ensemble"
)

// The steps around the network that a job may go without.
const (
	StepRules          = "rules"          // the rule tagger
	StepCorrection     = "correction"     // types by context
	StepGuards         = "guards"         // what only the network found and is medicine
	StepRepair         = "repair"         // names found in part
	StepReconciliation = "reconciliation" // one type per surface
	StepSweep          = "sweep"          // what one note knows, in all of the patient's
)

// AllSteps lists the steps in the order of the data flow.
func AllSteps() []string {
	return []string{StepRules, StepGuards, StepRepair, StepCorrection, StepReconciliation, StepSweep}
}

// DefaultSteps are the steps that a job takes if nothing else is said: those
// that make a difference by docs/components-unseen.md, and the guards, which do by
// the phrases of medicine in model/rules/testdata. Repair and correction helped a
// weaker network.
func DefaultSteps() []string {
	return slices.DeleteFunc(AllSteps(), func(s string) bool { return s == StepRepair || s == StepCorrection })
}

func (c Config) has(step string) bool { return slices.Contains(c.Steps, step) }

// tagging returns how the spans of one text are brought together as the taggers
// found them. Later passes have no guards: what is found elsewhere overrules.
func (c Config) tagging() ensemble.Options {
	o := c.combining()
	o.Guard = c.has(StepGuards)
	return o
}

// combining returns how the spans of one text are brought together.
func (c Config) combining() ensemble.Options {
	return ensemble.Options{Correct: c.has(StepCorrection), Repair: c.has(StepRepair)}
}
