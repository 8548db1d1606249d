package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// codeRules are identifiers of single countries and standards, most of them
// with a check digit or a shape of their own.
var codeRules = []pattern.Rule{
	{
		Name: "ssn-spaced", Type: phi.SSN, Score: 0.9, Check: checkSSNSpaced,
		Expr:  `\b\d{3}<s>\d{2}<s>\d{4}\b`,
		Match: []string{"social is [[219 09 9999]] he"},
		Never: []string{"BP 120 80 1999", "social visits 000 12 3456"},
	},
	{
		Name: "sin", Type: phi.SSN, Score: 0.96, Check: checkSIN,
		Expr:  `(?i:sin|social<s>insurance)(?:<s>(?i:no|number|#))?\.?<is>(\d{3}[- ]?\d{3}[- ]?\d{3})\b`,
		Match: []string{"SIN [[046 454 286]] on", "Social Insurance Number: [[046-454-286]]"},
		Never: []string{"SIN 046 454 287", "sin 3"},
	},
	{
		Name: "nino", Type: phi.SSN, Score: 0.95, Check: checkNINO,
		Expr:  `\b(?:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]|QQ)<s>?\d{2}<s>?\d{2}<s>?\d{2}<s>?[A-D]\b`,
		Match: []string{"NI no. [[AB123456C]]", "nino [[AB 12 34 56 C]],"},
		Never: []string{"KN 12 34 56 C", "AB 12 34 56 E", "CT 12 34 56"},
	},
	{
		Name: "tfn", Type: phi.SSN, Score: 0.93,
		Expr:  `(?i:tfn|tax<s>file|pps|ppsn|ird)(?:<s>(?i:no|number|#))?\.?<is>(\d{2,3}[- ]?\d{3}[- ]?\d{3}|\d{7}[A-Wa-w]{1,2})\b`,
		Match: []string{"TFN [[123 456 782]]", "PPS no. [[1234567TW]]", "PPSN: [[1234567T]]"},
		Never: []string{"pps 40", "TFN pending"},
	},
	{
		Name: "medicare-bare", Type: phi.HealthPlan, Score: 0.93, Check: checkMedicareAU,
		Expr:  `\b[2-6]\d{3}<s>\d{5}<s>\d(?:<s>?/<s>?\d)?\b`,
		Match: []string{"card [[2123 45670 1]] exp"},
		Never: []string{"card 2123 45671 1", "2123 45670 1 mg"},
	},
	{
		Name: "ihi", Type: phi.HealthPlan, Score: 0.95, Check: checkLuhn,
		Expr:  `\b80036[0-2]\d<s>?\d{4}<s>?\d{4}<s>?\d?\d{0,3}\b|\b8003<s>60\d\d<s>\d{4}<s>\d{4}\b`,
		Match: []string{"IHI [[8003608833357361]]", "IHI [[8003 6088 3335 7361]]"},
		Never: []string{"8003608833357362"},
	},
	{
		Name: "ramq", Type: phi.HealthPlan, Score: 0.95,
		Expr:  `\b[A-Z]{4}<s>?\d{4}<s>?\d{4}\b`,
		Match: []string{"NAM [[LACR 5109 1712]]", "RAMQ [[LACR51091712]]"},
		Never: []string{"BMS 9861 6512", "TABS 2019"},
		Check: checkRAMQ,
	},
	{
		Name: "ohip", Type: phi.HealthPlan, Score: 0.94,
		Expr:  `\b\d{4}<h>\d{3}<h>\d{3}(?:<h>|<s>)?[A-Z]{2}\b`,
		Match: []string{"HC [[9480-220-617-KV]]", "card [[9480-220-617 KV]]"},
		Never: []string{"9480-220-617"},
	},
	{
		Name: "plan-groups", Type: phi.HealthPlan, Score: 0.85, Check: checkGroups, Digits: true,
		Expr:  `(?i:id|member|subscriber|policy|plan|insured|cert(?:ificate)?)<is>([A-Z]{2,4}(?:<s>\d{1,6}\b){2,6}(?:<s>[A-Z]\b)?)`,
		Match: []string{"pt petrashko o, id [[WBH 662 08 1190 3]], plan", "Policy [[GSA 4470 18 226]]."},
		Never: []string{"id NS 100 mL", "plan CT 12/3", "plan IV 2 4 mg", "plan PO 20 40"},
	},
	{
		Name: "credit-card", Type: phi.Account, Score: 0.96, Check: checkCard,
		Expr:  `\b(?:[3-6]\d{3}[- ]?\d{4}[- ]?\d{4}[- ]?\d{4}|3[47]\d{2}[- ]?\d{6}[- ]?\d{5})\b`,
		Match: []string{"visa [[4111 1111 1111 1111]] exp", "[[4111-1111-1111-1111]]", "amex [[378282246310005]]"},
		Never: []string{"4111 1111 1111 1112"},
	},
	{
		Name: "iban", Type: phi.Account, Score: 0.96, Check: checkIBAN,
		Expr:  `\b[A-Z]{2}\d{2}(?:<s>?[A-Z0-9]{4}){2,7}(?:<s>?[A-Z0-9]{1,3})?\b`,
		Match: []string{"to [[GB82 WEST 1234 5698 7654 32]]", "[[DE89370400440532013000]]"},
		Never: []string{"GB82 WEST 1234 5698 7654 33", "CT12 SCAN 2019 1204"},
	},
	{
		Name: "sort-code", Type: phi.Account, Score: 0.93,
		Expr:  `(?i:sort<s>code|routing|aba|bsb|transit)(?:<s>(?i:no|number|#))?\.?<is>(\d{2}[- ]\d{2}[- ]\d{2}|\d{3}-?\d{3}|\d{9})\b`,
		Match: []string{"sort code [[20-18-44]] acc", "routing # [[021000021]]", "BSB [[062-001]]"},
		Never: []string{"transit 12", "transit 2019"},
	},
	{
		Name: "npi-bare", Type: phi.License, Score: 0.72, Check: checkNPIBare,
		Expr:  `\b[12]\d{9}\b`,
		Match: []string{"Jones [[1234567893]] ok"},
		Never: []string{"1234567894"},
	},
	{
		Name: "udi", Type: phi.Device, Score: 0.98,
		Expr:  `\(01\)<s>?\d{14}(?:<s>?\(\d{2}\)<s>?[A-Za-z0-9./-]{1,20})*|\+[A-Z]\d{3}[A-Z0-9]{4,18}/[$A-Z0-9]{4,30}`,
		Match: []string{"UDI [[(01)00844588003288(17)141120(10)7654321D(21)10987654]] left", "[[(01) 00844588003288]]"},
		Never: []string{"(01) 2019", "(01)123"},
	},
	{
		Name: "mac-dots", Type: phi.Device, Score: 0.95, Check: checkMACDots,
		Expr:  `\b[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\b`,
		Match: []string{"adapter [[001b.4411.3ab7]] on"},
		Never: []string{"1234.5678.9012"},
	},
	{
		Name: "device-model", Type: phi.Device, Score: 0.8, Check: checkDevice, Digits: true,
		Expr: `(?i:pump|cpap|bipap|monitor|pacemaker|icd|lead|generator|valve|stent|implant|prosthesis|graft|mesh|walker|wheelchair|` +
			`scooter|glucometer|meter|sensor|transmitter|recorder|concentrator|ventilator|bed|lens|iol|stem|cup|head|liner|plate|nail|` +
			`screw|cage)` +
			`<s>?(?i:serial|sn|s/n|id|no\.?|number|#|ref|asset)?<s>?[:#]?<s>?([A-Z]{2,5}<h>\d{4,8}|[A-Z]{1,3}\d{6,9}[A-Z]?)\b`,
		Match: []string{"expressing 3-hourly, pump [[SYM-40921]]. Up", "CPAP no [[AS22904417]],"},
		Never: []string{"pump 2 mL", "lead V1-V6", "lens SN60", "valve AR 2", "bed 12", "lead AVR-1"},
	},
	{
		Name: "mrn-letters-dash", Type: phi.MedicalRecord, Score: 0.96, Check: checkPrefixed,
		Expr:  `\b[A-Z]{1,3}<s>?\d{3}-\d{4}\b`,
		Match: []string{"Whyte, Tiana   [[AC 771-0926]]   S", "record: [[AC771-0926]]. S"},
		Never: []string{"T 555-0161", "PO 200-1200", "CALL 555-0161", "TEL 555-0161", "PH 555-0161"},
	},
	{
		Name: "mrn-letters-blank", Type: phi.MedicalRecord, Score: 0.72, Check: checkPrefixed,
		Expr:  `\b[A-Z]{2}<s>\d{6,8}\b`,
		Match: []string{"system, [[RX 550713]] and", "  [[AW 5518204]]   DOB"},
		Never: []string{"PO 1234567", "ID 1234567", "NO 123456", "CT 20190312", "CD 100000", "RBC 4500000", "H190 SN 2902990"},
	},
	{
		Name: "number-then-number", Type: phi.IDNum, Score: 0.8, Check: checkID4, Digits: true,
		Expr: `\b(?i:card|cert(?:ificate)?|no|nos|number|id|tag|label|sticker|bracelet|wristband|permit|warrant|case|kit|panel|order|` +
			`bag|cassette|slide|block|cooler)\.?<s>?[:#]?<s>?(?:(?i:given<s>as)<s>)?` +
			`([A-Z]{1,4}<h>?\d{4,10}[A-Z]{0,3}|[A-Z]{5}\d{6}[A-Z0-9]{2,5})\b`,
		Match: []string{"screen sent (card [[MB7740213]]), n", "no. given as [[PIETR806173R99ZQ]].", "kit [[SVC-88412]] used"},
		Never: []string{"card CT", "no. 2 of 3", "block L4"},
	},
	{
		Name: "slashes", Type: phi.IDNum, Score: 0.85,
		Expr:  `\b[A-Z]{2,4}/\d{2}/\d{4,8}\b|\b[A-Z]{1,3}/\d{4}/\d{3,6}\b`,
		Match: []string{"Oxford ([[NSC/23/118046]]) and", "ref [[AB/2019/00417]]"},
		Never: []string{"BP/12/2019x", "CT/12/3"},
	},
	{
		Name: "letters-dash-digits", Type: phi.IDNum, Score: 0.72, Check: checkLettersDash,
		Expr:  `\b[A-Z]{2,4}<h>\d{5}\b`,
		Match: []string{"panel sent ([[GX-55190]]).", "order [[TG-55281]])"},
		Never: []string{"CPT-99213", "ICD-12345", "UK-14304", "SB-20358", "NCT-01234"},
	},
	{
		Name: "digits-dashes", Type: phi.IDNum, Score: 0.72, Check: checkDashes,
		Expr:  `\b(?:\d{2,3}<h>\d{5,8}|\d{5,8}<h>\d{1,3}|\d{3}<h>\d{2}<h>\d{2,3}|\d{2}<h>\d{3}<h>\d{2,3}|\d{2,4}<h>\d{3,5}<h>\d{3,6})\b`,
		Match: []string{"band [[117-40221]] on", "[[733104-8]] seen", "[[41-220-118]],", "[[2207-4481-093]]"},
		Never: []string{"10-15-20 mg", "200-100-50 mg", "60-50-40 taper", "130-140/80", "|30934-4^BNP^LN|"},
	},
	{
		Name: "letters-dashes", Type: phi.IDNum, Score: 0.75, Check: checkLettersDash,
		Expr: `\b(?:[A-Z]{1,5}(?:<h>\d{2,6}){2,3}(?:<h>[A-Z0-9]{1,4})?|\d{2,4}<h>[A-Z]{1,4}<h>\d{3,6}|` +
			`[A-Z]{2,4}<h>[A-Z]{1,4}<h>\d{3,6})\b`,
		Match: []string{"ref [[TMH-190113-0552]] and", "[[QX-41-2207]],", "[[PR-KT-40117]]"},
		Never: []string{"SARS-COV-2", "CYP-2-19", "ICD-10-250", "C5-6-7"},
	},
	{
		Name: "letters-few-digits", Type: phi.IDNum, Score: 0.66, Check: checkLettersDash,
		Expr:  `\b[A-Z]{2,3}\d{4,5}\b`,
		Match: []string{"filed as [[KD20417]] by", "tag [[QX4471]]"},
		Never: []string{"NCT12345", "ISO9001", "CPT99213", "PF07321", "FY2014"},
	},
	{
		Name: "labelled-short", Type: phi.IDNum, Score: 0.82, Check: checkLabelledShort, Digits: true,
		Expr: `\b(?i:interp(?:reter)?(?:<s>(?i:via<s>video|phone|video))?|badge|collar|locker|voucher|ticket|bag|tag|booking|` +
			`confirmation|loaned)(?:<s>(?:no|number|id)\b)?\.?<s>?[,:#]?<s>?(?:no\.<s>)?([A-Z]{1,3}<h>\d{2,4}|\d{4,6})\b`,
		Match: []string{"interp via video, [[HC-118]]; w", "loaned, no. [[LV-27]].", "badge [[4471]]", "collar no. [[1187]],"},
		Never: []string{"bag 1000 mL", "tag T1-2", "ticket 2"},
	},
	{
		Name: "plate-uk", Type: phi.Vehicle, Score: 0.9, Check: checkPlateUK,
		Expr:  `\b[A-HJ-PR-Y][A-HJ-PR-Y](?:0[2-9]|[1-7]\d)<s>?[A-HJ-Z]{3}\b`,
		Match: []string{"White Transit [[FX16 QKD]], bel"},
		Never: []string{"CT12 SOB", "MR20 THE", "CD20 POS", "AB12 CD"},
	},
	{
		Name: "vehicle-plate-word", Type: phi.Vehicle, Score: 0.85, Check: checkPlate,
		Expr: `(?i:car|truck|van|suv|sedan|vehicle|motorcycle|trailer|pickup|ambulance|unit|boat|hull|vessel)<s>?[,(]?<s>?` +
			`(?i:reg(?:istration)?|plate|tag|hull|tags?)(?:<s>(?i:no|number|#))?[:#]?<s>?([A-Z0-9]{1,4}[- ]?[A-Z0-9]{2,5})\b`,
		Match: []string{"truck tag [[HJR 6083]] found", "car reg [[FX16 QKD]],"},
		Never: []string{"car tag 2 mg", "van plate off"},
	},
	{
		Name: "biometric-label", Type: phi.BioID, Score: 0.93, Check: checkID4, Digits: true,
		Expr: `(?i:finger<s>?prints?|palm<s>?print|iris|retina(?:l)?|voice<s>?print|face<s>?id|facial|dna<s>profile|biometric)<s>` +
			`(?:(?i:template|file|record|scan|hash|token|ref(?:erence)?|enrol?ment|id|no|number)\.?<s>?){1,3}[:#]?<s>?` +
			`([A-Za-z]{0,4}<h>?\d[A-Za-z0-9-]{3,})\b`,
		Match: []string{"iris template [[BT-99120]] on", "voice print ref [[VP88412]]", "palm print file no: [[PP-4471-A]]"},
		Never: []string{"iris scan 2019", "retinal scan 20/40", "facial scan no 2"},
	},
}

// otherPhoneRules are telephone numbers as they are heard or scanned.
var otherPhoneRules = []pattern.Rule{
	{
		Name: "phone-words", Type: phi.Phone, Score: 0.93, Check: checkSpoken,
		Expr: `\b(?:(?i:oh|zero|nought|one|two|three|four|five|six|seven|eight|nine|double|triple|o)\b|\d{1,4}\b)` +
			`(?:[ ,.-]{1,3}(?:(?i:oh|zero|nought|one|two|three|four|five|six|seven|eight|nine|double|triple|o)\b|\d{1,4}\b)){3,14}`,
		Match: []string{
			"number is [[four oh one five five five oh one three eight]] if", "looking. [[303, 555, zero one seven two]]. If",
			"at [[five five five oh one four four]] okay", "([[8 1 8 5 5 5 0 1 9 4]]).",
		},
		Never: []string{
			"one two three four", "5 5 5 5 4 4 5 5 5 5", "one or two", "three to four five six", "days one, two, three and four",
			"BP 120 80 64 18 97", "2, 3, 4, 5, 6, 7, 8", "then 6.1, 3.8, 2.4, 1.9, 1.6, and", "ratings 1-2, 2-1, 3-2, 4-1, 5-3, 6-3",
		},
	},
	{
		Name: "phone-scanned", Type: phi.Phone, Score: 0.85, Check: checkScanned,
		Expr:  `\(?[\dO][\dOIl]{1,2}\)?[-. ]{1,2}[\dOIl]{3}[-. ][\dOIl]{4}\b`,
		Match: []string{"Assoc [[818 555 O191]]  T", "[[(2O1) 555-0l86]]"},
		Never: []string{"818 555 0191", "1 OO OIl 1"},
	},
	{
		Name: "fax-scanned", Type: phi.Fax, Score: 0.86,
		Expr:  `(?i:fax|fx|f<s>?ax)<telis>([\dOIl]{3}[-. ][\dOIl]{3}[-. ][\dOIl]{4})\b`,
		Match: []string{"Fax: [[818 555 O191]]"},
		Never: []string{"Fax: 3"},
	},
	{
		Name: "phone-uk-groups", Type: phi.Phone, Score: 0.94, Check: checkTrunk,
		Expr:  `\(?0\d{2,5}\)?<s>?\d{3,4}<s>?\d{3,4}\b<ext>`,
		Match: []string{"Tel [[01632 960 900]]", "([[020 7946 0731]])", "[[(01632) 960900]]"},
		Never: []string{"0012 345 678", "0.5 100 200"},
	},
	{
		Name: "phone-au-groups", Type: phi.Phone, Score: 0.93,
		Expr:  `\(0[23478]\)<s>?\d{4}<s>?\d{4}\b|\b0[23478]<s>\d{4}<s>\d{4}\b`,
		Match: []string{"Ph [[(02) 5550 4127]]", "[[03 5550 1234]]"},
		Never: []string{"02 5550 412"},
	},
	{
		Name: "pager-paren", Type: phi.Phone, Score: 0.82, Check: checkPager,
		Expr: `(?i:pgr|pager|bleep|beeper|spectralink|vocera|ascom|zone<s>phone|dect|voalte)\.?<s>?` +
			`(?:[:#(]<s>?|(?i:no|number|is)\.?<s>){1,2}(\d{3,6})\b`,
		Match: []string{"(pgr #[[31187]])", "Spectralink: [[44871]]", "bleep no. [[2290]]"},
		Never: []string{"pager (2 mg)", "bp: 120/80"},
	},
}
