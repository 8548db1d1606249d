package phi

// I2B2 is the scheme of the i2b2 2014 guideline (Stubbs and Uzuner 2015): the
// one this project works in.
var I2B2 = func() *Scheme {
	var rows []row
	from := map[string][]Type{}
	for _, t := range Types() {
		rows = append(rows, row{Label: Label{Name: t.String(), Category: t.Category(), Type: t}})
		from[t.String()] = []Type{t}
	}
	return scheme("i2b2", "i2b2 2014 types", rows, from)
}()

// I2B2Categories holds the eight categories of i2b2 2014. Only categories of
// one type lead back to a type.
var I2B2Categories = func() *Scheme {
	of := map[string][]Type{}
	for _, t := range Types() {
		of[t.Category()] = append(of[t.Category()], t)
	}
	var rows []row
	for _, c := range Categories() {
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
	{Label: Label{"PATIENT", "NAME", Patient, false}},
	{Label: Label{"DOCTOR", "NAME", Doctor, false}},
	{Label: Label{"HOSPITAL", "LOCATION", Hospital, false}},
	{Label: Label{"LOCATION", "LOCATION", LocationOther, false}},
	{Label: Label{"ID", "ID", IDNum, false}},
	{Label: Label{"DATE", "DATE", Date, false}},
	{Label: Label{"PHONE", "CONTACT", Phone, false}},
	{Label: Label{"AGE", "AGE", Age, false}},
}, map[string][]Type{
	"PATIENT": {Patient}, "DOCTOR": {Doctor}, "HOSPITAL": {Hospital, Room, Department},
	"LOCATION": {Organization, Street, City, State, Country, ZIP, LocationOther},
	"ID":       {SSN, MedicalRecord, HealthPlan, Account, License, Vehicle, Device, BioID, IDNum},
	"DATE":     {Date}, "PHONE": {Phone, Fax}, "AGE": {Age},
})

// NGRID is the scheme of the CEGS N-GRID 2016 challenge: the types of i2b2
// 2014 without OTHER, in seven categories (Stubbs, Filannino, Uzuner 2017).
// OTHER, where it is written, stands for a place.
var NGRID = func() *Scheme {
	var rows []row
	from := map[string][]Type{}
	for _, t := range Types() {
		if t == Other {
			continue
		}
		r := row{Label: Label{Name: t.String(), Category: t.Category(), Type: t}}
		if t == LocationOther {
			r.aliases = []string{"OTHER"}
		}
		rows = append(rows, r)
		from[t.String()] = []Type{t}
	}
	return scheme("ngrid", "CEGS N-GRID 2016 types", rows, from)
}()

// HIPAA18 holds the 18 identifiers of HIPAA's Safe Harbor, see Identifier.
// Types that the rule does not list (staff, hospitals, professions, states and
// countries) have no label in it. A date of the rule may be an age over 89, so
// DATE leads back to no single type; nor do names, places and other numbers.
var HIPAA18 = func() *Scheme {
	category := [numIdentifiers]string{
		HIPAAName: "NAME", HIPAAPlace: "LOCATION", HIPAADate: "DATE", HIPAAPhone: "CONTACT", HIPAAFax: "CONTACT",
		HIPAAEmail: "CONTACT", HIPAASSN: "ID", HIPAARecord: "ID", HIPAAHealthPlan: "ID", HIPAAAccount: "ID",
		HIPAALicense: "ID", HIPAAVehicle: "ID", HIPAADevice: "ID", HIPAAURL: "CONTACT", HIPAAIPAddress: "CONTACT",
		HIPAABiometric: "ID", HIPAAPhoto: "OTHER", HIPAAOther: "ID",
	}
	of := map[string][]Type{}
	for _, t := range Types() {
		if i := t.Identifier(); i != NoIdentifier {
			of[i.String()] = append(of[i.String()], t)
		}
	}
	var rows []row
	for i := HIPAAName; i < numIdentifiers; i++ {
		l := Label{Name: i.String(), Category: category[i]}
		if types := of[l.Name]; len(types) == 1 && i != HIPAAName && i != HIPAAOther {
			l.Type = types[0]
		}
		rows = append(rows, row{Label: l})
	}
	return scheme("hipaa", "the 18 identifiers of HIPAA's Safe Harbor", rows, of)
}()
