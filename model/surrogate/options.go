package surrogate

import (
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Scope is within what equal values get equal surrogates.
type Scope string

// The scopes. The zero value means PerPatient.
const (
	PerPatient  Scope = "patient"
	PerDocument Scope = "document"
	// Markov: within a document a surrogate may change from one mention to the
	// next, by chance under the key. See markov.go.
	Markov Scope = "markov"
)

// Sentinels says what becomes of dates that stand for "unknown" or "never".
type Sentinels string

// The ways. The zero value means MaskSentinels.
const (
	MaskSentinels Sentinels = "mask"
	KeepSentinels Sentinels = "keep"
)

// Options are a Patient's settings; the zero value is the default.
type Options struct {
	// Policy says what is done to each type. The zero value means the preset
	// surrogate-shift.
	Policy Policy
	// Scope is within what a surrogate stays the same. Dates do not depend on
	// it: see DateScope.
	Scope Scope
	// MarkovChange is the chance, in (0, 1], that a surrogate changes at the
	// next mention under scope Markov; 0 means 0.3.
	MarkovChange float64
	// Dates draws the offset. It must pass DatePolicy.Check.
	Dates DatePolicy
	// DateScope is within what dates share an offset: PerPatient or PerDocument.
	DateScope Scope
	// FixedOffset, where not 0, is the offset in days in place of a keyed one,
	// for sites that keep a table of their own.
	FixedOffset int
	// Sentinels says what becomes of 9/9/9999 and the like in texts and columns
	// of strings. In columns of dates they always stay as they are: they cannot
	// be masked, and a moved one would tell the offset.
	Sentinels Sentinels
	// AgeLimit is the last age that is kept, in years; 0 means 89.
	AgeLimit int
	// ExtractEnd is the last day of the extract, in days since 1970-01-01; 0 takes
	// each note's own day. Dates that are released as of later days are counted.
	ExtractEnd int
	// SharedDoctors gives a doctor's name one surrogate for all patients of the
	// key, in place of one per patient: caseloads can then be studied, and told.
	SharedDoctors bool
	// Language is that of the notes, "en" or "es": whose names and places are
	// drawn, and which country a patient lives in of whom nothing tells it.
	Language string
	// Lists is what surrogates are drawn from; nil for the program's lists.
	Lists *Lists
}

// spanish is the language whose surrogates are Spanish throughout.
const spanish = "es"

// Check returns an error that says what to write instead where o cannot be used.
func (o Options) Check() error {
	if !o.Policy.IsZero() {
		if err := o.Policy.Check(); err != nil {
			return err
		}
	}
	switch o.Scope {
	case "", PerPatient, PerDocument, Markov:
	default:
		return fmt.Errorf("consistency %q is unknown; write %s, %s or %s", string(o.Scope), PerPatient, PerDocument, Markov)
	}
	if o.MarkovChange < 0 || o.MarkovChange > 1 {
		return fmt.Errorf("the chance %g that a surrogate changes is not between 0 and 1", o.MarkovChange)
	}
	switch o.DateScope {
	case "", PerPatient, PerDocument:
	default:
		return fmt.Errorf("date scope %q is unknown; write %s or %s", string(o.DateScope), PerPatient, PerDocument)
	}
	switch o.Sentinels {
	case "", MaskSentinels, KeepSentinels:
	default:
		return fmt.Errorf("sentinel dates: %q is unknown; write %s or %s", string(o.Sentinels), MaskSentinels, KeepSentinels)
	}
	if o.AgeLimit < 0 {
		return fmt.Errorf("age limit %d is below 0; leave it out for 89", o.AgeLimit)
	}
	if o.FixedOffset > largestMaxDays || o.FixedOffset < -largestMaxDays {
		return fmt.Errorf("the supplied date offset is beyond %d days either way", largestMaxDays)
	}
	return o.Dates.Check()
}

// defaultMarkovChange makes runs of three mentions on average.
const defaultMarkovChange = 0.3

// Outcome says what became of a mention.
type Outcome uint8

// The outcomes.
const (
	Replaced Outcome = iota // a surrogate, or or by the policy the tag
	Kept                    // unchanged: a type that the policy keeps, an age within the limit, a weekday, month or year that stays true
	Masked                  // masked: by the policy, or a date or age that cannot be read
	numOutcomes
)

var outcomes = [numOutcomes]string{"replaced", "kept", "masked"}

// String returns the outcome's name in reports.
func (o Outcome) String() string {
	if o >= numOutcomes {
		return fmt.Sprintf("Outcome(%d)", uint8(o))
	}
	return outcomes[o]
}

// Mention is one stretch of a note to replace.
type Mention struct {
	Type     phi.Type
	Surface  string          // the text that is replaced
	Document string          // document id; read where a scope is the document
	Ref      dates.Reference // the note's, for dates with missing parts
	Said     []int           // days, besides the note's own, that an age may be of
	Doubtful bool            // it is tagged where another would get a surrogate
	Known    bool            // it holds a known identifier of the patient, which is kept in few policies
}
