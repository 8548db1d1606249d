package schemes

import "github.com/palimpsest-deid/palimpsest/model/phi"

// I2B2 is the scheme of the i2b2 2014 guideline (Stubbs and Uzuner 2015): the
// one this project works in.
var I2B2 = func() *Scheme {
	var rows []row
	from := map[string][]phi.Type{}
	for _, t := range phi.Types() {
		rows = append(rows, row{Label: Label{Name: t.String(), Category: t.Category(), Type: t}})
		from[t.String()] = []phi.Type{t}
	}
	return scheme("i2b2", "i2b2 2014 types", rows, from)
}()

// I2B2Categories holds the eight categories of i2b2 2014. Only categories of
// one type lead back to a type.
var I2B2Categories = func() *Scheme {
	of := map[string][]phi.Type{}
	for _, t := range phi.Types() {
		of[t.Category()] = append(of[t.Category()], t)
	}
	var rows []row
	for _, c := range phi.Categories() {
		l := Label{Name: c, Category: c}
		if len(of[c]) == 1 {
			l.Type = of[c][0]
		}
		rows = append(rows, row{Label: l})
	}
	return scheme("i2b2-category", "i2b2 2014 categories", rows, of)
}()

// I2B2Of2006 holds the eight types of the 2006 challenge (Uzuner, Luo,
// Szolovits 2007). It has no type for e-mail addresses, user names and
// professions, and one for all places that are no hospitals.
var I2B2Of2006 = scheme("i2b2-2006", "i2b2 2006 types", []row{
	{Label: Label{"PATIENT", "NAME", phi.Patient, false}},
	{Label: Label{"DOCTOR", "NAME", phi.Doctor, false}},
	{Label: Label{"HOSPITAL", "LOCATION", phi.Hospital, false}},
	{Label: Label{"LOCATION", "LOCATION", phi.LocationOther, false}},
	{Label: Label{"ID", "ID", phi.IDNum, false}},
	{Label: Label{"DATE", "DATE", phi.Date, false}},
	{Label: Label{"PHONE", "CONTACT", phi.Phone, false}},
	{Label: Label{"AGE", "AGE", phi.Age, false}},
}, map[string][]phi.Type{
	"PATIENT": {phi.Patient}, "DOCTOR": {phi.Doctor}, "HOSPITAL": {phi.Hospital, phi.Room, phi.Department},
	"LOCATION": {phi.Organization, phi.Street, phi.City, phi.State, phi.Country, phi.ZIP, phi.LocationOther},
	"ID":       {phi.SSN, phi.MedicalRecord, phi.HealthPlan, phi.Account, phi.License, phi.Vehicle, phi.Device, phi.BioID, phi.IDNum},
	"DATE":     {phi.Date}, "PHONE": {phi.Phone, phi.Fax}, "AGE": {phi.Age},
})

// NGRID is the scheme of the CEGS N-GRID 2016 challenge: the types of i2b2
// 2014 without OTHER, in seven categories (Stubbs, Filannino, Uzuner 2017).
// OTHER, where it is written, stands for a place.
var NGRID = func() *Scheme {
	var rows []row
	from := map[string][]phi.Type{}
	for _, t := range phi.Types() {
		if t == phi.Other {
			continue
		}
		r := row{Label: Label{Name: t.String(), Category: t.Category(), Type: t}}
		if t == phi.LocationOther {
			r.aliases = []string{"OTHER"}
		}
		rows = append(rows, r)
		from[t.String()] = []phi.Type{t}
	}
	return scheme("ngrid", "CEGS N-GRID 2016 types", rows, from)
}()

// HIPAA18 holds the 18 identifiers of HIPAA's Safe Harbor, see Identifier.
// Types that the rule does not list (staff, hospitals, professions, states and
// countries) have no label in it. A date of the rule may be an age over 89, so
// DATE leads back to no single type; nor do names, places and other numbers.
var HIPAA18 = func() *Scheme {
	category := [phi.NumIdentifiers]string{
		phi.HIPAAName: "NAME", phi.HIPAAPlace: "LOCATION", phi.HIPAADate: "DATE", phi.HIPAAPhone: "CONTACT", phi.HIPAAFax: "CONTACT",
		phi.HIPAAEmail: "CONTACT", phi.HIPAASSN: "ID", phi.HIPAARecord: "ID", phi.HIPAAHealthPlan: "ID", phi.HIPAAAccount: "ID",
		phi.HIPAALicense: "ID", phi.HIPAAVehicle: "ID", phi.HIPAADevice: "ID", phi.HIPAAURL: "CONTACT", phi.HIPAAIPAddress: "CONTACT",
		phi.HIPAABiometric: "ID", phi.HIPAAPhoto: "OTHER", phi.HIPAAOther: "ID",
	}
	of := map[string][]phi.Type{}
	for _, t := range phi.Types() {
		if i := t.Identifier(); i != phi.NoIdentifier {
			of[i.String()] = append(of[i.String()], t)
		}
	}
	var rows []row
	for i := phi.HIPAAName; i < phi.NumIdentifiers; i++ {
		l := Label{Name: i.String(), Category: category[i]}
		if types := of[l.Name]; len(types) == 1 && i != phi.HIPAAName && i != phi.HIPAAOther {
			l.Type = types[0]
		}
		rows = append(rows, row{Label: l})
	}
	return scheme("hipaa", "the 18 identifiers of HIPAA's Safe Harbor", rows, of)
}()
