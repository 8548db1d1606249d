package ensemble

import (
	"sort"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// readContext notes of disjoint spans where what stands around them leaves no
// doubt and, with o.Correct, mends their types by it (Lee et al. 2017, section
// 3.3.4, second step). No span is dropped or moved: a wrong type costs a
// surrogate its plausibility, a dropped span somebody's privacy. The paper
// drops states that no dictionary has; here they become cities.
func readContext(text string, tokens []token.Token, found []Found, o Options) {
	for k := range found {
		f := &found[k]
		i, j := tokensOf(tokens, f.Start, f.End)
		if i > j {
			continue
		}
		typ, cue, why := contextType(text, tokens, i, j, f.Span)
		f.Cue = cue
		if typ == f.Type || !o.Correct {
			continue
		}
		before := f.Span
		f.Type = typ
		if o.Trace != nil {
			o.Trace(Event{Step: "correction", Before: before, After: f.Span, Why: why})
		}
	}
}

// tokensOf returns the first and the last token within a stretch; i > j where
// there is none.
func tokensOf(tokens []token.Token, start, end int) (i, j int) {
	i = sort.Search(len(tokens), func(k int) bool { return int(tokens[k].End) > start })
	j = sort.Search(len(tokens), func(k int) bool { return int(tokens[k].Start) >= end }) - 1
	return i, j
}

// contextType returns the type that a span of tokens i to j has by its
// context, and whether the context alone says so.
func contextType(text string, tokens []token.Token, i, j int, s phi.Span) (typ phi.Type, cue bool, why string) {
	switch s.Type {
	case phi.Phone, phi.Fax:
		return phoneOrFax(text, tokens, i, s.Type)
	case phi.Patient, phi.Doctor:
		return patientOrDoctor(text, tokens, i, j, s.Type)
	case phi.Hospital, phi.Organization:
		return hospitalOrOrganization(text, tokens, i, j, s.Type)
	case phi.State:
		if name := spaced(text, tokens, i, j); !stateNames[name] {
			if countries[name] {
				return phi.Country, false, "it is a country"
			}
			return phi.City, false, "no state has that name"
		}
	case phi.City:
		if j == i && tokens[i].Class == token.Upper && tokens[i].End-tokens[i].Start == 2 && stateNames[fold(tokens[i].Text(text))] &&
			i > 1 && tokens[i-1].Text(text) == "," {
			return phi.State, false, "the code of a state after a comma"
		}
	}
	return s.Type, false, ""
}

// spaced returns the words of tokens i to j, folded, with single blanks.
func spaced(text string, tokens []token.Token, i, j int) string {
	var words []string
	for ; i <= j; i++ {
		if isWord(tokens[i].Class) {
			words = append(words, fold(tokens[i].Text(text)))
		}
	}
	return strings.Join(words, " ")
}

var (
	faxWords   = set("fax facsimile telefax fx")
	phoneWords = set("phone tel telephone ph cell mobile pager call called calling home work direct line callback number ext beeper tele tfno telefono movil")
)

// phoneOrFax asks the nearest word before the number that speaks of either.
func phoneOrFax(text string, tokens []token.Token, i int, typ phi.Type) (phi.Type, bool, string) {
	for n := 1; n <= 3; n++ {
		k := onLine(tokens, i, n)
		if k < 0 || tokens[k].Class == token.Digits {
			break
		}
		switch w := fold(tokens[k].Text(text)); {
		case faxWords[w], w == "f" && k+1 < len(tokens) && tokens[k+1].Text(text) == ":":
			return phi.Fax, true, "the word before it says fax"
		case phoneWords[w]:
			return phi.Phone, true, "the word before it says telephone"
		}
	}
	return typ, false, ""
}

var (
	doctorTitles  = set("dr drs doctor prof professor nurse dra")
	patientTitles = set("mr mrs ms miss mx")
	doctorLabels  = set(`attending surgeon physician provider pcp gp author consultant resident anesthesiologist anaesthetist pathologist
		radiologist referring cardiologist therapist pharmacist dentist optometrist midwife hygienist dietitian psychologist psychiatrist
		counselor counsellor intern registrar fellow nurse rn clinician scribe assistant technologist interpreter dictated signed cosigned
		transcribed ordering verified recorder reader`)
	patientLabels = set("patient pt surname paciente kin nok wife husband son daughter mother father brother sister mom mum dad grandson granddaughter uncle aunt nephew niece friend neighbor neighbour")
	kin           = set("wife husband son daughter mother father brother mom mum dad grandson granddaughter uncle aunt nephew niece")
	signedWords   = set("signed dictated cosigned transcribed reviewed reported read ordered requested verified interpreted performed typed authored")
)

// patientOrDoctor asks degrees behind a name, then titles and labels before it.
func patientOrDoctor(text string, tokens []token.Token, i, j int, typ phi.Type) (phi.Type, bool, string) {
	if beforeDegree(text, tokens, j) {
		return phi.Doctor, true, "a degree stands behind it"
	}
	k := i - 1
	if k >= 0 && tokens[k].Text(text) == "." {
		k--
	}
	if k < 0 || tokens[k].Class == token.Newline {
		return typ, false, ""
	}
	title := fold(tokens[k].Text(text))
	if doctorTitles[title] && tokens[k].Class != token.Lower || title == "dr" {
		return phi.Doctor, true, "a clinician's title stands before it"
	}
	colon := tokens[k].Text(text) == ":"
	if !colon && patientTitles[title] {
		// "Surgeon: Mr Holt": British surgeons are no doctors.
		if k > 1 && tokens[k-1].Text(text) == ":" && doctorLabels[fold(tokens[k-2].Text(text))] {
			return phi.Doctor, true, "the label before it is a clinician's"
		}
		return typ, typ == phi.Patient, ""
	}
	if colon && k > 0 {
		for n := 1; n <= 2; n++ {
			at := onLine(tokens, k, n)
			if at < 0 {
				break
			}
			switch w := fold(tokens[at].Text(text)); {
			case doctorLabels[w]:
				return phi.Doctor, true, "the label before it is a clinician's"
			case patientLabels[w]:
				return phi.Patient, true, "the label before it is a patient's or relative's"
			}
		}
		return typ, false, ""
	}
	if title == "by" && k > 0 && signedWords[fold(tokens[k-1].Text(text))] {
		return phi.Doctor, true, "who signs is a clinician"
	}
	if kin[title] && text[tokens[k].End:tokens[i].Start] == " " {
		return phi.Patient, true, "a word of kinship stands before it"
	}
	return typ, false, ""
}

var (
	hospitalHeads = set(`hospital hospitals infirmary clinic clinics sanatorium hospice hospiz icu ed ward surgery healthcare
		maternity hosp polyclinic`)
	schoolWords = set(`school college academy kindergarten preschool study degree senior student students graduate
		freshman sophomore junior teacher teaches grade employer employed bank church mosque temple parish synagogue pharmacy farm
		farms garage insurance club foods market store restaurant bakery airlines`)
)

// hospitalOrOrganization asks the words of the name itself, then whether
// school or work is spoken of within three tokens.
func hospitalOrOrganization(text string, tokens []token.Token, i, j int, typ phi.Type) (phi.Type, bool, string) {
	hospital, other := false, false
	for k := i; k <= j; k++ {
		w := fold(tokens[k].Text(text))
		hospital = hospital || hospitalHeads[w]
		other = other || schoolWords[w]
		if k < j && (w == "medical" || w == "health") {
			next := fold(tokens[k+1].Text(text))
			hospital = hospital || next == "center" || next == "centre"
		}
	}
	switch {
	case hospital && !other:
		return phi.Hospital, true, "its head word is a place of care"
	case other && !hospital:
		return phi.Organization, true, "its head word is no place of care"
	}
	return typ, false, ""
}
