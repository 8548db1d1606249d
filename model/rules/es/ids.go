package es

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/en"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// idRules are identifiers of Spanish health care.
var idRules = []pattern.Rule{
	{
		Name: "nhc", Type: phi.MedicalRecord, Score: 0.97, Check: checkLetterDigits, Digits: true,
		Expr: `(?i:nhc|n\.?h\.?c\.?|n[º°]?\.?<s>?(?:de<s>)?h(?:istoria|\.?<s>?c\.?)(?:<s>cl[ií]nica)?|historia<s>cl[ií]nica|historia|` +
			`nuhsa|h\.?c\.?)<is>([A-Z]{0,4}[ -]?\d[\dA-Z./-]*)\b`,
		Match: []string{"NHC: [[2748903]].", "NHC:  [[780135]].", "Nº de historia clínica: [[AB-44718]]"},
		Never: []string{"historia de 3 meses", "historia clínica de 2 años", "HC 12"},
	},
	{
		Name: "nass", Type: phi.HealthPlan, Score: 0.97, Check: checkLetterDigits, Digits: true,
		Expr: `(?i:nass|n[º°]?\.?<s>?(?:de<s>)?(?:afiliaci[oó]n|s\.?s\.?|seguridad<s>social)|seguridad<s>social|n\.?s\.?s\.?|mutua|` +
			`p[oó]liza|tsi|cip(?:a)?|tarjeta<s>sanitaria)<is>([A-Z]{0,4}<s>?\d[\d /-]*\d(?:<s>?[A-Z]\b)?)`,
		Match: []string{"NASS: [[26 37482910 04]].", "CIP: [[BBBB 123456]].", "Nº de afiliación: [[28/12345678/40]]"},
		Never: []string{"mutua 2", "seguridad social", "CIP: pendiente"},
	},
	{
		Name: "cip", Type: phi.HealthPlan, Score: 0.93,
		Expr:  `\b[A-Z]{4}<s>?\d{10,12}\b`,
		Match: []string{"tarjeta [[BBBB123456789012]] de"},
		Never: []string{"TNFA 1234", "ABCD 123456"},
	},
	{
		Name: "dni", Type: phi.SSN, Score: 0.95, Check: checkDNI,
		Expr:  `\b(?:\d{1,2}\.?\d{3}\.?\d{3}|[XYZxyz][- ]?\d{7})[- ]?[A-Za-z]\b`,
		Match: []string{"DNI [[12345678Z]] y", "[[12.345.678-Z]]", "NIE: [[X1234567L]]"},
		Never: []string{"12345678A", "X1234567A", "10000000 U"},
	},
	{
		Name: "dni-etiqueta", Type: phi.SSN, Score: 0.97, Check: checkLetterDigits, Digits: true,
		Expr: `(?i:dni|d\.n\.i\.|nif|n\.i\.f\.|nie|n\.i\.e\.|pasaporte|documento<s>(?:nacional<s>)?(?:de<s>)?identidad)<is>` +
			`([A-Z]{0,3}<s>?\d[\d.]*(?:[- ]?[A-Za-z])?)\b`,
		Match: []string{"DNI: [[12345678A]]", "pasaporte [[AAB123456]]", "NIF. [[45.678.901]]"},
		Never: []string{"DNI 2", "NIE en trámite"},
	},
	{
		Name: "colegiado", Type: phi.License, Score: 0.97, Check: checkLetterDigits, Digits: true,
		Expr: `(?i:n[º°o]?\.?<s>?(?:de<s>)?col(?:eg(?:iad[oa])?)?\.?|colegiad[oa]|ncol|c[oó]digo<s>de<s>m[eé]dico)<s>*[:.]?<s>*` +
			`(?:(?i:n[º°o]|n[uú]m(?:ero)?)\.?<s>?:?<s>*)?(\d[\d /-]{3,14}\d|\d{4,10})\b`,
		Match: []string{"NºCol: [[28 28 35489]].", "Nº Col: [[29 29 47125]].", "colegiado nº [[282812345]]"},
		Never: []string{"colegiado de Madrid", "Nº col 2"},
	},
	{
		Name: "episodio", Type: phi.Account, Score: 0.96, Check: checkLetterDigits, Digits: true,
		Expr: `(?i:episodio|n[º°]<s>?(?:de<s>)?(?:episodio|ingreso|contacto|petici[oó]n|biopsia)|petici[oó]n|proceso|cita)<s>*` +
			`(?:[:.#]<s>*|(?i:n[º°o]\.?)<s>*){1,3}([A-Z]{0,3}[ -]?\d[\dA-Z/-]*)\b`,
		Match: []string{"Episodio: [[358784]].", "Nº de ingreso: [[79845698]]", "biopsia petición nº [[B17-4471]]"},
		Never: []string{"episodio: 3 días", "primer episodio de 2010", "proceso: 5"},
	},
	{
		Name: "número-serie", Type: phi.Device, Score: 0.92, Check: checkLetterDigits, Digits: true,
		Expr:  `(?i:n[º°]<s>?(?:de<s>)?serie|lote|n[uú]mero<s>de<s>serie)<is>([A-Z0-9][A-Z0-9-]*\d[A-Z0-9-]*)\b`,
		Match: []string{"nº de serie [[PVD771206H]].", "lote [[UC4471-B]],"},
		Never: []string{"lote 2", "de serie"},
	},
	{
		Name: "matrícula", Type: phi.Vehicle, Score: 0.93,
		Expr:  `(?i:matr[ií]cula)<is>(\d{4}[ -]?[B-DF-HJ-NP-TV-Z]{3}|[A-Z]{1,2}[ -]?\d{4}[ -]?[A-Z]{1,2})\b`,
		Match: []string{"matrícula [[1234 BCD]] volcó", "matrícula: [[M-1234-AB]]"},
		Never: []string{"matrícula 12", "matrícula de honor"},
	},
	{
		Name: "larga", Type: phi.IDNum, Score: 0.65, Check: en.CheckLongDigits,
		Expr:  `\b\d{7,20}\b`,
		Match: []string{"ref [[44718829]] en"},
		Never: []string{"1500000 copias", "carga viral 1250000"},
	},
}

// contactRules are telephone and fax numbers.
var contactRules = []pattern.Rule{
	{
		Name: "fax-es", Type: phi.Fax, Score: 0.98, Check: checkTelES, Digits: true,
		Expr:  `(?i:fax|telefax)<s>*[.:]?<s>*(?:(?i:n[º°o])\.?<s>*)?(<estel>)`,
		Match: []string{"Fax: [[91 336 87 85]].", "fax [[985-27-36-14]]", "Fax. [[93 2607982]]"},
		Never: []string{"fax 12", "fax el 12/03/2019"},
	},
	{
		Name: "tel-fax", Type: phi.Fax, Score: 0.96, Check: checkTelES, Digits: true,
		Expr:  `(?i:tel[eé]fono|tel|tfno|tlf|telf|tf)\.?<s>?(?:/|y|-)<s>?(?i:fax)<s>*[.:]?<s>*(<estel>)`,
		Match: []string{"Tel/Fax: [[967 596 685]]"},
		Never: []string{"tel y fax pendientes"},
	},
	{
		Name: "tel-es", Type: phi.Phone, Score: 0.97, Check: checkTelES, Digits: true,
		Expr: `(?i:tel[eé]fonos?|tel[eéf]*|tfno|tfn|tlfno|tlf|telf|tfo|tf|m[oó]vil|busca|extensi[oó]n|llamar<s>al|contacto)\b\.?<s>*` +
			`(?:de<s>contacto)?[.:]?<s>*(<estel>)`,
		Match: []string{"Teléfono: [[914 90 66 60]]", "Tfno. [[925830034]].", "móvil [[609 518571]]", "Tel: [[+34 917 27 70 00]]"},
		Never: []string{"contacto 2 veces", "tel 12", "contacto 12/03/2019"},
	},
	{
		Name: "tel-solo", Type: phi.Phone, Score: 0.82, Check: checkTelES, Digits: true,
		Expr:  `(?:\(?(?:\+|00)34\)?[ .-]?)?\b[6789]\d{2}[ .-]?\d{2,3}[ .-]?\d{2,3}(?:[ .-]?\d{2})?\b`,
		Match: []string{"en el [[934 169 700]].", "[[956013059]] o", "[[+34 609 51 85 71]]"},
		Never: []string{"912 345", "610 mg", "leucocitos 900 123 456 789"},
	},
}
