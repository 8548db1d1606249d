// Package phi names protected health information: the types of the i2b2 2014
// annotation guideline, their categories, and the span that a tagger reports.
package phi

import (
	"fmt"
	"sort"
	"strings"
)

// Type is one of the i2b2 2014 PHI types. The zero value means "no PHI".
// The numeric values cross shuffles within one run and are never stored.
type Type uint8

// The i2b2 2014 types, in the guideline's order.
const (
	None Type = iota
	Patient
	Doctor
	Username
	Profession
	Room
	Department
	Hospital
	Organization
	Street
	City
	State
	Country
	ZIP
	LocationOther
	Age
	Date
	Phone
	Fax
	Email
	URL
	IPAddress
	SSN
	MedicalRecord
	HealthPlan
	Account
	License
	Vehicle
	Device
	BioID
	IDNum
	Other
	numTypes
)

// NumTypes is the number of types, None included: the length of a table indexed by Type.
const NumTypes = int(numTypes)

// names holds the guideline's spelling of each type.
var names = [NumTypes]string{
	"", "PATIENT", "DOCTOR", "USERNAME", "PROFESSION", "ROOM", "DEPARTMENT", "HOSPITAL",
	"ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER", "AGE", "DATE",
	"PHONE", "FAX", "EMAIL", "URL", "IPADDR", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT",
	"LICENSE", "VEHICLE", "DEVICE", "BIOID", "IDNUM", "OTHER",
}

// categories holds the guideline's category of each type.
var categories = [NumTypes]string{
	"", "NAME", "NAME", "NAME", "PROFESSION", "LOCATION", "LOCATION", "LOCATION",
	"LOCATION", "LOCATION", "LOCATION", "LOCATION", "LOCATION", "LOCATION", "LOCATION", "AGE", "DATE",
	"CONTACT", "CONTACT", "CONTACT", "CONTACT", "CONTACT", "ID", "ID", "ID", "ID",
	"ID", "ID", "ID", "ID", "ID", "OTHER",
}

// String returns the i2b2 2014 name of t, such as "PATIENT".
func (t Type) String() string {
	if int(t) >= NumTypes {
		return fmt.Sprintf("Type(%d)", uint8(t))
	}
	return names[t]
}

// Category returns the i2b2 2014 category of t: NAME, PROFESSION, LOCATION,
// AGE, DATE, CONTACT, ID or OTHER.
func (t Type) Category() string {
	if int(t) >= NumTypes {
		return ""
	}
	return categories[t]
}

// Types returns every type in the guideline's order, None excluded.
func Types() []Type {
	ts := make([]Type, 0, NumTypes-1)
	for t := None + 1; t < numTypes; t++ {
		ts = append(ts, t)
	}
	return ts
}

// ParseType returns the type of that i2b2 2014 name; case is ignored.
func ParseType(name string) (Type, error) {
	for t := None + 1; t < numTypes; t++ {
		if strings.EqualFold(names[t], name) {
			return t, nil
		}
	}
	return None, fmt.Errorf("phi: no i2b2 2014 type is named %q", name)
}

// Tagger tells which part of the job found a span.
type Tagger uint8

// The taggers, in order of trust: where two of them agree on the extent of a
// span but not on its type, package merge prefers the later one only where
// its rules say so.
const (
	Network Tagger = iota // the BiLSTM-CRF
	Rules                 // the rule tagger
	Known                 // known identifiers of the patient, and staff
	Sweep                 // found in another note of the same patient
	Doubt                 // the network, where it thinks that PHI is less likely than not: see --recall=maximum
	Odds                  // no finding: how likely the network thinks it that two numbers are a date, its score
	numTaggers
)

// NumTaggers is the number of taggers: the length of a table indexed by Tagger.
const NumTaggers = int(numTaggers)

var taggers = [NumTaggers]string{"network", "rules", "known", "sweep", "doubt", "odds"}

// Aside reports whether a tagger's spans lie beside all others: they take no place of any, and
// who counts what was found passes over them.
func (t Tagger) Aside() bool { return t == Doubt || t == Odds }

// String returns the tagger's name as written in findings.
func (t Tagger) String() string {
	if int(t) >= NumTaggers {
		return fmt.Sprintf("Tagger(%d)", uint8(t))
	}
	return taggers[t]
}

// Span is a stretch of one text that a tagger holds to be PHI.
type Span struct {
	Start, End int     // bytes of the UTF-8 text; End is exclusive
	Type       Type    // never None
	Tagger     Tagger  // who found it
	Score      float32 // the tagger's confidence in (0, 1]
}

// Sort orders spans by start, then longest first, then type and tagger, so
// that equal sets of spans have one order.
func Sort(spans []Span) {
	sort.Slice(spans, func(i, j int) bool {
		a, b := spans[i], spans[j]
		switch {
		case a.Start != b.Start:
			return a.Start < b.Start
		case a.End != b.End:
			return a.End > b.End
		case a.Tagger != b.Tagger:
			return a.Tagger < b.Tagger
		default:
			return a.Type < b.Type
		}
	})
}
