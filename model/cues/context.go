package cues

import (
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Told reports whether what stands around a span of tokens i to j, or its head
// word, says beyond doubt that it is one of its kind: a number to call, a
// person's name, an institution.
func Told(text string, tokens []token.Token, i, j int, typ phi.Type) bool {
	switch typ {
	case phi.Phone, phi.Fax:
		return called(text, tokens, i)
	case phi.Patient, phi.Doctor:
		return named(text, tokens, i, j, typ)
	case phi.Hospital, phi.Organization:
		return headed(text, tokens, i, j)
	}
	return false
}

var (
	faxWords   = names.Set("fax facsimile telefax fx")
	phoneWords = names.Set(`phone tel telephone ph cell mobile pager call called calling home work direct line callback number ext beeper tele
		tfno telefono movil`)
)

// called asks the nearest words before a number for one that speaks of calls
// or fax.
func called(text string, tokens []token.Token, i int) bool {
	for n := 1; n <= 3; n++ {
		k := onLine(tokens, i, n)
		if k < 0 || tokens[k].Class == token.Digits {
			break
		}
		w := names.Fold(tokens[k].Text(text))
		if faxWords[w] || phoneWords[w] || w == "f" && k+1 < len(tokens) && tokens[k+1].Text(text) == ":" {
			return true
		}
	}
	return false
}

var patientTitles = names.Set("mr mrs ms miss mx")

var doctorLabels = names.Set(`attending surgeon physician provider pcp gp author consultant resident anesthesiologist anaesthetist
	pathologist radiologist referring cardiologist therapist pharmacist dentist optometrist midwife hygienist dietitian psychologist
	psychiatrist counselor counsellor intern registrar fellow nurse rn clinician scribe assistant technologist interpreter dictated signed
	cosigned transcribed ordering verified recorder reader`)

var patientLabels = names.Set(`patient pt surname paciente kin nok wife husband son daughter mother father brother sister mom mum dad
	grandson granddaughter uncle aunt nephew niece friend neighbor neighbour`)

// kin are words of kinship that nothing but a name follows. kinOf has more: "Sister" is
// a title too, as in "Sister Mary Joseph nodule".
var kin = names.Set("wife husband son daughter mother father brother mom mum dad grandson granddaughter uncle aunt nephew niece")

var signedWords = names.Set(`signed dictated cosigned transcribed reviewed reported read ordered requested verified interpreted performed
	typed authored`)

// named asks degrees behind a name, then titles and labels before it.
func named(text string, tokens []token.Token, i, j int, typ phi.Type) bool {
	if BeforeDegree(text, tokens, j) {
		return true
	}
	k := i - 1
	if k >= 0 && tokens[k].Text(text) == "." {
		k--
	}
	if k < 0 || tokens[k].Class == token.Newline {
		return false
	}
	title := names.Fold(tokens[k].Text(text))
	if names.DoctorTitles[title] && tokens[k].Class != token.Lower || title == "dr" {
		return true
	}
	colon := tokens[k].Text(text) == ":"
	if !colon && patientTitles[title] {
		// "Surgeon: Mr Holt": British surgeons are no doctors.
		return typ == phi.Patient || k > 1 && tokens[k-1].Text(text) == ":" && doctorLabels[names.Fold(tokens[k-2].Text(text))]
	}
	if colon && k > 0 {
		for n := 1; n <= 2; n++ {
			at := onLine(tokens, k, n)
			if at < 0 {
				break
			}
			if w := names.Fold(tokens[at].Text(text)); doctorLabels[w] || patientLabels[w] {
				return true
			}
		}
		return false
	}
	if title == "by" && k > 0 && signedWords[names.Fold(tokens[k-1].Text(text))] {
		return true
	}
	return kin[title] && text[tokens[k].End:tokens[i].Start] == " "
}

// headed asks the words of an institution's name for one that only places of
// care have, or only others.
func headed(text string, tokens []token.Token, i, j int) bool {
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
	return hospital != other
}
