package lexicon

import "github.com/palimpsest-deid/palimpsest/model/phi"

// Identifiers is what is known of one patient beforehand. Empty strings are left
// out of the lists.
type Identifiers struct {
	PatientID string // integers in decimal
	Group     string `json:",omitempty"` // the id that the patient is linked to in the end; empty where it is the patient's own
	Names     []string
	Relatives []string
	Doctors   []string
	BirthDate string // YYYY-MM-DD, or a string as it is
	MRNs      []string
	SSNs      []string
	Phones    []string
	Emails    []string
	Addresses []string
}

// Each calls f for every value, by the type of PHI that it is. Addresses come
// in parts: streets, places and ZIP codes.
func (p *Identifiers) Each(f func(t phi.Type, value string)) {
	for _, c := range []struct {
		typ    phi.Type
		values []string
	}{
		{phi.Patient, p.Names}, {phi.Patient, p.Relatives}, {phi.Doctor, p.Doctors},
		{phi.MedicalRecord, p.MRNs}, {phi.SSN, p.SSNs}, {phi.Phone, p.Phones}, {phi.Email, p.Emails},
	} {
		for _, v := range c.values {
			f(c.typ, v)
		}
	}
	if p.BirthDate != "" {
		f(phi.Date, p.BirthDate)
	}
	for _, v := range p.Addresses {
		a := ParseAddress(v)
		a.Each(f)
	}
}
