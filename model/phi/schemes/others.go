package schemes

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// NUT is the scheme of the Dutch corpus of Trienes et al. 2020, tables 2 and
// 3, in the spelling of its brat configuration. It makes no difference
// between patients and staff, nor between the parts of an address.
var NUT = scheme("nut", "NUT corpus, Trienes et al. 2020", []row{
	{Label: Label{Name: "Name", Category: "NAME"}},
	{Label: Label{Name: "Initials", Category: "NAME"}},
	{Label: Label{"Profession", "PROFESSION", phi.Profession, false}},
	{Label: Label{"Hospital", "LOCATION", phi.Hospital, false}},
	{Label{"Care_Institute", "LOCATION", phi.Organization, false}, []string{"Care Institute"}},
	{Label{"Organization_Company", "LOCATION", phi.Organization, false}, []string{"Organization"}},
	{Label: Label{Name: "Address", Category: "LOCATION"}},
	{Label{"Internal_Location", "LOCATION", phi.Department, false}, []string{"Internal Location", "Internal Loc."}},
	{Label: Label{"Age", "AGE", phi.Age, false}},
	{Label: Label{"Date", "DATE", phi.Date, false}},
	{Label{"Phone_fax", "CONTACT", phi.Phone, false}, []string{"Phone/Fax"}},
	{Label: Label{"Email", "CONTACT", phi.Email, false}},
	{Label{"URL_IP", "CONTACT", phi.URL, false}, []string{"URL/IP"}},
	{Label: Label{"SSN", "ID", phi.SSN, false}},
	{Label: Label{"ID", "ID", phi.IDNum, false}},
	{Label: Label{"Other", "OTHER", phi.Other, false}},
}, map[string][]phi.Type{
	"Name": {phi.Patient, phi.Doctor, phi.Username}, "Profession": {phi.Profession}, "Hospital": {phi.Hospital},
	"Organization_Company": {phi.Organization}, "Address": {phi.Street, phi.City, phi.State, phi.ZIP, phi.Country, phi.LocationOther},
	"Internal_Location": {phi.Room, phi.Department}, "Age": {phi.Age}, "Date": {phi.Date}, "Phone_fax": {phi.Phone, phi.Fax},
	"Email": {phi.Email}, "URL_IP": {phi.URL, phi.IPAddress}, "SSN": {phi.SSN},
	"ID": {phi.MedicalRecord, phi.HealthPlan, phi.Account, phi.License, phi.Vehicle, phi.Device, phi.BioID, phi.IDNum}, "Other": {phi.Other},
})

// DEDUCE holds the tags of that Dutch tool (Menger et al. 2018), those of its
// second and third versions included.
var DEDUCE = scheme("deduce", "tags of DEDUCE, Menger et al. 2018", []row{
	{Label: Label{"patient", "NAME", phi.Patient, false}},
	{Label: Label{Name: "persoon", Category: "NAME"}},
	{Label: Label{Name: "locatie", Category: "LOCATION"}},
	{Label{Name: "instelling", Category: "LOCATION"}, []string{"zorginstelling"}},
	{Label: Label{"ziekenhuis", "LOCATION", phi.Hospital, false}},
	{Label: Label{"datum", "DATE", phi.Date, false}},
	{Label: Label{"leeftijd", "AGE", phi.Age, false}},
	{Label: Label{"patientnummer", "ID", phi.MedicalRecord, false}},
	{Label: Label{"bsn", "ID", phi.SSN, false}},
	{Label: Label{"id", "ID", phi.IDNum, false}},
	{Label: Label{"telefoonnummer", "CONTACT", phi.Phone, false}},
	{Label: Label{"emailadres", "CONTACT", phi.Email, false}, aliases: []string{"email"}},
	{Label: Label{"url", "CONTACT", phi.URL, false}},
}, map[string][]phi.Type{
	"patient": {phi.Patient}, "persoon": {phi.Doctor, phi.Username},
	"locatie": {phi.Street, phi.City, phi.State, phi.ZIP, phi.LocationOther}, "instelling": {phi.Organization}, "ziekenhuis": {phi.Hospital},
	"datum": {phi.Date}, "leeftijd": {phi.Age}, "patientnummer": {phi.MedicalRecord}, "bsn": {phi.SSN},
	"id":             {phi.HealthPlan, phi.Account, phi.License, phi.Vehicle, phi.Device, phi.BioID, phi.IDNum},
	"telefoonnummer": {phi.Phone, phi.Fax}, "emailadres": {phi.Email}, "url": {phi.URL, phi.IPAddress},
})

// MEDDOCAN holds the 29 types of that task (Marimon et al. 2019). i2b2 2014
// counts neither sex nor words of kinship as PHI.
var MEDDOCAN = scheme("meddocan", "MEDDOCAN 2019 types", []row{
	{Label: Label{"NOMBRE_SUJETO_ASISTENCIA", "NAME", phi.Patient, false}},
	{Label: Label{"NOMBRE_PERSONAL_SANITARIO", "NAME", phi.Doctor, false}},
	{Label: Label{"PROFESION", "PROFESSION", phi.Profession, false}},
	{Label: Label{"HOSPITAL", "LOCATION", phi.Hospital, false}},
	{Label: Label{"INSTITUCION", "LOCATION", phi.Organization, false}},
	{Label: Label{"CALLE", "LOCATION", phi.Street, false}},
	{Label: Label{"TERRITORIO", "LOCATION", phi.City, false}},
	{Label: Label{"PAIS", "LOCATION", phi.Country, false}},
	{Label: Label{"CENTRO_SALUD", "LOCATION", phi.Hospital, false}},
	{Label: Label{"EDAD_SUJETO_ASISTENCIA", "AGE", phi.Age, false}},
	{Label: Label{"FECHAS", "DATE", phi.Date, false}},
	{Label: Label{"NUMERO_TELEFONO", "CONTACT", phi.Phone, false}},
	{Label: Label{"NUMERO_FAX", "CONTACT", phi.Fax, false}},
	{Label: Label{"CORREO_ELECTRONICO", "CONTACT", phi.Email, false}},
	{Label: Label{"URL_WEB", "CONTACT", phi.URL, false}},
	{Label: Label{"ID_ASEGURAMIENTO", "ID", phi.HealthPlan, false}},
	{Label: Label{"ID_CONTACTO_ASISTENCIAL", "ID", phi.IDNum, false}},
	{Label: Label{"NUMERO_BENEF_PLAN_SALUD", "ID", phi.HealthPlan, false}},
	{Label: Label{"IDENTIF_VEHICULOS_NRSERIE_PLACAS", "ID", phi.Vehicle, false}},
	{Label: Label{"IDENTIF_DISPOSITIVOS_NRSERIE", "ID", phi.Device, false}},
	{Label: Label{"IDENTIF_BIOMETRICOS", "ID", phi.BioID, false}, aliases: []string{"IDENTF_BIOMETRICOS"}},
	{Label: Label{"ID_SUJETO_ASISTENCIA", "ID", phi.MedicalRecord, false}},
	{Label: Label{"ID_TITULACION_PERSONAL_SANITARIO", "ID", phi.License, false}},
	{Label: Label{"ID_EMPLEO_PERSONAL_SANITARIO", "ID", phi.IDNum, false}},
	{Label: Label{"OTRO_NUMERO_IDENTIF", "ID", phi.IDNum, false}},
	{Label: Label{"SEXO_SUJETO_ASISTENCIA", "OTHER", phi.None, true}},
	{Label: Label{"FAMILIARES_SUJETO_ASISTENCIA", "OTHER", phi.None, true}},
	{Label: Label{"OTROS_SUJETO_ASISTENCIA", "OTHER", phi.Other, false}},
	{Label: Label{"DIREC_PROT_INTERNET", "CONTACT", phi.IPAddress, false}},
}, map[string][]phi.Type{
	"NOMBRE_SUJETO_ASISTENCIA": {phi.Patient}, "NOMBRE_PERSONAL_SANITARIO": {phi.Doctor}, "PROFESION": {phi.Profession},
	"HOSPITAL": {phi.Hospital}, "INSTITUCION": {phi.Organization, phi.Department, phi.Room}, "CALLE": {phi.Street},
	"TERRITORIO": {phi.City, phi.State, phi.ZIP, phi.LocationOther}, "PAIS": {phi.Country}, "EDAD_SUJETO_ASISTENCIA": {phi.Age},
	"FECHAS": {phi.Date}, "NUMERO_TELEFONO": {phi.Phone}, "NUMERO_FAX": {phi.Fax}, "CORREO_ELECTRONICO": {phi.Email},
	"URL_WEB": {phi.URL}, "DIREC_PROT_INTERNET": {phi.IPAddress}, "ID_ASEGURAMIENTO": {phi.HealthPlan, phi.SSN},
	"IDENTIF_VEHICULOS_NRSERIE_PLACAS": {phi.Vehicle}, "IDENTIF_DISPOSITIVOS_NRSERIE": {phi.Device},
	"IDENTIF_BIOMETRICOS": {phi.BioID}, "ID_SUJETO_ASISTENCIA": {phi.MedicalRecord},
	"ID_TITULACION_PERSONAL_SANITARIO": {phi.License}, "OTRO_NUMERO_IDENTIF": {phi.IDNum, phi.Account, phi.Username},
	"OTROS_SUJETO_ASISTENCIA": {phi.Other},
})

// MIMIC holds the labels that MIMIC-II and MIMIC-III leave in the place of
// PHI, such as "[**Known lastname 3763**]". Find takes them as they stand in a
// note: brackets, numbers and remarks in parentheses are ignored, and what is
// numbers only is a Date. There is no way to them from types.
var MIMIC = func() *Scheme {
	var rows []row
	list := func(category string, t phi.Type, names ...string) {
		for _, n := range names {
			rows = append(rows, row{Label: Label{n, category, t, false}})
		}
	}
	list("NAME", phi.Patient, "Known firstname", "Known lastname", "Known patient firstname", "Known patient lastname",
		"First Name", "Last Name", "Female First Name", "Male First Name", "Name", "Name Initial", "Name Prefix",
		"Initial", "Initials", "Patient Name", "Contact Info")
	list("NAME", phi.Doctor, "Doctor First Name", "Doctor Last Name", "Dictator Info", "Attending Info", "CC Contact Info")
	list("LOCATION", phi.Hospital, "Hospital")
	list("LOCATION", phi.Department, "Hospital Ward Name", "Hospital Unit Name", "Ward Name", "Wardname")
	list("LOCATION", phi.Organization, "Company", "University/College")
	list("LOCATION", phi.Street, "Street Address", "Apartment Address", "PO Box")
	list("LOCATION", phi.City, "City")
	list("LOCATION", phi.State, "State", "State/Zipcode")
	list("LOCATION", phi.Country, "Country")
	list("LOCATION", phi.LocationOther, "Location")
	list("AGE", phi.Age, "Age over")
	list("DATE", phi.Date, "Date", "Date range", "Day", "Day Month", "Day Month Year", "Month", "Month Day", "Month Year", "Year",
		"Year Month", "Month/Day", "Month/Day/Year", "Day/Month", "Day/Month/Year", "Year/Month", "Year/Month/Day",
		"Month/Year", "Holiday")
	list("CONTACT", phi.Phone, "Telephone/Fax", "Pager number")
	list("CONTACT", phi.Email, "E-mail address")
	list("CONTACT", phi.URL, "URL")
	list("ID", phi.SSN, "Social Security Number")
	list("ID", phi.MedicalRecord, "Medical Record Number", "Unit Number")
	list("ID", phi.Account, "Account number", "Credit Card Number")
	list("ID", phi.License, "MD Number", "Provider Number")
	list("ID", phi.Device, "Serial Number")
	list("ID", phi.IDNum, "Numeric Identifier", "Job Number", "Clip Number")
	s := scheme("mimic", "bracket labels of MIMIC-II and MIMIC-III", rows, nil)
	s.norm = bracket
	return s
}()

// bracket reduces the content of a MIMIC bracket, in upper case, to its label.
func bracket(label string) string {
	label = strings.TrimSuffix(strings.TrimPrefix(label, "[**"), "**]")
	var b strings.Builder
	depth, digits := 0, false
	for _, r := range label {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth = max(0, depth-1)
		case depth > 0:
		case unicode.IsDigit(r):
			digits = true
		default:
			b.WriteRune(r)
		}
	}
	name := strings.Join(strings.Fields(b.String()), " ")
	if strings.Trim(name, "-/ ") == "" && digits {
		return "DATE"
	}
	return strings.Trim(name, "-/ ")
}
