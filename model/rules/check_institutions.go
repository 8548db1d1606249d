package rules

import "strings"

// generic are words that describe an institution and do not name it: "Pain
// Clinic", "Outside Hospital", "General Surgery".
var generic = words(`the a an this that our your his her their my outside local other another same prior previous current new old home general community regional county city university
	memorial day inpatient outpatient ambulatory acute chronic pain wound diabetes diabetic heart failure cardiac cardiology cardiothoracic cardiovascular vascular thoracic neuro neurology neurosurgery neurologic orthopedic
	orthopaedic ortho spine hand foot ankle hip knee shoulder eye ent ear nose throat dental oral maxillofacial plastic reconstructive bariatric colorectal gi gastrointestinal gastroenterology hepatology
	liver renal kidney nephrology urology urologic gyn gynecology gynaecology obstetric obstetrics ob antenatal prenatal maternity women's womens children's childrens pediatric paediatric adult geriatric elderly
	medicine medical surgical surgery surgeries oncology cancer breast lung prostate thyroid endocrine endocrinology rheumatology dermatology skin allergy immunology infectious disease id hiv travel
	psychiatric psychiatry mental behavioral behavioural health substance abuse addiction methadone sleep pulmonary respiratory asthma copd coagulation anticoagulation coumadin warfarin inr device pacemaker
	transplant dialysis hemodialysis haemodialysis peritoneal infusion chemo chemotherapy radiation nuclear diagnostic magnetic resonance ultrasound mri ct xray x-ray pet imaging radiology nuclear laboratory lab labs
	clinical research teaching tertiary referring receiving transferring emergency urgent primary secondary specialty specialist family practice walk-in pre-op preop post-op postop pre post follow follow-up fu
	skilled nursing rehab rehabilitation hospice palliative long term short stay assisted living group halfway foster board residential subacute field military veterans va state federal government public private free
	major minor elective emergent previous prior past left right bilateral open robotic laparoscopic cosmetic cataract bypass valve mohs sinus back neck abdominal pelvic gastric bowel hernia gallbladder appendix brain
	start started on off missed hold continue get needs receiving seen in at to from of for with via by and or no not any all both had has have was is s/p status hx history referred refer referral sent went call called fax faxed
	admitted admit admission discharged discharge transferred transfer follows followed attending dr mr mrs ms patient pt she he per name mail order retail chain compounding specialty clinical hospital pharmacy
	children child women patient multidisciplinary rapid access neuromuscular vad lvad maintenance suboxone buprenorphine one-stop same-day complex joint arthritis rhinology ibd msk psych cf chf hf afib ep tavr hcc hpb ibs ild pah
	high middle grade elementary school college sunday grad graduate law nursing med medical vocational technical art night trade junior senior private boarding catholic christian baptist methodist american national royal
	society association world international insurance life auto car private medicare medicaid no commercial secondary primary blood sperm egg food eye tissue bone right left temple court campus state patient's mother's
	catholic jewish local neighborhood nearest favorite preferred usual usually using uses dispensing pharmacy: please unable attended attends attending finished completed some started dropped did graduated
	memory stroke falls fall movement headache epilepsy seizure ms als muscular dystrophy tb std sti gu gum prep vaccine vaccination flu covid testing screening well baby child teen adolescent youth student occupational
	physical speech therapy hearing audiology vision low contact lens glaucoma retina cornea refraction optometry hair nail weight loss obesity metabolic lipid hypertension blood pressure bp med meds nurse rn np pa pcp
	hematology haematology sickle cell hemophilia genetics genetic high-risk risk dept department unit ward service center centre continuing emerg neonatal nicu step down step-down telemetry observation recovery
	virtual postpartum stop cardio-obstetric pnd neurol nurse-led hub cardio interventional endovascular invasive portable serial repeat routine stat initial final further additional mr advanced basic life support services system systems national`)

// checkInstitution looks back from the head word for the name before it:
// words with capitals, of which one at least says more than what kind of
// institution it is.
func checkInstitution(text string, c *candidate) bool {
	if header(text, c.start, c.end) {
		return false
	}
	start, named := c.start, false
	link := c.start // where a linking word that may yet be inside begins
	for n := 0; n < maxLook; n++ {
		w, ok := wordBack(text, link, 1)
		if !ok {
			break
		}
		s := w.in(text)
		b := bare(s)
		if s == "&" || b == "of" || b == "the" && s == "the" || b == "and" && s == "and" || b == "for" || b == "de" || b == "du" || b == "la" {
			if start == c.start && b != "&" {
				break
			}
			link = w.start
			continue
		}
		if !capital(s) || endsSentence(s) || countDigits(s) > 0 {
			break
		}
		if instStop[b] {
			break
		}
		start, link = w.start, w.start
		if !generic[b] && len(b) > 1 {
			named = true
		}
	}
	if !named {
		return false
	}
	// Generic words at the head of a sentence or after a label are no part.
	for {
		w, rest := firstWord(text[start:c.start])
		if b := bare(w); w != "" && (instLead[b] || noNames[b]) {
			start += rest
			continue
		}
		break
	}
	// A short form before the name: "PNC Harborlight Women's Health".
	if w, rest := firstWord(text[start:c.start]); len(w) <= 4 && allCapital(w) && start+rest < c.start {
		if next, _ := firstWord(text[start+rest : c.start]); capital(next) && !allCapital(next) && !generic[bare(next)] {
			start += rest
		}
	}
	if start >= c.start || nextWord(text, c.end) == "is" && strings.EqualFold(c.text(text), "ward") {
		return false
	}
	named = false
	for s := text[start:c.start]; s != ""; {
		w, rest := firstWord(s)
		if b := bare(w); !generic[b] && !noNames[b] && len(b) > 2 && !diseaseWord(w) {
			named = true
		}
		s = s[rest:]
	}
	if !named || header(text, start, c.end) {
		return false
	}
	if allCapital(text[start:c.end]) && !lineStart(text, start) && !strings.ContainsAny(text[max(0, start-2):start], " ,(:") {
		return false
	}
	c.start = start
	return true
}

// instStop are words that no name of an institution goes back over.
var instStop = words(`dr mr mrs ms miss md do rn np pa prof diagnosis impression plan assessment reason chief monday tuesday wednesday thursday friday saturday sunday
	january february march april june july august september october november december he she they patient pt`)

// instLead are capitalised words before an institution that are no part of it.
var instLead = words(`the a an at to from in on by per via for with and or of seen admitted transferred discharged referred sent called faxed attends attended works worked received
	follow follows followed his her their our my your this that see call fax visit visits hospital clinic location facility site pharmacy employer employed school attending cc re unit ward`)

// checkSaint rejects saints of medicine and of the calendar.
func checkSaint(text string, c *candidate) bool { return !header(text, c.start, c.end) }
