package phi

import (
	"strings"
	"unicode"
)

// NUT is the scheme of the Dutch corpus of Trienes et al. 2020, tables 2 and
// 3, in the spelling of its brat configuration. It makes no difference
// between patients and staff, nor between the parts of an address.
var NUT = scheme("nut", "NUT corpus, Trienes et al. 2020", []row{
	{Label: Label{Name: "Name", Category: "NAME"}},
	{Label: Label{Name: "Initials", Category: "NAME"}},
	{Label: Label{"Profession", "PROFESSION", Profession, false}},
	{Label: Label{"Hospital", "LOCATION", Hospital, false}},
	{Label{"Care_Institute", "LOCATION", Organization, false}, []string{"Care Institute"}},
	{Label{"Organization_Company", "LOCATION", Organization, false}, []string{"Organization"}},
	{Label: Label{Name: "Address", Category: "LOCATION"}},
	{Label{"Internal_Location", "LOCATION", Department, false}, []string{"Internal Location", "Internal Loc."}},
	{Label: Label{"Age", "AGE", Age, false}},
	{Label: Label{"Date", "DATE", Date, false}},
	{Label{"Phone_fax", "CONTACT", Phone, false}, []string{"Phone/Fax"}},
	{Label: Label{"Email", "CONTACT", Email, false}},
	{Label{"URL_IP", "CONTACT", URL, false}, []string{"URL/IP"}},
	{Label: Label{"SSN", "ID", SSN, false}},
	{Label: Label{"ID", "ID", IDNum, false}},
	{Label: Label{"Other", "OTHER", Other, false}},
}, map[string][]Type{
	"Name": {Patient, Doctor, Username}, "Profession": {Profession}, "Hospital": {Hospital},
	"Organization_Company": {Organization}, "Address": {Street, City, State, ZIP, Country, LocationOther},
	"Internal_Location": {Room, Department}, "Age": {Age}, "Date": {Date}, "Phone_fax": {Phone, Fax},
	"Email": {Email}, "URL_IP": {URL, IPAddress}, "SSN": {SSN},
	"ID": {MedicalRecord, HealthPlan, Account, License, Vehicle, Device, BioID, IDNum}, "Other": {Other},
})

// DEDUCE holds the tags of that Dutch tool (Menger et al. 2018), those of its
// second and third versions included.
var DEDUCE = scheme("deduce", "tags of DEDUCE, Menger et al. 2018", []row{
	{Label: Label{"patient", "NAME", Patient, false}},
	{Label: Label{Name: "persoon", Category: "NAME"}},
	{Label: Label{Name: "locatie", Category: "LOCATION"}},
	{Label{Name: "instelling", Category: "LOCATION"}, []string{"zorginstelling"}},
	{Label: Label{"ziekenhuis", "LOCATION", Hospital, false}},
	{Label: Label{"datum", "DATE", Date, false}},
	{Label: Label{"leeftijd", "AGE", Age, false}},
	{Label: Label{"patientnummer", "ID", MedicalRecord, false}},
	{Label: Label{"bsn", "ID", SSN, false}},
	{Label: Label{"id", "ID", IDNum, false}},
	{Label: Label{"telefoonnummer", "CONTACT", Phone, false}},
	{Label: Label{"emailadres", "CONTACT", Email, false}, aliases: []string{"email"}},
	{Label: Label{"url", "CONTACT", URL, false}},
}, map[string][]Type{
	"patient": {Patient}, "persoon": {Doctor, Username},
	"locatie": {Street, City, State, ZIP, LocationOther}, "instelling": {Organization}, "ziekenhuis": {Hospital},
	"datum": {Date}, "leeftijd": {Age}, "patientnummer": {MedicalRecord}, "bsn": {SSN},
	"id":             {HealthPlan, Account, License, Vehicle, Device, BioID, IDNum},
	"telefoonnummer": {Phone, Fax}, "emailadres": {Email}, "url": {URL, IPAddress},
})

// MEDDOCAN holds the 29 types of that task (Marimon et al. 2019). i2b2 2014
// counts neither sex nor words of kinship as PHI.
var MEDDOCAN = scheme("meddocan", "MEDDOCAN 2019 types", []row{
	{Label: Label{"NOMBRE_SUJETO_ASISTENCIA", "NAME", Patient, false}},
	{Label: Label{"NOMBRE_PERSONAL_SANITARIO", "NAME", Doctor, false}},
	{Label: Label{"PROFESION", "PROFESSION", Profession, false}},
	{Label: Label{"HOSPITAL", "LOCATION", Hospital, false}},
	{Label: Label{"INSTITUCION", "LOCATION", Organization, false}},
	{Label: Label{"CALLE", "LOCATION", Street, false}},
	{Label: Label{"TERRITORIO", "LOCATION", City, false}},
	{Label: Label{"PAIS", "LOCATION", Country, false}},
	{Label: Label{"CENTRO_SALUD", "LOCATION", Hospital, false}},
	{Label: Label{"EDAD_SUJETO_ASISTENCIA", "AGE", Age, false}},
	{Label: Label{"FECHAS", "DATE", Date, false}},
	{Label: Label{"NUMERO_TELEFONO", "CONTACT", Phone, false}},
	{Label: Label{"NUMERO_FAX", "CONTACT", Fax, false}},
	{Label: Label{"CORREO_ELECTRONICO", "CONTACT", Email, false}},
	{Label: Label{"URL_WEB", "CONTACT", URL, false}},
	{Label: Label{"ID_ASEGURAMIENTO", "ID", HealthPlan, false}},
	{Label: Label{"ID_CONTACTO_ASISTENCIAL", "ID", IDNum, false}},
	{Label: Label{"NUMERO_BENEF_PLAN_SALUD", "ID", HealthPlan, false}},
	{Label: Label{"IDENTIF_VEHICULOS_NRSERIE_PLACAS", "ID", Vehicle, false}},
	{Label: Label{"IDENTIF_DISPOSITIVOS_NRSERIE", "ID", Device, false}},
	{Label: Label{"IDENTIF_BIOMETRICOS", "ID", BioID, false}, aliases: []string{"IDENTF_BIOMETRICOS"}},
	{Label: Label{"ID_SUJETO_ASISTENCIA", "ID", MedicalRecord, false}},
	{Label: Label{"ID_TITULACION_PERSONAL_SANITARIO", "ID", License, false}},
	{Label: Label{"ID_EMPLEO_PERSONAL_SANITARIO", "ID", IDNum, false}},
	{Label: Label{"OTRO_NUMERO_IDENTIF", "ID", IDNum, false}},
	{Label: Label{"SEXO_SUJETO_ASISTENCIA", "OTHER", None, true}},
	{Label: Label{"FAMILIARES_SUJETO_ASISTENCIA", "OTHER", None, true}},
	{Label: Label{"OTROS_SUJETO_ASISTENCIA", "OTHER", Other, false}},
	{Label: Label{"DIREC_PROT_INTERNET", "CONTACT", IPAddress, false}},
}, map[string][]Type{
	"NOMBRE_SUJETO_ASISTENCIA": {Patient}, "NOMBRE_PERSONAL_SANITARIO": {Doctor}, "PROFESION": {Profession},
	"HOSPITAL": {Hospital}, "INSTITUCION": {Organization, Department, Room}, "CALLE": {Street},
	"TERRITORIO": {City, State, ZIP, LocationOther}, "PAIS": {Country}, "EDAD_SUJETO_ASISTENCIA": {Age},
	"FECHAS": {Date}, "NUMERO_TELEFONO": {Phone}, "NUMERO_FAX": {Fax}, "CORREO_ELECTRONICO": {Email},
	"URL_WEB": {URL}, "DIREC_PROT_INTERNET": {IPAddress}, "ID_ASEGURAMIENTO": {HealthPlan, SSN},
	"IDENTIF_VEHICULOS_NRSERIE_PLACAS": {Vehicle}, "IDENTIF_DISPOSITIVOS_NRSERIE": {Device},
	"IDENTIF_BIOMETRICOS": {BioID}, "ID_SUJETO_ASISTENCIA": {MedicalRecord},
	"ID_TITULACION_PERSONAL_SANITARIO": {License}, "OTRO_NUMERO_IDENTIF": {IDNum, Account, Username},
	"OTROS_SUJETO_ASISTENCIA": {Other},
})

// MIMIC holds the labels that MIMIC-II and MIMIC-III leave in the place of
// PHI, such as "[**Known lastname 3763**]". Find takes them as they stand in a
// note: brackets, numbers and remarks in parentheses are ignored, and what is
// numbers only is a Date. There is no way to them from types.
var MIMIC = func() *Scheme {
	var rows []row
	list := func(category string, t Type, names ...string) {
		for _, n := range names {
			rows = append(rows, row{Label: Label{n, category, t, false}})
		}
	}
	list("NAME", Patient, "Known firstname", "Known lastname", "Known patient firstname", "Known patient lastname",
		"First Name", "Last Name", "Female First Name", "Male First Name", "Name", "Name Initial", "Name Prefix",
		"Initial", "Initials", "Patient Name", "Contact Info")
	list("NAME", Doctor, "Doctor First Name", "Doctor Last Name", "Dictator Info", "Attending Info", "CC Contact Info")
	list("LOCATION", Hospital, "Hospital")
	list("LOCATION", Department, "Hospital Ward Name", "Hospital Unit Name", "Ward Name", "Wardname")
	list("LOCATION", Organization, "Company", "University/College")
	list("LOCATION", Street, "Street Address", "Apartment Address", "PO Box")
	list("LOCATION", City, "City")
	list("LOCATION", State, "State", "State/Zipcode")
	list("LOCATION", Country, "Country")
	list("LOCATION", LocationOther, "Location")
	list("AGE", Age, "Age over")
	list("DATE", Date, "Date", "Date range", "Day", "Day Month", "Day Month Year", "Month", "Month Day", "Month Year", "Year",
		"Year Month", "Month/Day", "Month/Day/Year", "Day/Month", "Day/Month/Year", "Year/Month", "Year/Month/Day",
		"Month/Year", "Holiday")
	list("CONTACT", Phone, "Telephone/Fax", "Pager number")
	list("CONTACT", Email, "E-mail address")
	list("CONTACT", URL, "URL")
	list("ID", SSN, "Social Security Number")
	list("ID", MedicalRecord, "Medical Record Number", "Unit Number")
	list("ID", Account, "Account number", "Credit Card Number")
	list("ID", License, "MD Number", "Provider Number")
	list("ID", Device, "Serial Number")
	list("ID", IDNum, "Numeric Identifier", "Job Number", "Clip Number")
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
