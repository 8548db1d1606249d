package phi

import "strings"

// Identifier is one of the 18 kinds of identifiers that HIPAA's Safe Harbor
// removes: 45 CFR 164.514(b)(2)(i), (A) to (R). The zero value means that the
// rule lists none.
type Identifier uint8

// The 18 identifiers, in the rule's order.
const (
	NoIdentifier    Identifier = iota
	HIPAAName                  // (A)
	HIPAAPlace                 // (B) geographic subdivisions smaller than a state
	HIPAADate                  // (C) elements of dates but the year, and ages over 89
	HIPAAPhone                 // (D)
	HIPAAFax                   // (E)
	HIPAAEmail                 // (F)
	HIPAASSN                   // (G)
	HIPAARecord                // (H) medical record numbers
	HIPAAHealthPlan            // (I)
	HIPAAAccount               // (J)
	HIPAALicense               // (K) certificate and license numbers
	HIPAAVehicle               // (L)
	HIPAADevice                // (M)
	HIPAAURL                   // (N)
	HIPAAIPAddress             // (O)
	HIPAABiometric             // (P)
	HIPAAPhoto                 // (Q)
	HIPAAOther                 // (R) any other unique number, characteristic or code
	NumIdentifiers
)

var identifiers = [NumIdentifiers]string{
	"", "NAME", "GEOGRAPHIC", "DATE", "PHONE", "FAX", "EMAIL", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT",
	"LICENSE", "VEHICLE", "DEVICE", "URL", "IPADDR", "BIOMETRIC", "PHOTO", "OTHER-UNIQUE",
}

// String returns a short name of i, such as "GEOGRAPHIC".
func (i Identifier) String() string {
	if i >= NumIdentifiers {
		return ""
	}
	return identifiers[i]
}

// Paragraph returns the letter of the rule's paragraph, 'A' to 'R', and 0 for
// NoIdentifier.
func (i Identifier) Paragraph() byte {
	if i == NoIdentifier || i >= NumIdentifiers {
		return 0
	}
	return 'A' + byte(i) - 1
}

// safeHarbor gives the identifier of each type. The rule protects the patient,
// relatives, employers and household members; so staff and hospitals, states
// and countries, and professions are not listed by it. Ages are those over 89
// by the rule, all of them here, as in the i2b2 2014 evaluation. URLs and IP
// addresses are listed by the rule but not by that evaluation.
var safeHarbor = [NumTypes]Identifier{
	Patient:       HIPAAName,
	Organization:  HIPAAPlace,
	Street:        HIPAAPlace,
	City:          HIPAAPlace,
	ZIP:           HIPAAPlace,
	Age:           HIPAADate,
	Date:          HIPAADate,
	Phone:         HIPAAPhone,
	Fax:           HIPAAFax,
	Email:         HIPAAEmail,
	URL:           HIPAAURL,
	IPAddress:     HIPAAIPAddress,
	SSN:           HIPAASSN,
	MedicalRecord: HIPAARecord,
	HealthPlan:    HIPAAHealthPlan,
	Account:       HIPAAAccount,
	License:       HIPAALicense,
	Vehicle:       HIPAAVehicle,
	Device:        HIPAADevice,
	BioID:         HIPAABiometric,
	IDNum:         HIPAAOther,
}

// Identifier returns the HIPAA identifier that t belongs to.
func (t Type) Identifier() Identifier {
	if int(t) >= NumTypes {
		return NoIdentifier
	}
	return safeHarbor[t]
}

// HIPAA reports whether t belongs to the HIPAA subset of the i2b2 2014
// evaluation as its README documents it: what the rule lists, without URLs and
// IP addresses.
func (t Type) HIPAA() bool {
	return t.Identifier() != NoIdentifier && t != URL && t != IPAddress
}

// HIPAADocumented reports whether an annotation of that category and type,
// whatever their case, belongs to the HIPAA subset as documented. In AGE and
// DATE every type does.
func HIPAADocumented(category, label string) bool {
	category = strings.ToUpper(category)
	if category == "AGE" || category == "DATE" {
		return true
	}
	t, err := ParseType(label)
	return err == nil && t.HIPAA() && t.Category() == category
}

// scriptHIPAA holds the pairs that the i2b2 2014 script matches by prefix.
// "IDNUM " is the script's own spelling: no type ends in a blank, so IDNUM
// never belongs.
var scriptHIPAA = map[string][]string{
	"NAME":     {"PATIENT"},
	"LOCATION": {"CITY", "STREET", "ZIP", "ORGANIZATION"},
	"DATE":     {""},
	"CONTACT":  {"PHONE", "FAX", "EMAIL"},
	"ID":       {"SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID", "IDNUM "},
	"AGE":      {""},
}

// HIPAAScript reports whether the i2b2 2014 script counts an annotation of
// that category and type as HIPAA: by prefix of the type, case respected, and
// never IDNUM.
func HIPAAScript(category, label string) bool {
	for _, p := range scriptHIPAA[category] {
		if strings.HasPrefix(label, p) {
			return true
		}
	}
	return false
}

// Categories returns the i2b2 2014 categories in the guideline's order.
func Categories() []string {
	return []string{"NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER"}
}

// IsCategory reports whether name is an i2b2 2014 category, in upper case.
func IsCategory(name string) bool {
	for _, c := range Categories() {
		if c == name {
			return true
		}
	}
	return false
}
