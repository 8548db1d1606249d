package pairs

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// events are what is done, or takes place, on a day: participles and nouns with
// which no number is told. Such as are told with one ("given", "walked", "scored")
// are left out.
var events = names.Set(`seen held drawn done out came returned arrived left died born admitted discharged transferred extubated intubated
	placed removed inserted changed pulled stopped started restarted begun began resumed completed finished ended closed resolved cleared
	repeated performed underwent booked scheduled rescheduled cancelled canceled postponed due signed dated faxed mailed sent filed expired
	delivered married visit appointment appt surgery operation procedure biopsy scan ct mri xr cxr us echo ekg ecg eeg colonoscopy endoscopy
	culture cultures labs bloods imaging x-ray meeting clinic follow-up followup f/u vaccine vaccination immunization immunisation booster
	admission discharge transfer consult consultation recheck`)

// event reports whether a text ends in what takes place on a day: "cultures ", "on or about ".
func event(before string) bool {
	before, last := cutLastWord(before)
	if last == "about" {
		_, last = cutLastWord(before)
		return last == "or" // on or about 9-25
	}
	return events[last]
}

// cutLastWord returns the word that a text ends in, folded, such as "follow-up", and
// what stands before it; "" where something else than blanks follows the word.
func cutLastWord(s string) (before, word string) {
	s = strings.TrimRight(s, " ")
	start := len(s)
	for start > 0 && (isLetter(s[start-1]) || start < len(s) && strings.IndexByte("-/", s[start-1]) >= 0) {
		start--
	}
	return s[:start], names.Fold(s[start:])
}
