package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// registerRules are the numbers of registers and boards, of things that carry
// a plate or a sticker, and of insurers that go by their own names.
var registerRules = []pattern.Rule{
	{
		Name: "register", Type: phi.License, Score: 0.94, Check: checkRegister, Digits: true,
		Expr: `\b(?:MCNZ|MCRN|NCNZ|NMBI|CORU|PHECC|PSI|GDC|GOC|GPhC|HCPC\b|SSSC|SWE|MCR|SMC|SNB|KMPDC|KNMC|NCK|TCMC|KMC|MCI|NMC|GMC|IMC|` +
			`HPCSA|SANC|DHA|DOH|HAAD|MOH|SCFHS|PRC|AHPRA|CPSO|CPSS|CPSA|CPSM|CPSNS|CPSNL|CPSBC|CPNL|CNO|BCCNM|CRNBC|CRNM|CRNNL|CRNS|` +
			`CARNA|NANB|NSCN|` +
			`NBMS|NBPS|OCP|OCPINFO|OIIQ|CMQ|ODQ|OTSTCFQ|OPTMQ|OPPQ|SASLPA|CASLPO|COTO|OASIS|EMALB|QCHP|MOHAP|SWRB|CRTO|TNMC|OPQ|AHPRA|` +
			`CCPS|SWORB|NZSWRB|ACPSEM|PARAMEDIC|MDCN|MDC|MBChB<s>reg|cpsbc|cpss|cpsa|cpso|mcnz|nmbi|gdc|hcpc|kmpdc|nbms|nbps|crnbc|` +
			`bccnm|phecc|ahpra|hpcsa)` +
			`(?:<s>(?i:reg(?:istration)?|no|number|pin|lic(?:en[cs]e)?|billing|#)\b\.?)*[-/.:# ]{0,3}` +
			`((?:[A-Z]{1,4}[-/ ]?){0,2}\d{3,8}(?:[-/]\d{2,4}|<h>?[A-Z]|<s>\d{3,4})?)\b`,
		Match: []string{
			"S. Kanagasabai MCNZ [[44182]]", "T. Lim RN MCR [[61774B]]\n", "dr zm  CPSS [[1186-S]]\n", "rn reg KNMC [[88441/2009]]  jm",
			"em CORU [[PT 33871]]", "HDR.  MCNZ[[77204]]", "md   cpsbc [[32018]]   txt", "HCPC [[PYL 44718]]", "no, CNO [[8301 6613]]",
		},
		Never: []string{"PSI 20", "MOH 2019", "PRC 12 units", "DHA 200 mg", "MCI 2012", "hcpc 12", "MCRN 12"},
	},
	{
		Name: "licence-letters", Type: phi.License, Score: 0.92, Check: checkID4, Digits: true,
		Expr: `\b(?i:lic(?:en[cs]e)?|dl|driver'?s?<s>lic(?:en[cs]e)?|driving<s>lic(?:en[cs]e)?|reg(?:istration)?|perm(?:is|it)?|cert` +
			`(?:ificate)?|rn<s>id|pin)\b\.?(?:<s>(?i:no|number|checked|verified|shown|on<s>file|#)\b\.?)*<is>` +
			`([A-Z]{1,3}(?:<h>[A-Z]{1,3})?<s>(?:\d{4,8}(?:<h>\d{1,4})?(?:<s>\d{3,4}\b){0,4}|\d{3}(?:<s>\d{3,4}\b){1,4})|[A-Z]{1,4}` +
			`(?:\([A-Z]{1,3}\))?<h>[A-Z]{1,3}<s>\d{4,6}|[A-Z]{2,4}\([A-Z]{1,3}\)<s>\d{4,6}|[A-Z]{1,3}/\d{4,6})\b`,
		Match: []string{
			"DL [[SK 7781 0442]]  DOG", "lic [[NE-PT 40926]]", "lic [[CNM-R 406742-4]]", "DL checked [[TX 90417733]].",
			"MI DL [[H 520 770 114 208]]", "reg [[CO 14408]]", "RN ID [[DOH-RN 40117]]", "reg. [[RN(NP) 90188]]",
		},
		Never: []string{"reg HR 120", "lic BP 128", "reg diet 2000"},
	},
	{
		Name: "dvla", Type: phi.License, Score: 0.93,
		Expr:  `\b[A-Z]{5}<s>?\d{6}<s>?[A-Z9]{1,2}\d{1,2}[A-Z]{2}\b|\b[A-Z]{2,4}9{1,3}<s>?\d{6}<s>?[A-Z9]{1,2}\d{1,2}[A-Z]{2}\b`,
		Match: []string{"lic [[NAIRN 912040 C99ZX]] 1712", "it ([[MORGA657054SM9IJ]])", "[[FOX99 811129 J99AB]]"},
		Never: []string{"TOTAL 100000 C2", "WBC99 120000"},
	},
	{
		Name: "alien-number", Type: phi.IDNum, Score: 0.93,
		Expr:  `\b(?:A-?(?i:no|num|number)?\.?<s>?#?<s>?[:(]?<s>?)(A?<s>?\d{3}[- ]\d{3}[- ]\d{3})\b`,
		Match: []string{"class SQ1   A# [[244 907 118]]  case", "resident (A-no. [[A096 440 218]]) with"},
		Never: []string{"A 120 80", "A1 100 200 300"},
	},
	{
		Name: "blood-unit", Type: phi.IDNum, Score: 0.93,
		Expr: `\b[A-Z]\d{4}<s>\d{2}<s>(?:\d{4,6}|\d{3}<s>\d{3})(?:<s>?[A-Z0-9])?\b|\b[A-Z]{1,2}\d{2,3}<s>\d{2}<s>\d{6}` +
			`(?:<s>[A-Z0-9])?\b|\b=?[A-Z]\d{4}<s>?\d{2}<s>?\d{6}(?:\d{2}|<s>?[A-Z0-9])?\b|\b[A-Z]\d{4}<s>\d{2}<s>\d{6}<s>\d{2}<s>\d\b`,
		Match: []string{"PRBC #2 [[W1202 22 662847]]. CaCl", "plt  [[P0447 18 3311]]   dee", "units [[G0711 22 417882]] /"},
		Never: []string{"T1234 mg", "B1200 10 20"},
	},
	{
		Name: "id-groups", Type: phi.IDNum, Score: 0.85, Check: checkGroups, Digits: true,
		Expr: `\b(?i:case|claim|job|id|ref(?:erence)?|crn|client|file|acc45|passport|aadhaar|aadhar|nric|eid|unit|bag|tracking|trk|` +
			`waybill|cert(?:ified)?<s>mail|conf(?:irmation)?|customer|student|member|appl(?:ication)?|permit|visa|badge)` +
			`(?:<s>(?i:no|number|id|#)\b\.?)?<is>((?:[A-Z]{1,3}<s>)?\d{2,4}(?:<s>\d{3,4}){1,4}(?:<s>?[A-Z]{1,2}|<s>\d{1,2})?)\b`,
		Match: []string{
			"claim [[100 441 772 9]]\n", "Centrelink CRN [[204 771 668A]], ", "interpreter (TIS) ID [[9918 0071]].",
			"trk [[5434 2345]])", "job [[9917 2204]])", "cert mail [[7022 0410 0001 8837]])",
		},
		Never: []string{"case 12 of 2019", "unit 100 mL", "id 120 80", "bag 1000 500 mL"},
	},
	{
		Name: "id-things", Type: phi.IDNum, Score: 0.86, Check: checkID4, Digits: true,
		Expr: `\b(?i:tracking|trk|waybill|kit|slip|pyxis|client|callsign|call<s>sign|docket|receipt|rec(?:<s>sheet)?|register|envelope|` +
			`env|safe|image<s>set|letter|approval|audit|conf|cooler|tray|cert|certificate|job|batch<s>id|product|pool|units?|bags?|` +
			`slide|jar|tube|clip|photo<s>id|tribal<s>id|c-file|crew|x-?ray|ecg|emg|mri|ct|echo|pet)` +
			`(?:<s>(?i:no|num|number|id|ref)\b\.?)?<s>?[:#]?<s>?([A-Z]{1,5}[-/]?\d{1,8}(?:[-/][A-Z0-9]{1,8}){1,4}|[A-Z]{1,5}` +
			`(?:[-/][A-Z0-9]{1,8}){1,4}|\d{2,6}(?:[-/][A-Z0-9]{2,8}){1,3}|[A-Z]{2,4}<s>\d{6,10})\b`,
		Match: []string{
			"tracking [[KB5510-33827]], to", "kit [[GX7-404-118]], given", "pyxis [[PX-2-114907]] hyd", "slip [[CC-030221-0417]].",
			"COURIER WAYBILL [[PAL 04974650]]", "Study EMG [[18-0211]].", "Image set [[US-220425-A17]].", "slide [[H-0385/28]]:",
		},
		Never: []string{"CT C5-C6", "MRI T12-L1", "ct 2/6 2018", "units 10-20", "MRI L4-5", "PET FDG-18", "echo EF 55-60", "log 12/3"},
	},
	{
		Name: "code-mixed", Type: phi.IDNum, Score: 0.7, Check: checkCodeMixed, Digits: true,
		Expr: `\b(?:[A-Z]{1,5}\d{1,6}|[A-Z]{1,5})(?:[-/][A-Z0-9]{1,8}){1,4}\b`,
		Match: []string{
			"sent ([[LF0088-2217]]) and", "as [[QE2309-44120]]", "[[AK24-02-11830]],", "copy [[TF-C17-0219]] in",
			"left [[BCC2023/0441188]].", "3T ACC[[210409-18]]  09",
		},
		Never: []string{
			"KEYNOTE-189", "C5-C6", "T2N0-M0", "COVID-19", "IL-6/8", "CA-19-9", "HLA-DRB1", "HLA-B27/51", "CYP2C19", "BRAF-V600E",
			"S1-S5", "FOLFOX-6", "M1-12345",
		},
	},
	{
		Name: "code-solid", Type: phi.IDNum, Score: 0.68, Check: checkCodeSolid, Digits: true,
		Expr: `\b(?:[A-Z]{1,5}\d{3,12}[A-Z]{1,4}|\d{1,4}[A-Z]{1,3}\d{4,12}[A-Z]{0,3}|[A-Z]{4,5}\d{4,9}|\d{5,14}[A-Z]{1,3}|` +
			`\d{8,12}[A-Z]\d{4,8})\b`,
		Match: []string{
			"unit [[VFTR88021]]\n", "cup [[MKL9921A]], liner", "NRIC [[S7002916H]] HRN", "([[23TH0819]]), JAK2",
			"ICN [[1009944177V228104]]  SC", "DCN [[22011700441702NYA]].",
		},
		Never: []string{
			"CYP2D6", "T1N0M0", "H1N1", "2000MG", "120000U", "PF07321332", "C5T1", "F180NR", "1500ML", "HLAB27", "G2P1001",
			"20190312T1405",
		},
	},
	{
		Name: "licence-after-degree", Type: phi.License, Score: 0.84, Check: checkAfterDegree, Digits: true,
		Expr: `\b(?:MD|DO|RN|LPN|NP|FNP(?:-C)?|PA-C|RPh|PharmD|LCSW(?:-C)?|LICSW|LPC|LMFT|DPT|PT|OTR/L|RDMS|RDCS|NRP|EMT-?P?|CCP|ACP|` +
			`PCP|CNM|APRN|DDS|DMD|RRT|CCC-SLP|rn|lpn|np|prov|Prov|Provider|provider)[,.]?<s>{1,3}(?:(?i:lic|no|number|#)\.?<s>?)?` +
			`([A-Z]{0,2}<h>?\d{5,7}[A-Z]{0,2}|[A-Z]{1,2}\.\d{6,8}|\d{2}-\d{4})\b`,
		Match: []string{
			"R. Quisenberry LCSW-C [[18821]]\n", "dy rn [[R58811]]\n", "Provider [[244871QH]]\n", "O MADDOX NRP [[C-04418]] ",
			"as  prov [[2041138X]]\n",
		},
		Never: []string{"MD 12/14/2019", "RN 2019", "PT 12-14", "PT 15000 steps", "RN 10-20"},
	},
	{
		Name: "hospital-groups", Type: phi.MedicalRecord, Score: 0.92, Check: checkGroups6, Digits: true,
		Expr: `\b(?i:hosp(?:ital)?)(?:<s>(?i:no|num|number)\b\.?)?[:.]?<s>{1,3}` +
			`([A-Z]{1,3}\d?<s>\d{3,6}(?:<s>\d{3,4})?|\d{3}<s>\d{4}<s>[A-Z])\b`,
		Match: []string{
			"THORNYCROFT B   hosp [[LT 902 6655]]\n", "Pt O Penhallow   Hosp [[771 4420 H]]\n", "W Pottinger hosp [[BHX 704417]]. PICC",
		},
		Never: []string{"hospital A 120 80", "hosp 120 2019"},
	},
	{
		Name: "mrn-run-in", Type: phi.MedicalRecord, Score: 0.93,
		Expr:  `(?:MRN|mrn|folder)([A-Z]{0,4}\d{6,10})(?:\b|[A-Za-z])`,
		Match: []string{"MRN[[918277]]emergent", "folder[[KZN2088417]]\n"},
		Never: []string{"MRN12"},
	},
	{
		Name: "vin-any", Type: phi.Vehicle, Score: 0.8, Check: checkVINShape,
		Expr:  `\b[1-9JKLSTVWYZ][A-HJ-NPR-Z0-9]{16}\b`,
		Match: []string{"LeSabre [[1G4HP52K06U000417]]  plate"},
		Never: []string{"12345678901234567", "1234567890ABCDEFG"},
	},
	{
		Name: "username-capitals", Type: phi.Username, Score: 0.88, Check: checkUserCapitals,
		Expr:  `\B\d{1,2}\b`,
		Match: []string{"E-signed W. Krasinski MD, NPI x, [[WKRASIN1]] 1450", "K LAPLANTE RN [[KLAPLANTE9]]\n"},
		Never: []string{"COVID19", "K LAPLANTE RN COVID19", "VITAMIN12"},
	},
	{
		Name: "user-underscore", Type: phi.Username, Score: 0.82, Check: checkUnderscore,
		Expr:  `_[a-z]{2,12}\d{0,4}\b`,
		Match: []string{"participants: [[sbell_homehealth]], and", "||[[ncook_brt]]\n"},
		Never: []string{"see T_max", "a_b"},
	},
	{
		Name: "group-number", Type: phi.HealthPlan, Score: 0.88,
		Expr:  `\b(?i:grp|group<s>(?:no|number|#))<is>([A-Z]{2,6}\d{2,5}|\d{2,6}-[A-Z]{2}|\d{4,7})\b`,
		Match: []string{"member H4009 Grp [[DR33]]\n", "GRP [[0071-NM]]  AUTH"},
		Never: []string{"grp 3 ulcer", "group 12"},
	},
	{
		Name: "callsign", Type: phi.IDNum, Score: 0.88,
		Expr:  `\b(?i:call<s>?sign|c/s)<s>?[:#]?<s>?([A-Z]{1,4}<h>?\d{2,4}|[A-Z]{3}<s>\d{2}|\d{4})\b`,
		Match: []string{"stn Warrington c/s [[N417]]\n", "callsign [[9117]]  reg"},
		Never: []string{"c/s 12", "c/s scar"},
	},
	{
		Name: "letters-dash-four", Type: phi.IDNum, Score: 0.66, Check: checkDashFour,
		Expr:  `\b[A-Z]{2,4}<h>\d{4}(?:<h>[A-Z0-9]{1,3})?\b`,
		Match: []string{"invoice [[NMS-8840]]. ", "code [[TB-0917-R]].", "index [[BB-0944]]. last"},
		Never: []string{"FY-2019", "ICD-1234", "LY-3009", "CT-2018", "GSK-1278", "SCID-5"},
	},
	{
		Name: "id-letters-blank", Type: phi.IDNum, Score: 0.86,
		Expr: `\b(?i:case|claim|ref(?:erence)?|incident|inc|voucher|auth(?:<s>code)?|client<s>no|donor<s>no|recipient(?:<s>number)?|req` +
			`(?:uest)?|band|xm|id|job|registry|ticket|permit|invoice|order)\b\.?<is>([A-Z]{1,4}<s>\d{4,10}(?:[-/ ]\d{2,4}\b){0,3})\b`,
		Match: []string{
			"incident [[LN 77270822]], PC", "claim [[NTA 0071182]], stay", "voucher [[LO 7718]] \n", "ID [[DRS 7704412]]\n",
			"case [[HPZ 118207]].", "ref [[PIP 4417-0098]], UC",
		},
		Never: []string{"case CT 2019", "order IV 1000 mL", "ref BP 12080"},
		Check: checkPrefixed,
	},
	{
		Name: "workstation", Type: phi.IDNum, Score: 0.85,
		Expr: `\b(?i:ws|wkstn|workstation|terminal|prn|printer|pc)\b<s>?[:#]?<s>?` +
			`([A-Z]{2,8}(?:<h>[A-Z0-9]{2,8}){1,3}|[A-Z]{2,5}\d{2,6})\b`,
		Match: []string{"WS [[LGS-ER-11]]\n", "11:25  WS [[KGHRAD-WS17]]  198", "PC [[LMP-C3]]\n"},
		Never: []string{"PC AC-PEEP", "pc T12-L1", "WS ABOVE-KNEE"},
		Check: checkWorkstation,
	},
	{
		Name: "plate-shape", Type: phi.Vehicle, Score: 0.92, Check: checkPlateShape,
		Expr: `\b(?i:plates?|placard|veh(?:icle)?|rego?|truck|pick-?up|van|minivan|car|suv|ute|troopy|jeep|taxi|cab|bus|boat|trailer|` +
			`ambulance|corolla|camry|civic|accord|f-?150|ford|toyota|honda|chevy|subaru|sienna|hilux|tacoma|silverado|dodge<s>ram|` +
			`hyundai|kia|nissan|mazda)\b[ ,(:#]{1,3}(?:(?i:reg|plate|no|number|rego|tag)\b\.?[ :#]{1,2})?(?:[A-Z]{2}<s>)?` +
			`([A-Z]{2,3}[- ]?\d{3,4}|[A-Z]{3}<s>\d[A-Z]\d|[A-Z]{3}<s>\d{3}<s>[A-Z]{2}|\d[A-Z]{2,3}[- ]?\d{3}|\d[A-Z]{2}<s>\d[A-Z]{2}|` +
			`\d{3}[- ][A-Z]{3}|\d{3}[A-Z]\d{3}|\d{2}[A-Z]<s>\d{4}|[A-Z]\d{2}[- ](?:[A-Z]{3}|\d{4}[A-Z])|[A-Z]{2}\d{1,2}<s>?\d{2}[A-Z]|` +
			`[A-Z]{2}<h>?\d{2}<h>?[A-Z]{1,2}<h>?\d{3,4}|[A-Z]{3}<s>\d{2}[A-Z]|\d{2,3}-[A-Z]{1,2}-\d{3,6})\b`,
		Match: []string{
			"his blue F-150 NY [[JRK 6563]] no", "plates [[1KM 882]] (", "Car Corolla [[1KD 4VH]], rego", "plate SK [[338 FTB]], and",
			"van ([[804 BKT]]).", "Vehicle reg [[221-C-9917]]  ", "VEH [[GGN 447 EC]]  ", "plate [[R19-NKD]].",
			"Ambulance [[KL-93-AK-3633]] ",
		},
		Never: []string{"car T12 500", "bus 12 stops", "van HOL 120 units", "plate LCP 120", "boat CT 1200"},
	},
	{
		Name: "aircraft", Type: phi.Vehicle, Score: 0.92, Check: checkAircraft,
		Expr: `\b(?:N\d{2,4}[A-Z]{1,2}|(?:VH|ZK|RP|EI|ZS|9V|5Y)-[A-Z0-9]{3,5}|C-[FGI][A-Z]{3}|G-[A-Z]{4})\b`,
		Match: []string{
			"RFDS: tasked 2135, tail [[VH-RNZ]], strip", "Air Ambulance [[RP-C3043]] ", "Teton AirMed 3, [[N414HX]], lands",
			"CEBOLLETA AIR   RW   [[N77CB]]   LEG",
		},
		Never: []string{"G-TUBE placed", "N95X mask", "VH-IVUS plaque"},
	},
	{
		Name: "lot-groups", Type: phi.Device, Score: 0.94, Check: checkWholeCode,
		Expr: `\b(?i:lots?|batch|serial(?:<s>number)?|s/n|sn|ref/lot)\b(?:<s>(?i:no|number|#)\b\.?)?<is>` +
			`([A-Z]?\d{2,4}(?:<s>\d{3,4}){1,3}|[A-Z]{2,4}<s>\d{3,10}(?:<s>\d{3,4}){0,2}(?:<s>?[A-Z]\b)?|\d{3,5}<s>[A-Z]{2}|` +
			`[A-Z0-9]{4,7}(?:<h>[A-Z0-9]{2,4})?<s>?/<s>?[A-Z0-9]{4,7})\b`,
		Match: []string{
			"STENT LOT [[0011 447 209]]", "1500 lot [[P100 448 221]].", "(ref/lot [[GEM2753 / 21L0418]])",
			"s/n [[TDL 418 220 V]], apical", "LP15 S/N [[41 887 204]]  STR",
		},
		Never: []string{"lot 1000 mL", "serial 120 80"},
	},
	{
		Name: "lot-short", Type: phi.Device, Score: 0.9, Check: checkLotShort,
		Expr:  `\b(?i:lots?|batch|serial|ser|s/n|sn)\b(?:<s>(?i:no|number|#)\b\.?)?<is>([A-Z0-9]{5,8})\b`,
		Match: []string{"shingrix #1 lot [[9K3TB]].", "given lot [[AJ4RW]] lc", "stock lot [[7XG3K]]\n"},
		Never: []string{"a lot WORSE", "lot LEVEL", "lot 12345 mg"},
	},
	{
		Name: "lot-second", Type: phi.Device, Score: 0.9, Check: checkDevice, Digits: true,
		Expr:  `\b(?i:lots?|serials?|batch(?:es)?|sn|s/n)<is><id><s>?[/,&]<s>?([A-Z0-9]+(?:<h>[A-Z0-9]+)*)\b`,
		Match: []string{"today lots FX3662 / [[031B23A]]\n", "x2 (lots PRN-7714, [[PRN-7715]])."},
		Never: []string{"lots of 12, 2019"},
	},
	{
		Name: "asset", Type: phi.Device, Score: 0.87, Check: checkID4, Digits: true,
		Expr: `\b(?i:asset|cart|mach(?:ine)?|instr(?:ument)?|toolkit|vac|pump|ventilator|vent|lift|hoist|concentrator|cycler|scanner|` +
			`tag)(?:<s>(?i:no|id|number|tag)\b\.?)?<s>?[,:#]?<s>?([A-Z]{1,5}\d{0,3}(?:<h>[A-Z0-9]{2,8}){1,3}|` +
			`[A-Z]{2,4}<h>[A-Z]{1,3}<s>\d{4,6}|\d[A-Z]<h>\d{4,6}|T\d<h>\d{5,8})\b`,
		Match: []string{
			"Servo-i asset [[RT-0417]] PSV", "(instr [[BFX-3018]])", "vac #[[KCI-VF 88120]]. next", "concentrator, [[7F-20931]], hosp",
			"mach [[T2-0099418]]  dial",
		},
		Never: []string{"vent AC-18", "pump IV-12", "cart CT-PA", "machine T12-L1"},
	},
	{
		Name: "insurer", Type: phi.HealthPlan, Score: 0.9, Check: checkInsurer, Digits: true,
		Expr: `\b(?:(?i:mutual|benefits?|assurance|insurance|life|ppo|hmo|epo|health|advantage|blue|shield|funds?|scheme|plan|choice|` +
			`care|complete|medi-?cal|masshealth|mainecare|ahcccs|providerone|hmsa|philhealth|phic|mcp|nihb|ifhp|pmi|cin|rx<s>id|mbr|` +
			`supplement|suppl|peach<s>state|badgercare|husky|hsn|ihs|nhis|health<s>no|tenncare|apple<s>health|healthfirst|tricare|` +
			`teamsters))\b` +
			`[,:/]?<s>?(?:(?i:member(?:ship)?|mem|mbr|cert(?:ificate)?|no|number|id|pol(?:icy)?|plcy|card|#)\b\.?[:#]?<s>?){0,3}` +
			`([A-Z]{1,4}[- ]?\d{2,9}(?:[- ]\d{2,8}){0,4}(?:[- ]?[A-Z]{1,2})?|[A-Z]{2,4}<h>[A-Z]{1,3}\d{5,9}|\d{2,9}[- ]?[A-Z]?` +
			`(?:[- ]\d{2,7}){0,4}(?:[- ]?[A-Z]{1,2})?)\b`,
		Match: []string{
			"supplement Sandhill Mutual Benefit [[SMB 20447119]];", "Gem Basin PPO [[GBX 330-71-8820]] /",
			"supp Gulf Pelican Life [[88-40113-E]].", "Medi-Cal [[91827736C]]; M", "MassHealth, no. [[100 284 557 193]]",
			"AHCCCS [[A55 18 0042]] PASCUA", "ProviderOne [[104477120WA]]  Ref", "cin [[WX41180K]]",
		},
		Never: []string{
			"health 2019", "care 24 7", "plan 40 mg", "life 12-15 years", "plan CT 2019", "care, 555-0123", "blue 1000",
			"plan A1 10-12 weeks",
		},
	},
	{
		Name: "mrn-groups", Type: phi.MedicalRecord, Score: 0.93, Check: checkGroups6, Digits: true,
		Expr: `\b(?i:mrn?|ur|urn|uhid|hosp(?:ital)?\.?<s>(?:no|num|number)|folder|unit<s>(?:no|number)|chart(?:<s>(?:no|number))?|u#|` +
			`pt<s>no|nr)\.?<is>(\d{4}<s>\d{4}|[A-Z]{1,3}[- ]?\d{2,4}(?:[- ]\d{3,5}){1,2}|[A-Z]{2}<s>\d{2}<h>\d{4}|\d{3,5}` +
			`(?:<h>\d{1,4}){2})\b`,
		Match: []string{
			"HOSP NO: [[GW 118 0462]]", "Mark E.   UR [[BG 603 5518]]   Date", "hospital number. [[OLC 77 20418]].",
			"folder [[DR 21-3390]] /", "U#: [[4409-118-2]] ", "MRN [[7740 1185]]  A",
		},
		Never: []string{"UR 120 80", "chart 12-3-2019", "mr 12-14-2020"},
	},
	{
		Name: "pager-dash", Type: phi.Phone, Score: 0.92,
		Expr: `\b(?:(?i:ext(?:n|ension)?|pager|pgr|pg|beeper|bleep|vocera|spectralink|ascom|pax|local)\.?[:#]?<s>*` +
			`(?:(?i:no|is|cardiology|surgery|neuro|ortho|renal|peds|psych|ob|id|on<s>call)\b\.?<s>*)?|[xX])(\d{1,2}<h>\d{4})\b`,
		Match: []string{"pager [[1-2241]]", "pager cardiology [[7-8067]] em", "ext. [[5-0139]]", "LCSW, x[[5-0136]]", "pgr [[4-0317]]\n"},
		Never: []string{"x 12-2019 mg", "ext 5-10"},
	},
	{
		Name: "extension-label", Type: phi.Phone, Score: 0.88, Check: checkPager,
		Expr:  `\b(?i:extn|ext|exten|pgr|pg|blp)\.?[:#]?<s>*(\d{4,5})\b`,
		Match: []string{"| Rad Onc Extn [[4417]] | ZD", "lic NY 071144  pg [[2240]]\n"},
		Never: []string{"pg 5 mL", "ext 180 degrees"},
	},
	{
		Name: "ssn-ending", Type: phi.SSN, Score: 0.94,
		Expr: `\b(?i:ssn|sin|nas|ss|pps(?:n|<s>(?:no|number))?|social(?:<s>(?:security|insurance))?|nino)\b[^\n.;\d]{0,24}\b` +
			`(?i:end(?:s|ing)?(?:<s>in|<s>with)?|last<s>?(?:3|4|three|four))(?:<s>(?i:is|of|pt|given|are))*[: ]{1,2}(\d{3,4}[A-Z]?)\b`,
		Match: []string{"SSN on file ends [[4471]].", "her PPS number ending [[417T]]; our", "SSN last 4 pt [[0917]]\n"},
		Never: []string{"social ends 12", "ss last 4 weeks"},
	},
	{
		Name: "sin-label", Type: phi.SSN, Score: 0.95,
		Expr:  `\b(?:SIN|NAS|NAS/SIN|sin)(?:<s>(?i:on<s>file|no|number|#)\b\.?)*<is>(\d{3}[- ]\d{3}[- ]\d{3})\b`,
		Match: []string{"[x] NAS/SIN on file [[221 555 018]] for", "claim SIN [[412 555 019]], acc"},
		Never: []string{"SIN 412", "NAS scores 8 9 10"},
	},
	{
		Name: "user-labelled", Type: phi.Username, Score: 0.9, Check: checkUserLabelled,
		Expr: `\b(?i:scribe|usr|user|smartcard|sig<s>auto|portal|proxy|portal<s>login(?:<s>reset)?|login(?:<s>card|<s>on<s>portal)?|` +
			`released(?:<s>by)?|entered(?:<s>(?:as|by|in<s>\w{2,6}<s>by))?|edited|admin|signed<s>off|sent<s>from|msgs?<s>from|` +
			`merged<s>by|by|from)(?:<s>(?:is|reset|user))?[:=]?<s>*[(/]?<s>*([A-Za-z][A-Za-z_.]{2,}[A-Za-z\d](?:_\w{1,8}|\d{0,4}))\b`,
		Match: []string{
			"R. Zubia MD\nscribe [[rzubia]]", "usr=[[pvanderh7]]\n", "Portal: [[agx_83]]\n", "entered as [[cbattenf2]].",
			"msgs from [[truc.t07]], photo",
		},
		Never: []string{
			"by mouth", "from home", "portal message", "released from", "user reports", "by Dr.Smith", "portal e.g. mychart", "by p.o",
			"entered by nurse",
		},
	},
	{
		Name: "digits-apart", Type: phi.IDNum, Score: 0.85, Check: checkApart,
		Expr: `\b(?i:no|number|prov|id|lic|licen[cs]e|reg|cpsid|gmc|nmc|mrn|chart|card|cert|ext|pager|bleep|census|sec)\b<is>` +
			`(\d(?:[ -]\d){3,11}(?:<s>[A-Z]){0,2})\b`,
		Match: []string{"prov [[0 4 4 1 7 2 B X]]  pr", "cpsid [[2 8 8 1 7]]  pager", "ICP no [[4-4-0-9]] /"},
		Never: []string{"no 1 2 3", "reg 1 2 3 4 5", "ext 5 5 5 5"},
	},
	{
		Name: "imei", Type: phi.Device, Score: 0.96,
		Expr:  `\b(?i:imei)(?:[:#]|<s>(?i:no|number|is)\b)?<s>{0,2}(\d{2}[ -]?\d{6}[ -]?\d{6}[ -/]{0,3}\d)\b`,
		Match: []string{"IMEI [[35 209900 176148 1]]  sim", "IMEI: [[35-209900-176148-1]]"},
		Never: []string{"IMEI 35"},
	},
	{
		Name: "mac-plain", Type: phi.Device, Score: 0.95,
		Expr:  `\b(?i:mac)(?:<s>?[:=#]<s>?|<s>(?i:address|addr)<s>)([0-9A-Fa-f]{12})\b`,
		Match: []string{"imu.R mac=[[00005E0053A8]] fw"},
		Never: []string{"mac=12", "MAC 1.2"},
	},
}
