package surrogate

import "github.com/palimpsest-deid/palimpsest/model/phi"

// Replacement is what stands in place of one span of a text.
type Replacement struct {
	phi.Span                // what was found, in bytes of the original
	New              string // what stands there now
	Outcome          Outcome
	Action           Action // of the policy
	OutStart, OutEnd int    // where, in bytes of the released text; OutEnd is exclusive
}
