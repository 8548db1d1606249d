package cues

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// ContextType returns the type that a span of tokens i to j has by its
// context, and whether the context alone says so.
func ContextType(text string, tokens []token.Token, i, j int, s phi.Span) (typ phi.Type, cue bool, why string) {
	switch s.Type {
	case phi.Phone, phi.Fax:
		return phoneOrFax(text, tokens, i, s.Type)
	case phi.Patient, phi.Doctor:
		return patientOrDoctor(text, tokens, i, j, s.Type)
	case phi.Hospital, phi.Organization:
		return hospitalOrOrganization(text, tokens, i, j, s.Type)
	case phi.State:
		if name := spaced(text, tokens, i, j); !names.StateNames[name] {
			if names.Countries[name] {
				return phi.Country, false, "it is a country"
			}
			return phi.City, false, "no state has that name"
		}
	case phi.City:
		if j == i && tokens[i].Class == token.Upper && tokens[i].End-tokens[i].Start == 2 && names.StateNames[names.Fold(tokens[i].Text(text))] &&
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
		if token.IsWord(tokens[i].Class) {
			words = append(words, names.Fold(tokens[i].Text(text)))
		}
	}
	return strings.Join(words, " ")
}

var (
	faxWords   = names.Set("fax facsimile telefax fx")
	phoneWords = names.Set("phone tel telephone ph cell mobile pager call called calling home work direct line callback number ext beeper tele tfno telefono movil")
)

// phoneOrFax asks the nearest word before the number that speaks of either.
func phoneOrFax(text string, tokens []token.Token, i int, typ phi.Type) (phi.Type, bool, string) {
	for n := 1; n <= 3; n++ {
		k := onLine(tokens, i, n)
		if k < 0 || tokens[k].Class == token.Digits {
			break
		}
		switch w := names.Fold(tokens[k].Text(text)); {
		case faxWords[w], w == "f" && k+1 < len(tokens) && tokens[k+1].Text(text) == ":":
			return phi.Fax, true, "the word before it says fax"
		case phoneWords[w]:
			return phi.Phone, true, "the word before it says telephone"
		}
	}
	return typ, false, ""
}

var patientTitles = names.Set("mr mrs ms miss mx")

var doctorLabels = names.Set(`attending surgeon physician provider pcp gp author consultant resident anesthesiologist anaesthetist pathologist
		radiologist referring cardiologist therapist pharmacist dentist optometrist midwife hygienist dietitian psychologist psychiatrist
		counselor counsellor intern registrar fellow nurse rn clinician scribe assistant technologist interpreter dictated signed cosigned
		transcribed ordering verified recorder reader`)

var patientLabels = names.Set("patient pt surname paciente kin nok wife husband son daughter mother father brother sister mom mum dad grandson granddaughter uncle aunt nephew niece friend neighbor neighbour")

var kin = names.Set("wife husband son daughter mother father brother mom mum dad grandson granddaughter uncle aunt nephew niece")

var signedWords = names.Set("signed dictated cosigned transcribed reviewed reported read ordered requested verified interpreted performed typed authored")

// patientOrDoctor asks degrees behind a name, then titles and labels before it.
func patientOrDoctor(text string, tokens []token.Token, i, j int, typ phi.Type) (phi.Type, bool, string) {
	if BeforeDegree(text, tokens, j) {
		return phi.Doctor, true, "a degree stands behind it"
	}
	k := i - 1
	if k >= 0 && tokens[k].Text(text) == "." {
		k--
	}
	if k < 0 || tokens[k].Class == token.Newline {
		return typ, false, ""
	}
	title := names.Fold(tokens[k].Text(text))
	if names.DoctorTitles[title] && tokens[k].Class != token.Lower || title == "dr" {
		return phi.Doctor, true, "a clinician's title stands before it"
	}
	colon := tokens[k].Text(text) == ":"
	if !colon && patientTitles[title] {
		// "Surgeon: Mr Holt": British surgeons are no doctors.
		if k > 1 && tokens[k-1].Text(text) == ":" && doctorLabels[names.Fold(tokens[k-2].Text(text))] {
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
			switch w := names.Fold(tokens[at].Text(text)); {
			case doctorLabels[w]:
				return phi.Doctor, true, "the label before it is a clinician's"
			case patientLabels[w]:
				return phi.Patient, true, "the label before it is a patient's or relative's"
			}
		}
		return typ, false, ""
	}
	if title == "by" && k > 0 && signedWords[names.Fold(tokens[k-1].Text(text))] {
		return phi.Doctor, true, "who signs is a clinician"
	}
	if kin[title] && text[tokens[k].End:tokens[i].Start] == " " {
		return phi.Patient, true, "a word of kinship stands before it"
	}
	return typ, false, ""
}

// hospitalOrOrganization asks the words of the name itself, then whether
// school or work is spoken of within three tokens.
func hospitalOrOrganization(text string, tokens []token.Token, i, j int, typ phi.Type) (phi.Type, bool, string) {
	hospital, other := false, false
	for k := i; k <= j; k++ {
		w := names.Fold(tokens[k].Text(text))
		hospital = hospital || names.HospitalHeads[w]
		other = other || names.SchoolWords[w]
		if k < j && (w == "medical" || w == "health") {
			next := names.Fold(tokens[k+1].Text(text))
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
