package score

// Kind is how a span is wrong.
type Kind string

// The kinds of mistakes.
const (
	Missed               Kind = "missed"            // a gold span that no system span overlaps
	Spurious             Kind = "spurious"          // a system span that overlaps no gold span
	WrongType            Kind = "type"              // same offsets, other type
	WrongBoundary        Kind = "boundary"          // overlap, same type
	WrongBoundaryAndType Kind = "boundary and type" // overlap, other type
)

// Cause is the probable reason of a mistake, as far as it can be computed:
// Trienes et al. 2020, section 5.2. Causes exclude each other; the first that
// holds in the order below counts. (That table's ambiguous, debatable and
// missing or wrong annotations need a reader; they end in Other.)
type Cause string

// The causes.
const (
	Tokenisation   Cause = "tokenisation"    // a boundary falls inside a token, or between a letter or digit and another
	Abbreviation   Cause = "abbreviation"    // by shape: at most five letters, all capitals, dots between them or not
	Prefix         Cause = "prefix"          // the boundaries differ by a leading article or title only
	CommonLanguage Cause = "common language" // every word is in the caller's dictionary
	OtherCause     Cause = "other"
)

// Mistake is one strict mistake in its place. It is handed out by Add and not
// kept.
type Mistake struct {
	Document string      `json:"document"`
	Kind     Kind        `json:"kind"`
	Cause    Cause       `json:"cause"`
	Gold     *Annotation `json:"gold,omitempty"`   // nil where Spurious
	System   *Annotation `json:"system,omitempty"` // nil where Missed

	// A pair of one gold and one system span is both a false negative and a
	// false positive. A gold span whose system span is paired with another
	// gold span is a false negative only, and the other way round.
	FalseNegative bool `json:"false_negative"`
	FalsePositive bool `json:"false_positive"`

	// Exposed is true where a letter or digit of the gold span stands outside
	// of all system spans: the part of the mistake that can harm a patient.
	Exposed bool `json:"exposed"`
}
