package rules

import (
	"strings"
	"unicode/utf8"
)

// noSingle are capitalised words before a degree that are no name, besides
// noNames, in lower case.
var noSingle = words(`charge float triage staff night day evening primary wound home hospice dialysis icu ccu sicu micu nicu picu pacu ed er or nurse notified notify per seen registered attending fellow covering
	another first second your our outside private local referring ordering admitting on-call oncall call called ask told tell inform informed discussed discuss d/w dw with the any md rn pa np do cardiac stroke
	trauma transplant infusion chemo oncology school visiting hospital clinic unit ward care case head lead senior junior chief primary relief travel agency flight forensic psych research study registered
	discharge admission float resource rapid response code dr doctor physician provider right left eye eyes both visual acuity pain cardiology surgery gi renal pulm id ortho neuro ob gyn peds pediatric hospitalist
	intensivist continue start stop hold needs need need health physical occupational speech respiratory therapy therapist outpatient inpatient acute skilled rehab eval evaluation consult consulted order orders
	to by from for of in at and or if is was will was not all no each every his her hers my this that their same new old prior next last today tonight aware page paged paging contact contacted text texted verified
	reviewed review report reported reports handoff hand-off given received spoke spoken speak signed sign electronically dictated wrote writes name title licensed certified practical vocational
	patient pt family mother father wife husband son daughter home-health public community district bedside previous current other anesthesia anesthesiologist recovery procedure cath lab or circulating scrub
	he she they it we you i who him them also then so but when after before while until please thanks thank via cc re fax tel phone ext mobile cell room bed labs vitals meds hold call keep consider
	ciprofloxacin levofloxacin timolol latanoprost po iv prn bid tid qid daily once twice ou od os va np-c cc'd attg intern resident wants want agree agrees okay ok yes without`)

// checkDegreed looks back from a degree for the name before it: two words or
// an initial and a word, or one word that is in no list of others.
func checkDegreed(text string, c *candidate) bool {
	degree := c.text(text)
	i := c.start
	if b := byteAt(text, i-1); b != ' ' && b != ',' && b != '\t' && b != '\u00a0'&0xff {
		return false
	}
	j := backBlanks(text, i)
	comma := byteAt(text, j-1) == ','
	if i-j > 2 && !comma || i-j > 4 {
		return false
	}
	if comma {
		j--
		i = j
	}
	weak := degree == "PT" || degree == "OT" || degree == "OD" || degree == "DO" || degree == "PA" || degree == "RD" || degree == "RM" || degree == "DC" || degree == "SHO" || degree == "CNS" || degree == "HCA" || degree == "RT" || degree == "CRT"
	start, long, parts := i, 0, 0
	shout := true
	for n := 0; n < 4; n++ {
		gap := 1
		if n == 0 {
			gap = 2
		}
		w, ok := wordBack(text, start, gap)
		if !ok {
			break
		}
		s := w.in(text)
		b := bare(s)
		if n == 0 && degreeWords[b] && !initials(s) && (allCapital(s) || kindOf(s).uppers > 1) {
			return false // the second of two degrees: the first has the name
		}
		if countDigits(s) > 0 || strings.ContainsAny(s, "/&") || endsSentence(s) {
			break
		}
		if !capital(s) {
			if particle(b) && long > 0 && b != "of" && b != "the" && b != "and" && b != "st" {
				if w2, ok := wordBack(text, w.start, 1); ok && capital(w2.in(text)) && !noSingle[bare(w2.in(text))] && !noNames[bare(w2.in(text))] {
					start = w.start
					continue
				}
				start = w.start
			}
			break
		}
		if len(b) > 1 && !initials(s) && (noNames[b] || noSingle[b] || generic[b] || noPlace[b] || units[b]) {
			break
		}
		if initials(s) {
			if n == 0 {
				break
			}
		} else {
			if utf8.RuneCountInString(b) < 2 {
				break
			}
			long++
			shout = shout && allCapital(s)
		}
		parts++
		start = w.start
	}
	if long == 0 {
		return false
	}
	if parts == 1 {
		w, _ := wordBack(text, i, 2)
		s := w.in(text)
		if weak || shout || utf8.RuneCountInString(bare(s)) < 3 || comma && degree == "MD" {
			return false // Baltimore, MD
		}
	}
	if shout && parts > 1 && degree != "MD" && degree != "M.D." && degree != "DO" && degree != "RN" && degree != "PhD" && !comma {
		return false
	}
	if weak && !comma && parts < 2 {
		return false
	}
	if header(text, start, c.end) {
		return false
	}
	c.start, c.end = start, i
	c.start, c.end = trim(text, c.start, c.end)
	return c.start < c.end
}

// degreeWords are degrees, in lower case.
var degreeWords = words(`md do rn rnc rmn lpn lvn np aprn crnp arnp dnp fnp pa cnm crna pharmd rph phd psyd lcsw licsw lmsw msw dpt pt otr ot slp rd rdn rrt cna cma facc facs facog frcpc frcsc frcs frcp frcr frcpath
	fracgp fracp frcpa mrcgp mrcp mbbs mbchb bsn msn dpm dds dmd od ccrn ocn cctc mph ms ma bs facp faap faan facog facep chb mb bch bao fnp-c pa-c fnp-bc cen cwocn mba faans faafp m.d d.o r.n ph.d ldn cde cdces esq jr sr ii iii iv`)

// illnesses are capitalised words behind a kinship that are no name: a family
// history.
var illnesses = words(`diabetes hypertension htn dm dm2 t2dm t1dm cancer breast colon lung prostate ovarian heart cad mi chf copd asthma stroke cva tia dementia alzheimer alzheimer's parkinson's alcoholism alcohol depression anxiety bipolar
	schizophrenia suicide arthritis lupus thyroid kidney renal liver glaucoma melanoma leukemia lymphoma epilepsy seizures migraine obesity healthy alive living deceased dead died well unknown hyperlipidemia hld
	cholesterol osteoporosis anemia hepatitis cirrhosis tuberculosis tb hiv sudden coronary congestive chronic early late type age aged positive negative none has had is was denies reports states says present
	type asthma eczema allergies psoriasis crohn's ulcerative celiac gout emphysema pneumonia pe dvt aneurysm afib pacemaker htn, cabg bph esrd ckd ra sle ms als down cystic sickle hemophilia violence abuse pregnancy
	gestation a b c d and or with of in at on to from for who lives works helps very also not no if does both her his my i mr mrs ms miss dr he she they smoking smoker smokes tobacco drug iv patient pt rn md np
	hypothyroidism hyperthyroidism fibromyalgia endometriosis preeclampsia gallstones bladder pancreatic gastric stomach brain skin bone cervical uterine esophageal rectal testicular throat cancers mental substance
	language primary speaks english spanish history family social medical surgical hx pmh psh fh sh yes declined wants would will can should concerned worried`)

// checkRelative wants a name with a capital behind a kinship, in a text that
// is not all capitals, and no illness.
func checkRelative(text string, c *candidate) bool {
	if !cutName(text, c, true) {
		return false
	}
	s := c.text(text)
	first, rest := firstWord(s)
	b := bare(first)
	if illnesses[b] || noSingle[b] || calendar[b] || noPlace[b] || allCapital(first) || len(b) < 2 || generic[b] && len(b) > 3 {
		return false
	}
	if w := s[min(rest, len(s)):]; w != "" {
		if b := bare(w); illnesses[b] || noSingle[b] || noNames[b] || calendar[b] || allCapital(w) || generic[b] {
			c.end = c.start + len(first)
			c.start, c.end = trim(text, c.start, c.end)
		}
	}
	s = c.text(text)
	s = strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "’s")
	c.end = c.start + len(s)
	return len(s) > 1 && !header(text, c.from, c.end) && nextWord(text, c.end) != "nodule"
}

// checkNamed looks back from a kinship in brackets for the name before it. A
// name in lower case must stand behind a label.
func checkNamed(text string, c *candidate) bool {
	i := c.from
	end := backBlanks(text, i)
	start, parts, lowers := end, 0, 0
	for n := 0; n < 3; n++ {
		w, ok := wordBack(text, start, 1)
		if !ok {
			break
		}
		s := w.in(text)
		b := bare(s)
		if countDigits(s) > 0 || strings.ContainsAny(s, "/&") || endsSentence(s) || noNames[b] || noSingle[b] || illnesses[b] || generic[b] || allCapital(s) && !initials(s) || calendar[b] || noPlace[b] {
			break
		}
		if !capital(s) {
			lowers++
		}
		parts++
		start = w.start
		if lowers > 0 && (byteAt(text, backMark(text, start)) == ':') {
			break
		}
	}
	if parts == 0 || end-start < 3 {
		return false
	}
	if lowers > 0 {
		// Only what has capitals, unless a label opens it.
		if byteAt(text, backMark(text, start)) == ':' && parts >= 2 && lowers == parts {
			label := prevWord(text, start, " :")
			if label == "caller" || label == "informant" || label == "contact" || label == "spoke" {
				c.start, c.end = start, end
				return true
			}
		}
		start, parts = end, 0
		for n := 0; n < 3; n++ {
			w, ok := wordBack(text, start, 1)
			if !ok || !capital(w.in(text)) || noNames[bare(w.in(text))] || noSingle[bare(w.in(text))] || illnesses[bare(w.in(text))] || generic[bare(w.in(text))] {
				break
			}
			start = w.start
			parts++
		}
		if parts == 0 {
			return false
		}
	}
	if parts == 1 && diseaseWord(text[start:end]) {
		return false
	}
	c.start, c.end = start, end
	c.start, c.end = trim(text, c.start, c.end)
	return c.end-c.start > 2
}

// diseaseWord reports whether a word ends as words of illness and treatment do.
func diseaseWord(s string) bool {
	low := strings.ToLower(strings.Trim(s, ".,"))
	for _, end := range [...]string{"itis", "osis", "emia", "aemia", "oma", "pathy", "ism", "ension", "ia", "algia", "ectomy", "plasty", "scopy", "cillin", "mycin", "pril", "olol", "statin", "azole", "tion", "ment", "ness", "ing", "ed", "ity", "ology", "ologist", "ics"} {
		if strings.HasSuffix(low, end) && len(low) > len(end)+2 {
			if end == "ia" || end == "ing" || end == "ed" || end == "ics" {
				return len(low) > 7
			}
			return true
		}
	}
	return false
}

// checkDear rejects greetings of nobody.
func checkDear(text string, c *candidate) bool {
	w, _ := firstWord(c.text(text))
	switch bare(strings.TrimRight(w, ",:")) {
	case "doctor", "dr", "drs", "colleague", "colleagues", "sir", "sirs", "madam", "patient", "parent", "parents", "team", "provider", "mr", "mrs", "ms", "miss", "editor", "all", "friend", "friends", "family", "physician", "nurse", "judge", "sister", "father", "professor", "prof":
		return false
	}
	switch nextWord(text, c.end) {
	case "team", "service", "unit", "clinic", "department", "office":
		return false // "Dear Renal Team"
	}
	return !strings.HasSuffix(c.text(text), " Team") && cutName(text, c, true)
}

// titleWords are words of headings that could be taken for the name in a
// patient's header line.
var titleWords = words(`discharge summary progress note notes admission date visit visits follow up follow-up chest pain last seen first next vital signs past medical history social family physical exam review systems ct mri
	xr us cxr ekg ecg echo report operative consult consultation clinic office phone telephone call letter evaluation assessment plan hospital course labs lab results imaging radiology pathology blood culture cultures
	urine wound infusion dialysis treatment therapy session initial final addendum emergency department dept triage nursing night day shift transfer summary interval annual well child newborn prenatal postpartum
	postnatal antenatal pre post op surgery procedure colonoscopy endoscopy bronchoscopy biopsy current medications medication list allergies problem problems reason referral chief complaint present illness name address
	age sex gender dob birth born mrn room bed unit ward age/sex study test order specimen source collected received status code general surgery internal medicine family practice cardiology oncology neurology urology
	head neck spine abdomen pelvis brain left right knee hip shoulder hand foot eye skin lung heart liver kidney bone since started began on in at from to by for of the and with no not new old prior previous
	comparison technique findings impression indication history hx pt patient client resident attending provider service team group page time weight height temp pulse resp bp hr rr sat created updated printed signed
	electronically dictated transcribed reviewed verified approved filed due exp expires lot serial rx prescription refill pharmacy insurance policy member plan medicare medicaid`)

// checkHeaderName looks back from a patient's identifiers for the name that
// opens the line.
func checkHeaderName(text string, c *candidate) bool {
	end := backBlanks(text, c.from)
	if b := byteAt(text, end-1); b == '|' || b == '/' || b == '(' || b == '-' || b == ',' {
		end = backBlanks(text, end-1)
	} else if end == c.from {
		return false
	}
	start, closed := end, false
	for n := 0; n < 6 && !closed; n++ {
		w, ok := wordBack(text, start, 1)
		if !ok && byteAt(text, start-1) == ',' || !ok && n > 0 && byteAt(text, backMark(text, start)) == ',' {
			comma := backMark(text, start)
			w, ok = wordBack(text, comma, 0)
		}
		if !ok {
			break
		}
		s := w.in(text)
		if !capital(s) || countDigits(s) > 0 || strings.ContainsAny(s, "/&") {
			return false
		}
		start = w.start
		closed = lineStart(text, start)
		switch prevWord(text, start, " :.") {
		case "re", "regarding", "patient", "pt", "name":
			closed = byteAt(text, backMark(text, start)) == ':' || closed
		}
	}
	if !closed || start == end {
		return false
	}
	c.from, c.start, c.end = start, start, end
	long := 0
	s := c.text(text)
	cue := text[c.end:c.to]
	if i := strings.IndexAny(cue, "0123456789"); i >= 0 && !strings.Contains(s, ",") && !strings.HasPrefix(cue, ",") && !strings.HasPrefix(cue, "  ") && strings.IndexByte(cue, '|') < 0 && prevWord(text, c.start, " :") == "" {
		return false // "Prednisone Taper 60-50-40"
	}
	for rest := strings.ReplaceAll(s, ",", " "); rest != ""; {
		w, n := firstWord(rest)
		rest = rest[n:]
		b := bare(w)
		if b == "" {
			continue
		}
		if titleWords[b] || noNames[b] && len(b) > 2 || calendar[b] || generic[b] && len(b) > 3 || illnesses[b] && len(b) > 2 || diseaseWord(w) && !allCapital(w) && len(w) > 8 {
			return false
		}
		if utf8.RuneCountInString(b) > 1 {
			long++
		}
	}
	if long == 0 || long == 1 && !strings.Contains(s, ",") && !initials(strings.SplitN(s, " ", 2)[0]) {
		return false
	}
	return true
}

// checkPersonLine is checkNameLine for labels that also introduce sentences.
func checkPersonLine(text string, c *candidate) bool {
	if strings.HasPrefix(strings.ToLower(text[c.from:c.start]), "re") {
		return false
	}
	if !cutName(text, c, false) {
		return false
	}
	n, named := 0, true
	for rest := strings.NewReplacer(",", " ", "^", " ").Replace(c.text(text)); rest != ""; {
		w, k := firstWord(rest)
		rest = rest[k:]
		b := bare(w)
		if b == "" {
			continue
		}
		n++
		if len(b) > 1 && (titleWords[b] || illnesses[b] && len(b) > 2 || noSingle[b] || generic[b] && !allCapital(w) || calendar[b] || lineWords[b] || noPlace[b] && len(b) > 2) {
			named = false
		}
	}
	if !named {
		return false
	}
	label := strings.ToLower(text[c.from:c.start])
	rest := strings.TrimPrefix(text[c.end:], ".")
	closed := lineEnd(text, c.end) || strings.HasPrefix(rest, "  ") || strings.HasPrefix(rest, "\t") || strings.IndexByte(",(|;/", byteAt(text, skipBlanks(text, c.end))) >= 0
	if !strings.Contains(label, ":") {
		// A column: capitals or a comma, and then another column.
		s := c.text(text)
		return closed && n > 1 && (strings.ContainsAny(s, ",^") || allCapital(s) || strings.Contains(label, "name")) && lineStart(text, c.from) || closed && n > 1 && strings.ContainsAny(s, ",^")
	}
	if diseaseWord(c.text(text)) && n == 1 {
		return false
	}
	return closed
}

// lineWords are words behind a person's label that are no name.
var lineWords = words(`isolation precautions droplet airborne contact standard education warning dose route frequency quantity term preterm male female single twin live doing appears resting sitting lying tolerating awake sleeping
	comfortable calm anxious tearful pleasant cooperative agitated confused lethargic drowsy well appearing ambulatory ambulates independent lives works married divorced widowed retired unemployed employed yes no spouse mother
	father parent self wife husband daughter son sister brother friend both parents grandmother grandfather pharmacy insurance medicare medicaid please see below above attached listed file full code dnr english spanish
	interpreter used none given not available obtained limited reliable poor good fair excellent stable improving worsening unchanged normal abnormal intact clear soft tender regular vitals assessment complete weekly
	monthly daily telehealth video sessions placed needed notified pending done reviewed agree agrees discussed consult consults consulted general spinal local mac epidural topical regional block sedation monitored moderate
	conscious endotracheal lma propofol ketamine cardiology oncology neurology infectious disease normocephalic atraumatic nc/at ncat nc at supple symmetric abdominal back headache cough fever nausea vomiting diarrhea sob dyspnea fatigue
	weakness dizziness rash chest leg arm neck knee hip ankle throat ear eye swelling bleeding fall fell shortness syncope palpitations altered mental dysuria hematuria constipation edema seizure bloody breathing feeling unable
	new ongoing chronic acute severe intermittent persistent worsening recurrent follow-up routine annual physical checkup medication refill med wellness preop cpe est establish tbd vacant open rotating on-call via
	i my me we our it's i'm don't can't he's she's the this that there here just so yeah well but okay alright hmm mm-hmm because
	hey hello hi good morning afternoon evening and then thank thanks sure sounds great right exactly really maybe`)

// checkStaffLine is checkDoctorLine for the many labels that specialties and
// complaints follow too.
func checkStaffLine(text string, c *candidate) bool {
	if !cutName(text, c, true) {
		return false
	}
	s := c.text(text)
	label := strings.ToLower(text[c.from:c.start])
	n := 0
	for rest := strings.ReplaceAll(s, ",", " "); rest != ""; {
		w, k := firstWord(rest)
		rest = rest[k:]
		b := bare(w)
		if b == "" {
			continue
		}
		n++
		if len(b) > 1 && (titleWords[b] || illnesses[b] && len(b) > 2 || noSingle[b] || generic[b] || calendar[b] || lineWords[b] || units[b] || noPlace[b]) || diseaseWord(w) && n == 1 && !strings.Contains(s, " ") {
			return false
		}
	}
	short := strings.HasPrefix(label, "cc") || strings.HasPrefix(label, "head") || strings.HasPrefix(label, "cons:") || strings.HasPrefix(label, "signed")
	after := nextWord(text, skipComma(text, c.end))
	if n == 1 && (strings.HasPrefix(label, "rn") || strings.HasPrefix(label, "nurse")) && byteAt(text, c.end) == ' ' && byteAt(text, c.end+1) >= 'a' && byteAt(text, c.end+1) <= 'z' && !degreeWords[after] {
		return false // who speaks in a chat: "RN: How much?"
	}
	if short && n < 2 && !degreeWords[after] {
		return false
	}
	if strings.HasPrefix(label, "cc") && !strings.Contains(label, "dr") && !degreeWords[after] && (diseaseWord(s) || !strings.ContainsAny(s, ".") && byteAt(text, c.end) != ',' && byteAt(text, c.end) != ';') {
		return false // a chief complaint
	}
	if !strings.Contains(label, ":") && !strings.Contains(label, "=") {
		titled := strings.Contains(label, "dr") || strings.Contains(label, "mr") || strings.Contains(label, "ms") || strings.Contains(label, "miss") || strings.Contains(label, "prof")
		return titled || degreeWords[after] || n > 1 && lineStart(text, c.from) && !allCapital(s)
	}
	return true
}

// skipComma returns the first byte at or after i that is neither a blank nor a
// comma.
func skipComma(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == ',') {
		i++
	}
	return i
}

// checkStaffFirst wants a name behind a staff title, and none of the words
// that notes about staff begin with.
func checkStaffFirst(text string, c *candidate) bool {
	if !cutName(text, c, true) {
		return false
	}
	s := c.text(text)
	if strings.HasPrefix(text[c.from:], "Father") && lineStart(text, c.from) {
		return false
	}
	for rest := s; rest != ""; {
		w, n := firstWord(rest)
		b := bare(w)
		if len(b) > 1 && (noSingle[b] || lineWords[b] || titleWords[b] || generic[b] || illnesses[b] || calendar[b] || allCapital(w) || b == "ratio" || b == "ratios") {
			c.end = c.start + len(s) - len(rest)
			c.start, c.end = trim(text, c.start, max(c.start, c.end))
			break
		}
		rest = rest[n:]
	}
	return c.end-c.start > 2 && !diseaseWord(c.text(text)) && !header(text, c.from, c.end)
}

// checkDottedInitials rejects short forms with stops.
func checkDottedInitials(text string, c *candidate) bool {
	switch strings.ToLower(letters(c.text(text))) {
	case "bp", "am", "pm", "np", "npo", "dob", "mrn", "md", "rn", "pa", "do", "ed", "er", "us", "usa", "uk", "iv", "im", "po", "pr", "od", "os", "ou", "td", "sc", "va", "pt", "ob", "gi", "gu", "tb", "dm", "mi", "ms", "hs", "ac", "pc", "ad", "as", "au", "eg", "ie", "ca":
		return false
	}
	if byteAt(text, c.end) == '.' {
		c.end++
	}
	return true
}
