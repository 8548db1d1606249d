package rules

import "github.com/palimpsest-deid/palimpsest/model/phi"

// englishCodes are identifiers of single countries and standards, most of them
// with a check digit or a shape of their own.
var englishCodes = []rule{
	{
		name: "ssn-spaced", typ: phi.SSN, score: 0.9, check: checkSSNSpaced,
		expr:  `\b\d{3}<s>\d{2}<s>\d{4}\b`,
		match: []string{"social is [[219 09 9999]] he"},
		never: []string{"BP 120 80 1999", "social visits 000 12 3456"},
	},
	{
		name: "sin", typ: phi.SSN, score: 0.96, check: checkSIN,
		expr:  `(?i:sin|social<s>insurance)(?:<s>(?i:no|number|#))?\.?<is>(\d{3}[- ]?\d{3}[- ]?\d{3})\b`,
		match: []string{"SIN [[046 454 286]] on", "Social Insurance Number: [[046-454-286]]"},
		never: []string{"SIN 046 454 287", "sin 3"},
	},
	{
		name: "nino", typ: phi.SSN, score: 0.95, check: checkNINO,
		expr:  `\b(?:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]|QQ)<s>?\d{2}<s>?\d{2}<s>?\d{2}<s>?[A-D]\b`,
		match: []string{"NI no. [[AB123456C]]", "nino [[AB 12 34 56 C]],"},
		never: []string{"KN 12 34 56 C", "AB 12 34 56 E", "CT 12 34 56"},
	},
	{
		name: "tfn", typ: phi.SSN, score: 0.93,
		expr:  `(?i:tfn|tax<s>file|pps|ppsn|ird)(?:<s>(?i:no|number|#))?\.?<is>(\d{2,3}[- ]?\d{3}[- ]?\d{3}|\d{7}[A-Wa-w]{1,2})\b`,
		match: []string{"TFN [[123 456 782]]", "PPS no. [[1234567TW]]", "PPSN: [[1234567T]]"},
		never: []string{"pps 40", "TFN pending"},
	},
	{
		name: "medicare-bare", typ: phi.HealthPlan, score: 0.93, check: checkMedicareAU,
		expr:  `\b[2-6]\d{3}<s>\d{5}<s>\d(?:<s>?/<s>?\d)?\b`,
		match: []string{"card [[2123 45670 1]] exp"},
		never: []string{"card 2123 45671 1", "2123 45670 1 mg"},
	},
	{
		name: "ihi", typ: phi.HealthPlan, score: 0.95, check: checkLuhn,
		expr:  `\b80036[0-2]\d<s>?\d{4}<s>?\d{4}<s>?\d?\d{0,3}\b|\b8003<s>60\d\d<s>\d{4}<s>\d{4}\b`,
		match: []string{"IHI [[8003608833357361]]", "IHI [[8003 6088 3335 7361]]"},
		never: []string{"8003608833357362"},
	},
	{
		name: "ramq", typ: phi.HealthPlan, score: 0.95,
		expr:  `\b[A-Z]{4}<s>?\d{4}<s>?\d{4}\b`,
		match: []string{"NAM [[LACR 5109 1712]]", "RAMQ [[LACR51091712]]"},
		never: []string{"BMS 9861 6512", "TABS 2019"},
		check: checkRAMQ,
	},
	{
		name: "ohip", typ: phi.HealthPlan, score: 0.94,
		expr:  `\b\d{4}<h>\d{3}<h>\d{3}(?:<h>|<s>)?[A-Z]{2}\b`,
		match: []string{"HC [[9480-220-617-KV]]", "card [[9480-220-617 KV]]"},
		never: []string{"9480-220-617"},
	},
	{
		name: "plan-groups", typ: phi.HealthPlan, score: 0.85, check: checkGroups, digits: true,
		expr:  `(?i:id|member|subscriber|policy|plan|insured|cert(?:ificate)?)<is>([A-Z]{2,4}(?:<s>\d{1,6}\b){2,6}(?:<s>[A-Z]\b)?)`,
		match: []string{"pt petrashko o, id [[WBH 662 08 1190 3]], plan", "Policy [[GSA 4470 18 226]]."},
		never: []string{"id NS 100 mL", "plan CT 12/3", "plan IV 2 4 mg", "plan PO 20 40"},
	},
	{
		name: "credit-card", typ: phi.Account, score: 0.96, check: checkCard,
		expr:  `\b(?:[3-6]\d{3}[- ]?\d{4}[- ]?\d{4}[- ]?\d{4}|3[47]\d{2}[- ]?\d{6}[- ]?\d{5})\b`,
		match: []string{"visa [[4111 1111 1111 1111]] exp", "[[4111-1111-1111-1111]]", "amex [[378282246310005]]"},
		never: []string{"4111 1111 1111 1112"},
	},
	{
		name: "iban", typ: phi.Account, score: 0.96, check: checkIBAN,
		expr:  `\b[A-Z]{2}\d{2}(?:<s>?[A-Z0-9]{4}){2,7}(?:<s>?[A-Z0-9]{1,3})?\b`,
		match: []string{"to [[GB82 WEST 1234 5698 7654 32]]", "[[DE89370400440532013000]]"},
		never: []string{"GB82 WEST 1234 5698 7654 33", "CT12 SCAN 2019 1204"},
	},
	{
		name: "sort-code", typ: phi.Account, score: 0.93,
		expr:  `(?i:sort<s>code|routing|aba|bsb|transit)(?:<s>(?i:no|number|#))?\.?<is>(\d{2}[- ]\d{2}[- ]\d{2}|\d{3}-?\d{3}|\d{9})\b`,
		match: []string{"sort code [[20-18-44]] acc", "routing # [[021000021]]", "BSB [[062-001]]"},
		never: []string{"transit 12", "transit 2019"},
	},
	{
		name: "npi-bare", typ: phi.License, score: 0.72, check: checkNPIBare,
		expr:  `\b[12]\d{9}\b`,
		match: []string{"Jones [[1234567893]] ok"},
		never: []string{"1234567894"},
	},
	{
		name: "udi", typ: phi.Device, score: 0.98,
		expr:  `\(01\)<s>?\d{14}(?:<s>?\(\d{2}\)<s>?[A-Za-z0-9./-]{1,20})*|\+[A-Z]\d{3}[A-Z0-9]{4,18}/[$A-Z0-9]{4,30}`,
		match: []string{"UDI [[(01)00844588003288(17)141120(10)7654321D(21)10987654]] left", "[[(01) 00844588003288]]"},
		never: []string{"(01) 2019", "(01)123"},
	},
	{
		name: "mac-dots", typ: phi.Device, score: 0.95, check: checkMACDots,
		expr:  `\b[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\b`,
		match: []string{"adapter [[001b.4411.3ab7]] on"},
		never: []string{"1234.5678.9012"},
	},
	{
		name: "device-model", typ: phi.Device, score: 0.8, check: checkDevice, digits: true,
		expr: `(?i:pump|cpap|bipap|monitor|pacemaker|icd|lead|generator|valve|stent|implant|prosthesis|graft|mesh|walker|wheelchair|scooter|glucometer|meter|sensor|transmitter|recorder|concentrator|ventilator|bed|lens|iol|stem|cup|head|liner|plate|nail|screw|cage)` +
			`<s>?(?i:serial|sn|s/n|id|no\.?|number|#|ref|asset)?<s>?[:#]?<s>?([A-Z]{2,5}<h>\d{4,8}|[A-Z]{1,3}\d{6,9}[A-Z]?)\b`,
		match: []string{"expressing 3-hourly, pump [[SYM-40921]]. Up", "CPAP no [[AS22904417]],"},
		never: []string{"pump 2 mL", "lead V1-V6", "lens SN60", "valve AR 2", "bed 12", "lead AVR-1"},
	},
	{
		name: "mrn-letters-dash", typ: phi.MedicalRecord, score: 0.96, check: checkPrefixed,
		expr:  `\b[A-Z]{1,3}<s>?\d{3}-\d{4}\b`,
		match: []string{"Whyte, Tiana   [[AC 771-0926]]   S", "record: [[AC771-0926]]. S"},
		never: []string{"T 555-0161", "PO 200-1200", "CALL 555-0161", "TEL 555-0161", "PH 555-0161"},
	},
	{
		name: "mrn-letters-blank", typ: phi.MedicalRecord, score: 0.72, check: checkPrefixed,
		expr:  `\b[A-Z]{2}<s>\d{6,8}\b`,
		match: []string{"system, [[RX 550713]] and", "  [[AW 5518204]]   DOB"},
		never: []string{"PO 1234567", "ID 1234567", "NO 123456", "CT 20190312", "CD 100000", "RBC 4500000", "H190 SN 2902990"},
	},
	{
		name: "number-then-number", typ: phi.IDNum, score: 0.8, check: checkID4, digits: true,
		expr:  `\b(?i:card|cert(?:ificate)?|no|nos|number|id|tag|label|sticker|bracelet|wristband|permit|warrant|case|kit|panel|order|bag|cassette|slide|block|cooler)\.?<s>?[:#]?<s>?(?:(?i:given<s>as)<s>)?([A-Z]{1,4}<h>?\d{4,10}[A-Z]{0,3}|[A-Z]{5}\d{6}[A-Z0-9]{2,5})\b`,
		match: []string{"screen sent (card [[MB7740213]]), n", "no. given as [[PIETR806173R99ZQ]].", "kit [[SVC-88412]] used"},
		never: []string{"card CT", "no. 2 of 3", "block L4"},
	},
	{
		name: "slashes", typ: phi.IDNum, score: 0.85,
		expr:  `\b[A-Z]{2,4}/\d{2}/\d{4,8}\b|\b[A-Z]{1,3}/\d{4}/\d{3,6}\b`,
		match: []string{"Oxford ([[NSC/23/118046]]) and", "ref [[AB/2019/00417]]"},
		never: []string{"BP/12/2019x", "CT/12/3"},
	},
	{
		name: "letters-dash-digits", typ: phi.IDNum, score: 0.72, check: checkLettersDash,
		expr:  `\b[A-Z]{2,4}<h>\d{5}\b`,
		match: []string{"panel sent ([[GX-55190]]).", "order [[TG-55281]])"},
		never: []string{"CPT-99213", "ICD-12345", "UK-14304", "SB-20358", "NCT-01234"},
	},
	{
		name: "digits-dashes", typ: phi.IDNum, score: 0.72, check: checkDashes,
		expr:  `\b(?:\d{2,3}<h>\d{5,8}|\d{5,8}<h>\d{1,3}|\d{3}<h>\d{2}<h>\d{2,3}|\d{2}<h>\d{3}<h>\d{2,3}|\d{2,4}<h>\d{3,5}<h>\d{3,6})\b`,
		match: []string{"band [[117-40221]] on", "[[733104-8]] seen", "[[41-220-118]],", "[[2207-4481-093]]"},
		never: []string{"10-15-20 mg", "200-100-50 mg", "60-50-40 taper", "130-140/80", "|30934-4^BNP^LN|"},
	},
	{
		name: "letters-dashes", typ: phi.IDNum, score: 0.75, check: checkLettersDash,
		expr:  `\b(?:[A-Z]{1,5}(?:<h>\d{2,6}){2,3}(?:<h>[A-Z0-9]{1,4})?|\d{2,4}<h>[A-Z]{1,4}<h>\d{3,6}|[A-Z]{2,4}<h>[A-Z]{1,4}<h>\d{3,6})\b`,
		match: []string{"ref [[TMH-190113-0552]] and", "[[QX-41-2207]],", "[[PR-KT-40117]]"},
		never: []string{"SARS-COV-2", "CYP-2-19", "ICD-10-250", "C5-6-7"},
	},
	{
		name: "letters-few-digits", typ: phi.IDNum, score: 0.66, check: checkLettersDash,
		expr:  `\b[A-Z]{2,3}\d{4,5}\b`,
		match: []string{"filed as [[KD20417]] by", "tag [[QX4471]]"},
		never: []string{"NCT12345", "ISO9001", "CPT99213", "PF07321", "FY2014"},
	},
	{
		name: "labelled-short", typ: phi.IDNum, score: 0.82, check: checkLabelledShort, digits: true,
		expr:  `\b(?i:interp(?:reter)?(?:<s>(?i:via<s>video|phone|video))?|badge|collar|locker|voucher|ticket|bag|tag|booking|confirmation|loaned)(?:<s>(?:no|number|id)\b)?\.?<s>?[,:#]?<s>?(?:no\.<s>)?([A-Z]{1,3}<h>\d{2,4}|\d{4,6})\b`,
		match: []string{"interp via video, [[HC-118]]; w", "loaned, no. [[LV-27]].", "badge [[4471]]", "collar no. [[1187]],"},
		never: []string{"bag 1000 mL", "tag T1-2", "ticket 2"},
	},
	{
		name: "plate-uk", typ: phi.Vehicle, score: 0.9, check: checkPlateUK,
		expr:  `\b[A-HJ-PR-Y][A-HJ-PR-Y](?:0[2-9]|[1-7]\d)<s>?[A-HJ-Z]{3}\b`,
		match: []string{"White Transit [[FX16 QKD]], bel"},
		never: []string{"CT12 SOB", "MR20 THE", "CD20 POS", "AB12 CD"},
	},
	{
		name: "vehicle-plate-word", typ: phi.Vehicle, score: 0.85, check: checkPlate,
		expr:  `(?i:car|truck|van|suv|sedan|vehicle|motorcycle|trailer|pickup|ambulance|unit|boat|hull|vessel)<s>?[,(]?<s>?(?i:reg(?:istration)?|plate|tag|hull|tags?)(?:<s>(?i:no|number|#))?[:#]?<s>?([A-Z0-9]{1,4}[- ]?[A-Z0-9]{2,5})\b`,
		match: []string{"truck tag [[HJR 6083]] found", "car reg [[FX16 QKD]],"},
		never: []string{"car tag 2 mg", "van plate off"},
	},
	{
		name: "biometric-label", typ: phi.BioID, score: 0.93, check: checkID4, digits: true,
		expr:  `(?i:finger<s>?prints?|palm<s>?print|iris|retina(?:l)?|voice<s>?print|face<s>?id|facial|dna<s>profile|biometric)<s>(?:(?i:template|file|record|scan|hash|token|ref(?:erence)?|enrol?ment|id|no|number)\.?<s>?){1,3}[:#]?<s>?([A-Za-z]{0,4}<h>?\d[A-Za-z0-9-]{3,})\b`,
		match: []string{"iris template [[BT-99120]] on", "voice print ref [[VP88412]]", "palm print file no: [[PP-4471-A]]"},
		never: []string{"iris scan 2019", "retinal scan 20/40", "facial scan no 2"},
	},
}

// englishSpoken are telephone numbers as they are heard or scanned.
var englishSpoken = []rule{
	{
		name: "phone-words", typ: phi.Phone, score: 0.93, check: checkSpoken,
		expr:  `\b(?:(?i:oh|zero|nought|one|two|three|four|five|six|seven|eight|nine|double|triple|o)\b|\d{1,4}\b)(?:[ ,.-]{1,3}(?:(?i:oh|zero|nought|one|two|three|four|five|six|seven|eight|nine|double|triple|o)\b|\d{1,4}\b)){3,14}`,
		match: []string{"number is [[four oh one five five five oh one three eight]] if", "looking. [[303, 555, zero one seven two]]. If", "at [[five five five oh one four four]] okay", "([[8 1 8 5 5 5 0 1 9 4]])."},
		never: []string{"one two three four", "5 5 5 5 4 4 5 5 5 5", "one or two", "three to four five six", "days one, two, three and four", "BP 120 80 64 18 97", "2, 3, 4, 5, 6, 7, 8"},
	},
	{
		name: "phone-scanned", typ: phi.Phone, score: 0.85, check: checkScanned,
		expr:  `\(?[\dO][\dOIl]{1,2}\)?[-. ]{1,2}[\dOIl]{3}[-. ][\dOIl]{4}\b`,
		match: []string{"Assoc [[818 555 O191]]  T", "[[(2O1) 555-0l86]]"},
		never: []string{"818 555 0191", "1 OO OIl 1"},
	},
	{
		name: "fax-scanned", typ: phi.Fax, score: 0.86,
		expr:  `(?i:fax|fx|f<s>?ax)<telis>([\dOIl]{3}[-. ][\dOIl]{3}[-. ][\dOIl]{4})\b`,
		match: []string{"Fax: [[818 555 O191]]"},
		never: []string{"Fax: 3"},
	},
	{
		name: "phone-uk-groups", typ: phi.Phone, score: 0.94, check: checkTrunk,
		expr:  `\(?0\d{2,5}\)?<s>?\d{3,4}<s>?\d{3,4}\b<ext>`,
		match: []string{"Tel [[01632 960 900]]", "([[020 7946 0731]])", "[[(01632) 960900]]"},
		never: []string{"0012 345 678", "0.5 100 200"},
	},
	{
		name: "phone-au-groups", typ: phi.Phone, score: 0.93,
		expr:  `\(0[23478]\)<s>?\d{4}<s>?\d{4}\b|\b0[23478]<s>\d{4}<s>\d{4}\b`,
		match: []string{"Ph [[(02) 5550 4127]]", "[[03 5550 1234]]"},
		never: []string{"02 5550 412"},
	},
	{
		name: "pager-paren", typ: phi.Phone, score: 0.82, check: checkPager,
		expr:  `(?i:pgr|pager|bleep|beeper|spectralink|vocera|ascom|zone<s>phone|dect|voalte)\.?<s>?(?:[:#(]<s>?|(?i:no|number|is)\.?<s>){1,2}(\d{3,6})\b`,
		match: []string{"(pgr #[[31187]])", "Spectralink: [[44871]]", "bleep no. [[2290]]"},
		never: []string{"pager (2 mg)", "bp: 120/80"},
	},
}
