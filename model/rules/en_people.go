package rules

import "github.com/palimpsest-deid/palimpsest/model/phi"

// englishPeople are names that a degree, a kinship, a greeting or the layout
// of the line announces.
var englishPeople = []rule{
	{
		name: "name-degree", typ: phi.Doctor, score: 0.88, check: checkDegreed,
		expr: `\b(?:MD|M\.D\.|DO|D\.O\.|RN|R\.N\.|RNC|RMN|LPN|LVN|NP|APRN|CRNP|ARNP|DNP|FNP(?:-[BC]C?)?|PA|PA-C|CNM|CRNA|PharmD|RPh|PhD|Ph\.D\.|PsyD|LCSW|LICSW|LMSW|MSW|RCSWI|LMFT|LPC|DPT|PT|OTR/L|OTR|OT|CCC-SLP|SLP|RD|RDN|RDN?,<s>LDN|RRT|CRT|CNA|CMA|` +
			`FACC|FACS|FACOG|FRCPC|FRCSC|FRCSI?|FRCP|FRCR|FRCPath|FRACGP|FRACP|FRCPA|FRANZCOG|MRCGP|MRCP|MBBS|MB<s>?BS|MBChB|MB<s>ChB|BMBS|BSN|MSN|DPM|DDS|DMD|OD|DC|PGY-?\d|ST\d|FY\d|SHO|EMT-?P?|CHW|RM|CNS|HCA|rn|lpn|np|pa-c)\b`,
		match: []string{"[[G. Loomis]] PA to", "[[Garrett Loomis]], PA-C for", "Report to [[Keisha]] RN 1910", "[[N. Obiora-Lund]] MD, nob", "[[L. Stith]] rn\n", "[[H. Vetter]], MD; [[M. Oshiro]], DPM", "/es/ [[DOLORES WICKERSHAM]] RN, PACT", "[[Mary-Kate O'Neil]], RN", "[[José Núñez]], MD"},
		never: []string{"notified MD", "Charge RN aware", "Notify MD if", "seen by PT", "Attending MD", "Night Float MD", "ICU RN", "Wound Care RN", "Visual Acuity, OD", "Continue PT", "Primary Care PA", "On-Call MD", "Outside MD", "Registered Nurse, RN", "PATIENT TOLD MD",
			"Home Health PT", "Ciprofloxacin, DO NOT", "Baltimore, MD", "To the RN", "Patient DO NOT", "Right Eye OD", "HOLD IF SBP <90, CALL MD", "ASK YOUR MD", "Discussed with RN", "Per Dr, RN"},
	},
	{
		name: "relative-name", typ: phi.Patient, score: 0.82, check: checkRelative,
		expr: `\b(?i:wife|husband|hubby|spouse|partner|fianc[eé]e?|boyfriend|girlfriend|sons?|daughters?|dtr|dau|(?:grand)?mother|(?:grand)?father|stepfather|stepmother|mum|mom|dad|nana|grandma|grandpa|granny|brothers?|sisters?|bro|sis|aunt|auntie|uncle|cousin|` +
			`(?:great-?)?grandson|(?:great-?)?granddaughter|niece|nephew|twin|(?:son|daughter|mother|father|brother|sister|dtr)-in-law|friend|neighbou?r|roommate|housemate|caregiver|carer|guardian|landlord|landlady|foster<s>mother|godmother)(?:<s>is|<s>named|<s>called|,|<s>and<s>HCP,?)?<s>\(?(<n>(?:<s><n>)?)`,
		match: []string{"his brother [[Eamon]]'s 70th", "dtr [[Maeve]] flew in", "Wife [[Halina]] seen", "son [[Brendan]] (fire", "wife ([[Hodan Jama]], by", "granddaughter, [[Camille Pettiford-Voss]], and", "a daughter named [[Esther]]."},
		never: []string{"mother Denies", "Mother Healthy", "father Diabetes", "mother COPD", "sister Breast cancer", "brother MI at 49", "Mother Alive and well", "father Hypertension", "mother HTN", "brother Type 2 DM", "friend Monday", "partner Violence", "wife RN",
			"Father Deceased", "Mother Has asthma", "Mother Patient is", "Sister Hospital", "mother Mr. Smith", "twin A", "Twin Pregnancy"},
	},
	{
		name: "name-relative", typ: phi.Patient, score: 0.86, check: checkNamed,
		expr:  `\((?i:his|her|pt'?s|the)?<s>?(?i:wife|husband|spouse|partner|fianc[eé]e?|son|daughter|dtr|mother|father|mum|mom|dad|brother|sister|bro|sis|aunt|uncle|cousin|grandson|granddaughter|grandmother|grandfather|niece|nephew|(?:son|daughter|sister|brother)-in-law|friend|neighbou?r|guardian|carer|hcp|poa|nok)\b`,
		match: []string{"[[Fergus]] (son) to", "[[Robbie Wabegijig]] (son, DL", "caller: [[noreen mulvaney]] (wife, on", "[[Huw]] (brother) to", "via [[Morag]] (dtr) who"},
		never: []string{"Diabetes (mother)", "breast cancer (sister, 49)", "Lives alone (daughter nearby)", "CAD (father)", "Hypertension (mother)", "HTN (Mother)", "Stroke (father)", "present (mother)", "Colon Cancer (father)", "Alcoholism (brother)", "Family (wife)"},
	},
	{
		name: "dear", typ: phi.Doctor, score: 0.86, check: checkDear,
		expr:  `\bDear<s>(?:(?:Dr|Drs|Mr|Mrs|Ms|Miss|Prof|Professor|Doctor|Judge|Sister|Father|Nurse)\b\.?<s>)?(<n>(?:[-<s>](?:<i><s>)?<n>)?)`,
		match: []string{"Dear [[Minjae]]:\n", "Dear Dr [[Asante-Poole]],", "Dear Judge [[Whitcombe]]:", "Dear [[Alasdair]],\n"},
		never: []string{"Dear Doctor,", "Dear Colleague", "Dear Sir or Madam", "Dear Patient", "Dear Dr.", "Dear Parents", "Dear Team", "Dear Provider", "Dear Renal Team,"},
	},
	{
		name: "patient-header", typ: phi.Patient, score: 0.9, check: checkHeaderName,
		expr: `\b(?i:(?:mrn|m\.r\.n|med<s>rec|dob|d\.o\.b|ddn|born|nhs|chi|phn|ohip|nam|hosp(?:ital)?\.?<s>(?:no|num|number|id|#)|chart|csn|acct|age|pt<s>id|ur|urn)\b|mr#)|` +
			`\b\d{1,3}<s>?(?i:y/?o|yr|yrs|[mf])\b|\b\d{1,2}[-./]\d{1,2}[-./]\d{2,4}\b`,
		match: []string{"\n[[Mulvaney, Declan F]]    mrn 30-41", "\n[[RENTAS COLÓN, LUZ M]] | MRN 42", "\n[[Gwen Prosser]]  DOB 30/04/72", "Re: [[Gwenllian Mair Prosser]], 30/04/1972", "\n[[Tessema Selamawit]]  25 F   dob", "[[PETTIFORD,ODESSA R]]     MR# 110", "\n[[W. Dorcelus]]  50 M   9/7"},
		never: []string{"\nDischarge Summary  DOB", "\nChest Pain  12/3/19", "\nProgress Note 12/03/2019", "\nLast Seen 1/2/19", "\nDate of Birth", "\nVital Signs  12/3/19", "\nAdmission Date: 1/2/19", "\nPast Medical History  12/3/2019", "\nCT Chest 1/2/2019", "\nFollow Up Visit 3/4/2019", "\nSocial History  45 M", "\nBlood Culture 3/4/19"},
	},
	{
		name: "patient-label", typ: phi.Patient, score: 0.84, check: checkPersonLine,
		expr: `\b(?i:patient(?:['’]s)?(?:<s>name)?|pt(?:<s>name)?|name|caller|infant|baby|claimant|pupil|student|child|insured|subscriber|guarantor|policy<s>?holder|emergency<s>contacts?|contact(?:<s>person)?|informant|health<s>care<s>(?:proxy|agent)|hcp|poa|proxy|label|` +
			`full<s>name|forenames?|first<s>name|given<s>names?|last<s>name|family<s>name|preferred<s>name|goes<s>by|aka|a\.k\.a\.|known<s>as|called|parent|next<s>of<s>kin|nok)(?:<s>?:<s>*|<s><s>+)(?:(?:Mr|Mrs|Ms|Miss|Mx|MR|MRS|MS)\b\.?<s>)?((?:<part><s>){0,2}(?:<n>|<i>)(?:[,^]?<s>?(?:<part><s>){0,2}(?:<n>|<i>)){0,4})`,
		match: []string{"Patient       [[LACASSE-THIBAULT, REJEAN]]   Rec", "NAME    [[WIECZOREK^BOGUSLAW^K]]\n", "pt: [[C. Iannotti]]  #733", "Pt        [[Wabegijig, A.J]].   11", "Emergency contact: [[Rosa Ibarra]] (sister)", "Forenames:     [[Gwenllian Mair]]\n", "PT    [[PRATES VASCONSELOS, JOAO]]   7", "Caller: [[Rumana Chowdhury]], daughter"},
		never: []string{"Patient: Alert and oriented", "Name: Unknown", "pt: Stable overnight", "Contact: Isolation precautions", "Contact   Precautions", "Label: Warning", "Patient   Education", "Contact: Droplet", "Patient: Doing well", "Child: Well appearing", "Pt   Reports pain", "Name   Dose   Route", "called:  Pharmacy", "Infant: Term female"},
	},
	{
		name: "doctor-label", typ: phi.Doctor, score: 0.84, check: checkStaffLine,
		expr: `\b(?i:attending(?:<s>(?:md|physician|surgeon))?|attg(?:<s>on<s>call)?|surgeons?|operator|operating<s>surgeon|fellow|resident|intern|assist(?:ant|ants|ing)?|anesthesia|anaesthesia|anesthesiologist|anaesthetist|endoscopist|clinician|cons|consultant|oncologist|cardiologist|nephrologist|neurologist|` +
			`pulmonologist|hematologist|urologist|radiologist|pathologist|psychiatrist|psychologist|therapist|dentist|optometrist|podiatrist|pharmacist|midwife|nurse|rn|case<s>manager|cm|social<s>worker|sw|dietitian|interpreter|scribe|coordinator|secretary|` +
			`primary(?:<s>care)?(?:<s>(?:physician|provider|doctor))?|pcp|gp|pmd|referr(?:ing|er|ed<s>by)(?:<s>(?:md|physician|provider))?|ordering(?:<s>(?:md|physician|provider))?|ordered<s>by|requested<s>by|requesting|provider|prov|author|reviewed<s>by|` +
			`performed<s>by|completed<s>by|prepared<s>by|verified<s>by|approved<s>by|interpreted<s>by|transcribed<s>by|dictated<s>by|dictating|signed(?:<s>by)?|electronically<s>signed(?:<s>by)?|e-?signed<s>by|co-?signed<s>by|attested<s>by|witness(?:ed<s>by)?|seen<s>by|taken<s>by|collected<s>by|` +
			`recorded<s>by|reported<s>by|entered<s>by|cc|copy(?:<s>to)?|copies<s>to|discussed<s>with|d/?w|report<s>to|hand-?off(?:<s>to)?|responsible(?:<s>(?:physician|provider))?|mrp|lead<s>consultant|named<s>nurse|key<s>worker|lab<s>director|medical<s>director|teacher|head|team<s>leader)` +
			`(?:<s>?:<s>*|<s><s>+|<s>?=<s>?)(?:(?i:drs?|mr|mrs|ms|miss|prof|professor|sr|nurse)\b\.?<s>{1,2})?((?:<i><s>{0,2}){0,2}(?:<part><s>){0,2}<n>(?:,?<s>?(?:<part><s>){0,2}(?:<n>|<i>)){0,3})`,
		match: []string{"Consultant  Mr [[R Geddes]]\n", "Nurse: [[Amity Strickland]], RN", "FELLOW: [[Sunniva Aas]], MD", "cc: [[Navjot Bhangu]], Strawberry", "Electronically signed: [[Gautam Bhattarai]], MD", "Assist: [[Ines Carvalho]], PGY", "PCP: [[Toussaint-Reid]]\n", "Seen by: [[O Quezon]] RN", "Surgeon: [[Tillery-Boone]]. Ass"},
		never: []string{"Anesthesia: General", "Consultant: Cardiology", "Anesthesia: MAC", "Assistant: None", "PCP: None", "Anesthesia: Local with sedation", "RN: Assessment complete", "20:04 RN: Plug is", "Provider: Telehealth", "cc: Chest pain", "CC: SOB", "CC: Abdominal pain", "CC   Headache", "Nurse: Vitals stable", "GP   Unknown", "Therapist: Weekly sessions",
			"CC: Cough", "CC: Fever", "Consultant: Infectious Disease", "Interpreter: Spanish", "Interpreter: Not needed", "SW: Consult placed", "CC: Back Pain", "Chief Complaint cc: Nausea", "Head: Normocephalic", "HEAD: NC/AT", "Head  Atraumatic", "Resident: Lives alone", "Cons: Alert"},
	},
	{
		name: "signed-line", typ: phi.Doctor, score: 0.85, check: checkDoctorLine,
		expr:  `(?:/(?:es|ES|s|S)/|(?i:electronically<s>signed<s>by|signed<s>electronically<s>by|dictated<s>by|dictating<s>physician|attested<s>by|authenticated<s>by))<s>{1,3}(?:(?i:drs?|mr|mrs|ms|miss)\b\.?<s>)?((?:<i><s>{0,2}){0,2}(?:<part><s>){0,2}<n>(?:,?<s>?(?:<part><s>){0,2}(?:<n>|<i>)){1,3})`,
		match: []string{"/es/ [[DOLORES WICKERSHAM]] RN", "Electronically signed by [[Gautam Bhattarai]], MD"},
		never: []string{"Dictated by Resident", "signed by proxy"},
	},
	{
		name: "nurse-first-name", typ: phi.Doctor, score: 0.8, check: checkStaffFirst,
		expr:  `\b(?:RN|LPN|SW|MSW|LCSW|CNM|RD|PharmD|Pharmacist|Midwife|Caseworker|Social<s>worker|Physiotherapist|interpreter|Interpreter|imam|Imam|Pastor|Rabbi|Fr\.|Rev\.|Chaplain|Officer|Constable|PC|Sgt\.?|Detective|Judge|Deputy|Sheikh|Father|Coach)<s>(<n>(?:<s><n>)?)`,
		match: []string{"RD [[Leighann]] taught", "with RN [[Amina Okeke]], 614", "PC [[Hallam]] (collar", "Rev. [[Thomas Ayers]] at", "Officer [[Daniels]] came"},
		never: []string{"PT INR", "PT Eval", "OT Consult", "RN Aware", "PA Chest", "RT Breast", "NP Note", "SW Consulted", "RT Lung", "PT Goals", "PA Catheter", "PT Stated", "PA Pressure", "PT Alert", "PC Ratio", "RN Note", "Father Deceased", "RD Consult", "PA Lateral", "PT Denies", "SLP Eval", "NP Swab", "PA Systolic"},
	},
	{
		name: "single-initials", typ: phi.Patient, score: 0.72, check: checkDottedInitials,
		expr:  `\b(?i:pt|patient|child|baby|re|client|service<s>user|running<s>record)\b<s>?[-:]?<s>{1,3}(\p{Lu}\.<s>?\p{Lu}\.(?:<s>?\p{Lu}\.)?)`,
		match: []string{"running record - [[R.P.]]  (999", "client [[M.Z.]] thi"},
		never: []string{"pt B.P. 120", "pt A.M. labs", "Patient N.P.O.", "patient D.O.B.", "patient M.R.N."},
	},
}
