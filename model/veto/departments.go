package veto

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// departments are the words of which every hospital's departments, wards and clinics
// are called; joins stand between them.
var (
	departments = names.Set(`general acute day same-day internal family emergency urgent intensive critical coronary cardiac high dependency
		outpatient outpatients inpatient ambulatory community primary specialist specialty special surgical medical medicine surgery surgeries
		orthopaedic orthopaedics orthopedic orthopedics ortho trauma fracture spine hand hip knee foot ankle shoulder sports musculoskeletal
		vascular cardiovascular cardiothoracic thoracic cardiology heart failure stroke hyperacute neurology neurosurgery neurosurgical
		neuro neurosciences epilepsy headache movement disorders memory dementia geriatric geriatrics elderly older old age aged adult adults
		child children's childrens paediatric paediatrics pediatric pediatrics peds neonatal newborn special baby nursery infant infants
		obstetric obstetrics gynaecology gynecology gynae gyn ob obgyn women's womens maternity maternal fetal foetal antenatal prenatal
		postnatal labour labor delivery birth fertility breast urology urogynaecology urogynecology renal nephrology dialysis haemodialysis
		hemodialysis transplant transplantation hepatology liver gastroenterology gi endoscopy digestive colorectal bariatric upper lower
		oncology haematology hematology cancer radiation chemotherapy infusion palliative supportive pain anaesthesia anesthesia anaesthetic
		anesthesiology preoperative pre-operative pre-admission preadmission postoperative recovery theatre theatres operating respiratory
		pulmonary chest cystic fibrosis asthma sleep allergy immunology rheumatology vasculitis lupus dermatology plastic plastics
		reconstructive microsurgery microvascular burns wound diabetes diabetic endocrine endocrinology metabolic thyroid eye ophthalmology
		retina glaucoma cornea optometry low vision ent ear nose throat otolaryngology audiology hearing voice maxillofacial oral dental
		dentistry psychiatry psychiatric psychology behavioral behavioural mental health addiction substance abuse crisis liaison
		rehabilitation rehab physical occupational physiotherapy therapy therapies speech language nutrition dietetics pharmacy imaging
		radiology nuclear ultrasound x-ray pathology laboratory lab phlebotomy genetics genomic genetic infectious infection diseases
		disease travel sexual anticoagulation coagulation warfarin device pacemaker lipid hypertension falls frailty continence stoma
		assessment admissions admission short stay step-down stepdown observation progressive telemetry triage resuscitation
		multidisciplinary care services acute-care long-term follow-up`)
	units = names.Set(`unit ward clinic service services department dept team suite lab
		laboratory theatre theatres room floor bay section division surgery medicine psychiatry cardiology oncology neurology
		urology nephrology rehabilitation rehab radiology pathology pediatrics paediatrics geriatrics orthopaedics orthopedics microsurgery
		dermatology rheumatology endocrinology gastroenterology hematology haematology ophthalmology obstetrics gynaecology gynecology
		anaesthesia anesthesia nursery delivery emergency outpatients admissions recovery endoscopy dialysis`)
	departmentJoins = names.Set("and of for the in")
	// vague are words that houses are called by, too: "Community Clinic", "Family
	// Medicine"; a department has another one.
	vague = names.Set(`general community primary family health medical specialty specialist special women's womens children's childrens
		child children care clinic services service medicine surgery surgical day and of for the in`)
)

// isDepartment holds for a department, ward or clinic that is called as everywhere,
// with nobody's name and no place's in it: "General Surgery", "Hand and Microsurgery
// Service", "Labour Ward".
func isDepartment(p *spot, t phi.Type) bool {
	if t != phi.Hospital && t != phi.Organization && t != phi.Department {
		return false
	}
	between := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("&/,()-", r) }
	words := strings.FieldsFunc(strings.ReplaceAll(names.Fold(p.span()), "\u2019", "'"), between)
	if len(words) < 2 || !units[words[len(words)-1]] {
		return false
	}
	told := false
	for _, w := range words {
		told = told || !vague[w] || w == "surgery" && (words[0] == "general" || words[0] == "day")
		if !departments[w] && !units[w] && !departmentJoins[w] {
			return false
		}
	}
	return told && !p.continued()
}

// continued reports whether a word with a capital stands right before or behind the
// span, as the name of a place would: "Ravenscraig Acute Medical Unit".
func (p *spot) continued() bool {
	capital := func(k int) bool {
		if k < 0 || k >= len(p.tokens) {
			return false
		}
		w := p.tokens[k].Text(p.text)
		return unicode.IsUpper([]rune(w)[0]) && !departments[names.Fold(w)]
	}
	return p.i > 0 && p.tokens[p.i].Space && capital(p.i-1) || p.j+1 < len(p.tokens) && p.tokens[p.j+1].Space && capital(p.j+1)
}
