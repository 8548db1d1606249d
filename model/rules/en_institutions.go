package rules

import "github.com/palimpsest-deid/palimpsest/model/phi"

// englishInstitutions are hospitals and organisations, by the word that ends
// their names.
var englishInstitutions = []rule{
	{
		name: "hospital-head", typ: phi.Hospital, score: 0.85, check: checkInstitution,
		expr: `\b(?:Hospitals?|HOSPITALS?|Medical<s>(?:Center|Centre|Group|Associates|Practice|Clinic)|MEDICAL<s>(?:CENTER|CENTRE|GROUP|ASSOCIATES|CLINIC)|Health<s>(?:System|Center|Centre|Board|Network|Partners)|HEALTH<s>(?:SYSTEM|CENTER|CENTRE)|` +
			`Healthcare|Infirmary|INFIRMARY|Clinic|CLINIC|Hospice|HOSPICE|Nursing<s>(?:Home|Station|Center)|NURSING<s>(?:HOME|STATION)|Rehabilitation(?:<s>(?:Center|Hospital))?|Rehab|Surgery<s>Center|SURGERY<s>CENTER|Surgery|` +
			`Cancer<s>(?:Center|Centre|Institute)|Eye<s>(?:Associates|Institute|Physicians|Center|Clinic)|Dialysis|Imaging|IMAGING|Pediatrics|Paediatrics|Family<s>(?:Practice|Medicine|Care|Health)|Dental<s>(?:Arts|Group|Care)|` +
			`Behavioral<s>(?:Health|Hospital)|Laborator(?:y|ies)|Sanatorium|Polyclinic|Resthome|Rest<s>Home|Care<s>Home|Assisted<s>Living|Wing|Ward|Pavilion|PAVILION|NHS<s>(?:Foundation<s>)?Trust|Medical|Orthopa?edics|Cardiology<s>Associates|Women['’]s<s>Health)\b`,
		match: []string{"at [[Gethsemane University Hospital]]. P", "[[TIDEWELL MEMORIAL HOSPITAL]], DEPT", "to [[Larkhill Cross Surgery]]\n", "[[Coyote Creek Pediatrics]]\n", "from [[St. Mary's Hospital]] in", "the [[Mendip Ward]], cub", "[[Harborlight Women's Health]], Dr",
			"at [[Lyons Park Dialysis]]   2nd", "[[Queen of the Valley Medical Center]],"},
		never: []string{"the Hospital Course", "Outside Hospital records", "Pain Clinic today", "General Surgery consult", "Diagnostic Imaging", "Hospital Medicine", "Cardiac Rehab", "Home Hospice", "Wound Clinic", "The Medical team",
			"Past Medical History", "Day Surgery Center", "Bariatric Surgery", "MRI Imaging", "Skilled Nursing Home", "Heart Failure Clinic", "Plastic Surgery", "Past Surgery", "Emergency Medical Services", "On Dialysis", "Start Dialysis",
			"Referred to Endocrine Clinic", "CHRONIC PAIN CLINIC", "Left Hip Surgery", "Magnetic Resonance Imaging", "Acute Inpatient Rehab", "Behavioral Health", "Multidisciplinary Diabetic Foot Clinic", "Rapid Access Breast Clinic", "NEUROMUSCULAR CLINIC", "VAD CLINIC", "Children's Hospital", "Bruce Ward is a"},
	},
	{
		name: "organization-head", typ: phi.Organization, score: 0.82, check: checkInstitution,
		expr: `\b(?:Pharmacy|PHARMACY|Apothecary|Elementary(?:<s>School)?|(?:Primary|Middle|High|Secondary|Grammar)<s>School|School|College|University|Church|Tabernacle|Academy|Preschool|Inc|LLC|LLP|Ltd|Corporation|Corp|` +
			`Police(?:<s>Department)?|Council|Credit<s>Union|Bank|Stevedoring|Haulage|Freight|Motors|Airlines|Airways|Constructors|Roofing|Taxi|Courthouse|Insurance|Mutual|Temple|Mosque|Synagogue|Cathedral|Parish|Relief<s>Circle|Fire<s>(?:Department|Dept|Rescue|District))\b\.?`,
		match: []string{"to [[Glenburn Pharmacy]], they", "at [[Silver Oak Elementary]], in", "for [[Delta Blue Haulage]] (n", "of [[Garwood & Sons Roofing]], Gar", "at [[Battle Creek Technical College]]) sec", "[[Harbourne & Tweddle LLP]]),", "by [[Lincolnshire Police]])"},
		never: []string{"the Pharmacy called", "Outpatient Pharmacy", "finished High School", "Medical School", "Sunday School", "American College of Cardiology", "Health Insurance", "No Insurance", "School: 4th grade", "Catholic Church", "Royal College of",
			"Local Pharmacy", "Graduate School", "Went to College", "Blood Bank", "Clinical Pharmacy", "Right Temple", "Pharmacy: Walgreens", "Food Bank", "Eye Bank"},
	},
	{
		name: "hospital-saint", typ: phi.Hospital, score: 0.8, check: checkSaint,
		expr:  `\b(?:St\.?|Saint|St\.?e|Our<s>Lady<s>of(?:<s>the)?)<s>\p{Lu}\p{Ll}+(?:['’]s)?(?:<s>(?:Memorial|General|Regional|Medical|Hospital|Hosp))+`,
		match: []string{"at [[St Luke's General]] for", "[[Saint Vincent Hospital]]"},
		never: []string{"St. John's wort", "St Elevation", "St Patrick's Day"},
	},
}
