package en

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// noNames are capitalised words that follow a title or label and are no name,
// in lower case.
var noNames = pattern.Words(`the is was has had have a an to of in on at and or not no none unknown self see seen will can may denies
	reports states presents presented alert awake oriented stable male female pending same deceased verified confirmed refused declined
	unable unresponsive well appears cooperative intubated sedated comfortable n/a na nil cardiology oncology surgery surgical medicine
	medical neurology radiology pathology psychiatry nephrology urology pediatrics paediatrics hospital clinic service services unit
	ward team office department emergency primary care internal family general practitioner practice manager case nurse nursing
	physician doctor doctors md rn consultant consult attending resident fellow registrar on call contin angiogram angiography imaging
	mri scan venogram enterography exacerbation flare lesion lesions plaques lesion disease relapse symptoms regurgitation stenosis
	spectroscopy guided brain spine spinal abdomen pelvis cholangiogram elastography mrcp name names date dob age sex gender address
	phone tel fax mrn id number ssn room bed chart record admitted discharged admission discharge diagnosis history hx cc hpi pmh plan
	assessment impression subjective objective exam examination allergies medications meds monday tuesday wednesday thursday friday
	saturday sunday january february march april june july august september october november december today tomorrow yesterday please
	thank thanks dear regards sincerely sincerly facc frcp frcs mrcp mrcgp phd dnp lcsw facs facog dds dpm od pharmd bsn msn aprn crnp
	fnp crna lpn cna esq jr sr ii iii iv he she they his her their who with for from by as but if this that it be been being are were do
	does did who whom also then now new old outside conditional prior pgy ed icu er frcr frcpath patient patients pt mother father wife
	husband son daughter sister brother requests requested called calls agrees agreed notified aware paged said says wants reviewed
	signed dictated electronically proxy guardian cc re via per when where what there here yes yeah yep no nope oh um uh okay ok well hi
	hello sure right exactly absolutely correct maybe just so it's i'm bp hr rr medicaid medicare post mucosal missed lima ttfm dwi mca
	induced veteran sn asst ref circuit specialist pecs safety clearance conditional compatible mom dad good great fine hmm ah all very
	pretty surprisingly actually definitely sometimes since you we`)

// checkTitled cuts the span before the first word that is no name.
func checkTitled(text string, c *pattern.Candidate) bool {
	if title := text[c.From:min(c.From+2, c.Start)]; title == "MR" || title == "MS" {
		// Mitral regurgitation, a mitral stenosis, a degree: "mild MR.", "A., MS".
		if pattern.ByteAt(text, c.From-2) == ',' || valves[pattern.PrevWord(text, c.From, ",")] {
			return false
		}
	}
	return cutName(text, c, false) && pattern.NextWord(text, c.End) != "nodule"
}

// valves are what stands before MR and MS where they are a valve's.
var valves = pattern.Words(`mild mod moderate severe trivial trace no new mixed rheumatic rhd ar as tr ps residual ischaemic ischemic
	functional primary secondary worsening`)

// checkNameLine is checkTitled for a label. "Patient:" may introduce a
// sentence, so one word alone needs to end its field.
func checkNameLine(text string, c *pattern.Candidate) bool {
	if !cutName(text, c, false) {
		return false
	}
	words := 0
	for _, w := range strings.FieldsFunc(c.Text(text), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		if utf8.RuneCountInString(strings.Trim(w, ".")) > 1 {
			words++
		}
	}
	if words > 1 {
		return true
	}
	label := strings.ToLower(text[c.From:c.Start])
	if strings.Contains(label, "name") {
		return true
	}
	i := pattern.SkipBlanks(text, c.End)
	return i >= len(text) || text[i] == '\n' || text[i] == '\r' || strings.HasPrefix(text[c.End:], "  ")
}

// cutName shortens the span to the words that may be a name and reports
// whether one of more than a letter is left. With comma set, a comma behind
// two words ends the name.
func cutName(text string, c *pattern.Candidate, comma bool) bool {
	end, n, long := c.Start, 0, 0
	for i := c.Start; i < c.End; {
		j := i
		for j < c.End && !nameBreak(text, j) {
			j++
		}
		w := strings.ToLower(strings.Trim(text[i:j], "."))
		possessive := strings.HasSuffix(w, "'s") || strings.HasSuffix(w, "’s")
		if possessive {
			w = w[:strings.LastIndexAny(w, "'’")]
		}
		if len(w) > 1 && (noNames[w] || names.IsDegree(w) && !(len(w) == 2 && text[i+1] >= 'a') ||
			shouted[w] && pattern.AllCapital(text[i:j])) {
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
		if comma && n > 1 && pattern.ByteAt(text, j) == ',' {
			break
		}
		for i = j; i < c.End && nameBreak(text, i); i++ {
		}
	}
	c.Start, end = pattern.Trim(text, c.Start, end)
	if i := end - 1; pattern.ByteAt(text, end) == '.' && end < c.To && i > c.Start && nameBreak(text, i-1) {
		end++ // the stop of an initial
	}
	c.End = end
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

// noSingle are capitalised words before a degree that are no name, besides
// noNames, in lower case.
var noSingle = pattern.Words(`charge float triage staff night day evening primary wound home hospice dialysis icu ccu sicu micu nicu
	picu pacu ed er or nurse notified notify per seen registered attending fellow covering another first second your our outside private
	local referring ordering admitting on-call oncall call called ask told tell inform informed discussed discuss d/w dw with the any md
	rn pa np do cardiac stroke trauma transplant infusion chemo oncology school visiting hospital clinic unit ward care case head lead
	senior junior chief primary relief travel agency flight forensic psych research study registered discharge admission float resource
	rapid response code dr doctor physician provider right left eye eyes both visual acuity pain cardiology surgery gi renal pulm id
	ortho neuro ob gyn peds pediatric hospitalist intensivist continue start stop hold needs need need health physical occupational
	speech respiratory therapy therapist outpatient inpatient acute skilled rehab eval evaluation consult consulted order orders to by
	from for of in at and or if is was will was not all no each every his her hers my this that their same new old prior next last today
	tonight aware page paged paging contact contacted text texted verified reviewed review report reported reports handoff hand-off
	given received spoke spoken speak signed sign electronically dictated wrote writes name title licensed certified practical
	vocational patient pt family mother father wife husband son daughter home-health public community district bedside previous current
	other anesthesia anesthesiologist recovery procedure cath lab or circulating scrub he she they it we you i who him them also then so
	but when after before while until please thanks thank via cc re fax tel phone ext mobile cell room bed labs vitals meds hold call
	keep consider ciprofloxacin levofloxacin timolol latanoprost po iv prn bid tid qid daily once twice ou od os va np-c cc'd attg
	intern resident wants want agree agrees okay ok yes without`)

// checkDegreed looks back from a degree for the name before it: words with
// capitals and initials, two at least and one of them no initial.
func checkDegreed(text string, c *pattern.Candidate) bool {
	start := pattern.BackBlanks(text, c.Start)
	if pattern.ByteAt(text, start-1) == ',' {
		start--
	} else if gap := c.Start - start; gap == 0 || gap > 2 {
		return false
	}
	end, long, parts := start, 0, 0
	for parts < 4 {
		w, ok := pattern.WordBack(text, start, 1)
		if !ok {
			break
		}
		s := w.In(text)
		b := pattern.Bare(s)
		if parts == 0 && (names.IsDegree(b) || shouted[b]) && pattern.AllCapital(s) {
			return false // the second of two degrees: the first has the name
		}
		if pattern.CountDigits(s) > 0 || strings.ContainsAny(s, "/&") || pattern.EndsSentence(s) ||
			!pattern.Capital(s) && (parts == 0 || !pattern.Particle(b) || b == "of" || b == "the" || b == "and") {
			break
		}
		if !pattern.Initials(s) {
			if utf8.RuneCountInString(b) < 2 || noNames[b] || noSingle[b] {
				break
			}
			long++
		} else if parts == 0 {
			break
		}
		if pattern.Capital(s) {
			parts++
		}
		start = w.Start
	}
	c.Start, c.End = pattern.Trim(text, start, end)
	return long > 0 && parts > 1 && !pattern.Header(text, c.Start, c.To)
}

// shouted are degrees in capitals alone; otherwise they are names and words.
var shouted = pattern.Words(`ba bs bao cen`)
