package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// idRules are labelled identifiers, and those whose shape says it all.
var idRules = []pattern.Rule{
	{
		Name: "ssn", Type: phi.SSN, Score: 0.97, Check: checkSSN,
		Expr:  `\d{3}<h>\d{2}<h>\d{4}\b`,
		Match: []string{"SSN [[912-60-4438]]", "pt [[123-45-6789]],"},
		Never: []string{"000-12-3456", "1-123-45-6789", "123-45-67890"},
	},
	{
		Name: "ssn-label", Type: phi.SSN, Score: 0.98,
		Expr:  `(?i:ssn|ss|soc(?:ial)?<s>?sec(?:urity)?)<is>(\d{3}(?:<b>|<h>)?\d{2}(?:<b>|<h>)?\d{4})\b`,
		Match: []string{"SS# [[912604438]]", "Social Security number: [[912 60 4438]]"},
		Never: []string{"insulin ss 12", "SS 180"},
	},
	{
		Name: "ssn-last-four", Type: phi.SSN, Score: 0.96,
		Expr: `(?i:(?:ssn|ss|soc(?:ial)?<s>?sec(?:urity)?(?:<s>card)?|last<s>?(?:4|four))` +
			`(?:<s>+(?:no\.?|number|card|replacement,?|of|ssn|social|ss|digits|last<s>?(?:4|four)|(?:which<s>)?end(?:s|ing)` +
			`(?:<s>(?:in|with))?|is|are))*)<s>*[:#=]?<s>*(\d{4})\b`,
		Match: []string{
			"SSN last 4 is [[9033]] per", "SS LAST 4 [[9047]]", "Last4 [[4417]]", "ssn ending in [[0416]]",
			"last four of social [[1188]]", "SSN card replacement, ends [[0416]]",
		},
		Never: []string{"last 4 weeks", "last 4 INR 2.3", "SS 12 units"},
	},
	{
		Name: "ssn-masked", Type: phi.SSN, Score: 0.97,
		Expr:  `(?i:[x]{3}<h>?[x]{2}|\*{3}<h>?\*{2}|#{3}<h>?#{2})<h>?(\d{4})\b`,
		Match: []string{"xxx-xx-[[4417]]", "***-**-[[0091]]"},
		Never: []string{"xxx-xx-44", "xxx 12 2019"},
	},
	{
		Name: "mrn", Type: phi.MedicalRecord, Score: 0.97, Check: checkID3, Digits: true,
		Expr: `(?i:mrn?(?:<s>?/<s>?dob)?|mr<s>?(?:no|num|number)|m\.r\.n\.?|med(?:ical)?<s>rec(?:ord)?s?|hosp(?:ital)?\.?<s>` +
			`(?:no|num|number|id|chart)|unit<s>(?:no|number|record|chart)|` +
			`urn?|chart|(?:patient|pt)<s>(?:id|no|number)|record<s>(?:no|number)|(?:your|our)<s>(?:number|ref|chart)|crn|hrn)\b<is>` +
			`(<idblank>)`,
		Match: []string{
			"mrn [[30-41-887]]", "MR# [[1108254]]", "Hosp. No. [[C0448127]]", "Medical Record Number: [[0091-44817]]", "UR [[0772195]].",
			"Chart [[AW 5518377]]. Born", "MRN [[391 5602]]", "MRN: [[3041887]]     DATE", "Hosp no [[LR 204418]]  |",
			"hospital chart [[N0048826]]",
		},
		Never: []string{"MR 2+ with AS", "chart reviewed 12/03", "Mr 3", "MRI 2019", "chart: 98.6", "hospital no. 2 of 3"},
	},
	{
		Name: "mrn-glued", Type: phi.MedicalRecord, Score: 0.95, Check: checkID5, Digits: true,
		Expr:  `(?:MRN|mrn|ch|CH|MR|UR)(\d{5,10}|[A-Z]{1,4}\d{4,10})\b`,
		Match: []string{"JSMITHMRN[[0081442]]", "ch[[CBH204417]]"},
		Never: []string{"chM", "MR2"},
	},
	{
		Name: "hospital-number", Type: phi.MedicalRecord, Score: 0.9, Check: checkID5, Digits: true,
		Expr:  `(?i:hosp(?:ital)?)[:.]?<s>{1,3}([A-Z]{1,3}<h>?\d{5,9})\b`,
		Match: []string{"Hosp [[FM119352]]", "Hospital: [[MR-556713]]"},
		Never: []string{"hospital 2019", "Hosp day 3"},
	},
	{
		Name: "mrn-dashes", Type: phi.MedicalRecord, Score: 0.75, Check: checkDashes,
		Expr:  `\b(?:\d{2}<h>\d{2}<h>\d{3,4}|\d{3}<h>\d{3}<h>\d{3}|\d{4,5}<h>\d{4,6}|\d{4}<h>\d{2}<h>\d{2,3})\b`,
		Match: []string{"COLÓN, LUZ M   [[42-77-019]]  F", "[[3318-70952]]"},
		Never: []string{"2012-2019", "2019-03-14", "10-15-2019", "1000-2000 mL", "4000-6000", "3500-4500 g", "1900-0730", "1422-1451"},
	},
	{
		Name: "nhs", Type: phi.HealthPlan, Score: 0.95, Check: checkNHS,
		Expr: `(?i:nhs|chi|h<s>?&<s>?c)<is>(\d{3}(?:<b>|<h>)?\d{3}(?:<b>|<h>)?\d{4}|\d{6}(?:<b>|<h>)?\d{4})\b`,
		Match: []string{
			"NHS No. [[999 014 3372]]", "CHI [[230138 4526]]", "NHS: [[999-031-8840]]", "nhs no [[9434765919]]", "NHS No [[943 476 5919]]",
		},
		Never: []string{"NHS trust 2012", "NHS 111"},
	},
	{
		Name: "nhs-bare", Type: phi.HealthPlan, Score: 0.8, Check: checkNHSBare,
		Expr:  `\d{3}(?:<b>|<h>)\d{3}(?:<b>|<h>)\d{4}\b`,
		Match: []string{"R.P. ([[943 476 5919]])"},
		Never: []string{"943 476 5918"},
	},
	{
		Name: "ten-digits", Type: phi.HealthPlan, Score: 0.7, Check: checkDashes,
		Expr:  `\d{3}(?:<b>|<h>)\d{3}(?:<b>|<h>)\d{4}\b`,
		Match: []string{"R.P. ([[999 045 2206]])"},
		Never: []string{"943 476 591", "200 300 4000 mL"},
	},
	{
		Name: "mbi", Type: phi.HealthPlan, Score: 0.95,
		Expr:  `\b\d[A-Z][A-Z0-9]\d<h>?[A-Z][A-Z0-9]\d<h>?[A-Z]{2}\d{2}\b`,
		Match: []string{"Medicare [[0XK2-WD7-RN05]]", "[[1EG4TE5MK73]]"},
		Never: []string{"C5-C6", "T2N0M0"},
	},
	{
		Name: "health-plan", Type: phi.HealthPlan, Score: 0.95, Check: checkID4, Digits: true,
		Expr: `(?i:(?:medicare|medicaid|mcare|mcaid|member(?:ship)?|subscriber|policy|insurance|insured|health<s>?card|card|beneficiary|` +
			`certificate|plan|group|` +
			`ohip|phn|phin|ramq|nam|nhi|gms|medical<s>card|ihi|dva|hcn|care<s>?card|bcbs)(?:<s>+(?:card|plan|id|no|number))*)<is>` +
			`((?:[A-Z]{1,4}<s>)?<id>(?:<s>\d{2,6}\b){0,4}(?:<s>?[A-Z]{1,2}\b)?)`,
		Match: []string{
			"PHN [[9074 318 226]]  /", "member [[TBF00417733]].", "member # [[GPS 4471 0832 A]].", "OHIP:  [[9480-220-617 KV]]",
			"GMS CARD [[K 3309187 B]]  O", "NHI [[ZZZ4417]]. mob", "policy no. [[LDT-66120938]],",
		},
		Never: []string{
			"Medicare 2 visits", "plan: 40 mg daily", "group 3 times", "plan 2 weeks", "Plan 1) CT", "member of 12", "Plan: 2019 labs",
			"certificate at 0900", "plan hv 2300", "plan 48-72h trial", "plan. LOV 1/14/21",
		},
	},
	{
		Name: "medicare-card", Type: phi.HealthPlan, Score: 0.97,
		Expr:  `(?i:medicare)(?:<s>(?i:card))?<is>(\d{4}<s>?\d{5}<s>?\d(?:/\d)?)\b`,
		Match: []string{"Medicare [[3951 06482 7]] ref", "Medicare: [[2418 77305 1/4]]"},
		Never: []string{"medicare 2019"},
	},
	{
		Name: "plan-id", Type: phi.HealthPlan, Score: 0.85, Check: checkID5, Digits: true,
		Expr: `(?i:health|plan|mutual|benefit|insur(?:er|ance)|fund|advantage|trust|cover|medicare|part<s>d|` +
			`blue<s>cross),?<s>{0,3}[,(]?<s>?(?i:id|no|#|number)<is>([A-Z]{2,4}<s>\d{2,}(?:<s>\d{2,6}\b){0,4}|<id>)`,
		Match: []string{
			"Senior Advantage, ID [[GSA 4470 18 226]]. Auth", "Dental Trust ID [[LDT-66120938]], max",
			"part D (ID [[MBX 2204 7719 03]]) +",
		},
		Never: []string{"health no 3", "plan ID consult"},
	},
	{
		Name: "account", Type: phi.Account, Score: 0.96, Check: checkID4, Digits: true,
		Expr: `(?i:account|acct|a/c|csn|har|fin|visit<s>?(?:no|num|number|id|#)|billing<s>(?:no|number|id)|iban|guarantor)\b<is>` +
			`(<idblank>(?:<s>\d{3,4}\b){0,4}(?:<s>\d\b)?)`,
		Match: []string{
			"Acct:  [[TMH-190113-0552]]", "acct [[8810-4471-09]]", "| CSN [[8800639251]] |", "ACCOUNT: [[7720045518]]",
			"acct [[9100 226 4471 8]].",
		},
		Never: []string{"account of 3 falls", "on account of pain", "har har", "Fin 2"},
	},
	{
		Name: "account-glued", Type: phi.Account, Score: 0.94,
		Expr:  `(?i:acct|csn)([A-Z]{0,3}\d{5,12})\b`,
		Match: []string{"acct[[CK77120]]  ref"},
		Never: []string{"acct12", "accts 77120"},
	},
	{
		Name: "account-end", Type: phi.Account, Score: 0.93,
		Expr:  `(?i:account|acct|card|iban)<s>+(?i:no\.?<s>|number<s>)?(?i:ending|ends)(?:<s>+(?i:in|with))?<s>+(\d{3,5})\b`,
		Match: []string{"Account ending [[0937]] froze", "(acct ending in [[5502]])"},
		Never: []string{"account ending soon", "card ending 12", "account ends in 2 weeks"},
	},
	{
		Name: "visit", Type: phi.Account, Score: 0.9,
		Expr:  `(?i:visit|encounter)[:#]?<s>{1,3}(\d{7,12})\b`,
		Match: []string{"| VISIT [[40088123719]] |"},
		Never: []string{"visit 2019"},
	},
	{
		Name: "accession", Type: phi.IDNum, Score: 0.95, Check: checkID4, Digits: true,
		Expr: `\b(?i:acc(?:ession|n)?|specimen|spec|lab|path(?:ology)?|surgical|case|claim|order|encounter|enc|episode|req(?:uisition)?|` +
			`auth(?:ori[sz]ation)?|referral|ref(?:erence)?|job|doc(?:ument)?|study|booking|report|incident|badge|employee|passport|` +
			`interp(?:reter)?|line|form|voucher|confirmation|participant|donor|unos|match<s>run|ticket|msg|message|exam|tag|file|` +
			`protocol|trial|subject|sample|core|bloods|culture|event|hmis|treaty|rx|run|att|collar|datix|eprf|band|dictation|` +
			`transcription|` +
			`cord<s>sample|event<s>report|case<s>ref)(?:<s>(?:no|num|number|id|lbl|ref|sample|report|card|#)\b\.?)?<is>(<id>)`,
		Match: []string{
			"ACC# [[XR18-330912]],", "Accession: [[US16-28840]]", "Job [[4471093]]", "path [[S18-22907]].", "Case no. [[MTL-21-30877]]",
			"order [[BW-771904]], went", "Specimen no.   [[JH19-55021-A]]", "Encounter: [[E-18-0077126]]", "ref no was [[NB-448120]] if",
			"interpreter ID [[61904]]", "Claim: [[AZ-2016-55107]]", "lab no. [[M19-220781]])", "Rx # [[LHI-55083-03]]",
			"employee [[RB-20388]]",
		},
		Never: []string{
			"case of 2019", "order 2 units", "acc 12/03/2019", "ref 12", "lab 98.6", "line 20", "exam 128/74", "report of 2-3 days",
			"culture 100000 cfu", "Rx 500 mg", "form 14", "study 2012-2015", "sample 1000 mL", "ref range 3.5-5.0", "order 1000mg",
			"Labs 12/14/2019", "case 2019", "Exam 20/40", "VAcc  20/20-2", "group 20/8 0930", "phoned lab 1115", "bloods 0930;",
			"form INS5216", "form acc2152",
		},
	},
	{
		Name: "id-label", Type: phi.IDNum, Score: 0.85, Check: checkID5, Digits: true,
		Expr:  `(?i:id|no|number)(?:<s>?[:#.]<s>*|<s>+(?i:is|was|given<s>as)?<s>*)(<id>)`,
		Match: []string{"line ID [[PL-2207]]; both", "donor ID [[AGGX4187]].", "their no. [[MTP-0931]])"},
		Never: []string{"no 2019", "ID consult", "no. 3", "no 12-lead", "no 2-3 days", "No 20/200", "no 10x10x12"},
	},
	{
		Name: "hash-number", Type: phi.IDNum, Score: 0.75, Check: checkHash, Digits: true,
		Expr:  `#<s>?([A-Z]{0,4}<h>?\d[\dA-Z]*(?:<h>[\dA-Z]+)*)\b`,
		Match: []string{"MSG #[[90-44173]]  ", "interp #[[50713]])", "van confirmed #[[5520]]."},
		Never: []string{"oxycodone, #15", "# 3 problem", "#1000 mL", "#1-4", "visit #12", "bridge #24-26"},
	},
	{
		Name: "accession-shape", Type: phi.IDNum, Score: 0.88,
		Expr:  `\b(?:[A-Z]{1,4}\d{2}<h>(?:[A-Z]{1,2}<h>?)?\d{4,8}|\d{2}<h>[A-Z]{1,3}<h>\d{4,8}|\d{2}[A-Z]\d{6,9})(?:<h>[A-Z0-9]{1,3})?\b`,
		Match: []string{"sent ([[GI20-00617]])", "[[NC18-S-3962]]", "Core [[22H0001844]] =", "sample [[21-CB-90417]])."},
		Never: []string{"T12-L1", "CD20-positive", "C19-2"},
	},
	{
		Name: "letters-digits", Type: phi.IDNum, Score: 0.7, Check: checkLettersDigits,
		Expr:  `\b[A-Za-z]{1,3}<h>?\d{6,10}\b`,
		Match: []string{"PROSSER  [[LR204418]]  and", "[[K7719204]]", "EZEUDU [[MR556713]]"},
		Never: []string{"PO 1234567", "BMS-986165", "PF-07321332", "LY294002"},
	},
	{
		Name: "long-digits", Type: phi.IDNum, Score: 0.65, Check: CheckLongDigits,
		Expr:  `\b\d{7,20}\b`,
		Match: []string{"NOH,HYUN-JOO   [[3915602]]   clinic"},
		Never: []string{"1500000 copies", "viral load 1250000", "platelets 2500000"},
	},
	{
		Name: "dea", Type: phi.License, Score: 0.95, Check: checkDEA,
		Expr:  `(?i:dea)<is>([A-Za-z][A-Za-z9]<h>?\d{7})\b`,
		Match: []string{"DEA [[FP9904128]],", "DEA no. [[AB1234563]]"},
		Never: []string{"idea 7"},
	},
	{
		Name: "dea-bare", Type: phi.License, Score: 0.9, Check: checkDEABare,
		Expr:  `\b[ABCDEFGHJKLMPRSTUX][A-Z]\d{7}\b`,
		Match: []string{"blank [[AB1234563]]"},
		Never: []string{"AB1234567"},
	},
	{
		Name: "npi", Type: phi.License, Score: 0.96, Check: checkNPI,
		Expr:  `(?i:npi)<is>(\d{10})\b`,
		Match: []string{"NPI [[1093000417]]", "npi# [[1234567893]]", "needs dr npi [[9184603357]] +"},
		Never: []string{"NPI pending"},
	},
	{
		Name: "licence", Type: phi.License, Score: 0.94, Check: checkID4, Digits: true,
		Expr: `(?i:gmc|nmc|clia|hcpc|imc|nzmc|ahpra|upin|cpso|licen[cs]e|lic|cdl|dl|permis|prov(?:ider)?\.?<s>(?:no|number)|prov|pin|` +
			`reg(?:istration)?<s>no|driver'?s?<s>lic(?:en[cs]e)?|` +
			`driving<s>licen[cs]e)(?:<s>(?:no|number|#)\b\.?)?<is>((?:[A-Z]{2}<s>)?<id>(?:<s>\d{3}\b){0,3})`,
		Match: []string{
			"GMC [[9190042]]", "CLIA [[31D0990417]]   Lab", "NMC [[98X2207S]]", "NM lic [[PT-06618]]", "DL [[Q704118803]]) on",
			"lic [[MA 6143-T]]", "licence ([[QLD 061 448 927]], he", "prov. [[519-3042L]]", "Provider no. [[284716KX]]",
			"HCPC [[PYL90417]].",
		},
		Never: []string{"pin 2 mm", "DL 12", "lic. 3", "pin site 4", "license since 1998", "driver's licence 2 years", "left DLPFC 120% MT"},
	},
	{
		Name: "licence-shape", Type: phi.License, Score: 0.9,
		Expr:  `\b(?:NZMC|GMC|NMC|CPSO|RI|MA|NY|CA|TX)<s>?<h>?[A-Z]\d{5,6}\b|\bNZMC<s>\d{4,6}\b`,
		Match: []string{"Sneddon [[NZMC 20776]]"},
		Never: []string{"NZMC 12", "RI 12345", "CA 125"},
	},
	{
		Name: "vin", Type: phi.Vehicle, Score: 0.97, Check: checkVINLabel,
		Expr:  `(?i:vin)<is>([A-HJ-NPR-Z0-9]{11,17})\b`,
		Match: []string{"VIN [[1M8GDM9AXKP042788]]"},
		Never: []string{"VIN III"},
	},
	{
		Name: "vin-bare", Type: phi.Vehicle, Score: 0.95, Check: checkVIN,
		Expr:  `\b[A-HJ-NPR-Z0-9]{17}\b`,
		Match: []string{"car [[1M8GDM9AXKP042788]] towed"},
		Never: []string{"1M8GDM9AXKP042789"},
	},
	{
		Name: "plate", Type: phi.Vehicle, Score: 0.93, Check: checkPlate,
		Expr: `(?i:(?:licen[cs]e<s>|number<s>|veh(?:icle)?<s>)?plates?|rego?|registration|tail)(?:<s>(?i:no|number)\b\.?)?[:#,(]?<s>{1,3}` +
			`([A-Z]{1,4}[- ]?\d{1,4}(?:<s>?[A-Z]{1,3})?|\d{1,4}[- ]?[A-Z]{2,4}|[A-Z]<h>[A-Z]{4})\b`,
		Match: []string{
			"plate [[BKR 4471]], to", "VEH PLATE [[MQZ118]]", "(rego [[614-XQK]]),", "Tail [[C-GXQN]]. Flig", "reg [[FX16 QKD]],",
		},
		Never: []string{"growth plate 3 mm", "plate and 6 screws", "reg diet", "tail of 3 cm", "plate 3.5", "reg 5 mg", "reg LMP 12"},
	},
	{
		Name: "plate-after", Type: phi.Vehicle, Score: 0.85, Check: checkPlate,
		Expr:  `\b([A-Z]{2,3}[- ]?\d{3,4})<s>+plate\b`,
		Match: []string{"is a [[HJR 6083]] plate"},
		Never: []string{"a T12 plate", "locking plate", "growth plate"},
	},
	{
		Name: "device", Type: phi.Device, Score: 0.95, Check: checkDevice, Digits: true,
		Expr: `(?i:serial|ser|s/n|sn|lot|batch|udi|imei)(?:<s>(?i:no|number|num|id)\b\.?)?<is>(<id>)`,
		Match: []string{
			"lot [[HK77-20418]], shel", "serial [[WD40-118823]].", "s/n [[PVD771206H]]", "LOT [[UC4471-B]], AND", "batch [[AHBVC914]].",
			"serial [[12370418.066]], was", "ser [[T34-91182]] retur", "S/N: [[8GX4T1M]]",
		},
		Never: []string{
			"serial ECGs x3", "a lot 2019", "lot of 100", "batch 3", "serial 12-lead", "serial troponins 0.04", "SN visit 2/20",
			"a lot. 2000 mL", "serial exams 2019",
		},
	},
	{
		Name: "biometric", Type: phi.BioID, Score: 0.9, Check: checkID4, Digits: true,
		Expr:  `(?i:fingerprint|retina(?:l)?<s>scan|voiceprint|biometric)(?:<s>(?i:id|no|number|file)\b\.?)?<is>(<id>)`,
		Match: []string{"fingerprint id [[FPX-80021]]"},
		Never: []string{"retinal scan 2019"},
	},
}
