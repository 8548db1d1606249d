package surrogate

import (
	"embed"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Action is what is done to what was found of one type.
type Action string

// The actions.
const (
	Surrogate   Action = "surrogate"    // a made-up value of the same form; of dates shift, of ages generalise
	Tag         Action = "tag"          // the type: [DOCTOR]
	NumberedTag Action = "numbered_tag" // the type and who or what of the patient's it is: [DOCTOR-KTRV]
	Mask        Action = "mask"         // X, x and 0 for letters and digits
	Shift       Action = "shift"        // dates alone: moved by the patient's offset
	Generalise  Action = "generalise"   // dates to their year, ages above the limit to 90+, ZIP codes to three digits
	Keep        Action = "keep"         // as it is
)

// Actions lists them all.
func Actions() []Action {
	return []Action{Surrogate, Tag, NumberedTag, Mask, Shift, Generalise, Keep}
}

// Policy says what is done to each type, in full: as a file or a preset says it,
// resolved. The zero value means the preset surrogate-shift, in Options.
type Policy struct {
	Actions map[string]Action `json:"types"` // by the name of the type; all of them
	// DateColumns is what is done to structured dates, which have no form but a
	// date's: Shift, Generalise or Keep.
	DateColumns Action `json:"date_columns"`
	// Known is what is done to a known identifier of the patient where its type is
	// kept, unless the type is among KeepKnown.
	Known     Action   `json:"known_identifiers"`
	KeepKnown []string `json:"keep_known,omitempty"` // sorted
}

// Of returns what is done to a type.
func (p Policy) Of(t phi.Type) Action { return p.Actions[t.String()] }

// IsZero reports whether p says nothing.
func (p Policy) IsZero() bool { return p.Actions == nil }

// Makes reports whether names of people become other names.
func (p Policy) Makes() bool { return p.Of(phi.Patient) == Surrogate && p.Of(phi.Doctor) == Surrogate }

// All returns the policy in which every type is tagged or masked; structured
// dates are treated as before.
func (p Policy) All(a Action) Policy {
	all := map[string]Action{}
	for _, t := range phi.Types() {
		all[t.String()] = a
	}
	return Policy{Actions: all, DateColumns: p.DateColumns, Known: a}
}

// Name returns the preset that p equals, or "" for a policy of the user's own.
func (p Policy) Name() string {
	for _, name := range Presets() {
		if q, err := Preset(name); err == nil && reflect.DeepEqual(p, q) {
			return name
		}
	}
	return ""
}

// Check returns an error that says what to write instead where p cannot be used.
func (p Policy) Check() error {
	for _, t := range phi.Types() {
		if err := fits(p.Of(t), t); err != nil {
			return err
		}
	}
	date := p.Of(phi.Date)
	switch {
	case p.DateColumns != Shift && p.DateColumns != Generalise && p.DateColumns != Keep:
		return fmt.Errorf("date_columns %q: write %s, %s or %s", string(p.DateColumns), Shift, Generalise, Keep)
	case (date == Keep || date == Shift || date == Generalise) && date != p.DateColumns:
		return fmt.Errorf("DATE: %s and date_columns: %s: a date that is left beside one that moves tells by how much; treat both alike",
			date, p.DateColumns)
	}
	switch p.Known {
	case Surrogate, Tag, NumberedTag, Mask:
	default:
		return fmt.Errorf("known_identifiers %q: write %s, %s, %s or %s", string(p.Known), Surrogate, Tag, NumberedTag, Mask)
	}
	for _, name := range p.KeepKnown {
		if t, err := phi.ParseType(name); err != nil || p.Of(t) != Keep {
			return fmt.Errorf("keep_known: %s is not a type that is kept", name)
		}
	}
	return nil
}

// fits returns an error for an action that a type cannot have.
func fits(a Action, t phi.Type) error {
	switch {
	case !slices.Contains(Actions(), a):
		return fmt.Errorf("%s has no action", t)
	case a == Shift && t != phi.Date:
		return fmt.Errorf("%s cannot be shifted; only DATE can", t)
	case a == Generalise && t != phi.Date && t != phi.Age && t != phi.ZIP:
		return fmt.Errorf("%s cannot be generalised; only DATE, AGE and ZIP can", t)
	}
	return nil
}

// own returns the action that stands for surrogate in a type.
func own(a Action, t phi.Type) Action {
	switch {
	case a != Surrogate:
	case t == phi.Date:
		return Shift
	case t == phi.Age:
		return Generalise
	}
	return a
}

//go:embed policies/*.yaml
var policyFiles embed.FS

// Presets returns the names of the policies that come with the program.
func Presets() []string {
	files, err := fs.Glob(policyFiles, "policies/*.yaml")
	if err != nil {
		panic(err) // a pattern of ours
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, "policies/"), ".yaml")
	}
	return files
}

var presets = sync.OnceValue(func() map[string]Policy {
	all := map[string]Policy{}
	for _, name := range Presets() {
		raw, err := policyFiles.ReadFile("policies/" + name + ".yaml")
		if err == nil {
			all[name], err = ParsePolicy(name, raw, nil)
		}
		if err != nil {
			panic("surrogate: " + err.Error()) // a file of ours
		}
	}
	return all
})

// Preset returns a policy that comes with the program, which the caller must not
// change.
func Preset(name string) (Policy, error) {
	p, ok := presets()[name]
	if !ok {
		return p, fmt.Errorf("policy %q is unknown; there are %s", name, strings.Join(Presets(), ", "))
	}
	return p, nil
}

// Resolved returns the policy of some options, which Check has passed.
func (o Options) Resolved() Policy {
	if o.Policy.IsZero() {
		return presets()["surrogate-shift"]
	}
	return o.Policy
}
