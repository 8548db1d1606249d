package pipeline

// recallLevel is how far a job leans towards finding more, in nats taken from the
// score of "no PHI".
type recallLevel struct {
	bias  float64 // what is found like this is treated as the policy says
	doubt float64 // what is found like this alone is tagged; 0 for none
}

// recallLevels were chosen on the dev parts of the examples and of the training
// notes; docs/recall.md has the figures, and make recall-levels makes them.
var recallLevels = map[string]recallLevel{
	"balanced": {bias: 0.25},
	"high":     {bias: 1},
	"maximum":  {bias: 0.25, doubt: 1.75},
}
