package rules

import "github.com/palimpsest-deid/palimpsest/model/phi"

// englishNames are names that a title or a label announces.
var englishNames = []rule{
	{
		name: "doctor-title", typ: phi.Doctor, score: 0.82, check: checkTitled,
		expr:  `(?:Drs?|DRS?|dr|Prof|PROF|Professor|Doctor|DOCTOR)\b\.?<s>{1,2}(<name>)`,
		match: []string{"Seen by Dr. [[Priya Raghunathan]] on", "DR. [[HATHERSAGE]]", "Dr [[O'Brien]]'s clinic", "Prof [[van der Berg]],", "Dr. [[José Núñez]], today", "Dr. [[A. B. Smith]]", "Dr. [[Loomis]] Cardiology"},
		never: []string{"Dr. to see", "Doctor On Call"},
	},
	{
		name: "patient-title", typ: phi.Patient, score: 0.82, check: checkTitled,
		expr:  `(?:Mr|Mrs|Ms|Miss|Mx|MR|MRS|MS|MISS|mr|mrs|ms)\b\.?<s>{1,2}(<name>)`,
		match: []string{"Mr [[Smith]] was", "Mrs. [[Ibarra-Quintana]]", "Ms. [[D'Souza]],", "MRS. [[PETTIFORD]] IS"},
		never: []string{"Ms Contin", "MS EXACERBATION", "MR Angiogram", "MS Contin 30", "MR IMAGING", "MR. OUTSIDE SINUS CT", "mild MR. Mucosal oozing", "Ginger A., MS Carlow", "MS Medicaid 803"},
	},
	{
		name: "staff-title", typ: phi.Doctor, score: 0.78, check: checkTitled,
		expr:  `(?:Nurse|Sister|Matron|Midwife)<s>(<name>)`,
		match: []string{"Nurse [[Dolan]] at"},
		never: []string{"Nurse Practitioner", "Sister Hospital", "Sister Mary Joseph nodule"},
	},
	{
		name: "patient-line", typ: phi.Patient, score: 0.85, check: checkNameLine,
		expr:  `(?i:patient(?:<s>name)?|name|pt(?:<s>name)?|surname|maiden<s>name|next<s>of<s>kin|nok|spouse|guardian)<s>?:<s>*((?:<part><s>){0,2}<n>(?:,?<s>?(?:<part><s>){0,2}(?:<n>|<i>)){0,4})`,
		match: []string{"PATIENT: [[MULVANEY, DECLAN FRANCIS]]\n", "Patient:      [[Declan F. Mulvaney]]          MRN:", "Name: [[NOH,HYUN-JOO]]  ", "Name: [[Priya]]", "Patient: [[Karametos, S.]]     UR", "Patient: [[Moua, Pa Nhia]]\n"},
		never: []string{"Patient: Alert and oriented", "Patient: Denies pain", "Name: Unknown", "PATIENT: STABLE", "Patient: Has been Seen", "Patient: Yeah, I have", "Patient: Surprisingly, from all"},
	},
	{
		name: "doctor-line", typ: phi.Doctor, score: 0.83, check: checkDoctorLine,
		expr: `(?i:attending|surgeon|physician|provider|pcp|gp|author|consultant|resident|anesthesiologist|pathologist|radiologist|referring|` +
			`dictated<s>by|signed<s>by|requested<s>by|ordered<s>by|reported<s>by|read<s>by|typed<s>by)(?:<s>(?i:md|doctor|physician|provider))?<s>?:<s>*(?:(?i:dr|mr|mrs|ms|miss)\b\.?<s>{1,2})?` +
			`((?:<i><s>{0,2}){0,2}(?:<part><s>){0,2}<n>(?:,?<s>?(?:<part><s>){0,2}(?:<n>|<i>)){0,4})`,
		match: []string{"REQUESTED BY: [[Vincent Scarpellino]], MD", "Attending:    [[Anjali Bhattarai]], MD", "REPORTED BY: DR [[BHAVESH SOLANKI]] FRCR", "Surgeon: Mr [[Siddique-Holt]]     A", "GP: Dr [[S Oyelaran]], Larkhill Cross", "SURGEON: [[CLAIRE FONTENOT-YU]], M.D."},
		never: []string{"PCP: None", "Consultant: Cardiology Service", "GP: Unknown"},
	},
}
