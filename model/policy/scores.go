// Package policy holds the score policy: every score from 0 to 1 at which the
// job decides one way or the other, each named once. Scores are the network's
// probability of a span, or how far a rule is trusted.
package policy

const (
	// SurePattern is the score from which a rule names a type by its form alone,
	// such as an e-mail address, and outranks the network about type and ends.
	// Below it a pattern counts as a word.
	SurePattern = 0.9

	// FairRule is the score from which a rule goes before those that are below
	// it, where rules overlap one another.
	FairRule = 0.75

	// WeakNetwork is the score below which the network's word on where a span
	// ends gives way to a sure pattern's.
	WeakNetwork = 0.5

	// DoubtfulEnds is the score below which the network's ends are no better
	// than those of a rule that goes by words.
	DoubtfulEnds = 0.1

	// NoDate is the chance (phi.Odds) below which two numbers are no date where
	// a rule that goes by words, or what stands beside them, says so. A date that stays tells how
	// far the patient's others moved, so it is low: 0.02 spares more scores, and leaves a date
	// of one more of 50 patients of the notes set aside for choosing.
	NoDate = 0.002

	// PairDate is the chance (model/pairs) from which two numbers are a date.
	PairDate = 0.15

	// Confirmed is the score from which the network alone says where a span ends
	// and what it is, where rules find nothing beyond it.
	Confirmed = 0.2

	// Labelled is the score from which a rule has a label or a check digit to
	// tell a number by, and not its form alone.
	Labelled = 0.8

	// LoneName is the score from which a value of a table, which has no text
	// around it, counts as a person's name: "Ottoline Farnsworth" has 0.13, "north" 0.02.
	LoneName = 0.1

	// Confident is the score from which one finding alone is reason to look for
	// the same words in the patient's other notes.
	Confident = 0.95

	// Majority is the sum of weights times scores from which taggers that vote
	// take a stretch.
	Majority = 0.5
)
