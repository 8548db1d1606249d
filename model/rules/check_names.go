package rules

import (
	"strings"
	"unicode/utf8"
)

// noNames are capitalised words that follow a title or label and are no name,
// in lower case.
var noNames = words(`the is was has had have a an to of in on at and or not no none unknown self see seen will can may
	denies reports states presents presented alert awake oriented stable male female pending same deceased verified
	confirmed refused declined unable unresponsive well appears cooperative intubated sedated comfortable n/a na nil
	cardiology oncology surgery surgical medicine medical neurology radiology pathology psychiatry nephrology urology
	pediatrics paediatrics hospital clinic service services unit ward team office department emergency primary care
	internal family general practitioner practice manager case nurse nursing physician doctor doctors md rn
	consultant consult attending resident fellow registrar on call contin angiogram angiography imaging mri scan venogram
	enterography exacerbation flare lesion lesions plaques lesion disease relapse symptoms regurgitation stenosis spectroscopy
	guided brain spine spinal abdomen pelvis cholangiogram elastography mrcp name names date dob age sex gender address
	phone tel fax mrn id number ssn room bed chart record admitted discharged admission discharge diagnosis history
	hx cc hpi pmh plan assessment impression subjective objective exam examination allergies medications meds
	monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
	october november december today tomorrow yesterday please thank thanks dear regards sincerely sincerly
	facc frcp frcs mrcp mrcgp phd dnp lcsw facs facog dds dpm od pharmd bsn msn aprn crnp fnp crna lpn cna esq jr sr ii iii iv
	he she they his her their who with for from by as but if this that it be been being are were do does did
	who whom also then now new old outside conditional prior pgy ed icu er frcr frcpath patient patients pt mother father wife husband son daughter
	sister brother requests requested called calls agrees agreed notified aware paged said says wants reviewed
	signed dictated electronically proxy guardian cc re via per when where what there here yes yeah yep no nope oh um uh okay ok well hi hello sure right exactly absolutely correct maybe just so it's i'm
	bp hr rr medicaid medicare post mucosal missed lima ttfm dwi mca induced veteran sn asst ref circuit specialist pecs safety clearance conditional compatible mom dad good great fine hmm ah all very pretty surprisingly actually definitely sometimes since you we`)

// degrees end a name: "Anjali Bhattarai, MD".
var degrees = words(`md do rn np pa phd facc frcp frcs mrcp mrcgp mbbs mbchb lcsw lsw msw pharmd dpt pt ot slp aprn crnp fnp
	bsn msn dds dmd dpm od facs facog jr sr ii iii cnm crna lpn cna m.d d.o r.n ph.d frcr ma ba bs ms frcpc frcpa frcr cct esq pac`)

// checkTitled cuts the span before the first word that is no name.
func checkTitled(text string, c *candidate) bool {
	if title := text[c.from:min(c.from+2, c.start)]; title == "MR" || title == "MS" {
		// Mitral regurgitation, a mitral stenosis, a degree: "mild MR.", "A., MS".
		if byteAt(text, c.from-2) == ',' || valves[prevWord(text, c.from, ",")] {
			return false
		}
	}
	return cutName(text, c, false) && nextWord(text, c.end) != "nodule"
}

// valves are what stands before MR and MS where they are a valve's.
var valves = words(`mild mod moderate severe trivial trace no new mixed rheumatic rhd ar as tr ps residual ischaemic ischemic functional primary secondary worsening`)

// checkDoctorLine is checkTitled for a label; a comma behind two words ends the
// name, for the practice follows it.
func checkDoctorLine(text string, c *candidate) bool { return cutName(text, c, true) }

// checkNameLine is checkTitled for a label. "Patient:" may introduce a
// sentence, so one word alone needs to end its field.
func checkNameLine(text string, c *candidate) bool {
	if !cutName(text, c, false) {
		return false
	}
	words := 0
	for _, w := range strings.FieldsFunc(c.text(text), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		if utf8.RuneCountInString(strings.Trim(w, ".")) > 1 {
			words++
		}
	}
	if words > 1 {
		return true
	}
	label := strings.ToLower(text[c.from:c.start])
	if strings.Contains(label, "name") {
		return true
	}
	i := skipBlanks(text, c.end)
	return i >= len(text) || text[i] == '\n' || text[i] == '\r' || strings.HasPrefix(text[c.end:], "  ")
}

// cutName shortens the span to the words that may be a name and reports
// whether one of more than a letter is left. With comma set, a comma behind
// two words ends the name.
func cutName(text string, c *candidate, comma bool) bool {
	end, n, long := c.start, 0, 0
	for i := c.start; i < c.end; {
		j := i
		for j < c.end && !nameBreak(text, j) {
			j++
		}
		w := strings.ToLower(strings.Trim(text[i:j], "."))
		possessive := strings.HasSuffix(w, "'s") || strings.HasSuffix(w, "’s")
		if possessive {
			w = w[:strings.LastIndexAny(w, "'’")]
		}
		if len(w) > 1 && (noNames[w] || degrees[w] && !(len(w) == 2 && text[i+1] >= 'a')) {
			break
		}
		end = j
		if w != "" {
			n++
		}
		if utf8.RuneCountInString(w) > 1 {
			long++
		}
		if possessive {
			end = i + strings.LastIndexAny(text[i:j], "'’")
			break
		}
		if comma && n > 1 && byteAt(text, j) == ',' {
			break
		}
		for i = j; i < c.end && nameBreak(text, i); i++ {
		}
	}
	c.start, end = trim(text, c.start, end)
	if i := end - 1; byteAt(text, end) == '.' && end < c.to && i > c.start && nameBreak(text, i-1) {
		end++ // the stop of an initial
	}
	c.end = end
	return long > 0
}

// nameBreak reports whether byte i stands between the words of a name: a blank,
// a no-break space (U+00A0, two bytes) or a comma.
func nameBreak(text string, i int) bool {
	switch text[i] {
	case ' ', '\t', ',':
		return true
	case 0xc2:
		return strings.HasPrefix(text[i:], "\u00a0")
	case 0xa0:
		return i > 0 && text[i-1] == 0xc2
	}
	return false
}
