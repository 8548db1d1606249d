package es

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/en"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// Pack returns the Spanish pack: notes of Spain, written on the training
// part of MEDDOCAN (Marimon et al. 2019), without the families named.
func Pack(without ...string) *pattern.Pack {
	p := &pattern.Pack{
		Macros:   pattern.Merged(en.Macros, macros),
		Suffixes: []string{"NHC", "NASS", "DNI", "TEL", "FAX"},
	}
	return p.Assemble(Families(), without)
}

// Families are the sections of the Spanish pack.
func Families() []pattern.Family {
	return []pattern.Family{
		{Name: "dates", Rules: dateRules},
		{Name: "ids", Rules: idRules},
		{Name: "contacts", Rules: contactRules, Triggered: triggered},
		{Name: "places", Rules: placeRules},
		{Name: "people", Rules: peopleRules},
	}
}

// macros are the parts that the Spanish expressions share; what they do
// not name is as in English.
var macros = map[string]string{
	"is":  `<s>*(?:(?i:n[uú]mero|num|n[º°o]|es|de)\b?\.?<s>*|[:#=.]<s>*){0,3}`,
	"mes": `(?i:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)`,
	"de":  `(?i:de|del)`,
	"yy":  `(?:19|20)\d\d`,
	"esnum": `(?i:un|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|diecis[eé]is|diecisiete|` +
		`dieciocho|diecinueve|veinte|veinti(?:uno|ún|d[oó]s|tr[eé]s|cuatro|cinco|s[eé]is|siete|ocho|nueve)|` +
		`(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)` +
		`(?:<s>y<s>(?:uno|un|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?)`,
	"nth":   `(?i:primer|segundo|tercer|cuarto|quinto|sexto|s[eé]ptimo|octavo|noveno|d[eé]cimo)`,
	"link":  `(?:(?i:de<s>las?|de<s>los|del|de|la|las|los|el|y|i|e|d['’]|da|do|dos|das)<s>)`,
	"p":     `\p{Lu}[\p{L}\p{M}]*(?:[-·'’.][\p{L}\p{M}]+)*`,
	"pers":  `<p>\.?(?:<s>{1,2}(?:<link>){0,2}<p>\.?){0,5}`,
	"place": `<p>(?:<s>(?:<link>){0,2}<p>){0,4}`,
	"hosp": `(?:(?i:general|universitario|universitari|cl[ií]nico|provincial|comarcal|regional|infantil|materno(?:-infantil)?|militar|` +
		`central|asistencial|hospitalario|m[eé]dico|quir[uú]rgico|nacional|insular|virgen|civil|psiqui[aá]trico|doctor|dr\.?|` +
		`de<s>referencia)<s>)`,
	"via": `(?i:calle|c/|c\.|avenida|avda\.?|avd\.?|av\.|av,|avgda\.?|plaza|pza\.?|pl\.|plza\.?|paseo|p[º°]\.?|pso\.?|carretera|ctra\.?|` +
		`cra\.|ronda|camino|cno\.?|traves[ií]a|trav\.?|urb\.?|urbanizaci[oó]n|gran<s>v[ií]a|rambla|carrer|pol[ií]gono|pol\.|glorieta|` +
		`gta\.?|r[uú]a|v[ií]a|pasaje|pje\.?|callej[oó]n|cuesta|bulevar|alameda|barrio|bifurcaci[oó]n|partida|paraje)`,
	"doorno": `(?i:(?:n[º°o]?\.?<s>?)?\d{1,4}(?:<s>?[-–]<s>?\d{1,4})?|s/?n\.?|km\.?<s>?\d{1,3}(?:[.,]\d{1,3})?)`,
	"floor": `(?:,?<s>?(?:(?i:piso|planta|portal|puerta|pta|esc(?:alera)?|bajo|bj|[aá]tico|bloque|blq|local|izq(?:da|uierda)?|dcha|dcho|` +
		`derecha|dr|int)\.?<s>?[0-9A-Z]{0,3}[º°ª]?|\d{1,2}(?:[º°ª]|\b)(?:<s>?-?[A-Z]\b)?|[A-Z]\b|-)){0,5}`,
	"esage": `(?:\d{1,3}|<esnum>)<s>(?:y<s>medio<s>)?(?i:años?|meses|mes|d[ií]as?|semanas?)` +
		`(?:<s>y<s>(?:(?:\d{1,2}|<esnum>)<s>mes(?:es)?|medio))?`,
	"estel": `\(?\+?\d(?:(?:<s>?[-.()]{1,2}<s>?|<s>)?\d){5,14}`,
}

// triggered are the patterns that begin at no clear token.
var triggered = []pattern.Rule{
	en.Triggered[0],
	en.Triggered[1],
	{
		Name: "host-es", Type: phi.URL, Score: 0.95,
		Expr: `(?i:www\.(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}|(?:[\p{L}\p{N}-]+\.)+(?:com|org|net|es|eu|edu|cat|gal|eus|info|mx|example))\b` +
			`(?::\d{2,5})?(?:/[^\s<>"“”\[\]{}|]*)?`,
		Match: []string{"en [[www.hospital.example]] hoy", "web [[citas.salud.es/paciente]]"},
		Never: []string{"estable.Se pauta", "v.o. cada 8 h", "p.ej. aspirina"},
	},
}

// dateRules are dates and ages.
var dateRules = []pattern.Rule{
	{
		Name: "fecha", Type: phi.Date, Score: 0.97, Check: en.CheckNumericDate,
		Expr:  `\d{1,2}(?:/\d{1,2}/|-\d{1,2}-|\.\d{1,2}\.)(?:\d{4}|\d{2})\b`,
		Match: []string{"nacimiento: [[15/04/1977]].", "el [[3-5-2016]] se", "[[02.09.14]] ingresa"},
		Never: []string{"TA 120/80/10", "45/46/47", "10.0.1.2"},
	},
	{
		Name: "fecha-etiqueta", Type: phi.Date, Score: 0.97,
		Expr: `(?i:fecha<s>de<s>(?:nacimiento|ingreso|alta|intervenci[oó]n|consulta|informe|nac\.?)|f\.?<s>?nac(?:imiento)?|` +
			`f\.?<s>?ingreso)\.?<s>*:?<s>*(\d{1,5}<s>?[-/.]<s>?\d{1,2}[-/.]\d{2,4}|\d{1,2}<s>?[-/.]<s>?\d{1,2}<s>?[-/.]<s>?\d{2,4}|` +
			`\d{1,5}/\d{4}|\d{8})\b`,
		Match: []string{"Fecha de Ingreso: [[26708/2017]].", "F. nacimiento: [[05/4/2017]]"},
		Never: []string{"fecha de alta pendiente", "fecha de ingreso: 3 días"},
	},
	{
		Name: "fecha-iso", Type: phi.Date, Score: 0.95, Check: en.CheckNumericDate,
		Expr:  `(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b`,
		Match: []string{"ingreso [[2018-06-30]] a"},
		Never: []string{"2018-14-40", "2012-2019"},
	},
	{
		Name: "fecha-mes", Type: phi.Date, Score: 0.95,
		Expr: `(?:(?:\d{1,2}|(?i:uno|primero))<s>de<s>)?<mes>(?:<s>(?:<de><s>)?(?:(?i:año)<s>)?|,<s>)<yy>\b|\b\d{1,2}<s>de<s><mes>\b`,
		Match: []string{
			"el [[3 de mayo de 2010]] acude", "en [[marzo de 2015]],", "el [[12 de octubre]] de", "[[diciembre del año 2003]]",
			"[[Mayo 2012]]",
		},
		Never: []string{"5 de los casos", "marzo", "12 de julios"},
		Check: checkFechaMes,
	},
	{
		Name: "fecha-mes-solo", Type: phi.Date, Score: 0.82,
		Expr:  `(?i:en|desde|hasta|a<s>finales<s>de|a<s>principios<s>de|a<s>mediados<s>de|mes<s>de|durante)<s>(<mes>)\b`,
		Match: []string{"en [[marzo]] presentó", "desde [[septiembre]],", "mes de [[agosto]]"},
		Never: []string{"en mayor medida", "desde hace meses", "durante mayos"},
		Check: checkNoCapitalAfter,
	},
	{
		Name: "fecha-año", Type: phi.Date, Score: 0.85, Check: checkYearES,
		Expr: `(?i:año|años|en|desde|hasta|de|del|hacia|durante|en<s>el<s>año|del<s>año|operad[oa]<s>en|diagnosticad[oa]<s>en|` +
			`intervenid[oa]<s>en)<s>((?:19[3-9]|20[0-3])\d)\b`,
		Match: []string{"en [[2009]], con", "desde [[1998]]", "en el año [[2003]]", "año [[1992]]."},
		Never: []string{"de 2000 ml", "en 2000 UI", "hasta 2000 mg", "de 1950 g"},
	},
	{
		Name: "edad-etiqueta", Type: phi.Age, Score: 0.97,
		Expr:  `(?i:edad)<s>*:<s>*(\d{1,3}(?:<s>(?i:años?|meses|mes|d[ií]as?|semanas?|a))?)\b`,
		Match: []string{"Edad: [[37 años]] Sexo", "Edad: [[22]]\n", "Edad: [[9 meses]]"},
		Never: []string{"edad gestacional 39 semanas", "edad: adulta"},
	},
	{
		Name: "edad-persona", Type: phi.Age, Score: 0.95, Check: checkEdad,
		Expr: `(?i:var[oó]n|mujer|hombre|paciente|niñ[oa]|lactante|joven|ancian[oa]|señora?|chic[oa]|adolescente|enferm[oa]|adult[oa]|` +
			`reci[eé]n<s>nacid[oa]|bebé|gestante|embarazada|primigesta|edad|escolar|neonato|individuo|sujeto|fumador[a]?|padre|madre|` +
			`hij[oa]|herman[oa]s?|tí[oa]|abuel[oa])` +
			`(?:,|<s>[a-záéíóúñ-]{3,16}){0,4}?<s>de<s>(?:(?i:unos|casi|aproximadamente|sólo|solo)<s>)?(<esage>)`,
		Match: []string{
			"varón de [[37 años]] con", "Mujer de [[45 años]] que", "lactante de [[9 meses]],",
			"paciente mujer de [[setenta y dos años]] de", "niña de [[15 días]]",
		},
		Never: []string{
			"varón con fiebre de 5 días", "mujer con dolor de 3 meses", "paciente con cuadro de 2 años de evolución",
			"niño con tos de dos semanas",
		},
	},
	{
		Name: "edad-de-edad", Type: phi.Age, Score: 0.95,
		Expr:  `\b(<esage>)<s>(?i:de<s>(?:edad|vida))\b`,
		Match: []string{"de [[70 años]] de edad", "[[9 meses]] de vida", "[[cuatro años]] de edad"},
		Never: []string{"5 años de evolución", "2 meses de tratamiento"},
	},
	{
		Name: "edad-a-los", Type: phi.Age, Score: 0.85, Check: checkEdadALos,
		Expr:  `\b(?i:a<s>los|a<s>la<s>edad<s>de|con|desde<s>los|hasta<s>los|cumplir<s>los|tiene|ten[ií]a|edad<s>de)<s>(<esage>)\b`,
		Match: []string{"falleció a los [[54 años]] de", "a la edad de [[12 años]]", "tenía [[63 años]]"},
		Never: []string{
			"a los 3 días del ingreso", "a los 6 meses de la cirugía", "a los nueve meses de la primera", "con 2 años de evolución",
			"a los 5 años del diagnóstico", "a los 3 meses postoperatorio", "a los 6 meses, se realiza", "a los dos años se",
		},
	},
	{
		Name: "edad-mes-vida", Type: phi.Age, Score: 0.93,
		Expr:  `\b(<nth><s>(?i:mes|año|d[ií]a|semana))<s>(?i:de<s>vida)\b`,
		Match: []string{"Al [[cuarto mes]] de vida", "en el [[tercer año]] de vida"},
		Never: []string{"al cuarto mes de tratamiento", "primer día de ingreso"},
	},
}

// placeRules are addresses, places and institutions.
var placeRules = []pattern.Rule{
	{
		Name: "domicilio", Type: phi.Street, Score: 0.97, Check: checkLineValue,
		Expr: `(?i:domicilio|direcci[oó]n)<s>*:<s>*([^\n:]{3,200})`,
		Match: []string{
			"Domicilio: [[Calle Losada Martí 23, 5 B]]..\n", "Domicilio:[[Avda. de Federico Soto, 1, 13 B]].\n",
			"Dirección: [[Eduardo Rivas, 3]].\n",
		},
		Never: []string{"domicilio habitual", "Domicilio: \n", "acude a domicilio"},
	},
	{
		Name: "calle", Type: phi.Street, Score: 0.9, Check: checkCalle,
		Expr: `\b<via><s>?(?:(?:<link>){0,2}<p>\.?,?(?:<s>(?:<link>){0,2}<p>\.?){0,5}),?<s>?(?:<doorno>\b\.?<floor>)?`,
		Match: []string{
			"en [[Calle Miguel Benitez 90]]", "[[Avda. Blasco Ibáñez, 17]] 46010", "[[Plaza de la Encarnación, 32]] Madrid",
			"[[C/ Batán, 5]]",
		},
		Never: []string{"vía oral", "por vía intravenosa", "VÍA AÉREA", "camino de la curación", "plaza de toros", "vía Intravenosa"},
	},
	{
		Name: "cp", Type: phi.ZIP, Score: 0.97,
		Expr:  `(?i:c\.?<s>?p\.?|c[oó]digo<s>postal)<s>*[.:]?<s>*(\d{5})\b`,
		Match: []string{"CP: [[28016]].", "C.P. [[46010]] Valencia"},
		Never: []string{"CP: 12", "cp 1234"},
	},
	{
		Name: "cp-lugar", Type: phi.ZIP, Score: 0.9, Check: checkCPLugar,
		Expr:  `\b((?:E-)?(?:0[1-9]|[1-4]\d|5[0-2])\d{3})[,.-]?<s>{1,3}\(?<p>`,
		Match: []string{"km 12,500 [[28905]] Getafe", "s/n [[46015]] Valencia", "6 [[E-28015]] Madrid"},
		Never: []string{"leucocitos 12500 Neutrófilos", "plaquetas 15000 Hb", "12500 UI", "de 10000 Leucocitos"},
	},
	{
		Name: "lugar-cp", Type: phi.City, Score: 0.85, Check: checkLugar,
		Expr:  `\b(?:0[1-9]|[1-4]\d|5[0-2])\d{3}[,.-]?<s>{1,3}(<place>)`,
		Match: []string{"12,500 28905 [[Getafe]]\n", "s/n 46015 [[Valencia]]"},
		Never: []string{"leucocitos 12500 Neutrófilos", "plaquetas 15000 Hb 12", "12500 UI"},
	},
	{
		Name: "localidad", Type: phi.City, Score: 0.95, Check: checkLineValue,
		Expr:  `(?i:localidad(?:<s>?/<s>?provincia)?|provincia|poblaci[oó]n|municipio|ciudad)<s>*:<s>*(\p{L}[^\n:0-9,;/(]{1,40})`,
		Match: []string{"Localidad/ Provincia: [[Madrid]].\n", "Provincia: [[Las Palmas]]\n", "Localidad: [[Reocín]], Cantabria"},
		Never: []string{"población general", "Localidad: \n"},
	},
	{
		Name: "provincia-tras", Type: phi.City, Score: 0.92, Check: checkLineValue,
		Expr:  `(?i:localidad<s>?/<s>?provincia|localidad)<s>*:<s>*\p{L}[^\n:0-9,;/(]{1,40}[,/(;]<s>?(\p{L}[^\n:0-9,;/)]{1,40})`,
		Match: []string{"Localidad/ Provincia: Reocín, [[Cantabria]].\n", "Localidad: Getafe ([[Madrid]])"},
		Never: []string{"Localidad: Madrid.\n"},
	},
	{
		Name: "provincia-lista", Type: phi.City, Score: 0.82, Check: checkProvincia,
		Expr: `\b(?:[AÁ]lava|Albacete|Alicante|Almer[ií]a|Asturias|[AÁ]vila|Badajoz|Baleares|Barcelona|Bilbao|Burgos|C[aá]ceres|` +
			`C[aá]diz|Cantabria|Castell[oó]n|Ciudad<s>Real|C[oó]rdoba|A<s>Coruña|La<s>Coruña|Cuenca|Girona|Gerona|Granada|Guadalajara|` +
			`Guip[uú]zcoa|Huelva|Huesca|Ja[eé]n|` +
			`Las<s>Palmas(?:<s>de<s>Gran<s>Canaria)?|Lleida|L[eé]rida|Logroño|Lugo|Madrid|M[aá]laga|Murcia|Navarra|Ourense|Orense|` +
			`Oviedo|Palencia|Pamplona|Pontevedra|La<s>Rioja|Salamanca|San<s>Sebasti[aá]n|Santander|Segovia|Sevilla|Soria|Tarragona|` +
			`Tenerife|Teruel|Toledo|Valencia|Valladolid|Vigo|Vizcaya|Vitoria|Zamora|Zaragoza|` +
			`Andaluc[ií]a|Arag[oó]n|Canarias|Castilla<s>y<s>Le[oó]n|Castilla-La<s>Mancha|Cataluña|Extremadura|Galicia|Pa[ií]s<s>Vasco|` +
			`Mallorca|Menorca|Ibiza|Gij[oó]n|Elche|Getafe|Legan[eé]s|M[oó]stoles|Majadahonda|Badalona|Sabadell|Terrassa|Matar[oó]|` +
			`Cartagena|Algeciras|Marbella|Ceuta|Melilla|Ferrol)\b`,
		Match: []string{"en [[Madrid]] y", "28905 Griñón - [[Valencia]] (", "de [[Zaragoza]]."},
		Never: []string{
			"Hospital de Valencia", "Universidad de Granada", "fiebre de Malta", "Calle Toledo", "Carretera Toledo km",
			"clasificación de Barcelona",
		},
	},
	{
		Name: "país", Type: phi.Country, Score: 0.95, Check: checkLineValue,
		Expr:  `(?i:pa[ií]s|nacionalidad|pa[ií]s<s>de<s>origen)<s>*:<s>*(\p{L}[^\n:0-9,;/(]{1,30})`,
		Match: []string{"País: [[España]].\n", "País: [[República Dominicana]]\n"},
		Never: []string{"País: \n", "país de origen desconocido"},
	},
	{
		Name: "país-lista", Type: phi.Country, Score: 0.9,
		Expr: `\b(?:España|Portugal|Francia|Italia|Alemania|Inglaterra|Reino<s>Unido|Irlanda|Holanda|Pa[ií]ses<s>Bajos|B[eé]lgica|Suiza|` +
			`Austria|Polonia|Ruman[ií]a|Bulgaria|Rusia|Ucrania|Grecia|Marruecos|Argelia|Senegal|Nigeria|Guinea<s>Ecuatorial|Mauritania|` +
			`Gambia|Ghana|Camer[uú]n|M[eé]xico|` +
			`Colombia|Ecuador|Per[uú]|Bolivia|Chile|Argentina|Uruguay|Paraguay|Venezuela|Brasil|Cuba|Rep[uú]blica<s>Dominicana|Honduras|` +
			`Nicaragua|El<s>Salvador|Guatemala|Costa<s>Rica|Panam[aá]|Puerto<s>Rico|Estados<s>Unidos|EE\.?<s>?UU\.?|USA|Canad[aá]|China|` +
			`India|Pakist[aá]n|Filipinas|Jap[oó]n|Suecia|Noruega|Dinamarca|Finlandia|Egipto|Siria|Irak|Ir[aá]n)\b`,
		Match: []string{"Madrid ([[España]])", "natural de [[Ecuador]],", "procedente de [[Marruecos]]"},
		Never: []string{"tinta china", "Cubana de 3 años", "el peruano"},
	},
	{
		Name: "hospital-es", Type: phi.Hospital, Score: 0.92, Check: checkHospitalES,
		Expr: `\b(?:Hospital(?:s)?|HOSPITAL|H\.|Cl[ií]nica|Complejo<s>(?:Hospitalario|Asistencial)|Complexo|Policl[ií]nica|` +
			`Policl[ií]nico|Sanatorio|Ambulatorio|Consorcio<s>Hospitalario|Ciudad<s>Sanitaria|Residencia|Hospital<s>Cl[ií]nico|` +
			`Corporaci[oó])<s>(?:<hosp>){0,4}(?:(?:<link>){0,2}<p>(?:<s>(?:<link>){0,2}<p>){0,5}|12<s>de<s>(?i:octubre))`,
		Match: []string{
			"el [[Hospital Universitario de Getafe]].", "[[Hospital Ramón y Cajal]],", "[[Complejo Asistencial de León]]\n",
			"[[Hospital Universitario 12 de octubre]]", "[[Clínica Universidad de Navarra]].",
		},
		Never: []string{
			"Hospital de día", "Clínica compatible", "hospital de referencia", "Clínica Habitual", "Historia Clínica", "HOSPITAL DE DÍA",
		},
	},
	{
		Name: "centro-salud", Type: phi.Hospital, Score: 0.93,
		Expr: `\b(?:Centro<s>de<s>(?:Salud|Especialidades|Atenci[oó]n<s>Primaria)|C\.?<s>?S\.|CAP|EAP|Consultorio)<s>` +
			`(?:(?:<link>){0,2}<p>(?:<s>(?:<link>){0,2}<p>){0,4}(?:<s>\d{1,2}\b)?|Zona<s>\d{1,2})`,
		Match: []string{"del [[Centro de Salud Las Calesas]].", "[[Centro de Salud Zona 4]]", "[[Centro de Salud de Chantrea]],"},
		Never: []string{"su centro de salud habitual", "Centro de Salud"},
	},
	{
		Name: "institución", Type: phi.Organization, Score: 0.85, Check: checkHospitalES,
		Expr: `\b(?:Universidad|Facultad|Fundaci[oó]n|Colegio|Ayuntamiento|Consejer[ií]a|Generalitat|Servicio<s>` +
			`(?:Andaluz|Vasco|Murciano|Canario|Madrileño|Gallego|Navarro|Extremeño|Riojano|Castellano-Leon[eé]s)<s>de|Instituto|` +
			`Institut|Centro<s>de<s>Transfusi[oó]n)<s>(?:<hosp>){0,2}(?:(?:<link>){0,2}<p>(?:<s>(?:<link>){0,2}<p>){0,5})`,
		Match: []string{
			"de la [[Universidad de Granada]].", "[[Fundación Oftalmológica del Mediterráneo]]",
			"[[Servicio Castellano-Leonés de Salud]]\n",
		},
		Never: []string{"universidad pública", "Colegio de médicos", "Instituto de la mujer"},
	},
}

// peopleRules are names that a label or a title announces.
var peopleRules = []pattern.Rule{
	{
		Name: "nombre", Type: phi.Patient, Score: 0.97, Check: checkLineValue,
		Expr: `(?i:nombre(?:<s>y<s>apellidos)?(?:<s>del?<s>paciente)?|apellidos?)<s>*:<s>*(\p{L}[^\n:0-9;/(]{1,60})`,
		Match: []string{
			"Nombre:  [[Jose]] .\n", "Apellidos: [[Aranda Martinez]].\n", "Nombre y apellidos: [[Luz Colón Rentas]]\n",
			"Nombre: [[M. Carmen]].\n",
		},
		Never: []string{"Nombre: \n", "nombre comercial", "Informe clínico del paciente: Varón de cinco años que presenta"},
	},
	{
		Name: "médico", Type: phi.Doctor, Score: 0.96, Check: checkMedico,
		Expr: `(?i:m[eé]dico(?:<s>(?:responsable|de<s>familia|de<s>cabecera|remitente))?|cirujano|facultativo|doctor|enfermer[oa]|` +
			`responsable(?:<s>cl[ií]nico)?|remitido<s>por|remitente|firmado(?:<s>por)?|fdo\.?|firma|autor|dirigido<s>a|` +
			`correspondencia)<s>*[.:]<s>*(?:(?i:dra?|d|dña|d[ªº]|doña|don|prof|sr|sra)\b[.:]{0,2}<s>*){0,2}(<pers>)`,
		Match: []string{
			"Médico: [[María Merino Viveros]]  NºCol", "Remitido por: Dra. [[Estefanía Romero Selas]]. Email",
			"Responsable clínico: Dr. [[Francisco Pastor Pascual]] Fundación", "Remitido por: Dr: [[Rodrigo Martínez Mansur]]. Em",
			"Fdo.: [[Ana Chinchurreta Capote]] Hospital",
		},
		Never: []string{"Médico: \n", "remitido por: su médico", "Responsable: Servicio de Urgencias", "Médico: Hospital"},
	},
	{
		Name: "doctor-es", Type: phi.Doctor, Score: 0.9, Check: checkMedico,
		Expr:  `\b(?:Dra?|DRA?|Drs|Dres|Prof|Profa)\b[.:]?<s>{1,2}(<pers>)`,
		Match: []string{"la Dra. [[Merino Viveros]] y", "Dr. [[J. García]],", "Dr [[Peset]] vio"},
		Never: []string{"Dr. Hospital", "Drs. de guardia"},
	},
	{
		// MEDDOCAN marks kinship, and the name in it, as one type that the job does not report.
		Name: "pariente", Type: phi.Patient, Score: 0.9,
		Expr: `\b(?:madre|padres?|hij[oa]s?|herman[oa]s?|abuel[oa]s?|t[ií][oa]s?|prim[oa]s?|sobrin[oa]s?|niet[oa]s?|espos[oa]|marido|mujer|` +
			`pareja|novi[oa]|cuñad[oa]|suegr[oa]|yerno|nuera|cuidadora?)(?:<s>(?:mayor|menor|matern[oa]|patern[oa]|gemel[oa]|adoptiv[oa]))?` +
			`,?<s>{1,2}\(?(\p{Lu}\p{Ll}{2,}(?:[- ](?:<link>){0,2}\p{Lu}\p{Ll}+){0,4})\b`,
		Match: []string{
			"su abuela [[Norma Benítez]] por fiebre", "el padre, [[Gustavo]], trabaja", "su madre ([[María]]) quien",
			"sus padres [[Ana Vidal y Nicolás Garrido]]", "La madre adoptiva, [[Maite]], es", "hermano mayor, [[Ovidio]]",
		},
		Never: []string{
			"su madre, HTA", "madre Rh negativo", "C/ Hermanos Falcó", "Av. del Padre Isla", "Dos Hermanas, Sevilla", "la hermana de 6 años",
		},
	},
	{
		Name: "don", Type: phi.Patient, Score: 0.85, Check: checkMedico,
		Expr:  `\b(?:D\.|D[ªa]\.?|Dña\.?|Don|Doña|Sr\.?|Sra\.?|Srta\.?)<s>(<pers>)`,
		Match: []string{"Don [[Ernesto Rivera]] acude", "Dña. [[Luz Colón]],", "la Sra. [[Ibarra]]"},
		Never: []string{"vitamina D. Se pauta", "D. Hospital", "25-OH vitamina D. El"},
	},
}
