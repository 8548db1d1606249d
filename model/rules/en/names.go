package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// nameRules are names that a title or a label announces.
var nameRules = []pattern.Rule{
	{
		Name: "doctor-title", Type: phi.Doctor, Score: 0.82, Check: checkTitled,
		Expr: `(?:Drs?|DRS?|dr|Prof|PROF|Professor|Doctor|DOCTOR)\b\.?<s>{1,2}(<name>)`,
		Match: []string{
			"Seen by Dr. [[Priya Raghunathan]] on", "DR. [[HATHERSAGE]]", "Dr [[O'Brien]]'s clinic", "Prof [[van der Berg]],",
			"Dr. [[José Núñez]], today", "Dr. [[A. B. Smith]]", "Dr. [[Loomis]] Cardiology",
		},
		Never: []string{"Dr. to see", "Doctor On Call"},
	},
	{
		Name: "patient-title", Type: phi.Patient, Score: 0.82, Check: checkTitled,
		Expr:  `(?:Mr|Mrs|Ms|Miss|Mx|MR|MRS|MS|MISS|mr|mrs|ms)\b\.?<s>{1,2}(<name>)`,
		Match: []string{"Mr [[Smith]] was", "Mrs. [[Ibarra-Quintana]]", "Ms. [[D'Souza]],", "MRS. [[PETTIFORD]] IS"},
		Never: []string{
			"Ms Contin", "MS EXACERBATION", "MR Angiogram", "MS Contin 30", "MR IMAGING", "MR. OUTSIDE SINUS CT",
			"mild MR. Mucosal oozing", "Ginger A., MS Carlow", "MS Medicaid 803",
		},
	},
	{
		Name: "staff-title", Type: phi.Doctor, Score: 0.78, Check: checkTitled,
		Expr: `(?:Nurse|Sister|Matron|Midwife|Pastor|Rabbi|[Ii]mam|Fr\.|Rev\.|Chaplain|Officer|Constable|Sgt\.?|Detective|Judge|Deputy|` +
			`Sheikh|Coach)<s>(<name>)`,
		Match: []string{"Nurse [[Dolan]] at", "Rev. [[Thomas Ayers]] at", "Officer [[Daniels]] came"},
		Never: []string{"Nurse Practitioner", "Sister Hospital", "Sister Mary Joseph nodule"},
	},
	{
		Name: "patient-line", Type: phi.Patient, Score: 0.85, Check: checkNameLine,
		Expr: `(?i:patient(?:<s>name)?|name|pt(?:<s>name)?|surname|maiden<s>name|next<s>of<s>kin|nok|spouse|guardian)<s>?:<s>*` +
			`((?:<part><s>){0,2}<n>(?:,?<s>?(?:<part><s>){0,2}(?:<n>|<i>)){0,4})`,
		Match: []string{
			"PATIENT: [[MULVANEY, DECLAN FRANCIS]]\n", "Patient:      [[Declan F. Mulvaney]]          MRN:", "Name: [[NOH,HYUN-JOO]]  ",
			"Name: [[Priya]]", "Patient: [[Karametos, S.]]     UR", "Patient: [[Moua, Pa Nhia]]\n",
		},
		Never: []string{
			"Patient: Alert and oriented", "Patient: Denies pain", "Name: Unknown", "PATIENT: STABLE", "Patient: Has been Seen",
			"Patient: Yeah, I have", "Patient: Surprisingly, from all",
		},
	},
	{
		Name: "name-degree", Type: phi.Doctor, Score: 0.88, Check: checkDegreed,
		Expr: `\b(?:MD|M\.D\.|DO|D\.O\.|RN|R\.N\.|RNC|RMN|LPN|LVN|NP|APRN|CRNP|ARNP|DNP|FNP(?:-[BC]C?)?|PA|PA-C|CNM|CRNA|PharmD|RPh|PhD|` +
			`Ph\.D\.|PsyD|LCSW|LICSW|LMSW|MSW|RCSWI|LMFT|LPC|DPT|PT|OTR/L|OTR|OT|CCC-SLP|SLP|RD|RDN|RDN?,<s>LDN|RRT|CRT|CNA|CMA|` +
			`FACC|FACS|FACOG|FRCPC|FRCSC|FRCSI?|FRCP|FRCR|FRCPath|FRACGP|FRACP|FRCPA|FRANZCOG|MRCGP|MRCP|MBBS|MB<s>?BS|MBChB|MB<s>ChB|` +
			`BMBS|BSN|MSN|DPM|DDS|DMD|OD|DC|PGY-?\d|ST\d|FY\d|SHO|EMT-?P?|CHW|RM|CNS|HCA|rn|lpn|np|pa-c)\b`,
		Match: []string{
			"[[G. Loomis]] PA to", "[[Garrett Loomis]], PA-C for", "[[N. Obiora-Lund]] MD, nob", "[[L. Stith]] rn\n",
			"[[H. Vetter]], MD; [[M. Oshiro]], DPM", "/es/ [[DOLORES WICKERSHAM]] RN, PACT", "[[Mary-Kate O'Neil]], RN",
			"[[José Núñez]], MD",
		},
		Never: []string{
			"notified MD", "Charge RN aware", "Notify MD if", "seen by PT", "Attending MD", "Night Float MD", "ICU RN", "Wound Care RN",
			"Visual Acuity, OD", "Continue PT", "Primary Care PA", "On-Call MD", "Outside MD", "Registered Nurse, RN", "PATIENT TOLD MD",
			"Home Health PT", "Ciprofloxacin, DO NOT", "Baltimore, MD", "To the RN", "Patient DO NOT", "Right Eye OD",
			"HOLD IF SBP <90, CALL MD", "ASK YOUR MD", "Discussed with RN", "Per Dr, RN",
		},
	},
}
